// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law at a point, as an optimisation and as conditions.
//
//   v     slip velocity of the body over the ground                        [m/s]
//   F     friction force on the body, F = −f                               [N]
//   f_n   normal force, ≥ 0                                                [N]
//   μ     coefficient of friction
//
// Friction gives the body the least power it can, and so dissipates the most:
//
//   minimise v·F subject to ‖F‖ ≤ μ f_n                                                        (1)
//
// Its first-order conditions with a multiplier λ ≥ 0 are −v ∈ λ ∂‖F‖ and λ (μ f_n − ‖F‖) = 0, where
// ∂‖F‖ = F/‖F‖ for F ≠ 0 and the unit disc for F = 0.  They hold for some λ exactly if
//
//   (a) ‖F‖ ≤ μ f_n    (b) ‖v‖ (μ f_n − ‖F‖) = 0    (c) F·v = −‖F‖ ‖v‖
//
// and λ = ‖v‖ will always do.  At v = 0 every admissible F is optimal.  At f_n = 0 (or μ = 0) only
// F = 0 is admissible, v is free, and λ may be any number ≥ ‖v‖.  At F = 0 inside a cone of
// positive size λ = 0, hence v = 0.
#pragma once

#include <string>

#include "stiction/limit_curve.h"

namespace stiction {

// How far each condition is from holding; all ≥ 0, all 0 for Coulomb's law.
struct CoulombConditions {
  double a = 0;  // max(0, ‖F‖ − μ f_n)           the force leaves the cone      [N]
  double b = 0;  // ‖v‖ max(0, μ f_n − ‖F‖)       it slips with friction to spare [W]
  double c = 0;  // ‖F‖ ‖v‖ + F·v                 friction not opposite to slip  [W]
};
CoulombConditions coulomb_conditions(const Vec2& v, const Vec2& F, double f_n, double mu);

// Does (v, F, f_n) obey the law?  A residual counts as a failure above `tolerance` times the terms
// it is made of.  `message` names the conditions that fail and by how much; empty if none does.
struct CoulombCheck {
  bool a = true, b = true, c = true;
  CoulombConditions residual;
  std::string message;

  bool ok() const { return a && b && c; }
};
CoulombCheck check_coulomb(const Vec2& v, const Vec2& F, double f_n, double mu,
                           double tolerance = rounding);

// The minimiser of (1).  Where it is not unique, `force` is the centre of the disc of minimisers.
struct LeastPower {
  Vec2 force = Vec2::Zero();  // [N]
  double power = 0;           // v·F = −μ f_n ‖v‖, given to the body  [W]
  double multiplier = 0;      // λ = ‖v‖                              [m/s]
  bool unique = true;
};
LeastPower least_power(const Vec2& v, double f_n, double mu);

// The first-order conditions of (1) at (F, λ).
struct OptimalityResidual {
  double feasibility = 0;      // max(0, ‖F‖ − μ f_n)                      [N]
  double stationarity = 0;     // distance of −v from λ ∂‖F‖               [m/s]
  double complementarity = 0;  // |λ (μ f_n − ‖F‖)|                        [W]
};
OptimalityResidual optimality_residual(const Vec2& v, const Vec2& F, double f_n, double mu,
                                       double multiplier);

// The forces on the ground that answer a slip under any limit curve: f_n times the face of C.
Face friction_response(const LimitCurve& curve, const Vec2& v, double f_n);

}  // namespace stiction
