// SPDX-License-Identifier: Apache-2.0
//
// Seeded random input for property tests: directions, sizes over many decades, laws of every kind.
#pragma once

#include <cmath>
#include <random>

#include "stiction/law.h"

namespace stiction::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  int integer(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }
  // 10^uniform(from, to)
  double decades(double from, double to) { return std::pow(10.0, uniform(from, to)); }

  double normal() { return std::normal_distribution<double>()(engine_); }

  Vec2 direction() {
    const double angle = uniform(-3.2, 3.2);
    return {std::cos(angle), std::sin(angle)};
  }
  Vec3 direction3() {
    std::normal_distribution<double> normal;
    return Vec3(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }

  // Every kind of law in turn, with coefficients over the given decades.
  Law law(int kind, double from_decade = -1, double to_decade = 1) {
    Law law;
    law.curve = static_cast<Law::Curve>(kind % 13);
    law.mu = decades(from_decade, to_decade);
    law.mu2 = law.mu * decades(-1, 1);
    law.bearing = law.mu * uniform(0, 1.1);
    law.angle_deg = uniform(-360, 360);
    law.sides = integer(3, 20);
    if (law.curve == Law::Curve::polygon)
      for (int k = 0, n = integer(3, 8); k < n; ++k) {
        const double angle = 6.283185307179586 * (k + uniform(0.1, 0.9)) / n;
        law.vertices.emplace_back(law.mu * std::cos(angle), law.mu * std::sin(angle));
        if (n == 3) law.vertices.emplace_back(-law.vertices.back());
      }
    return law;
  }

 private:
  std::mt19937_64 engine_;
};

inline constexpr int law_kinds = 13;
inline constexpr int cases = 100000;

}  // namespace stiction::testing
