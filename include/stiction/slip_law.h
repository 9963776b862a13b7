// SPDX-License-Identifier: Apache-2.0
//
// Any law that answers a slip with a force, and the test that tells friction laws apart:
//
//   maximum power   (f(v) − f*)·v ≥ 0   for every slip v and every force f* the law can give.
//
// The inequality is the normality of f to a convex limit curve.  Laws that violate it are real (a
// relaxed castor, a grooved surface) but have no limit surface, no moment function and no dual
// cone, and are refused where those are needed, with the witness that shows why.
//
//   v  slip, f  force on the ground per unit normal force, as in limit_curve.h
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "stiction/limit_curve.h"

namespace stiction {

struct SlipLaw {
  std::string name;
  std::function<Vec2(const Vec2& slip)> force;  // for slip ≠ 0; depends on its direction only
  std::optional<LimitCurve> curve = {};         // a normal law carries its curve
};

// The largest (f* − f(v))·v over unit slips v and forces f* = f(v*) of the law itself.
struct PowerViolation {
  double amount = 0;                               // ≥ 0; above rounding the law is not normal
  Vec2 slip = Vec2::Zero(), force = Vec2::Zero();  // v and f(v)
  Vec2 other_slip = Vec2::Zero(), other_force = Vec2::Zero();  // v* and f*
};
// All pairs of `directions` slips are tried, then the worst pair is refined between them.
PowerViolation worst_power_violation(const SlipLaw& law, int directions = 720);

// The curve that a normal law carries.  Throws InvalidInput for a law without: forces alone do not
// give it, and of one that is not normal the message has the witness.
const LimitCurve& limit_curve(const SlipLaw& law);

SlipLaw slip_law(const LimitCurve& curve, std::string name);

// Force parallel to the slip, of magnitude equal to the ellipse's radius in that direction.
SlipLaw naive_anisotropy(double mu1, double mu2, const Direction& axis = 0.0);

// f = T v/‖v‖.  Its forces fill an ellipse, but the slip is not the ellipse's normal.
SlipLaw orthotropic_tensor(const Eigen::Matrix2d& T);

// Wedge-shaped asperities with ridges along y and slopes ±`slope` (radians): the slider climbs them
// with friction `mu` on the slope.  With ŝ the unit velocity along the slope,
//   f = (sin α + μ ŝ_x, μ ŝ_y) / (cos α − μ ŝ_z)   for v_x > 0, mirrored for v_x < 0.
// After R. Michałowski and Z. Mróz, "Associated and non-associated sliding rules in contact
// friction problems", Archives of Mechanics 30 (1978).
SlipLaw wedge_asperities(double slope, double mu);

// A foot that trails behind a free pivot on a massless arm.  The pivot passes on no moment, so the
// force acts along the arm.
//   foot      its limit curve, in axes that turn with the arm; x runs from the foot to the pivot
//   strength  a factor that depends on the arm's angle (radians); none means 1
struct Castor {
  LimitCurve foot;
  std::function<double(double angle)> strength = {};

  // Before it relaxes, arm held for an instant: the foot's curve cut to the line of the arm, which
  // is an ideal wheel that rolls across it.  A normal law.
  LimitCurve instantaneous(double arm_angle) const;

  // After it relaxes: the arm has swung until the slip is normal to the foot's curve where that
  // crosses the arm.  Seen from the body, the force keeps a fixed angle to the slip.  Not a normal
  // law, unless that angle is zero and the strength constant.  Throws InvalidInput if the curve has
  // a corner there, since then the arm's angle is not determined.
  SlipLaw relaxed() const;
};

}  // namespace stiction
