// SPDX-License-Identifier: Apache-2.0
//
// Impacts against the closed forms of the plane, against a plain integration in space, and for what
// must hold whatever the law: the impulse is in the cone, the works add up, no energy comes from
// nowhere.
#include "stiction/impact.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "stiction/free_bodies.h"
#include "stiction/friction_cone.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Eigen::Matrix3d;
using Kind = Restitution::Kind;
using Mode = ImpactPhase::Mode;

Matrix3d random_delassus(Random& random) {
  Matrix3d A;
  for (int i = 0; i < 3; ++i) A.col(i) = random.decades(-0.7, 0.3) * random.direction3();
  return A * A.transpose() + 0.02 * Matrix3d::Identity();
}

Matrix3d planar(double w_t, double h, double w_n) {
  Matrix3d W;
  W << w_t, 0, h, 0, 1, 0, h, 0, w_n;
  return W;
}

// In the plane u_n(p) has two straight pieces: slip, and what follows it (Routh's cases).  The end
// under each hypothesis follows from them by bisection in p.
struct PlanarEnd {
  double p, slip, u_n;
};
PlanarEnd planar_end(double w_t, double h, double w_n, double mu, double slip, double approach,
                     const Restitution& r) {
  const double sign = slip > 0 ? 1 : -1, s = std::abs(slip), k = sign * h;  // mirrored: slip > 0
  const double a = k - mu * w_t, q = w_n - mu * k;
  const double stop = a < 0 ? s / -a : infinity;
  double a2 = 0, q2 = w_n - k * k / w_t;  // stick
  if (std::abs(k) > mu * w_t) {           // reverse slip
    a2 = k + mu * w_t;
    q2 = w_n + mu * k;
  }
  const auto u = [&](double p) {
    return approach + q * std::min(p, stop) + (p > stop ? q2 * (p - stop) : 0);
  };
  const auto work = [&](double p) {
    const double first = std::min(p, stop);
    double sum = first * (approach + 0.5 * q * first);
    if (p > stop) sum += (p - stop) * (approach + q * stop + 0.5 * q2 * (p - stop));
    return sum;
  };
  const auto root = [](auto f, double low, double high) {
    for (int i = 0; i < 200; ++i) (f(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
    return high;
  };
  const double compression = root(u, std::min(stop, 1e5) == stop && u(stop) < 0 ? stop : 0, 1e6);
  double end = compression;
  const double e = r.coefficient;
  if (r.kind == Kind::newton)
    end = root([&](double p) { return u(p) + e * approach; }, compression, 1e7);
  if (r.kind == Kind::poisson) end = (1 + e) * compression;
  if (r.kind == Kind::energetic)
    end =
        root([&](double p) { return work(p) - (1 - e * e) * work(compression); }, compression, 1e7);
  const double after = end < stop ? s + a * end : a2 * (end - stop);
  return {end, sign * after, u(end)};
}

TEST(PlanarImpact, HasItsClosedForms) {
  Random random(1);
  int stuck = 0, reversed = 0, slid = 0;
  for (int i = 0; i < 20000; ++i) {
    const double w_t = random.decades(-0.5, 0.5), w_n = random.decades(-0.5, 0.5);
    const double h = random.uniform(-0.95, 0.95) * std::sqrt(w_t * w_n),
                 mu = random.decades(-1.5, 0.7);
    const double slip = random.uniform(-2, 2), approach = -random.uniform(0.1, 2);
    const Restitution r{static_cast<Kind>(i % 3), random.uniform(0, 1)};
    const Impact found = impact(generalized_cone(planar(w_t, h, w_n), mu), {slip, 0, approach}, r);
    const PlanarEnd end = planar_end(w_t, h, w_n, mu, slip, approach, r);
    const double size = 1e-11 * (1 + end.p);
    ASSERT_NEAR(found.impulse[2], end.p, size);
    ASSERT_NEAR(found.velocity[0], end.slip, size);
    ASSERT_NEAR(found.velocity[2], end.u_n, size);
    EXPECT_NEAR(found.velocity[1], 0, size);
    EXPECT_NEAR(found.impulse[1], 0, size);
    stuck += found.phases.back().mode == Mode::stick;
    slid += found.phases.size() == 1;
    reversed += found.phases.size() == 2 && found.phases.back().mode == Mode::slip;
  }
  EXPECT_GT(stuck, 1000);
  EXPECT_GT(slid, 1000);
  EXPECT_GT(reversed, 500);
}

// A ball: h = 0, so stick or slip with Δu_n = −(1 + e) u_n⁻ under every hypothesis.
TEST(PlanarImpact, OfABallIsTheSameUnderEveryHypothesis) {
  const GeneralizedCone ball = generalized_cone(Vec3(3.5, 3.5, 1).asDiagonal(), 0.2);
  for (const Kind kind : {Kind::newton, Kind::poisson, Kind::energetic}) {
    const Impact slides = impact(ball, {3, 4, -2}, {kind, 0.5});
    EXPECT_NEAR(slides.impulse[2], 3, 1e-14);
    EXPECT_NEAR((slides.velocity - Vec3(3 - 2.1 * 0.6, 4 - 2.1 * 0.8, 1)).norm(), 0, 1e-13);
    const Impact sticks = impact(ball, {0.3, 0.4, -2}, {kind, 0.5});
    EXPECT_EQ(sticks.velocity, Vec3(0, 0, 1));
    EXPECT_NEAR((sticks.impulse - Vec3(-0.3 / 3.5, -0.4 / 3.5, 3)).norm(), 0, 1e-14);
    ASSERT_EQ(sticks.phases.size(), 2U);
    EXPECT_EQ(sticks.phases[1].mode, Mode::stick);
  }
}

// The rod that jams: no approach, and yet an impulse (impact without collision).  In the slip
// u_n′ = p(d) < 0; from the stop on, stick.
TEST(PlanarImpact, WithoutCollisionWhereTheRodJams) {
  const Matrix3d W = rod_delassus(60);
  const double mu = 2, a = W(0, 2) - mu * W(0, 0), q = W(2, 2) - mu * W(0, 2);
  ASSERT_LT(q, 0);
  const Impact jam = impact(generalized_cone(W, mu), {1, 0, 0}, {Kind::poisson, 0});
  const double stop = -1 / a, stick = W(2, 2) - W(0, 2) * W(0, 2) / W(0, 0);
  EXPECT_NEAR(jam.impulse[2], stop - q * stop / stick, 1e-13);
  EXPECT_NEAR(jam.velocity.norm(), 0, 1e-13);
  EXPECT_LT(jam.energy_change, 0);
  const Impact none = impact(generalized_cone(W, 1), {1, 0, 0}, {Kind::poisson, 0.5});
  EXPECT_EQ(none.impulse, Vec3::Zero());
  EXPECT_TRUE(none.phases.empty());
}

// Newton's hypothesis can make energy: Kane's pendulum is the known case.  The energetic one never.
TEST(Restitution, NewtonsCanGainEnergyAndTheEnergeticCannot) {
  Random random(2);
  int gains = 0;
  for (int i = 0; i < 3000; ++i) {
    const GeneralizedCone cone = generalized_cone(random_delassus(random), random.decades(-1, 0.5));
    const Vec3 u(random.uniform(-3, 3), random.uniform(-3, 3), -random.uniform(0.05, 1));
    gains += impact(cone, u, {Kind::newton, 1}).energy_change > 1e-9;
    EXPECT_LE(impact(cone, u, {Kind::energetic, 1}).energy_change, 1e-12);
  }
  EXPECT_GT(gains, 30);
}

// u_t′ = h − μ W_tt u_t/‖u_t‖ by the classical Runge–Kutta rule with steps short against ‖u_t‖.
Vec3 plain_path(const Matrix3d& W, double mu, Vec3 u, double p) {
  const auto rate = [&](const Vec3& v) -> Vec3 {
    const Vec2 d = v.head<2>().normalized();
    return W * Vec3(-mu * d.x(), -mu * d.y(), 1);
  };
  const double speed = W.norm() * (1 + mu);
  while (p > 0) {
    const double slip = u.head<2>().norm();
    if (slip < 1e-13) break;
    const double dp = std::min(p, std::min(2e-3 * slip / speed, 1e-3));
    const Vec3 k1 = rate(u), k2 = rate(u + dp / 2 * k1), k3 = rate(u + dp / 2 * k2),
               k4 = rate(u + dp * k3);
    u += dp / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    p -= dp;
  }
  if (p > 0) {  // it sticks
    const Vec2 f = W.topLeftCorner<2, 2>().inverse() * W.topRightCorner<2, 1>();
    u += p * (W * Vec3(-f.x(), -f.y(), 1));
  }
  return u;
}

TEST(Impact, FollowsTheTurningSlip) {
  Random random(3);
  double turned = 0;
  for (int i = 0; i < 60; ++i) {
    const Matrix3d W = random_delassus(random);
    const double mu = random.decades(-1, 0.3);
    const GeneralizedCone cone = generalized_cone(W, mu);
    const Vec3 u(random.uniform(-2, 2), random.uniform(-2, 2), -random.uniform(0.2, 1));
    const Impact found = impact(cone, u, {static_cast<Kind>(i % 3), 0.7});
    if (!cone.stick_inside && found.phases.size() > 1) continue;
    EXPECT_LE((plain_path(W, mu, u, found.impulse[2]) - found.velocity).norm(), 1e-8) << i;
    const Vec2 a = u.head<2>().normalized(), b = found.velocity.head<2>();
    if (b.norm() > 1e-9) turned = std::max(turned, std::abs(cross(a, b.normalized())));
  }
  EXPECT_GT(turned, 0.5);
}

// For every kind of curve.
TEST(Impact, ObeysItsLaws) {
  Random random(4);
  int phases[4] = {};
  for (int i = 0; i < 13 * 400; ++i) {
    const LimitCurve curve = limit_curve(random.law(i));
    const Matrix3d W = random_delassus(random);
    const GeneralizedCone cone = generalized_cone(W, curve);
    const Vec3 u(random.uniform(-2, 2), random.uniform(-2, 2), -random.uniform(0.01, 1));
    const Restitution r{static_cast<Kind>(i % 3), random.uniform(0, 1)};
    const Impact m = impact(cone, u, r);
    const double size = m.impulse.norm() * W.norm() * (1 + curve.circumscribed_radius()) + u.norm(),
                 energy = size * m.impulse.norm();
    EXPECT_LE((u + W * m.impulse - m.velocity).norm(), 1e-11 * size) << to_text(random.law(i)) << i;
    EXPECT_LE(FrictionCone(curve).distance({m.impulse[2], m.impulse[0], m.impulse[1]}),
              1e-11 * m.impulse.norm());
    EXPECT_NEAR(m.compression_work + m.restitution_work + m.friction_work, m.energy_change,
                1e-10 * energy);
    EXPECT_LE(m.friction_work, 1e-12 * energy);
    EXPECT_LE(m.compression_work, 0);
    EXPECT_GE(m.restitution_work, 0);
    EXPECT_GE(m.velocity[2], -1e-12 * size);
    if (r.kind == Kind::energetic) {
      EXPECT_LE(m.energy_change, 1e-11 * energy);
      EXPECT_NEAR(m.restitution_work, -r.coefficient * r.coefficient * m.compression_work,
                  1e-9 * energy);
    }
    if (r.kind == Kind::newton) {
      EXPECT_NEAR(m.velocity[2], -r.coefficient * u[2], 1e-9 * size);
    }
    if (r.kind == Kind::poisson) {
      EXPECT_NEAR(m.impulse[2], (1 + r.coefficient) * m.compression_impulse, 1e-9 * m.impulse[2]);
    }
    // Friction is maximal work along the path: never less than at its end's own slip.
    ++phases[std::min<std::size_t>(m.phases.size(), 3)];
    EXPECT_EQ(m.path.front().velocity, u);
    EXPECT_EQ(m.path.back().velocity, m.velocity);
  }
  EXPECT_GT(phases[1], 100);
  EXPECT_GT(phases[2], 100);
}

// Polygons of more and more sides tend to the disc, by other code: straight pieces, not an arc.
TEST(Impact, OfManySidesTendsToThatOfTheDisc) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Matrix3d W = random_delassus(random);
    const double mu = random.decades(-1, 0.3);
    const Vec3 u(random.uniform(-2, 2), random.uniform(-2, 2), -random.uniform(0.1, 1));
    const Restitution r{static_cast<Kind>(i % 3), 0.6};
    const Vec3 disc = impact(generalized_cone(W, mu), u, r).impulse;
    const auto error = [&](int sides) {
      return (impact(generalized_cone(W, ngon_out(mu, sides)), u, r).impulse - disc).norm();
    };
    for (const int sides : {1000, 4000, 16000})
      EXPECT_LE(error(sides), 3.2 / sides * disc.norm()) << i;
  }
}

TEST(Impact, DoesNotDependOnTheFrameOrTheUnits) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Matrix3d W = random_delassus(random);
    const double mu = random.decades(-1, 0.5);
    const Vec3 u(random.uniform(-2, 2), random.uniform(-2, 2), -random.uniform(0.1, 1));
    const Restitution r{static_cast<Kind>(i % 3), 0.5};
    const Impact a = impact(generalized_cone(W, mu), u, r);
    const Matrix3d R = Eigen::AngleAxisd(random.uniform(-3, 3), Vec3::UnitZ()).toRotationMatrix();
    const Matrix3d T = R * W * R.transpose();
    const Impact b = impact(generalized_cone(0.5 * (T + T.transpose()), mu), R * u, r);
    EXPECT_LE((b.impulse - R * a.impulse).norm(), 1e-9 * a.impulse.norm());
    EXPECT_LE((b.velocity - R * a.velocity).norm(), 1e-9 * u.norm());
    const Impact c = impact(generalized_cone(1e-3 * W, mu), 1e3 * u, r);  // g for kg, mm for m
    EXPECT_LE((1e-6 * c.impulse - a.impulse).norm(), 1e-11 * a.impulse.norm());
  }
}

// One direction a million times easier to move than another: the slip settles fast and stops
// slowly.
TEST(Impact, FollowsAnyCondition) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3d R =
        Eigen::AngleAxisd(random.uniform(-3, 3), random.direction3()).toRotationMatrix();
    const Vec3 values(1, random.decades(-6, 0), random.decades(-6, 0));
    const Matrix3d T = R * values.asDiagonal() * R.transpose(), W = 0.5 * (T + T.transpose());
    const double mu = random.decades(-1, 0.5);
    const Vec3 u(random.uniform(-2, 2), random.uniform(-2, 2), -random.uniform(0.1, 1));
    const Impact m = impact(generalized_cone(W, mu), u, {static_cast<Kind>(i % 3), 0.7});
    const double size = m.impulse.norm() + u.norm();
    EXPECT_LE((u + W * m.impulse - m.velocity).norm(), 1e-11 * size) << i;
    EXPECT_LE(m.impulse.head<2>().norm(), mu * m.impulse[2] * (1 + 1e-12));
    EXPECT_NEAR(m.compression_work + m.restitution_work + m.friction_work, m.energy_change,
                1e-10 * size * m.impulse.norm());
    EXPECT_GE(m.velocity[2], 0);
  }
}

TEST(Impact, RefusesWhatItCannotFollow) {
  const GeneralizedCone cone = generalized_cone(Matrix3d::Identity(), 0.5);
  EXPECT_THROW(impact(cone, {1, 0, 0.1}, {Kind::newton, 0.5}), InvalidInput);
  EXPECT_THROW(impact(cone, {1, std::nan(""), -1}, {Kind::newton, 0.5}), InvalidInput);
  EXPECT_THROW(impact(cone, {1, 0, -1}, {Kind::newton, 1.5}), InvalidInput);
  EXPECT_THROW(
      impact(generalized_cone(Vec3(1, 1, 0).asDiagonal(), 0.5), {1, 0, -1}, {Kind::newton, 0.5}),
      InvalidInput);
  EXPECT_THROW(parse_restitution("elastic:1"), InvalidInput);
  EXPECT_THROW(parse_restitution("newton"), InvalidInput);
  EXPECT_THROW(parse_restitution("newton:2"), InvalidInput);
  EXPECT_EQ(parse_restitution("poisson:0.25").coefficient, 0.25);
}

}  // namespace
}  // namespace stiction::testing
