// SPDX-License-Identifier: Apache-2.0
//
// The point of a convex body that is nearest to x, from the body's support mapping alone: Wolfe's
// method.  It keeps the nearest point y of the hull of at most d + 1 points of the body and adds
// the point that is farthest along x − y, until none is farther than y itself.  For a polytope it
// ends after finitely many steps, as exact as the points.
#pragma once

#include <Eigen/QR>
#include <array>
#include <vector>

#include "stiction/section.h"

namespace stiction {

struct NearestPoint {
  UpTo6 point;
  UpTo6x6 along;                // columns: an orthonormal basis of the flat through the points kept
  int kept = 0;                 // how many of them hold it
  bool through_origin = false;  // that flat
};

// The nearest point to x of the flat along `found.along` through `on`, whose points are of `size`.
// From the foot of the origin: through the origin itself, p is as exact as x.
inline void project_on_flat(const UpTo6& x, const UpTo6& on, double size, NearestPoint& found) {
  UpTo6 foot = on - found.along * (found.along.transpose() * on);
  foot -= found.along * (found.along.transpose() * foot);
  found.through_origin = foot.cwiseAbs().maxCoeff() <= rounding * size;
  if (found.through_origin) foot.setZero();
  found.point = foot + found.along * (found.along.transpose() * x);
}

// `farthest(v)` is a point of the body that is farthest along v; `most` bounds the steps.
template <class Farthest>
NearestPoint nearest_by_support(const UpTo6& x, const Farthest& farthest, int most) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const Eigen::Index d = x.size();
  std::array<UpTo6, 6> points;
  std::array<double, 6> weights{};
  int count = 0;
  const auto drop = [&](int i) {
    --count;
    points[static_cast<std::size_t>(i)] = points[static_cast<std::size_t>(count)];
    weights[static_cast<std::size_t>(i)] = weights[static_cast<std::size_t>(count)];
  };
  const auto point_at = [&](int i) -> UpTo6& { return points[static_cast<std::size_t>(i)]; };
  const auto weight_at = [&](int i) -> double& { return weights[static_cast<std::size_t>(i)]; };
  NearestPoint found{.point = farthest(x), .along = UpTo6x6(d, 0)};
  point_at(0) = found.point;
  found.through_origin = found.point.isZero(0);
  weight_at(0) = 1;
  count = 1;
  for (int steps = 0; steps < most; ++steps) {
    const UpTo6 v = x - found.point;
    const UpTo6 next = farthest(v);
    // No farther than y beyond rounding of the terms, or one of those that are there already.
    const double gap = v.dot(next) - v.dot(found.point);
    const double terms =
        v.cwiseAbs().dot(next.cwiseAbs()) + v.cwiseAbs().dot(found.point.cwiseAbs());
    bool known = count > static_cast<int>(d);
    for (int i = 0; i < count; ++i) known = known || point_at(i) == next;
    if (gap <= eps * terms || known) break;
    point_at(count) = next;
    weight_at(count) = 0;
    ++count;
    for (;;) {  // the nearest point of the flat through them, back to their hull if it is outside
      UpTo6x6 D(d, count - 1);
      for (int i = 1; i < count; ++i) D.col(i - 1) = point_at(i) - point_at(0);
      const Eigen::ColPivHouseholderQR<UpTo6x6> qr(D);
      const Eigen::Index rank = qr.rank();
      if (rank < count - 1) {  // the newest lies in the flat of the others to rounding
        drop(count - 1);
        break;
      }
      const UpTo6 to = x - point_at(0);
      UpTo6 share = qr.solve(to);
      share += qr.solve(UpTo6(to - D * share));  // once more, for what rounding left
      std::array<double, 6> goal{};
      goal[0] = 1 - share.sum();
      for (int i = 1; i < count; ++i) goal[static_cast<std::size_t>(i)] = share[i - 1];
      double reach = 1;
      int out = -1;
      for (int i = 0; i < count; ++i)
        if (const double to_be = goal[static_cast<std::size_t>(i)]; to_be <= 0) {
          const double part = weight_at(i) / (weight_at(i) - to_be);
          if (out < 0 || part < reach) {
            reach = std::max(0.0, part);
            out = i;
          }
        }
      for (int i = 0; i < count; ++i)
        weight_at(i) += (out < 0 ? 1 : reach) * (goal[static_cast<std::size_t>(i)] - weight_at(i));
      if (out < 0) {
        found.along = qr.householderQ() * UpTo6x6::Identity(d, count - 1);
        double size = 0;
        for (int i = 0; i < count; ++i) size = std::max(size, point_at(i).cwiseAbs().maxCoeff());
        project_on_flat(x, point_at(0), size, found);
        break;
      }
      drop(out);
      if (count == 1) {
        weight_at(0) = 1;
        found.point = point_at(0);
        found.along = UpTo6x6(d, 0);
        found.through_origin = found.point.isZero(0);
        break;
      }
    }
  }
  found.kept = count;
  return found;
}

// Of a list of points, each times `scale`.
inline NearestPoint nearest_of(const std::vector<UpTo6>& points, const UpTo6& x, double scale) {
  const auto farthest = [&](const UpTo6& v) -> UpTo6 {
    const UpTo6* best = nullptr;
    double most = -infinity;
    for (const UpTo6& point : points)
      if (const double power = point.dot(v); power > most || best == nullptr) {
        most = power;
        best = &point;
      }
    return *best * scale;
  };
  return nearest_by_support(x, farthest, 10000);
}

// Which of the points, times `scale`, this is.
inline std::size_t index_of(const std::vector<UpTo6>& points, const UpTo6& point, double scale) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i] * scale == point) return i;
  return 0;
}

}  // namespace stiction
