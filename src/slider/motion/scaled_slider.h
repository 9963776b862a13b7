// SPDX-License-Identifier: Apache-2.0
//
// A slider and a load in numbers of order one, whatever the units: places and motions refer to the
// centre of pressure c, lengths are divided by the pressure's radius s, forces by a strength w.
//
//   q = (v at c, s ω)      p ∝ (F, (M − c×F)/s), a unit vector
//   h(q) = H(Q)/w          g = ∇h, K = ∇²h
//
// The motion of the load is the minimiser of h on p·q = 1.
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "slider/supports/support_load.h"
#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

struct ScaledPower {
  double h = 0;
  Vec3 g = Vec3::Zero();
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
};

// A point support that carries something.
struct ScaledPoint {
  const Support* support = nullptr;
  Vec2 at = Vec2::Zero();  // from c, over s
  double strength = 0;     // N/w

  const LimitCurve& curve() const { return support->curve; }
  Vec3 load(const Vec2& force) const { return strength * load_of(at, force); }
};

class ScaledSlider {
 public:
  // Its progress is told at each power, which of millions of cells takes a part of a second, and
  // throws Stopped.
  ScaledSlider(const Slider& slider, const Load& load, Progress progress = {});

  const Slider& slider() const { return *slider_; }
  const Vec3& p() const { return p_; }
  double size() const { return size_; }          // P in the scaled frame is size·p       [N]
  double strength() const { return strength_; }  // w, zero if nothing carries            [N]
  // Rounding of a scaled slip or moment, whose terms are larger where O is far from the supports.
  double noise() const { return 16 * eps * (1 + far_); }
  // Rounding of the slip of a place: eight units of its terms, those of taking q to O included.
  double slip_slack(const Vec2& scaled_place, const Vec3& q) const {
    return rounding * (q.head<2>().norm() + std::abs(q[2]) * (scaled_place.norm() + far_));
  }
  // Does p drive the motion beyond doubt?  The rest of its work is rounding.
  bool drives(const Vec3& q) const { return p_.dot(q) > 1e3 * noise() * q.norm(); }
  double far() const { return far_; }      // of O from c
  bool spread() const { return spread_; }  // supports at more than one place
  // Where no support resists some motion either way, all loads are in the plane across it (or on a
  // line).  A load within rounding of that is put there; of another, the motion nothing resists.
  std::optional<Vec3> put_among_loads();
  const Vec3& free() const { return free_; }  // that motion, zero if none is known
  Vec3 without_free(const Vec3& q) const { return q - free_ * free_.dot(q); }
  Eigen::Matrix<double, 3, 2> plane() const;  // orthonormal, across p
  const std::vector<ScaledPoint>& points() const { return points_; }
  const std::vector<const Support*>& areas() const { return areas_; }  // that carry something
  ScaledSlider with_areas(std::vector<const Support*> areas) const {   // others, in the same units
    ScaledSlider other = *this;
    other.areas_ = std::move(areas);
    return other;
  }
  // Has the power no kinks away from q = 0?  So if all supports have an extent and no law a flat or
  // a vertex.
  bool smooth() const;
  bool creased() const;  // has a point a law with flats?

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
  Vec2 scaled(const Vec2& place) const { return (place - c_) / s_; }
  ScaledPower power(const Vec3& q, bool second = true) const;  // K only if `second`
  // Of the areas alone; and of the points, at q + change if given, which may be finer than q is
  // rounded.
  ScaledPower area_power(const Vec3& q, bool second) const;
  ScaledPower point_power(const Vec3& q, const Vec3* change, bool second) const;
  // The motion that leaves a place at rest, turning so that p drives it.
  Vec3 about(const Vec2& scaled_place) const;
  void tell() const;

 private:
  const Slider* slider_;
  Vec2 c_;
  double s_ = 1, strength_ = 1, size_ = 0, far_ = 0;  // |c|/s
  Vec3 p_ = Vec3::Zero();
  Vec3 free_ = Vec3::Zero();  // a motion that nothing resists, as known after put_among_loads
  bool spread_ = true;
  std::vector<ScaledPoint> points_;
  std::vector<const Support*> areas_;
  Progress progress_;
  std::shared_ptr<int> told_;  // how often, by its copies with other areas too
};

// Where the power is curved in every direction, if it is.
struct Bowl {
  double h = 0;                                 // the power at its bottom, q with p·q = 1; or none
  Eigen::Matrix2d K = Eigen::Matrix2d::Zero();  // the curvature, in the plane across p

  explicit operator bool() const { return h > 0; }
};

// A minimiser, and what is known of it.
struct Minimiser {
  Vec3 q = Vec3::Zero();
  double error = infinity;  // distance of p h(q) from the loads of q, over h(q)
  bool strict = false;      // no other motion has the load
  Bowl bowl = {};           // as its curvature tells, which is that of one side of a kink
  const ScaledPoint* rests = nullptr;  // the support the motion turns about, if it was found so
  // At a kink the load may be inside the facet of q, and then no other motion has it; from its rim
  // the others are this way.
  bool inside = false;
  Vec3 tilt = Vec3::Zero();
};

// −V diag(1/λ) Vᵀ r of a symmetric 2×2 matrix, with small λ raised to `floor` times the largest.
struct NewtonStep {
  Vec2 step = Vec2::Zero();
  double least = 0, largest = 0;
};
NewtonStep newton_step(const Eigen::Matrix2d& K, const Vec2& r, double floor);
// A bowl, if K, the curvature of a power h at q, is one.  At kinks it is next to infinite, along
// wedges next to none.
Bowl bowl_at(const Eigen::Matrix2d& K, double h, const Vec3& q);

// The point support next to the rotation centre, of all or of those whose law has arcs; and is the
// load on the facet of turning about it?
const ScaledPoint* slowest(const ScaledSlider& scaled, const Vec3& q, bool curved);
bool on_facet(const ScaledSlider& scaled, const ScaledPoint& point, Minimiser& found);

// The minimiser where points have laws with flats.
Minimiser minimise_on_creases(const ScaledSlider& scaled);
// The minimiser by cuts through the cone of candidates, then exactly on the pieces that meet there;
// for powers with kinks.  `guess` has p·q > 0.
Minimiser minimise_by_cuts(const ScaledSlider& scaled, const Minimiser& guess);
// The minimiser beside the motion about the point that slips least, where curvatures tell little.
Minimiser minimise_beside_point(const ScaledSlider& scaled, const Minimiser& near);
// What Newton's method found, or the minimiser at the kink that it ended at.
Minimiser minimise_beyond_kinks(const ScaledSlider& scaled, const Minimiser& guess);
// The minimiser beside one, where the load is so steep that nothing else ends within rounding.
Minimiser minimise_by_slopes(const ScaledSlider& scaled, const Minimiser& near);
// Next to a kink of an area the load is steep and the search ends beside it: the motion there, if
// it has the load.
Minimiser at_kink_beside(const ScaledSlider& scaled, const Minimiser& found);
// Newton's method on the smooth piece that holds q; its first step with a curvature, if one is
// known.
Minimiser minimise_by_newton(const ScaledSlider& scaled, const Vec3& q, bool test_facets,
                             const Eigen::Matrix3d* curvature = nullptr);
// The same from p; where grids have many cells, from the minimiser of coarser ones.
Minimiser minimise_from_coarse(const ScaledSlider& scaled);

// The bounding motions of all minimisers, and their middle in `at`; empty where there is but one.
std::vector<Vec3> minimisers_around(const ScaledSlider& scaled, Minimiser& at);

}  // namespace stiction
