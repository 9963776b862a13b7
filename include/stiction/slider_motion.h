// SPDX-License-Identifier: Apache-2.0
//
// Which motion does a load cause?  The inverse of the limit surface:
//
//   1/gauge(P) = min { H(Q) : P·Q = 1 },   gauge(P) = least t with P ∈ t·body
//
// a convex problem of two dimensions.  Its minimisers are the motions whose loads contain P/gauge:
// the normal cone of the surface there.  A cone of more than one direction is given by the motions
// that bound it.
#pragma once

#include <optional>
#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

// Recomputed from the slider, the load P and the motion Q alone.  The body lies in {P : P·Q ≤
// H(Q)}, so the gauge is at least P·Q / H(Q); and it is no more if P over that is among the loads
// of Q.
struct MotionCertificate {
  double power = 0;     // H(Q)                                                  [W]
  double work = 0;      // P·Q                                                   [W]
  double distance = 0;  // of P/gauge from the loads of a motion within rounding of Q, moments over
                        // ρ, relative to P                                      [-]
};

struct MotionSet {
  enum class State { stick, slip, outside };  // gauge < 1, |gauge − 1| ≤ 1e-9, gauge > 1
  State state = State::stick;
  double gauge = 0;  // infinity where no multiple of the body holds the load
  // What the load scaled to the surface would cause, v_x² + v_y² + (ρω)² = 1.  Zero for no load; of
  // a load with infinite gauge, a motion that meets no resistance and that it drives.
  Motion motion;
  bool unique = true;
  std::vector<Motion> wedge;            // bounding motions where not unique
  std::optional<Vec2> rotation_centre;  // in the supports' frame; nothing for a translation [m]
  MotionCertificate certificate;
};

// Throws InvalidInput for a load that is not finite, and Stopped where it was stopped.
MotionSet motion(const Slider& slider, const Load& load, const Progress& progress = {});

}  // namespace stiction
