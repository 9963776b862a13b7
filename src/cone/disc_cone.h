// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the exact cone ‖r_t‖ ≤ μ r_n, written without branches so that one formula serves
// the single call (Number is double) and the batch (Number is four doubles).
//
//   c, s   cosine and sine of the half angle, s/c = μ
//   a      distance along the generator nearest to the point: c x_n + s ‖x_t‖
//
//   outside:           r_n = a c,  r_t = a s x_t/‖x_t‖
//   in the cone:       r = x       if c ‖x_t‖ ≤ s x_n
//   in the polar cone: r = 0       if a ≤ 0
#pragma once

#include <cmath>

#include "base/vectorised.h"

namespace stiction {

// Points with components between these need no scaling: their squares keep every digit that counts.
inline constexpr double least_plain = 0x1p-480, greatest_plain = 0x1p480;

inline __attribute__((always_inline)) void square_root(double& x) { x = std::sqrt(x); }
inline __attribute__((always_inline)) void square_root(Four& x) {
  double lanes[4];
  __builtin_memcpy(lanes, &x, sizeof x);
  for (double& lane : lanes) lane = std::sqrt(lane);
  __builtin_memcpy(&x, lanes, sizeof x);
}

template <class Number>
inline __attribute__((always_inline)) void project_on_disc_cone(double c, double s, Number& n,
                                                                Number& t1, Number& t2) {
  Number tangential = t1 * t1 + t2 * t2;
  square_root(tangential);
  const Number along = c * n + s * tangential;
  const Number a = along > 0.0 ? along : along - along;
  const auto inside = c * tangential <= s * n;
  // x_t is lost beside x_n when its square vanishes: the quotient must then not divide by zero.
  const Number shrink = a * s / (tangential > 0.0 ? tangential : tangential + 1.0);
  n = inside ? n : a * c;
  t1 = inside ? t1 : shrink * t1;
  t2 = inside ? t2 : shrink * t2;
}

}  // namespace stiction
