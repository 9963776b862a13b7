// SPDX-License-Identifier: Apache-2.0
#include "contact/linear/newton_system.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

template <int D>
bool NewtonSystem<D>::solve(const BlockMatrix& W, const std::vector<Block<D>>& A,
                            const std::vector<Block<D>>& C, const std::vector<char>& open,
                            Eigen::VectorXd& x, double tolerance, Team& team,
                            const std::vector<double>* more, const Eigen::VectorXd* from) {
  if (more != nullptr) {
    stabilised_.resize(C.size());
    for_chunks(team, W.rows(), [&](int first, int last, int) {
      for (int i = first; i < last; ++i)
        if (open[at(i)] == 0) stabilised_[at(i)] = C[at(i)] + (*more)[at(i)] * A[at(i)];
    });
  }
  if (!lu_->factorise(W, A, more != nullptr ? stabilised_ : C, open, team)) return false;
  if (lu_->complete() && more == nullptr) {
    lu_->solve(x, team, from);
    return x.allFinite();
  }
  right_ = x;
  zero_.setZero(x.size());
  const auto apply = [&](const Eigen::VectorXd& v, auto& y) {
    for_chunks(team, W.rows(), [&](int first, int last, int) {
      for (int i = first; i < last; ++i) {
        const Part<D> v_i = v.template segment<D>(D * i);
        if (open[at(i)] != 0)
          y.template segment<D>(D * i) = v_i;
        else
          y.template segment<D>(D * i) =
              A[at(i)] * velocity_at<D>(W, zero_.data(), v.data(), i) + C[at(i)] * v_i;
      }
    });
  };
  gmres_.solve(
      apply, [&](Eigen::VectorXd& v) { lu_->solve(v, team); }, right_, x, tolerance,
      strategy.factors.gmres_products, team, deadline_);
  return x.allFinite() && !deadline_.passed();
}

template class NewtonSystem<2>;
template class NewtonSystem<3>;

}  // namespace stiction
