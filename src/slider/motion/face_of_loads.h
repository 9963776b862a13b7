// SPDX-License-Identifier: Apache-2.0
//
// All loads of a motion: a convex set in the plane q·g = h(q), the sum of what the supports leave
// open.  Those at rest carry any force of their curve, those that slip normal to a flat any of the
// flat.
#pragma once

#include "slider/motion/scaled_slider.h"
#include "slider/supports/flat_face.h"

namespace stiction {

// The loads of a motion, supports that slip by no more than a few units of rounding taken at rest,
// slips as near to normal to a flat taken so.
class LoadFace {
 public:
  LoadFace(const ScaledSlider& scaled, const Vec3& q);

  bool unique() const { return terms_.empty(); }
  double power() const { return centre_.dot(q_); }
  // Distance of a target (scaled, with target·q = h) from the face.
  double distance(const Vec3& target) { return nearest(target).norm(); }
  // The nearest load less the target.
  Vec3 nearest(const Vec3& target);
  // Of the target last sought: how far inside the face it is at least, zero where that is not sure;
  // and a motion along which it is next to the farthest load, if it is on the rim.
  double depth() const { return depth_; }
  const Vec3& towards() const { return towards_; }
  // The way, a motion across q, from a load inside to the nearest of the rim, and how far that is.
  struct ToRim {
    Vec3 towards = Vec3::Zero();
    double depth = infinity;
  };
  ToRim to_rim(const Vec3& target) const;
  Eigen::Index dimension() const;  // of the span of its loads' differences
  // One way in which the point supports share a load of the face, each over its normal force.
  std::vector<Vec2> shares(const Vec3& target);

 private:
  struct Line {
    Vec2 at, along;  // a unit vector
  };
  struct Term {
    std::optional<Line> line = {};                    // of its forces, if they are on one
    std::size_t point = 0;                            // of a point support
    bool rests = false;                               // its whole curve,
    Vec2 middle = Vec2::Zero(), half = Vec2::Zero();  // or a flat, middle ± half,
    FaceTerm area = {};                               // or the term of an area,
    const Support* flat_area = nullptr;               // or that of one on a flat everywhere
    PressureMoments moments = {};
    FlatFace flat = {};
  };
  static bool is_point(const Term& term) {
    return term.flat_area == nullptr && term.area.points.empty();
  }
  Vec3 farthest(const Vec3& direction) const;
  Vec2 farthest(const Term& term, const Vec3& direction) const;  // of a point support
  double normal_angle(const Vec3& target, const Vec3& a, const Vec3& b) const;
  // The load of the rim that is nearest: what it leaves of the target, across q, and its shares.
  struct OnRim {
    Vec3 left = Vec3::Zero();
    std::vector<Vec2> forces;
  };
  OnRim on_rim(const Vec3& target) const;
  // The flat of a point support that all its farthest forces along a direction are on, if any.
  struct Flat {
    Vec2 from, to;
  };
  std::optional<Flat> farthest_flat(const Term& term, const Vec3& direction) const;
  const ScaledSlider* scaled_;
  Vec3 q_, centre_ = Vec3::Zero(), towards_ = Vec3::Zero();
  double depth_ = 0;
  std::vector<Term> terms_;
  std::vector<Vec2> forces_;
};

}  // namespace stiction
