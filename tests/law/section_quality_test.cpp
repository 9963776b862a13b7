// SPDX-License-Identifier: Apache-2.0
//
// What an ellipsoid makes of a section: closed forms, and the power over many slips.
#include "stiction/section_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/sections.h"

namespace stiction::testing {
namespace {

UpTo6 numbers(std::initializer_list<double> list) {
  UpTo6 v(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), v.begin());
  return v;
}

TEST(SectionQuality, OfAnEllipsoidIsItself) {
  const SectionQuality q = section_quality(ellipsoid_section({0.5, 0.2, 0, 0.01}));
  EXPECT_EQ(q.axes, numbers({0.5, 0.2, 0, 0.01}));
  EXPECT_EQ(q.inner, 1);
  EXPECT_EQ(q.outer, 1);
  EXPECT_EQ(q.under, 0);
  EXPECT_EQ(q.over, 0);
}

// Budgets of their own: two exceed the ellipsoid by √2, three by √3.
TEST(SectionQuality, IndependentBudgetsExceedTheEllipsoid) {
  const Section two = product_section({ellipsoid_section({0.5, 0.5}), interval_section(0.01)});
  const Section three = product_section(
      {ellipsoid_section({0.5, 0.5}), interval_section(0.01), ellipsoid_section({0.1, 0.1})});
  for (const auto& [c, outer] : {std::pair(two, std::sqrt(2)), std::pair(three, std::sqrt(3))}) {
    const SectionQuality q = section_quality(c);
    EXPECT_TRUE(q.exact);
    EXPECT_NEAR(q.inner, 1, 1e-15);
    EXPECT_NEAR(q.outer, outer, 1e-15);
    EXPECT_EQ(q.under, 0);
    EXPECT_NEAR(q.over, outer - 1, 1e-15);
    // It is attained by a force of the section.
    EXPECT_NEAR(c.point(q.outer_at).cwiseQuotient(q.axes).norm(), outer, 1e-14);
  }
}

// |f₁|/2 + |f₂| ≤ 1: (1, ½) is nearest in units of the axes (2, 1), 1/√2 away.  The triangle
// (1, 0), (−1, ±1) has the axes 1, 1; its longest vertex is √2 away and its nearest side, through
// (1, 0) and (−1, 1), 1/√5.
TEST(SectionQuality, OfPolytopes) {
  const SectionQuality rhomb = section_quality(
      polytope_section({numbers({2, 0}), numbers({-2, 0}), numbers({0, 1}), numbers({0, -1})}));
  EXPECT_EQ(rhomb.axes, numbers({2, 1}));
  EXPECT_NEAR(rhomb.inner, 1 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(rhomb.outer, 1, 1e-15);
  const SectionQuality triangle =
      section_quality(polytope_section({numbers({1, 0}), numbers({-1, 1}), numbers({-1, -1})}));
  EXPECT_NEAR(triangle.inner, 1 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(triangle.outer, std::sqrt(2), 1e-15);
}

// A half disc touches the origin: no ellipsoid about it fits.
TEST(SectionQuality, OfAHalfDisc) {
  const SectionQuality q = section_quality(curve_section(ratchet(0.5, 0.0)));
  EXPECT_NEAR(q.inner, 0, 1e-15);
  EXPECT_NEAR(q.outer, 1, 1e-14);
  EXPECT_NEAR(q.under, 1, 1e-15);
}

TEST(SectionQuality, RefusesWhatCarriesNothing) {
  EXPECT_THROW(section_quality({}), InvalidInput);
  EXPECT_THROW(section_quality(ellipsoid_section({0, 0})), InvalidInput);
}

// No slip of many has less or more power than it says, and both are attained.
TEST(SectionQuality, IsNeitherBeatenNorFarFromTheBestOfManySlips) {
  Random random(81);
  for (int i = 0; i < 20 * section_kinds; ++i) {
    const Section c = random_section(random, i);
    if (c.reach() == 0 || c.dimension() == 0) continue;
    const SectionQuality q = section_quality(c);
    const auto ratio = [&](const UpTo6& v) { return c.support(v) / q.axes.cwiseProduct(v).norm(); };
    ASSERT_NEAR(ratio(q.inner_at), q.inner, 1e-13 * q.outer) << i;
    ASSERT_NEAR(ratio(q.outer_at), q.outer, 1e-13 * q.outer) << i;
    for (int k = 0; k < 300; ++k) {
      UpTo6 v = direction_of(random, c.dimension());
      for (Eigen::Index j = 0; j < v.size(); ++j) v[j] = q.axes[j] > 0 ? v[j] / q.axes[j] : 0;
      if (v.isZero(0)) continue;
      ASSERT_GE(ratio(v), q.inner - 1e-13 * q.outer) << i;
      ASSERT_LE(ratio(v), q.outer * (1 + 1e-13)) << i;
    }
  }
}

}  // namespace
}  // namespace stiction::testing
