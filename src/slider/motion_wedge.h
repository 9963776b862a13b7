// SPDX-License-Identifier: Apache-2.0
//
// What the forces of supports ask of a motion: conditions linear in it.
#pragma once

#include "slider/scaled.h"

namespace stiction {

struct Conditions {
  std::vector<Vec3> equal;  // row·q = 0, all one row but for rounding
  std::vector<Vec3> least;  // row·q ≥ 0
  std::vector<Vec2> rests;  // places where a ray of slips ends
  // Planes around a round cone, row·q ≥ 0, and those that meet on it.
  struct Round {
    Vec3 row, inside;
  };
  std::vector<Round> round;
  // Do slips all over a part of an area, farther from a crease than `depth`, tell the motion?
  bool told = false;

  // False where that is another row than the rest: two of them leave one motion.
  bool add_equal(const Vec3& row) {
    equal.push_back(row);
    return equal[0].cross(row).norm() <= 1e-6;
  }
};

// The slip of a place is in a cone.  False where that leaves one motion at most.
bool add_cone(const Vec2& at, const NormalCone& cone, Conditions& all);

// The slips of a spread pressure stay in the cones in which the motion q has them.  Parts of the
// support that reach less than `depth` of its size beyond a crease count as on this side of it.
// False where the forces of arcs tell every slip, so that no other motion has the load.
bool add_slips(const ScaledSlider& scaled, const Support& support, const Vec3& q, double depth,
               Conditions& all);

}  // namespace stiction
