// SPDX-License-Identifier: Apache-2.0
//
// Quasi-static pushing: a finger, or a flat edge, moves a slider so slowly that its push is
// balanced by the friction of the ground, on the exact limit surface.
//
//   r, n        place of the contact, unit normal of the slider's face there, into the slider
//   u           velocity of the finger                                               [m/s]
//   f           force of the finger on the slider, in its cone |f·t| ≤ μ f·n, t = n turned left
//   P = (f, r×f) ∈ ∂H(Q), the load of the slider on the ground
//   w           = velocity of the slider's point at r under Q
//
// The forces that the ground can balance through r are a limit curve of their own, with support
// function G(w) = min { H(Q) : slip at r = w }, convex in ω alone.  The finger sticks if G has a
// force at w = u in the cone; otherwise it slides, with the force on the edge of the cone and w the
// normal of the curve there, as fast as keeps contact: w·n = u·n.
#pragma once

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct Push {
  enum class Mode { stick, slide_left, slide_right, separate };
  Mode mode = Mode::separate;
  Motion motion;                        // actual velocity
  Vec2 contact_force = Vec2::Zero();    // on the slider; one of many where not unique        [N]
  bool unique = true;                   // motion and force
  std::optional<Vec2> rotation_centre;  // in the supports' frame; nothing for a translation  [m]
  // Unit velocities of the finger that bound sticking: those of the contact under the forces of
  // the right and the left edge of the friction cone.
  Vec2 motion_cone_right = Vec2::Zero(), motion_cone_left = Vec2::Zero();
};

struct Finger {
  Vec2 contact = Vec2::Zero();  // in the supports' frame                                  [m]
  Vec2 normal = Vec2::UnitX();  // into the slider, of any length
  double mu = 0;
  Vec2 velocity = Vec2::Zero();  // [m/s]
};

// A finger that moves away from the face, along it or not at all separates: nothing moves.
// Throws InvalidInput for a normal of no direction, a negative or infinite μ, a velocity that is
// not finite, and Stopped where it was stopped.
Push push(const Slider& slider, const Finger& finger, const Progress& progress = {});

struct Edge {
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();  // in the supports' frame                  [m]
  double mu = 0;
};

struct EdgePush {
  bool stable = false;  // the slider moves with the edge, as if fixed to it
  // Least distance of the unit load (moments over ρ) from the faces of the cone of loads the edge
  // can give, positive inside.  Where a support rests, of the load for which it is greatest.
  double margin = 0;
  Motion motion;  // what was pushed
};

// Pushing along a motion of O, a translation included, with an edge in contact along its length:
// stable if forces at its two ends, each in its friction cone, can give the load the motion needs.
// The slider is on the side of its centre of pressure.  Throws InvalidInput for an edge of no
// length or no motion.
EdgePush push(const Slider& slider, const Edge& edge, const Motion& motion);
// Pushing about a rotation centre (supports' frame), in the sense of the greater margin, ω = ±1.
EdgePush push(const Slider& slider, const Edge& edge, const Vec2& rotation_centre);

// The motions that bound those the edge can push stably, in order around the set, `samples` on each
// of the faces of the cone of loads.  Where ω ≠ 0 the rotation centre is (−v_y, v_x)/ω from O.
std::vector<Motion> stable_push_bounds(const Slider& slider, const Edge& edge, int samples = 64,
                                       const Progress& progress = {});

}  // namespace stiction
