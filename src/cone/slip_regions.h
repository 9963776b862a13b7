// SPDX-License-Identifier: Apache-2.0
//
// The directions of slip around the circle, by what answers them: a vertex of the limit curve for a
// wedge of directions, a flat for one direction, an arc for a range of them.
#pragma once

#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

struct SlipRegion {
  enum class Kind { vertex, flat, arc };
  Kind kind = Kind::vertex;
  Vec2 first = Vec2::UnitX(), last = Vec2::UnitX();  // bounding normals, counter-clockwise
  double width = 0;                                  // angle between them; 2π: no bounds
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();       // ends of the vertex, flat or arc

  bool bounded() const;
  bool holds(const Vec2& direction) const;  // unit
  // The angle to the bound ahead, turning left or right; negative beyond it.
  double ahead(const Vec2& direction, bool left) const;
};

// Counter-clockwise, each beginning where the one before ends.
std::vector<SlipRegion> slip_regions(const LimitCurve& curve);

// The region of a direction; a flat rather than its neighbours.
std::size_t region_of(const std::vector<SlipRegion>& regions, const Vec2& direction);

}  // namespace stiction
