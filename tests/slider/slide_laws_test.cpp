// SPDX-License-Identifier: Apache-2.0
//
// Throws of points under laws with flats and vertices: the flow bends where the next part of a law
// takes over, and jumps across flats, along which the motion may then be held.
#include <gtest/gtest.h>

#include "slider/thrown.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// A wheel and a rusty wheel, turning 29 times.  In every turn slips come to both sides of each flat
// and to both ends of each arc; steps across those, however short, are worse than their tolerance.
TEST(Slide, IsOfOneAccuracyAcrossThePartsOfLaws) {
  const Slider slider({point({-0.2, 0.3}, 30, wheel(0.8, Direction::degrees(5))),
                       point({-0.2, -0.3}, 30, rusty_wheel(0.8, 0.1, 0.0))},
                      body_of(12, 0.9, Vec2(0.05, 0.01)));
  const Motion fast{30, 0, 30};
  const Slide coarse = slide(slider, fast), fine = slide(slider, fast, {.tolerance = 1e-13});
  ASSERT_TRUE(coarse.rests && fine.rests);
  EXPECT_NEAR(coarse.time_to_rest, fine.time_to_rest, 1e-10 * fine.time_to_rest);
  EXPECT_LE((coarse.rest_pose - fine.rest_pose).norm(), 1e-10 * fine.rest_pose.norm());
  EXPECT_LE(coarse.steps, 2500);
}

// On a lattice, in line with their laws: a motion that is held on one flat comes to others, and
// goes on along these; kinks of several supports meet, and what one sends back the other must let
// go; beside tips that all but hold the direction stays for long.
TEST(Slide, PointsInLineWithTheirLawsComeToRest) {
  for (const unsigned seed : {1U, 101U, 102U, 103U, 203U}) {
    Random random(seed);
    for (int i = 0; i < 600; ++i) {
      std::vector<Support> supports;
      for (int k = 0, count = random.integer(2, 5); k < count; ++k) {
        const double x = 0.5 * random.integer(-2, 2), y = 0.5 * random.integer(-2, 2);
        Law law = random.law(random.integer(0, law_kinds - 1), -0.5, 0.5);
        law.angle_deg = 45 * random.integer(0, 7);
        supports.push_back(point({x, y}, random.uniform(0.1, 1), limit_curve(law)));
      }
      const double mass = random.uniform(0.05, 0.3), square = random.uniform(0.2, 1);
      const Slider slider(supports, body_of(mass, mass * square));
      const Slide s = slide(slider, Motion::of(random.decades(-0.5, 1) * random.direction3()),
                            {.maximum_steps = 20000});
      EXPECT_TRUE(s.rests || s.reason == "it does not come to rest")
          << seed << ", " << i << ": " << s.reason;
      EXPECT_LE(s.energy_error, 1e-9) << seed << ", " << i;
    }
  }
}

}  // namespace
}  // namespace stiction::testing
