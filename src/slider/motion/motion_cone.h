// SPDX-License-Identifier: Apache-2.0
//
// What the forces of supports ask of a motion, conditions linear in it; and motions of one power.
#pragma once

#include "slider/motion/scaled_slider.h"

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
  // There is no other motion: slips all over a part of an area, farther from a crease than `depth`,
  // leave one alone.
  bool unique = false;

  // False where that is another row than the rest: two of them leave one motion.
  bool add_equal(const Vec3& row) {
    equal.push_back(row);
    return equal[0].cross(row).norm() <= 1e-6;
  }
};

// The slip of a place is in a cone.  False where that leaves one motion at most.
bool add_cone(const Vec2& at, const NormalCone& cone, Conditions& all);

// Of a support with an extent: every slip is in the normal cone in which the motion q has it.  A
// part of the support that reaches beyond a crease by less than `depth` of its size counts as on
// this side of it.  False where arcs fix the direction of every slip: no other motion has the load.
bool add_slips(const ScaledSlider& scaled, const Support& support, const Vec3& q, double depth,
               Conditions& all);

// A power that is h but for rounding, which is that of the slips, large where p does little work.
double rounded_up(const ScaledSlider& scaled, double h, const Vec3& q);
// The motion of least power from − along to from + along, if that is h, the least of all.
std::optional<Vec3> level_on(const ScaledSlider& scaled, const Vec3& from, const Vec3& along,
                             double h);
// The last motion on a ray from q that has the power h, the least of all.
Vec3 farthest_level(const ScaledSlider& scaled, const Vec3& q, const Vec3& along, double h);
// Is there no motion with the power of the bottom q of a bowl farther from it than a few
// thousandths?
bool no_other_level(const ScaledSlider& scaled, const Vec3& q, const Bowl& bowl);

}  // namespace stiction
