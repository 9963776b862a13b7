// SPDX-License-Identifier: Apache-2.0
//
// Pushing: every answer satisfies the conditions of quasi-static friction at finger and ground.
#include "stiction/slider_push.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "slider/supports/support_load.h"
#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

std::vector<Support> tripod(Random& random) {
  std::vector<Support> supports;
  for (int k = 0; k < 4; ++k)
    supports.push_back(point(random.direction(), random.uniform(0.5, 2), disc(0.5)));
  return supports;
}

// The force is in the finger's cone, on the surface, the motion answers it, contact is kept, and
// the finger slides only against the limit of its friction.
Push::Mode expect_coulomb(const Slider& slider, const Finger& finger, int i) {
  const Vec2 n = finger.normal.normalized(), t(-n.y(), n.x());
  const Push p = push(slider, finger);
  if (p.mode == Push::Mode::separate) {
    EXPECT_LE(finger.velocity.dot(n), 1e-12);
    EXPECT_TRUE(p.motion.vector().isZero(0));
    return p.mode;
  }
  const Vec3 q = p.motion.vector(), load = load_of(finger.contact, p.contact_force);
  EXPECT_GT(load.dot(q), 0) << i;
  EXPECT_NEAR(load.dot(q), stiction::load(slider, p.motion).power, 1e-9 * load.dot(q)) << i;
  EXPECT_NEAR(motion(slider, Load::of(load)).gauge, 1, 1e-8) << i;
  const double normal = p.contact_force.dot(n), across = p.contact_force.dot(t);
  EXPECT_GE(normal, 0) << i;
  EXPECT_LE(std::abs(across), finger.mu * normal * (1 + 1e-9) + 1e-12 * p.contact_force.norm())
      << i;
  const Vec2 slide = finger.velocity - slip_at(finger.contact, q);
  const double speed = finger.velocity.norm();
  EXPECT_NEAR(slide.dot(n), 0, 1e-9 * speed) << i;
  if (p.mode == Push::Mode::stick) {
    EXPECT_LE(slide.norm(), 1e-12 * speed) << i;
  } else {
    const double sign = p.mode == Push::Mode::slide_left ? 1 : -1;
    EXPECT_GT(sign * slide.dot(t), -1e-9 * speed) << i;
    EXPECT_NEAR(across, sign * finger.mu * normal, 1e-9 * p.contact_force.norm()) << i;
  }
  return p.mode;
}

TEST(Push, SatisfiesCoulombAtTheFingerAndTheGround) {
  Random random(3);
  int modes[4] = {0, 0, 0, 0};
  for (int i = 0; i < 500; ++i) {
    const Slider slider(tripod(random));
    const Vec2 n = random.direction();
    const Finger finger{1.5 * random.direction(), 3 * n, random.uniform(0, 0.8),
                        random.decades(-3, 2) * random.direction()};
    ++modes[static_cast<int>(expect_coulomb(slider, finger, i))];
  }
  for (const int count : modes) EXPECT_GT(count, 20);
}

// With much friction the finger nearly always sticks.  Where it does not, the force that would
// carry it along often pulls at the face: velocities near the face's tangent, on round, long and
// many-footed bodies.
TEST(Push, SatisfiesCoulombWhereStickingWouldPull) {
  Random random(13);
  int slides[2] = {0, 0};
  for (int i = 0; i < 1500; ++i) {
    std::vector<Support> supports;
    const LimitCurve law = i % 2 == 0 ? disc(0.5) : ellipse(0.6, 0.3, random.uniform(0, 3));
    if (i % 3 == 0) supports = tripod(random);
    if (i % 3 == 1) supports = {disc_support(0.3 * random.direction(), 0.7, 2, law)};
    if (i % 3 == 2)
      supports = {segment(random.direction(), random.direction(), 1, law), point({0, 0}, 0.2, law)};
    const Slider slider(supports);
    const Vec2 n = random.direction(), t(-n.y(), n.x());
    const Vec2 u = random.decades(-2, 0) * n + (i % 4 < 2 ? 1.0 : -1.0) * t;
    const Finger finger{random.decades(-1, 0.3) * random.direction(), n, random.decades(-1, 2), u};
    const Push::Mode mode = expect_coulomb(slider, finger, i);
    if (mode == Push::Mode::slide_left) ++slides[0];
    if (mode == Push::Mode::slide_right) ++slides[1];
  }
  for (const int count : slides) EXPECT_GT(count, 100);
}

// Finger velocities inside the motion cone stick, those outside slide.
TEST(Push, TheMotionConeBoundsSticking) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Slider slider(tripod(random));
    const Vec2 n = random.direction();
    Finger finger{1.5 * random.direction(), n, 0.3, n};
    const Push p = push(slider, finger);
    const Vec2 right = p.motion_cone_right, left = p.motion_cone_left;
    if (right.dot(n) < 0.1 || left.dot(n) < 0.1 || cross(right, left) < 1e-3) continue;
    for (const double part : {-0.2, 0.1, 0.5, 0.9, 1.2}) {
      finger.velocity = (1 - part) * right + part * left;
      if (finger.velocity.dot(n) <= 0) continue;
      const Push::Mode expected = part < 0   ? Push::Mode::slide_right
                                  : part > 1 ? Push::Mode::slide_left
                                             : Push::Mode::stick;
      EXPECT_EQ(push(slider, finger).mode, expected) << i << " " << part;
    }
  }
}

// A bar on its two ends, pushed across at one end: it turns about the other, which rests.  Its
// force along the bar is free, so that any finger that needs less than it sticks.
TEST(Push, ABarPushedAtOneEndTurnsAboutTheOther) {
  const Slider bar({point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))});
  const Push p = push(bar, Finger{{0, 1}, {1, 0}, 0.2, {1, 0}});
  EXPECT_EQ(p.mode, Push::Mode::stick);
  ASSERT_TRUE(p.rotation_centre);
  EXPECT_NEAR(p.rotation_centre->x(), 0, 1e-12);
  EXPECT_NEAR(p.rotation_centre->y(), -1, 1e-12);
  EXPECT_NEAR(p.contact_force.x(), 0.5, 1e-9);
  EXPECT_NEAR(p.contact_force.y(), 0, 1e-6);
  EXPECT_FALSE(p.unique);
}

// Through the centre of friction a push translates.
TEST(Push, APushThroughTheCentreTranslates) {
  const Slider square({point({1, 1}, 1, disc(0.5)), point({-1, 1}, 1, disc(0.5)),
                       point({-1, -1}, 1, disc(0.5)), point({1, -1}, 1, disc(0.5))});
  const Push p = push(square, Finger{{-1, 0}, {1, 0}, 0.3, {0.2, 0}});
  EXPECT_EQ(p.mode, Push::Mode::stick);
  EXPECT_NEAR(p.motion.vx, 0.2, 1e-12);
  EXPECT_NEAR(p.motion.omega, 0, 1e-12);
  EXPECT_NEAR(p.contact_force.x(), 2, 1e-12);
  EXPECT_LT(p.motion_cone_right.y(), 0);
  EXPECT_GT(p.motion_cone_left.y(), 0);
}

// Stable if non-negative forces along the four rays sum to the load: checked by trying every three.
TEST(Push, AnEdgeIsStableWhereTwoPointContactsCanGiveTheLoad) {
  Random random(5);
  int stable = 0;
  for (int i = 0; i < 2000; ++i) {
    const Slider slider(tripod(random));
    const Edge edge{{-1.5, -1}, {-1.5, 1}, random.uniform(0.05, 1)};
    const Vec2 centre(random.uniform(-1, 1), random.decades(0, 1.5) * (i % 2 == 0 ? 1 : -1));
    const EdgePush p = push(slider, edge, centre);
    const Vec3 load = stiction::load(slider, p.motion).load.vector();
    std::vector<Vec3> rays;
    for (const Vec2& at : {edge.from, edge.to})
      for (const double sign : {1.0, -1.0}) rays.push_back(load_of(at, {1, sign * edge.mu}));
    bool inside = false;
    for (int skip = 0; skip < 4; ++skip) {
      Eigen::Matrix3d three;
      for (int k = 0, c = 0; k < 4; ++k)
        if (k != skip) three.col(c++) = rays[static_cast<std::size_t>(k)];
      inside = inside || (three.inverse() * load).minCoeff() >= 0;
    }
    EXPECT_EQ(p.stable, inside) << i << " margin " << p.margin;
    EXPECT_EQ(p.stable, p.margin >= 0);
    stable += inside ? 1 : 0;
  }
  EXPECT_GT(stable, 200);
}

// On the bounds of the set the margin is zero.
TEST(Push, BoundsOfTheStableSetHaveNoMargin) {
  const Slider slider({disc_support({0, 0}, 1, 1, disc(0.5))});
  const Edge edge{{-1.5, -1}, {-1.5, 1}, 0.4};
  for (const Motion& m : stable_push_bounds(slider, edge, 16)) {
    if (std::abs(m.omega) < 0.01) continue;
    EXPECT_NEAR(push(slider, edge, Vec2(-m.vy, m.vx) / m.omega).margin, 0, 1e-7);
  }
}

// Rotation centres ever farther away are a translation.  Pushed along v, a body with its centre of
// friction at O needs the load μN v̂ through O: stable if the line through O along v meets the edge
// and v is in the friction cone.
TEST(Push, AnEdgeTranslates) {
  const Slider square{polygon_support({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}, 1, disc(0.5))};
  const Edge edge{{-1, -0.2}, {-1, 1}, 0.5};
  for (int k = 0; k < 360; ++k) {
    const double angle = 6.283185307179586 * (k + 0.5) / 360, slope = std::tan(angle);
    const Motion q{3 * std::cos(angle), 3 * std::sin(angle), 0};
    const EdgePush p = push(square, edge, q);
    const double meets = -slope;  // y at x = −1
    EXPECT_EQ(p.stable, q.vx > 0 && std::abs(slope) <= 0.5 && meets >= -0.2 && meets <= 1) << k;
    EXPECT_NEAR(push(square, edge, Vec2(-1e9 * q.vy, 1e9 * q.vx)).margin,
                std::max(p.margin, push(square, edge, Motion{-q.vx, -q.vy, 0}).margin), 1e-8);
  }
  EXPECT_THROW(push(square, edge, Motion{}), InvalidInput);
}

// Without friction the loads are a sector of a plane: the force along the normal, through the edge.
// A dumbbell that turns about one foot has a whole disc of loads to choose from.
TEST(Push, AnEdgeWithoutFriction) {
  const Slider square{polygon_support({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}, 1, disc(0.5))};
  const Motion along{1, 0, 0}, aside{1, 0.1, 0};
  for (const double mu : {0.0, 1e-20, 1e-14}) {
    EXPECT_TRUE(push(square, Edge{{-1, -0.5}, {-1, 1}, mu}, along).stable);
    EXPECT_FALSE(push(square, Edge{{-1, 0.2}, {-1, 1}, mu}, along).stable);
    EXPECT_FALSE(push(square, Edge{{-1, -0.5}, {-1, 1}, mu}, aside).stable);
  }
  // A very short edge is a point finger; much friction gives every force that pushes.
  EXPECT_TRUE(push(square, Edge{{-1, 0}, {-1, 1e-16}, 0.3}, along).stable);
  EXPECT_FALSE(push(square, Edge{{-1, 0.1}, {-1, 0.1 + 1e-17 + 1e-16}, 0.3}, along).stable);
  EXPECT_TRUE(push(square, Edge{{-1, 0}, {-1, 1e-16}, 0.0}, along).stable);
  EXPECT_TRUE(push(square, Edge{{-1, -0.5}, {-1, 1}, 1e300}, aside).stable);
  const Slider feet(
      {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1)), point({1, 0}, 0.5, disc(1))});
  for (const double mu : {0.0, 1e-20, 0.3})
    for (const Edge& edge : {Edge{{0, 0}, {0, 1}, mu}, Edge{{0, 0}, {1e-16, 1e-16}, mu}}) {
      const EdgePush p = push(feet, edge, Vec2(1, 0));
      EXPECT_TRUE(std::isfinite(p.margin));
      EXPECT_EQ(p.stable, p.margin >= -1e-14);
    }
}

TEST(Push, RefusesWhatMakesNoSense) {
  const Slider bar({point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))});
  EXPECT_THROW(push(bar, Finger{{0, 1}, {0, 0}, 0.2, {1, 0}}), InvalidInput);
  EXPECT_THROW(push(bar, Finger{{0, 1}, {1, 0}, -0.2, {1, 0}}), InvalidInput);
  EXPECT_THROW(push(bar, Edge{{1, 0}, {1, 0}, 0.2}, Vec2(0, 1)), InvalidInput);
}

// Every load is told to `progress`; the first fifth are the two motions at the cone's edges.  Under
// a box a push along a normal of its flats moves the grid straight on, at a kink of the power, and
// there the forces at either side are sought as well.
TEST(Push, OfAGridTakesAFewLoads) {
  Eigen::MatrixXd pressures(12, 12);
  for (Eigen::Index k = 0; k < pressures.size(); ++k)
    pressures(k) = 1 + 0.1 * static_cast<double>(k * k % 11);
  for (const LimitCurve& curve : {disc(0.5), box(0.5), rusty_wheel(0.5, 0.2, 0.3)})
    for (const double across : {0.0, 0.1, -0.4}) {
      const Slider slider{grid({-1, -1}, 1.0 / 6, pressures, curve)};
      int told = 0;
      const Push result =
          push(slider, {.contact = {-1, 0.1}, .normal = {1, 0}, .mu = 0.3, .velocity = {1, across}},
               [&](double share) {
                 told += share >= 0.2 ? 1 : 0;
                 return true;
               });
      EXPECT_GT(told, 1) << across;
      EXPECT_LT(told, 60) << across;
      if (curve.shape() == LimitCurve::Shape::polygon && across == 0) {
        EXPECT_EQ(result.mode, Push::Mode::stick);
        EXPECT_EQ(result.motion.omega, 0);
        EXPECT_FALSE(result.unique);
      }
    }
}

}  // namespace
}  // namespace stiction::testing
