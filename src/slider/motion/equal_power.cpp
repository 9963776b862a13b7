// SPDX-License-Identifier: Apache-2.0
//
// Is there another motion of the same load?  It would have the same power as the one found.  The
// power is convex, and so lies above its tangents.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/plane.h"
#include "slider/motion/motion_cone.h"

namespace stiction {

double rounded_up(const ScaledSlider& scaled, double h, const Vec3& q) {
  return h + scaled.noise() * std::max(h, q.norm());
}

// Where the tangents at both ends meet, the power is no lower.
std::optional<Vec3> level_on(const ScaledSlider& scaled, const Vec3& from, const Vec3& along,
                             double h) {
  const double level = rounded_up(scaled, h, from), zero = 4 * eps * along.norm();
  struct Place {
    double t, power, slope;
  };
  const auto at = [&](double t) -> Place {
    const ScaledPower power = scaled.power(from + t * along, false);
    return {t, power.h, power.g.dot(along)};
  };
  Place low = at(-1), high = at(1);
  for (int k = 0; k < 80; ++k) {
    for (const Place& end : {low, high})
      if (end.power <= level && std::abs(end.slope) <= zero) return from + end.t * along;
    if (low.slope >= 0 || high.slope <= 0) return std::nullopt;
    const double width = high.t - low.t, rise = high.slope - low.slope;
    const double bound =
        (high.slope * low.power - low.slope * high.power + low.slope * high.slope * width) / rise;
    if (bound > level) return std::nullopt;
    // The slope's zero, by a line through both and by halves.
    double t = low.t - low.slope * (width / rise);
    if (k % 2 == 1 || !(t > low.t && t < high.t)) t = 0.5 * (low.t + high.t);
    if (!(t > low.t && t < high.t)) break;
    const Place next = at(t);
    (next.slope < 0 ? low : high) = next;
  }
  const Place& least = low.power < high.power ? low : high;
  if (!(least.power <= level)) return std::nullopt;
  return from + least.t * along;
}

Vec3 farthest_level(const ScaledSlider& scaled, const Vec3& q, const Vec3& along, double h) {
  const double level = rounded_up(scaled, h, q);
  const auto has = [&](double t) { return scaled.power(q + t * along, false).h <= level; };
  double low = 0, high = 1;
  while (high < 1e6 && has(high)) low = std::exchange(high, 2 * high);
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (low + high);
    (has(middle) ? low : high) = middle;
  }
  return q + low * along;
}

// At the end of a wedge the curvature may be that of the side outside.  The tangents at three
// motions around q leave a triangle for other motions.
bool no_other_level(const ScaledSlider& scaled, const Vec3& q, const Bowl& bowl) {
  constexpr double reach = 1e-3;
  const auto B = scaled.plane();
  const double level = rounded_up(scaled, bowl.h, q);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(bowl.K);
  const Vec2& bend = axes.eigenvalues();
  const Eigen::Matrix2d spread = axes.eigenvectors() *
                                 (bend[0] / bend.array()).sqrt().matrix().asDiagonal() *
                                 axes.eigenvectors().transpose();
  struct Line {  // normal·x ≤ offset
    Vec2 normal;
    double offset;
  } line[3];
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * k / 3;
    const Vec2 x = reach * q.norm() * (spread * Vec2(std::cos(angle), std::sin(angle)));
    const ScaledPower at = scaled.power(q + B * x, false);
    const Vec2 slope = B.transpose() * at.g;
    line[k] = {slope, level - at.h + slope.dot(x)};
  }
  for (int k = 0; k < 3; ++k) {
    const auto& [a, x] = line[k];
    const auto& [b, y] = line[(k + 1) % 3];
    const double turn = cross(a, b);
    const Vec2 corner = plane::right(x * b - y * a) / turn;
    if (!(turn > 0 && corner.norm() <= 4 * reach * q.norm())) return false;
  }
  return true;
}

}  // namespace stiction
