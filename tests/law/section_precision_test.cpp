// SPDX-License-Identifier: Apache-2.0
//
// Projections on sections against fifty digits: right to 1e-14 of the input, for inputs from 1e-150
// to 1e150.
#include <gtest/gtest.h>

#include "support/section_oracle.h"

namespace stiction::testing {
namespace {

constexpr double tolerance = 1e-14;

// Near the section or anywhere in the range, with components of one size or of many.
UpTo6 sample(Random& random, const Section& c, int i, double decades = 150) {
  UpTo6 f = direction_of(random, c.dimension());
  if (i % 3 == 0)
    for (double& component : f) component *= random.decades(-8, 0);
  const double reach = c.reach() > 0 ? c.reach() : 1;
  if (i % 2 == 0) return f * reach * random.decades(-0.5, 1);
  return f * (decades < 100 ? reach : 1.0) * random.decades(-decades, decades);
}

void expect_exact(const Section& c, const UpTo6& f, int i) {
  const std::vector<Real> p = exact_projection(c, exact_of(f));
  const double error = distance(p, c.project(f));
  ASSERT_LE(error, tolerance * f.stableNorm())
      << i << ": kind " << static_cast<int>(c.kind()) << " force " << f.transpose();
}

TEST(SectionPrecision, Ellipsoids) {
  Random random(61);
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> axes;
    const double spread = i % 4 == 0 ? 0.3 : i % 4 == 1 ? 3 : 6;  // ratios up to 1e12
    for (int k = 0, d = random.integer(1, 5); k < d; ++k)
      axes.push_back(i % 7 == 0 && random.integer(0, 1) == 0 ? 0 : random.decades(-spread, spread));
    const Section c = ellipsoid_section(axes);
    expect_exact(c, sample(random, c, i), i);
  }
}

TEST(SectionPrecision, EllipsoidsOfExtremeSize) {
  Random random(62);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> axes;
    const double size = random.uniform(-145, 145);
    for (int k = 0, d = random.integer(1, 5); k < d; ++k)
      axes.push_back(random.decades(size - 4, size + 4));
    const Section c = ellipsoid_section(axes);
    expect_exact(c, sample(random, c, i), i);
  }
}

TEST(SectionPrecision, Polytopes) {
  Random random(63);
  for (int i = 0; i < 400 / STICTION_SLOWED; ++i) {
    const double size = i % 5 == 0 ? random.decades(-140, 140) : random.decades(-2, 2);
    const Section c = polytope_section(points_around(random, random.integer(1, 4), size));
    expect_exact(c, sample(random, c, i, 12), i);  // fifty digits see no more beside each other
  }
}

TEST(SectionPrecision, Products) {
  Random random(64);
  for (int i = 0; i < 400 / STICTION_SLOWED; ++i) {
    const Section c = random_section(random, 6 + i % 3, 2);
    expect_exact(c, sample(random, c, i, 12), i);
  }
}

}  // namespace
}  // namespace stiction::testing
