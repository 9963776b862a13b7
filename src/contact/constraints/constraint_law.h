// SPDX-License-Identifier: Apache-2.0
//
// One constraint as the solvers use it: projections in its own rows, and the function that vanishes
// where it is obeyed.
//
// Ellipsoids are made balls first.  With r_k = a_k s_k and v_k = a_k u_k on the rows along
// semi-axes a_k, −r_t ∈ r_n C becomes ‖s_j‖ ≤ r_n of each part j, and powers stay what they are.
// Rows whose axis carries nothing have s_k = 0.  T holds the a_k; it is 1 on all other rows.
//
// In (s, v) the function of Alart and Curnier is, with a ρ of each part's own,
//
//   contact    z = s − ρ v,  R = max(z_n, 0):  F_n = s_n − R,  F_t = s_t + R P_C(−z_t/R)
//   fixed      F = s + P_C(−z)
//   limit      F = s − max(z, 0)
//   bilateral  F = ρ v
//
// On a ball the derivative in slip may be the bounded one of Hüeber, Stadler and Wohlmuth
// (one/alart_curnier.h).  For convex problems, and with the shift held, F is the natural map
// s − P_K(s − ρ v) of the cone, with one ρ.
#pragma once

#include <optional>

#include "contact/one/alart_curnier.h"
#include "stiction/certificate.h"
#include "stiction/section_cone.h"

namespace stiction {

// F and its derivatives A = ∂F/∂v and B = ∂F/∂s; `open`: A = 0 and B = 1.
struct LinearisedConstraint {
  UpTo6 F;
  UpTo6x6 A, B;
  bool open = false;
};

class ConstraintLaw {
 public:
  using Kind = Constraint::Kind;
  // Rows that share a ρ: a ball of radius 1, or all rows of another section.
  struct Part {
    int from = 0, size = 0;
  };

  explicit ConstraintLaw(const Constraint& constraint);

  Kind kind() const { return kind_; }
  int rows() const { return rows_; }
  int tangent() const { return kind_ == Kind::contact ? 1 : 0; }  // the first row of the section
  const Section& section() const { return section_; }
  const UpTo6& scale() const { return scale_; }                    // T
  bool is_dead(int row) const { return (dead_ >> row & 1) != 0; }  // its axis carries nothing
  bool is_balls() const { return balls_; }
  const std::vector<Part>& parts() const { return parts_; }

  // In r and u as they are.
  double support(const UpTo6& u) const;              // h of the section's rows; a fixed set's
  UpTo6 shifted(const UpTo6& u, Model model) const;  // û
  UpTo6 project(const UpTo6& x) const;               // on K, −C, r ≥ 0, or everything
  ConeProjection project_with_derivative(const UpTo6& x) const;

  // In s and v.
  LinearisedConstraint alart_curnier(const UpTo6& s, const UpTo6& v, const UpTo6& rho,
                                     Derivative derivative) const;
  LinearisedConstraint natural(const UpTo6& s, const UpTo6& v, double rho) const;
  UpTo6 project_scaled(const UpTo6& s) const;

 private:
  void friction(const UpTo6& s, const UpTo6& z, const UpTo6& rho, double radius, const double* from,
                Derivative derivative, LinearisedConstraint& out) const;

  Kind kind_;
  int rows_;
  Section section_;
  UpTo6 scale_;
  unsigned dead_ = 0;
  bool balls_ = true;
  std::vector<Part> parts_;
  const SectionCone& scaled_cone() const;  // made when it is asked for

  std::optional<SectionCone> cone_;  // of a contact
  mutable std::optional<SectionCone> scaled_cone_;
};

}  // namespace stiction
