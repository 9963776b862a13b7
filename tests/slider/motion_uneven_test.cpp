// SPDX-License-Identifier: Apache-2.0
//
// Loads of points of which some carry ten thousand times as much as others: what the weak ones say
// of the motion is the last digits of the load.
#include "slider/motion_back.h"

namespace stiction::testing {
namespace {

Slider uneven_points(Random& random) {
  const double size = random.decades(-3, 3), force = random.decades(-3, 3);
  std::vector<Support> supports;
  for (int k = 0, count = random.integer(2, 6); k < count; ++k) {
    const Vec2 at = size * random.direction();
    const double strength = force * random.decades(-4, 0);
    const Law law = random.law(random.integer(0, law_kinds - 1), -0.7, 0.7);
    supports.push_back(point(at, strength, limit_curve(law)));
  }
  return Slider(supports);
}

// What rounding of the load and of the slips' terms may make of H − P·Q.
double rounded_work(const Slider& slider, const Load& load, const Motion& m) {
  double terms =
      std::abs(load.fx * m.vx) + std::abs(load.fy * m.vy) + std::abs(load.moment * m.omega);
  for (const Support& support : slider.supports())
    terms += support.normal_force * support.curve.circumscribed_radius() *
             (std::hypot(m.vx, m.vy) + std::abs(m.omega) * support.at.norm());
  return 2 * rounding * terms;
}

TEST(MotionOfALoad, HasThePowerOfItsWorkWhereStrengthsDiffer) {
  Random random(1);
  for (int i = 0; i < 40000; ++i) {
    const Slider slider = uneven_points(random);
    Motion from = Motion::of(random.direction3());
    from.omega /= slider.length_scale();
    const Vec2 at = slider.supports()[0].at;
    if (i % 3 == 0) from = {at.y(), -at.x(), 1};
    if (i % 3 == 1) from.omega = 0;
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    const Load load = any_load(random, loads);
    const MotionSet set = motion(slider, load);
    expect_proven(slider, load, set, i);
    const double power = stiction::load(slider, set.motion).power;
    EXPECT_LE(std::abs(power - load.vector().dot(set.motion.vector())),
              1e-12 * power + rounded_work(slider, load, set.motion))
        << i;
  }
}

// A load of the vertices of both, where one carries next to everything that resists and a third
// has no friction.  The descent along creases ends far away; the cuts that take over leave a
// cone of almost half a turn and almost no width.
TEST(MotionOfALoad, IsFoundInAConeOfHalfATurn) {
  const LimitCurve four = polygon({{-4.6341657917583898, -1.4307509980146635},
                                   {4.4594181252757705, -1.906864176543666},
                                   {3.3039223838332448, 3.5505827529335612},
                                   {-2.7389195280172283, 4.002606753463235}});
  const Slider slider{
      point({-56.691328410210659, 122.01378504687325}, 0.37541143620016398, free_curve()),
      point({46.602426827376078, -126.21206072391817}, 0.032008019539664631, four),
      point({-105.14725103670001, 83.936440583361275}, 4.471287066978364e-05,
            box(0.44389410495368364))};
  const Motion from{-0.5947070469324508, 0.71869046107659007, 0.0049806975306427468};
  const LoadSet loads = load(slider, from);
  expect_back(slider, from, loads, loads.load, 0);
}

}  // namespace
}  // namespace stiction::testing
