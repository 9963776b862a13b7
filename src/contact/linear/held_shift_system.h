// SPDX-License-Identifier: Apache-2.0
//
// Newton's systems for the convex problem of a large heap, by conjugate gradients.
//
// With P the derivative of the projection on the cone, symmetric with eigenvalues 0 ≤ λ ≤ 1, the
// system is
//
//   (ρP (W + α) + I − P) x = b
//
// Along eigenvectors with λ = 0 the answer is that of b; on the others, with Π their projector and
// N = Σ (1 − λ)/(ρλ) v vᵀ,
//
//   Π (W + α) Π x + N x = Σ b·v/(ρλ) v − Π (W + α) (I − Π) b
//
// which is symmetric if W is.  The many zero eigenvalues that W has all lie at α then, and cost one
// step.  Each contact's unknowns are taken in the basis S that makes its own block the identity,
//
//   B = I + L + Lᵀ,   B_ij = S_iᵀ W_ij S_j
//
// with L below the diagonal; contacts without unknowns fall out.  The factors I + L and I + Lᵀ
// precondition, in Eisenstat's way: in p = (I + Lᵀ) t,
//
//   (I + L)⁻¹ B t = t + (I + L)⁻¹ (p − t)
//
// so that a step reads L twice, once by rows and once by columns.  Threads share the work on parts
// of the contacts between which L has no blocks; the few contacts that join them come last.  At a
// hundred thousand contacts a step takes as long as reading what it reads, so it is in single
// precision where that will do.
#pragma once

#include <type_traits>
#include <vector>

#include "base/deadline.h"
#include "base/team.h"
#include "contact/one/contact_law.h"
#include "stiction/contact_problem.h"

namespace stiction {

enum class Precision { single, full };

template <int D>
class ConvexSystem {
 public:
  // Where it is passed, `solve` gives up.
  void give_up_at(const Deadline& deadline) { deadline_ = deadline; }
  // Before the systems of a W.
  void analyse(const BlockMatrix& W);
  // x ← the answer for b = x, to the tolerance; of each contact its block's place in W, P, ρ and α.
  // False if the answer is not finite or a contact's own block not positive.
  bool solve(const BlockMatrix& W, const std::vector<int>& diagonal, const std::vector<Block<D>>& P,
             const std::vector<double>& rho, const std::vector<double>& alpha, Precision precision,
             Eigen::VectorXd& x, double tolerance, Team& team);

 private:
  // What a step reads and writes.  A block is stored row by row, a contact's part of a vector with
  // a fourth number that is zero where there are three.
  static constexpr int stride = D == 3 ? 4 : D;
  template <class Real>
  struct Numbers {
    std::vector<Real> lower;  // blocks
    std::vector<Real> answer, residual, direction, step, product;
  };
  template <class Real>
  Numbers<Real>& numbers() {
    if constexpr (std::is_same_v<Real, float>)
      return single_;
    else
      return full_;
  }

  template <class Real>
  void reserve(Numbers<Real>& numbers, std::size_t blocks, int contacts);
  bool split(const BlockMatrix& W, const std::vector<int>& diagonal, const std::vector<Block<D>>& P,
             const std::vector<double>& rho, const std::vector<double>& alpha, Eigen::VectorXd& x,
             Team& team);
  template <class Real>
  void assemble(const BlockMatrix& W, Team& team);
  template <class Real>
  void conjugate_gradients(double tolerance, Team& team);

  std::vector<Block<D>> basis_;  // S of each contact
  std::vector<int> index_;       // of each contact, among those with unknowns, or −1
  std::vector<int> active_;      // the contacts with unknowns, in order_
  std::vector<char> moved_;      // those with a part of the answer that is fixed, and not zero
  // The contacts part by part and those that join the parts last; where each of these begins there,
  // and in active_.
  std::vector<int> order_, part_, active_part_;
  std::vector<int> start_, column_, row_;  // of the blocks of L
  Numbers<float> single_;
  Numbers<double> full_;
  Eigen::VectorXd free_, right_;
  std::vector<double> sums_;
  Deadline deadline_;
};

// Whether W is symmetric to rounding, as conjugate gradients need it.
bool is_symmetric(const BlockMatrix& W);

extern template class ConvexSystem<2>;
extern template class ConvexSystem<3>;

}  // namespace stiction
