// SPDX-License-Identifier: Apache-2.0
//
// Throws of segments whose law has a flat along them: turned about any place in line with them they
// push across with all of their friction, and along with as much as holds them there.
#include <gtest/gtest.h>

#include "slider/thrown.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// A box holds the segment on [−1, 1] from slipping along itself as long as ω v_y ≤ μN/m, for the
// body's axes turn.  Until it turns about its end, at v_y = ω, the push across is μN and has no
// moment: v_y falls evenly and ω stays.
TEST(Slide, ASegmentAlongAFlatOfItsLawSlipsAcross) {
  const Slider slider({segment({-1, 0}, {1, 0}, 10, box(0.5))}, body_of(1, 1. / 3));
  const Slide s = slide(slider, {0, 4, 1}, {.samples = 400});
  ASSERT_TRUE(s.rests);
  EXPECT_LE(s.energy_error, 1e-11);
  EXPECT_LE(s.steps, 2000);
  int even = 0;
  for (const SlideSample& sample : s.trajectory) {
    EXPECT_NEAR(sample.motion.vx, 0, 1e-11) << sample.time;
    if (sample.time > 0.6) continue;
    ++even;
    EXPECT_NEAR(sample.motion.vy, 4 - 5 * sample.time, 1e-10) << sample.time;
    EXPECT_NEAR(sample.motion.omega, 1, 1e-10) << sample.time;
    EXPECT_NEAR(sample.pose[2], sample.time, 1e-10);
  }
  EXPECT_GT(even, 100);
}

// As segments and points on a lattice, in line with laws that resist both ways.
TEST(Slide, SegmentsAlongFlatsOfTheirLawsComeToRest) {
  constexpr Law::Curve curves[] = {Law::Curve::rusty_wheel, Law::Curve::box, Law::Curve::scaled_box,
                                   Law::Curve::ngon_out};
  Random random(1);
  const auto place = [&]() -> Vec2 {
    const double x = 0.5 * random.integer(-2, 2);
    return {x, 0.5 * random.integer(-2, 2)};
  };
  const auto curve = [&](int turn) {
    Law law = random.law(static_cast<int>(curves[random.integer(0, 3)]), -0.5, 0.5);
    law.sides = 4 * random.integer(1, 3);
    law.angle_deg = turn * random.integer(0, 7);
    return limit_curve(law);
  };
  for (int i = 0; i < 400; ++i) {
    std::vector<Support> supports;
    for (int k = 0, count = random.integer(1, 2); k < count; ++k) {
      const Vec2 at = place(), along = Direction::degrees(90 * random.integer(0, 3)).unit();
      const double length = random.uniform(0.3, 1.5), force = random.uniform(0.2, 1);
      supports.push_back(segment(at, at + length * along, force, curve(90)));
    }
    for (int k = 0, count = random.integer(0, 2); k < count; ++k) {
      const Vec2 at = place();
      const double force = random.uniform(0.1, 0.6);
      supports.push_back(point(at, force, curve(45)));
    }
    const double mass = random.uniform(0.05, 0.3), square = random.uniform(0.2, 1);
    const Slider slider(supports, body_of(mass, mass * square));
    const Vec3 way = random.direction3();
    const double speed = random.decades(-0.5, 0.8);
    const Slide s = slide(slider, Motion::of(speed * way), {.maximum_steps = 20000});
    EXPECT_TRUE(s.rests) << i << ": " << s.reason;
    EXPECT_LE(s.energy_error, 1e-9) << i;
  }
}

}  // namespace
}  // namespace stiction::testing
