// SPDX-License-Identifier: Apache-2.0
//
// Zhukovskii's moment function: the friction moment of turning about a place,
//
//   M_c(x_c, y_c) = H(y_c, −x_c, 1)      for ω = +1, c relative to O      [N m]
//   F_x = ∂M_c/∂y_c,  F_y = −∂M_c/∂x_c,  M = M_c + r_c × F                [N, N m about O]
//
// It is convex, with a corner over every point support, and grows like the translation force.  Its
// floor, where turning needs the least moment and no force, is the centre of twist: one place, or
// a stretch or a polygon of them.
#pragma once

#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct MomentAt {
  double moment = 0;            // M_c                                           [N m]
  Vec2 force = Vec2::Zero();    // from the gradient; where not smooth, the middle of many   [N]
  bool smooth = true;           // one force
  std::vector<FaceTerm> terms;  // the others, about the middle, as loads
};

// Places are in the frame in which the supports were given.
MomentAt moment_function(const Slider& slider, const Vec2& at);

struct MomentFloor {
  double moment = 0;          // the least M_c                                   [N m]
  std::vector<Vec2> corners;  // of the floor: one place, the ends of a stretch, or a polygon; none
                              // where it has no end or turning is free
};
MomentFloor moment_floor(const Slider& slider, const Progress& progress = {});  // throws Stopped

// Where M_c has corners: at supports that do not slip there, and in the middle of rings whose
// wheels all roll.
std::vector<Vec2> moment_corners(const Slider& slider);

}  // namespace stiction
