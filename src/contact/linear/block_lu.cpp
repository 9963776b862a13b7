// SPDX-License-Identifier: Apache-2.0
#include "contact/linear/block_lu.h"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "contact/strategy.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A minimum-degree order of the contacts of one part.  The neighbours of a domain, which come after
// it, take part with a degree that puts them last: so elimination ends beside them.
void minimum_degree(const ContactGraph& graph, int* contacts, int count, bool is_domain) {
  std::vector<int> local(at(graph.size()), -1);
  for (int i = 0; i < count; ++i) local[at(contacts[i])] = i;
  std::vector<Eigen::Triplet<double>> entries;
  const auto join = [&](int a, int b) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  };
  int size = count;
  for (int i = 0; i < count; ++i) {
    entries.emplace_back(i, i, 1.0);
    graph.each_neighbour(contacts[i], [&](int j) {
      int& there = local[at(j)];
      if (there < 0 && is_domain) there = size++;
      if (there >= count) {
        join(i, there);
      } else if (there >= 0) {
        entries.emplace_back(i, there, 1.0);
      }
    });
  }
  constexpr int weights = 64;  // all joined to each other and to the neighbours
  if (size > count) {
    for (int i = 0; i < weights; ++i)
      for (int j = count; j < size + i; ++j) join(size + i, j);
    size += weights;
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  const std::vector<int> before(contacts, contacts + count);
  for (int i = 0; i < size; ++i)
    if (permutation.indices()[i] < count) *contacts++ = before[at(permutation.indices()[i])];
}

}  // namespace

template <int D>
void BlockLU<D>::order_contacts(const ContactGraph& graph, bool by_degree) {
  const int n = graph.size();
  if (!is_large(n)) {
    parts_.order.resize(at(n));
    for (int i = 0; i < n; ++i) parts_.order[at(i)] = i;
    parts_.start = {0, n, n};
  } else {
    parts_ =
        domains(graph, by_degree ? strategy.factors.domains : strategy.factors.domains_incomplete);
  }
  order_ = parts_.order;
  if (by_degree)
    for (int p = 0; p < parts_.size(); ++p)
      minimum_degree(graph, order_.data() + parts_.start[at(p)],
                     parts_.start[at(p) + 1] - parts_.start[at(p)], p + 1 < parts_.size());
  place_.resize(at(n));
  for (int i = 0; i < n; ++i) place_[at(order_[at(i)])] = i;
}

// Column structures of the Cholesky factor of the pattern: each column passes its structure on to
// its parent, the least row below the diagonal.  False beyond the limit.
template <int D>
bool BlockLU<D>::find_fill(const ContactGraph& graph, std::vector<std::vector<int>>& below,
                           std::size_t limit) const {
  const int n = graph.size();
  below.assign(at(n), {});
  std::vector<std::vector<int>> children(at(n));
  std::vector<int> mark(at(n), -1);
  std::size_t total = 0;
  for (int p = 0; p < n; ++p) {
    auto& list = below[at(p)];
    mark[at(p)] = p;
    const auto add = [&](int q) {
      if (q > p && mark[at(q)] != p) {
        mark[at(q)] = p;
        list.push_back(q);
      }
    };
    graph.each_neighbour(order_[at(p)], [&](int j) { add(place_[at(j)]); });
    for (const int child : children[at(p)])
      for (const int q : below[at(child)]) add(q);
    std::sort(list.begin(), list.end());
    if (!list.empty()) children[at(list.front())].push_back(p);
    total += list.size();
    if (total > limit) return false;
  }
  return true;
}

template <int D>
void BlockLU<D>::analyse(const BlockMatrix& W, double most_fill) {
  if (W.start == pattern_start_ && W.column == pattern_ && most_fill == most_fill_) return;
  most_fill_ = most_fill;
  pattern_start_ = W.start;
  pattern_ = W.column;
  const int n = W.rows();
  const ContactGraph graph(W);

  std::vector<std::vector<int>> below;
  order_contacts(graph, true);
  complete_ = find_fill(graph, below, static_cast<std::size_t>(most_fill * n));
  if (!complete_) {
    order_contacts(graph, false);
    for (int p = 0; p < n; ++p) {
      auto& list = below[at(p)];
      list.clear();
      graph.each_neighbour(order_[at(p)], [&](int j) {
        if (place_[at(j)] > p) list.push_back(place_[at(j)]);
      });
      std::sort(list.begin(), list.end());
    }
  }

  upper_start_.assign(1, 0);
  upper_.clear();
  lower_start_.assign(at(n) + 1, 0);
  flops_ = 0;
  for (int p = 0; p < n; ++p) {
    const auto& list = below[at(p)];
    upper_.insert(upper_.end(), list.begin(), list.end());
    upper_start_.push_back(static_cast<int>(upper_.size()));
    for (const int q : list) ++lower_start_[at(q) + 1];
    const auto count = static_cast<double>(list.size());
    flops_ += count * (count + 1) * D * D * D;
  }
  for (int i = 0; i < n; ++i) lower_start_[at(i) + 1] += lower_start_[at(i)];
  lower_.resize(upper_.size());
  std::vector<int> next(lower_start_.begin(), lower_start_.end() - 1);
  for (int p = 0; p < n; ++p)
    for (const int q : below[at(p)]) lower_[at(next[at(q)]++)] = p;

  lower_value_.resize(lower_.size());
  upper_value_.resize(upper_.size());
  pivot_inverse_.resize(at(n));
  rows_.clear();
  work_.resize(D * n);
}

template <int D>
bool BlockLU<D>::eliminate(int i, const BlockMatrix& W, const std::vector<Block<D>>& A,
                           const std::vector<Block<D>>& C, const std::vector<char>& open,
                           Row& row) {
  const auto contact = at(order_[at(i)]);
  const int lower_begin = lower_start_[at(i)], lower_end = lower_start_[at(i) + 1];
  const int upper_begin = upper_start_[at(i)], upper_end = upper_start_[at(i) + 1];
  if (open[contact] != 0) {
    pivot_inverse_[at(i)].setIdentity();
    for (int k = lower_begin; k < lower_end; ++k) lower_value_[at(k)].setZero();
    for (int k = upper_begin; k < upper_end; ++k) upper_value_[at(k)].setZero();
    return true;
  }
  if (!complete_) {
    row.kept[at(i)] = i;
    for (int k = lower_begin; k < lower_end; ++k) row.kept[at(lower_[at(k)])] = i;
    for (int k = upper_begin; k < upper_end; ++k) row.kept[at(upper_[at(k)])] = i;
  }
  for (int k = W.start[contact]; k < W.start[contact + 1]; ++k)
    row.value[at(place_[at(W.column[at(k)])])].noalias() =
        A[contact] * Eigen::Map<const Block<D>>(W.at(k));
  row.value[at(i)] += C[contact];
  for (int k = lower_begin; k < lower_end; ++k) {
    const auto p = at(lower_[at(k)]);
    Block<D>& L = lower_value_[at(k)];
    L.noalias() = row.value[p] * pivot_inverse_[p];
    row.value[p].setZero();
    if (open[at(order_[p])] != 0) continue;
    for (int m = upper_start_[p]; m < upper_start_[p + 1]; ++m) {
      const auto column = at(upper_[at(m)]);
      if (complete_ || row.kept[column] == i)
        row.value[column].noalias() -= L * upper_value_[at(m)];
    }
  }
  for (int k = upper_begin; k < upper_end; ++k) {
    Block<D>& U = row.value[at(upper_[at(k)])];
    upper_value_[at(k)] = U;
    U.setZero();
  }
  const Block<D> inverse = row.value[at(i)].inverse();
  row.value[at(i)].setZero();
  if (!inverse.allFinite()) return false;
  pivot_inverse_[at(i)] = inverse;
  return true;
}

template <int D>
bool BlockLU<D>::factorise(const BlockMatrix& W, const std::vector<Block<D>>& A,
                           const std::vector<Block<D>>& C, const std::vector<char>& open,
                           Team& team) {
  if (rows_.size() != at(team.threads())) {
    rows_.resize(at(team.threads()));
    for (Row& row : rows_) {
      row.value.assign(at(W.rows()), Block<D>::Zero());
      if (!complete_) row.kept.assign(at(W.rows()), -1);
    }
  }
  std::atomic<bool> regular{true};
  const auto eliminate_part = [&](int part, int thread) {
    Row& row = rows_[at(thread)];
    for (int i = parts_.start[at(part)]; i < parts_.start[at(part) + 1] && regular; ++i)
      if ((i % strategy.factors.rows_a_clock == 0 && deadline_.passed()) ||
          !eliminate(i, W, A, C, open, row))
        regular = false;
  };
  team.each(parts_.size() - 1, eliminate_part);
  eliminate_part(parts_.size() - 1, 0);
  return regular;
}

template <int D>
void BlockLU<D>::forward(int i, const Eigen::Ref<Eigen::VectorXd>& x) {
  Part<D> y = x.template segment<D>(D * order_[at(i)]);
  for (int k = lower_start_[at(i)]; k < lower_start_[at(i) + 1]; ++k)
    y.noalias() -= lower_value_[at(k)] * work_.segment<D>(D * lower_[at(k)]);
  work_.segment<D>(D * i) = y;
}

template <int D>
void BlockLU<D>::backward(int i, const Eigen::VectorXd* from) {
  Part<D> y = work_.segment<D>(D * i);
  for (int k = upper_start_[at(i)]; k < upper_start_[at(i) + 1]; ++k)
    y.noalias() -= upper_value_[at(k)] * work_.segment<D>(D * upper_[at(k)]);
  auto x = work_.segment<D>(D * i);
  x.noalias() = pivot_inverse_[at(i)] * y;
  if (from == nullptr) return;
  const Part<D> start = from->template segment<D>(D * order_[at(i)]), end = start + x;
  x = end - start;
}

template <int D>
void BlockLU<D>::solve(Eigen::Ref<Eigen::VectorXd> x, Team& team, const Eigen::VectorXd* from) {
  const int last = parts_.size() - 1;
  const auto forward_part = [&](int part, int) {
    for (int i = parts_.start[at(part)]; i < parts_.start[at(part) + 1]; ++i) forward(i, x);
  };
  const auto backward_part = [&](int part, int) {
    for (int i = parts_.start[at(part) + 1] - 1; i >= parts_.start[at(part)]; --i) {
      backward(i, from);
      x.template segment<D>(D * order_[at(i)]) = work_.segment<D>(D * i);
    }
  };
  team.each(last, forward_part);
  forward_part(last, 0);
  backward_part(last, 0);
  team.each(last, backward_part);
}

template class BlockLU<2>;
template class BlockLU<3>;

}  // namespace stiction
