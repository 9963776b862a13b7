// SPDX-License-Identifier: Apache-2.0
//
// Theorems of the limit surface, the moment function and the eigen-directions.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stiction/eigen_directions.h"
#include "stiction/moment_function.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_points.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

Slider random_discs(Random& random, int count, bool isotropic, const Vec2& reference = {0, 0}) {
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k)
    supports.push_back(point(
        {random.uniform(-1, 1), random.uniform(-1, 1)}, random.uniform(0.1, 1),
        isotropic ? disc(random.uniform(0.1, 1))
                  : ellipse(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0, 3))));
  SliderBody body;
  body.reference = reference;
  return Slider(supports, body);
}

TEST(LimitSurface, LoadComponentIsGreatestForMotionInItsDirection) {
  Random random(31);
  for (int i = 0; i < 200; ++i) {
    const Slider slider = random_discs(random, 4, i % 2 == 0);
    const Vec3 q = random.direction3();
    const double greatest = load(slider, Motion::of(q)).load.vector().dot(q);
    for (int k = 0; k < 50; ++k) {
      const Vec3 other = load(slider, Motion::of(random.direction3())).load.vector();
      EXPECT_LE(other.dot(q), greatest * (1 + 1e-14));
    }
  }
}

TEST(LimitSurface, ForceIsGreatestInTranslationAndMomentAboutTheCentreOfTwist) {
  Random random(32);
  for (int i = 0; i < 100; ++i) {
    const Slider slider = random_discs(random, 4, true);
    const SliderPoints points = slider_points(slider);
    const Vec2 twist = *points.centre_of_twist.value;
    for (int k = 0; k < 100; ++k) {
      const Load p = load(slider, Motion::of(random.direction3())).load;
      const Vec2 F(p.fx, p.fy);
      EXPECT_LE(F.norm(), *points.translation_force.value * (1 + 1e-14));
      EXPECT_LE(p.moment - cross(twist, F), *points.twist_moment.value * (1 + 1e-12));
    }
  }
}

// Loads without moment about the centre of friction are those of translations alone.
TEST(LimitSurface, SectionWithoutMomentAboutTheCentreOfFrictionIsACircle) {
  Random random(33);
  for (int i = 0; i < 100; ++i) {
    const Slider slider = random_discs(random, 5, true);
    const SliderPoints points = slider_points(slider);
    const Vec2 F = random.direction();
    const Load p{F.x(), F.y(), cross(*points.centre_of_friction.value, F)};
    const MotionSet set = motion(slider, p);
    EXPECT_NEAR(1 / set.gauge, *points.translation_force.value, 1e-13);
    EXPECT_FALSE(set.rotation_centre);
  }
}

// M about another point is M − r×F: the gauge does not change.
TEST(LimitSurface, AnotherReferencePointShearsTheSurface) {
  Random random(34);
  for (unsigned i = 0; i < 200; ++i) {
    Random one(i), other(i);
    const Vec2 r(0.7, -0.4);
    const Slider here = random_discs(one, 4, false), there = random_discs(other, 4, false, r);
    const Load p = Load::of(random.direction3());
    const Load q{p.fx, p.fy, p.moment - cross(r, Vec2(p.fx, p.fy))};
    const MotionSet a = motion(here, p), b = motion(there, q);
    EXPECT_NEAR(a.gauge, b.gauge, 1e-13 * a.gauge);
    ASSERT_TRUE(a.rotation_centre && b.rotation_centre);
    EXPECT_LE((*a.rotation_centre - *b.rotation_centre).norm(),
              1e-8 * (1 + a.rotation_centre->squaredNorm()));
  }
}

// Four equal supports at the corners of a square: a quarter turn maps the surface to itself.
TEST(LimitSurface, HasTheSymmetryOfTheSupports) {
  const Slider slider{point({1, 1}, 1, disc(1)), point({-1, 1}, 1, disc(1)),
                      point({-1, -1}, 1, disc(1)), point({1, -1}, 1, disc(1))};
  Random random(35);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random.direction3();
    const double gauge = motion(slider, Load::of(p)).gauge;
    EXPECT_NEAR(motion(slider, Load::of({-p[1], p[0], p[2]})).gauge, gauge, 1e-13 * gauge);
    EXPECT_NEAR(motion(slider, Load::of({p[0], p[1], -p[2]})).gauge, gauge, 1e-13 * gauge);
  }
}

// The gauge against the largest P·Q/H(Q) of a dense sampling of motions.
TEST(LimitSurface, GaugeIsTheGreatestOfAllMotions) {
  Random random(36);
  for (int i = 0; i < 20; ++i) {
    const Slider slider = random_discs(random, 3, i % 2 == 0);
    const Vec3 p = random.direction3();
    const auto ratio = [&](const Vec3& q) { return p.dot(q) / load(slider, Motion::of(q)).power; };
    Vec3 best = p;
    for (int k = 0; k < 5000; ++k)
      if (const Vec3 q = random.direction3(); ratio(q) > ratio(best)) best = q;
    for (double reach = 0.1; reach > 1e-9; reach *= 0.99)  // ever closer around the best
      if (const Vec3 q = best.normalized() + reach * random.direction3(); ratio(q) > ratio(best))
        best = q;
    const double greatest = ratio(best);
    const double gauge = motion(slider, Load::of(p)).gauge;
    EXPECT_LE(greatest, gauge * (1 + 1e-14));
    EXPECT_NEAR(greatest, gauge, 1e-3 * gauge);
  }
}

TEST(MomentFunction, ForceIsItsTurnedGradient) {
  Random random(37);
  for (int i = 0; i < 200; ++i) {
    const Slider slider = random_discs(random, 4, i % 2 == 0, {0.3, 0.2});
    const Vec2 at(random.uniform(-2, 2), random.uniform(-2, 2));
    const MomentAt here = moment_function(slider, at);
    EXPECT_TRUE(here.smooth);
    const double h = 1e-5;
    const auto slope = [&](const Vec2& d) {
      return (moment_function(slider, at + h * d).moment -
              moment_function(slider, at - h * d).moment) /
             (2 * h);
    };
    double nearest = infinity;
    for (const Vec2& corner : moment_corners(slider))
      nearest = std::min(nearest, (corner - at).norm());
    if (nearest < 0.05) continue;
    EXPECT_NEAR(here.force.x(), slope(Vec2::UnitY()), 1e-6);
    EXPECT_NEAR(here.force.y(), -slope(Vec2::UnitX()), 1e-6);
  }
}

// Turning the dumbbell about any place of its bar needs ½(1 − y) + ½(1 + y) = 1.
TEST(MomentFunction, DumbbellHasAFlatFloorAndTwoCorners) {
  const Slider bar{point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))};
  const MomentFloor floor = moment_floor(bar);
  EXPECT_NEAR(floor.moment, 1, 1e-14);
  ASSERT_EQ(floor.corners.size(), 2U);
  EXPECT_NEAR(std::abs(floor.corners[0].y() - floor.corners[1].y()), 2, 1e-13);
  EXPECT_EQ(moment_corners(bar).size(), 2U);
  EXPECT_FALSE(moment_function(bar, {0, 1}).smooth);
  EXPECT_NEAR(moment_function(bar, {0, 0.3}).moment, 1, 1e-15);
}

// A uniform disc with I = ½mR² ends with v/(ωR) = 0.6530017892055976, a ring with 1.
TEST(EigenDirections, OfADiscAndARingAreTheKnownEndsOfSliding) {
  SliderBody body;
  body.mass = 1;
  body.inertia = 0.5;
  const auto stable_ratio = [](const Slider& slider) {
    for (const EigenDirection& e : eigen_directions(slider))
      if (e.stable && e.error <= 1e-11 && std::abs(e.motion.omega) > 1e-3 &&
          std::hypot(e.motion.vx, e.motion.vy) > 1e-3)
        return std::hypot(e.motion.vx, e.motion.vy) / std::abs(e.motion.omega);
    return 0.0;
  };
  EXPECT_NEAR(stable_ratio(Slider({disc_support({0, 0}, 1, 1, disc(1))}, body)), 0.6530017892055976,
              1e-9);
  body.inertia = 1;
  EXPECT_NEAR(stable_ratio(Slider({ring({0, 0}, 1, 1, disc(1))}, body)), 1, 1e-9);
}

// The dumbbell with ρ = 1: turning about a support, v = ρω, needs 1/√2, less than a
// translation or a turn about the middle (1 each): four stable directions.
TEST(EigenDirections, ADumbbellComesToRestAboutASupport) {
  SliderBody body;
  body.length_scale = 1;
  const Slider bar({point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}, body);
  int stable = 0;
  for (const EigenDirection& e : eigen_directions(bar)) {
    if (!e.stable) continue;
    ++stable;
    EXPECT_NEAR(e.power, std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(std::abs(e.motion.vx), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(std::abs(e.motion.omega), std::sqrt(0.5), 1e-12);
  }
  EXPECT_EQ(stable, 4);
}

}  // namespace
}  // namespace stiction::testing
