// SPDX-License-Identifier: Apache-2.0
//
// The limit surface of a slider as a mesh of triangles.
//
//   B   = {P : P·Q ≤ H(Q) for every motion Q}, the loads that friction can carry
//   P   = (F_x, F_y, M)                                                        [N, N, N m]
//   Q   = (v_x, v_y, ω), normal to the surface at the loads it causes          [m/s, m/s, rad/s]
//
// Every vertex is a load of some motion, so the mesh lies inside the surface, and it is the convex
// hull of its vertices.  It is refined where it falls short the most: at a triangle with outward
// normal Q it is short by (H(Q) − P·Q)/|Q|, and the load that Q causes fills the gap.  Flats of the
// surface (a support that rests, slips normal to the flats of laws) enter first, as themselves,
// rims included, and so do the corners that supports on one line give; where there are thousands of
// flats, the largest, as many as the resolution has vertices for.
#pragma once

#include <array>
#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct SurfaceOptions {
  // As good as this many points around a sphere: the gap is at most 1 − cos(π/resolution) of the
  // surface's half width, forces and moments each in units of their own, the moment being taken
  // about the centre of pressure.  From 4 to 1000.
  int resolution = 64;
  Progress progress = {};  // stopped: a coarser mesh, its error as well proven
};

struct SurfaceMesh {
  std::vector<Vec3> vertices;  // (F_x, F_y, M)                     [N, N, N m]
  std::vector<Vec3> motions;   // of each vertex, one that causes it; |v|² + (ρω)² = 1
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
  std::vector<int> facet;                     // of each triangle: the flat it lies in, or −1
  std::vector<Motion> facets;                 // of each flat, the motion that all its loads answer
  // No load of the surface is farther from the mesh, as a distance in (F_x, F_y, M/ρ).    [N]
  double max_error = 0;
  double length_scale = 1;  // ρ of the slider                                     [m]
};

// Throws InvalidInput where the surface encloses no volume (a single point, wheels that leave some
// motion free both ways), and for a resolution out of range.
SurfaceMesh limit_surface(const Slider& slider, const SurfaceOptions& options = {});

// The volume that a closed mesh encloses, in (F_x, F_y, M).                       [N³ m]
double enclosed_volume(const SurfaceMesh& mesh);

// Where a plane through an inner point cuts the mesh: the loads P of the mesh with
// normal·(P − through) = 0, as a closed polyline, counter-clockwise seen against the normal.
// Empty where the plane misses the mesh.
std::vector<Vec3> plane_section(const SurfaceMesh& mesh, const Vec3& normal,
                                const Vec3& through = Vec3::Zero());

}  // namespace stiction
