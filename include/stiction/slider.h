// SPDX-License-Identifier: Apache-2.0
//
// The planar slider: a rigid body that slides on a plane under known pressure.
//
//   Q = (v_x, v_y, ω)   motion of the body's reference point O           [m/s, m/s, rad/s]
//   P = (F_x, F_y, M)   load on the ground, moment about O               [N, N, N m]
//   slip at (x, y)      (v_x − ω y, v_y + ω x), with x and y from O      [m/s]
//   H(Q)                = Σ N_i h_i(slip_i), the dissipated power        [W]
//   law                 P ∈ ∂H(Q): P·Q = H(Q), and P·Q' ≤ H(Q') for every other motion Q'
//
// The loads that friction can carry form a convex body, the Minkowski sum of the supports' limit
// curves tilted into (F_x, F_y, M); its boundary is the limit surface and Q is normal to it.  Where
// a support does not slip, or slips normal to a flat of its curve, one motion has a whole face of
// loads; at a vertex of the surface one load has a whole cone of motions.
//
// Reference: S. Goyal, A. Ruina, J. Papadopoulos, "Planar sliding with dry friction", parts 1 and
// 2, Wear 143 (1991).
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/law.h"
#include "stiction/limit_curve.h"
#include "stiction/types.h"

namespace stiction {

struct Motion {
  double vx = 0, vy = 0;  // of the reference point                              [m/s]
  double omega = 0;       // counter-clockwise                                   [rad/s]

  Vec3 vector() const { return {vx, vy, omega}; }
  static Motion of(const Vec3& q) { return {q[0], q[1], q[2]}; }
};

struct Load {
  double fx = 0, fy = 0;  // on the ground                                       [N]
  double moment = 0;      // about the reference point                           [N m]

  Vec3 vector() const { return {fx, fy, moment}; }
  static Load of(const Vec3& p) { return {p[0], p[1], p[2]}; }
};

// Where the body touches the ground, with what force and which law.  Made by the functions below.
struct Support {
  enum class Shape { point, segment, polygon, disc, ring, annulus, grid };
  enum class Pressure { uniform, hertz, boussinesq };  // of a disc: ∝ 1, √(1−s²), 1/√(1−s²)
  // Of a grid: each cell presses evenly, or at its centre alone, which is sooner done and errs.
  enum class Cells { squares, points };

  Shape shape = Shape::point;
  double normal_force = 0;  // N, of the whole support                           [N]
  LimitCurve curve;         // per unit normal force, turned by its heading      [-]
  bool tangential = false;  // ring: the curve's x axis is along it, counter-clockwise
  Vec2 at = Vec2::Zero();   // point; start of a segment; centre; corner of a grid   [m]
  Vec2 to = Vec2::Zero();   // end of a segment                                  [m]
  double radius = 0;        // disc, ring, annulus                               [m]
  double inner_radius = 0;  // annulus                                           [m]
  Pressure pressure = Pressure::uniform;
  std::vector<Vec2> vertices;              // polygon, counter-clockwise           [m]
  std::vector<std::vector<Vec2>> holes;    // of the polygon, clockwise            [m]
  std::vector<std::array<Vec2, 4>> tiles;  // convex, of which it consists       [m]
  double cell = 0;                         // side of a grid's square cells        [m]
  Eigen::MatrixXd pressures;               // row i, column j: the cell at (j, i)·cell   [N/m²]
  Cells cells = Cells::squares;            // of a grid
};

// Each throws InvalidInput, naming the field, for what is not finite, not positive where it must
// be, degenerate or self-crossing.
Support point(const Vec2& at, double normal_force, const LimitCurve& curve);
Support segment(const Vec2& from, const Vec2& to, double normal_force, const LimitCurve& curve);
Support polygon_support(const std::vector<Vec2>& vertices,
                        const std::vector<std::vector<Vec2>>& holes, double normal_force,
                        const LimitCurve& curve);
Support disc_support(const Vec2& centre, double radius, double normal_force,
                     const LimitCurve& curve,
                     Support::Pressure pressure = Support::Pressure::uniform);
Support ring(const Vec2& centre, double radius, double normal_force, const LimitCurve& curve,
             bool tangential = false);
Support annulus(const Vec2& centre, double radius, double inner_radius, double normal_force,
                const LimitCurve& curve);
// As points the cells under pressure may number 250 000, and their curves have four million pieces.
Support grid(const Vec2& origin, double cell, const Eigen::MatrixXd& pressures,
             const LimitCurve& curve, Support::Cells cells = Support::Cells::squares);

// What a body is beside its supports.  Positions are in the frame of the supports.
struct SliderBody {
  std::string name;
  Vec2 reference = Vec2::Zero();       // O, to which motions and loads refer         [m]
  std::optional<double> length_scale;  // ρ that weighs ω                        [m]
  std::optional<double> mass;          // [kg]
  std::optional<double> inertia;       // about the centre of mass [kg m²]
  std::optional<Vec2> centre_of_mass;  // [m]
};

class Slider {
 public:
  // Throws InvalidInput without supports, without any normal force, or with a mass, inertia or
  // length that is not positive.
  explicit Slider(std::vector<Support> supports, SliderBody body = {});
  Slider(std::initializer_list<Support> supports) : Slider(std::vector<Support>(supports)) {}

  // Relative to O.  A grid whose cells are points is those points.
  const std::vector<Support>& supports() const { return supports_; }
  // Which of those that it was made of holds the i-th of `supports`.
  int given(std::size_t i) const { return given_.empty() ? static_cast<int>(i) : given_[i]; }
  const SliderBody& body() const { return body_; }
  // ρ: given, else √(inertia/mass), else the root-mean-square distance of the pressure from its
  // centre, else 1.
  double length_scale() const { return length_scale_; }
  double normal_force() const { return normal_force_; }         // of all supports     [N]
  const Vec2& centre_of_pressure() const { return pressure_; }  // relative to O       [m]
  double reach() const { return reach_; }  // distance of the farthest support point from O [m]

 private:
  std::vector<Support> supports_;
  std::vector<int> given_;  // empty where it is the same
  SliderBody body_;
  double length_scale_ = 1, normal_force_ = 0, reach_ = 0;
  Vec2 pressure_ = Vec2::Zero();
};

// One support's part of a face: a convex set of loads about a centre, which all terms share.
struct FaceTerm {
  enum class Kind { ellipse, segment, polygon, curve };
  int support = 0;  // of those that the slider was made of
  Kind kind = Kind::segment;
  // ellipse: two conjugate half axes a, b: {s a + t b : s² + t² ≤ 1}; segment: its half, ±a;
  // polygon: its vertices; curve: points of its boundary.  All relative to the face's centre.
  std::vector<Vec3> points;
};

// The loads of one motion: `load` alone where unique, otherwise the Minkowski sum of the terms
// about it.
struct LoadSet {
  Load load;
  double power = 0;  // H(Q)                                                     [W]
  bool unique = true;
  std::vector<FaceTerm> terms;
};

// Throws InvalidInput for a motion that is not finite.  Zero motion has every load: `unique` is
// false and there are no terms.
LoadSet load(const Slider& slider, const Motion& motion);

// The same for many motions, one a row (v_x, v_y, ω): the load, or its face's centre.
void loads(const Slider& slider, const Eigen::Ref<const Rows3>& motions, Eigen::Ref<Rows3> loads);

// H and its first two derivatives, where they exist; elsewhere those of one of the pieces that
// meet.
struct PowerDerivatives {
  double power = 0;
  Vec3 load = Vec3::Zero();
  Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();  // ∂P/∂Q
};
PowerDerivatives power_derivatives(const Slider& slider, const Motion& motion);

}  // namespace stiction
