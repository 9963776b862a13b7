// SPDX-License-Identifier: Apache-2.0
#include "contact/block_lu.h"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace stiction {

template <int D>
void BlockLU<D>::analyse(const BlockMatrix& W) {
  if (W.start == pattern_start_ && W.column == pattern_) return;
  pattern_start_ = W.start;
  pattern_ = W.column;
  const int n = W.rows();
  const auto size = static_cast<std::size_t>(n);

  std::vector<std::vector<int>> neighbours(size);
  for (int i = 0; i < n; ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      const int j = W.column[static_cast<std::size_t>(k)];
      if (j == i) continue;
      neighbours[static_cast<std::size_t>(i)].push_back(j);
      neighbours[static_cast<std::size_t>(j)].push_back(i);
    }
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    auto& list = neighbours[static_cast<std::size_t>(i)];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    entries.emplace_back(i, i, 1.0);
    for (const int j : list) entries.emplace_back(i, j, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  order_.resize(size);
  place_.resize(size);
  for (int i = 0; i < n; ++i) {
    order_[static_cast<std::size_t>(i)] = permutation.indices()[i];
    place_[static_cast<std::size_t>(permutation.indices()[i])] = i;
  }

  // Column structures of the Cholesky factor of the pattern: each column passes its structure on to
  // its parent, the least row below the diagonal.
  std::vector<std::vector<int>> below(size);
  std::vector<std::vector<int>> children(size);
  std::vector<int> mark(size, -1);
  for (int p = 0; p < n; ++p) {
    auto& list = below[static_cast<std::size_t>(p)];
    mark[static_cast<std::size_t>(p)] = p;
    const auto add = [&](int q) {
      if (q > p && mark[static_cast<std::size_t>(q)] != p) {
        mark[static_cast<std::size_t>(q)] = p;
        list.push_back(q);
      }
    };
    for (const int j : neighbours[static_cast<std::size_t>(order_[static_cast<std::size_t>(p)])])
      add(place_[static_cast<std::size_t>(j)]);
    for (const int child : children[static_cast<std::size_t>(p)])
      for (const int q : below[static_cast<std::size_t>(child)]) add(q);
    std::sort(list.begin(), list.end());
    if (!list.empty()) children[static_cast<std::size_t>(list.front())].push_back(p);
  }
  upper_start_.assign(1, 0);
  upper_.clear();
  lower_start_.assign(size + 1, 0);
  flops_ = 0;
  for (int p = 0; p < n; ++p) {
    const auto& list = below[static_cast<std::size_t>(p)];
    upper_.insert(upper_.end(), list.begin(), list.end());
    upper_start_.push_back(static_cast<int>(upper_.size()));
    for (const int q : list) ++lower_start_[static_cast<std::size_t>(q) + 1];
    const auto count = static_cast<double>(list.size());
    flops_ += count * (count + 1) * D * D * D;
  }
  for (std::size_t i = 0; i < size; ++i) lower_start_[i + 1] += lower_start_[i];
  lower_.resize(upper_.size());
  std::vector<int> next(lower_start_.begin(), lower_start_.end() - 1);
  for (int p = 0; p < n; ++p)
    for (const int q : below[static_cast<std::size_t>(p)])
      lower_[static_cast<std::size_t>(next[static_cast<std::size_t>(q)]++)] = p;

  lower_value_.resize(lower_.size());
  upper_value_.resize(upper_.size());
  pivot_inverse_.resize(size);
  row_.assign(size, Block<D>::Zero());
  work_.resize(D * n);
}

template <int D>
bool BlockLU<D>::factorise(const BlockMatrix& W, const std::vector<Block<D>>& A,
                           const std::vector<Block<D>>& C, const std::vector<char>& open) {
  const int n = W.rows();
  for (int i = 0; i < n; ++i) {
    const auto ii = static_cast<std::size_t>(i);
    const auto contact = static_cast<std::size_t>(order_[ii]);
    if (open[contact] != 0) {
      pivot_inverse_[ii].setIdentity();
      for (int k = lower_start_[ii]; k < lower_start_[ii + 1]; ++k)
        lower_value_[static_cast<std::size_t>(k)].setZero();
      for (int k = upper_start_[ii]; k < upper_start_[ii + 1]; ++k)
        upper_value_[static_cast<std::size_t>(k)].setZero();
      continue;
    }
    for (int k = W.start[contact]; k < W.start[contact + 1]; ++k) {
      const auto j = static_cast<std::size_t>(
          place_[static_cast<std::size_t>(W.column[static_cast<std::size_t>(k)])]);
      row_[j].noalias() = A[contact] * Eigen::Map<const Block<D>>(W.at(k));
    }
    row_[ii] += C[contact];
    for (int k = lower_start_[ii]; k < lower_start_[ii + 1]; ++k) {
      const auto p = static_cast<std::size_t>(lower_[static_cast<std::size_t>(k)]);
      Block<D>& L = lower_value_[static_cast<std::size_t>(k)];
      L.noalias() = row_[p] * pivot_inverse_[p];
      row_[p].setZero();
      if (open[static_cast<std::size_t>(order_[p])] != 0) continue;
      for (int m = upper_start_[p]; m < upper_start_[p + 1]; ++m)
        row_[static_cast<std::size_t>(upper_[static_cast<std::size_t>(m)])].noalias() -=
            L * upper_value_[static_cast<std::size_t>(m)];
    }
    for (int k = upper_start_[ii]; k < upper_start_[ii + 1]; ++k) {
      Block<D>& U = row_[static_cast<std::size_t>(upper_[static_cast<std::size_t>(k)])];
      upper_value_[static_cast<std::size_t>(k)] = U;
      U.setZero();
    }
    const Block<D> inverse = row_[ii].inverse();
    row_[ii].setZero();
    if (!inverse.allFinite()) {
      for (Block<D>& block : row_) block.setZero();
      return false;
    }
    pivot_inverse_[ii] = inverse;
  }
  return true;
}

template <int D>
void BlockLU<D>::solve(Eigen::VectorXd& x) const {
  const int n = static_cast<int>(order_.size());
  for (int i = 0; i < n; ++i) {
    const auto ii = static_cast<std::size_t>(i);
    Part<D> y = x.segment<D>(D * order_[ii]);
    for (int k = lower_start_[ii]; k < lower_start_[ii + 1]; ++k)
      y.noalias() -= lower_value_[static_cast<std::size_t>(k)] *
                     work_.segment<D>(D * lower_[static_cast<std::size_t>(k)]);
    work_.segment<D>(D * i) = y;
  }
  for (int i = n - 1; i >= 0; --i) {
    const auto ii = static_cast<std::size_t>(i);
    Part<D> y = work_.segment<D>(D * i);
    for (int k = upper_start_[ii]; k < upper_start_[ii + 1]; ++k)
      y.noalias() -= upper_value_[static_cast<std::size_t>(k)] *
                     work_.segment<D>(D * upper_[static_cast<std::size_t>(k)]);
    work_.segment<D>(D * i).noalias() = pivot_inverse_[ii] * y;
  }
  for (int i = 0; i < n; ++i)
    x.segment<D>(D * order_[static_cast<std::size_t>(i)]) = work_.segment<D>(D * i);
}

template class BlockLU<2>;
template class BlockLU<3>;

}  // namespace stiction
