// SPDX-License-Identifier: Apache-2.0
//
// Motions whose load is parallel to them in the metric of ρ:
//
//   P ∥ (v_x, v_y, ρ²ω),   the critical points of H on v_x² + v_y² + (ρω)² = 1
//
// A slider with ρ² = inertia/mass that slides freely comes to rest along one of them; along a
// minimum of H it does so from all motions near by.
#pragma once

#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct EigenDirection {
  Motion motion;        // v_x² + v_y² + (ρω)² = 1
  double power = 0;     // H there                                               [W]
  bool stable = false;  // a minimum of H on the sphere
  double error = 0;     // distance of the loads from the parallel one, over it  [-]
};

// All that are found from starts all over the sphere, by growing power; of a continuum (a body of
// full symmetry) some.  Motions and loads refer to O, which should be the centre of mass.
std::vector<EigenDirection> eigen_directions(const Slider& slider, const Progress& progress = {});

}  // namespace stiction
