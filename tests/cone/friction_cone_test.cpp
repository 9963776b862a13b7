// SPDX-License-Identifier: Apache-2.0
//
// The friction cone, case by case and on random input: membership, projection, Moreau's
// decomposition, rows and rays, the batch.
#include "stiction/friction_cone.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

std::vector<std::pair<Law, FrictionCone>> sample_cones(Random& random) {
  std::vector<std::pair<Law, FrictionCone>> cones;
  for (int i = 0; i < 40 * law_kinds; ++i) {
    const Law law = random.law(i);
    cones.emplace_back(law, FrictionCone(limit_curve(law)));
  }
  return cones;
}

Vec3 vector(Random& random) { return random.decades(-2, 2) * random.direction3(); }

// μ = 1: the generator through (1, 0) in the (n, t) plane is at 45°.
TEST(FrictionCone, ExactConeProjectsOntoItsGenerator) {
  const FrictionCone k(disc(1));
  EXPECT_LE((k.project({0, 2, 0}) - Vec3(1, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(k.project({2, 1, 1}), Vec3(2, 1, 1));
  EXPECT_EQ(k.project({-2, 1, 1}), Vec3(0, 0, 0));
  EXPECT_EQ(k.project({0, 0, 0}), Vec3(0, 0, 0));
  EXPECT_TRUE(k.contains({1, 0.6, 0.8}));
  EXPECT_FALSE(k.contains({1, 0.61, 0.8}));
  EXPECT_TRUE(k.contains({0, 0, 0}));
  EXPECT_TRUE(k.contains_dual({1, 0.6, 0.8}));
  EXPECT_FALSE(k.contains_dual({1, 0.61, 0.8}));
  EXPECT_NEAR(k.distance({0, 2, 0}), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(k.shift({1, 3, 4}), Vec3(6, 3, 4));
}

// Friction opposes slip: a ratchet free towards +x pushes the body towards +x only.
TEST(FrictionCone, ReactionIsMinusTheForceOnTheGround) {
  const FrictionCone k(ratchet(0.5, 0.0));
  EXPECT_TRUE(k.contains({1, 0.4, 0}));
  EXPECT_FALSE(k.contains({1, -0.4, 0}));
  EXPECT_TRUE(k.contains_dual({0, 1, 0}));    // slides freely towards +x
  EXPECT_FALSE(k.contains_dual({0, -1, 0}));  // locked the other way
}

// μ = 0: the cone is the ray along the normal, its dual the half space u_n ≥ 0.
TEST(FrictionCone, WithoutFrictionItIsTheNormal) {
  for (const LimitCurve& curve : {disc(0), free_curve(), box(0), ngon(0, 5)}) {
    const FrictionCone k(curve);
    EXPECT_EQ(k.project({2, 3, 4}), Vec3(2, 0, 0));
    EXPECT_EQ(k.project({-2, 3, 4}), Vec3(0, 0, 0));
    EXPECT_EQ(k.project_dual({-2, 3, 4}), Vec3(0, 3, 4));
    EXPECT_FALSE(k.contains({1, 1e-300, 0}));
    const std::vector<Vec3> rows = k.rows();
    for (const Vec3& row : rows) EXPECT_LE(row.dot(Vec3(1, 0, 0)), 0);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [](const Vec3& row) { return row.dot(Vec3(-1, 0, 0)) > 0; }));
  }
}

// The ideal wheel's cone is a plane sector: any point is projected into that plane.
TEST(FrictionCone, WheelConeIsAPlaneSector) {
  const FrictionCone k(wheel(1, 0.0));
  EXPECT_LE((k.project({2, 5, 1}) - Vec3(2, 0, 1)).norm(), 1e-15);
  EXPECT_LE((k.project({0, 5, 2}) - Vec3(1, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(k.rays().size(), 2U);
}

TEST(FrictionConeProperty, MoreauDecomposition) {
  Random random(51);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, k] = cones[static_cast<std::size_t>(i) % cones.size()];
    const Vec3 x = vector(random);
    const Vec3 p = k.project(x), d = k.project_dual(Vec3(-x));
    const double unit = 1e-14 * x.norm();
    ASSERT_LE((x - (p - d)).norm(), unit) << to_text(law);
    ASSERT_LE(std::abs(p.dot(d)), unit * x.norm()) << to_text(law);
    ASSERT_LE(k.distance(p), unit) << to_text(law);
    ASSERT_LE(k.distance_dual(d), unit) << to_text(law);
    ASSERT_NEAR(k.distance(x), d.norm(), unit) << to_text(law);
    ASSERT_NEAR(k.distance_dual(Vec3(-x)), p.norm(), unit) << to_text(law);
  }
}

TEST(FrictionConeProperty, ProjectionIsIdempotentAndDoesNotExpand) {
  Random random(52);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, k] = cones[static_cast<std::size_t>(i) % cones.size()];
    const Vec3 x = vector(random);
    const Vec3 y = i % 2 == 0 ? vector(random) : Vec3(x + 1e-7 * vector(random));
    const Vec3 p = k.project(x), q = k.project(y);
    ASSERT_LE((k.project(p) - p).norm(), 4e-15 * x.norm()) << to_text(law);
    ASSERT_LE((p - q).norm(), (x - y).norm() + 1e-14 * (x.norm() + y.norm())) << to_text(law);
  }
}

// r ∈ K and u ∈ K* make r·u ≥ 0, and a slip u with the face's reaction makes û ⟂ r: Coulomb's law.
TEST(FrictionConeProperty, DualityAndTheShift) {
  Random random(53);
  const auto cones = sample_cones(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, k] = cones[static_cast<std::size_t>(i) % cones.size()];
    const Vec3 x = vector(random), y = vector(random);
    ASSERT_GE(k.project(x).dot(k.project_dual(y)), -1e-14 * x.norm() * y.norm()) << to_text(law);
    ASSERT_TRUE(k.contains(k.project(x))) << to_text(law);
    ASSERT_TRUE(k.contains_dual(k.project_dual(y))) << to_text(law);
    const Vec2 slip = random.decades(-2, 2) * random.direction();
    const Vec2 f = k.curve().face(slip).first;
    const Vec3 reaction(1, -f.x(), -f.y()), shifted = k.shift({0, slip.x(), slip.y()});
    ASSERT_TRUE(k.contains_dual(shifted)) << to_text(law);
    ASSERT_LE(std::abs(reaction.dot(shifted)), 1e-14 * reaction.norm() * shifted.norm())
        << to_text(law);
  }
}

// Rows and rays describe the same cone as `contains`.
TEST(FrictionConeProperty, RowsAndRays) {
  Random random(54);
  const auto cones = sample_cones(random);
  int compared = 0;
  for (int i = 0; compared < cases; ++i) {
    const auto& [law, k] = cones[static_cast<std::size_t>(i) % cones.size()];
    if (!k.curve().is_polygonal()) {
      EXPECT_THROW(k.rows(), InvalidInput);
      EXPECT_THROW(k.rays(), InvalidInput);
      continue;
    }
    Vec3 x = vector(random);
    Vec3 inside = Vec3::Zero();
    for (const Vec3& ray : k.rays()) inside += random.uniform(0, 1) * ray;
    if (i % 2 == 0) x = inside;
    double worst = -infinity;
    for (const Vec3& row : k.rows()) worst = std::max(worst, row.dot(x) / row.norm());
    if (i % 2 == 0) {
      ASSERT_LE(worst, 1e-14 * x.norm()) << to_text(law);
      ASSERT_LE(k.distance(x), 1e-14 * x.norm()) << to_text(law);
    } else if (std::abs(worst) > 1e-12 * x.norm()) {
      ASSERT_EQ(worst <= 0, k.contains(x)) << to_text(law);
      ASSERT_GE(k.distance(x), worst - 1e-14 * x.norm()) << to_text(law);
    }
    ++compared;
  }
}

TEST(FrictionConeBatch, GivesTheSameBitsAsSingleCalls) {
  Random random(55);
  Rows3 points(1000, 3), projected(1000, 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) points.row(i) = vector(random).transpose();
  points.row(300).setZero();
  points.row(500) *= 1e-300;  // its block takes the scaled path
  points.row(501) *= 1e300;
  points.row(700) << 1e-3, 1e-200, 0;
  for (int kind = 0; kind < law_kinds; ++kind) {
    const Law law = random.law(kind);
    const FrictionCone k(limit_curve(law));
    k.project(points, projected);
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      ASSERT_EQ(Vec3(projected.row(i).transpose()), k.project(Vec3(points.row(i).transpose())))
          << to_text(law) << " row " << i;
    Rows3 in_place = points;
    k.project(in_place, in_place);
    ASSERT_EQ(in_place, projected);
  }
  Rows3 wrong(3, 3);
  EXPECT_THROW(FrictionCone(disc(1)).project(points, wrong), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
