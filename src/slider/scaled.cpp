// SPDX-License-Identifier: Apache-2.0
#include "slider/scaled.h"

#include <algorithm>
#include <cmath>

#include "law/plane.h"

namespace stiction {

namespace {

double largest_force(const LimitCurve& curve) {
  if (curve.has_arcs()) return std::max(curve.ellipse().a, curve.ellipse().b);
  double largest = 0;
  for (const LimitCurve::Piece& piece : curve.pieces())
    largest = std::max(largest, plane::norm(piece.from));
  return largest;
}

}  // namespace

ScaledSlider::ScaledSlider(const Slider& slider, const Load& load)
    : slider_(&slider), c_(slider.centre_of_pressure()) {
  double square = 0, strength = 0;
  for (const Support& support : slider.supports()) {
    strength += support.normal_force * largest_force(support.curve);
    if (support.shape == Support::Shape::point) {
      square += support.normal_force * (support.at - c_).squaredNorm();
    } else {
      const PressureMoments m = pressure_moments(support);
      square += support.normal_force * (m.square + (m.centre - c_).squaredNorm());
    }
  }
  square /= slider.normal_force();
  spread_ = std::sqrt(square) > rounding * slider.reach();
  s_ = spread_ ? std::sqrt(square) : std::max(slider.length_scale(), c_.norm());
  strength_ = 1;
  const Vec3 scale = scaled(load.vector());
  const double largest = scale.cwiseAbs().maxCoeff();
  if (largest > 0) {
    p_ = (scale / largest).normalized();
    size_ = largest * (scale / largest).norm();
  }
  strength_ = strength;
}

Eigen::Matrix<double, 3, 2> ScaledSlider::plane() const {
  int least = 0;
  p_.cwiseAbs().minCoeff(&least);
  Eigen::Matrix<double, 3, 2> B;
  B.col(0) = p_.cross(Vec3::Unit(least)).normalized();
  B.col(1) = p_.cross(B.col(0));
  return B;
}

ScaledPower ScaledSlider::power(const Vec3& q) const {
  const PowerDerivatives d = power_derivatives(*slider_, motion(q));
  Eigen::Matrix3d T;  // Q = T q
  T << 1, 0, c_.y() / s_, 0, 1, -c_.x() / s_, 0, 0, 1 / s_;
  return {.h = d.power / strength_,
          .g = scaled(d.load),
          .K = T.transpose() * (d.hessian / strength_) * T};
}

Vec3 ScaledSlider::about(const Vec2& place) const {
  const Vec3 q = Vec3((place.y() - c_.y()) / s_, (c_.x() - place.x()) / s_, 1).normalized();
  return p_.dot(q) < 0 ? Vec3(-q) : q;
}

Vec2 ScaledSlider::slip_terms(const Vec3& q, const Vec2& place) const {
  const double omega = std::abs(q[2] / s_);
  return {std::abs(q[0]) + omega * (std::abs(c_.y()) + std::abs(place.y())),
          std::abs(q[1]) + omega * (std::abs(c_.x()) + std::abs(place.x()))};
}

LoadFace::LoadFace(const ScaledSlider& scaled, const Vec3& q) : scaled_(&scaled), q_(q) {
  constexpr double tolerance = 32 * eps;
  const Motion m = scaled.motion(q);
  const auto& supports = scaled.slider().supports();
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const Support& support = supports[i];
    PowerDerivatives sum;
    if (support.shape != Support::Shape::point) {
      std::vector<FaceTerm> faces;
      add_area(support, static_cast<int>(i), m.vector(), false, sum, &faces);
      centre_ += scaled.scaled(sum.load);
      for (FaceTerm& face : faces) {
        for (Vec3& point : face.points) point = scaled.scaled(point);
        Term term;
        term.face = std::move(face);
        terms_.push_back(std::move(term));
      }
      continue;
    }
    const LimitCurve& curve = support.curve;
    const double N = support.normal_force;
    if (N == 0 || curve.shape() == LimitCurve::Shape::point) continue;
    const Vec2 slip = slip_at(support.at, m.vector());
    const Vec2 terms = scaled.slip_terms(q, support.at);
    if (plane::norm(slip) <= tolerance * plane::norm(terms)) {
      Term term;
      term.support = &support;
      terms_.push_back(std::move(term));
      continue;
    }
    const auto lifted = [&](const Vec2& f) { return scaled.scaled(load_of(support.at, N * f)); };
    bool facing = false;
    const auto& pieces = curve.pieces();
    for (std::size_t k = 0; k < pieces.size() && !facing; ++k) {
      if (pieces[k].arc || pieces[k].normal.dot(slip) <= 0) continue;
      const Vec2 along = curve.piece_end(k) - pieces[k].from;
      const double ends = plane::norm(curve.piece_end(k)) + plane::norm(pieces[k].from);
      if (std::abs(along.dot(slip)) > tolerance * ends * plane::norm(terms)) continue;
      facing = true;
      centre_ += lifted(0.5 * (curve.piece_end(k) + pieces[k].from));
      Term term;
      term.half = lifted(0.5 * along);
      terms_.push_back(std::move(term));
    }
    if (!facing) {
      const Face face = curve.face(slip);
      centre_ += lifted(0.5 * (face.first + face.last));
    }
  }
}

Vec3 LoadFace::farthest(const Vec3& d) const {
  Vec3 sum = centre_;
  for (const Term& term : terms_) {
    if (term.support != nullptr) {
      const Vec2 slip = slip_at(term.support->at, scaled_->motion(d).vector());
      const Face face = term.support->curve.face(slip);
      if (face.kind != Face::Kind::whole)
        sum += scaled_->scaled(load_of(term.support->at, term.support->normal_force * face.first));
    } else if (term.face.points.empty()) {
      sum += term.half.dot(d) < 0 ? Vec3(-term.half) : term.half;
    } else if (term.face.kind == FaceTerm::Kind::ellipse) {
      const double a = term.face.points[0].dot(d), b = term.face.points[1].dot(d);
      const double size = std::hypot(a, b);
      if (size > 0) sum += (a * term.face.points[0] + b * term.face.points[1]) / size;
    } else if (term.face.kind == FaceTerm::Kind::segment) {
      const Vec3& half = term.face.points[0];
      sum += half.dot(d) < 0 ? Vec3(-half) : half;
    } else {
      sum += *std::max_element(term.face.points.begin(), term.face.points.end(),
                               [&](const Vec3& x, const Vec3& y) { return x.dot(d) < y.dot(d); });
    }
  }
  return sum;
}

Eigen::Index LoadFace::dimension() const {
  if (terms_.empty()) return 0;
  const Vec3 n = q_.normalized(), a = n.unitOrthogonal(), b = n.cross(a);
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  const Vec3 widths[] = {a, b, a + b, a - b};
  for (const Vec3& d : widths) {
    const Vec3 width = farthest(d) - farthest(-d);
    const Vec2 w(a.dot(width), b.dot(width));
    sum += w * w.transpose();
  }
  const Vec2 squares = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(sum).eigenvalues();
  return (squares.array() > 1e-18 + 1e-15 * squares[1]).count();
}

// The point of least norm of the face less the target, in the plane across q: the set is met by its
// farthest points along −x, x the least-norm point of their triangle so far.
double LoadFace::distance(const Vec3& target) const {
  if (terms_.empty()) return (centre_ - target).norm();
  const Vec3 n = q_.normalized();
  const auto seen = [&](const Vec3& load) -> Vec3 {
    const Vec3 r = load - target;
    return r - n * n.dot(r);
  };
  const double off = std::abs(n.dot(centre_ - target));  // zero but for rounding
  Vec3 corner[3];
  int corners = 1;
  corner[0] = seen(farthest(seen(centre_).isZero(0) ? Vec3(n.unitOrthogonal()) : -seen(centre_)));
  Vec3 x = corner[0];
  for (int k = 0; k < 200; ++k) {
    const double size = x.norm();
    if (size <= 4 * eps) break;
    const Vec3 next = seen(farthest(-x));
    if (x.dot(x) - x.dot(next) <= 4 * eps * size) break;
    corner[corners++] = next;
    // The nearest point of the triangle: the best of its edges, unless it holds the origin.
    if (corners == 3) {
      const double a = n.dot(corner[0].cross(corner[1])), b = n.dot(corner[1].cross(corner[2])),
                   c = n.dot(corner[2].cross(corner[0]));
      if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) return off;
    }
    double best = infinity;
    Vec3 ends[2] = {x, x}, nearest = x;
    for (int i = 0; i < corners; ++i)
      for (int j = i + 1; j < corners; ++j) {
        const Vec3 edge = corner[j] - corner[i];
        const double length = edge.squaredNorm();
        const double t = length > 0 ? std::clamp(-corner[i].dot(edge) / length, 0.0, 1.0) : 0.0;
        const Vec3 y = corner[i] + t * edge;
        if (y.norm() < best) {
          best = y.norm();
          nearest = y;
          ends[0] = corner[i];
          ends[1] = corner[j];
        }
      }
    if (best >= size) break;
    x = nearest;
    corner[0] = ends[0];
    corner[1] = ends[1];
    corners = 2;
  }
  return std::hypot(x.norm(), off);
}

}  // namespace stiction
