// SPDX-License-Identifier: Apache-2.0
//
// From a motion to its load and back: what must hold of the answer, whatever the supports.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {

inline Vec3 scaled_motion(const Slider& slider, const Motion& m) {
  return {m.vx, m.vy, slider.length_scale() * m.omega};
}

// What the supports could carry together, the size of the terms that a load is summed from.
inline double strength(const Slider& slider) {
  double sum = 0;
  for (const Support& support : slider.supports())
    sum += support.normal_force * support.curve.circumscribed_radius();
  return sum;
}

// How much larger the terms of a moment about O are than the moment about the centre of pressure.
inline double far_from_reference(const Slider& slider) {
  double size = slider.length_scale();
  for (const Support& support : slider.supports())
    size = std::max(size, (support.at - slider.centre_of_pressure()).norm() + support.radius);
  return 1 + slider.centre_of_pressure().norm() / size;
}

inline void expect_proven(const Slider& slider, const Load& load, const MotionSet& set,
                          int number) {
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

// A motion about the centre of pressure, in units of ρ, as a unit vector.
inline Vec3 direction(const Slider& slider, const Motion& m) {
  const Vec2 c = slider.centre_of_pressure();
  return Vec3(m.vx - m.omega * c.y(), m.vy + m.omega * c.x(), slider.length_scale() * m.omega)
      .normalized();
}

// How far a motion is from those found.
inline double distance_to(const Slider& slider, const MotionSet& set, const Motion& motion) {
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
inline Load any_load(Random& random, const LoadSet& loads) {
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
inline void expect_back(const Slider& slider, const Motion& from, const LoadSet& loads,
                        const Load& load, int number) {
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
  // Areas are integrated to 1e-14 of what they could carry.
  const auto& supports = slider.supports();
  const bool areas = std::any_of(supports.begin(), supports.end(), [](const Support& support) {
    return support.shape != Support::Shape::point;
  });
  const double rounded = unit * p.norm() + (areas ? 1e-14 * strength(slider) : 0);
  EXPECT_NEAR(set.gauge, 1, 1e-12 + rounded * q.norm() / p.dot(q)) << number;
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
  const double open = unit * (1 + stiff[2]) / std::max(stiff[1], 1e-300);
  const double away = distance_to(slider, set, from);
  // With a crease at a rim, the Hessian is that of the one side.  A motion beside on the other may
  // have the very load.
  const auto load_is = [&](const Motion& m) {
    const Vec3 there = centred(power_derivatives(slider, m).load);
    return (there - p).norm() <= 16 * unit * p.norm();
  };
  if (areas && set.unique && away <= 1e-6 && load_is(set.motion) && load_is(from)) return;
  EXPECT_LE(away, std::clamp(64 * open, 2e-9, 1e-2))
      << number << " unique " << set.unique << " open " << open;
}

}  // namespace stiction::testing
