// SPDX-License-Identifier: Apache-2.0
//
// Free sliding: closed forms, limits, energy, units.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "slider/thrown.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

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
