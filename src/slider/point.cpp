// SPDX-License-Identifier: Apache-2.0
//
// A point support of normal force N: H = N h(slip), P the load of the force f ∈ N ∂h(slip).  With
// L the 3×2 matrix that takes a force at the place to its load, slip = Lᵀ Q and ∂P/∂Q = L ∂f/∂v Lᵀ.
#include "slider/kernel.h"

namespace stiction {

namespace {

// ∂f/∂v of an ellipse's point f = E² v / √(vᵀ E² v): zero along v, and on flats and at vertices.
Eigen::Matrix2d force_derivative(const LimitCurve& curve, const Vec2& v, const Vec2& f) {
  if (!curve.has_arcs()) return Eigen::Matrix2d::Zero();
  const Ellipse& e = curve.ellipse();
  if (!curve.pieces().empty() && (e.point(v) - f).norm() > 1e-9 * f.norm())
    return Eigen::Matrix2d::Zero();
  const Vec2 a = e.axis, b(-a.y(), a.x());
  const Eigen::Matrix2d E2 = e.a * e.a * a * a.transpose() + e.b * e.b * b * b.transpose();
  return (E2 - f * f.transpose()) / e.support(v);
}

}  // namespace

void add_point(const Support& support, int index, const Vec3& q, bool second, PowerDerivatives& sum,
               std::vector<FaceTerm>* terms) {
  add_point_at(support.curve, support.at, support.normal_force, index, q, second, sum, terms);
}

void add_point_at(const LimitCurve& curve, const Vec2& at, double N, int index, const Vec3& q,
                  bool second, PowerDerivatives& sum, std::vector<FaceTerm>* terms) {
  const Vec2 slip = rounded_slip_at(at, q);
  const double square = slip.x() * slip.x() + slip.y() * slip.y();
  if (is_disc(curve) && in_range(square)) {
    const double speed = std::sqrt(square), strength = N * curve.ellipse().a;
    const double k = strength / speed;
    sum.power += strength * speed;
    sum.load += load_of(at, k * slip);
    if (second) {
      // ∂f/∂v = k (1 − v̂v̂ᵀ), of rank one: k n nᵀ with n across the slip.
      const Vec3 across = load_of(at, Vec2(-slip.y(), slip.x()) / speed);
      sum.hessian += k * across * across.transpose();
    }
    return;
  }
  sum.power += N * curve.support(slip);
  const Face face = curve.face(slip);
  const auto lifted = [&](const Vec2& f) { return load_of(at, N * f); };
  if (face.kind == Face::Kind::whole) {
    if (curve.shape() == LimitCurve::Shape::point) return;
    if (curve.shape() == LimitCurve::Shape::ellipse && terms == nullptr) return;  // about zero
    // The middle of the curve: of its ellipse the centre, of a polygon the mean of the vertices.
    Vec2 middle = Vec2::Zero();
    FaceTerm term;
    term.support = index;
    if (curve.shape() == LimitCurve::Shape::ellipse) {
      const Ellipse& e = curve.ellipse();
      term.kind = FaceTerm::Kind::ellipse;
      term.points = {lifted(e.a * e.axis), lifted(e.b * Vec2(-e.axis.y(), e.axis.x()))};
    } else {
      const std::vector<Vec2> boundary = curve.has_arcs() ? outline(curve) : curve.vertices();
      for (const Vec2& f : boundary) middle += f / static_cast<double>(boundary.size());
      if (curve.shape() == LimitCurve::Shape::segment) {
        term.points = {lifted(boundary[0] - middle)};
      } else {
        term.kind = curve.has_arcs() ? FaceTerm::Kind::curve : FaceTerm::Kind::polygon;
        for (const Vec2& f : boundary) term.points.push_back(lifted(f - middle));
      }
    }
    sum.load += lifted(middle);
    if (terms != nullptr) terms->push_back(term);
    return;
  }
  const Vec2 f = 0.5 * (face.first + face.last);
  sum.load += lifted(f);
  if (face.kind == Face::Kind::segment && terms != nullptr)
    terms->push_back({.support = index,
                      .kind = FaceTerm::Kind::segment,
                      .points = {lifted(0.5 * (face.last - face.first))}});
  if (second && face.kind == Face::Kind::point) {
    Eigen::Matrix<double, 3, 2> L;
    L << 1, 0, 0, 1, -at.y(), at.x();
    sum.hessian += N * L * force_derivative(curve, slip, f) * L.transpose();
  }
}

}  // namespace stiction
