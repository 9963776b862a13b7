// SPDX-License-Identifier: Apache-2.0
//
// The linear systems of Newton's method: J x = b with rows J_ij = A_i W_ij, plus C_i on the
// diagonal; rows with `open` are the identity.
//
// They are factorised where that is cheap; otherwise GMRES with the incomplete factors has to do.
// The convex problem's have a method of their own, convex_system.h.
#pragma once

#include "contact/linear/block_lu.h"
#include "contact/linear/gmres.h"
#include "contact/proof/residual.h"
#include "contact/strategy.h"

namespace stiction {

template <int D>
class NewtonSystem {
 public:
  // Keeps what it knows if the pattern of W is the same as the last one's.
  void analyse(const BlockMatrix& W) {
    lu_ = &sparing_;
    lu_->analyse(W, is_many(W.rows()) ? strategy.factors.little_fill : strategy.factors.any_fill);
  }
  // The factors even where they need much memory, but not minutes.
  void insist(const BlockMatrix& W) {
    analyse(W);
    if (lu_->complete()) return;
    insisting_.analyse(W, strategy.factors.much_fill);
    if (insisting_.flops() <= strategy.factors.most_products) lu_ = &insisting_;
  }
  // Where it is passed, `solve` gives up.
  void give_up_at(const Deadline& deadline) {
    deadline_ = deadline;
    sparing_.give_up_at(deadline);
    insisting_.give_up_at(deadline);
  }

  bool factorises() const { return lu_->complete(); }

  // Multiplications to solve one system; by the conjugate gradients of convex_system.h if it does
  // not factorise.
  double cost(const BlockMatrix& W) const {
    const double product = static_cast<double>(W.column.size()) * D * D;
    return lu_->complete() ? lu_->flops() + 2 * product : strategy.factors.gradients_cost * product;
  }

  // x ← J⁻¹ x, to the tolerance where it is by GMRES.  False if a pivot block is singular, or the
  // answer is not finite.  Where `more` is given it adds to α in the factors alone, and GMRES makes
  // up for it; where `from` is given, from + x needs no rounding if the system factorises.
  bool solve(const BlockMatrix& W, const std::vector<Block<D>>& A, const std::vector<Block<D>>& C,
             const std::vector<char>& open, Eigen::VectorXd& x, double tolerance, Team& team,
             const std::vector<double>* more = nullptr, const Eigen::VectorXd* from = nullptr);

 private:
  BlockLU<D> sparing_, insisting_;  // each keeps its analysis
  BlockLU<D>* lu_ = &sparing_;
  Deadline deadline_;
  Gmres gmres_;
  Eigen::VectorXd right_, zero_;
  std::vector<Block<D>> stabilised_;
};

extern template class NewtonSystem<2>;
extern template class NewtonSystem<3>;

}  // namespace stiction
