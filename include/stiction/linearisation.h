// SPDX-License-Identifier: Apache-2.0
//
// How good is a linearised cone?  Its limit curve C against the disc of radius μ:
//
//   ρ(θ)    radius of C in direction θ: the strongest friction force that way, over f_n
//   under   1 − min ρ/μ, over   max ρ/μ − 1: the worst errors of strength, as fractions
//
// and what it does to a sliding block, whose friction is the face of C for the slip: the error of
// direction and of power against slip direction, and the path of a block that is thrown.
#pragma once

#include <optional>
#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

struct ConeQuality {
  double inscribed = 0;      // min ρ/μ
  double circumscribed = 0;  // max ρ/μ
  double under = 0, over = 0;
  std::optional<double> under_at_deg, over_at_deg;  // least angle in [0, 360), none for error 0
  double area_ratio = 0;                            // area over πμ²
};
// `mu` > 0 is the coefficient the curve stands for.  Where ρ vanishes over an open sector (wheels,
// ratchets) `under_at_deg` is where that sector begins.
ConeQuality cone_quality(const LimitCurve& curve, double mu);

// What the law answers to a unit slip, against Coulomb's disc of radius `mu`.
struct SlipError {
  double direction = 0;  // angle from the slip to the force, counter-clockwise           [rad]
  double force = 0;      // ‖f‖/μ; on a flat the face's middle
  double power = 0;  // h(v)/(μ‖v‖): above 1 it brakes too much, below 0 it would add energy
};
SlipError slip_error(const LimitCurve& curve, double mu, const Direction& slip);

// A block thrown over the plane, v̇ = −g f with f ∈ face(v), in `steps` implicit steps to the time
// when the exact law would have stopped it and on until it rests.  A step is v⁺ = v −
// proj_{gΔtC}(v): the friction of the new velocity, exact for any curve.
struct ThrownBlock {
  std::vector<Vec2> path;  // positions from (0, 0) until it rests, one a step   [m]
  double time = 0;         // to rest                                            [s]
  double least_power = 0;  // least power dissipated in a step, over m; negative would be a gain
};
// Throws InvalidInput if the law does not stop the block within 100 times the exact stopping time.
ThrownBlock throw_block(const LimitCurve& curve, double mu, const Vec2& velocity, int steps,
                        double gravity = 9.81);

}  // namespace stiction
