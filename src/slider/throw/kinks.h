// SPDX-License-Identifier: Apache-2.0
//
// The body of a free slide in the variables in which its mass is 1: s = (v_x, v_y, ρω) of the
// centre of mass with ρ² = I/m, so that ds/dt = −p + turning.  Speeds are in units of the initial
// one, forces in units of the greatest along an axis.
//
// The power h(s) has kinks, each on a linear set of s: a point support that does not slip (tip), an
// ideal wheel that does not slip sideways (blade), a slip normal to a flat of the law (flat), or
// such a slip of a whole area, which translates then, or of a tangential ring, which turns about
// its centre (sheet), or of a segment along a flat, which turns about a place in line with it
// (line).  The motion can be held on some of them, its locks.  With φ(e) the derivative
// of the power in the direction e, less the turning, the locks hold as long as φ ≥ 0 across them;
// where they do not, the e of least φ is the way the motion leaves.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "slider/supports/support_load.h"
#include "stiction/slider.h"

namespace stiction {

struct Kink {
  enum class Kind { tip, blade, flat, sheet, line };
  Kind kind = Kind::tip;
  int support = 0;
  Eigen::Matrix<double, 3, 2> slip;  // slip of the support, or of its centre = slipᵀ s
  Eigen::Matrix<double, 3, 2> rows;  // unit vectors r with r·s = 0 on it, the second if two
  int codimension = 2;
  int across = -1;             // of a sheet: the area with half the flat, ±, in place of its curve
  Vec3 facing = Vec3::Zero();  // of a flat or sheet: it is there only where facing·s > 0
  Vec3 middle = Vec3::Zero();  // its load at the middle of the flat
  Vec3 half = Vec3::Zero();    // of a flat: what the load of its last end has beyond that

  bool has_flat() const { return kind == Kind::flat || kind == Kind::sheet; }

  double distance(const Vec3& d) const {
    return codimension == 1 ? std::abs(rows.col(0).dot(d)) : (rows.transpose() * d).norm();
  }
};

// What the turning of the body's axes does to the direction in them.  A body that turns about its
// centre of mass within rounding turns so, however fast.
inline Vec3 turning(const Vec3& d, double spin) {
  return d.head<2>().norm() > rounding ? Vec3(spin * d[1], -spin * d[0], 0) : Vec3::Zero();
}

struct Locks {
  std::vector<int> kinks;                                 // which
  std::vector<char> held;                                 // by support: left out of the sum
  Eigen::Matrix3d allowed = Eigen::Matrix3d::Identity();  // projector on the motions left
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> basis = Eigen::Matrix3d::Identity();
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> across;  // basis of the complement
  // By support, the part of its law that answers: a vertex, the arc or, for most, any.  By parts
  // the load is smooth up to where the next part takes over, and on beyond, so that a step of any
  // order may end there.
  std::vector<int> parts;
};

inline constexpr int any_part = -2, arc_part = -1;

class ThrownBody {
 public:
  // Throws InvalidInput without mass or inertia.
  explicit ThrownBody(const Slider& slider);

  const std::vector<Kink>& kinks() const { return kinks_; }
  double gyration() const { return rho_; }           // ρ                                     [m]
  double unit_force() const { return unit_force_; }  // zero: no friction at all              [N]
  double mass() const { return mass_; }
  const Vec2& centre() const { return centre_; }  // of mass, from the reference point      [m]
  bool smooth_but_for_kinks() const { return smooth_; }

  Vec3 coordinates(const Motion& motion) const;  // s of a motion of the reference point
  Motion motion(const Vec3& s) const;

  // h, p and its derivative at d, of what the locks do not hold.
  PowerDerivatives at(const Vec3& d, const Locks& locks, bool second) const;
  // The same by the parts that the locks name, wherever d is.
  PowerDerivatives by_parts(const Vec3& d, const Locks& locks, bool second) const;
  // The parts that answer at d, and how far within those that the locks name it is: the least sine
  // of an angle of a slip, or share of a force, to the next part; negative beyond.
  std::vector<int> parts_at(const Vec3& d, const Locks& locks) const;
  double within_parts(const Vec3& d, const Locks& locks) const;
  Locks locked(std::vector<int> kinks) const;
  // The least φ(e) of unit e across the locks at the motion that is d but for them; `spin` is how
  // fast the body turns.
  struct Least {
    double value = 0;
    Vec3 direction = Vec3::Zero();
  };
  Least least(const Vec3& d, const Locks& locks, double spin) const;
  // The kinks on which d is, of which the locks that hold.
  Locks holding(const Vec3& d, double spin, double distance) const;
  // The same with d put where those kinks meet, or if the motion leaves, off that on its way.
  Locks holding_from(Vec3& d, double spin, double distance, double off) const;
  // Those of the locks that a motion leaving along e keeps; one that leaves a tip normal to a flat
  // of its law is on that flat.
  Locks kept(const Locks& locks, const Vec3& e) const;

 private:
  void add_kinks(int support);
  Locks near(const Vec3& d, double distance) const;
  Vec3 release(Locks& locks, const Vec3& d, double spin) const;
  PowerDerivatives sum(const Vec3& d, const Locks& locks, bool second, bool by_parts) const;
  std::span<const Kink> flats_of(int support) const;  // one after the other
  // What a segment does that turns about a place in line with it: by the middles of the flats that
  // its slips face, on either side of the place, and how much force along it these leave open.
  struct OnLine {
    PowerDerivatives middle;
    double half = 0;
  };
  OnLine on_line(const Kink& kink, const Vec3& d) const;
  // `rest` is the load of what does not stop, `open` the forces left open along each line.
  double cost_of_leaving(const Vec3& e, const Locks& locks, const Vec3& rest,
                         const std::vector<double>& open) const;
  void add_sheets(int support);

  const Slider& slider_;
  std::vector<Kink> kinks_;
  std::vector<Support> across_;
  struct Parts {
    std::optional<LimitCurve> arc;    // the ellipse, without the cuts
    std::vector<NormalCone> corners;  // of the vertices
  };
  std::vector<Parts> parts_;  // by support, of point supports whose laws have corners
  double mass_ = 1, rho_ = 1, unit_force_ = 0;
  Vec2 centre_ = Vec2::Zero();
  Eigen::Matrix3d to_motion_;  // Q = to_motion s
  bool smooth_ = true;
};

}  // namespace stiction
