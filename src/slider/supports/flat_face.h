// SPDX-License-Identifier: Apache-2.0
//
// Where a support with an extent has more than one load: its slip is normal to a flat of its curve
// over more than a line.  The force may then be anywhere on the flat, at each place by itself, and
// the loads are the sum of as many segments as there are places: a zonoid.
#pragma once

#include <optional>

#include "slider/supports/area.h"

namespace stiction {

struct FlatFace {
  // uniform: translation, one flat everywhere; line: a segment in line with the rotation centre;
  // ring: a tangential one that turns about its centre.
  enum class Kind { uniform, line, ring };
  Kind kind = Kind::uniform;
  Vec2 force = Vec2::Zero();  // the middle, for unit normal force, about the support's centre
  double moment = 0;
  Vec2 half = Vec2::Zero();  // half the flat; of a ring its length along x
};

std::optional<FlatFace> flat_face(const Support& support, const PressureMoments& moments,
                                  const CentreMotion& motion);
// The load in the middle of the face.
Vec3 load_of_flat(const Support& support, const PressureMoments& moments, const FlatFace& face);
// Is the face more than a segment?  So unless all forces are on one line.
bool spans_plane(const Support& support, const PressureMoments& moments, const FlatFace& face);
// The flat of a segment's law that runs along it, if any: turns about places in line with the
// segment are normal to it.
const LimitCurve::Piece* flat_along(const Support& support);
// Of a centre's motion whose slip is within `slack` of normal to that flat, puts it there.
void put_across_segment(const Support& support, const Vec2& slip, double slack,
                        CentreMotion& motion);
// The load of the face, about its centre, that is farthest along a motion d.
Vec3 farthest_of_flat(const Support& support, const PressureMoments& moments, const FlatFace& face,
                      const Vec3& d);
FaceTerm flat_term(const Support& support, int index, const PressureMoments& moments,
                   const FlatFace& face);

}  // namespace stiction
