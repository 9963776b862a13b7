// SPDX-License-Identifier: Apache-2.0
#include "stiction/slip_law.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "base/plane.h"

namespace stiction {

namespace {

Vec2 unit_at(double angle) { return {std::cos(angle), std::sin(angle)}; }

}  // namespace

PowerViolation worst_power_violation(const SlipLaw& law, int directions) {
  if (directions < 3)
    throw InvalidInput("directions is " + std::to_string(directions) + ", expected at least 3");
  const auto n = static_cast<std::size_t>(directions);
  std::vector<Vec2> slips(n), forces(n);
  for (std::size_t i = 0; i < n; ++i) {
    slips[i] = Direction::turn(static_cast<long>(i), directions).unit();
    forces[i] = law.force(slips[i]);
  }
  double worst = 0;
  std::size_t at = 0, other = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double power = forces[i].dot(slips[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const double amount = forces[j].dot(slips[i]) - power;
      if (amount > worst) {
        worst = amount;
        at = i;
        other = j;
      }
    }
  }
  PowerViolation result{worst, slips[at], forces[at], slips[other], forces[other]};

  // Refine both angles by a pattern search that halves its step.
  const double grid = 2 * std::numbers::pi / directions;
  double theta = grid * static_cast<double>(at), phi = grid * static_cast<double>(other);
  for (double step = grid / 2; step > 1e-9;) {
    double best_theta = theta, best_phi = phi;
    for (const double dt : {-step, 0.0, step})
      for (const double dp : {-step, 0.0, step}) {
        const Vec2 v = unit_at(theta + dt), w = unit_at(phi + dp);
        const Vec2 f = law.force(v), g = law.force(w);
        if ((g - f).dot(v) > result.amount) {
          result = {(g - f).dot(v), v, f, w, g};
          best_theta = theta + dt;
          best_phi = phi + dp;
        }
      }
    if (best_theta == theta && best_phi == phi) step /= 2;
    theta = best_theta;
    phi = best_phi;
  }
  return result;
}

const LimitCurve& limit_curve(const SlipLaw& law) {
  if (law.curve) return *law.curve;
  const PowerViolation w = worst_power_violation(law);
  if (w.amount <= rounding * (w.force.norm() + w.other_force.norm()))
    throw InvalidInput("the law '" + law.name +
                       "' takes maximum power, but is known by its forces alone; expected one that "
                       "is made of its limit curve");
  throw InvalidInput("the law '" + law.name + "' is not normal: slip " + text(w.slip) +
                     " meets force " + text(w.force) + ", but its force " + text(w.other_force) +
                     " would dissipate " + text(w.amount) +
                     " more; limit surfaces, cones and solvers need maximum power");
}

SlipLaw slip_law(const LimitCurve& curve, std::string name) {
  return {std::move(name), [curve](const Vec2& v) { return curve.face(v).first; }, curve};
}

SlipLaw naive_anisotropy(double mu1, double mu2, const Direction& axis) {
  const LimitCurve radii = ellipse(mu1, mu2, axis);
  SlipLaw law{"naive anisotropy", [radii](const Vec2& v) -> Vec2 {
                const Vec2 e = Direction::along(v).unit();
                return e / radii.gauge(e);
              }};
  if (mu1 == mu2) law.curve = radii;
  return law;
}

SlipLaw orthotropic_tensor(const Eigen::Matrix2d& T) {
  SlipLaw law{"orthotropic friction tensor",
              [T](const Vec2& v) -> Vec2 { return T * Direction::along(v).unit(); }};
  if (T(0, 1) == 0 && T(1, 0) == 0 && T(0, 0) == T(1, 1)) law.curve = disc(T(0, 0));
  return law;
}

SlipLaw wedge_asperities(double slope, double mu) {
  if (!(slope >= 0 && slope < std::numbers::pi / 2) || !(mu >= 0) || mu * std::tan(slope) >= 1)
    throw InvalidInput("wedge asperities with slope " + text(slope) + " and mu " + text(mu) +
                       " cannot be climbed, expected 0 ≤ slope < π/2 and mu·tan(slope) < 1");
  SlipLaw law{"wedge asperities", [slope, mu](const Vec2& v) -> Vec2 {
                const Vec2 e = Direction::along(v).unit();
                const double side = e.x() < 0 ? -1 : 1;
                const Vec3 s = Vec3(e.x(), e.y(), std::abs(e.x()) * std::tan(slope)).normalized();
                return Vec2(side * std::sin(slope) + mu * s.x(), mu * s.y()) /
                       (std::cos(slope) - mu * s.z());
              }};
  if (slope == 0) law.curve = disc(mu);
  return law;
}

LimitCurve Castor::instantaneous(double arm_angle) const {
  const Direction arm(arm_angle);
  const LimitCurve contact = foot.rotated(arm).scaled(strength ? strength(arm_angle) : 1.0);
  return with_bearing(contact, arm.left());
}

SlipLaw Castor::relaxed() const {
  const double reach = 1 / foot.gauge(Vec2::UnitX());
  const auto normals = foot.normals({reach, 0});
  if (!(reach > 0) || !normals || normals->kind != NormalCone::Kind::ray)
    throw InvalidInput("the castor's foot has no single normal where its curve crosses the arm");
  const double crook = std::atan2(normals->first.y(), normals->first.x());  // slip ahead of the arm
  SlipLaw law{"relaxed castor", [reach, crook, factor = strength](const Vec2& v) -> Vec2 {
                const double arm = std::atan2(v.y(), v.x()) - crook;
                return (factor ? factor(arm) : 1.0) * reach * unit_at(arm);
              }};
  if (crook == 0 && !strength) law.curve = disc(reach);
  return law;
}

}  // namespace stiction
