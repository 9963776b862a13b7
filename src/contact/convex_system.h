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
//   B = I + L + Lᵀ + R,   B_ij = S_iᵀ W_ij S_j
//
// with L below the diagonal within a part of the contacts and R between parts; contacts without
// unknowns fall out.  The factors I + L and I + Lᵀ precondition, in Eisenstat's way: in
// p = (I + Lᵀ) t,
//
//   (I + L)⁻¹ B t = t + (I + L)⁻¹ (p − t + R t)
//
// so that a step reads B once, as without them.  At a hundred thousand contacts a step takes as
// long as reading B, which may therefore be kept in single precision.
#pragma once

#include <type_traits>
#include <vector>

#include "contact/contact_law.h"
#include "contact/team.h"
#include "stiction/contact_problem.h"

namespace stiction {

enum class Precision { single, full };

template <int D>
class ConvexSystem {
 public:
  // x ← the answer for b = x, to the tolerance; P, ρ and α of each contact.  False if the answer is
  // not finite or a contact's own block not positive.
  bool solve(const BlockMatrix& W, const std::vector<Block<D>>& P, const std::vector<double>& rho,
             const std::vector<double>& alpha, Precision precision, Eigen::VectorXd& x,
             double tolerance, Team& team);

 private:
  // Rows of blocks; the blocks in one of the two precisions.
  struct Rows {
    std::vector<int> start, column;
    std::vector<float> single;
    std::vector<double> full;
    template <class Real>
    std::vector<Real>& blocks() {
      if constexpr (std::is_same_v<Real, float>)
        return single;
      else
        return full;
    }
  };

  void reserve(const BlockMatrix& W);
  bool split(const BlockMatrix& W, const std::vector<Block<D>>& P, const std::vector<double>& rho,
             const std::vector<double>& alpha, Eigen::VectorXd& x, Team& team);
  template <class Real>
  void assemble(const BlockMatrix& W, Team& team);
  template <class Real>
  void conjugate_gradients(double tolerance, Team& team);

  std::vector<Block<D>> basis_;  // S of each contact
  std::vector<int> index_;       // of each contact, among those with unknowns, or −1
  std::vector<int> active_;      // the contacts with unknowns
  int parts_ = 1, width_ = 0;
  Rows lower_, upper_, between_;
  Eigen::VectorXd right_, zero_, answer_, residual_, direction_, step_, product_;
  std::vector<double> sums_, chunk_sums_;
};

extern template class ConvexSystem<2>;
extern template class ConvexSystem<3>;

}  // namespace stiction
