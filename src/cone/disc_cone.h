// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the exact cone ‖r_t‖ ≤ μ r_n, written without branches so that one formula serves
// the single call and, eight points at a time, the batch.
//
//   c, s   cosine and sine of the half angle, s/c = μ
//   a      distance along the generator below the point: c x_n + s ‖x_t‖
//
//   outside:           r_n = a c,  r_t = a s x_t/‖x_t‖
//   in the cone:       r = x       if c ‖x_t‖ ≤ s x_n
//   in the polar cone: r = 0       if a ≤ 0
#pragma once

#include <cmath>

namespace stiction {

// Points with components between these need no scaling: their squares keep every digit that counts.
inline constexpr double least_plain = 0x1p-480, greatest_plain = 0x1p480;

inline void project_on_disc_cone(double c, double s, double& n, double& t1, double& t2) {
  const double tangential = std::sqrt(t1 * t1 + t2 * t2);
  const double along = c * n + s * tangential;
  const double a = along > 0 ? along : 0.0;
  const bool inside = c * tangential <= s * n;
  // x_t is lost beside x_n when its square vanishes: the quotient must then not divide by zero.
  const double shrink = a * s / (tangential > 0 ? tangential : 1.0);
  n = inside ? n : a * c;
  t1 = inside ? t1 : shrink * t1;
  t2 = inside ? t2 : shrink * t2;
}

}  // namespace stiction
