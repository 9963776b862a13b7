// SPDX-License-Identifier: Apache-2.0
//
// The bodies that the tests of free sliding throw.
#pragma once

#include "stiction/slider_slide.h"

namespace stiction::testing {

inline SliderBody body_of(std::optional<double> mass, std::optional<double> inertia,
                          std::optional<Vec2> centre_of_mass = Vec2(0, 0)) {
  SliderBody body;
  body.mass = mass;
  body.inertia = inertia;
  body.centre_of_mass = centre_of_mass;
  return body;
}

inline std::vector<Support> points_on_ring(int n, double radius, double normal_force, double mu) {
  std::vector<Support> supports;
  for (int k = 0; k < n; ++k)
    supports.push_back(point(radius * Direction::turn(k, n).unit(), normal_force / n, disc(mu)));
  return supports;
}

}  // namespace stiction::testing
