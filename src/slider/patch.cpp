// SPDX-License-Identifier: Apache-2.0
//
// Projection on the loads of a slider, by Newton's method for φ(v) = ½‖v − f‖² + h(v).
//
// Where no support rests and none slips normal to a flat, h is smooth.  Else the point supports
// keep a force g_i of their own, by the method of multipliers: their part of h is replaced by
//
//   Σ n_i max { g·w_i − ‖g − g_i‖²/(2ρ) : g ∈ C_i },   w_i the slip, n_i = N_i/N,
//
// which is smooth, and its best g becomes the next g_i.  Soon they tell which slips vanish.  Among
// the motions without those, h is smooth again and Newton's method ends: p = f − v.
//
// An area under a law with flats has a kink at translations normal to a flat, whose face is plane.
// What is left is found by Wolfe's method, from loads alone.
#include "stiction/patch.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "law/nearest_point.h"
#include "slider/supports/support_load.h"
#include "stiction/slider_motion.h"

namespace stiction {

namespace {

using Mat3 = Eigen::Matrix3d;

constexpr double eps = std::numeric_limits<double>::epsilon();
// What is left of the optimality condition, over its terms: loads of areas are integrated to 1e-14.
constexpr double enough = 64 * eps;
// A slope of the projection on a curve that differs from one by less: the force is free to change.
constexpr double free_force = 1e-9;
// The forces of points count as nearly found when they change by less, over the load; and their
// motion as the one sought when that differs by less, over its size.
constexpr double nearly = 1e-9, same_motion = 1e-6;
// A force counts as on an arc as in LimitCurve::project_with_derivative.
constexpr double on_arc = 1e-12;
// Among motions without a slip, what rounding leaves of it, over its terms.
constexpr double vanishes = 1e-12;
constexpr int most_wolfe = 200;  // steps of Wolfe's method
// A face is told by its corners up to this many.
constexpr std::size_t most_corners = 1000;

double gauge_of(const Slider& slider, const Vec3& f) {
  return motion(slider, Load::of(f * slider.normal_force())).gauge;
}

struct Response {
  Vec3 load = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero();  // ∂load/∂v, its infinite part left out
  Mat3 rigid = Mat3::Zero();      // Σ a aᵀ over the directions a in which it is infinite
};

struct Minimum {
  Vec3 v;
  Response at;
  Vec3 left;  // v − f + load
  bool found = false;
};

// Newton's method for v − f + load(v) = 0, the slope of a convex function, along lines to where
// that changes sign.
template <class Respond>
Minimum minimise(const Vec3& f, const Vec3& start, const Respond& respond, int most) {
  Minimum m{.v = start, .at = respond(start), .left = {}};
  m.left = m.v - f + m.at.load;
  double least = infinity;
  int idle = 0;
  for (int k = 0; k < most; ++k) {
    const double size = m.left.norm(), terms = f.norm() + m.at.load.norm() + m.v.norm();
    m.found = size <= enough * terms;
    if (size <= 2 * eps * terms) break;
    idle = size < 0.5 * least ? 0 : idle + 1;
    least = std::min(least, size);
    if (m.found && idle > 1) break;
    const Mat3 bend = Mat3::Identity() + m.at.stiffness;
    Vec3 step = -bend.ldlt().solve(m.left);
    const double slope = m.left.dot(step);
    if (!(slope < 0)) break;
    double low = 0, high = infinity, t = 1;
    Minimum next;
    for (int line = 0; line < 40; ++line) {
      next.v = m.v + t * step;
      next.at = respond(next.v);
      next.left = next.v - f + next.at.load;
      const double there = next.left.dot(step);
      if (std::abs(there) <= -0.5 * slope || m.found) break;
      (there > 0 ? high : low) = t;
      t = high < infinity ? (low + high) / 2 : 2 * t;
    }
    if (next.v == m.v) break;
    next.found = m.found;
    m = next;
  }
  return m;
}

// Of the motion v ≠ 0 alone; in its direction the load does not change.
Response smooth_response(const Slider& slider, const Vec3& v) {
  const double size = v.norm();
  Response response;
  if (size == 0) return response;
  const PowerDerivatives d = power_derivatives(slider, Motion::of(v / size));
  response.load = d.load / slider.normal_force();
  response.stiffness = d.hessian / (slider.normal_force() * size);
  return response;
}

// The projection on a curve and its derivative share·e eᵀ, e along the boundary as the curve knows
// it: what is left of a force next to the boundary tells it to few digits.
LimitCurve::Projected nearest_force(const LimitCurve& curve, const Vec2& force) {
  LimitCurve::Projected found = curve.project_with_derivative(force);
  const double share = found.derivative.trace();
  if (share == 0 || found.point == force) return found;
  Vec2 normal = Vec2::Zero();
  if (curve.has_arcs() && std::abs(curve.ellipse().gauge(found.point) - 1) <= on_arc) {
    normal = curve.ellipse().normal(found.point);
  } else {
    double least = infinity;
    for (const LimitCurve::Piece& piece : curve.pieces()) {
      const double off = std::abs(piece.normal.dot(found.point) - piece.offset);
      if (piece.arc || off >= least) continue;
      least = off;
      normal = piece.normal;
    }
    if (normal.isZero(0)) return found;
  }
  const Vec2 along(-normal.y(), normal.x());
  found.derivative = share * along * along.transpose();
  return found;
}

// The method of multipliers.
class Multipliers {
 public:
  Multipliers(const Slider& slider, const Vec3& f) : slider_(&slider), f_(f) {
    for (const Support& support : slider.supports()) {
      if (support.normal_force == 0) continue;
      if (support.shape == Support::Shape::point)
        points_.push_back({&support, support.normal_force / slider.normal_force()});
      else
        areas_.push_back(&support);
    }
  }

  Minimum solve(const Vec3& start) {
    double size = 0, arm = 1;
    for (const Point& point : points_) {
      size = std::max(size, point.support->curve.circumscribed_radius());
      arm = std::max(arm, point.support->at.norm());
    }
    penalty_ = 30 * std::max(1.0, size / start.norm()) / (arm * arm);
    Minimum m{.v = start, .at = {}, .left = {}};
    for (int round = 0; round < 60; ++round) {
      const auto with_forces = [&](const Vec3& v) { return respond(v); };
      m = minimise(f_, m.v, with_forces, 60);
      const double terms = f_.norm() + m.at.load.norm();
      if (!m.found && m.left.norm() > nearly * terms) break;
      double change = 0;
      for (Point& point : points_) {
        change += point.share * (point.next - point.force).norm() * (1 + point.support->at.norm());
        point.force = point.next;
      }
      const double share = change / terms;
      m.found = m.found && share <= eps;
      if (m.found) return m;
      if (share <= nearly)
        if (const Minimum on = without_vanishing_slips(m); on.found) return on;
    }
    m.found = false;
    return m;
  }

  // At the answer: how its loads change with v if the forces are those of v.
  Response slopes(const Minimum& m) const {
    Response response = of_areas(m.v);
    for (const Point& point : points_) {
      const Vec2& at = point.support->at;
      const auto found =
          nearest_force(point.support->curve, point.force + penalty_ * slip_at(at, m.v));
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(found.derivative);
      for (int k = 0; k < 2; ++k) {
        const double share = axes.eigenvalues()[k];
        const Vec3 a = load_of(at, axes.eigenvectors().col(k));
        if (share >= 1 - free_force)
          response.rigid += a * a.transpose() / a.squaredNorm();
        else
          response.stiffness += point.share * penalty_ * share / (1 - share) * a * a.transpose();
      }
    }
    return response;
  }

 private:
  struct Point {
    const Support* support = nullptr;
    double share = 0;
    Vec2 force = Vec2::Zero(), next = Vec2::Zero();
  };

  Response of_areas(const Vec3& v) const {
    Response response;
    if (areas_.empty()) return response;
    const double size = v.norm();
    PowerDerivatives sum;
    for (const Support* area : areas_) add_area(*area, 0, v / size, true, sum, nullptr);
    response.load = sum.load / slider_->normal_force();
    response.stiffness = sum.hessian / (slider_->normal_force() * size);
    return response;
  }

  Response respond(const Vec3& v) {
    Response response = of_areas(v);
    for (Point& point : points_) {
      const Vec2& at = point.support->at;
      const auto found =
          nearest_force(point.support->curve, point.force + penalty_ * slip_at(at, v));
      point.next = found.point;
      response.load += point.share * load_of(at, found.point);
      Eigen::Matrix<double, 2, 3> A;
      A << 1, 0, -at.y(), 0, 1, at.x();
      response.stiffness += point.share * penalty_ * A.transpose() * found.derivative * A;
    }
    return response;
  }

  // From a minimum whose forces hardly change any more, that of h itself among the motions without
  // the slips that those forces are free to stop; found if its load is one of the slider's.
  Minimum without_vanishing_slips(const Minimum& near) const {
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(slopes(near).rigid);
    Mat3 onto = Mat3::Identity();
    for (int k = 0; k < 3; ++k)
      if (axes.eigenvalues()[k] > free_force)
        onto -= axes.eigenvectors().col(k) * axes.eigenvectors().col(k).transpose();
    const auto respond_within = [&](const Vec3& v) {
      Response response = of_areas(v);
      for (const Point& point : points_) {
        const Vec2& at = point.support->at;
        if (slip_at(at, v).norm() <= vanishes * (v.head<2>().norm() + std::abs(v[2]) * at.norm()))
          continue;
        PowerDerivatives sum;
        add_point_at(point.support->curve, at, point.share, 0, v, true, sum, nullptr);
        response.load += sum.load;
        response.stiffness += sum.hessian;
      }
      response.load = onto * response.load;
      response.stiffness = onto * response.stiffness * onto;
      return response;
    };
    Minimum m = minimise(onto * f_, onto * near.v, respond_within, 12);
    m.at.load = f_ - m.v;
    m.found = m.found && (m.v - near.v).norm() <= same_motion * near.v.norm() &&
              gauge_of(*slider_, m.at.load) <= 1 + enough;
    return m;
  }

  const Slider* slider_;
  Vec3 f_;
  double penalty_ = 1;
  std::vector<Point> points_;
  std::vector<const Support*> areas_;
};

// The load nearest to f on the face of a translation normal to a flat of an area's law, of each law
// the flat that v is nearest to being normal to; if f is above that face.
std::optional<Vec3> on_face_of_area(const Slider& slider, const Vec3& f, const Vec3& v) {
  for (const Support& support : slider.supports()) {
    if (support.shape == Support::Shape::point) continue;
    Vec2 normal = Vec2::Zero();
    for (const LimitCurve::Piece& piece : support.curve.pieces())
      if (!piece.arc && piece.normal.dot(v.head<2>()) > normal.dot(v.head<2>()))
        normal = piece.normal;
    const Vec3 d(normal.x(), normal.y(), 0);
    const double above = f.dot(d) - load(slider, Motion::of(d)).power / slider.normal_force();
    const Vec3 p = f - above * d;
    if (above > 0 && gauge_of(slider, p) <= 1 + enough) return p;
  }
  return std::nullopt;
}

// K(I + K)⁻¹, and one in the rigid directions; along v both vanish.
Mat3 derivative_of(const Response& at, const Vec3& v) {
  Eigen::Matrix<double, 3, 2> across;
  across.col(0) = v.unitOrthogonal();
  across.col(1) = v.normalized().cross(across.col(0));
  const Eigen::Matrix2d K = across.transpose() * at.stiffness * across;
  const Eigen::Matrix2d rigid = across.transpose() * at.rigid * across;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(rigid);
  Eigen::Matrix2d D;
  if (!K.allFinite()) {
    D.setIdentity();  // as rigid as if it were at a kink
  } else if (!(axes.eigenvalues()[1] > free_force)) {
    D = Eigen::Matrix2d::Identity() - (Eigen::Matrix2d::Identity() + K).inverse();
  } else if (axes.eigenvalues()[0] > free_force) {
    D.setIdentity();
  } else {
    const Vec2 held = axes.eigenvectors().col(1), other = axes.eigenvectors().col(0);
    const double k = other.dot(K * other);
    D = held * held.transpose() + k / (1 + k) * other * other.transpose();
  }
  return across * D * across.transpose();
}

// Onto the span of the loads: of a single point a plane.  What is across it is a motion that
// nothing resists either way, which the loads of some motions suggest.
Mat3 span_of(const Slider& slider, double reach) {
  const Vec2& c = slider.centre_of_pressure();
  double square = 0;
  for (const Support& support : slider.supports()) {
    const PressureMoments m = pressure_moments(support);
    square +=
        support.normal_force / slider.normal_force() * (m.square + (m.centre - c).squaredNorm());
  }
  const double length = square > 0 ? std::sqrt(square) : 1;
  Mat3 to_centre;  // moments about c, over the length
  to_centre << 1, 0, 0, 0, 1, 0, c.y() / length, -c.x() / length, 1 / length;
  Mat3 sum = Mat3::Zero();
  for (int i = 0; i < 27; ++i) {
    const Vec3 q(i % 3 - 1 + 0.01 * i, i / 3 % 3 - 1 + 0.003 * i, i / 9 - 1 - 0.007 * i);
    const Vec3 P = to_centre * load(slider, Motion::of(to_centre.transpose() * q)).load.vector();
    if (const double size = P.norm(); size > 0) sum += P * P.transpose() / (size * size);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(sum);
  Mat3 onto = Mat3::Identity();
  for (int k = 0; k < 3; ++k) {
    Vec3 across = to_centre.transpose() * axes.eigenvectors().col(k);
    across = (onto * across).normalized();
    const auto resists = [&](const Vec3& v) {
      return load(slider, Motion::of(v)).power > enough * reach * slider.normal_force();
    };
    if (resists(across) || resists(-across)) break;
    onto -= across * across.transpose();
  }
  return onto;
}

}  // namespace

Patch::Patch(Slider slider) : slider_(std::move(slider)) {
  for (const Support& support : slider_.supports()) {
    const PressureMoments m = pressure_moments(support);
    // The mean of √(1 + r²) is at most that of the mean of r².
    reach_ += support.normal_force * support.curve.circumscribed_radius() *
              std::sqrt(1 + m.centre.squaredNorm() + m.square);
  }
  reach_ /= slider_.normal_force();
  span_ = span_of(slider_, reach_);
}

double Patch::support(const UpTo6& v) const {
  return load(slider_, Motion::of(v)).power / slider_.normal_force();
}

SectionFace Patch::face(const UpTo6& v) const {
  const LoadSet set = load(slider_, Motion::of(v));
  SectionFace face{.point = set.load.vector() / slider_.normal_force(),
                   .unique = set.unique,
                   .whole = v.isZero(0),
                   .hull = {}};
  if (face.unique || face.whole) return face;
  std::vector<UpTo6> corners = {face.point};
  for (const FaceTerm& term : set.terms) {
    const bool segment = term.kind == FaceTerm::Kind::segment;
    if (!segment && term.kind != FaceTerm::Kind::polygon) return face;
    std::vector<UpTo6> next;
    for (const UpTo6& corner : corners) {
      for (const Vec3& point : term.points)
        next.emplace_back(corner + UpTo6(point / slider_.normal_force()));
      if (segment) next.emplace_back(corner - UpTo6(term.points[0] / slider_.normal_force()));
    }
    if (next.size() > most_corners) return face;
    corners = std::move(next);
  }
  face.hull = std::move(corners);
  return face;
}

SectionProjection Patch::project(const UpTo6& given) const {
  if (reach_ == 0) return {UpTo6::Zero(3), UpTo6x6::Zero(3, 3)};
  // Of flat loads, first on their span.
  Vec3 f = span_.isIdentity(0) ? Vec3(given) : Vec3(span_ * Vec3(given));
  const UpTo6 inside = f;
  // Beyond 2^60 times the reach the direction alone decides.
  if (const double far = f.cwiseAbs().maxCoeff() / reach_; far > 0x1p60) f /= far / 0x1p60;
  const MotionSet about = motion(slider_, Load::of(f * slider_.normal_force()));
  if (about.gauge <= 1 + enough || f.isZero(0)) return {inside, span_};
  Vec3 start = about.motion.vector().normalized();
  start *= std::max(f.dot(start) - support(start), eps * f.norm());

  const auto smooth = [&](const Vec3& v) { return smooth_response(slider_, v); };
  const auto& supports = slider_.supports();
  const auto is_point = [](const Support& s) { return s.shape == Support::Shape::point; };
  const bool points = std::any_of(supports.begin(), supports.end(), is_point);
  Minimum m = minimise(f, start, smooth, points ? 12 : 60);
  if (m.found) {
    const Mat3 D = derivative_of(m.at, m.v);
    return {m.at.load - D * m.left, D};  // what is left, where loads give way
  }
  if (points) {
    Multipliers multipliers(slider_, f);
    m = multipliers.solve(start);
    if (m.found) return {m.at.load, derivative_of(multipliers.slopes(m), m.v)};
  }
  if (const auto p = on_face_of_area(slider_, f, m.v)) {
    const Vec3 d = (f - *p).normalized();
    return {*p, Mat3::Identity() - d * d.transpose()};
  }
  const auto farthest = [&](const UpTo6& v) -> UpTo6 {
    return load(slider_, Motion::of(v)).load.vector() / slider_.normal_force();
  };
  const Vec3 p = nearest_by_support(UpTo6(f), farthest, most_wolfe).point;
  if (p == f) return {p, span_};
  return {p, derivative_of(smooth(f - p), f - p)};
}

double Patch::gauge(const UpTo6& f) const { return gauge_of(slider_, f); }

Section patch_section(const Slider& slider) {
  return body_section(std::make_shared<Patch>(slider));
}

}  // namespace stiction
