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

// What the supports could carry together, the size of the terms that a load is summed from.
double strength(const Slider& slider) {
  double sum = 0;
  for (const Support& support : slider.supports())
    sum += support.normal_force * support.curve.circumscribed_radius();
  return sum;
}

// How much larger the terms of a moment about O are than the moment about the centre of pressure.
double far_from_reference(const Slider& slider) {
  double size = 0;
  for (const Support& support : slider.supports())
    size = std::max(size, (support.at - slider.centre_of_pressure()).norm() + support.radius);
  return 1 + slider.centre_of_pressure().norm() / size;
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
  // Where the surface is near in the load's direction (0 can be on it), the rounding of the loads
  // there, summed from what the supports carry, is more of it.
  const Vec3 p(load.fx, load.fy, load.moment / slider.length_scale());
  const double rounded = rounding * set.gauge * strength(slider) / p.norm();
  EXPECT_LE(set.certificate.distance, 1e-10 + rounded) << number;
}

void prove_random_loads(unsigned seed, int count) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
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

TEST(MotionOfALoad, IsProvenForRandomPointsUnderEveryLaw) { prove_random_loads(11, 30000); }

// A motion about the centre of pressure, in units of ρ, as a unit vector.
Vec3 direction(const Slider& slider, const Motion& m) {
  const Vec2 c = slider.centre_of_pressure();
  return Vec3(m.vx - m.omega * c.y(), m.vy + m.omega * c.x(), slider.length_scale() * m.omega)
      .normalized();
}

// How far a motion is from those found.
double distance_to(const Slider& slider, const MotionSet& set, const Motion& motion) {
  const Vec3 q = direction(slider, motion);
  if (set.unique) return (direction(slider, set.motion) - q).norm();
  double outside = 0;  // beyond a side of the cone
  const std::size_t n = set.wedge.size();
  const auto ray = [&](std::size_t k) { return direction(slider, set.wedge[k % n]); };
  if (n == 2) {
    Vec3 across = ray(0).cross(ray(1));
    if (across.norm() < 1e-9) across = ray(0).cross(direction(slider, set.motion));
    across.normalize();
    outside = std::abs(across.dot(q));
    if (across.dot(ray(0).cross(direction(slider, set.motion))) < 0) across = -across;
    return std::max({outside, -across.dot(ray(0).cross(q)), -across.dot(q.cross(ray(1)))});
  }
  Vec3 mean = direction(slider, set.motion);
  for (std::size_t k = 0; k < n; ++k) mean += ray(k);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 side = ray(k).cross(ray(k + 1)).normalized();
    outside = std::max(outside, -side.dot(q) * (side.dot(mean) < 0 ? -1 : 1));
  }
  return outside;
}

// A load of the motion: the centre of its face, or any other, its rim and corners on purpose.
Load any_load(Random& random, const LoadSet& loads) {
  Vec3 p = loads.load.vector();
  const int place = random.integer(0, 3);
  for (const FaceTerm& term : loads.terms) {
    const double shares[] = {random.uniform(0, 1), 1, static_cast<double>(random.integer(0, 1)),
                             random.uniform(0.99, 1)};
    const double share = shares[place];
    if (term.kind == FaceTerm::Kind::ellipse) {
      const Vec2 d = random.direction();
      p += share * (d.x() * term.points[0] + d.y() * term.points[1]);
    } else if (term.kind == FaceTerm::Kind::segment) {
      p += (random.integer(0, 1) == 0 ? share : -share) * term.points[0];
    } else {
      const std::size_t n = term.points.size();
      const auto k = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
      const double t = random.integer(0, 1) == 0 ? 0 : random.uniform(0, 1);
      p += share * ((1 - t) * term.points[k] + t * term.points[(k + 1) % n]);
    }
  }
  return Load::of(p);
}

// The load of `from` must give it back.
void expect_back(const Slider& slider, const Motion& from, const LoadSet& loads, const Load& load,
                 int number) {
  const MotionSet set = motion(slider, load);
  expect_proven(slider, load, set, number);
  // Everything in units of the length scale and about the centre of pressure.  A load is rounded by
  // `unit` of its size, which changes the power of a motion that does little work by more of it.
  const double rho = slider.length_scale(), unit = rounding * far_from_reference(slider);
  const Vec2 c = slider.centre_of_pressure();
  const Vec3 q(from.vx - from.omega * c.y(), from.vy + from.omega * c.x(), from.omega * rho);
  const auto centred = [&](const Vec3& p) -> Vec3 {
    return {p[0], p[1], (p[2] - c.x() * p[1] + c.y() * p[0]) / rho};
  };
  const Vec3 p = centred(load.vector());
  EXPECT_NEAR(set.gauge, 1, 1e-12 + unit * p.norm() * q.norm() / p.dot(q)) << number;
  EXPECT_EQ(set.state, MotionSet::State::slip) << number;
  // How the load changes with the motion: where supports are curved by the Hessian, where they
  // rest or slip normal to a flat by as much as their part of the face.  Rounding of the motion
  // changes the load by up to `unit` times the greatest, and that leaves the motion open by as much
  // over the least.
  Eigen::Matrix3d K = power_derivatives(slider, from).hessian * (q.norm() / p.norm());
  Eigen::Matrix3d T;
  T << 1, 0, c.y() / rho, 0, 1, -c.x() / rho, 0, 0, 1 / rho;
  K = T.transpose() * K * T;
  for (const FaceTerm& term : loads.terms)
    for (const Vec3& edge : term.points) {
      const Vec3 e = centred(edge) / p.norm();
      K += e * e.transpose();
    }
  const Vec3 stiff = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(K).eigenvalues();
  const double open = unit * (1 + stiff[2]) / stiff[1];
  EXPECT_LE(distance_to(slider, set, from), std::clamp(64 * open, 2e-9, 1e-2))
      << number << " unique " << set.unique << " open " << open;
}

void return_motions(unsigned seed, int count, bool anywhere) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
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
    const Load load = anywhere ? any_load(random, loads) : loads.load;
    expect_back(slider, from, loads, load, i);
  }
}

TEST(MotionOfALoad, HoldsTheMotionThatTheLoadCameFrom) { return_motions(12, 100000, false); }
TEST(MotionOfALoad, HoldsTheMotionOfEveryLoadOfItsFace) { return_motions(201, 100000, true); }

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

// Areas of every shape, alone, with one another and with a point.
void prove_areas(unsigned seed, int count, bool isotropic) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const double size = random.decades(-3, 3);
    std::vector<Support> supports;
    for (int k = 0, n = random.integer(1, 3); k < n; ++k) {
      const LimitCurve curve = isotropic ? disc(random.uniform(0.1, 1))
                                         : ellipse(random.uniform(0.1, 1), random.uniform(0.1, 1),
                                                   random.uniform(-3, 3));
      supports.push_back(k == 2 ? point(size * random.direction(), 0.3, curve)
                                : random_area(random, i + k, size, curve));
    }
    const Slider slider(supports);
    const Load load = random_load(random, slider);
    expect_proven(slider, load, motion(slider, load), i);
    Motion from = Motion::of(random.direction3());
    from.omega = i % 5 == 0 ? 0 : from.omega / slider.length_scale();
    const LoadSet loads = stiction::load(slider, from);
    if (loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm())
      expect_back(slider, from, loads, loads.load, i);
  }
}

TEST(MotionOfALoad, IsProvenForAreas) { prove_areas(13, 5000, true); }
TEST(MotionOfALoad, IsProvenForAnisotropicAreas) { prove_areas(14, 1000, false); }

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
