// SPDX-License-Identifier: Apache-2.0
//
// Plane geometry that respects rounding and range; for every room above.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/types.h"

namespace stiction::plane {

// Σ|a_i b_i|, the size of the terms of a dot product: what its rounding error is measured by.
inline double dot_terms(const Vec2& a, const Vec2& b) {
  return std::abs(a.x() * b.x()) + std::abs(a.y() * b.y());
}
inline double cross_terms(const Vec2& a, const Vec2& b) {
  return std::abs(a.x() * b.y()) + std::abs(a.y() * b.x());
}
inline double norm(const Vec2& v) { return std::hypot(v.x(), v.y()); }
inline double max_abs(const Vec2& v) { return std::max(std::abs(v.x()), std::abs(v.y())); }
inline Vec2 left(const Vec2& v) { return {-v.y(), v.x()}; }
inline Vec2 right(const Vec2& v) { return {v.y(), -v.x()}; }

// v / 2^exponent with components of order one, so that products neither overflow nor underflow.
struct Scaled {
  Vec2 v;
  int exponent = 0;
};
inline Scaled scaled(const Vec2& v) {
  const double m = max_abs(v);
  if ((m > 0x1p-40 && m < 0x1p40) || m == 0 || std::isnan(m)) return {v, 0};
  const int e = std::ilogb(m);
  return {{std::ldexp(v.x(), -e), std::ldexp(v.y(), -e)}, e};
}

}  // namespace stiction::plane
