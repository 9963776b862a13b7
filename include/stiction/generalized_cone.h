// SPDX-License-Identifier: Apache-2.0
//
// The generalized friction cone: what friction at one contact can do to the velocity there, in any
// multibody system.  Everything here, and all that is made of it, has the order t1, t2, n, as its
// file W.json does; contact problems and friction_cone.h have n, t1, t2.
//   W = A M⁻¹ Aᵀ   Delassus matrix of the contact                                     [1/kg]
//     = [W_tt W_tn; W_tnᵀ W_nn], symmetric, positive semidefinite
//   K              the friction cone of the limit curve C: λ_n ≥ 0, −λ_t ∈ λ_n C      [N s]
//   W·K            the velocity changes δu = W λ that its impulses cause              [m/s]
//   M_c = W⁻¹      effective mass                                                     [kg]
//   Γ              quadric of W·K for a disc: δuᵀ Γ δu ≤ 0 and λ_n ≥ 0, Γ = M_c diag(1, 1, −μ²)
//   M_c.
//                  For an ellipse with semi-axes a, b: diag(b/a, a/b, −ab) in its axes.
//
// Two coefficients say what to fear, whatever the law:
//
//   μ_crit = ‖W_tt⁺ W_tn‖   from it on a disc holds the contact: δu_t = 0 is in W·K, and slip that
//                           has stopped in an impact does not start again
//   μ_jam  = W_nn / ‖W_tn‖  beyond it pushing down slows no approach for some slip directions d:
//                           p(d) = W_nn − f·W_tn < 0 for the friction f of d.  Painlevé's paradox.
//
// For another curve: W_tt⁺W_tn ∈ C, and support of C at W_tn > W_nn.  W may be singular (others
// block a direction); W·K is then still the image of K and the rest is the limit of regular
// matrices, but M_c and Γ have none.  Or a direction moves no mass, and W is infinite: see
// DelassusLimit.  Numbers are compared within `rounding` of the terms they were summed from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

// The slip directions that jam: those within half_width of the middle one.
struct JamSector {
  Vec2 direction;         // unit
  double half_width = 0;  // [rad]
};

// A contact that can move without moving mass: its W is the limit of
//
//   W = finite + massless/ε,   ε → 0+
//
// as a point mass ε at the contact vanishes.  No force along a massless direction lasts, so what
// friction holds is sought among the others; a normal that is not across all of them makes W_nn and
// W_tn infinite, with a ratio.  How a mass vanishes elsewhere does not change
//
//   μ_crit   unless the normal itself is massless: 0 here
//   μ_jam    if there is one massless direction and it is not tangential
struct DelassusLimit {
  Eigen::Matrix3d finite = Eigen::Matrix3d::Zero();    // W on the directions that move mass  [1/kg]
  Eigen::Matrix3d massless = Eigen::Matrix3d::Zero();  // projector onto those that do not
};
// An orthonormal basis of a projector, one to three directions; none of zero.
std::vector<Vec3> massless_directions(const Eigen::Matrix3d& projector);

struct GeneralizedCone {
  Eigen::Matrix3d delassus;                            // W, made symmetric; its finite part
  Eigen::Matrix3d massless = Eigen::Matrix3d::Zero();  // and its infinite one
  LimitCurve curve;                                    // C
  bool regular = false;                                // W has an inverse
  bool has_mass = false;  // so has its limit on the directions that move mass
  Eigen::Matrix3d effective_mass = Eigen::Matrix3d::Zero();  // M_c, zero unless has_mass
  bool has_quadric = false;                                  // has_mass, and C is an ellipse
  Eigen::Matrix3d quadric = Eigen::Matrix3d::Zero();         // Γ, zero unless has_quadric

  Vec2 holding = Vec2::Zero();  // W_tt⁺ W_tn: friction over normal force that keeps δu_t = 0
  double mu_crit = 0;
  double mu_jam = infinity;      // infinite for W_tn = 0
  double holding_gauge = 0;      // how much of the curve holding needs: 1 is all of it
  double jam_ratio = 0;          // support of C at W_tn over W_nn
  bool stick_inside = false;     // δu_t = 0 is in W·K
  bool plane_cut = false;        // so is some δu_n ≤ 0 other than zero
  std::optional<JamSector> jam;  // none for a jam ratio up to 1
  bool crit_depends = false;     // on where the vanishing mass is: no limit but the one given
  bool jam_depends = false;      // the same, of μ_jam

  Vec3 apex = Vec3::Zero();  // δu⁰, what other forces add: the total change is in apex + W·K  [m/s]
};

// Both throw InvalidInput unless W is finite, symmetric and positive semidefinite to 1e-9 of its
// largest entry, and μ ≥ 0 is finite.
GeneralizedCone generalized_cone(const Eigen::Matrix3d& W, double mu);
GeneralizedCone generalized_cone(const Eigen::Matrix3d& W, const LimitCurve& curve);

// The limit; throws InvalidInput also unless `massless` is a projector to 1e-9.  Of what is below,
// normal_compliance and regime answer it; the set W·K and impacts are refused.
GeneralizedCone generalized_cone(const DelassusLimit& W, const LimitCurve& curve);

// The two coefficients alone, of a W that is known to be symmetric and positive semidefinite.
double mu_crit(const Eigen::Matrix3d& W);
double mu_jam(const Eigen::Matrix3d& W);

// p(d) = W_nn − f·W_tn, by which normal acceleration grows with normal force while the contact
// slides along d.  A range where d is normal to a flat of the curve.
struct NormalCompliance {
  double least = 0, greatest = 0;  // [1/kg]; exactly 0 where it vanishes within rounding, infinite
                                   // where the massless directions say so
};
NormalCompliance normal_compliance(const GeneralizedCone& cone, const Vec2& slip);

// What a contact that slides along `slip` does next, b being its normal acceleration without
// contact force [m/s²].  Throws InvalidInput for a slip that is zero or not finite.
enum class Regime {
  separate,       // it lifts off
  slide,          // it slides on
  indeterminate,  // it may do either, or stop in an impact without collision
  inconsistent,   // no finite force will do: impact without collision
  jam_point       // p = b = 0, where the two bad cases meet
};
Regime regime(const GeneralizedCone& cone, const Vec2& slip, double b);
std::string to_text(Regime regime);

// Is the velocity change du in apex + W·K?  If not, what is nearest to it there, and how far?
bool contains(const GeneralizedCone& cone, const Vec3& du);
Vec3 nearest(const GeneralizedCone& cone, const Vec3& du);
double distance(const GeneralizedCone& cone, const Vec3& du);

// W·K of a polygonal curve: its rays, and for regular W its rows a·δu ≤ 0.  Both throw InvalidInput
// for curved ones, `rows` also for singular W.
std::vector<Vec3> rows(const GeneralizedCone& cone);
std::vector<Vec3> rays(const GeneralizedCone& cone);
// W·K of any curve: max of y·W(−f, 1) over f in C, its section at λ_n = 1; y is in the polar cone
// where this is ≤ 0.
double section_support(const GeneralizedCone& cone, const Vec3& y);

// W·K of an ellipse and regular W is an elliptic cone: (y1/slope1)² + (y2/slope2)² ≤ y3², y3 ≥ 0 in
// its own right-handed axes.  Throws InvalidInput for others.
struct PrincipalAxes {
  Eigen::Matrix3d axes;  // columns; the third is that of the cone
  Vec2 slopes;           // slope1 ≥ slope2
};
PrincipalAxes principal_axes(const GeneralizedCone& cone);

// Its degenerate ends: without friction the line δu = s·W e_n, s ≥ 0; with infinite friction all of
// a half space, bounded by the plane of W e_t1 and W e_t2 (zero where these are parallel).  Of a W
// that is known to be symmetric and positive semidefinite.
Vec3 frictionless_line(const Eigen::Matrix3d& W);  // unit; zero for W_nn = 0
Vec3 bounding_normal(const Eigen::Matrix3d& W);    // unit, towards W e_n

// The same cone in configuration space: generalized velocity changes M⁻¹Aᵀλ with λ ∈ K.  A maps it
// onto W·K, the contact's own.
struct ConfigurationCone {
  Eigen::Matrix<double, 3, Eigen::Dynamic> jacobian;  // A, rows t1, t2, n
  Eigen::Matrix<double, Eigen::Dynamic, 3> map;       // M⁻¹Aᵀ
  GeneralizedCone contact;                            // of W = A M⁻¹ Aᵀ

  // The change by impulses of K nearest to dv in the kinetic metric of M: what is left is the least
  // change of velocity, Gauss's principle.  Throws InvalidInput for singular W.
  Eigen::VectorXd nearest(const Eigen::VectorXd& dv) const;
};
// M symmetric positive definite; throws InvalidInput otherwise, or where sizes differ.
ConfigurationCone configuration_cone(const Eigen::MatrixXd& M,
                                     const Eigen::Matrix<double, 3, Eigen::Dynamic>& A,
                                     const LimitCurve& curve);

}  // namespace stiction
