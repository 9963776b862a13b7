// SPDX-License-Identifier: Apache-2.0
//
// The two sets that a section makes of a constraint's rows.  Reactions r act on the body; friction
// is −f.
//
//   contact   K  = {(r_n, r_t) : r_n ≥ 0, −r_t ∈ r_n C}, of dimension 1 + d
//             K* = {(u_n, u_t) : u_n ≥ h(u_t)}
//             û  = u + (h(u_t), 0, …), De Saxcé's shift: the law is K* ∋ û ⟂ r ∈ K
//   fixed     −C, of dimension d: u is normal to C at −r
//
// Projections are Euclidean.  Moreau: x = P_K(x) − P_K*(−x), the two orthogonal.  With P and D the
// projection on C and its derivative, the nearest point of K to (x, −y) is (s, −sP(y/s)), where
//
//   s = x + h(v),   v = y − sP(y/s),
//
// an equation of one unknown whose right side does not increase.
#pragma once

#include <vector>

#include "stiction/friction_cone.h"
#include "stiction/section.h"

namespace stiction {

struct ConeProjection {
  UpTo6 point;
  UpTo6x6 derivative;  // symmetric; at kinks, one of the limits beside them
};

// Arguments must be finite and of the cone's dimension.
class SectionCone {
 public:
  explicit SectionCone(Section section);

  const Section& section() const { return section_; }
  int dimension() const { return 1 + section_.dimension(); }

  bool contains(const UpTo6& r) const;       // r ∈ K, boundary included
  bool contains_dual(const UpTo6& u) const;  // u ∈ K*, boundary included
  UpTo6 project(const UpTo6& x) const;       // P_K(x)
  ConeProjection project_with_derivative(const UpTo6& x) const;
  UpTo6 project_dual(const UpTo6& x) const;  // P_K*(x) = x + P_K(−x)
  double distance(const UpTo6& x) const;     // ‖x − P_K(x)‖
  double distance_dual(const UpTo6& x) const;
  UpTo6 shift(const UpTo6& u) const;  // û

  // Polyhedral sections only; both throw InvalidInput for curved ones.
  std::vector<UpTo6> rows() const;  // K = {r : a·r ≤ 0 for every row a}
  std::vector<UpTo6> rays() const;  // K = {Σ λ_k ray_k : λ_k ≥ 0}

 private:
  struct Ball {  // a part of the section in which ‖f‖ ≤ radius
    int from = 0, dimension = 0;
    double radius = 0;
  };
  void project_on_balls(double x, const double* y, double& s, double* f) const;

  Section section_;
  double reach_ = 0;
  std::vector<FrictionCone> curve_;  // of a limit curve, which has a cone of its own
  std::vector<Ball> balls_;          // of a product of nothing but balls, or one ball
};

class FixedSet {
 public:
  explicit FixedSet(Section section) : section_(std::move(section)) {}

  const Section& section() const { return section_; }
  int dimension() const { return section_.dimension(); }

  bool contains(const UpTo6& r) const { return section_.contains(-r); }
  UpTo6 project(const UpTo6& x) const { return -section_.project(-x); }
  SectionProjection project_with_derivative(const UpTo6& x) const;
  double distance(const UpTo6& x) const { return section_.distance(-x); }
  bool is_normal(const UpTo6& r, const UpTo6& u) const { return section_.is_normal(-r, u); }

 private:
  Section section_;
};

}  // namespace stiction
