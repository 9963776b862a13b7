// SPDX-License-Identifier: Apache-2.0
#include "slider/supports/quadrature.h"

#include <numbers>

namespace stiction {

namespace {

// The roots of Legendre's polynomial by Newton's method from Chebyshev's.
GaussRule make(int count) {
  GaussRule rule;
  rule.count = count;
  for (int i = 0; i < count; ++i) {
    long double x = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (count + 0.5L));
    long double slope = 1;
    for (int step = 0; step < 20; ++step) {
      long double p = 1, before = 0;
      for (int n = 1; n <= count; ++n) {
        const long double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
        before = p;
        p = next;
      }
      slope = count * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    const std::size_t k = static_cast<std::size_t>(i);
    rule.node[k] = static_cast<double>((1 - x) / 2);
    rule.weight[k] = static_cast<double>(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

}  // namespace

const GaussRule& gauss_rule(int count) {
  static const std::array<GaussRule, most_gauss_nodes + 1> rules = [] {
    std::array<GaussRule, most_gauss_nodes + 1> all;
    for (int n = 1; n <= most_gauss_nodes; ++n) all[static_cast<std::size_t>(n)] = make(n);
    return all;
  }();
  return rules[static_cast<std::size_t>(count)];
}

}  // namespace stiction
