// SPDX-License-Identifier: Apache-2.0
#include "stiction/coulomb.h"

#include <algorithm>
#include <cmath>

#include "base/plane.h"

namespace stiction {

namespace {

void require_arguments(const Vec2& v, double f_n, double mu) {
  if (!v.allFinite()) throw InvalidInput("slip is " + text(v) + ", expected finite numbers");
  if (!std::isfinite(f_n) || f_n < 0)
    throw InvalidInput("normal force is " + text(f_n) + ", expected a finite number ≥ 0");
  if (!std::isfinite(mu) || mu < 0)
    throw InvalidInput("mu is " + text(mu) + ", expected a finite number ≥ 0");
}

void require_force(const Vec2& F) {
  if (!F.allFinite()) throw InvalidInput("force is " + text(F) + ", expected finite numbers");
}

}  // namespace

CoulombConditions coulomb_conditions(const Vec2& v, const Vec2& F, double f_n, double mu) {
  require_arguments(v, f_n, mu);
  require_force(F);
  const double speed = plane::norm(v), force = plane::norm(F), bound = mu * f_n;
  return {.a = std::max(0.0, force - bound),
          .b = speed * std::max(0.0, bound - force),
          .c = std::max(0.0, force * speed + F.dot(v))};
}

CoulombCheck check_coulomb(const Vec2& v, const Vec2& F, double f_n, double mu, double tolerance) {
  CoulombCheck check;
  check.residual = coulomb_conditions(v, F, f_n, mu);
  const double speed = plane::norm(v), force = plane::norm(F), bound = mu * f_n;
  check.a = check.residual.a <= tolerance * (force + bound);
  check.b = check.residual.b <= tolerance * speed * (force + bound);
  check.c = check.residual.c <= tolerance * 2 * force * speed;
  const auto say = [&](const std::string& line) {
    check.message += (check.message.empty() ? "" : "; ") + line;
  };
  if (!check.a) say("(a) ‖F‖ exceeds μ f_n by " + text(check.residual.a) + " N");
  if (!check.b)
    say("(b) it slips at " + text(speed) + " m/s while ‖F‖ is " + text(bound - force) +
        " N below μ f_n");
  if (!check.c) say("(c) F·v exceeds −‖F‖‖v‖ by " + text(check.residual.c) + " W");
  return check;
}

LeastPower least_power(const Vec2& v, double f_n, double mu) {
  require_arguments(v, f_n, mu);
  const double bound = mu * f_n;
  LeastPower least;
  least.multiplier = plane::norm(v);
  if (bound == 0) return least;
  if (v.isZero(0)) {
    least.unique = false;
    return least;
  }
  least.force = -bound * Direction::along(v).unit();
  least.power = -bound * least.multiplier;
  return least;
}

OptimalityResidual optimality_residual(const Vec2& v, const Vec2& F, double f_n, double mu,
                                       double multiplier) {
  require_arguments(v, f_n, mu);
  require_force(F);
  if (!(multiplier >= 0))
    throw InvalidInput("multiplier is " + text(multiplier) + ", expected a number ≥ 0");
  const double force = plane::norm(F), bound = mu * f_n;
  const double stationarity = F.isZero(0)
                                  ? std::max(0.0, plane::norm(v) - multiplier)
                                  : plane::norm(v + multiplier * Direction::along(F).unit());
  return {.feasibility = std::max(0.0, force - bound),
          .stationarity = stationarity,
          .complementarity = std::abs(multiplier * (bound - force))};
}

Face friction_response(const LimitCurve& curve, const Vec2& v, double f_n) {
  require_arguments(v, f_n, 0);
  Face face = curve.face(v);
  if (f_n == 0) return {};  // only the zero force, whatever the slip
  face.first *= f_n;
  face.last *= f_n;
  return face;
}

}  // namespace stiction
