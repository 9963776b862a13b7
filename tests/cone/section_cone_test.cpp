// SPDX-License-Identifier: Apache-2.0
//
// The cone over a section and the fixed set: properties on random input, and cases by hand.
#include "stiction/section_cone.h"

#include <gtest/gtest.h>

#include "support/sections.h"

namespace stiction::testing {
namespace {

constexpr int cone_cases = cases / STICTION_SLOWED;

// Of the kinds with polytopes, which take longest, every fifth.
std::vector<SectionCone> sample_cones(Random& random) {
  std::vector<SectionCone> cones;
  for (int i = 0; i < 40 * section_kinds; ++i)
    if (i % section_kinds < 8 || i / section_kinds % 5 == 0)
      cones.emplace_back(random_section(random, i));
  return cones;
}

UpTo6 vector(Random& random, int d) {
  UpTo6 x(d);
  for (double& component : x) component = random.normal();
  return x * random.decades(-2, 2);
}

UpTo6 numbers(std::initializer_list<double> list) {
  UpTo6 v(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), v.begin());
  return v;
}

TEST(SectionConeProperty, MoreauDecomposition) {
  Random random(81);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cone_cases; ++i) {
    const SectionCone& k = cones[static_cast<std::size_t>(i) % cones.size()];
    const UpTo6 x = vector(random, k.dimension());
    const UpTo6 p = k.project(x), d = k.project_dual(-x);
    const double unit = 2e-14 * x.norm();
    ASSERT_LE((x - (p - d)).norm(), unit) << i;
    ASSERT_LE(std::abs(p.dot(d)), unit * x.norm()) << i;
    ASSERT_LE(k.distance(p), unit) << i;
    ASSERT_LE(k.distance_dual(d), unit) << i;
    ASSERT_NEAR(k.distance(x), d.norm(), unit) << i;
  }
}

TEST(SectionConeProperty, ProjectionDoesNotExpand) {
  Random random(82);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cone_cases; ++i) {
    const SectionCone& k = cones[static_cast<std::size_t>(i) % cones.size()];
    const UpTo6 x = vector(random, k.dimension());
    const UpTo6 y = i % 2 == 0 ? vector(random, k.dimension())
                               : UpTo6(x + 1e-7 * vector(random, k.dimension()));
    ASSERT_LE((k.project(x) - k.project(y)).norm(), (x - y).norm() + 2e-14 * (x.norm() + y.norm()))
        << i;
  }
}

// r ∈ K and u ∈ K* make r·u ≥ 0, and a slip with a force that answers it makes û ⟂ r: the law.
TEST(SectionConeProperty, DualityAndTheShift) {
  Random random(83);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cone_cases; ++i) {
    const SectionCone& k = cones[static_cast<std::size_t>(i) % cones.size()];
    const int d = k.dimension();
    const UpTo6 x = vector(random, d), y = vector(random, d);
    ASSERT_GE(k.project(x).dot(k.project_dual(y)), -2e-14 * x.norm() * y.norm()) << i;
    UpTo6 u = vector(random, d);
    u[0] = 0;
    const UpTo6 f = k.section().point(u.tail(d - 1));
    UpTo6 r(d);
    r << 1, -f;
    const UpTo6 shifted = k.shift(u);
    ASSERT_TRUE(k.contains_dual(shifted)) << i;
    ASSERT_NEAR(shifted.dot(r), 0, 1e-14 * u.norm() * r.norm()) << i;
  }
}

TEST(SectionConeProperty, DerivativeOfTheProjection) {
  Random random(84);
  const auto cones = sample_cones(random);
  int compared = 0;
  for (int i = 0; i < cone_cases / 10; ++i) {
    const SectionCone& k = cones[static_cast<std::size_t>(i) % cones.size()];
    const UpTo6 x = vector(random, k.dimension()), d = vector(random, k.dimension()).normalized();
    const double step = 1e-6 * x.norm();
    const auto slope = [&](double by) -> UpTo6 {
      return (k.project(x + by * step * d) - k.project(x - by * step * d)) / (2 * by * step);
    };
    const ConeProjection at = k.project_with_derivative(x);
    ASSERT_LE((at.point - k.project(x)).norm(), 4e-15 * x.norm()) << i;
    ASSERT_LE((at.derivative - at.derivative.transpose()).norm(), 1e-12) << i;
    if ((slope(1) - slope(2)).norm() > 1e-7) continue;  // a kink is near
    ASSERT_LE((at.derivative * d - slope(1)).norm(), 1e-6) << i;
    ++compared;
  }
  EXPECT_GT(compared, cone_cases / 15);
}

// A·r ≤ 0 exactly for the sums of rays.
TEST(SectionConeProperty, RowsAndRaysTellTheSameCone) {
  Random random(85);
  int compared = 0;
  for (int i = 0; compared < 300; ++i) {
    const SectionCone k(random_section(random, i));
    if (!k.section().is_polyhedral()) continue;
    const auto rows = k.rows(), rays = k.rays();
    for (const UpTo6& a : rows)
      for (const UpTo6& ray : rays) ASSERT_LE(a.dot(ray), 1e-13 * a.norm() * ray.norm()) << i;
    for (int n = 0; n < 30; ++n) {
      const UpTo6 x = vector(random, k.dimension());
      double most = -infinity;
      for (const UpTo6& a : rows) most = std::max(most, a.dot(x) / (a.norm() * x.norm()));
      if (std::abs(most) > 1e-12) {
        ASSERT_EQ(k.contains(x), most < 0) << i;
      }
      ASSERT_LE(k.distance(x) < 1e-12 * x.norm() ? most : 0.0, 1e-11) << i;
    }
    ++compared;
  }
}

// The cone over a limit curve is the one that the curve has always had.
TEST(SectionCone, OfACurveIsTheFrictionCone) {
  Random random(86);
  for (int i = 0; i < 13000; ++i) {
    const Law law = random.law(i);
    const SectionCone k(curve_section(law));
    const FrictionCone old(limit_curve(law));
    const UpTo6 x = vector(random, 3);
    ASSERT_EQ(k.project(x), UpTo6(old.project(Vec3(x))));
    ASSERT_EQ(k.contains(x), old.contains(Vec3(x)));
  }
}

// ‖r_t‖ ≤ r_n, |m| ≤ 2 r_n: (0, 3, 0, −4) is outside of both balls, so that r_n = (3 + 8)/(1 + 1 +
// 4) and the parts have the lengths 11/6 and 22/6.  Far inside the one the other alone counts.
TEST(SectionCone, RollingByHand) {
  const SectionCone k(product_section({ellipsoid_section({1, 1}), interval_section(2)}));
  EXPECT_LE((k.project(numbers({0, 3, 0, -4})) - numbers({11, 11, 0, -22}) / 6).norm(), 1e-15);
  EXPECT_LE((k.project(numbers({0, 0.1, 0, 5})) - numbers({2, 0.1, 0, 4})).norm(), 1e-15);
  EXPECT_EQ(k.project(numbers({-9, 3, 0, 3})), UpTo6::Zero(4));
  EXPECT_EQ(k.project(numbers({2, 1, 1, -4})), numbers({2, 1, 1, -4}));
}

// Without friction the normal alone, at any number of rows.
TEST(SectionCone, WithoutFriction) {
  const SectionCone k{Section()};
  EXPECT_EQ(k.dimension(), 1);
  EXPECT_EQ(k.project(numbers({-2}))[0], 0);
  EXPECT_EQ(k.project(numbers({2}))[0], 2);
  EXPECT_EQ(k.project_dual(numbers({-2}))[0], 0);
  EXPECT_EQ(k.rows().size(), 1U);
  EXPECT_EQ(k.rays().size(), 1U);
  const SectionCone flat(ellipsoid_section({0, 0, 0}));
  EXPECT_EQ(flat.project(numbers({2, 3, 4, 5})), numbers({2, 0, 0, 0}));
  EXPECT_EQ(flat.project_with_derivative(numbers({2, 3, 4, 5})).derivative(0, 0), 1);
  EXPECT_TRUE(flat.project_with_derivative(numbers({2, 3, 4, 5})).derivative.allFinite());
}

// A joint of 2 N m: r ∈ [−2, 2] against the motion.
TEST(FixedSet, IsMinusTheSection) {
  const FixedSet joint(interval_section(2));
  EXPECT_EQ(joint.project(numbers({5}))[0], 2);
  EXPECT_EQ(joint.project(numbers({-1}))[0], -1);
  EXPECT_TRUE(joint.is_normal(numbers({-2}), numbers({3})));
  EXPECT_FALSE(joint.is_normal(numbers({2}), numbers({3})));
  EXPECT_TRUE(joint.is_normal(numbers({1}), numbers({0})));
  const FixedSet ratchet_set(curve_section(ratchet(0.5, 0.0)));
  EXPECT_EQ(ratchet_set.project(numbers({0.3, 0})), numbers({0.3, 0}));
  EXPECT_EQ(ratchet_set.project(numbers({-0.3, 0})), numbers({0, 0}));
}

}  // namespace
}  // namespace stiction::testing
