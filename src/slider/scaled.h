// SPDX-License-Identifier: Apache-2.0
//
// A slider and a load in numbers of order one, whatever the units: motions refer to the centre of
// pressure c and ω is multiplied by the pressure's radius s, forces are divided by a strength w.
//
//   q = (v at c, s ω)      p ∝ (F, (M − c×F)/s), a unit vector
//   h(q) = H(Q)/w          g = ∇h, K = ∇²h
//
// The motion of the load is the minimiser of h on p·q = 1.
#pragma once

#include <Eigen/Dense>

#include "slider/kernel.h"
#include "stiction/slider.h"

namespace stiction {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

struct ScaledPower {
  double h = 0;
  Vec3 g = Vec3::Zero();
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
};

class ScaledSlider {
 public:
  ScaledSlider(const Slider& slider, const Load& load);

  const Slider& slider() const { return *slider_; }
  const Vec3& p() const { return p_; }
  double size() const { return size_; }          // P in the scaled frame is size·p       [N]
  double strength() const { return strength_; }  // w, zero if q = p meets no resistance [N]
  // Rounding of a scaled slip or moment, whose terms are larger where O is far from the supports.
  double noise() const { return 16 * eps * (1 + c_.norm() / s_); }
  bool spread() const { return spread_; }     // supports at more than one place
  Eigen::Matrix<double, 3, 2> plane() const;  // orthonormal, across p

  Motion motion(const Vec3& q) const {
    const double omega = q[2] / s_;
    return {q[0] + omega * c_.y(), q[1] - omega * c_.x(), omega};
  }
  Vec3 scaled(const Motion& m) const {
    return {m.vx - m.omega * c_.y(), m.vy + m.omega * c_.x(), m.omega * s_};
  }
  Vec3 scaled(const Vec3& load) const {  // with forces over w
    const double about = load[2] - (c_.x() * load[1] - c_.y() * load[0]);
    return Vec3(load[0], load[1], about / s_) / strength_;
  }
  // The sums of the sizes of what is added up to the slip of a place.
  Vec2 slip_terms(const Vec3& q, const Vec2& place) const;
  ScaledPower power(const Vec3& q) const;
  // The motion that leaves a place at rest, turning so that p drives it.
  Vec3 about(const Vec2& place) const;

 private:
  const Slider* slider_;
  Vec2 c_;
  double s_ = 1, strength_ = 1, size_ = 0;
  Vec3 p_ = Vec3::Zero();
  bool spread_ = true;
};

// The loads of a motion, supports that slip by no more than a few units of rounding taken at rest,
// slips as near to normal to a flat taken so.
class LoadFace {
 public:
  LoadFace(const ScaledSlider& scaled, const Vec3& q);

  bool unique() const { return terms_.empty(); }
  // Distance of a target (scaled, with target·q = h) from the face.
  double distance(const Vec3& target) const;
  Eigen::Index dimension() const;  // of the span of its loads' differences

 private:
  struct Term {
    const Support* support = nullptr;  // a point at rest: its whole curve,
    Vec3 half = Vec3::Zero();          // or a segment ± half,
    FaceTerm face;                     // or the term of an area
  };
  Vec3 farthest(const Vec3& direction) const;
  const ScaledSlider* scaled_;
  Vec3 q_, centre_ = Vec3::Zero();
  std::vector<Term> terms_;
};

// A minimiser, and what is known of it.
struct Minimiser {
  Vec3 q = Vec3::Zero();
  double error = infinity;           // distance of p h(q) from the loads of q, over h(q)
  bool strict = false;               // h curves in every direction across q, or P is inside a facet
  const Support* resting = nullptr;  // the support the motion turns about, if it was found so,
  Vec2 resting_force = Vec2::Zero();  // and its force over its normal force
};

// The minimiser by cuts through the cone of candidates, then exactly on the pieces that meet there;
// for powers with kinks.  `guess` has p·q > 0.
Minimiser minimise_by_cuts(const ScaledSlider& scaled, const Minimiser& guess);
// Newton's method on the smooth piece that holds q.
Minimiser minimise_by_newton(const ScaledSlider& scaled, const Vec3& q, bool test_facets);

// The bounding motions of all minimisers, and their middle in `at`; empty where there is but one.
std::vector<Vec3> minimisers_around(const ScaledSlider& scaled, Minimiser& at);

}  // namespace stiction
