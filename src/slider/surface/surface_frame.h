// SPDX-License-Identifier: Apache-2.0
//
// What the mesh of the limit surface is made from: coordinates in which the surface is about as
// wide in every direction, the motions that may cause flats and corners, the rims of flats.
#pragma once

#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

// p = (F_x/F₀, F_y/F₀, M_c/M₀), with M_c the moment about the centre of pressure c and F₀ and M₀
// half widths of the surface; m is normal to the surface where the motion Q(m) has Q·P = m·p.
struct SurfaceFrame {
  Vec2 centre = Vec2::Zero();  // c                                                   [m]
  double force = 1;            // F₀                                                  [N]
  double moment = 1;           // M₀                                                  [N m]

  Vec3 point(const Vec3& P) const {
    return {P[0] / force, P[1] / force, (P[2] - (centre.x() * P[1] - centre.y() * P[0])) / moment};
  }
  Vec3 motion(const Vec3& m) const {
    const double omega = m[2] / moment;
    return {m[0] / force + omega * centre.y(), m[1] / force - omega * centre.x(), omega};
  }
  Vec3 normal(const Vec3& Q) const {  // inverse of `motion`
    return {(Q[0] - Q[2] * centre.y()) * force, (Q[1] + Q[2] * centre.x()) * force, Q[2] * moment};
  }
};

// Motions whose loads are a two-dimensional flat or may be a corner that no neighbouring motion
// shares, and then the flats, large ones first; stopped, without the flats.
std::vector<Vec3> special_motions(const Slider& slider, const Progress& progress);

// The loads along the border of a face, in order.  Curved parts are sampled so that no chord is
// farther than `tolerance` (in the frame) from its arc.  Two points for a segment.
struct Rim {
  std::vector<Vec3> loads;
  bool flat = false;  // it encloses an area
  double radius = 0;  // of the face about its centre, in the frame
};
Rim rim(const LoadSet& set, const Vec3& motion, const SurfaceFrame& frame, double tolerance);

}  // namespace stiction
