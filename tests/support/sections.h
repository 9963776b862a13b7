// SPDX-License-Identifier: Apache-2.0
//
// Sections of every kind for property tests, and the same in fifty digits.
#pragma once

#include <vector>

#include "stiction/section_cone.h"
#include "support/random.h"

namespace stiction::testing {

inline UpTo6 direction_of(Random& random, int d) {
  UpTo6 v(d);
  for (int k = 0; k < d; ++k) v[k] = random.normal();
  return v / v.norm();
}

// Points around the origin, about one away from it; sometimes of a grid, in which many lie in one
// facet, and sometimes in a flat through the origin.
inline std::vector<UpTo6> points_around(Random& random, int d, double size) {
  std::vector<UpTo6> points;
  const int shape = random.integer(0, 3);
  if (shape == 0) {  // the cube's corners
    for (int i = 0; i < (1 << d); ++i) {
      UpTo6 p(d);
      for (int k = 0; k < d; ++k) p[k] = (i >> k & 1 ? 1 : -1) * size;
      points.push_back(p);
    }
    return points;
  }
  for (int i = 0; i < d + 3; ++i) {
    UpTo6 p = size * random.uniform(0.3, 1) * direction_of(random, d);
    if (shape == 1) p[d - 1] = 0;
    if (p.isZero(0)) continue;
    points.push_back(p);
    points.push_back(-p * random.uniform(0.2, 1));
  }
  if (points.empty()) points.push_back(UpTo6::Zero(d));
  return points;
}

// Kinds 0 to 9: none, interval, ellipsoids (with axes of zero), curve, balls, products, polytopes.
inline constexpr int section_kinds = 10;
inline Section random_section(Random& random, int kind, double from, double to) {
  const auto size = [&] { return random.decades(from, to); };
  switch (kind % section_kinds) {
    case 0:
      return {};
    case 1:
      return interval_section(size());
    case 2:
    case 3: {
      std::vector<double> axes;
      for (int k = 0, d = random.integer(2, 5); k < d; ++k)
        axes.push_back(kind % section_kinds == 3 && random.integer(0, 2) == 0 ? 0 : size());
      return ellipsoid_section(axes);
    }
    case 4:
      return curve_section(random.law(random.integer(0, law_kinds - 1), from, to));
    case 5:
      return ellipsoid_section(
          std::vector<double>(static_cast<std::size_t>(random.integer(2, 5)), size()));
    case 6: {
      Law slip, roll;
      slip.mu = size();
      roll.mu = size();
      return product_section({curve_section(slip), curve_section(roll)});
    }
    case 7:
      return product_section({curve_section(random.law(random.integer(0, law_kinds - 1), from, to)),
                              interval_section(size()), ellipsoid_section({size(), size()})});
    case 8:
      return product_section(
          {interval_section(size()),
           polytope_section(points_around(random, random.integer(1, 3), size()))});
    default:
      return polytope_section(points_around(random, random.integer(1, 5), size()));
  }
}
inline Section random_section(Random& random, int kind, double decades = 1) {
  return random_section(random, kind, -decades, decades);
}

}  // namespace stiction::testing
