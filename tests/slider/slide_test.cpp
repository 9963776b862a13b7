// SPDX-License-Identifier: Apache-2.0
//
// Free sliding: closed forms, limits, energy, units, wheels.
#include "stiction/slider_slide.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "support/random.h"

namespace stiction::testing {
namespace {

SliderBody body_of(std::optional<double> mass, std::optional<double> inertia,
                   std::optional<Vec2> centre_of_mass = Vec2(0, 0)) {
  SliderBody body;
  body.mass = mass;
  body.inertia = inertia;
  body.centre_of_mass = centre_of_mass;
  return body;
}

std::vector<Support> points_on_ring(int n, double radius, double normal_force, double mu) {
  std::vector<Support> supports;
  for (int k = 0; k < n; ++k)
    supports.push_back(point(radius * Direction::turn(k, n).unit(), normal_force / n, disc(mu)));
  return supports;
}

// Translation: v²/(2μg) of way in v/(μg) of time; the load is parallel to the motion.
TEST(Slide, PureTranslationBrakesUniformly) {
  const double mu = 0.3, g = 9.81, m = 2, v = 1.7;
  const Slider slider(points_on_ring(6, 0.2, m * g, mu), body_of(m, 0.05));
  const Slide s = slide(slider, {.vx = 0, .vy = v, .omega = 0});
  EXPECT_TRUE(s.rests);
  EXPECT_NEAR(s.time_to_rest, v / (mu * g), 1e-11);
  EXPECT_NEAR(s.rest_pose.y(), v * v / (2 * mu * g), 1e-11);
  EXPECT_NEAR(s.rest_pose.x(), 0, 1e-11);
  EXPECT_NEAR(s.rest_pose.z(), 0, 1e-9);
  EXPECT_NEAR(s.final_direction.vy, 1, 1e-12);
  EXPECT_LE(s.energy_error, 1e-10);
}

// Rotation about the centre: the moment is μNR, the angle ω²I/(2μNR).
TEST(Slide, PureRotationBrakesUniformly) {
  const double mu = 0.4, N = 20, I = 0.07, R = 0.25, w = -12;
  const Slider slider(points_on_ring(7, R, N, mu), body_of(2, I));
  const Slide s = slide(slider, {.vx = 0, .vy = 0, .omega = w});
  EXPECT_NEAR(s.time_to_rest, std::abs(w) * I / (mu * N * R), 1e-11);
  EXPECT_NEAR(s.rest_pose.z(), -w * w * I / (2 * mu * N * R), 1e-10);
  EXPECT_LE(s.rest_pose.head<2>().norm(), 1e-10);
  EXPECT_NEAR(s.final_direction.omega * slider.length_scale(), -1, 1e-12);
}

// When a body of unit mass and inertia on points, its centre of mass at the origin, comes to rest
// if friction grows linearly with the slip up to 1e-4 m/s, by Runge and Kutta's fourth-order steps;
// and how it moves then, or at the time `until`.
struct Regularised {
  double time = 0;
  Vec3 motion;
};
Regularised regularised(const std::vector<Support>& supports, Vec3 q, double until,
                        double least_slip = 1e-4) {
  const auto rate = [&](const Vec3& at) -> Vec3 {
    Vec3 load = Vec3::Zero();
    for (const Support& s : supports) {
      const Vec2 slip(at[0] - at[2] * s.at.y(), at[1] + at[2] * s.at.x());
      const Vec2 f = s.normal_force * s.curve.project(slip / least_slip);
      load += Vec3(f.x(), f.y(), s.at.x() * f.y() - s.at.y() * f.x());
    }
    return Vec3(at[2] * at[1], -at[2] * at[0], 0) - load;
  };
  double stiffness = 0, time = 0;
  for (const Support& s : supports) stiffness += s.normal_force * (1 + s.at.squaredNorm());
  const double h = least_slip / stiffness;
  for (; q.norm() > 10 * least_slip && time < until; time += h) {
    const Vec3 a = rate(q), b = rate(q + h / 2 * a), c = rate(q + h / 2 * b), d = rate(q + h * c);
    q += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {time, q};
}
double regularised_rest(const std::vector<Support>& supports, const Vec3& q) {
  return regularised(supports, q, 100).time;
}

// The box slips along a flat of its law, comes to rest and goes back along the opposite one.
TEST(Slide, ASlipAlongAFlatMayTurnBack) {
  const std::vector<Support> supports{point({0, -1}, 0.5, box(0.5)), point({0, 1}, 0.5, disc(0.5))};
  const Slide s = slide(Slider(supports, body_of(1, 1)), {1, 2, 3});
  EXPECT_NEAR(s.time_to_rest, regularised_rest(supports, {1, 2, 3}), 0.01);
  EXPECT_LE(s.energy_error, 1e-9);
}

TEST(Slide, MixedLawsComeToRestInTheirTime) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    std::vector<Support> supports;
    for (int k = 0; k < 2 + i % 2; ++k) {
      const LimitCurve laws[] = {disc(0.5),
                                 ellipse(0.5, 0.3, Direction::degrees(20)),
                                 rusty_wheel(0.8, 0.2, Direction::degrees(40)),
                                 box(0.5),
                                 pyramid(0.5),
                                 ngon(0.5, 8),
                                 polygon({{0.5, 0.1}, {-0.3, 0.4}, {-0.2, -0.6}})};
      const Vec2 at = i % 4 == 0 ? Vec2(k, k % 2 == 0 ? 1 : -1)
                                 : Vec2(random.uniform(-1, 1), random.uniform(-1, 1));
      supports.push_back(point(at, random.uniform(0.3, 1), laws[random.integer(0, 6)]));
    }
    const Vec3 v = 2 * random.direction3();
    const Slide s = slide(Slider(supports, body_of(1, 1)), Motion::of(v));
    ASSERT_TRUE(s.rests) << i << ' ' << s.reason;
    const double expected = regularised_rest(supports, v);
    EXPECT_NEAR(s.time_to_rest, expected, 0.01 * expected + 0.01) << i;
  }
}

// The body ends turning about a support, which rough steps pass to and fro.
TEST(Slide, ComesToRestWithStepsOfAnyAccuracy) {
  const Slider slider(
      {point({0, -1}, 0.5, disc(1)), point({0, 1}, 0.5, disc(1)), point({1, 1}, 0.5, disc(1))},
      body_of(1, 1));
  const double exact = slide(slider, {1, 2, 3}, {.tolerance = 1e-12}).time_to_rest;
  for (const double tolerance : {1e-13, 1e-11, 1e-10, 3e-10, 1e-9, 1e-8, 1e-7, 1e-6})
    EXPECT_NEAR(slide(slider, {1, 2, 3}, {.tolerance = tolerance}).time_to_rest, exact,
                1e-9 + 10 * tolerance)
        << tolerance;
}

// A ring with I = mR² ends rolling-like, at v = ωR, whatever the start; many points come near it.
TEST(Slide, ARingOfPointsEndsAtSpeedEqualToRimSpeed) {
  const double R = 0.1;
  const Slider slider(points_on_ring(400, R, 9.81, 0.5), body_of(1, R * R));
  for (const double start : {0.2, 0.9, 3.0}) {
    const Slide s = slide(slider, {.vx = start, .vy = 0, .omega = 1 / R});
    const Motion d = s.final_direction;
    EXPECT_NEAR(std::hypot(d.vx, d.vy) / (d.omega * R), 1, 0.02) << start;
    EXPECT_LE(s.energy_error, 1e-9);
    EXPECT_TRUE(s.stable);
  }
}

// The last ratio v/(ωR) of bodies whose mass is spread like their pressure: the root of p ∥ d,
// which for the disc is F(ε) = 2 ε T(ε) in units of μN and μNR.
TEST(Slide, RoundBodiesEndAtTheirRatios) {
  const double R = 0.3, inner = 0.5;
  const auto ratio = [&](const Support& support, double inertia, double start) {
    const Slider slider({support}, body_of(1, inertia));
    const Slide s = slide(slider, {.vx = 0.6 * start, .vy = 0.8 * start, .omega = -1 / R});
    EXPECT_LE(s.energy_error, 1e-9);
    EXPECT_TRUE(s.stable);
    const Motion d = s.final_direction;
    return std::hypot(d.vx, d.vy) / (std::abs(d.omega) * R);
  };
  for (const double start : {0.05, 0.7, 30.0}) {
    EXPECT_NEAR(ratio(disc_support({0, 0}, R, 5, disc(0.4)), 0.5 * R * R, start),
                0.6530017892055976, 1e-10);
    EXPECT_NEAR(ratio(ring({0, 0}, R, 5, disc(0.4)), R * R, start), 1, 1e-8);
    EXPECT_NEAR(ratio(annulus({0, 0}, R, inner * R, 5, disc(0.4)),
                      0.5 * R * R * (1 + inner * inner), start),
                0.774468869913, 1e-10);
  }
}

// In axes that do not turn the spin of a body alike all around does not show: times grow like the
// speed, ways and angles like its square.
TEST(Slide, RoundBodiesAreThrownAtAnySpeed) {
  for (const Support& support :
       {disc_support({0, 0}, 0.3, 5, disc(0.4)), ring({0, 0}, 0.3, 5, ellipse(0.4, 0.2), true)}) {
    const Slider slider({support}, body_of(1, 0.05));
    const Slide one = slide(slider, {.vx = 0.4, .vy = 0.3, .omega = 2});
    for (const double k : {1e-9, 1e3, 1e6, 1e9, 1e30}) {
      const Slide s = slide(slider, {.vx = 0.4 * k, .vy = 0.3 * k, .omega = 2 * k});
      ASSERT_TRUE(s.rests) << k;
      EXPECT_NEAR(s.time_to_rest / k, one.time_to_rest, 1e-9);
      EXPECT_LE((s.rest_pose / k / k - one.rest_pose).norm(), 1e-9) << k;
      EXPECT_NEAR(s.final_direction.omega, one.final_direction.omega, 1e-9);
      EXPECT_LE(s.energy_error, 1e-9);
      EXPECT_LE(s.steps, 2 * one.steps);
    }
  }
}

// Fast throws of other bodies end where plain stepping in time takes them, or say that they were
// not followed: never anything else.
TEST(Slide, AFastThrowIsFollowedOrSaysThatItIsNot) {
  const double m = 1.5, I = 0.8;
  const Slider slider({point({1, 0}, 1, ellipse(0.9, 0.4)), point({-0.4, 0.8}, 2, disc(0.6)),
                       point({-0.5, -0.6}, 1.3, disc(0.5))},
                      body_of(m, I));
  const Slide fast = slide(slider, {.vx = 20, .vy = 5, .omega = 40});
  ASSERT_TRUE(fast.rests);
  EXPECT_LE(fast.energy_error, 1e-9);
  EXPECT_GT(std::abs(fast.rest_pose.z()), 100);
  Vec3 v(20, 5, 40), pose = Vec3::Zero();  // v in the starting axes; the midpoint rule
  const auto rate = [&](const Vec3& velocity, double angle) {
    const Vec2 along = Eigen::Rotation2Dd(-angle) * velocity.head<2>();
    const Load p = load(slider, {along.x(), along.y(), velocity[2]}).load;
    const Vec2 force = Eigen::Rotation2Dd(angle) * Vec2(p.fx, p.fy);
    return Vec3(-force.x() / m, -force.y() / m, -p.moment / I);
  };
  const int steps = 200000;
  const double dt = fast.time_to_rest / steps;
  for (int k = 0; k < steps; ++k) {
    const Vec3 middle = v + 0.5 * dt * rate(v, pose[2]);
    const Vec3 after = v + dt * rate(middle, pose[2] + 0.5 * dt * v[2]);
    pose += 0.5 * dt * (v + after);
    v = after;
  }
  EXPECT_LE(v.norm(), 1e-2);
  EXPECT_LE((pose - fast.rest_pose).norm(), 1e-4 * fast.rest_pose.norm());
  for (const double k : {1e4, 1e9, 1e100, 1e200}) {
    const Slide s = slide(slider, {.vx = k, .vy = 0, .omega = k}, {.maximum_steps = 20000});
    EXPECT_FALSE(s.rests);
    EXPECT_TRUE(std::isinf(s.time_to_rest));
    EXPECT_TRUE(s.final_direction.vector().isZero(0));
    EXPECT_NE(s.reason.find("not followed"), std::string::npos) << s.reason;
  }
}

// Translation and rotation repel: what is thrown beside them leaves them, however late.
TEST(Slide, NearlyPureThrowsEndAtTheStableRatio) {
  const double R = 0.3;
  const Slider slider({disc_support({0, 0}, R, 5, disc(0.4))}, body_of(1, 0.5 * R * R));
  const auto expect_ratio = [&](double v, double spin) {
    const Slide s = slide(slider, {.vx = 0.6 * v, .vy = 0.8 * v, .omega = spin / R});
    const Motion d = s.final_direction;
    EXPECT_NEAR(std::hypot(d.vx, d.vy) / (d.omega * R), 0.6530017892055976, 1e-8) << v;
    EXPECT_TRUE(s.stable);
  };
  for (double off = 1e-3; off > 1e-12; off /= 7) {
    expect_ratio(1, off);
    expect_ratio(off, 1);
  }
  // What is on them stays, also where rounding is in the sum of many feet.
  const Slider feet(points_on_ring(7, R, 5, 0.4), body_of(1, R * R));
  for (const Motion& start : {Motion{.vx = 0.6, .vy = 0.8, .omega = 0}, Motion{0, 0, 2}}) {
    for (const Slider& body : {slider, feet}) {
      const Slide s = slide(body, start);
      EXPECT_FALSE(s.stable);
      EXPECT_LE(s.final_direction.vector().normalized().cross(start.vector().normalized()).norm(),
                1e-12);
    }
  }
}

// Stepping the plain equations in time with a small fixed step of Heun's method must arrive at the
// same place.
TEST(Slide, AgreesWithPlainSteppingInTime) {
  Random random(7);
  for (int round = 0; round < 4; ++round) {
    std::vector<Support> supports;
    for (int k = 0; k < 4; ++k)
      supports.push_back(point(random.direction(), random.uniform(0.5, 2),
                               ellipse(random.uniform(0.3, 1), random.uniform(0.3, 1))));
    const Vec2 c = 0.3 * random.direction();
    const Slider slider(supports, body_of(1.5, 0.8, c));
    const Vec3 q = random.direction3();
    const Slide s = slide(slider, Motion::of(q));
    EXPECT_TRUE(s.rests);
    EXPECT_LE(s.energy_error, 1e-9);
    // State: velocity of the centre of mass and ω in body axes; place of the centre of mass, angle.
    using State = Eigen::Matrix<double, 6, 1>;
    const auto rate = [&](const State& y) {
      const Motion at{y[0] + y[2] * c.y(), y[1] - y[2] * c.x(), y[2]};
      const Load p = load(slider, at).load;
      const double moment = p.moment - (c.x() * p.fy - c.y() * p.fx);
      State d;
      d << -p.fx / 1.5 + y[2] * y[1], -p.fy / 1.5 - y[2] * y[0], -moment / 0.8,
          std::cos(y[5]) * y[0] - std::sin(y[5]) * y[1],
          std::sin(y[5]) * y[0] + std::cos(y[5]) * y[1], y[2];
      return d;
    };
    State y;
    y << q[0] - q[2] * c.y(), q[1] + q[2] * c.x(), q[2], c.x(), c.y(), 0;
    const int steps = 200000;
    const double dt = s.time_to_rest / steps;
    for (int k = 0; k < steps; ++k) {
      const State k1 = rate(y), k2 = rate(y + dt * k1);
      y += 0.5 * dt * (k1 + k2);
    }
    EXPECT_LE(y.head<3>().norm(), 1e-4);
    const Vec2 o = y.segment<2>(3) - Eigen::Rotation2Dd(y[5]) * c;
    EXPECT_LE((Vec3(o.x(), o.y(), y[5]) - s.rest_pose).norm(), 1e-5) << round;
  }
}

// The load of the final direction is parallel to it in the metric of mass and inertia, or one
// support rests there.
TEST(Slide, FinalDirectionsAreEigenDirections) {
  Random random(8);
  for (int round = 0; round < 200; ++round) {
    std::vector<Support> supports;
    for (int k = 0; k < 5; ++k)
      supports.push_back(point(random.direction(), random.uniform(0.5, 2), disc(0.5)));
    const double inertia = random.decades(-2, 0.5);
    const Slider slider(supports, body_of(1, inertia));
    const Slide s = slide(slider, Motion::of(random.direction3()));
    ASSERT_TRUE(s.rests);
    EXPECT_LE(s.energy_error, 1e-9);
    EXPECT_TRUE(s.stable);
    const Vec3 q = s.final_direction.vector();
    const LoadSet set = load(slider, s.final_direction);
    if (std::isfinite(s.rates[0])) {
      const Vec3 rate(q[0], q[1], inertia * q[2]);
      EXPECT_LE(set.load.vector().normalized().cross(rate.normalized()).norm(), 1e-9) << round;
    } else {
      double slowest = infinity;
      for (const Support& support : slider.supports())
        slowest = std::min(slowest,
                           std::hypot(q[0] - q[2] * support.at.y(), q[1] + q[2] * support.at.x()));
      EXPECT_LE(slowest, 1e-14) << round;
    }
  }
}

// A heavy support at one end: the body ends turning about it.  About the pivot the moment is
// w₂ L, the inertia I + m a², so the last angle and time are those of a pendulum braked uniformly.
TEST(Slide, ADumbbellPivotsAboutItsHeavyEnd) {
  const Slider slider({point({0, 0}, 10, disc(1)), point({1, 0}, 1, disc(1))},
                      body_of(1, 0.1, Vec2(0.1, 0)));
  const double w = 0.5;
  const Slide s = slide(slider, {.vx = 0, .vy = 0, .omega = w});
  const double about = 0.1 + 1 * 0.01;
  EXPECT_NEAR(s.time_to_rest, about * w, 1e-11);
  EXPECT_NEAR(s.rest_pose.z(), 0.5 * about * w * w, 1e-11);
  EXPECT_LE(s.rest_pose.head<2>().norm(), 1e-12);
  EXPECT_EQ(s.final_direction.vx, 0);
  EXPECT_TRUE(std::isinf(s.rates[0]));
  // Thrown from beside it, it is caught by it.
  const Slide caught = slide(slider, {.vx = 0.02, .vy = -0.03, .omega = w});
  EXPECT_LE(std::hypot(caught.final_direction.vx, caught.final_direction.vy), 1e-14);
  EXPECT_LE(caught.energy_error, 1e-9);
}

// A centrifugal force beyond what the pivot holds makes it slip.
TEST(Slide, AFastPivotSlips) {
  const Slider slider({point({0, 0}, 1, disc(1)), point({1, 0}, 0.1, disc(1))},
                      body_of(1, 0.1, Vec2(0.5, 0)));
  const Slide s = slide(slider, {.vx = 0, .vy = 0, .omega = 5});  // m a ω² = 12.5 against 1
  EXPECT_TRUE(s.rests);
  EXPECT_GT(s.rest_pose.head<2>().norm(), 0.1);
  EXPECT_LE(s.energy_error, 1e-9);
}

// Two wheels abreast roll on for ever straight ahead; braked sideways they first lose what is
// across.
TEST(Slide, WheelsRollOnForEver) {
  const Slider cart({point({0, 1}, 1, wheel(0.8, 0.0)), point({0, -1}, 1, wheel(0.8, 0.0))},
                    body_of(1, 1));
  const Slide s = slide(cart, {.vx = 1, .vy = 0.5, .omega = 0});
  EXPECT_FALSE(s.rests);
  EXPECT_TRUE(std::isinf(s.time_to_rest));
  EXPECT_NEAR(s.final_direction.vx, 1, 1e-12);
  EXPECT_NEAR(s.final_direction.vy, 0, 1e-12);
}

// Wheels along a ring that turn one way only do not resist a turn that way: while the rim is faster
// than the centre, ωR ≥ v, all roll and M = 0, F = 2μN/π.  So such a throw ends in a turn for ever,
// and a translation too, since until then the wheels that drag drive the turn; a throw that turns
// the other way rests, as it does on a plain ring, unless it goes much faster than it turns.  200
// single wheels do the same.
TEST(Slide, ARingOfRatchetedWheelsTurnsOnForEverOrRests) {
  std::vector<Support> wheels;
  for (int k = 0; k < 200; ++k) {
    const Direction at = Direction::turn(2 * k + 1, 400);
    wheels.push_back(point(at.unit(), 1.0 / 200, ratchet(1, Direction::turn(2 * k + 101, 400))));
  }
  const Slider slider({ring({0, 0}, 1, 1, ratchet(1, 0.0), true)}, body_of(1, 1));
  for (const Vec3& v : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 1), Vec3(1, 0, -1), Vec3(0, 0, 1),
                        Vec3(0, 0, -1), Vec3(1, 1, 0.01), Vec3(1, 0, -0.9), Vec3(1, 0, -0.5)}) {
    const Slide s = slide(slider, Motion::of(v), {.samples = 2});
    const Regularised expected = regularised(wheels, v, 4, 1e-3);
    EXPECT_LE(s.energy_error, 1e-10) << v.transpose();
    EXPECT_LE(s.steps, 2000) << v.transpose();
    EXPECT_EQ(s.rests, expected.time < 4) << v.transpose();
    if (s.rests) {
      EXPECT_NEAR(s.time_to_rest, expected.time, 0.02) << v.transpose();
      continue;
    }
    EXPECT_EQ(s.reason, "it does not come to rest");
    EXPECT_LE((s.final_direction.vector() - Vec3::UnitZ()).norm(), 1e-12) << v.transpose();
    const Motion last = s.trajectory.back().motion;
    EXPECT_LE((last.vector() - expected.motion).norm(), 2e-3) << v.transpose();
  }
  // In the free cone ω stays and v falls by 2/π a second.
  const Slide free = slide(slider, {1, 0, 1.5}, {.samples = 2});
  EXPECT_NEAR(free.trajectory.back().motion.omega, 1.5, 1e-11);
  EXPECT_NEAR(free.rest_pose.x(), std::numbers::pi / 4, 1e-9);
}

TEST(Slide, ARingOfRatchetedWheelsIsThrownAtAnySpeed) {
  const Slider slider({ring({0, 0}, 1, 1, ratchet(1, 0.0), true)}, body_of(1, 1));
  for (const Vec3& v : {Vec3(1, 0, 0), Vec3(1, 1, 0.01), Vec3(1, 0, -0.5), Vec3(1, 0, -0.9)}) {
    const Slide one = slide(slider, Motion::of(v), {.samples = 2});
    for (const double k : {1e-9, 1e3, 1e6, 1e12, 1e100}) {
      const Slide s = slide(slider, Motion::of(k * v), {.samples = 2});
      EXPECT_LE(s.steps, 2 * one.steps) << k;
      ASSERT_EQ(s.reason, one.reason) << k;
      EXPECT_NEAR(s.final_direction.omega, one.final_direction.omega, 1e-9) << k;
      EXPECT_NEAR(s.trajectory.back().motion.omega / k, one.trajectory.back().motion.omega, 1e-8);
    }
  }
}

// Wheels that hold only backwards and never across leave a throw in which all roll to itself: it
// glides straight on and turns, so that in its own axes no direction is the last.
TEST(Slide, WhatGlidesAndTurnsForEverHasNoLastDirection) {
  const Slider slider({ring({0, 0}, 1, 1, ratchet_free(1, 0.0), true)}, body_of(1, 1));
  const Slide s = slide(slider, {0.5, 0, 1});
  EXPECT_FALSE(s.rests);
  EXPECT_EQ(s.reason, "it does not come to rest");
  EXPECT_TRUE(s.final_direction.vector().isZero(0));
}

// Many turns of a body that is not alike all around take many steps each: too many are seen in the
// first of them.
TEST(Slide, SeesSoonThatItTurnsTooOften) {
  const Slider slider({polygon_support({{-1, -0.5}, {1, -0.5}, {1, 0.5}}, {}, 2, wheel(0.6, 0.0)),
                       point({0.6, -0.7}, 0.3, disc(0.2))},
                      body_of(1.3, 0.3));
  for (const double k : {1e5, 1e9, 1e100}) {
    const Slide s = slide(slider, {.vx = k, .vy = 0, .omega = k});
    EXPECT_NE(s.reason.find("not followed"), std::string::npos) << s.reason;
    EXPECT_LE(s.steps, 1000) << k;
  }
}

// Wheels all along a line that roll across it are one wheel: the slip along the line is the same
// everywhere.
TEST(Slide, ALineOfWheelsAcrossItIsOneWheel) {
  Random random(12);
  for (int i = 0; i < 20; ++i) {
    const double angle = random.uniform(0, 6);
    const Vec2 along(-std::sin(angle), std::cos(angle)), from(0.2, 0.1);
    const LimitCurve law =
        i % 2 == 0 ? wheel(0.6, angle) : ratchet_free(0.6, angle + std::acos(0.0));
    const Support foot = point({0.3, -0.4}, 0.3, disc(0.3));
    const Motion start = Motion::of(random.direction3());
    const Slide line =
        slide(Slider({segment(from, from + 0.8 * along, 1, law), foot}, body_of(1, 0.5)), start);
    const Slide wheel = slide(Slider({point(from, 1, law), foot}, body_of(1, 0.5)), start);
    EXPECT_EQ(line.reason, wheel.reason) << i;
    EXPECT_TRUE(line.rests || line.reason == "it does not come to rest") << i;
    EXPECT_LE(line.steps, 5000) << i;
    EXPECT_LE((line.final_direction.vector() - wheel.final_direction.vector()).norm(), 1e-8) << i;
    if (!line.rests) continue;
    EXPECT_NEAR(line.time_to_rest, wheel.time_to_rest, 1e-8 * wheel.time_to_rest) << i;
    EXPECT_LE((line.rest_pose - wheel.rest_pose).norm(), 1e-8) << i;
  }
}

// A wheel ahead that drags behind a skidding tail: locks on a blade, energy still closes.
TEST(Slide, ASkateBesideAFrictionPadStopsOnItsBlade) {
  const Slider sled({point({0, 0}, 5, wheel(1, 0.0)), point({0.2, 0}, 1, disc(0.3))},
                    body_of(1, 0.2));
  const Slide s = slide(sled, {.vx = 1, .vy = 0.3, .omega = 0.2});
  EXPECT_TRUE(s.rests);
  EXPECT_NEAR(s.final_direction.vy, 0, 1e-12);
  EXPECT_LE(s.energy_error, 1e-9);
}

// Laws with flats: box friction on four feet, thrown at random.
TEST(Slide, FlatLawsCloseTheirEnergyToo) {
  Random random(9);
  for (int round = 0; round < 10; ++round) {
    std::vector<Support> supports;
    for (const Vec2& at : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)})
      supports.push_back(
          point(at, random.uniform(0.5, 2), round % 2 == 0 ? box(0.4) : ngon(0.4, 8)));
    const Slider slider(supports, body_of(1, 0.5, Vec2(0.1, 0)));
    const Slide s = slide(slider, Motion::of(random.direction3()));
    EXPECT_TRUE(s.rests);
    EXPECT_LE(s.energy_error, 1e-9) << round;
  }
}

// Every support with an extent beside a foot, under laws in turn, thrown at random.
TEST(Slide, EnergyClosesForEverySupport) {
  Random random(11);
  Eigen::MatrixXd pressures(2, 3);
  pressures << 1, 2, 0, 0.5, 0.25, 3;
  const std::vector<LimitCurve> laws{disc(0.4),         ellipse(0.6, 0.3, 0.4),
                                     wheel(0.6, 0.3),   rusty_wheel(0.6, 0.2, 0.3),
                                     ratchet(0.5, 1.0), box(0.4),
                                     ngon(0.4, 7)};
  for (std::size_t round = 0; round < 27; ++round) {
    const LimitCurve& c = laws[round % laws.size()];
    const std::vector<Support> shapes{
        segment({-0.4, 0.1}, {0.7, 0.3}, 2, c),
        polygon_support({{-1, -0.5}, {1, -0.5}, {0.5, 0.5}, {-1, 0.8}}, {}, 2, c),
        disc_support({0.1, 0.2}, 0.8, 2, c),
        disc_support({0.1, 0.2}, 0.8, 2, c, Support::Pressure::hertz),
        disc_support({0.1, 0.2}, 0.8, 2, c, Support::Pressure::boussinesq),
        annulus({-0.1, 0.2}, 0.8, 0.3, 2, c),
        ring({0.3, -0.2}, 0.7, 2, c),
        ring({0.3, -0.2}, 0.7, 2, c, true),
        grid({-0.5, -0.5}, 0.4, pressures, c)};
    const Slider slider({shapes[round % shapes.size()], point({0.6, -0.7}, 0.3, disc(0.2))},
                        body_of(1.3, 0.3, 0.1 * random.direction()));
    const Vec3 q = random.direction3();
    const Slide s = slide(slider, {q[0], q[1], 3 * q[2]});
    EXPECT_TRUE(s.rests) << round;
    EXPECT_LE(s.energy_error, 1e-9) << round;
    EXPECT_LT(s.steps, 20000) << round;
  }
}

// An area of skates comes to glide along them without turning, in finite time: from there on its
// foot alone brakes it.  Plain stepping in time chatters about that motion and stays near it.
TEST(Slide, AnAreaOfSkatesStopsTurningAndGlides) {
  const double mu = 0.2, N = 0.3, m = 1.3;
  const Vec2 foot(0.0, 0.0);
  const Slider slider(
      {polygon_support({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, {}, 2, wheel(0.6, 0.0)),
       point(foot, N, disc(mu))},
      body_of(m, 0.3, Vec2(0, 0)));
  const Motion start{.vx = 1, .vy = 0.4, .omega = 0.8};
  const Slide s = slide(slider, start, {.samples = 200});
  EXPECT_TRUE(s.rests);
  EXPECT_LE(s.energy_error, 1e-9);
  EXPECT_NEAR(std::abs(s.final_direction.vx), 1, 1e-12);
  EXPECT_NEAR(s.final_direction.omega, 0, 1e-12);
  const SlideSample& half = s.trajectory[100];  // glides by then
  EXPECT_LE(std::abs(half.motion.omega) + std::abs(half.motion.vy), 1e-12);
  EXPECT_NEAR(half.motion.vx, mu * N / m * (s.time_to_rest - half.time), 1e-9);
  Vec3 v(start.vx, start.vy, start.omega), pose = Vec3::Zero();
  const double dt = 2e-5;
  double time = 0;
  for (; v.norm() > 1e-3 && time < 60; time += dt) {
    const Load p = load(slider, Motion::of(v)).load;
    const Vec3 rate(-p.fx / m + v[2] * v[1], -p.fy / m - v[2] * v[0], -p.moment / 0.3);
    pose += dt * Vec3(std::cos(pose[2]) * v[0] - std::sin(pose[2]) * v[1],
                      std::sin(pose[2]) * v[0] + std::cos(pose[2]) * v[1], v[2]);
    v += dt * rate;
  }
  EXPECT_NEAR(time, s.time_to_rest, 0.05);
  EXPECT_LE((pose - s.rest_pose).norm(), 5e-3);
}

TEST(Slide, DoesNotDependOnUnits) {
  const auto thrown = [](double metre, double second, double kilogram) {
    const double newton = kilogram * metre / second / second;
    std::vector<Support> supports = {point(metre * Vec2(0, 0), 3 * newton, disc(0.5)),
                                     point(metre * Vec2(1, 0.2), 2 * newton, disc(0.5)),
                                     point(metre * Vec2(0.3, 0.9), 4 * newton, disc(0.4))};
    const Slider slider(supports,
                        body_of(kilogram, 0.3 * kilogram * metre * metre, metre * Vec2(0.4, 0.4)));
    const double speed = metre / second;
    Slide s = slide(slider, {.vx = speed, .vy = -0.4 * speed, .omega = 2 / second});
    s.time_to_rest /= second;
    s.rest_pose.head<2>() /= metre;
    return s;
  };
  const Slide si = thrown(1, 1, 1);
  for (const double size : {1e-6, 1e3, 1e9}) {
    const Slide other = thrown(size, 1 / size, size * size);
    EXPECT_NEAR(other.time_to_rest, si.time_to_rest, 1e-9 * si.time_to_rest);
    EXPECT_LE((other.rest_pose - si.rest_pose).norm(), 1e-9 * si.rest_pose.norm());
  }
}

TEST(Slide, SamplesFollowTheThrowFromStartToRest) {
  SliderBody body = body_of(1, 0.02);
  body.reference = {0.1, 0};
  const Slider slider(points_on_ring(5, 0.2, 10, 0.3), body);
  const Motion start{.vx = 1, .vy = 0.2, .omega = 8};
  const Slide s = slide(slider, start, {.samples = 2001});
  ASSERT_EQ(s.trajectory.size(), 2001U);
  EXPECT_LE((s.trajectory[0].motion.vector() - start.vector()).norm(), 1e-12);
  EXPECT_LE(s.trajectory[0].pose.norm(), 1e-15);
  EXPECT_LE((s.trajectory.back().pose - s.rest_pose).norm(), 1e-12);
  EXPECT_LE(s.trajectory.back().motion.vector().norm(), 1e-9);
  // The pose is the integral of the motion turned into the starting axes.
  Vec3 sum = Vec3::Zero();
  const auto world = [](const SlideSample& sample) {
    const Vec2 v = Eigen::Rotation2Dd(sample.pose[2]) * Vec2(sample.motion.vx, sample.motion.vy);
    return Vec3(v.x(), v.y(), sample.motion.omega);
  };
  for (std::size_t k = 1; k < s.trajectory.size(); ++k)
    sum += 0.5 * (s.trajectory[k].time - s.trajectory[k - 1].time) *
           (world(s.trajectory[k]) + world(s.trajectory[k - 1]));
  EXPECT_LE((sum - s.rest_pose).norm(), 1e-5);
}

TEST(Slide, NeedsMassAndInertia) {
  const auto message = [](const SliderBody& body) {
    try {
      slide(Slider({point({0, 0}, 1, disc(1)), point({1, 0}, 1, disc(1))}, body), {.vx = 1});
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(body_of({}, 1)).find("mass"), std::string::npos);
  EXPECT_NE(message(body_of(1, {})).find("inertia"), std::string::npos);
  EXPECT_EQ(message(body_of(1, 1)), "");
}

}  // namespace
}  // namespace stiction::testing
