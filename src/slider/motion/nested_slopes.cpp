// SPDX-License-Identifier: Apache-2.0
//
// The minimiser where the load is too steep for a curvature: beside the rim of a ring, or the line
// of a segment, it changes like a root or a logarithm of the distance.  The power is level to
// rounding long before.  The slope along a line never falls, so that its zero is found to the last
// bits.  Two searches are nested: for each place on the way across, the zero along the steepest
// way; then the zero of the slope across at the places so found.
#include <algorithm>
#include <cmath>

#include "slider/motion/scaled_slider.h"

namespace stiction {

namespace {

struct Place {
  double t = 0, slope = 0;
  Vec3 g = Vec3::Zero();
};

// Two places next to each other between which a slope that never falls is zero.
struct Zero {
  Place low, high;

  bool found() const { return low.slope <= 0 && high.slope >= 0; }
  // The load between, of which the slope is none.
  Vec3 load() const {
    const double rise = high.slope - low.slope;
    const double share = rise > 0 ? -low.slope / rise : 0.5;
    return low.g + share * (high.g - low.g);
  }
};

template <typename At>
Zero zero_of_slope(const At& at, double start, double step, double width) {
  Zero zero;
  zero.low = zero.high = at(start);
  for (int k = 0; k < 40 && zero.low.slope > 0; ++k, step *= 4) {
    zero.high = zero.low;
    zero.low = at(zero.low.t - step);
  }
  for (int k = 0; k < 40 && zero.high.slope < 0; ++k, step *= 4) {
    zero.low = zero.high;
    zero.high = at(zero.high.t + step);
  }
  // By a line through both ends, which the end that stays does not hold back for long, and by
  // halves where two such steps leave more than a quarter: at a jump.
  double low_weight = 1, high_weight = 1, before = infinity;
  for (int k = 0; k < 150 && zero.high.t - zero.low.t > width; ++k) {
    const double a = low_weight * zero.low.slope, b = high_weight * zero.high.slope;
    const double left = zero.high.t - zero.low.t;
    double t = zero.low.t - left * (a / (b - a));
    t = std::clamp(t, zero.low.t + 0.5 * width, zero.high.t - 0.5 * width);
    if ((k % 2 == 1 && left > 0.25 * before) || !(b > a)) t = 0.5 * (zero.low.t + zero.high.t);
    if (k % 2 == 1) before = left;
    if (!(t > zero.low.t && t < zero.high.t)) break;
    const Place next = at(t);
    if (next.slope < 0) {
      zero.low = next;
      low_weight = 1, high_weight *= 0.5;
    } else {
      zero.high = next;
      high_weight = 1, low_weight *= 0.5;
    }
  }
  return zero;
}

}  // namespace

Minimiser minimise_by_slopes(const ScaledSlider& scaled, const Minimiser& near) {
  const Vec3& p = scaled.p();
  const auto B = scaled.plane();
  const Vec3 q = near.q / p.dot(near.q);
  // The steepest way: beside the kink, on the side where it shows.
  Eigen::Matrix2d steepest = Eigen::Matrix2d::Zero();
  for (const Vec2& beside : {Vec2(0, 0), Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1)}) {
    const ScaledPower at = scaled.power(q + 1e-7 * q.norm() * (B * beside));
    const Eigen::Matrix2d K = B.transpose() * at.K * B;
    if (K.trace() > steepest.trace()) steepest = K;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(steepest);
  const Vec3 across = B * axes.eigenvectors().col(0), along = B * axes.eigenvectors().col(1);
  const double width = 2 * eps * q.norm(), step = 1e-9 * q.norm();
  Vec3 best = q;
  double start = 0;
  const auto least_at = [&](double s) -> Place {
    const Vec3 from = q + s * across;
    const auto at = [&](double t) -> Place {
      const Vec3 g = scaled.power(from + t * along, false).g;
      return {t, g.dot(along), g};
    };
    const Zero zero = zero_of_slope(at, start, step, width);
    const bool low = -zero.low.slope < zero.high.slope;
    start = low ? zero.low.t : zero.high.t;
    best = from + start * along;
    const Vec3 g = zero.load();
    return {s, g.dot(across), g};
  };
  const Zero zero = zero_of_slope(least_at, 0, step, width);
  if (!zero.found()) return near;
  least_at(-zero.low.slope < zero.high.slope ? zero.low.t : zero.high.t);
  if (!scaled.drives(best)) return near;
  best /= p.dot(best);
  const double h = scaled.power(best, false).h;
  // Along a level way rounding cannot separate the places that are almost right.
  if (near.error <= 1e-13 && (best - q).norm() > 1e-6 * q.norm()) return near;
  const Vec3 off = zero.load() - h * p;
  Minimiser found = near;
  found.q = best;
  found.error = (off - p * p.dot(off)).norm() / h;
  return found.error < near.error ? found : near;
}

}  // namespace stiction
