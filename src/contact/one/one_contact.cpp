// SPDX-License-Identifier: Apache-2.0
//
// One contact under any limit curve.  Where it slips along v, f = −r_t/r_n is in the face of C for
// v.  From u_n = 0 follows r_n(f) = −b_n/(D_nn − D_nt f), and u_t = r_n(f) (D_tn − D_tt f) + b_t
// must be normal to C at f:
//
//   vertex   f is known: is u_t in its normal wedge?
//   flat     f = p + τ e: u_t·e = 0, times the denominator, is linear in τ
//   arc      of an ellipse with A = diag(1/a², 1/b²): u_t = −β A r_t, and so
//            r_t(β) = −(S + βA)⁻¹ c; β is the root of gauge(r_t(β)) = r_n(β), as for the disc
#include "contact/one/one_contact.h"
#include "base/roots.h"

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
  const auto difference = [&](double beta) {
    const double g = at(beta, t, n);
    return std::abs(g) <= 1e-16 * n ? 0.0 : g;
  };
  sign_change(difference, low, g_low, high, g_high, 4e-16, 200);  // leaves t and n there
  if (!(n > 0)) return false;
  const double fit = n / std::hypot(t[0] / e.a, t[1] / e.b);
  if (!std::isfinite(fit)) return false;
  const Vec2 world = R * t * fit;
  r = {n, world.x(), world.y()};
  return true;
}

// The slips under any curve, one piece of it after the other.
class SlipOnCurve {
 public:
  SlipOnCurve(const ContactPivot<3>& p, const LimitCurve& curve, const Eigen::Matrix2d& D_tt,
              const Vec3& b)
      : p_(p), curve_(curve), D_tt_(D_tt), b_(b) {}

  // At a vertex or on a flat.
  bool find(Vec3& r) const {
    const auto& pieces = curve_.pieces();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto& before = pieces[(i + pieces.size() - 1) % pieces.size()];
      if (at_vertex(before, pieces[i], r)) return true;
      if (!pieces[i].arc && on_flat(pieces[i], curve_.piece_end(i), r)) return true;
    }
    return false;
  }

 private:
  double normal_force(const Vec2& f) const {
    const double pivot = p_.nn - p_.nt.dot(f);
    return pivot > 0 ? -b_[0] / pivot : -1.0;
  }
  Vec2 slip(const Vec2& f, double n) const { return n * (p_.tn - D_tt_ * f) + Vec2(b_.tail<2>()); }
  static bool take(const Vec2& f, double n, Vec3& r) {
    r = {n, -n * f.x(), -n * f.y()};
    return true;
  }
  // The vertex at which `piece` starts: between the normals of the piece before and of this one.
  bool at_vertex(const LimitCurve::Piece& before, const LimitCurve::Piece& piece, Vec3& r) const {
    const double n = normal_force(piece.from);
    if (!(n > 0)) return false;
    const Vec2 first = before.arc ? curve_.ellipse().normal(piece.from) : before.normal;
    const Vec2 last = piece.arc ? curve_.ellipse().normal(piece.from) : piece.normal;
    const Vec2 v = slip(piece.from, n);
    return cross(first, v) >= 0 && cross(v, last) >= 0 && take(piece.from, n, r);
  }
  // e·(−b_n (D_tn − D_tt f) + b_t (D_nn − D_nt f)) = 0 at f = from + τ e
  bool on_flat(const LimitCurve::Piece& piece, const Vec2& to, Vec3& r) const {
    const Vec2 e = to - piece.from, b_t = b_.tail<2>();
    const auto value = [&](const Vec2& f) {
      return e.dot(-b_[0] * (p_.tn - D_tt_ * f) + b_t * (p_.nn - p_.nt.dot(f)));
    };
    const double at_from = value(piece.from), at_to = value(to);
    if (!((at_from >= 0 && at_to <= 0) || (at_from <= 0 && at_to >= 0))) return false;
    const double tau = at_from == at_to ? 0.5 : at_from / (at_from - at_to);
    const Vec2 f = piece.from + tau * e;
    const double n = normal_force(f);
    return n > 0 && piece.normal.dot(slip(f, n)) >= 0 && take(f, n, r);
  }

  const ContactPivot<3>& p_;
  const LimitCurve& curve_;
  const Eigen::Matrix2d& D_tt_;
  const Vec3& b_;
};

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
  if (SlipOnCurve(p, curve, D_tt, b).find(r)) return true;
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
