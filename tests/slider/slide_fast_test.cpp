// SPDX-License-Identifier: Apache-2.0
//
// Fast throws: followed at any speed where the body is alike all around, else as far as steps go.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "slider/thrown.h"

namespace stiction::testing {
namespace {

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

}  // namespace
}  // namespace stiction::testing
