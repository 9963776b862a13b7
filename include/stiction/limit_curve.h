// SPDX-License-Identifier: Apache-2.0
//
// The limit curve: what a point of contact can carry.
//
//   C ⊂ R²      closed, convex, 0 ∈ C: the friction forces f per unit of normal force   [-]
//   v           slip velocity of the slider over the ground                             [m/s]
//   f           force of the slider on the ground, along the slip: power f·v ≥ 0
//   h(v)        = max { f·v : f ∈ C }, the support function: dissipated power per unit normal force
//   law         f ∈ ∂h(v), the face of C with outward normal v; conversely v ∈ N_C(f)
//
// One representation carries every curve: an ellipse (a disc if its axes are equal) cut by half
// planes n·f ≤ b.  Its boundary is a counter-clockwise list of pieces, each a flat or an arc of the
// ellipse: a whole ellipse has none, a polygon has flats only, a wheel or ratchet has both.  Curves
// without area are a segment through the origin (the ideal wheel, the skate) or the origin alone.
//
// The friction law is set-valued, and so are the answers: a flat gives a segment of forces for one
// slip, a vertex gives a wedge of slips for one force.  "On", "at" and "normal to" hold within
// `rounding` of the terms involved.  Arguments must be finite, and no finite argument gives NaN; of
// a force that is not, `project` and `gauge` are NaN, `contains` is false, `normals` is nothing.
// Coefficients and vertices are zero or from 1e-100 to 1e100 in size.
//
// Reference: S. Goyal, A. Ruina, J. Papadopoulos, "Planar sliding with dry friction, part 1: limit
// surface and moment function", Wear 143 (1991).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stiction/types.h"

namespace stiction {

// The forces that answer one slip.
struct Face {
  enum class Kind { point, segment, whole };  // whole: the slip is zero, any force of C
  Kind kind = Kind::point;
  Vec2 first = Vec2::Zero();  // the point, or the segment's ends, counter-clockwise along C
  Vec2 last = Vec2::Zero();
};

// The slips that answer one force: 0 alone, a ray, a wedge, a line, a half plane or everything.
// `first` and `last` are the bounding unit vectors, counter-clockwise.
struct NormalCone {
  enum class Kind { none, ray, wedge, line, halfplane, all };
  Kind kind = Kind::none;
  Vec2 first = Vec2::Zero();
  Vec2 last = Vec2::Zero();

  int directions() const;  // how many of first, last bound the cone: 0, 1, 2, 2, 2, 0
};

struct HalfPlane {
  Vec2 normal;        // unit, outward
  double offset = 0;  // n·f ≤ offset, offset ≥ 0
};

// {f : (f·axis / a)² + (f×axis / b)² ≤ 1}, a and b positive.
struct Ellipse {
  double a = 0, b = 0;
  Vec2 axis = Vec2::UnitX();  // direction of the semi-axis a

  bool is_disc() const { return a == b; }
  Vec2 to_axes(const Vec2& f) const;
  Vec2 from_axes(const Vec2& f) const;
  double support(const Vec2& v) const;
  Vec2 point(const Vec2& v) const;  // the force whose outward normal is v ≠ 0
  double gauge(const Vec2& f) const;
  double gauge_rounding(const Vec2& f) const;  // `rounding` of the terms of the gauge
  Vec2 normal(const Vec2& f) const;            // unit outward normal at the boundary point f
  Vec2 project(const Vec2& f) const;

  bool operator==(const Ellipse&) const = default;
};

class LimitCurve {
 public:
  enum class Shape { point, segment, ellipse, polygon, clipped };

  // A piece of the boundary, from `from` to the next piece's `from`, counter-clockwise.
  struct Piece {
    Vec2 from;
    bool arc = false;            // an arc of the ellipse; otherwise a flat with
    Vec2 normal = Vec2::Zero();  // its unit outward normal
    double offset = 0;           // its distance from the origin,
    double terms = 0;            // and the size of the terms that was summed from

    bool operator==(const Piece&) const = default;
  };

  LimitCurve() = default;  // carries nothing: the origin alone
  // From what shape(), ellipse() and pieces() said of a curve: the same to the last bit.  Throws
  // InvalidInput where their number and sizes are not those of a curve.
  static LimitCurve of(Shape shape, const Ellipse& ellipse, std::vector<Piece> pieces);

  double support(const Vec2& slip) const;
  Face face(const Vec2& slip) const;
  double gauge(const Vec2& force) const;  // least t ≥ 0 with f ∈ tC, infinity where there is none
  bool contains(const Vec2& force, double normal_force = 1) const;  // f ∈ normal_force · C
  Vec2 project(const Vec2& force) const;                            // nearest point of C
  std::optional<NormalCone> normals(const Vec2& force) const;       // nothing for f outside C

  // The projection and its derivative (at kinks, one of the one-sided ones).
  struct Projected {
    Vec2 point;
    Eigen::Matrix2d derivative;
  };
  Projected project_with_derivative(const Vec2& force) const;

  LimitCurve rotated(const Direction& by) const;                    // counter-clockwise
  LimitCurve scaled(double normal_force) const;                     // normal_force ≥ 0
  LimitCurve clipped(const Direction& normal, double bound) const;  // ∩ {n·f ≤ bound}, bound ≥ 0

  double area() const;
  double inscribed_radius() const;      // of the largest disc about the origin inside C
  double circumscribed_radius() const;  // of the smallest disc about the origin around C
  // Boundary points whose distance from the origin can be the least or the greatest.
  std::vector<Vec2> extreme_points() const;

  Shape shape() const { return shape_; }
  bool is_polygonal() const { return shape_ != Shape::ellipse && shape_ != Shape::clipped; }
  bool has_arcs() const { return !is_polygonal(); }
  const Ellipse& ellipse() const { return ellipse_; }  // what the arcs belong to, if there are any
  const std::vector<Piece>& pieces() const { return pieces_; }
  const Vec2& piece_end(std::size_t i) const {
    return pieces_[i + 1 < pieces_.size() ? i + 1 : 0].from;
  }

  std::vector<Vec2> vertices() const;  // of the boundary, counter-clockwise; {0} for the point

  // C = {f : n_k·f ≤ b_k}: for polygonal curves only, throws InvalidInput for curved ones.
  std::vector<HalfPlane> half_planes() const;

  bool operator==(const LimitCurve&) const = default;  // all its numbers

  friend LimitCurve disc(double mu);
  friend LimitCurve ellipse(double mu1, double mu2, const Direction& axis);
  friend LimitCurve polygon(const std::vector<Vec2>& points);

 private:
  static LimitCurve segment(const Vec2& from, const Vec2& to, const Direction& along);
  bool beyond_a_flat(const Vec2& force) const;
  bool segment_contains(const Vec2& force, double normal_force) const;
  std::optional<std::size_t> flat_facing(const Vec2& slip) const;
  LimitCurve cut(const Vec2& n, double bound) const;

  Shape shape_ = Shape::point;
  Ellipse ellipse_;
  std::vector<Piece> pieces_;
};

// Coulomb's isotropic disc ‖f‖ ≤ μ.
LimitCurve disc(double mu);
// (f1/μ1)² + (f2/μ2)² ≤ 1 with f1 along `axis`.  A zero semi-axis leaves a segment.
LimitCurve ellipse(double mu1, double mu2, const Direction& axis = 0.0);
// The convex hull of the points, in any order; duplicate, collinear and interior points drop out.
// Throws InvalidInput if a point is not finite, fewer than two are distinct, or 0 is outside.
LimitCurve polygon(const std::vector<Vec2>& points);

// Mechanisms between the contact and the body are cuts of the curve beneath them: a bearing can
// pass on at most its friction along the roll direction, a ratchet only one sign of it.
LimitCurve with_bearing(const LimitCurve& contact, const Direction& roll, double bearing = 0);
LimitCurve with_ratchet(const LimitCurve& contact, const Direction& roll, double bearing = 0);

LimitCurve wheel(double mu, const Direction& roll);                        // ideal wheel, skate
LimitCurve rusty_wheel(double mu, double bearing, const Direction& roll);  // bearing friction
LimitCurve ratchet(double mu, const Direction& roll);       // free towards roll, locked against it
LimitCurve free_curve();                                    // wheel of wheels: carries nothing
LimitCurve ratchet_free(double mu, const Direction& roll);  // resists only motion against roll

// Linearisations of the disc.
LimitCurve pyramid(double mu);          // |f1| + |f2| ≤ μ
LimitCurve box(double mu);              // |f1|, |f2| ≤ μ
LimitCurve scaled_box(double mu);       // |f1|, |f2| ≤ μ/√2
LimitCurve ngon(double mu, int sides);  // inside the disc: f·d_k ≤ μ cos(π/N), d_k at 2πk/N
LimitCurve ngon_out(double mu, int sides);  // around the disc: f·d_k ≤ μ

// The boundary as a closed polyline, counter-clockwise: vertices, and points on arcs at most
// `step` radians apart in the ellipse's own angle.  For drawing.
std::vector<Vec2> outline(const LimitCurve& curve, double step = 0.05);

// Batches, one answer a row.
void support(const LimitCurve& curve, const Eigen::Ref<const Rows2>& slips,
             Eigen::Ref<Eigen::VectorXd> powers);
void face(const LimitCurve& curve, const Eigen::Ref<const Rows2>& slips, std::span<Face> faces);

}  // namespace stiction
