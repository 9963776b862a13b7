// SPDX-License-Identifier: Apache-2.0
//
// The linear systems of Newton's method: J x = b with rows J_ij = A_i W_ij, plus C_i on the
// diagonal; rows with `open` are the identity.
//
// They are factorised where that is cheap.  In large heaps it is not.  There, for the convex
// problem, A = ρP and C = ραP + I − P with P the derivative of the projection on the cone,
// symmetric with eigenvalues 0 ≤ λ ≤ 1.  Along eigenvectors with λ = 0 the answer is that of b; on
// the others, with Π their projector and N = Σ (1 − λ)/(ρλ) v vᵀ,
//
//   Π (W + α) Π x + N x = Σ b·v/(ρλ) v − Π (W + α) (I − Π) b
//
// which conjugate gradients solve if W is symmetric: the many zero eigenvalues that W has all lie
// at α then, and cost one step.  Otherwise GMRES with the incomplete factors has to do.
#pragma once

#include "contact/block_lu.h"
#include "contact/gmres.h"
#include "contact/residual.h"

namespace stiction {

template <int D>
class NewtonSystem {
 public:
  // Keeps what it knows if the pattern of W is the same as the last one's.
  void analyse(const BlockMatrix& W) { lu_.analyse(W, W.rows() < small ? 1e9 : little_fill); }
  // The factors even where they need much memory, but not minutes.
  void insist(const BlockMatrix& W) {
    lu_.analyse(W, much_fill);
    if (lu_.flops() > most_flops) lu_.analyse(W, little_fill);
  }

  bool factorises() const { return lu_.complete(); }

  // Multiplications to solve one system.
  double cost(const BlockMatrix& W) const {
    const double product = static_cast<double>(W.column.size()) * D * D;
    return lu_.flops() + (lu_.complete() ? 2 : 100) * product;
  }

  // x ← J⁻¹ x, to the tolerance where it is by GMRES.  False if a pivot block is singular or the
  // answer is not finite.  Where `more` is given it adds to α in the factors alone, and GMRES makes
  // up for it.
  bool solve(const BlockMatrix& W, const std::vector<Block<D>>& A, const std::vector<Block<D>>& C,
             const std::vector<char>& open, Eigen::VectorXd& x, double tolerance, Team& team,
             const std::vector<double>* more = nullptr);

  // The convex problem's, by conjugate gradients: P, and ρ and α of each contact; W symmetric.
  bool solve_convex(const BlockMatrix& W, const std::vector<Block<D>>& P,
                    const std::vector<double>& rho, const std::vector<double>& alpha,
                    Eigen::VectorXd& x, double tolerance, Team& team);

 private:
  static constexpr int small = 1000;
  static constexpr double little_fill = 10, much_fill = 500;  // blocks of U a contact
  static constexpr double most_flops = 2e10;
  // Of a contact in solve_convex: the diagonal block on the range and its inverse there; in W,
  // where its part's columns start, its own block, and where its part's columns end.
  struct Row {
    Block<D> own, inverse;
    int first = 0, diagonal = 0, last = 0;
    bool fixed = false;  // the range is zero
  };

  BlockLU<D> lu_;
  Gmres gmres_;
  Eigen::VectorXd right_, zero_, residual_, direction_, step_, product_;
  std::vector<Row> rows_;
  std::vector<Block<D>> stabilised_;
  std::vector<double> sums_;
};

extern template class NewtonSystem<2>;
extern template class NewtonSystem<3>;

}  // namespace stiction
