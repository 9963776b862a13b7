// SPDX-License-Identifier: Apache-2.0
//
// What does an ellipsoid make of a section?  Engines know the greatest force along each axis alone
// and take the ellipsoid E with these semi-axes a for the rest:
//
//   a_k     = max { |f_k| : f ∈ C }
//   inner   the greatest t with tE ⊂ C: the least of h(v)/‖(a_k v_k)‖
//   outer   the least t with C ⊂ tE: the greatest of ‖(f_k/a_k)‖, which is that of h(v)/‖(a_k v_k)‖
//   under   = 1 − inner, over = outer − 1: the worst errors of strength, as fractions of E
//
// Axes along which C carries nothing are left out.
#pragma once

#include "stiction/section.h"

namespace stiction {

struct SectionQuality {
  UpTo6 axes;        // of E
  double inner = 0;  // inner·a are the semi-axes of the largest such ellipsoid inside C,
  double outer = 0;  // outer·a of the smallest around it
  double under = 0;  // errors of rounding are none
  double over = 0;
  UpTo6 inner_at, outer_at;  // a slip for which h is least and greatest, with ‖(a_k v_k)‖ = 1
  // Of ellipsoids, polytopes, polygons and products of them; else by search: from the best slips
  // of a grid until none next to them is better.
  bool exact = true;
};

// Throws InvalidInput for a section that carries nothing.
SectionQuality section_quality(const Section& section);

}  // namespace stiction
