// SPDX-License-Identifier: Apache-2.0
//
// Wedges of motions of supports with an extent whose laws have flats, with their answers on paper.
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/slider_motion.h"

namespace stiction::testing {
namespace {

// Wheels along a ring of radius 1 carry forces across it alone, (v·n / |v·n|) n: all motions with
// the centre's velocity along x have the load (2/π, 0, 0).  Ratchets, which hold one way, add no
// force as long as none runs back: ω ≥ |v|, up to turning on the spot.
TEST(MotionOfALoad, ARingOfWheelsHasAWedge) {
  const Slider wheels{ring({0, 0}, 1, 1, wheel(1, 0.0), true)};
  const MotionSet any = motion(wheels, {.fx = 0.1, .fy = 0, .moment = 0});
  EXPECT_NEAR(any.gauge, 0.1 / (2 / std::numbers::pi), 1e-14);
  ASSERT_EQ(any.wedge.size(), 2U);
  for (const Motion& m : any.wedge) EXPECT_NEAR(std::abs(m.omega), 1, 1e-12);
  EXPECT_LT(any.wedge[0].omega * any.wedge[1].omega, 0);

  const Slider ratchets{ring({0, 0}, 1, 1, ratchet(1, 0.0), true)};
  const MotionSet set = motion(ratchets, {.fx = 0.1, .fy = 0, .moment = 0});
  EXPECT_NEAR(set.gauge, 0.1 / (2 / std::numbers::pi), 1e-14);
  EXPECT_FALSE(set.unique);
  ASSERT_EQ(set.wedge.size(), 2U);
  const bool swapped = std::abs(set.wedge[0].vx) < std::abs(set.wedge[1].vx);
  const Motion &turn = set.wedge[swapped ? 0 : 1], &roll = set.wedge[swapped ? 1 : 0];
  EXPECT_NEAR(roll.vx, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(roll.omega, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(turn.vx, 0, 1e-12);
  EXPECT_NEAR(turn.omega, 1, 1e-12);
  for (const Motion& m : set.wedge) EXPECT_NEAR(m.vy, 0, 1e-12);
}

// Wheels along y that roll along it carry forces along x: ±½ N above and below the place on their
// line about which they turn, whatever the centre's x.  A moment alone is that of turns about the
// middle, or of places as high as that, up to rolling straight on.
TEST(MotionOfALoad, ALineOfWheelsTurnsInLineWithItsMiddle) {
  const Slider wheels{segment({1, 3}, {1, 0}, 0.5, wheel(0.2, Direction::degrees(90)))};
  const MotionSet set = motion(wheels, {.fx = 0, .fy = 0, .moment = -0.1 * 0.75});
  EXPECT_NEAR(set.gauge, 1, 1e-14);
  ASSERT_EQ(set.wedge.size(), 2U);
  for (const Motion& m : set.wedge) EXPECT_EQ(m.vector().cwiseAbs(), Vec3(0, 1, 0));
  EXPECT_EQ(set.wedge[0].vy, -set.wedge[1].vy);
  EXPECT_NEAR(set.motion.vx / set.motion.omega, 1.5, 1e-14);
}

// Under a box a line turned about its middle carries ±μN/2 across on either side, and no more of it
// along: a moment alone has that motion only, however the line lies to the box.
TEST(MotionOfALoad, ALineUnderABoxTurnsAboutItsMiddleOnly) {
  for (const double y : {0.0, 1e-8, 1e-2, 0.3}) {
    const Slider line{segment({0, 0}, {1, y}, 1, box(0.5))};
    const MotionSet set = motion(line, {.fx = 0, .fy = 0, .moment = 0.125 * (1 + y)});
    EXPECT_NEAR(set.gauge, 1, 1e-14) << y;
    EXPECT_TRUE(set.unique) << y;
    ASSERT_TRUE(set.rotation_centre) << y;
    EXPECT_LE((*set.rotation_centre - Vec2(0.5, 0.5 * y)).norm(), 1e-14) << y;
  }
}

// A plate on [−1, 1]², |f_x|, |f_y| ≤ 1.  Turning with ω about (x_c, ω/2) with x_c ≤ −1 draws the
// part below y = ½ to the right, that above to the left and all of it upwards:
//   F = (¾ − ¼, 1), M = −∫ y f_x = ½ (∫ of −y below + ∫ of y above) = ⅜.
// The load tells the line y = ½ alone: v_x = ω/2 and v_y ≥ ω, up to a translation.
TEST(MotionOfALoad, APlateUnderABoxHasAWedge) {
  const Slider plate{polygon_support({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}, 1, box(1))};
  const MotionSet set = motion(plate, {.fx = 0.5, .fy = 1, .moment = 0.375});
  EXPECT_EQ(set.state, MotionSet::State::slip);
  EXPECT_NEAR(set.gauge, 1, 1e-14);
  EXPECT_NEAR(set.motion.vx, set.motion.omega / 2, 1e-12);
  EXPECT_FALSE(set.unique);
  ASSERT_EQ(set.wedge.size(), 2U);
  const bool swapped = set.wedge[0].omega < set.wedge[1].omega;
  const Motion &turn = set.wedge[swapped ? 1 : 0], &straight = set.wedge[swapped ? 0 : 1];
  EXPECT_NEAR(turn.vx / turn.omega, 0.5, 1e-12);
  EXPECT_NEAR(turn.vy / turn.omega, 1, 1e-12);
  EXPECT_NEAR(straight.vx, 0, 1e-12);
  EXPECT_NEAR(straight.vy, 1, 1e-12);
  EXPECT_NEAR(straight.omega, 0, 1e-12);
}

}  // namespace
}  // namespace stiction::testing
