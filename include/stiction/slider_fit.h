// SPDX-License-Identifier: Apache-2.0
//
// Smooth stand-ins for the limit surface, as planners use them, and what they cost:
//
//   ellipsoid   Pᵀ A P = 1                                  6 coefficients
//   quartic     Σ c_α F_x^α₁ F_y^α₂ M^α₃ = 1, |α| = 4       15 coefficients, convex
//
// Both are the least-squares fit of the polynomial to 1 at points of the exact surface spread
// evenly over the directions of loads, moments divided by ρ.  A quartic that is not convex is mixed
// with the square of the ellipsoid's form, no more than makes it so.  That it is convex is proven:
// the Hessian's eigenvalues are bounded from below over the whole sphere of loads, cell by cell.
// The error is that of the worst load of the exact surface, vertices, creases and flats included.
#pragma once

#include <array>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct SurfaceFit {
  enum class Kind { ellipsoid, quartic };
  Kind kind = Kind::ellipsoid;
  std::vector<std::array<int, 3>> monomials;  // exponents of F_x, F_y, M
  std::vector<double> coefficients;           // one for each
  double max_error = 0;  // largest |radius of the fit / radius of the surface − 1| found
  Motion max_error_at;   // one that the load of the exact surface there causes, normalised by ρ
  // Least eigenvalue of the Hessian over the greatest, in coordinates in which the ellipsoid is a
  // unit ball, on that ball: bounded from below, and so a proof of convexity where positive.
  double convexity = 0;

  double value(const Load& load) const;   // 1 on the fitted surface
  Motion motion(const Load& load) const;  // outward normal there, of any length
};

// Throws InvalidInput where the surface has no volume, or the load zero is so near its boundary
// that no ellipsoid about it fits.  Stopped before its samples are taken it throws Stopped, after
// that it gives the fit with the greatest error found until then.
SurfaceFit fit(const Slider& slider, SurfaceFit::Kind kind, int samples = 1000,
               const Progress& progress = {});

}  // namespace stiction
