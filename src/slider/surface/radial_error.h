// SPDX-License-Identifier: Apache-2.0
//
// How far is a convex stand-in from the limit surface, at worst?
//
//   B        loads that friction can carry; its boundary is the limit surface
//   M        = {P : f(P) ≤ 1}, the stand-in, f a convex form of degree four
//   g(P)     gauge of B: 1 on the surface
//   s        = g/f^¼, the same all along a ray: radius of the stand-in over that of the surface
//
// The least s is where f is greatest on B, the greatest s where g is greatest on M.  Both are a
// convex function to be maximised on a convex body, and of a load P with gradient Q there, the load
// P' of the body with the greatest P'·Q is no worse:
//
//   f(P') ≥ f(P) + ∇f(P)·(P' − P) ≥ f(P)
//
// On B that is the load of the motion ∇f(P), on M the load of M whose normal is the motion of P.
// Neither has to be smooth.  The greatest f is at a vertex or crease as a rule, which is reached in
// a few such steps and not left; all loads of a flat have one motion, and a step goes to where M
// stands out of it most.  No value on the way is beyond the greatest.
#pragma once

#include <vector>

#include "slider/surface/quartic.h"
#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

// Coordinates z of loads, P = A z, and of motions, Q = A⁻ᵀ y: z·y is their power.
struct LoadCoordinates {
  Eigen::Matrix3d A, inverse;

  Load load(const Vec3& z) const { return Load::of(A * z); }
  Vec3 of(const Load& load) const { return inverse * load.vector(); }
  Motion motion(const Vec3& y) const { return Motion::of(inverse.transpose() * y); }
  Vec3 of(const Motion& motion) const { return A.transpose() * motion.vector(); }
};

// A load of the surface and a motion that it causes.
struct LoadAndMotion {
  Vec3 load, motion;  // in coordinates z and y
};

struct RadialError {
  double error = 0;  // |s − 1|, greatest
  Motion motion;     // of the surface there, |v|² + (ρω)² = 1
};

// The coordinates are to make both bodies about as wide in every direction.  Goes from the
// surface's loads that it is given, `known`, one or more, and as many spread evenly over its
// motions.  Stopped, the greatest found until then.
RadialError radial_error(const Slider& slider, const LoadCoordinates& coordinates,
                         const Quartic& form, const std::vector<LoadAndMotion>& known,
                         const Progress& progress);

// Direction k of `count`, spread evenly over the sphere.
Vec3 spread_direction(int k, int count);

}  // namespace stiction
