// SPDX-License-Identifier: Apache-2.0
//
// Contacts that can move without moving mass: the limits against the same mechanism with masses of
// 1e-20 and 1e-30, in fifty digits.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>

#include "stiction/generalized_cone.h"
#include "stiction/impact.h"
#include "support/oracle.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Eigen::Matrix3d;

template <std::size_t N>
using Square = std::array<std::array<Real, N>, N>;

// Gauss and Jordan, the greatest pivot of each column.
template <std::size_t N>
Square<N> inverse(Square<N> m) {
  Square<N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i][i] = 1;
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < N; ++i)
      if (abs(m[i][k]) > abs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    std::swap(result[k], result[pivot]);
    const Real scale = 1 / m[k][k];
    for (std::size_t j = 0; j < N; ++j) {
      m[k][j] *= scale;
      result[k][j] *= scale;
    }
    for (std::size_t i = 0; i < N; ++i) {
      if (i == k) continue;
      const Real factor = m[i][k];
      for (std::size_t j = 0; j < N; ++j) {
        m[i][j] -= factor * m[k][j];
        result[i][j] -= factor * result[k][j];
      }
    }
  }
  return result;
}

// Five coordinates, the last of them massless: M = M₀ + εM₁, with M₁ = AᵀA for a mass at the
// contact.
struct Mechanism {
  Eigen::Matrix<double, 3, 5> A;
  Eigen::Matrix<double, 5, 5> M0, M1;
  int massless;
  bool at_the_contact;

  Square<3> delassus(const Real& epsilon) const {
    Square<5> M;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        Real added = at_the_contact ? Real(0) : Real(M1(i, j));
        for (int k = 0; at_the_contact && k < 3; ++k) added += Real(A(k, i)) * Real(A(k, j));
        M[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            Real(M0(i, j)) + epsilon * added;
      }
    const Square<5> P = inverse(M);
    Square<3> W{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 5; ++k)
          for (int l = 0; l < 5; ++l)
            W[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] +=
                Real(A(i, k)) * P[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)] *
                Real(A(j, l));
    return W;
  }

  DelassusLimit limit() const {
    const int heavy = 5 - massless;
    const Eigen::MatrixXd N = A.rightCols(massless), B = A.leftCols(heavy);
    const Matrix3d P = N * (N.transpose() * N).inverse() * N.transpose();
    const Matrix3d F = B * M0.topLeftCorner(heavy, heavy).inverse() * B.transpose();
    if (massless == 3) return {Matrix3d::Zero(), P};
    const Matrix3d across = Matrix3d::Identity() - P;
    return {across * F * across, P};
  }
};

// The massless directions: anywhere, all tangential, or the normal among them.
enum class Lies { anywhere, level, upright };

Mechanism random_mechanism(Random& random, int massless, Lies lies, bool at_the_contact) {
  Mechanism m;
  m.massless = massless;
  m.at_the_contact = at_the_contact;
  for (double& entry : m.A.reshaped()) entry = random.uniform(-1, 1);
  if (lies == Lies::level) m.A.row(2).tail(massless).setZero();
  if (lies == Lies::upright) m.A.col(4) = Vec3(0, 0, 0.7);
  Eigen::Matrix<double, 5, 5> root;
  for (double& entry : root.reshaped()) entry = random.uniform(-1, 1);
  m.M0 = root * root.transpose() + 0.3 * Eigen::Matrix<double, 5, 5>::Identity();
  m.M0.rightCols(massless).setZero();
  m.M0.bottomRows(massless).setZero();
  for (double& entry : root.reshaped()) entry = random.uniform(-1, 1);
  m.M1 = root * root.transpose() + 0.3 * Eigen::Matrix<double, 5, 5>::Identity();
  return m;
}

// What is well conditioned: massless directions apart from each other and from the axes, unless
// they are meant to lie there.
bool usable(const Mechanism& m, Lies lies) {
  const Eigen::MatrixXd N = m.A.rightCols(m.massless);
  if (Eigen::JacobiSVD<Eigen::MatrixXd>(N).singularValues().minCoeff() < 0.1) return false;
  const double up = m.limit().massless(2, 2);
  return lies != Lies::anywhere || m.massless == 3 || (up > 0.05 && up < 0.95);
}

TEST(Massless, IsTheLimitOfVanishingMasses) {
  Random random(71);
  int tried = 0, jams_differ = 0, crits_differ = 0;
  for (int i = 0; i < 1200; ++i) {
    const int massless = 1 + i % 3;
    const Lies lies = static_cast<Lies>(i / 3 % 3);
    const bool at_the_contact = i / 9 % 2 == 0;
    if (massless == 3 && lies == Lies::level) continue;
    const Mechanism m = random_mechanism(random, massless, lies, at_the_contact);
    if (!usable(m, lies)) continue;
    ++tried;
    const double mu = random.decades(-1, 1);
    const GeneralizedCone cone = generalized_cone(m.limit(), disc(mu));
    ASSERT_EQ(massless_directions(cone.massless).size(), static_cast<std::size_t>(massless));
    EXPECT_EQ(cone.crit_depends, lies == Lies::upright || massless == 3);
    EXPECT_EQ(cone.jam_depends, massless > 1 || lies == Lies::level);
    EXPECT_FALSE(cone.regular);
    EXPECT_TRUE(cone.has_mass);
    for (const char* size : {"1e-20", "1e-30"}) {
      const Square<3> W = m.delassus(Real(size));
      const Real D = W[0][0] * W[1][1] - W[0][1] * W[1][0];
      const Real f1 = (W[1][1] * W[0][2] - W[0][1] * W[1][2]) / D,
                 f2 = (W[0][0] * W[1][2] - W[0][1] * W[0][2]) / D;
      const Vec2 holding(static_cast<double>(f1), static_cast<double>(f2));
      const double jam =
          static_cast<double>(Real(W[2][2] / sqrt(W[0][2] * W[0][2] + W[1][2] * W[1][2])));
      const double crit_error = (holding - cone.holding).norm() / (1 + holding.norm());
      const double jam_error =
          cone.mu_jam == infinity ? 1e6 / jam : std::abs(jam / cone.mu_jam - 1);
      if (at_the_contact || !cone.crit_depends) {
        EXPECT_LE(crit_error, 1e-10) << i;
        EXPECT_NEAR(cone.mu_crit, holding.norm(), 1e-10 * (1 + holding.norm())) << i;
      } else if (crit_error > 0.01) {
        ++crits_differ;
      }
      if (at_the_contact || !cone.jam_depends) {
        EXPECT_LE(jam_error, 1e-10) << i;
      } else if (jam_error > 0.01) {
        ++jams_differ;
      }
      const Square<3> mass = inverse(W);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(
              static_cast<double>(mass[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]),
              cone.effective_mass(r, c), 1e-10 * (1 + cone.effective_mass.norm()));
      if (!at_the_contact && cone.jam_depends) continue;
      for (int k = 0; k < 8; ++k) {
        const Vec2 slip = random.direction();
        const Real along = W[0][2] * Real(slip.x()) + W[1][2] * Real(slip.y());
        const Real p = W[2][2] - Real(mu) * along;
        if (abs(p) < 1e-9 * (abs(W[2][2]) + abs(Real(mu) * along))) continue;
        const bool pushes_away = p > 0;
        EXPECT_EQ(regime(cone, slip, 1), pushes_away ? Regime::separate : Regime::indeterminate);
        EXPECT_EQ(regime(cone, slip, -1), pushes_away ? Regime::slide : Regime::inconsistent);
        const bool within = cone.jam && std::acos(std::clamp(slip.dot(cone.jam->direction), -1.0,
                                                             1.0)) < cone.jam->half_width;
        EXPECT_EQ(within, !pushes_away);
      }
    }
  }
  EXPECT_GE(tried, 600);
  EXPECT_GE(crits_differ, 20) << "where the mass vanishes matters, as is said";
  EXPECT_GE(jams_differ, 20);
}

// A light strut that carries force along itself alone, at the angle β to the ground: it moves
// freely across, (−sin β, 0, cos β).  It holds, or jams, once it leans less than friction: cot β.
TEST(Massless, AStrutHoldsWhereItIsInTheFrictionCone) {
  for (const double beta : {0.3, 0.8, 1.2, 2.0}) {
    const Vec3 across(-std::sin(beta), 0, std::cos(beta)), along(std::cos(beta), 0, std::sin(beta));
    const double cot = std::abs(std::cos(beta) / std::sin(beta));
    const DelassusLimit W{0.5 * along * along.transpose(), across * across.transpose()};
    const GeneralizedCone slips = generalized_cone(W, disc(0.99 * cot)),
                          holds = generalized_cone(W, disc(1.01 * cot));
    EXPECT_NEAR(holds.mu_crit, cot, 1e-14);
    EXPECT_NEAR(holds.mu_jam, cot, 1e-14);
    EXPECT_FALSE(slips.stick_inside || slips.jam || slips.has_mass);
    EXPECT_TRUE(holds.stick_inside && holds.jam);
    const Vec2 under(beta < 1.6 ? -1 : 1, 0);  // pushes the strut upright
    EXPECT_EQ(normal_compliance(holds, under).least, -infinity);
    EXPECT_EQ(normal_compliance(slips, under).least, infinity);
    EXPECT_EQ(regime(holds, under, -1), Regime::inconsistent);
    // t2 is blocked, so that a box which holds it does so by its extent along t1.
    EXPECT_NEAR(generalized_cone(W, box(1)).holding_gauge, cot, 1e-14);
  }
}

TEST(Massless, RoundingDoesNotMakeALevelDirectionSteep) {
  Random random(72);
  for (int i = 0; i < 200; ++i) {
    Vec3 d(std::cos(0.1 * i), std::sin(0.1 * i), 0);
    d[2] = 1e-15 * random.uniform(-1, 1);
    const Vec3 s(-d.y(), d.x(), 0), a = s + 0.7 * Vec3::UnitZ();
    const DelassusLimit W{a * a.transpose() + 0.3 * Matrix3d::Identity(), d * d.transpose()};
    const GeneralizedCone cone = generalized_cone(W, disc(1));
    EXPECT_NEAR(cone.mu_crit, 0.7 / 1.3, 1e-13);
    EXPECT_NEAR(cone.mu_jam, 0.79 / 0.7, 1e-13);
    EXPECT_NEAR(std::abs(massless_directions(cone.massless).at(0).dot(d)), 1, 1e-14);
  }
}

TEST(Massless, RefusesWhatIsNoProjectorAndWhatHasNoLimit) {
  const Matrix3d I = Matrix3d::Identity();
  EXPECT_THROW(generalized_cone(DelassusLimit{I, 2 * I}, disc(1)), InvalidInput);
  Matrix3d skew = Matrix3d::Zero();
  skew(0, 2) = skew(0, 0) = 1;
  EXPECT_THROW(generalized_cone(DelassusLimit{I, skew}, disc(1)), InvalidInput);
  EXPECT_THROW(generalized_cone(DelassusLimit{-I, Vec3(1, 0, 0).asDiagonal()}, disc(1)),
               InvalidInput);
  const GeneralizedCone none = generalized_cone(DelassusLimit{I, Matrix3d::Zero()}, disc(1));
  EXPECT_TRUE(none.regular && massless_directions(none.massless).empty());
  const GeneralizedCone cone =
      generalized_cone(DelassusLimit{I, Vec3(1, 0, 0).asDiagonal()}, box(1));
  EXPECT_THROW(contains(cone, Vec3(0, 0, 1)), InvalidInput);
  EXPECT_THROW(nearest(cone, Vec3(0, 0, 1)), InvalidInput);
  EXPECT_THROW(rays(cone), InvalidInput);
  EXPECT_THROW(rows(cone), InvalidInput);
  EXPECT_THROW(section_support(cone, Vec3(0, 0, 1)), InvalidInput);
  EXPECT_THROW(impact(cone, Vec3(1, 0, -1), {}), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
