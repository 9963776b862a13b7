// SPDX-License-Identifier: Apache-2.0
//
// All loads of a motion: a convex set in the plane q·g = h(q), the sum of what the supports leave
// open.  Those at rest carry any force of their curve, those that slip normal to a flat any of the
// flat.
#pragma once

#include "slider/flat_face.h"
#include "slider/scaled.h"

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
  // The nearest load less the target; `forces` then has that load's share of every point support.
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
  const std::vector<Vec2>& forces() const { return forces_; }  // over the normal force

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
  Vec3 farthest(const Vec3& direction) const;
  Vec2 farthest(const Term& term, const Vec3& direction) const;  // of a point support
  const ScaledSlider* scaled_;
  Vec3 q_, centre_ = Vec3::Zero(), towards_ = Vec3::Zero();
  double depth_ = 0;
  std::vector<Term> terms_;
  std::vector<Vec2> forces_;
};

}  // namespace stiction
