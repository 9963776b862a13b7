// SPDX-License-Identifier: Apache-2.0
//
// Every real root on the circle of
//
//   G(θ) = c₀ + c₁ cos θ + s₁ sin θ + c₂ cos 2θ + s₂ sin 2θ.
//
// The circle is halved until each part is shown by Taylor's series to hold no root (G too large),
// or at most one (G' keeps its sign, so that the ends decide), or nothing but rounding: G below
// what the coefficients' own errors make of it, where a double root may be or not, and its middle
// is taken. So no root is missed, and there are as many more as rounding cannot tell from roots.
#pragma once

#include <array>
#include <vector>

namespace stiction {

struct Harmonics {
  std::array<double, 5> coefficients{};  // c₀, c₁, s₁, c₂, s₂
  std::array<double, 5> terms{};         // the size of what each was summed from

  bool is_zero() const;  // everywhere, as far as rounding can tell
  double at(double angle, int derivative = 0) const;
  double rounding() const;  // of G
};

// In [0, 2π), in no order; empty where G is zero everywhere.
std::vector<double> roots_on_circle(const Harmonics& G);

}  // namespace stiction
