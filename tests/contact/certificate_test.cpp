// SPDX-License-Identifier: Apache-2.0
#include "stiction/certificate.h"

#include <gtest/gtest.h>

#include "stiction/friction_cone.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

// A block of mass 1 on a plane, normal velocity −1 before the impact, tangential velocity v, μ = ½:
// W = I, q = (−1, v, 0).
ContactProblem block(double v, double mu = 0.5) {
  ContactProblem problem;
  problem.W = block_matrix(Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)), 3);
  problem.q = Vec3(-1, v, 0);
  problem.laws.resize(1);
  problem.laws[0].mu = mu;
  return problem;
}

// Just sticking: |v| = μ, r = (1, −v, 0), u = 0.
TEST(Certificate, IsZeroForTheBlockThatJustSticks) {
  const Certificate c = certify(block(0.5), Vec3(1, -0.5, 0));
  EXPECT_LE(c.natural_map, 1e-15);
  EXPECT_LE(c.scaled, 1e-15);
  EXPECT_LE(c.slip_alignment, 1e-16);
  EXPECT_EQ(c.dissipation, 0);
}

// Sliding: v = 2, r = (1, −½, 0), u = (0, 1½, 0), power ½ · 1½.
TEST(Certificate, BooksThePowerOfTheBlockThatSlides) {
  const Certificate c = certify(block(2), Vec3(1, -0.5, 0));
  EXPECT_LE(c.relative, 1e-15);
  EXPECT_DOUBLE_EQ(c.dissipation, 0.75);
  EXPECT_DOUBLE_EQ(dissipated_power(block(2), Vec3(1, -0.5, 0))[0], 0.75);
}

TEST(Certificate, SeesEachKindOfError) {
  EXPECT_DOUBLE_EQ(certify(block(2), Vec3(0.5, -0.25, 0)).penetration, 0.5);
  EXPECT_DOUBLE_EQ(certify(block(2), Vec3(2, -1, 0)).complementarity, 2);
  EXPECT_DOUBLE_EQ(certify(block(2), Vec3(1, 0, 0)).slip_alignment, 1);  // r_n μ ‖u_t‖, u_t = 2
  EXPECT_NEAR(certify(block(2), Vec3(1, -1.0, 0)).cone_violation, 0.5 / std::sqrt(1.25), 1e-15);
  // Only the convex model lets the block lift: u = (½·1½, …) with r smaller.
  EXPECT_GT(certify(block(2), Vec3(1, -0.5, 0), Model::convex).relative, 0.1);
}

// For the convex model: minimise ½‖r‖² + q·r over K is the projection of −q on K.
TEST(Certificate, ConvexSolutionIsTheProjection) {
  const ContactProblem p = block(2);
  const Vec3 r = FrictionCone(disc(0.5)).project(-p.q);
  EXPECT_LE(certify(p, r, Model::convex).relative, 1e-15);
  EXPECT_GT(certify(p, r, Model::coulomb).relative, 0.1);
}

// Units of mass, length and time change W, q and r, but not `scaled`.
TEST(Certificate, ScaledErrorDoesNotDependOnUnits) {
  Random random(91);
  Planted planted = plant(random, 20, 3, 8, discs(random, 20));
  Eigen::VectorXd r = planted.reactions;
  for (double& x : r) x += 1e-3 * random.uniform(-1, 1);
  const double scaled = certify(planted.problem, r).scaled;
  EXPECT_GT(scaled, 1e-5);
  for (const auto& [w, q] : {std::pair(1e6, 1e-9), std::pair(1e-12, 1e3)}) {
    ContactProblem other = planted.problem;
    for (double& x : other.W.value) x *= w;
    other.q *= q;
    EXPECT_NEAR(certify(other, Eigen::VectorXd(r * (q / w))).scaled, scaled, 1e-12);
  }
}

TEST(Certificate, ZeroContactsAndZeroQ) {
  const Certificate empty = certify(ContactProblem{}, Eigen::VectorXd());
  EXPECT_EQ(empty.relative, 0);
  EXPECT_EQ(empty.scaled, 0);
  ContactProblem still = block(0);
  still.q.setZero();
  EXPECT_EQ(certify(still, Vec3(0, 0, 0)).scaled, 0);
  EXPECT_GT(certify(still, Vec3(1, 0, 0)).relative, 0.1);
}

TEST(Certificate, RefusesWrongSizes) {
  EXPECT_THROW(certify(block(1), Eigen::VectorXd::Zero(4)), InvalidInput);
  EXPECT_THROW(certify(block(1), Vec3(infinity, 0, 0)), InvalidInput);
  ContactProblem rolling;
  rolling.dimension = 5;
  EXPECT_THROW(certify(rolling, Eigen::VectorXd::Zero(5)), InvalidInput);
}

// A planted solution of any law has no error, in 2-D and in 3-D.
TEST(CertificateProperty, PlantedSolutionsPass) {
  Random random(92);
  for (int i = 0; i < 200; ++i) {
    const int d = i % 2 == 0 ? 3 : 2, contacts = random.integer(1, 12);
    const Planted p =
        plant(random, contacts, d, random.integer(1, 6), mixed_laws(random, contacts));
    const Certificate c = certify(p.problem, p.reactions);
    ASSERT_LE(c.scaled, 1e-14) << i;
    ASSERT_LE(c.cone_violation, 1e-14) << i;
    ASSERT_GE(dissipated_power(p.problem, p.reactions).minCoeff(), -1e-14) << i;
  }
}

// In units that are powers of two the numbers have the same digits, and `scaled` is the same, at
// any size; `relative` where W keeps its own.
TEST(CertificateProperty, AnySizeIsJudgedAlike) {
  Random random(93);
  for (int i = 0; i < 100; ++i) {
    const int d = i % 2 == 0 ? 3 : 2, contacts = random.integer(1, 6);
    Planted p = plant(random, contacts, d, random.integer(1, 6), mixed_laws(random, contacts));
    for (double& x : p.reactions) x += random.uniform(-1, 1);
    const Certificate usual = certify(p.problem, p.reactions);
    for (int W = -900; W <= 900; W += 100)
      for (int q = -900; q <= 900; q += 100) {
        if (std::abs(q - W) > 900 || 2 * q - W > 950) continue;
        ContactProblem other = p.problem;
        other.q *= std::ldexp(1, q);
        for (double& x : other.W.value) x *= std::ldexp(1, W);
        const Certificate c = certify(other, p.reactions * std::ldexp(1, q - W));
        ASSERT_NEAR(c.scaled, usual.scaled, 1e-13 * usual.scaled) << W << ' ' << q;
        ASSERT_NEAR(std::ldexp(c.cone_violation, W - q), usual.cone_violation,
                    1e-13 * usual.cone_violation);
        ASSERT_EQ(std::ldexp(c.penetration, -q), usual.penetration);
        ASSERT_FALSE(c.within(1e-8));
        if (W == 0) {
          ASSERT_NEAR(c.relative, usual.relative, 1e-13 * usual.relative) << q;
        }
        if (2 * q - W > -900) {
          ASSERT_NEAR(std::ldexp(c.dissipation, W - 2 * q), usual.dissipation,
                      1e-12 * (1 + std::abs(usual.dissipation)));
        }
      }
  }
}

TEST(Certificate, RefusesWhatDoublesCannotHold) {
  ContactProblem p = block(1);
  EXPECT_THROW(certify(p, Vec3(1e200, 1e200, 0)), InvalidInput);  // a power of 1e400
  p.q *= 1e-200;
  EXPECT_NEAR(certify(p, Vec3(1e-200, 0, 0)).relative, std::sqrt(0.1), 1e-15);
  EXPECT_LE(certify(p, Vec3(1e-200, -0.5e-200, 0)).relative, 1e-15);
}

}  // namespace
}  // namespace stiction::testing
