// SPDX-License-Identifier: Apache-2.0
//
// What one support adds: to the power H, to the load P = ∂H/∂Q and to ∂P/∂Q, and its part of the
// face where the load is not unique.  One file for each kind of support.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/slider.h"

namespace stiction {

// The load of a force at a place: (f_x, f_y, x f_y − y f_x).
inline Vec3 load_of(const Vec2& place, const Vec2& force) {
  return {force.x(), force.y(), place.x() * force.y() - place.y() * force.x()};
}

// The slip of a place: (v_x − ω y, v_y + ω x).
inline Vec2 slip_at(const Vec2& place, const Vec3& q) {
  return {q[0] - q[2] * place.y(), q[1] + q[2] * place.x()};
}

// Rounding of the slip: eight units of its terms.
inline double slip_slack(const Vec2& place, const Vec3& q) {
  return rounding * (q.head<2>().norm() + std::abs(q[2]) * place.norm());
}

// Beside the rotation centre, |slip|² ≤ this share of v² + (ωr)², the terms cancel: there each is
// formed with one rounding.
inline constexpr double cancels = 1e-6;

// The slip, or zero where it is no more than rounding of its terms.
inline Vec2 rounded_slip_at(const Vec2& place, const Vec3& q) {
  Vec2 slip = slip_at(place, q);
  if (slip.squaredNorm() <=
      cancels * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] * place.squaredNorm()))
    slip = {std::fma(-q[2], place.y(), q[0]), std::fma(q[2], place.x(), q[1])};
  const double terms_x = std::abs(q[0]) + std::abs(q[2] * place.y());
  const double terms_y = std::abs(q[1]) + std::abs(q[2] * place.x());
  const bool rests =
      std::abs(slip.x()) <= rounding * terms_x && std::abs(slip.y()) <= rounding * terms_y;
  return rests ? Vec2::Zero() : slip;
}

// A motion at a speed whose slips and their squares are in range: by a power of two faster than q,
// if at all, for the load does not depend on it.
struct Rescaled {
  Vec3 q = Vec3::Zero();
  int exponent = 0;  // the motion meant is 2^exponent q
};
Rescaled rescaled(const Vec3& q, double reach);

// A point under isotropic friction has a path of its own, in single queries and in batches alike,
// for slips whose square is in range.
inline bool is_disc(const LimitCurve& curve) {
  return curve.shape() == LimitCurve::Shape::ellipse && curve.ellipse().is_disc();
}
inline bool is_disc_point(const Support& support) {
  return support.shape == Support::Shape::point && is_disc(support.curve);
}
inline bool in_range(double square) { return (square > 0x1p-900) & (square < 0x1p900); }

// The flat to which a slip is normal within a slack: the size of what rounding leaves open, in m/s.
inline std::optional<std::size_t> flat_facing(const LimitCurve& curve, const Vec2& slip,
                                              double slack) {
  const auto& pieces = curve.pieces();
  for (std::size_t k = 0; k < pieces.size(); ++k)
    if (!pieces[k].arc && std::abs(cross(pieces[k].normal, slip)) <= slack &&
        pieces[k].normal.dot(slip) > 0)
      return k;
  return std::nullopt;
}

// The force that answers a slip, of a flat its middle; at rest none of the curve is preferred and
// it is zero.  ∂force/∂v = bend bendᵀ / power, which vanishes on flats and at vertices.
struct PointForce {
  Vec2 force = Vec2::Zero();
  double power = 0;  // force·v
  Vec2 bend = Vec2::Zero();
};
PointForce force_at(const LimitCurve& curve, const Vec2& slip);
std::size_t farthest_vertex(const LimitCurve& curve, const Vec2& slip);  // of those there are

// Adds support `index` to the sum; to its Hessian if `second`; and, where `terms` is given, its
// part of the face to them, the centre of that part being what was added to the load.
void add_point(const Support& support, int index, const Vec3& q, bool second, PowerDerivatives& sum,
               std::vector<FaceTerm>* terms);
// The same of a curve at a place under a normal force, in any units.
void add_point_at(const LimitCurve& curve, const Vec2& at, double normal_force, int index,
                  const Vec3& q, bool second, PowerDerivatives& sum, std::vector<FaceTerm>* terms);
void add_area(const Support& support, int index, const Vec3& q, bool second, PowerDerivatives& sum,
              std::vector<FaceTerm>* terms);

// H(Q) and a load of Q, of supports at rest none.
PowerDerivatives power_and_load(const Slider& slider, const Vec3& q);

// Where the pressure of a support is: its total is N; all about the origin of the support's frame.
struct PressureMoments {
  Vec2 centre = Vec2::Zero();  // [m]
  double square = 0;           // mean of |place − centre|²                         [m²]
  double reach = 0;            // distance of the farthest place from the origin    [m]
};
PressureMoments pressure_moments(const Support& support);

// The cells under pressure of a grid, as points at their centres.
std::vector<Support> points_of(const Support& grid);

}  // namespace stiction
