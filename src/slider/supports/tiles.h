// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "stiction/types.h"

namespace stiction {

// Cuts a polygon with holes, of which no edges cross, into convex quadrilaterals (some of them
// triangles with a corner twice), counter-clockwise.
std::vector<std::array<Vec2, 4>> tiles(const std::vector<Vec2>& vertices,
                                       const std::vector<std::vector<Vec2>>& holes);

}  // namespace stiction
