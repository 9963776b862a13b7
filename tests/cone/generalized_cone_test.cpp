// SPDX-License-Identifier: Apache-2.0
//
// The generalized cone against closed forms, against its definitions in fifty digits, and under
// turns of the frame and changes of units.
#include "stiction/generalized_cone.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <numbers>

#include "stiction/free_bodies.h"
#include "support/oracle.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Eigen::Matrix3d;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double degree = std::numbers::pi / 180;

Matrix3d turned(const Matrix3d& W, double angle) {
  const Matrix3d R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
  const Matrix3d T = R * W * R.transpose();
  return Matrix3d(0.5 * (T + T.transpose()));
}

// Eigenvalues from 1 down to 1/condition, random axes, any size.
Matrix3d random_delassus(Random& random, double condition) {
  const double middle = std::pow(condition, -random.uniform(0, 1));
  const Matrix3d R =
      Eigen::Quaterniond(Eigen::AngleAxisd(random.uniform(0, 6.3), random.direction3()))
          .toRotationMatrix();
  const Matrix3d W = R * Vec3(1, middle, 1 / condition).asDiagonal() * R.transpose();
  return random.decades(-3, 3) * 0.5 * (W + W.transpose());
}

// m_crit = 3t/(1 + 4t²), μ_jam = (t² + 4)/(3t), t = tan θ, from W of the rod and of the free body.
TEST(Rod, HasItsClosedForms) {
  for (int k = 1; k < 1800; ++k) {
    const double degrees = 0.05 * k;
    const Real exact = tan(Real(degrees) * boost::math::constants::pi<Real>() / 180);
    const auto t = static_cast<double>(exact);
    for (const double mass : {1.0, 0.3}) {
      const Matrix3d W = rod_delassus(degrees, mass);
      const GeneralizedCone cone = generalized_cone(W, 1);
      EXPECT_NEAR(cone.mu_crit, 3 * t / (1 + 4 * t * t), 1e-14);
      EXPECT_NEAR(cone.mu_jam * 3 * t / (t * t + 4), 1, 1e-14);
      EXPECT_NEAR(W(1, 1) * mass, 4, 1e-14);
      EXPECT_LE((delassus(rod(degrees * degree, mass, 0.7)) - W).norm(), 1e-14 * W.norm());
    }
  }
  EXPECT_EQ(generalized_cone(rod_delassus(45), 1).mu_crit, 0.6);
  EXPECT_EQ(generalized_cone(rod_delassus(45), 1).mu_jam, 5.0 / 3);
  EXPECT_EQ(generalized_cone(rod_delassus(90), 1).mu_jam, infinity);
  EXPECT_EQ(generalized_cone(rod_delassus(0), 1).mu_crit, 0);
}

// μ_jam = 4/3 at tan θ = 2 is its least; for μ above, (t² + 4) = 3μt bounds the angles that jam.
TEST(Rod, ParadoxIntervals) {
  const double least = std::atan(2) / degree;
  EXPECT_NEAR(mu_jam(rod_delassus(least)), 4.0 / 3, 1e-14);
  EXPECT_GT(mu_jam(rod_delassus(least + 0.01)), 4.0 / 3);
  EXPECT_GT(mu_jam(rod_delassus(least - 0.01)), 4.0 / 3);
  for (const auto& [mu, from, to] :
       {std::tuple(1.4, 55.5858, 69.9519), std::tuple(2.0, 37.3774, 79.1877)}) {
    const double root = std::sqrt(9 * mu * mu - 16);
    const double low = std::atan((3 * mu - root) / 2) / degree,
                 high = std::atan((3 * mu + root) / 2) / degree;
    EXPECT_NEAR(low, from, 5e-5);
    EXPECT_NEAR(high, to, 5e-5);
    EXPECT_NEAR(mu_jam(rod_delassus(low)), mu, 1e-14);
    EXPECT_NEAR(mu_jam(rod_delassus(high)), mu, 1e-14);
    EXPECT_FALSE(generalized_cone(rod_delassus(low - 1e-6), mu).jam);
    EXPECT_TRUE(generalized_cone(rod_delassus(low + 1e-6), mu).jam);
    EXPECT_TRUE(generalized_cone(rod_delassus(high - 1e-6), mu).jam);
    EXPECT_FALSE(generalized_cone(rod_delassus(high + 1e-6), mu).jam);
  }
}

TEST(Rod, AtItsCriticalCoefficients) {
  const Matrix3d W = rod_delassus(45);
  EXPECT_TRUE(generalized_cone(W, 0.6).stick_inside);
  EXPECT_FALSE(generalized_cone(W, 0.6 * (1 - 1e-12)).stick_inside);
  EXPECT_TRUE(generalized_cone(W, 5.0 / 3).plane_cut);
  EXPECT_FALSE(generalized_cone(W, 5.0 / 3).jam);
  EXPECT_FALSE(generalized_cone(W, 5.0 / 3 * (1 - 1e-12)).plane_cut);
  const GeneralizedCone jams = generalized_cone(W, 10.0 / 3);
  ASSERT_TRUE(jams.jam);
  EXPECT_NEAR(jams.jam->half_width, 60 * degree, 1e-15);
  EXPECT_EQ(jams.jam->direction, Vec2(1, 0));
}

using Exact = Real[3][3];

struct Definition {
  Exact mass, quadric;
  Real largest_mass = 0, largest_quadric = 0, mu_crit, mu_jam, holding1, holding2;
};

// Everything by its definition: cofactors over the determinant, M_c Q_μ M_c, the friction that
// keeps δu_t = W_tt λ_t + h λ_n at zero, and the one slip whose friction is along h.
Definition define(const Matrix3d& W, double mu) {
  const auto w = [&](int i, int j) { return Real(W(i % 3, j % 3)); };
  Definition d;
  Real det = 0;
  Exact cofactor;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      cofactor[i][j] = w(i + 1, j + 1) * w(i + 2, j + 2) - w(i + 1, j + 2) * w(i + 2, j + 1);
  for (int j = 0; j < 3; ++j) det += w(0, j) * cofactor[0][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      d.mass[i][j] = cofactor[j][i] / det;
      d.largest_mass = std::max<Real>(d.largest_mass, abs(d.mass[i][j]));
    }
  const Real m = mu;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      d.quadric[i][j] = d.mass[i][0] * d.mass[0][j] + d.mass[i][1] * d.mass[1][j] -
                        m * m * d.mass[i][2] * d.mass[2][j];
      d.largest_quadric = std::max<Real>(d.largest_quadric, abs(d.quadric[i][j]));
    }
  const Real minor = w(0, 0) * w(1, 1) - w(0, 1) * w(0, 1);
  d.holding1 = (w(1, 1) * w(0, 2) - w(0, 1) * w(1, 2)) / minor;
  d.holding2 = (w(0, 0) * w(1, 2) - w(0, 1) * w(0, 2)) / minor;
  d.mu_crit = sqrt(d.holding1 * d.holding1 + d.holding2 * d.holding2);
  d.mu_jam = w(2, 2) / sqrt(w(0, 2) * w(0, 2) + w(1, 2) * w(1, 2));
  return d;
}

TEST(GeneralizedCone, AgreesWithItsDefinitionsOnAHundredThousandMatrices) {
  Random random(1);
  double worst_mass = 0, worst_quadric = 0, worst_crit = 0, worst_jam = 0;
  for (int i = 0; i < cases; ++i) {
    const double condition = random.decades(0, 12), mu = random.decades(-2, 1);
    const Matrix3d W = random_delassus(random, condition);
    const GeneralizedCone cone = generalized_cone(W, mu);
    ASSERT_TRUE(cone.regular && cone.has_quadric);
    const Definition d = define(W, mu);
    const double allowed = 8 * condition * epsilon;
    Real mass = 0, quadric = 0;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        mass = std::max<Real>(mass, abs(Real(cone.effective_mass(r, c)) - d.mass[r][c]));
        quadric = std::max<Real>(quadric, abs(Real(cone.quadric(r, c)) - d.quadric[r][c]));
      }
    worst_mass = std::max(worst_mass, static_cast<double>(mass / d.largest_mass) / allowed);
    worst_quadric =
        std::max(worst_quadric, static_cast<double>(quadric / d.largest_quadric) / allowed);
    const auto relative = [](double found, const Real& exact) {
      return static_cast<double>(abs(Real(found) / exact - 1));
    };
    worst_crit = std::max(worst_crit, relative(cone.mu_crit, d.mu_crit) / allowed);
    worst_jam = std::max(worst_jam, relative(cone.mu_jam, d.mu_jam) / allowed);
    EXPECT_EQ(mu_crit(W), cone.mu_crit);
    EXPECT_EQ(mu_jam(W), cone.mu_jam);
    // Does an admissible force keep δu_t = 0?  There is one such force.  Does one give δu_n ≤ 0
    // while sliding?  The one of the slip along h gives the least.
    const Real near = allowed;
    if (abs(mu / d.mu_crit - 1) > near) {
      EXPECT_EQ(cone.stick_inside, mu > d.mu_crit);
    }
    if (abs(mu / d.mu_jam - 1) > near) {
      EXPECT_EQ(cone.jam.has_value(), mu > d.mu_jam);
      EXPECT_EQ(cone.plane_cut, mu > d.mu_jam);
    }
  }
  EXPECT_LE(worst_mass, 1);
  EXPECT_LE(worst_quadric, 1);
  EXPECT_LE(worst_crit, 1);
  EXPECT_LE(worst_jam, 1);
  RecordProperty("worst_quadric", std::to_string(worst_quadric));
}

// Impulses on the boundary of K, over all directions: the quadric vanishes on their δu, and some
// δu_n is not positive just where μ ≥ μ_jam.
TEST(GeneralizedCone, QuadricVanishesOnTheImageOfTheCone) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3d W = random_delassus(random, random.decades(0, 3));
    const double mu = random.decades(-1, 1);
    const GeneralizedCone cone = generalized_cone(W, mu);
    double least = infinity;
    for (int k = 0; k < 360; ++k) {
      const Vec2 d = Direction::turn(k, 360).unit();
      const Vec3 du = W * Vec3(-mu * d.x(), -mu * d.y(), 1);
      least = std::min(least, du[2]);
      const double size = (cone.effective_mass.cwiseAbs() * du.cwiseAbs()).squaredNorm();
      EXPECT_NEAR(du.dot(cone.quadric * du), 0, 1e-12 * (1 + mu * mu) * size);
      EXPECT_TRUE(contains(cone, du));
      EXPECT_TRUE(contains(cone, W * Vec3(-0.9 * mu * d.x(), -0.9 * mu * d.y(), 1)));
      EXPECT_FALSE(contains(cone, W * Vec3(-1.1 * mu * d.x(), -1.1 * mu * d.y(), 1)));
      EXPECT_FALSE(contains(cone, -du));  // the other nappe
    }
    if (std::abs(mu / cone.mu_jam - 1) > 1e-3) {
      EXPECT_EQ(least <= 0, cone.plane_cut);
    }
  }
}

TEST(GeneralizedCone, DoesNotDependOnTheFrameOrTheUnits) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double condition = random.decades(0, 6), allowed = 64 * condition * epsilon;
    const Matrix3d W = random_delassus(random, condition);
    const double mu = random.decades(-1, 1), angle = random.uniform(-3, 3);
    const GeneralizedCone a = generalized_cone(W, mu), b = generalized_cone(turned(W, angle), mu),
                          c = generalized_cone(1024 * W, mu), d = generalized_cone(1000 * W, mu);
    EXPECT_NEAR(b.mu_crit / a.mu_crit, 1, allowed);
    EXPECT_NEAR(b.mu_jam / a.mu_jam, 1, allowed);
    EXPECT_EQ(c.mu_crit, a.mu_crit);
    EXPECT_EQ(c.mu_jam, a.mu_jam);
    EXPECT_EQ(Matrix3d(1024 * c.effective_mass), a.effective_mass);
    EXPECT_NEAR(d.mu_crit / a.mu_crit, 1, allowed);
    if (std::abs(mu / a.mu_jam - 1) < 1e-6) continue;
    ASSERT_EQ(a.jam.has_value(), b.jam.has_value());
    if (!a.jam) continue;
    EXPECT_EQ(c.jam->half_width, a.jam->half_width);
    EXPECT_NEAR(b.jam->half_width, a.jam->half_width, 1e3 * allowed);
    const Vec2 expected = Eigen::Rotation2Dd(angle) * a.jam->direction;
    EXPECT_LE((b.jam->direction - expected).norm(), allowed);
  }
}

TEST(GeneralizedCone, RefusesWhatIsNoDelassusMatrix) {
  const Matrix3d I = Matrix3d::Identity();
  Matrix3d W = I;
  W(0, 1) = 0.1;
  EXPECT_THROW(generalized_cone(W, 0.5), InvalidInput);
  W = I;
  W(0, 1) = 1e-10;
  EXPECT_NO_THROW(generalized_cone(W, 0.5));
  W(2, 2) = -1e-10;
  EXPECT_NO_THROW(generalized_cone(W, 0.5));
  W(2, 2) = -1e-8;
  EXPECT_THROW(generalized_cone(W, 0.5), InvalidInput);
  W << 1, 0, 2, 0, 1, 0, 2, 0, 1;
  EXPECT_THROW(generalized_cone(W, 0.5), InvalidInput);
  W = I;
  W(1, 2) = std::nan("");
  EXPECT_THROW(generalized_cone(W, 0.5), InvalidInput);
  EXPECT_THROW(generalized_cone(I, -1e-9), InvalidInput);
  EXPECT_THROW(generalized_cone(I, infinity), InvalidInput);
  EXPECT_THROW(generalized_cone(I, std::nan("")), InvalidInput);
  EXPECT_THROW(regime(generalized_cone(I, 1), Vec2(0, 0), 1), InvalidInput);
  EXPECT_THROW(regime(generalized_cone(I, 1), Vec2(1, 0), infinity), InvalidInput);
}

// A blocked direction: W + δ zzᵀ as δ → 0 tends to the answers of W itself.
TEST(SingularMatrix, IsTheLimitOfRegularOnes) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random.direction3(), b = random.direction3();
    Matrix3d W = a * a.transpose();
    if (i % 3 > 0) W += random.decades(-1, 1) * b * b.transpose();
    if (i % 3 == 2) {  // blocked along t1
      W.row(0).setZero();
      W.col(0).setZero();
    }
    const double mu = random.decades(-1, 1);
    const GeneralizedCone cone = generalized_cone(W, mu);
    ASSERT_FALSE(cone.regular);
    const double delta = 1e-9;
    const GeneralizedCone near = generalized_cone(W + delta * Matrix3d::Identity(), mu);
    ASSERT_TRUE(near.regular);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> tangential(W.topLeftCorner<2, 2>());
    const double least = tangential.eigenvalues()[0] > 1e-12 ? tangential.eigenvalues()[0]
                                                             : tangential.eigenvalues()[1];
    if (least < 1e-3) continue;
    EXPECT_NEAR(near.mu_crit, cone.mu_crit, 10 * delta * (1 + cone.mu_crit) / least);
    if (cone.mu_jam < 1e6) {
      EXPECT_NEAR(near.mu_jam / cone.mu_jam, 1, 1.01 * delta / W(2, 2));
    }
  }
  const GeneralizedCone nothing = generalized_cone(Matrix3d::Zero(), 0.5);
  EXPECT_FALSE(nothing.regular);
  EXPECT_EQ(nothing.mu_crit, 0);
  EXPECT_EQ(nothing.mu_jam, infinity);
  EXPECT_TRUE(nothing.stick_inside);
  EXPECT_EQ(distance(nothing, {1, 2, 2}), 3);
}

}  // namespace
}  // namespace stiction::testing
