// SPDX-License-Identifier: Apache-2.0
//
// A point support of normal force N: H = N h(slip), P the load of the force f ∈ N ∂h(slip).  With
// L the 3×2 matrix that takes a force at the place to its load, slip = Lᵀ Q and ∂P/∂Q = L ∂f/∂v Lᵀ.
#include "slider/supports/support_load.h"

#include "base/plane.h"

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

// The forces that answer the slip of a place.  It is normal to a flat within rounding of its own
// terms: next to the rotation centre those cancel and leave its direction uncertain.
Face face_at(const LimitCurve& curve, const Vec2& slip, double slack) {
  if (const auto k = flat_facing(curve, slip, slack))
    return {
        .kind = Face::Kind::segment, .first = curve.pieces()[*k].from, .last = curve.piece_end(*k)};
  return curve.face(slip);
}

}  // namespace

std::size_t farthest_vertex(const LimitCurve& curve, const Vec2& v) {
  const auto& pieces = curve.pieces();
  std::size_t best = 0;
  double most = -infinity;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double power = pieces[i].from.dot(v);
    best = power > most ? i : best;
    most = std::max(most, power);
  }
  return best;
}

// With w = (a v·e, b v×e) in the ellipse's axes, its power is |w| and its force is linear in w/|w|.
PointForce force_at(const LimitCurve& curve, const Vec2& v) {
  const auto& pieces = curve.pieces();
  if (curve.has_arcs()) {
    const Ellipse& e = curve.ellipse();
    const double x = e.a * e.axis.dot(v), y = e.b * cross(e.axis, v), square = x * x + y * y;
    const double size = in_range(square) ? std::sqrt(square) : std::hypot(x, y);
    if (!(size > 0)) return {};
    const auto turned = [&](double along, double across) -> Vec2 {
      return {along * e.axis.x() - across * e.axis.y(), along * e.axis.y() + across * e.axis.x()};
    };
    const Vec2 f = turned(e.a * (x / size), e.b * (y / size));
    if (std::none_of(pieces.begin(), pieces.end(), [&](const LimitCurve::Piece& piece) {
          return !piece.arc && piece.normal.dot(f) > piece.offset;
        }))
      return {.force = f, .power = size, .bend = turned(-e.a * (y / size), e.b * (x / size))};
  }
  if (pieces.empty() || v.isZero(0)) return {};
  const std::size_t best = farthest_vertex(curve, v);
  const Vec2& vertex = pieces[best].from;
  const double most = vertex.dot(v);
  const double power = std::max(0.0, most);  // 0 ∈ C
  // Is v normal to the flat before the vertex or after it?
  const std::size_t before = best > 0 ? best - 1 : pieces.size() - 1;
  const Vec2 *other = nullptr, *ends[] = {&pieces[before].from, &curve.piece_end(best)};
  double least = infinity;
  for (const int after : {0, 1}) {
    if (pieces[after == 0 ? before : best].arc) continue;
    const Vec2& end = *ends[after];
    const double tilt = most - end.dot(v);
    if (tilt < least &&
        tilt <= rounding * (plane::dot_terms(end, v) + plane::dot_terms(vertex, v))) {
      least = tilt;
      other = &end;
    }
  }
  if (other != nullptr) return {.force = 0.5 * (vertex + *other), .power = power};
  return {.force = vertex, .power = power};
}

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
  const Face face = face_at(curve, slip, slip_slack(at, q));
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
