// SPDX-License-Identifier: Apache-2.0
//
// Facets and vertices of the limit surface, found from where supports stop and laws are flat.
#pragma once

#include "slider/motion/scaled_slider.h"
#include "stiction/slider_points.h"

namespace stiction {

inline constexpr const char* stopped = "stopped before all were found";

struct Structure {
  OrReason<std::vector<Facet>> facets;
  OrReason<std::vector<Vertex>> vertices;
};
inline bool carries(const Support& s) {
  return s.normal_force > 0 && s.curve.shape() != LimitCurve::Shape::point;
}
// With v_x² + v_y² + (ρω)² = 1.
inline Motion normalised(const Slider& slider, const Motion& m) {
  return Motion::of(m.vector() / Vec3(m.vx, m.vy, slider.length_scale() * m.omega).norm());
}

// `scaled` by any load.
OrReason<std::vector<Facet>> surface_facets(const Slider& slider, const ScaledSlider& scaled,
                                            const Progress& progress);
OrReason<std::vector<Vertex>> surface_vertices(const Slider& slider);
Structure surface_structure(const Slider& slider, const Progress& progress);

}  // namespace stiction
