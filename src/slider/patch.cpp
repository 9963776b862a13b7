// SPDX-License-Identifier: Apache-2.0
//
// Projection on the loads of a slider, by Newton's method for φ(v) = ½‖v − f‖² + h(v).
//
// Where no support rests and none slips normal to a flat, h is smooth.  Else the point supports
// keep a force g_i of their own, by the method of multipliers: their part of h is replaced by
//
//   Σ n_i max { g·w_i − ‖g − g_i‖²/(2ρ) : g ∈ C_i },   w_i the slip, n_i = N_i/N,
//
// which is smooth, and its best g becomes the next g_i until none changes.  It is then that of h.
//
// Areas whose power has a kink, as of boxes that move along an axis, are left to Wolfe's method.
#include "stiction/patch.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
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
// A face is told by its corners up to this many.
constexpr std::size_t most_corners = 1000;

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
      m = minimise(
          f_, m.v, [&](const Vec3& v) { return respond(v); }, 60);
      if (!m.found) return m;
      const double terms = f_.norm() + m.at.load.norm();
      double change = 0;
      for (Point& point : points_) {
        change += point.share * (point.next - point.force).norm() * (1 + point.support->at.norm());
        point.force = point.next;
      }
      m.found = change <= eps * terms;
      if (m.found) break;
    }
    return m;
  }

 private:
  struct Point {
    const Support* support = nullptr;
    double share = 0;
    Vec2 force = Vec2::Zero(), next = Vec2::Zero();
  };

  Response respond(const Vec3& v) {
    Response response;
    if (!areas_.empty()) {
      const double size = v.norm();
      PowerDerivatives sum;
      for (const Support* area : areas_) add_area(*area, 0, v / size, true, sum, nullptr);
      response.load = sum.load / slider_->normal_force();
      response.stiffness = sum.hessian / (slider_->normal_force() * size);
    }
    for (Point& point : points_) {
      const Vec2& at = point.support->at;
      const auto found =
          point.support->curve.project_with_derivative(point.force + penalty_ * slip_at(at, v));
      point.next = found.point;
      response.load += point.share * load_of(at, found.point);
      Eigen::Matrix<double, 2, 3> A;
      A << 1, 0, -at.y(), 0, 1, at.x();
      response.stiffness += point.share * penalty_ * A.transpose() * found.derivative * A;
    }
    return response;
  }

 public:
  // At the answer: how its loads change with v if the forces are those of v.
  Response slopes(const Minimum& m) {
    Response response;
    respond(m.v);
    if (!areas_.empty()) {
      const double size = m.v.norm();
      PowerDerivatives sum;
      for (const Support* area : areas_) add_area(*area, 0, m.v / size, true, sum, nullptr);
      response.stiffness = sum.hessian / (slider_->normal_force() * size);
    }
    for (const Point& point : points_) {
      const Vec2& at = point.support->at;
      const auto found =
          point.support->curve.project_with_derivative(point.force + penalty_ * slip_at(at, m.v));
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
  const Slider* slider_;
  Vec3 f_;
  double penalty_ = 1;
  std::vector<Point> points_;
  std::vector<const Support*> areas_;
};

// K(I + K)⁻¹, and one in the rigid directions; along v both vanish.
Mat3 derivative_of(const Response& at, const Vec3& v) {
  Eigen::Matrix<double, 3, 2> across;
  across.col(0) = v.unitOrthogonal();
  across.col(1) = v.normalized().cross(across.col(0));
  const Eigen::Matrix2d K = across.transpose() * at.stiffness * across;
  const Eigen::Matrix2d rigid = across.transpose() * at.rigid * across;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(rigid);
  Eigen::Matrix2d D;
  if (!(axes.eigenvalues()[1] > free_force)) {
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

// Onto the span of the loads: of a single point a plane.
Mat3 span_of(const Slider& slider) {
  const double length = slider.length_scale();
  Mat3 moments = Mat3::Zero();
  for (int i = 0; i < 27; ++i) {
    const Motion m{i % 3 - 1 + 0.01 * i, i / 3 % 3 - 1 + 0.003 * i,
                   (i / 9 - 1 - 0.007 * i) / length};
    const Vec3 P = load(slider, m).load.vector();
    const Vec3 scaled(P[0], P[1], P[2] / length);
    if (const double size = scaled.norm(); size > 0)
      moments += scaled * scaled.transpose() / (size * size);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(moments);
  Mat3 onto = Mat3::Zero();
  for (int k = 2; k >= 0 && axes.eigenvalues()[k] > 1e-10; --k) {
    Vec3 along = axes.eigenvectors().col(k);
    along[2] *= length;
    along -= onto * along;
    along.normalize();
    onto += along * along.transpose();
  }
  return onto;
}

}  // namespace

Patch::Patch(Slider slider) : slider_(std::move(slider)), span_(span_of(slider_)) {
  for (const Support& support : slider_.supports()) {
    const PressureMoments m = pressure_moments(support);
    // The mean of √(1 + r²) is at most that of the mean of r².
    reach_ += support.normal_force * support.curve.circumscribed_radius() *
              std::sqrt(1 + m.centre.squaredNorm() + m.square);
  }
  reach_ /= slider_.normal_force();
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
  Vec3 f = given;
  // Beyond 2^60 times the reach the direction alone decides.
  if (const double far = f.cwiseAbs().maxCoeff() / reach_; far > 0x1p60) f /= far / 0x1p60;
  const Load in_newtons = Load::of(f * slider_.normal_force());
  const MotionSet about = motion(slider_, in_newtons);
  if (about.gauge <= 1 + enough || reach_ == 0 || f.isZero(0))
    return {reach_ == 0 ? UpTo6(UpTo6::Zero(3)) : given, span_};
  Vec3 start = about.motion.vector().normalized();
  start *= std::max(f.dot(start) - support(start), eps * f.norm());

  Minimum m = minimise(
      f, start, [&](const Vec3& v) { return smooth_response(slider_, v); }, 12);
  Response at = m.at;
  if (!m.found) {
    Multipliers multipliers(slider_, f);
    m = multipliers.solve(start);
    at = multipliers.slopes(m);
  }
  const Mat3 D = derivative_of(at, m.v);
  Vec3 p = m.at.load - D * m.left;  // what is left, in the directions in which the load gives way
  if (!m.found) {
    const auto farthest = [&](const UpTo6& v) -> UpTo6 {
      return load(slider_, Motion::of(v)).load.vector() / slider_.normal_force();
    };
    const Vec3 other = nearest_by_support(UpTo6(f), farthest, 300).point;
    if ((f - other).norm() < (f - m.at.load).norm()) p = other;
  }
  return {p, D};
}

double Patch::gauge(const UpTo6& f) const {
  return motion(slider_, Load::of(f * slider_.normal_force())).gauge;
}

Section patch_section(const Slider& slider) {
  return body_section(std::make_shared<Patch>(slider));
}

}  // namespace stiction
