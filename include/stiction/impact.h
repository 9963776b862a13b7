// SPDX-License-Identifier: Apache-2.0
//
// A collision at one point, with friction, followed through its impulses.
//
// The impact takes no time, but its normal impulse p grows from zero and orders what happens:
//
//   dλ/dp = (−f, 1),   du/dp = W (−f, 1)     f in the face of C at the slip u_t
//
// with W, C and the order t1, t2, n of generalized_cone.h.  It is Darboux's and Keller's equation.
// The slip obeys W_tt⁻¹ u_t′ ∈ f* − ∂h_C(u_t), f* = W_tt⁻¹W_tn: the descent of a convex function
// in the metric of W_tt⁻¹.  So the path is unique, for any curve.  Slip that stops stays stopped if
// f* ∈ C, that is μ ≥ μ_crit; otherwise it goes on along the one direction that grows out of rest,
// with the friction nearest to f* in the metric of W_tt.
//
// The normal velocity is negative in compression and positive in restitution, which ends when
//
//   Newton      u_n = −e u_n⁻
//   Poisson     its normal impulse is e times that of compression
//   energetic   its normal work is e² times that of compression (Stronge); never gains energy
//
// Where slip that turns makes the bodies approach again, compression goes on and the sums with it.
//
// References: J. B. Keller, "Impact with friction", J. Appl. Mech. 53 (1986); W. J. Stronge, Impact
// Mechanics (2000).
#pragma once

#include <string_view>
#include <vector>

#include "stiction/generalized_cone.h"

namespace stiction {

struct Restitution {
  enum class Kind { newton, poisson, energetic };
  Kind kind = Kind::energetic;
  double coefficient = 0;  // e, from 0 to 1
};
// "newton:0.5", "poisson:0.5", "energetic:0.5"; throws InvalidInput.
Restitution parse_restitution(std::string_view text);

struct ImpactPoint {
  double normal_impulse = 0;     // p  [N s]
  Vec3 velocity = Vec3::Zero();  // u  [m/s]
};

// A stretch of the impact in which the contact slips or sticks.
struct ImpactPhase {
  enum class Mode { slip, stick };
  Mode mode = Mode::slip;
  double from = 0, to = 0;          // normal impulse  [N s]
  Vec2 slip_before = Vec2::Zero();  // at its ends  [m/s]
  Vec2 slip_after = Vec2::Zero();
};

struct Impact {
  Vec3 velocity = Vec3::Zero();    // afterwards, t1, t2, n                       [m/s]
  Vec3 impulse = Vec3::Zero();     // on the body, in the friction cone           [N s]
  double compression_impulse = 0;  // normal, while the bodies approached         [N s]
  double compression_work = 0;     // of the normal impulse meanwhile, ≤ 0        [J]
  double restitution_work = 0;     // and afterwards, ≥ 0                         [J]
  double friction_work = 0;        // ≤ 0                                         [J]
  double energy_change = 0;        // of the system, ½ λ·(u⁻ + u⁺): their sum     [J]
  std::vector<ImpactPhase> phases;
  std::vector<ImpactPoint> path;  // from before to after; straight between points but for
                                  // curved arcs, which come in small steps
};

// `velocity` is that of the contact before, with u_n ≤ 0.  Throws InvalidInput for u_n > 0, numbers
// that are not finite, e outside [0, 1], where other constraints let no impulse end the impact, and
// where the contact can move without moving mass.
Impact impact(const GeneralizedCone& cone, const Vec3& velocity, const Restitution& restitution);

}  // namespace stiction
