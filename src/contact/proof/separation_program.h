// SPDX-License-Identifier: Apache-2.0
//
// The direction of a cone that a positive semidefinite P does not feel and that goes farthest
// against q:
//
//   minimise q·x subject to P x = 0, x = R λ, 0 ≤ λ ≤ 1,     the columns of R are rays of the cone.
//
// The box makes it bounded, x = 0 makes it feasible.  This is what the proximal point method tends
// to on ½ xᵀP x + q·x where that has no minimum: of an x with P x = 0 and q·x < 0.
//
// Solved by a primal–dual interior point method with multipliers v ∈ range P:
//
//   Rᵀ(q + v) = z − w,   λ z = μ,   (1 − λ) w = μ,   P x → 0,
//
// whose Newton step is Θ⁻¹dλ + Rᵀ P R dλ/δ = −g with Θ = (z/λ + w/(1 − λ))⁻¹; v takes up P x/δ
// after each step, so that δ need not be small.  With C Cᵀ = R Θ Rᵀ, a small block for each
// contact, the matrix is I + CᵀP C/δ: as sparse as P, never worse than definite, and its pattern is
// analysed once. Interior points end in the middle of all answers: a λ is positive there if it is
// in any of them, which says which rays are in play, and the rest is linear algebra (`clean`).
//
// Why no library for linear programs: those that are sparse and well kept (HiGHS, 200 000 lines)
// build in minutes, not for the browser, and know nothing of P = H M⁻¹Hᵀ as a quadratic form; a
// simplex method on the rows of W squares the fill.  This is a page, with the factors of Eigen.
//
// Reference: S. Pougkakiotis, J. Gondzio, "An interior point–proximal method of multipliers for
// convex quadratic programming", Computational Optimization and Applications 78 (2021).
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <functional>
#include <vector>

namespace stiction {

class SeparationProgram {
 public:
  // Rows row … row + rays.rows() − 1 of x are `rays` times as many λ.
  struct Block {
    Eigen::Index row = 0;
    Eigen::MatrixXd rays;
  };
  using Sparse = Eigen::SparseMatrix<double>;

  // Largest entries of P and of q about 1; every row of x in exactly one block.
  SeparationProgram(const Sparse& P, const Eigen::VectorXd& q, std::vector<Block> blocks);

  // One step; false where rounding keeps it from going on.
  bool step();

  double gap() const { return mu_; }  // the mean of λ z and (1 − λ) w
  // Whether every x but 0 has q·x > 0: all of Rᵀ(q + v) is positive.
  bool only_zero() const;
  // Whether no x has q·x below −`little`: the dual's bound.
  bool none_below(double little) const;

  // The middle of the answers as it looks now, with P x = 0 to rounding: of the rays whose λ
  // exceeds its z, the nearest.  `pull` is P x, computed well.
  Eigen::VectorXd clean(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& pull);

 private:
  struct Roots {  // C, and the Q of R Θ^½ = C Q
    Eigen::MatrixXd C, Q;
  };
  bool factorise(const Eigen::VectorXd& theta, double delta);
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::VectorXd times_rays(const Eigen::VectorXd& lambda) const;    // R λ
  Eigen::VectorXd along_rays(const Eigen::VectorXd& velocity) const;  // Rᵀ v
  Eigen::VectorXd times_roots(const Eigen::VectorXd& tau) const;      // C τ
  Eigen::VectorXd along_roots(const Eigen::VectorXd& x) const;        // Cᵀ x
  Eigen::VectorXd to_rays(const Eigen::VectorXd& tau) const;          // Qᵀ τ
  Eigen::VectorXd from_rays(const Eigen::VectorXd& lambda) const;     // Q λ

  const Sparse& P_;
  const Eigen::VectorXd& q_;
  std::vector<Block> blocks_;
  std::vector<Eigen::Index> first_;  // λ of each block
  std::vector<Roots> roots_;
  Eigen::VectorXd lambda_, z_, w_, v_;
  double mu_ = 1;
  bool dense_ = false, analysed_ = false;
  Sparse scaled_;
  Eigen::SimplicialLLT<Sparse> sparse_factor_;
  Eigen::LLT<Eigen::MatrixXd> dense_factor_;
};

}  // namespace stiction
