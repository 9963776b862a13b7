// SPDX-License-Identifier: Apache-2.0
#include "slider/motion/scaled_slider.h"

#include <algorithm>
#include <cmath>

#include "base/plane.h"

namespace stiction {

namespace {

bool carries(const Support& support) {
  return support.normal_force > 0 && support.curve.shape() != LimitCurve::Shape::point;
}

double largest_force(const LimitCurve& curve) {
  if (curve.has_arcs()) return std::max(curve.ellipse().a, curve.ellipse().b);
  double largest = 0;
  for (const LimitCurve::Piece& piece : curve.pieces())
    largest = std::max(largest, piece.from.norm());
  return largest;
}

// A polygon with forces in every direction, not all of them next to one line.
bool is_wide(const LimitCurve& curve) {
  if (curve.shape() != LimitCurve::Shape::polygon) return false;
  const auto& pieces = curve.pieces();
  const Vec2 &a = pieces[0].from, &b = pieces[std::max<std::size_t>(1, pieces.size() / 4)].from;
  const double turn = cross(a, b);
  return turn * turn > 0.01 * a.squaredNorm() * b.squaredNorm();
}

}  // namespace

ScaledSlider::ScaledSlider(const Slider& slider, const Load& load, Progress progress)
    : slider_(&slider), c_(slider.centre_of_pressure()), progress_(std::move(progress)) {
  if (progress_) told_ = std::make_shared<int>(0);
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
  far_ = c_.norm() / s_;
  strength_ = 1;
  const Vec3 scale = scaled(load.vector());
  const double largest = scale.cwiseAbs().maxCoeff();
  if (largest > 0) {
    p_ = (scale / largest).normalized();
    size_ = largest * (scale / largest).norm();
  }
  strength_ = strength;
  points_.reserve(slider.supports().size());
  for (const Support& support : slider.supports()) {
    if (!carries(support)) continue;
    if (support.shape == Support::Shape::point)
      points_.push_back({&support, scaled(support.at), support.normal_force / strength_});
    else
      areas_.push_back(&support);
  }
}

bool ScaledSlider::smooth() const {
  return points_.empty() && std::all_of(areas_.begin(), areas_.end(), [](const Support* area) {
           return area->curve.shape() == LimitCurve::Shape::ellipse;
         });
}

bool ScaledSlider::creased() const {
  return std::any_of(points_.begin(), points_.end(),
                     [](const ScaledPoint& point) { return !point.curve().pieces().empty(); });
}

std::optional<Vec3> ScaledSlider::put_among_loads() {
  for (const Support* area : areas_)
    if (area->tangential || area->curve.shape() != LimitCurve::Shape::segment) return std::nullopt;
  Vec3 first = Vec3::Zero(), normal = Vec3::Zero();
  const auto each = [&](const auto& visit) {
    for (const ScaledPoint& point : points_) {
      const LimitCurve& curve = point.curve();
      if (curve.has_arcs() || is_wide(curve)) {
        visit(load_of(point.at, Vec2::UnitX()));
        visit(load_of(point.at, Vec2::UnitY()));
      } else {
        for (const LimitCurve::Piece& piece : curve.pieces())
          if (!piece.from.isZero(0)) visit(load_of(point.at, piece.from.normalized()));
      }
    }
    for (const Support* area : areas_) {  // of wheels: at three places of it, or the two ends
      const Vec2 along = plane::left(area->curve.pieces()[0].normal);
      if (area->shape == Support::Shape::segment) {
        visit(load_of(scaled(area->at), along));
        visit(load_of(scaled(area->to), along));
        continue;
      }
      const PressureMoments m = pressure_moments(*area);
      const Vec2 centre = scaled(m.centre);
      const double reach = std::sqrt(m.square) / s_;
      visit(load_of(centre, along));
      visit(load_of(centre + reach * Vec2::UnitX(), along));
      visit(load_of(centre + reach * Vec2::UnitY(), along));
    }
  };
  each([&](const Vec3& load) {
    if (load.norm() > first.norm()) first = load;
  });
  first.normalize();
  each([&](const Vec3& load) {
    if (const Vec3 across = first.cross(load); across.norm() > normal.norm()) normal = across;
  });
  const double width = normal.norm();
  Vec3 off = p_ - first * first.dot(p_);  // of a line
  double slack = 4 * noise();
  if (width > slack) {
    normal /= width;
    slack /= std::min(width, 1.0);
    double depth = 0;
    each([&](const Vec3& load) { depth = std::max(depth, std::abs(normal.dot(load))); });
    if (depth > slack) return std::nullopt;
    off = normal * normal.dot(p_);
    free_ = normal;
  }
  if (off.norm() > slack) return off;
  p_ = (p_ - off).normalized();
  return std::nullopt;
}

Eigen::Matrix<double, 3, 2> ScaledSlider::plane() const {
  int least = 0;
  p_.cwiseAbs().minCoeff(&least);
  Eigen::Matrix<double, 3, 2> B;
  B.col(0) = p_.cross(Vec3::Unit(least)).normalized();
  B.col(1) = p_.cross(B.col(0));
  return B;
}

void ScaledSlider::tell() const {
  if (!progress_) return;
  const int k = (*told_)++;  // most searches take about a dozen
  if (!progress_(k / (k + 12.0))) throw Stopped("stopped before the motion was known");
}

ScaledPower ScaledSlider::power(const Vec3& q, bool second) const {
  const ScaledPower sum = point_power(q, nullptr, second);
  if (areas_.empty()) {
    tell();
    return sum;
  }
  const ScaledPower areas = area_power(q, second);
  return {.h = sum.h + areas.h, .g = sum.g + areas.g, .K = sum.K + areas.K};
}

ScaledPower ScaledSlider::point_power(const Vec3& q, const Vec3* change, bool second) const {
  ScaledPower sum;
  for (const ScaledPoint& point : points_) {
    Vec2 slip = rounded_slip_at(point.at, q);
    if (change != nullptr) slip += slip_at(point.at, *change);
    const PointForce force = force_at(point.curve(), slip);
    sum.h += point.strength * force.power;
    sum.g += point.load(force.force);
    if (!second || force.bend.isZero(0)) continue;
    const Vec3 bend = load_of(point.at, force.bend);
    sum.K += (point.strength / force.power * bend) * bend.transpose();
  }
  return sum;
}

ScaledPower ScaledSlider::area_power(const Vec3& q, bool second) const {
  tell();
  PowerDerivatives d;
  const Vec3 m = motion(q).vector();
  for (const Support* area : areas_) add_area(*area, 0, m, second, d, nullptr);
  ScaledPower sum{.h = d.power / strength_, .g = scaled(d.load)};
  if (second) {
    Eigen::Matrix3d T;  // Q = T q
    T << 1, 0, c_.y() / s_, 0, 1, -c_.x() / s_, 0, 0, 1 / s_;
    sum.K = T.transpose() * (d.hessian / strength_) * T;
  }
  return sum;
}

Vec3 ScaledSlider::about(const Vec2& place) const {
  const Vec3 q = Vec3(place.y(), -place.x(), 1).normalized();
  return p_.dot(q) < 0 ? Vec3(-q) : q;
}

}  // namespace stiction
