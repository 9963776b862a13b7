// SPDX-License-Identifier: Apache-2.0
//
// One contact under any limit curve.  Slip along v has f = −r_t/r_n in the face of C for v, and u_n
// = 0 gives r_n(f) = −b_n/(D_nn − D_nt f), so u_t = r_n(f) (D_tn − D_tt f) + b_t must be normal to
// C at f:
//
//   vertex   f is known: is u_t in its normal wedge?
//   flat     f = p + τ e: u_t·e = 0, times the denominator, is linear in τ
//   arc      of an ellipse with A = diag(1/a², 1/b²): u_t = −β A r_t, so r_t(β) = −(S + βA)⁻¹ c and
//   β
//            is the root of gauge(r_t(β)) = r_n(β), as for the disc
#include "contact/one_contact.h"

namespace stiction {

namespace {

// The slip on the arcs' ellipse, in its axes.
bool slip_on_ellipse(const ContactPivot<3>& p, const Ellipse& e, const Vec3& b, double nu,
                     Vec3& r) {
  Eigen::Matrix2d S;
  S << p.s11, p.s12, p.s21, p.s22;
  Eigen::Matrix2d R;
  R.col(0) = e.is_disc() ? Vec2(1, 0) : e.axis;
  R.col(1) = Vec2(-R(1, 0), R(0, 0));
  const Eigen::Matrix2d T = R.transpose() * S * R;
  const Vec2 c = R.transpose() * (b.tail<2>() + p.tn * nu);
  const Vec2 nt = R.transpose() * p.nt;
  const Vec2 A(1 / (e.a * e.a), 1 / (e.b * e.b));
  const auto at = [&](double beta, Vec2& t, double& n) {
    Eigen::Matrix2d M = T;
    M(0, 0) += beta * A[0];
    M(1, 1) += beta * A[1];
    const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
    if (!(det > 0)) return -infinity;
    t = -Vec2(M(1, 1) * c[0] - M(0, 1) * c[1], M(0, 0) * c[1] - M(1, 0) * c[0]) / det;
    n = nu - nt.dot(t) / p.nn;
    return n - std::hypot(t[0] / e.a, t[1] / e.b);
  };
  Vec2 t = Vec2::Zero();
  double n = 0;
  // Bracket the root by doubling, then close in by the Illinois variant of false position.
  double low = 0,
         high = std::max(T.cwiseAbs().maxCoeff() / A.minCoeff(), c.norm() / (nu * A.minCoeff()));
  if (!(high > 0)) return false;
  double g_low = at(low, t, n), g_high = at(high, t, n);
  for (int i = 0; i < 200 && g_high < 0; ++i) {
    low = high;
    g_low = g_high;
    high *= 4;
    g_high = at(high, t, n);
  }
  if (g_high < 0 || g_low > 0) return false;
  int side = 0;
  for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
    double middle =
        std::isfinite(g_low) ? (low * g_high - high * g_low) / (g_high - g_low) : (low + high) / 2;
    if (!(middle > low && middle < high) || i % 8 == 7) middle = (low + high) / 2;
    const double g = at(middle, t, n);
    if (std::abs(g) <= 1e-16 * n) break;
    if (g < 0) {
      low = middle;
      g_low = g;
      if (side == -1) g_high /= 2;
      side = -1;
    } else {
      high = middle;
      g_high = g;
      if (side == 1) g_low /= 2;
      side = 1;
    }
  }
  if (!(n > 0)) return false;
  const double fit = n / std::hypot(t[0] / e.a, t[1] / e.b);
  if (!std::isfinite(fit)) return false;
  const Vec2 world = R * t * fit;
  r = {n, world.x(), world.y()};
  return true;
}

}  // namespace

bool solve_one_contact_any_curve(const ContactPivot<3>& p, const FrictionCone& cone, const Vec3& b,
                                 Vec3& r) {
  const LimitCurve& curve = cone.curve();
  Eigen::Matrix2d D_tt;
  D_tt << p.s11, p.s12, p.s21, p.s22;
  if (p.nn != 0) D_tt += p.tn * p.nt.transpose() / p.nn;
  const Vec2 b_t = b.tail<2>();
  const bool may_stick = b[0] < 0 || (p.wedged && r[0] > 0);
  if (!may_stick || !(p.nn > 0)) {
    r.setZero();
    return b[0] >= 0;
  }
  const double nu = -b[0] / p.nn;
  const double det = p.s11 * p.s22 - p.s12 * p.s21;
  if (det > 0) {
    const Vec2 c = b_t + p.tn * nu;
    const Vec2 t = -Vec2(p.s22 * c[0] - p.s12 * c[1], p.s11 * c[1] - p.s21 * c[0]) / det;
    const Vec3 stick(nu - p.nt.dot(t) / p.nn, t[0], t[1]);
    if (cone.contains(stick)) {
      r = stick;
      return true;
    }
  }
  if (b[0] >= 0) {
    r.setZero();
    return true;
  }
  if (curve.shape() == LimitCurve::Shape::point) {
    r = {nu, 0, 0};
    return true;
  }
  const auto normal_force = [&](const Vec2& f) {
    const double pivot = p.nn - p.nt.dot(f);
    return pivot > 0 ? -b[0] / pivot : -1.0;
  };
  const auto slip = [&](const Vec2& f, double n) -> Vec2 { return n * (p.tn - D_tt * f) + b_t; };
  const auto take = [&](const Vec2& f, double n) {
    r = {n, -n * f.x(), -n * f.y()};
    return true;
  };
  const auto& pieces = curve.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = pieces[i];
    // The vertex this piece starts at: between the normals of the piece before and of this one.
    const auto& before = pieces[(i + pieces.size() - 1) % pieces.size()];
    const Vec2 first = before.arc ? curve.ellipse().normal(piece.from) : before.normal;
    const Vec2 last = piece.arc ? curve.ellipse().normal(piece.from) : piece.normal;
    if (const double n = normal_force(piece.from); n > 0) {
      const Vec2 v = slip(piece.from, n);
      if (cross(first, v) >= 0 && cross(v, last) >= 0) return take(piece.from, n);
    }
    if (piece.arc) continue;
    const Vec2& to = curve.piece_end(i);
    const Vec2 e = to - piece.from;
    // e·(−b_n (D_tn − D_tt f) + b_t (D_nn − D_nt f)) = 0 at f = from + τ e
    const auto value = [&](const Vec2& f) {
      return e.dot(-b[0] * (p.tn - D_tt * f) + b_t * (p.nn - p.nt.dot(f)));
    };
    const double at_from = value(piece.from), at_to = value(to);
    if ((at_from >= 0 && at_to <= 0) || (at_from <= 0 && at_to >= 0)) {
      const double tau = at_from == at_to ? 0.5 : at_from / (at_from - at_to);
      const Vec2 f = piece.from + tau * e;
      const double n = normal_force(f);
      if (n > 0 && piece.normal.dot(slip(f, n)) >= 0) return take(f, n);
    }
  }
  if (curve.has_arcs()) {
    Vec3 s;
    if (slip_on_ellipse(p, curve.ellipse(), b, nu, s)) {
      const Vec3 inside = cone.project(s);
      if ((inside - s).norm() <= 1e-9 * s.norm()) {
        r = inside;
        return true;
      }
    }
  }
  const double step = 1 / std::max(p.nn, D_tt.cwiseAbs().maxCoeff());
  Vec3 u;
  u[0] = b[0] + p.nn * r[0] + p.nt.dot(r.tail<2>());
  u.tail<2>() = b_t + p.tn * r[0] + D_tt * r.tail<2>();
  r = cone.project(r - step * cone.shift(u));
  return false;
}

}  // namespace stiction
