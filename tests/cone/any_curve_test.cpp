// SPDX-License-Identifier: Apache-2.0
//
// The generalized cone of any limit curve: by gauge and support, as a set, and its regimes.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <numbers>

#include "stiction/free_bodies.h"
#include "stiction/friction_cone.h"
#include "stiction/generalized_cone.h"
#include "support/oracle.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Eigen::Matrix3d;

Matrix3d random_delassus(Random& random) {
  Matrix3d A;
  for (int i = 0; i < 3; ++i) A.col(i) = random.decades(-1, 0.5) * random.direction3();
  return A * A.transpose() + 0.01 * Matrix3d::Identity();
}

// Brute force over the outline of the curve.
TEST(AnyCurve, SticksByItsGaugeAndJamsByItsSupport) {
  Random random(1);
  int sticks = 0, jams = 0;
  for (int i = 0; i < 13 * 300; ++i) {
    const LimitCurve curve = limit_curve(random.law(i));
    const Matrix3d W = random_delassus(random);
    const GeneralizedCone cone = generalized_cone(W, curve);
    const Vec2 hold = W.topLeftCorner<2, 2>().ldlt().solve(W.topRightCorner<2, 1>());
    if (std::abs(curve.gauge(hold) - 1) > 1e-9) {
      EXPECT_EQ(cone.stick_inside, curve.contains(hold));
    }
    sticks += cone.stick_inside;
    // A slip jams if some force of its face has f·h > W_nn.
    const Vec2 h = W.topRightCorner<2, 1>();
    int jamming = 0, sector = 0, unlike = 0;
    for (int k = 0; k < 720; ++k) {
      const Vec2 d = Direction::turn(k, 720).unit();
      const bool found = normal_compliance(cone, d).least < 0;
      jamming += found;
      if (!cone.jam) continue;
      const double angle =
          std::abs(std::atan2(cross(cone.jam->direction, d), cone.jam->direction.dot(d)));
      sector += angle <= cone.jam->half_width;
      if (std::abs(angle - cone.jam->half_width) > 1e-9)
        unlike += found != (angle < cone.jam->half_width);
    }
    EXPECT_EQ(unlike, 0) << to_text(random.law(i));
    EXPECT_EQ(jamming > 0, sector > 0);
    if (std::abs(curve.support(h) / W(2, 2) - 1) > 1e-9) {
      EXPECT_EQ(cone.jam.has_value(), curve.support(h) > W(2, 2));
    }
    jams += cone.jam.has_value();
  }
  EXPECT_GT(sticks, 300);
  EXPECT_GT(jams, 300);
}

// A disc as an ellipse, and as a polygon of many sides.
TEST(AnyCurve, MeetsTheDisc) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Matrix3d W = random_delassus(random);
    const double mu = random.decades(-1, 1);
    const GeneralizedCone exact = generalized_cone(W, mu),
                          many = generalized_cone(W, ngon_out(mu, 4000)),
                          nearly = generalized_cone(W, ellipse(mu, mu * (1 + 1e-9)));
    EXPECT_TRUE(nearly.has_quadric);
    EXPECT_LE((nearly.quadric - exact.quadric).norm(), 1e-7 * exact.quadric.norm());
    if (exact.jam && exact.mu_jam < 0.99 * mu) {
      EXPECT_NEAR(many.jam->half_width, exact.jam->half_width, 2e-2);
    }
    const Vec3 x = random.direction3();
    // A curve larger by the fraction e moves an impulse λ by at most e μλ_n.
    const Vec3 impulse = exact.effective_mass * nearest(exact, x);
    const double moved = mu * impulse[2] * W.norm();
    EXPECT_NEAR(distance(many, x), distance(exact, x), 3.2e-7 * moved + 1e-12);
    EXPECT_NEAR(distance(nearly, x), distance(exact, x), 1.1e-9 * moved + 1e-12);
  }
}

// The nearest point of W·K is the projection: in the cone, and what is left in its polar cone and
// orthogonal to it.
TEST(AnyCurve, NearestPointsObeyMoreau) {
  Random random(3);
  for (int i = 0; i < 13 * 400; ++i) {
    const LimitCurve curve = limit_curve(random.law(i));
    const Matrix3d W = random_delassus(random);
    const GeneralizedCone cone = generalized_cone(W, curve);
    const Vec3 x = random.decades(-2, 2) * random.direction3(), p = nearest(cone, x);
    const double size = x.norm();
    EXPECT_NEAR((x - p).dot(p), 0, 1e-9 * size * size);
    EXPECT_LE(section_support(cone, x - p),
              1e-9 * size * W.norm() * (1 + curve.circumscribed_radius()));
    const Vec3 impulse = cone.effective_mass * p;
    EXPECT_LE(FrictionCone(curve).distance({impulse[2], impulse[0], impulse[1]}),
              1e-9 * size * cone.effective_mass.norm());
    EXPECT_NEAR(distance(cone, x), (x - p).norm(), 1e-15 * size);
    GeneralizedCone shifted = cone;
    shifted.apex = {1, -2, 3};
    EXPECT_NEAR(distance(shifted, x + shifted.apex), distance(cone, x), 1e-12 * (size + 10));
  }
}

// Of W of rank two and one: what is left is normal to the image, and no sample of it is nearer.
TEST(AnyCurve, NearestPointsOfAFlatCone) {
  Random random(4);
  for (int i = 0; i < 13 * 60; ++i) {
    const LimitCurve curve = limit_curve(random.law(i));
    const Vec3 a = random.direction3(), b = random.direction3();
    const Matrix3d W = a * a.transpose() + (i % 2 == 0 ? 0.5 : 0.0) * b * b.transpose();
    const GeneralizedCone cone = generalized_cone(W, curve);
    ASSERT_FALSE(cone.regular);
    const Vec3 x = random.direction3(), p = nearest(cone, x);
    EXPECT_NEAR((x - p).dot(p), 0, 1e-9);
    EXPECT_LE(section_support(cone, x - p), 1e-9 * (1 + curve.circumscribed_radius()));
    for (const Vec2& f : outline(curve, 0.2))
      for (const double s : {0.01, 0.1, 1.0, 10.0})
        EXPECT_GE((x - s * W * Vec3(-f.x(), -f.y(), 1)).norm(), (x - p).norm() - 1e-9);
  }
}

TEST(AnyCurve, RowsAndRaysOfPolygons) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const LimitCurve curve = ngon(random.decades(-1, 1), random.integer(3, 12));
    const GeneralizedCone cone = generalized_cone(random_delassus(random), curve);
    const std::vector<Vec3> a = rows(cone), r = rays(cone);
    ASSERT_EQ(a.size(), curve.vertices().size());
    for (const Vec3& row : a) {
      int touching = 0;
      for (const Vec3& ray : r) {
        EXPECT_LE(row.dot(ray), 1e-10 * ray.norm());
        touching += std::abs(row.dot(ray)) <= 1e-10 * ray.norm();
      }
      EXPECT_EQ(touching, 2);
    }
    const Vec3 x = random.direction3();
    double most = -infinity, support = -infinity;
    for (const Vec3& row : a) most = std::max(most, row.dot(x));
    for (const Vec3& ray : r) support = std::max(support, ray.dot(x));
    if (std::abs(most) > 1e-9) {
      EXPECT_EQ(contains(cone, x), most < 0);
    }
    EXPECT_NEAR(section_support(cone, x), support, 1e-12 * cone.delassus.norm());
  }
  EXPECT_THROW(rows(generalized_cone(Matrix3d::Identity(), 0.5)), InvalidInput);
  EXPECT_THROW(rows(generalized_cone(Matrix3d::Zero(), box(0.5))), InvalidInput);
}

// Whatever the sizes of its entries.
TEST(AnyCurve, GivesNumbersForEveryMatrix) {
  Random random(9);
  int accepted = 0;
  for (int i = 0; i < 13 * 1000; ++i) {
    const LimitCurve curve = limit_curve(random.law(i));
    const auto entry = [&] { return random.integer(0, 3) == 0 ? 0 : random.decades(-300, 100); };
    Matrix3d W = Vec3(entry(), entry(), entry()).asDiagonal();
    if (i % 2 == 0)  // off the diagonal as much as is allowed, or nearly
      for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
        W(a, b) = W(b, a) = random.uniform(-0.6, 0.6) * std::sqrt(W(a, a)) * std::sqrt(W(b, b));
    GeneralizedCone cone;
    try {
      cone = generalized_cone(W, curve);
    } catch (const InvalidInput&) {
      continue;  // indefinite, or too small for its inverse
    }
    ++accepted;
    EXPECT_TRUE(std::isfinite(cone.mu_crit)) << W;
    EXPECT_EQ(cone.mu_crit, mu_crit(W)) << W;
    EXPECT_GT(cone.mu_jam, 0) << W;
    EXPECT_FALSE(std::isnan(cone.holding_gauge)) << W;
    EXPECT_FALSE(std::isnan(cone.jam_ratio)) << W;
    if (cone.jam) {
      EXPECT_TRUE(cone.jam->half_width >= 0 && cone.jam->half_width < 3.15) << W;
      EXPECT_NEAR(cone.jam->direction.norm(), 1, 1e-12) << W;
    }
    EXPECT_NO_THROW(regime(cone, {1, 0.5}, -1));
    const Vec3 x = random.direction3();
    EXPECT_LE(distance(cone, x), 1 + 1e-9) << W << "\n" << i % 13;  // zero is in the cone
    EXPECT_TRUE(nearest(cone, x).allFinite()) << W << "\n" << i % 13;
  }
  EXPECT_GT(accepted, 5000);
}

// In its own axes the boundary of W·K is that of an elliptic cone, to 8 times condition times
// rounding, up to the condition 1e12.
TEST(PrincipalAxes, DiagonaliseTheCone) {
  Random random(6);
  for (int i = 0; i < 3000; ++i) {
    const double condition = random.decades(0, i % 2 == 0 ? 3 : 12);
    const Matrix3d R =
        Eigen::Quaterniond(Eigen::AngleAxisd(random.uniform(0, 6.3), random.direction3()))
            .toRotationMatrix();
    Matrix3d W = R *
                 Vec3(1, std::pow(condition, -random.uniform(0, 1)), 1 / condition).asDiagonal() *
                 R.transpose();
    W = (0.5 * (W + W.transpose())).eval();
    const GeneralizedCone cone = generalized_cone(W, random.decades(-1, 1));
    const PrincipalAxes p = principal_axes(cone);
    EXPECT_LE((p.axes.transpose() * p.axes - Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_NEAR(p.axes.determinant(), 1, 1e-13);
    EXPECT_GE(p.slopes.x(), p.slopes.y());
    // δu in fifty digits: its gap to the cone of the axes, over the steepest gradient there.
    const double mu = cone.curve.ellipse().a;
    for (int k = 0; k < 36; ++k) {
      const Vec2 d = mu * Direction::turn(k, 36).unit();
      const std::array<Real, 3> impulse{-Real(d.x()), -Real(d.y()), 1};
      std::array<Real, 3> du{0, 0, 0}, y{0, 0, 0};
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
          du[a] += Real(W(static_cast<int>(a), static_cast<int>(b))) * impulse[b];
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
          y[a] += Real(p.axes(static_cast<int>(b), static_cast<int>(a))) * du[b];
      const Real x1 = y[0] / p.slopes.x(), x2 = y[1] / p.slopes.y();
      const Real gap = abs(sqrt(x1 * x1 + x2 * x2) - y[2]),
                 length = sqrt(du[0] * du[0] + du[1] * du[1] + du[2] * du[2]);
      EXPECT_GT(y[2], 0);
      EXPECT_LE(static_cast<double>(gap / length) / std::hypot(1, 1 / p.slopes.y()),
                8 * condition * std::numeric_limits<double>::epsilon() + 1e-14);
    }
  }
  EXPECT_THROW(principal_axes(generalized_cone(Matrix3d::Identity(), 0)), InvalidInput);
}

TEST(DegenerateCones, AreALineAndAPlane) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Matrix3d W = random_delassus(random);
    const Vec3 line = frictionless_line(W), normal = bounding_normal(W);
    const GeneralizedCone none = generalized_cone(W, 0), much = generalized_cone(W, 1e9);
    EXPECT_TRUE(contains(none, W.col(2)));
    EXPECT_NEAR(distance(none, line + normal), (normal - normal.dot(line) * line).norm(), 1e-9);
    EXPECT_NEAR(normal.dot(W.col(0)), 0, 1e-12);
    EXPECT_NEAR(normal.dot(W.col(1)), 0, 1e-12);
    EXPECT_GT(normal.dot(line), 0);
    const Vec3 x = random.direction3();
    EXPECT_NEAR(distance(much, x), std::max(0.0, -normal.dot(x)), 1e-6);
  }
}

// M⁻¹AᵀK of a plane pendulum and beyond: A maps it onto W·K, and the nearest change is the one of
// least kinetic energy left.
TEST(ConfigurationSpace, ProjectsOntoTheContactsCone) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const int n = 3 + i % 4;
    const Eigen::MatrixXd G =
        Eigen::MatrixXd::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
    const Eigen::MatrixXd M = G * G.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::Matrix<double, 3, Eigen::Dynamic> A =
        Eigen::MatrixXd::NullaryExpr(3, n, [&] { return random.uniform(-1, 1); });
    const LimitCurve curve = limit_curve(random.law(i));
    const ConfigurationCone cone = configuration_cone(M, A, curve);
    EXPECT_LE((A * cone.map - cone.contact.delassus).norm(), 1e-12 * cone.contact.delassus.norm());
    const Eigen::VectorXd dv =
        Eigen::VectorXd::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
    const Eigen::VectorXd p = cone.nearest(dv);
    const double size = dv.dot(M * dv) * (1 + cone.contact.effective_mass.norm());
    EXPECT_NEAR((dv - p).dot(M * p), 0, 1e-8 * size);
    EXPECT_LE(distance(cone.contact, A * p), 1e-8 * (A * p).norm() + 1e-12);
    // Polar in the metric of M: A (dv − p) does not work on any impulse of K.
    const Vec3 left = A * (dv - p);
    EXPECT_LE(left[2] + curve.support(-left.head<2>()), 1e-7 * size);
  }
  EXPECT_THROW(
      configuration_cone(-Eigen::MatrixXd::Identity(3, 3), Eigen::Matrix3d::Identity(), disc(1)),
      InvalidInput);
  EXPECT_THROW(
      configuration_cone(Eigen::MatrixXd::Identity(4, 4), Eigen::Matrix3d::Identity(), disc(1)),
      InvalidInput);
}

// W with p(d) = 2 − 2μ for d = t1: all cases of p and b, edges included.
TEST(Regime, HasAllItsCases) {
  Matrix3d W;
  W << 3, 0, 2, 0, 3, 0, 2, 0, 2;
  const auto at = [&](double mu, double b) { return regime(generalized_cone(W, mu), {1, 0}, b); };
  EXPECT_EQ(at(0.5, 1), Regime::separate);
  EXPECT_EQ(at(0.5, 0), Regime::slide);
  EXPECT_EQ(at(0.5, -1), Regime::slide);
  EXPECT_EQ(at(1, 1), Regime::separate);
  EXPECT_EQ(at(1, 0), Regime::jam_point);
  EXPECT_EQ(at(1, -1), Regime::inconsistent);
  EXPECT_EQ(at(2, 1), Regime::indeterminate);
  EXPECT_EQ(at(2, 0), Regime::indeterminate);
  EXPECT_EQ(at(2, -1), Regime::inconsistent);
  EXPECT_EQ(regime(generalized_cone(W, 2), {-1, 0}, -1), Regime::slide);
  EXPECT_EQ(regime(generalized_cone(W, 2), {1e-200, 1e-200}, -1), Regime::inconsistent);
  // A slip normal to a flat has many forces: it slides on with those that push it away.
  const GeneralizedCone square = generalized_cone(W, box(1.2));
  const NormalCompliance p = normal_compliance(square, {0, 1});
  EXPECT_LT(p.least, 0);
  EXPECT_GT(p.greatest, 0);
  EXPECT_EQ(regime(square, {0, 1}, -1), Regime::slide);
  EXPECT_EQ(regime(square, {0, 1}, 1), Regime::indeterminate);
}

}  // namespace
}  // namespace stiction::testing
