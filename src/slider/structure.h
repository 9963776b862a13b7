// SPDX-License-Identifier: Apache-2.0
//
// Facets and vertices of the limit surface, found from where supports stop and laws are flat.
#pragma once

#include "stiction/slider_points.h"

namespace stiction {

inline constexpr const char* stopped = "stopped before all were found";

struct Structure {
  OrReason<std::vector<Facet>> facets;
  OrReason<std::vector<Vertex>> vertices;
};
Structure surface_structure(const Slider& slider, const Progress& progress);

}  // namespace stiction
