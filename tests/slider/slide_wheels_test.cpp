// SPDX-License-Identifier: Apache-2.0
//
// Free sliding on wheels, ratchets and laws with flats: what holds, glides, turns back, rolls on.
#include <gtest/gtest.h>

#include <numbers>

#include "slider/thrown.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

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

// Wheels that hold only backwards and never across leave a throw in which all roll to itself: it
// glides straight on and turns, so that in its own axes no direction is the last.
TEST(Slide, WhatGlidesAndTurnsForEverHasNoLastDirection) {
  const Slider slider({ring({0, 0}, 1, 1, ratchet_free(1, 0.0), true)}, body_of(1, 1));
  const Slide s = slide(slider, {0.5, 0, 1});
  EXPECT_FALSE(s.rests);
  EXPECT_EQ(s.reason, "it does not come to rest");
  EXPECT_TRUE(s.final_direction.vector().isZero(0));
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

}  // namespace
}  // namespace stiction::testing
