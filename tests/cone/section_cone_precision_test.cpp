// SPDX-License-Identifier: Apache-2.0
//
// Projections on the cones over sections against fifty digits: right to 1e-14 of the input, for
// inputs from 1e-150 to 1e150.
#include <gtest/gtest.h>

#include "support/section_oracle.h"

namespace stiction::testing {
namespace {

constexpr double tolerance = 1e-14;

// Any direction, or one near the cone's boundary or that of its polar cone.
UpTo6 sample(Random& random, const SectionCone& k, int i) {
  const int d = k.section().dimension();
  UpTo6 x(1 + d);
  x[0] = random.normal();
  x.tail(d) = direction_of(random, d);
  if (i % 3 == 0)
    for (double& component : x) component *= random.decades(-8, 0);
  if (i % 4 == 1)
    x[0] = k.section().gauge(-x.tail(d)) * (1 + random.decades(-12, 0) * random.normal());
  if (i % 4 == 2)
    x[0] = -k.section().support(-x.tail(d)) * (1 + random.decades(-12, 0) * random.normal());
  if (!std::isfinite(x[0])) x[0] = 1;
  return x * (i % 2 == 0 ? random.decades(-2, 2) : random.decades(-140, 140)) / x.stableNorm();
}

void expect_exact(const SectionCone& k, const UpTo6& x, int i) {
  const double error = distance(exact_on_cone(k.section(), exact_of(x)), k.project(x));
  ASSERT_LE(error, tolerance * x.stableNorm())
      << i << ": kind " << static_cast<int>(k.section().kind()) << " x " << x.transpose();
}

TEST(SectionConePrecision, Ellipsoids) {
  Random random(91);
  for (int i = 0; i < 1500 / STICTION_SLOWED; ++i) {
    std::vector<double> axes;
    const double spread = i % 4 == 0 ? 0.3 : i % 4 == 1 ? 3 : 6;  // ratios up to 1e12
    for (int k = 0, d = random.integer(1, 5); k < d; ++k)
      axes.push_back(i % 7 == 0 && random.integer(0, 1) == 0 ? 0 : random.decades(-spread, spread));
    const SectionCone k(ellipsoid_section(axes));
    expect_exact(k, sample(random, k, i), i);
  }
}

TEST(SectionConePrecision, ProductsOfDiscs) {
  Random random(92);
  for (int i = 0; i < 1500 / STICTION_SLOWED; ++i) {
    const Section a = ellipsoid_section({random.decades(-3, 3), 0}), b = a;
    const double mu = random.decades(-3, 3), rolling = random.decades(-3, 3);
    const SectionCone k(
        i % 2 == 0
            ? product_section({ellipsoid_section({mu, mu}), ellipsoid_section({rolling, rolling})})
            : product_section({ellipsoid_section({mu, mu}), interval_section(rolling),
                               interval_section(random.decades(-3, 3))}));
    expect_exact(k, sample(random, k, i), i);
  }
}

TEST(SectionConePrecision, PolytopesAndProducts) {
  Random random(93);
  for (int i = 0; i < 60 / STICTION_SLOWED; ++i) {
    const SectionCone k(i % 2 == 0 ? polytope_section(points_around(random, random.integer(1, 3),
                                                                    random.decades(-2, 2)))
                                   : random_section(random, 7, 2));
    expect_exact(k, sample(random, k, i / 2), i);
  }
}

}  // namespace
}  // namespace stiction::testing
