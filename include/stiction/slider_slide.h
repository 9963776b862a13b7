// SPDX-License-Identifier: Apache-2.0
//
// Free sliding: a body thrown over the plane, until friction has brought it to rest.
//
//   m v̇ = −F − m ω ẑ×v,  I ω̇ = −M      in body axes, v and M of and about the centre of mass
//
// With ρ² = I/m, s = (v_x, v_y, ρω), the speed σ = ‖s‖ and the direction d = s/σ, the load depends
// on d alone.  In the time τ with dτ = dt/σ,
//
//   d ln σ/dτ = −H(d)/m,   dd/dτ = −(1 − d dᵀ) ∇H(d)/m + turning · σ²,   ∇H = (F_x, F_y, M/ρ)
//
// so d descends H on the sphere (in axes that do not turn, without the last term), and the end,
// where translation and rotation stop at the same instant, is at τ = ∞ and not stiff.  Supports
// that stop slipping, wheels that stop slipping sideways, slips normal to a flat of a law and areas
// that slide so as a whole are kinks of H: the motion stays on them while the law can hold it
// there.
//
// The weight of the body is not looked at: the supports' normal forces are.
#pragma once

#include <array>
#include <string>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct SlideOptions {
  // Of the trajectory, evenly spaced in time from start to rest; of a body that does not rest, to
  // a time well after friction has stopped braking it.
  int samples = 0;
  double tolerance = 1e-11;  // of one step, relative to the whole throw
  int maximum_steps = 500000;
  Progress progress = {};  // stopped: as where the steps ran out
};

// Where the body is and how it moves at one instant.
struct SlideSample {
  double time = 0;           // [s]
  Vec3 pose = Vec3::Zero();  // displacement of the reference point, angle turned; starting axes
  Motion motion;             // of the reference point, in the body's axes
};

struct Slide {
  bool rests = true;              // false: it rolls on for ever, or was not followed to its end
  std::string reason;             // which of these, where it does not rest
  double time_to_rest = 0;        // infinite where it does not rest                      [s]
  Vec3 rest_pose = Vec3::Zero();  // as in SlideSample, at rest (or where the calculation ended)
  // The limit of the motion's direction at rest, in body axes, v_x² + v_y² + (ρω)² = 1 with the
  // slider's length scale: a direction whose load is parallel to it.  Zero where none is known.
  Motion final_direction;
  // A deviation from the final direction shrinks like speed^rate: infinite for one that a resting
  // support holds, zero along a symmetry, negative where the direction is unstable.
  std::array<double, 2> rates = {0, 0};
  bool stable = true;       // no rate is negative
  double energy_error = 0;  // |kinetic energy lost − dissipated| over the initial      [-]
  int steps = 0;
  std::vector<SlideSample> trajectory;
};

// The body thrown with a motion of its reference point.  Needs mass and inertia; the centre of mass
// is the centre of pressure unless given.  Throws InvalidInput, naming what is missing.  A body
// that does not move rests at once, with the final direction zero.
Slide slide(const Slider& slider, const Motion& velocity, const SlideOptions& options = {});

}  // namespace stiction
