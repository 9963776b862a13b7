// SPDX-License-Identifier: Apache-2.0
//
// One step of y′ = f(y) by extrapolation of the modified midpoint rule (Gragg, Bulirsch, Stoer):
// of order sixteen, with an estimate of its error; and where in a step something happens.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/roots.h"

namespace stiction {

template <int N>
struct Extrapolated {
  Eigen::Matrix<double, N, 1> y, error;
};

template <int N, class F>
Extrapolated<N> extrapolated_step(const F& f, const Eigen::Matrix<double, N, 1>& y0, double step) {
  using Vector = Eigen::Matrix<double, N, 1>;
  constexpr std::size_t rows = 8;
  std::array<Vector, rows> last, row;  // of Neville's table in h²
  const Vector slope = f(y0);
  for (std::size_t k = 0; k < rows; ++k) {
    const int n = 2 * static_cast<int>(k + 1);
    const double h = step / n;
    Vector before = y0, now = y0 + h * slope;
    for (int i = 1; i < n; ++i) {
      const Vector next = before + 2 * h * f(now);
      before = now;
      now = next;
    }
    row[0] = 0.5 * (before + now + h * f(now));
    for (std::size_t j = 1; j <= k; ++j) {
      const double ratio = static_cast<double>(k + 1) / static_cast<double>(k + 1 - j);
      row[j] = row[j - 1] + (row[j - 1] - last[j - 1]) / (ratio * ratio - 1);
    }
    last = row;
  }
  return {row[rows - 1], row[rows - 1] - row[rows - 2]};
}

// The part of a step at which a margin that is positive before, and negative at its end, vanishes:
// the secant rule of Illinois, with a halving now and then; by halves alone where it may jump.
template <class F>
double part_of_step(const F& margin, double at_start, double at_end, bool jumps) {
  const double close = 1e-15 * std::min(std::abs(at_start), std::abs(at_end));
  if (jumps || !(at_start > 0)) {
    double low = 0, high = 1;
    while (high - low > 1e-15) {
      const double middle = 0.5 * (low + high);
      (margin(middle) > 0 ? low : high) = middle;
    }
    return high;
  }
  const auto value = [&](double part) {
    const double f = margin(part);
    return std::abs(f) <= close ? 0.0 : f;
  };
  return sign_change(value, 0, at_start, 1, at_end, 1e-15, 80).high;
}

}  // namespace stiction
