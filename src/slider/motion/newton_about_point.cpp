// SPDX-License-Identifier: Apache-2.0
//
// The minimiser beside the motion q0 about a point.  The slip of the point turns all the way round
// within a small part of the motion, and its force with it: a curvature holds only within less than
// that.  In polar coordinates about q0 the force depends on the angle alone, and the load is smooth
// however small t is:
//
//   q = q0 + t d(φ)                          p·d = 0, |d| = 1
//   r(φ, t) = Bᵀ (g₀(d) + g₁(q))             B spans the plane across p; zero at the minimiser
//   ∂r/∂φ = Bᵀ (K₀(d) + t K₁(q)) d′          ∂r/∂t = Bᵀ K₁(q) d
//
//   g₀, K₀    load and curvature of the points at the place, which depend on d alone
//   g₁, K₁    those of all other supports
#include <algorithm>
#include <cmath>

#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

class Beside {
 public:
  Beside(const ScaledSlider& scaled, const ScaledPoint& place)
      : scaled_(scaled), B_(scaled.plane()), q0_(scaled.about(place.at)) {
    q0_ /= scaled.p().dot(q0_);
    for (const ScaledPoint& point : scaled.points())
      (slip_at(point.at, q0_).norm() <= scaled.slip_slack(point.at, q0_) ? here_ : others_)
          .push_back(&point);
  }

  // From q0, or some way beside it, where the others answer as on that side of their creases.
  Minimiser run(double start) const;

 private:
  struct Polar {
    double angle = 0, t = 0;
  };
  struct Residual {
    Vec2 r = Vec2::Zero();
    Eigen::Matrix2d slopes = Eigen::Matrix2d::Zero();  // along the angle and along t
    double h = 0;
  };
  Vec3 motion(const Polar& at) const {
    return q0_ + at.t * (std::cos(at.angle) * B_.col(0) + std::sin(at.angle) * B_.col(1));
  }
  Residual residual(const Polar& at) const;

  const ScaledSlider& scaled_;
  const Eigen::Matrix<double, 3, 2> B_;
  Vec3 q0_;
  std::vector<const ScaledPoint*> here_, others_;
};

void add(const ScaledPoint& point, const Vec2& slip, ScaledPower& sum) {
  const PointForce force = force_at(point.curve(), slip);
  sum.h += point.strength * force.power;
  sum.g += point.load(force.force);
  if (force.bend.isZero(0)) return;
  const Vec3 bend = load_of(point.at, force.bend);
  sum.K += (point.strength / force.power * bend) * bend.transpose();
}

Beside::Residual Beside::residual(const Polar& at) const {
  const double x = std::cos(at.angle), y = std::sin(at.angle);
  const Vec3 d = x * B_.col(0) + y * B_.col(1), turned = x * B_.col(1) - y * B_.col(0);
  const Vec3 q = q0_ + at.t * d;
  ScaledPower here, others;
  for (const ScaledPoint* point : here_) add(*point, slip_at(point->at, d), here);
  for (const ScaledPoint* point : others_) add(*point, slip_at(point->at, q), others);
  if (!scaled_.areas().empty()) {
    const ScaledPower areas = scaled_.area_power(q, true);
    others.h += areas.h;
    others.g += areas.g;
    others.K += areas.K;
  }
  Residual result{.r = B_.transpose() * (here.g + others.g), .h = at.t * here.h + others.h};
  result.slopes.col(0) = B_.transpose() * ((here.K + at.t * others.K) * turned);
  result.slopes.col(1) = B_.transpose() * (others.K * d);
  return result;
}

Minimiser Beside::run(double start) const {
  const Vec3& p = scaled_.p();
  // The first way is the way down from q0: the load sought less the nearest load of q0.  A share of
  // q0 added to that way changes nothing: the slip of the place stays normal to its force.
  LoadFace face(scaled_, q0_);
  const Vec3 off = face.nearest(scaled_.power(q0_, false).h * p);
  const Vec2 way = B_.transpose() * (q0_ * p.dot(off) - off);
  if (!(way.norm() > 4 * eps)) return {};
  Polar at{.angle = std::atan2(way.y(), way.x()), .t = start * q0_.norm()};
  Residual now = residual(at);
  for (int k = 0; k < 50 && now.r.norm() > eps * now.h; ++k) {
    const Vec2 step = now.slopes.fullPivLu().solve(-now.r);
    if (!step.allFinite()) break;
    bool better = false;
    for (double share = std::min(1.0, 1 / std::abs(step[0])); share > 1e-6 && !better; share /= 2) {
      const Polar next{.angle = at.angle + share * step[0],
                       .t = std::max(at.t + share * step[1], 0.1 * at.t)};
      const Residual there = residual(next);
      better = there.r.norm() < now.r.norm();
      if (!better) continue;
      at = next;
      now = there;
    }
    if (!better) break;
  }
  if (!(at.t > 0 && scaled_.drives(motion(at)))) return {};
  return {.q = motion(at), .error = now.r.norm() / now.h};
}

}  // namespace

Minimiser minimise_beside_point(const ScaledSlider& scaled, const Minimiser& near) {
  const ScaledPoint* point = slowest(scaled, near.q, false);
  if (point == nullptr || near.rests != nullptr || near.inside) return near;
  if (slip_at(point->at, near.q).norm() > 1e-2 * near.q.norm()) return near;
  if (!scaled.drives(scaled.about(point->at))) return near;
  const Beside beside(scaled, *point);
  Minimiser best = near;
  for (const double start : {0.0, 1e-9, 1e-6}) {
    const Minimiser found = beside.run(start);
    if (found.error < best.error) best = found;
    if (best.error <= 1e-13 || !scaled.creased()) break;
  }
  return best;
}

}  // namespace stiction
