// SPDX-License-Identifier: Apache-2.0
//
// From loads to motions: certificates over random sliders, the way back from motion to load, dense
// sampling, facets and vertices with their answers on paper.
#include "stiction/slider_motion.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/random.h"

namespace stiction::testing {
namespace {

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

Vec3 scaled_motion(const Slider& slider, const Motion& m) {
  return {m.vx, m.vy, slider.length_scale() * m.omega};
}

// Points in general position, on a line, coincident; one law for all or each its own.
Slider random_points(Random& random, int number) {
  const int layout = number % 4, count = random.integer(layout == 2 ? 3 : 2, 6);
  const int kinds = number / 4 % (law_kinds + 2);
  const Vec2 line = random.direction(), origin(random.uniform(-1, 1), random.uniform(-1, 1));
  const double size = random.decades(-3, 3), force = random.decades(-3, 3);
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k) {
    Vec2 at(random.uniform(-1, 1), random.uniform(-1, 1));
    if (layout == 1) at = origin + random.uniform(-1, 1) * line;
    if (layout == 2 && k == 1) at = supports[0].at / size;
    LimitCurve curve = disc(random.uniform(0.1, 1));
    if (kinds > 1) curve = limit_curve(random.law(kinds - 2, -0.5, 0.5));
    if (kinds == 1) curve = limit_curve(random.law(random.integer(0, law_kinds - 1), -0.5, 0.5));
    supports.push_back(point(size * at, force * random.uniform(0.1, 1), curve));
  }
  return Slider(supports);
}

Load random_load(Random& random, const Slider& slider) {
  const Vec3 p = random.direction3();
  return {slider.normal_force() * p[0], slider.normal_force() * p[1],
          slider.normal_force() * slider.length_scale() * p[2]};
}

void expect_proven(const Slider& slider, const Load& load, const MotionSet& set, int number) {
  EXPECT_NEAR(scaled_motion(slider, set.motion).norm(), 1, 1e-14);
  if (set.gauge == infinity) {
    EXPECT_GT(load.vector().dot(set.motion.vector()), 0) << number;
    return;
  }
  EXPECT_NEAR(set.certificate.work, set.gauge * set.certificate.power,
              1e-14 * std::abs(set.certificate.work))
      << number;
  EXPECT_LE(set.certificate.distance, 1e-10) << number;
}

TEST(MotionOfALoad, IsProvenForRandomPointsUnderEveryLaw) {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const Slider slider = random_points(random, i);
    const Load load = random_load(random, slider);
    const MotionSet set = motion(slider, load);
    expect_proven(slider, load, set, i);
    // The body is inside every half space P·Q ≤ H(Q): none may cut the scaled load off.
    if (set.gauge == infinity) continue;
    for (int k = 0; k < 20; ++k) {
      const Motion other = Motion::of(random.direction3());
      const double power = stiction::load(slider, other).power;
      EXPECT_LE(load.vector().dot(other.vector()) / set.gauge, power * (1 + 1e-11) + 1e-300) << i;
    }
  }
}

// Is q among the motions found?  In units of ρ; a cone is searched by its least-squares hull.
double distance_to(const Slider& slider, const MotionSet& set, const Motion& motion) {
  const Vec3 q = scaled_motion(slider, motion).normalized();
  if (set.unique) return (scaled_motion(slider, set.motion) - q).norm();
  double outside = 0;  // beyond a side of the cone
  const std::size_t n = set.wedge.size();
  const auto ray = [&](std::size_t k) { return scaled_motion(slider, set.wedge[k % n]); };
  if (n == 2) {
    Vec3 across = ray(0).cross(ray(1));
    if (across.norm() < 1e-9) across = ray(0).cross(scaled_motion(slider, set.motion));
    across.normalize();
    outside = std::abs(across.dot(q));
    const double angle = std::acos(std::clamp(ray(0).dot(ray(1)), -1.0, 1.0));
    const double sum = std::acos(std::clamp(ray(0).dot(q), -1.0, 1.0)) +
                       std::acos(std::clamp(ray(1).dot(q), -1.0, 1.0));
    return std::max(outside, sum - angle);
  }
  Vec3 mean = scaled_motion(slider, set.motion);
  for (std::size_t k = 0; k < n; ++k) mean += ray(k);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 side = ray(k).cross(ray(k + 1)).normalized();
    outside = std::max(outside, -side.dot(q) * (side.dot(mean) < 0 ? -1 : 1));
  }
  return outside;
}

TEST(MotionOfALoad, HoldsTheMotionThatTheLoadCameFrom) {
  Random random(12);
  for (int i = 0; i < 20000; ++i) {
    const Slider slider = random_points(random, i);
    Motion from = Motion::of(random.direction3());
    from.omega /= slider.length_scale();
    if (i % 3 == 0) {  // about a support: a facet
      const Vec2 at = slider.supports()[0].at;
      const double turn = i % 2 == 0 ? 1 : -1;
      from = {turn * at.y(), -turn * at.x(), turn};
    }
    if (i % 3 == 1 && i % 4 == 1) {  // about a place on the line of the supports: a vertex
      const Vec2 at = slider.supports()[0].at +
                      random.uniform(-2, 2) * (slider.supports()[1].at - slider.supports()[0].at);
      from = {at.y(), -at.x(), 1};
    }
    if (i % 7 == 0) from.omega = 0;
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    const MotionSet set = motion(slider, loads.load);
    expect_proven(slider, loads.load, set, i);
    EXPECT_NEAR(set.gauge, 1, 1e-12) << i;
    EXPECT_EQ(set.state, MotionSet::State::slip);
    // Where the load hardly changes with the motion, rounding of the load moves the motion more.
    const Motion unit = Motion::of(from.vector() / scaled_motion(slider, from).norm());
    Eigen::Matrix3d K = power_derivatives(slider, unit).hessian / loads.power;
    const Vec3 weigh(1, 1, 1 / slider.length_scale());
    K = weigh.asDiagonal() * K * weigh.asDiagonal();
    const double curvature = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(K).eigenvalues()[1];
    EXPECT_LE(distance_to(slider, set, from), std::clamp(1e-14 / curvature, 1e-7, 1e-5)) << i;
  }
}

TEST(MotionOfALoad, DumbbellTurnsAboutASupportWhileItsForceIsInTheDisc) {
  // Turning about (0, 1) with ω = 1: (0, −1) slips with (2, 0) and carries (½, 0), moment ½.
  const MotionSet set = motion(dumbbell(), {.fx = 0.5 + 0.3, .fy = 0.2, .moment = 0.5 - 0.3});
  EXPECT_EQ(set.state, MotionSet::State::slip);
  ASSERT_TRUE(set.rotation_centre);
  EXPECT_EQ(*set.rotation_centre, Vec2(0, 1));
  EXPECT_TRUE(set.unique);
  EXPECT_NEAR(set.gauge, 1, 1e-15);
}

TEST(MotionOfALoad, DumbbellHasAWedgeAtItsVertices) {
  // The bar turned about a place between its supports: forces (½, 0) at (0, −1), (−½, 0) at (0, 1).
  const MotionSet turn = motion(dumbbell(), {.fx = 0, .fy = 0, .moment = 2});
  EXPECT_EQ(turn.state, MotionSet::State::outside);
  EXPECT_NEAR(turn.gauge, 2, 1e-15);
  EXPECT_FALSE(turn.unique);
  ASSERT_EQ(turn.wedge.size(), 2U);
  for (const Motion& m : turn.wedge) {
    EXPECT_NEAR(std::abs(m.vx / m.omega), 1, 1e-15);
    EXPECT_EQ(m.vy, 0);
    EXPECT_GT(m.omega, 0);
  }
  // Pulled along x by the whole strength: a translation or a turn about a place beyond either end.
  const MotionSet pull = motion(dumbbell(), {.fx = 0.5, .fy = 0, .moment = 0});
  EXPECT_EQ(pull.state, MotionSet::State::stick);
  EXPECT_NEAR(pull.gauge, 0.5, 1e-15);
  ASSERT_EQ(pull.wedge.size(), 2U);
  for (const Motion& m : pull.wedge) EXPECT_NEAR(m.vx / std::abs(m.omega), 1, 1e-15);
}

Support random_area(Random& random, int shape, double size, const LimitCurve& curve) {
  const Vec2 at = size * Vec2(random.uniform(-1, 1), random.uniform(-1, 1));
  const double force = random.uniform(0.1, 1), radius = size * random.uniform(0.2, 1);
  const auto corner = [&](double angle) -> Vec2 {
    return at + radius * Vec2(std::cos(angle), std::sin(angle));
  };
  switch (shape % 7) {
    case 0:
      return segment(at, corner(random.uniform(0, 6)), force, curve);
    case 1:
      return polygon_support({corner(0.1), corner(2), corner(3.5), corner(5)}, {}, force, curve);
    case 2:
      return disc_support(at, radius, force, curve);
    case 3:
      return disc_support(at, radius, force, curve, Support::Pressure::hertz);
    case 4:
      return ring(at, radius, force, curve);
    case 5:
      return annulus(at, radius, 0.5 * radius, force, curve);
    default:
      return grid(at, radius / 3, Eigen::MatrixXd::Random(3, 4).cwiseAbs() / (radius * radius),
                  curve);
  }
}

TEST(MotionOfALoad, IsProvenForAreas) {
  Random random(13);
  for (int i = 0; i < 2000; ++i) {
    const double size = random.decades(-3, 3);
    std::vector<Support> supports;
    for (int k = 0, n = random.integer(1, 3); k < n; ++k) {
      const LimitCurve curve = disc(random.uniform(0.1, 1));
      supports.push_back(k == 2 ? point(size * random.direction(), 0.3, curve)
                                : random_area(random, (i + k) % 6, size, curve));
    }
    const Slider slider(supports);
    const Load load = random_load(random, slider);
    expect_proven(slider, load, motion(slider, load), i);
    Motion from = Motion::of(random.direction3());
    from.omega = i % 5 == 0 ? 0 : from.omega / slider.length_scale();
    const MotionSet back = motion(slider, stiction::load(slider, from).load);
    EXPECT_NEAR(back.gauge, 1, 1e-12) << i;
    EXPECT_LE(distance_to(slider, back, from), 1e-7) << i << " unique " << back.unique;
  }
}

// Uniform pressure on a segment: turned about a place on its line beyond its ends, or drawn across.
TEST(MotionOfALoad, ASegmentHasTwoVertices) {
  const Slider bar{segment({-1, 0}, {1, 0}, 1, disc(1))};
  const MotionSet set = motion(bar, {.fx = 0, .fy = 1, .moment = 0});
  EXPECT_EQ(set.state, MotionSet::State::slip);
  ASSERT_EQ(set.wedge.size(), 2U);
  for (const Motion& m : set.wedge) EXPECT_NEAR(m.vy / std::abs(m.omega), 1, 1e-12);
}

}  // namespace
}  // namespace stiction::testing
