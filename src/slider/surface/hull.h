// SPDX-License-Identifier: Apache-2.0
//
// The convex hull of points in space, one point at a time.
//
// Points are rounded to a grid of 2⁻³⁸, on which the side of a plane that a point lies on is an
// integer of at most 123 bits: every decision is exact, so the hull is convex, closed and oriented
// however many points lie in one plane.  Coordinates must not exceed 2 in size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/types.h"

namespace stiction {

class Hull {
 public:
  struct Triangle {
    std::array<int, 3> vertex;     // counter-clockwise seen from outside
    std::array<int, 3> neighbour;  // across the edge from vertex[k] to vertex[k + 1]
    bool alive = true;
  };
  static constexpr double grid = 0x1p-38;  // spacing of the grid that points are rounded to

  // Of four points, false if they lie in one plane.
  bool start(const std::array<Vec3, 4>& points);
  // Takes the point in and returns its index, or −1 if it is not outside.  `seen` is a triangle
  // that the point is outside of; without it all are tried.
  int insert(const Vec3& point);
  int insert(const Vec3& point, int seen);

  bool sees(const Vec3& point, int triangle) const;
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<int>& latest() const { return latest_; }  // triangles of the last insertion
  Vec3 normal(int triangle) const;                            // unit, outward
  Vec3 vertex(int index) const;                               // as it is on the grid

 private:
  using Place = std::array<std::int64_t, 3>;
  static Place placed(const Vec3& point);
  bool sees(const Place& place, const Triangle& triangle) const;
  int add(const Place& place, int seen);

  std::vector<Place> places_;
  std::vector<Triangle> triangles_;
  std::vector<int> latest_, visible_, mark_, at_vertex_;
  int round_ = 0;
};

}  // namespace stiction
