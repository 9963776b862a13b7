// SPDX-License-Identifier: Apache-2.0
#include "stiction/linearisation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"

namespace stiction {

namespace {

// C has no extent in directions that point out of a flat through the origin.  The least angle at
// which such a sector begins, 0 if the direction 0° lies inside one.
double start_of_empty_sector_deg(const LimitCurve& curve) {
  if (curve.shape() != LimitCurve::Shape::polygon && curve.shape() != LimitCurve::Shape::clipped)
    return 0;  // a segment has extent in two directions only
  double start = 360;
  for (const LimitCurve::Piece& piece : curve.pieces()) {
    if (piece.arc || piece.offset > 0) continue;
    if (piece.normal.x() > rounding) return 0;
    start = std::min(start, angle_degrees(plane::right(piece.normal)));
  }
  return start;
}

}  // namespace

ConeQuality cone_quality(const LimitCurve& curve, double mu) {
  if (!std::isfinite(mu) || mu <= 0)
    throw InvalidInput("mu is " + text(mu) + ", expected a finite number > 0");
  const std::vector<Vec2> points = curve.extreme_points();
  const auto first_angle = [&](double radius) {
    double angle = 360;
    for (const Vec2& f : points)
      if (std::abs(plane::norm(f) - radius) <= rounding * radius)
        angle = std::min(angle, angle_degrees(f));
    return angle;
  };
  const double nearest = curve.inscribed_radius(), farthest = curve.circumscribed_radius();
  ConeQuality quality;
  quality.inscribed = nearest / mu;
  quality.circumscribed = farthest / mu;
  quality.area_ratio = curve.area() / mu / mu / std::numbers::pi;
  if (nearest < mu * (1 - rounding)) {
    quality.under = 1 - nearest / mu;
    quality.under_at_deg = nearest > 0 ? first_angle(nearest) : start_of_empty_sector_deg(curve);
  }
  if (farthest > mu * (1 + rounding)) {
    quality.over = farthest / mu - 1;
    quality.over_at_deg = first_angle(farthest);
  }
  return quality;
}

SlipError slip_error(const LimitCurve& curve, double mu, const Direction& slip) {
  const Vec2& v = slip.unit();
  const Face face = curve.face(v);
  const Vec2 f = (face.first + face.last) / 2;
  SlipError error;
  error.direction = f.isZero(0) ? 0 : std::atan2(cross(v, f), v.dot(f));
  error.force = plane::norm(f) / mu;
  error.power = curve.support(v) / mu;
  return error;
}

ThrownBlock throw_block(const LimitCurve& curve, double mu, const Vec2& velocity, int steps,
                        double gravity) {
  const double exact_time = plane::norm(velocity) / (mu * gravity);
  if (!(steps > 0) || !std::isfinite(exact_time))
    throw InvalidInput("steps, mu and gravity must be positive and the velocity finite");
  const double dt = exact_time / steps;
  const LimitCurve impulses = curve.scaled(gravity * dt);
  ThrownBlock thrown;
  thrown.path = {Vec2::Zero()};
  thrown.least_power = infinity;
  Vec2 v = velocity;
  while (!v.isZero(0)) {
    if (thrown.path.size() > 100UL * static_cast<std::size_t>(steps))
      throw InvalidInput(
          "the law does not stop this block, expected one that resists slip in every direction");
    const Vec2 impulse = impulses.project(v);
    Vec2 next = v - impulse;
    // Inside the last step friction has impulse to spare; what is left of v is rounding.
    if (plane::norm(next) <= rounding * plane::norm(velocity)) next = Vec2::Zero();
    thrown.least_power = std::min(thrown.least_power, impulse.dot(next) / dt);
    v = next;
    thrown.path.emplace_back(thrown.path.back() + v * dt);
    thrown.time += dt;
  }
  return thrown;
}

}  // namespace stiction
