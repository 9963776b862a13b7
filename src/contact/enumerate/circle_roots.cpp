// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/circle_roots.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace stiction {

namespace {

constexpr double unit_rounding = std::numeric_limits<double>::epsilon();

class Search {
 public:
  explicit Search(const Harmonics& G)
      : G_(G),
        rounding_(G.rounding()),
        fourth_(std::hypot(G.coefficients[1], G.coefficients[2]) +
                16 * std::hypot(G.coefficients[3], G.coefficients[4])) {}

  void look(double low, double high) {
    const double middle = low + (high - low) / 2, h = (high - low) / 2;
    std::array<double, 4> g{};
    for (int k = 0; k < 4; ++k) g[static_cast<std::size_t>(k)] = G_.at(middle, k);
    // |G − G(middle)| and |G' − G'(middle)| stay below these.
    const double g1 = std::abs(g[1]), g2 = std::abs(g[2]), g3 = std::abs(g[3]);
    const double change = h * (g1 + h / 2 * (g2 + h / 3 * (g3 + h / 4 * fourth_)));
    const double turn = h * (g2 + h / 2 * (g3 + h / 3 * fourth_));
    if (std::abs(g[0]) > change + rounding_) return;
    if (g1 > turn + 2 * rounding_) {
      close_in(low, high);
    } else if (std::abs(g[0]) + change <= 4 * rounding_ || !(low < middle && middle < high)) {
      roots.push_back(middle);
    } else {
      look(low, middle);
      look(middle, high);
    }
  }

  std::vector<double> roots;

 private:
  // G is monotone from low to high.
  void close_in(double low, double high) {
    const double g_low = G_.at(low), g_high = G_.at(high);
    if ((g_low < 0) == (g_high < 0)) {
      // A root at an end may lie on either side of it.
      if (std::abs(g_low) <= rounding_) roots.push_back(low);
      if (std::abs(g_high) <= rounding_) roots.push_back(high);
      return;
    }
    for (double middle = low + (high - low) / 2; low < middle && middle < high;
         middle = low + (high - low) / 2)
      ((G_.at(middle) < 0) == (g_low < 0) ? low : high) = middle;
    roots.push_back(low + (high - low) / 2);
  }

  const Harmonics& G_;
  double rounding_;
  double fourth_;  // bounds the fourth derivative
};

}  // namespace

bool Harmonics::is_zero() const {
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    if (std::abs(coefficients[i]) > 64 * unit_rounding * terms[i]) return false;
  return true;
}

double Harmonics::rounding() const {
  return 8 * unit_rounding * std::accumulate(terms.begin(), terms.end(), 0.0);
}

double Harmonics::at(double angle, int derivative) const {
  const auto& [c0, c1, s1, c2, s2] = coefficients;
  const double c = std::cos(angle), s = std::sin(angle);
  const double cc = (c - s) * (c + s), ss = 2 * s * c;  // of the double angle
  switch (derivative) {
    case 0:
      return c0 + c1 * c + s1 * s + c2 * cc + s2 * ss;
    case 1:
      return -c1 * s + s1 * c + 2 * (-c2 * ss + s2 * cc);
    case 2:
      return -c1 * c - s1 * s - 4 * (c2 * cc + s2 * ss);
    default:
      return c1 * s - s1 * c + 8 * (c2 * ss - s2 * cc);
  }
}

std::vector<double> roots_on_circle(const Harmonics& G) {
  if (G.is_zero()) return {};
  Search search(G);
  // Parts that end at no angle of a simple problem.
  constexpr int parts = 8;
  const double step = 2 * std::numbers::pi / parts;
  for (int i = 0; i < parts; ++i) search.look(0.1 + i * step, 0.1 + (i + 1) * step);
  return std::move(search.roots);
}

}  // namespace stiction
