// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "stiction/section.h"

namespace stiction {

// The facets of the hull of points of order one about the origin; where they lie in a flat, its
// normals too, both ways.  Throws InvalidInput where there are more than 20 000.
std::vector<HalfSpace> facets_of(const std::vector<UpTo6>& points, int dimension);

}  // namespace stiction
