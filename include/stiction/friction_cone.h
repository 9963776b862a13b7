// SPDX-License-Identifier: Apache-2.0
//
// The friction cone of a limit curve and its dual, in the order n, t1, t2.
//
//   K  = {(r_n, r_t) : r_n ≥ 0, −r_t ∈ r_n C}    reactions on the body; friction is −f
//   K* = {(u_n, u_t) : u_n ≥ h(u_t)}             velocities; h is the support function of C
//   û  = u + (h(u_t), 0, 0)                      De Saxcé's shift: Coulomb's law is K* ∋ û ⟂ r ∈ K
//
// proj_K and proj_K* are Euclidean projections.  Moreau: x = proj_K(x) − proj_K*(−x), the two
// orthogonal.
#pragma once

#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

class FrictionCone {
 public:
  explicit FrictionCone(LimitCurve curve);

  const LimitCurve& curve() const { return curve_; }

  bool contains(const Vec3& r) const;       // r ∈ K, boundary included
  bool contains_dual(const Vec3& u) const;  // u ∈ K*, boundary included
  Vec3 project(const Vec3& x) const;        // proj_K(x)
  // proj_K(x) and its derivative (at kinks, one of the one-sided ones).
  struct Projected {
    Vec3 point;
    Eigen::Matrix3d derivative;
  };
  Projected project_with_derivative(const Vec3& x) const;
  Vec3 project_dual(const Vec3& x) const;  // proj_K*(x) = x + proj_K(−x)
  double distance(const Vec3& x) const;    // ‖x − proj_K(x)‖
  double distance_dual(const Vec3& x) const;
  Vec3 shift(const Vec3& u) const;  // û

  // Polygonal curves only; both throw InvalidInput for curved ones.
  std::vector<Vec3> rows() const;  // K = {r : a·r ≤ 0 for every row a}
  std::vector<Vec3> rays() const;  // K = {Σ λ_k ray_k : λ_k ≥ 0}

  // A batch, one row each; `projected` may be `points`.  The rows are those of the single call.
  void project(const Eigen::Ref<const Rows3>& points, Eigen::Ref<Rows3> projected) const;

 private:
  LimitCurve curve_;
  double reach_ = 0;  // the largest ‖f‖ of the curve
  bool is_disc_ = false;
  double cosine_ = 1, sine_ = 0;  // of a disc's half angle: tan = μ
};

}  // namespace stiction
