// SPDX-License-Identifier: Apache-2.0
//
// Loads of motions about a place, where its supports rest, and next to it, where the slip and the
// force with it turn within tiny parts of the motion.
#include "slider/motion_back.h"

namespace stiction::testing {
namespace {

void expect_back_from(const std::vector<Support>& supports, const Motion& from, const Load& load) {
  const Slider slider(supports);
  expect_back(slider, from, stiction::load(slider, from), load, 0);
}

// Two laws with arcs at one place, others on a lattice, all in line with the axes of their laws.
Slider two_laws_at_one_place(Random& random) {
  const int count = random.integer(2, 6);
  const double size = random.decades(-3, 3), force = random.decades(-3, 3);
  constexpr Law::Curve curved[] = {Law::Curve::disc, Law::Curve::ellipse, Law::Curve::rusty_wheel,
                                   Law::Curve::ratchet};
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k) {
    Law law = random.law(random.integer(0, law_kinds - 1), -0.5, 0.5);
    if (k < 2) law.curve = curved[random.integer(0, 3)];
    law.angle_deg = 45 * random.integer(0, 7);
    if (random.integer(0, 1) == 0) law.mu = 0.5, law.mu2 = 0.25, law.bearing = 0.2;
    const double x = 0.5 * random.integer(-2, 2), y = 0.5 * random.integer(-2, 2);
    Vec2 at = size * Vec2(x, y);
    if (k == 1) at = supports[0].at;
    supports.push_back(point(at, force * random.uniform(0.1, 1), limit_curve(law)));
  }
  return Slider(supports);
}

// A translation whose load turns about the place have too: there both laws rest, and how they share
// their force is told by the direction in which both are at their farthest.
TEST(MotionOfALoad, HoldsWedgesThatEndWhereTwoCurvedLawsRest) {
  Random random(3);
  for (int i = 0; i < 30000; ++i) {
    const Slider slider = two_laws_at_one_place(random);
    Vec2 v = random.direction();
    if (i % 4 > 0) v = Direction::degrees(45 * random.integer(0, 7)).unit();
    Motion from{v.x(), v.y(), 0};
    if (i % 3 == 0) {
      const double turn = i % 2 == 0 ? 1 : -1;
      const Vec2 at = slider.supports()[0].at;
      from = {turn * at.y(), -turn * at.x(), turn};
    }
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    expect_back(slider, from, loads, any_load(random, loads), i);
  }
}

// In turns about (x, 0) what is at (−a, 0) slips along y, the pyramid at (2a, −2a) by 2a ω along x
// and (2a − x) ω along y: more of it, and upwards, if ω > 0 and x is below −a, or ω < 0 and x is
// beyond 4a.  All these, by way of the translation, have the load of the pyramid's vertex w₁ = ¼,
// of the top w₂ = 0.1 of the disc, and of the half disc's flat across y, here of its middle.
TEST(MotionOfALoad, HoldsTheWedgeWhereADiscIsBesideAFlat) {
  const double a = 3, w1 = 0.25, w2 = 0.1;
  const Slider slider{point({-a, 0}, 0.3, ratchet(0.5, Direction::degrees(90))),
                      point({-a, 0}, 0.25, disc(0.4)), point({2 * a, -2 * a}, 0.5, pyramid(0.5))};
  const MotionSet set = motion(slider, {0, w1 + w2, w1 * 2 * a - w2 * a});
  EXPECT_NEAR(set.gauge, 1, 1e-14);
  ASSERT_EQ(set.wedge.size(), 2U);
  const bool swapped = set.wedge[0].omega < set.wedge[1].omega;
  const Motion &left = set.wedge[swapped ? 1 : 0], &right = set.wedge[swapped ? 0 : 1];
  EXPECT_NEAR(left.vx, 0, 1e-12);
  EXPECT_NEAR(right.vx, 0, 1e-12);
  EXPECT_NEAR(left.vy / left.omega, a, 1e-9);
  EXPECT_NEAR(right.vy / right.omega, -4 * a, 1e-9);
}

// The load of a turn beside a place is next to the rim of its facet, and steep: at a distance δ
// from the place, its force turns by one over δ.
TEST(MotionOfALoad, IsProvenNextToThePlaceOfAPoint) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const int count = random.integer(2, 4);
    const double size = random.decades(-3, 3);
    std::vector<Support> supports;
    for (int k = 0; k < count; ++k) {
      Vec2 at = random.uniform(0, size) * random.direction();
      if (k == 1 && i % 3 == 0) at = supports[0].at;
      const Law law = random.law(i % 5, -0.5, 0.5);
      supports.push_back(point(at, random.uniform(0.1, 1), limit_curve(law)));
    }
    const Slider slider(supports);
    const double turn = random.integer(0, 1) == 0 ? 1 : -1;
    const double off = size * random.decades(-12, -2);
    const Vec2 centre = supports[0].at + off * random.direction();
    const Motion from{turn * centre.y(), -turn * centre.x(), turn};
    const Load load = stiction::load(slider, from).load;
    const MotionSet set = motion(slider, load);
    expect_proven(slider, load, set, i);
    EXPECT_NEAR(set.gauge, 1, 1e-12) << i;
  }
}

// Turned about a place 5e-8 beside the first, whose arc tells the direction; the fourth is then as
// much off a flat of its law, to which it slips normal in turns about the first itself.
TEST(MotionOfALoad, IsProvenBesideAPlaceThroughWhichCreasesPass) {
  const double a = 0.70368054251813306;
  const Slider slider{point({a, -a}, 0.21470263936293355, rusty_wheel(0.6, 0.2, 0.0)),
                      point({a, 0}, 0.90729917662337611, ngon(0.3084087107220761, 7)),
                      point({-a, -a}, 0.79328746474304979, ellipse(0.6, 0.3)),
                      point({-2 * a, -a}, 0.33722831010925131, box(0.52056367944816129)),
                      point({0, 0}, 0.32074222001273445, wheel(0.6, Direction::degrees(45)))};
  const Motion from{-0.70368055664194573, -0.70368049664933718, 1};
  const Load load = stiction::load(slider, from).load;
  const MotionSet set = motion(slider, load);
  expect_proven(slider, load, set, 0);
  EXPECT_LE(set.certificate.distance, 1e-13);
  EXPECT_LE(distance_to(slider, set, from), 1e-13);
}

// On a lattice, turned about one of the points: that rests to the last bit, so that the loads of
// the very motion found, not of one beside it, hold the load sought.
TEST(MotionOfALoad, TurnsAboutThePlaceOfAPointExactly) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const double size = random.decades(-3, 3);
    std::vector<Support> supports;
    for (int k = 0, count = random.integer(2, 6); k < count; ++k) {
      const double x = 0.5 * random.integer(-2, 2), y = 0.5 * random.integer(-2, 2);
      const Law law = random.law(random.integer(0, law_kinds - 1), -0.5, 0.5);
      supports.push_back(point(size * Vec2(x, y), random.uniform(0.1, 1), limit_curve(law)));
    }
    supports[0].curve = pyramid(0.5);
    const Slider slider(supports);
    const Vec2 at = supports[0].at;
    const LoadSet loads = load(slider, {at.y(), -at.x(), 1});
    if (!(loads.power > 1e-6 * slider.normal_force() * size)) continue;
    // Inside the facet: this and no other motion has it.
    const MotionSet set = motion(slider, loads.load);
    if (!set.unique) continue;
    const LoadSet back = load(slider, set.motion);
    EXPECT_TRUE(std::any_of(back.terms.begin(), back.terms.end(), [](const FaceTerm& term) {
      return term.support == 0 && term.kind == FaceTerm::Kind::polygon;
    })) << i;
    ASSERT_TRUE(set.rotation_centre) << i;
    EXPECT_EQ(*set.rotation_centre, at) << i;
  }
}

// At rest on the second disc, the others would leave it a force that is 3e-8 of it too long.
TEST(MotionOfALoad, IsProvenWhereNewtonsMethodPassesThePoint) {
  const Motion from{-13.131687651064658, -20.98250435279715, -1};
  const Slider slider{point({-35.573163115678831, 0.64580662793572929}, 75.911969416145126,
                            disc(0.89028976063445653)),
                      point({-20.982503895591865, 13.131687283251829}, 44.823991437463427,
                            disc(0.25395107428989483))};
  const Load load{-51.076631222458722, 42.479496287670798, -1518.4642956378225};
  const MotionSet set = motion(slider, load);
  EXPECT_LE(set.certificate.distance, 1e-13);
  // The centre is 5.9e-7 m from the disc; a load that is rounded by 1e-16 of it moves it by 1e-15.
  const Vec2 centre(-set.motion.vy / set.motion.omega, set.motion.vx / set.motion.omega);
  EXPECT_LE((centre - Vec2(-from.vy / from.omega, from.vx / from.omega)).norm(), 1e-13);
  expect_back_from(slider.supports(), from, load);
}

}  // namespace
}  // namespace stiction::testing
