// SPDX-License-Identifier: Apache-2.0
#include "contact/constraints/constraint_lu.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>

#include "base/vectorised.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<int> minimum_degree(const ContactGraph& graph) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < graph.size(); ++i) {
    entries.emplace_back(i, i, 1.0);
    graph.each_neighbour(i, [&](int j) { entries.emplace_back(i, j, 1.0); });
  }
  Eigen::SparseMatrix<double> pattern(graph.size(), graph.size());
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  return {permutation.indices().begin(), permutation.indices().end()};
}

// c −= a b for a of d rows and `inner` columns, b of `inner` rows and `cols` columns.
template <int d>
[[gnu::always_inline]] inline void subtract(const double* a, const double* b, double* c, int inner,
                                            int cols) {
  for (int j = 0; j < cols; ++j, c += d, b += inner) {
    double sum[d];
    for (int k = 0; k < d; ++k) sum[k] = c[k];
    for (int m = 0; m < inner; ++m)
      for (int k = 0; k < d; ++k) sum[k] -= a[m * d + k] * b[m];
    for (int k = 0; k < d; ++k) c[k] = sum[k];
  }
}

STICTION_VECTORISED
void subtract_product(int d, const double* a, const double* b, double* c, int inner, int cols) {
  switch (d) {
    case 1:
      return subtract<1>(a, b, c, inner, cols);
    case 2:
      return subtract<2>(a, b, c, inner, cols);
    case 3:
      return subtract<3>(a, b, c, inner, cols);
    case 4:
      return subtract<4>(a, b, c, inner, cols);
    case 5:
      return subtract<5>(a, b, c, inner, cols);
    default:
      return subtract<6>(a, b, c, inner, cols);
  }
}

// Gauss and Jordan with row pivots, in place of `a`; false if singular.
template <int d>
bool invert(double* a, UpTo6x6& inverse) {
  const auto entry = [&](int i, int j) -> double& { return a[j * d + i]; };
  inverse.setIdentity(d, d);
  for (int k = 0; k < d; ++k) {
    int pivot = k;
    for (int i = k + 1; i < d; ++i)
      if (std::abs(entry(i, k)) > std::abs(entry(pivot, k))) pivot = i;
    const double scale = 1 / entry(pivot, k);
    if (!std::isfinite(scale)) return false;
    for (int j = 0; j < d; ++j) {
      std::swap(entry(k, j), entry(pivot, j));
      std::swap(inverse(k, j), inverse(pivot, j));
      entry(k, j) *= scale;
      inverse(k, j) *= scale;
    }
    for (int i = 0; i < d; ++i) {
      if (i == k) continue;
      const double factor = entry(i, k);
      for (int j = 0; j < d; ++j) {
        entry(i, j) -= factor * entry(k, j);
        inverse(i, j) -= factor * inverse(k, j);
      }
    }
  }
  return true;
}

}  // namespace

void ConstraintLU::analyse(const BlockRows& W) {
  const int n = W.count();
  const ContactGraph graph(W.pattern());
  order_ = minimum_degree(graph);
  place_.resize(at(n));
  size_.resize(at(n));
  offset_.resize(at(n));
  ordered_.assign(1, 0);
  for (int p = 0; p < n; ++p) {
    place_[at(order_[at(p)])] = p;
    size_[at(p)] = W.size(order_[at(p)]);
    offset_[at(p)] = W.offset[at(order_[at(p)])];
    ordered_.push_back(ordered_.back() + size_[at(p)]);
  }
  // Each column passes its structure on to its parent, the least row below the diagonal.
  std::vector<std::vector<int>> below(at(n)), children(at(n));
  std::vector<int> mark(at(n), -1), lower_count(at(n) + 1, 0);
  upper_start_.assign(1, 0);
  upper_.clear();
  std::size_t upper_size = 0, lower_size = 0;
  flops_ = 0;
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
    double width = 0;
    for (const int q : list) {
      upper_.push_back({q, upper_size});
      upper_size += at(size(p) * size(q));
      ++lower_count[at(q) + 1];
      width += size(q);
    }
    upper_start_.push_back(static_cast<int>(upper_.size()));
    flops_ += width * (width + size(p)) * size(p);
  }
  for (int i = 0; i < n; ++i) lower_count[at(i) + 1] += lower_count[at(i)];
  lower_start_ = lower_count;
  lower_.resize(upper_.size());
  std::vector<int> next(lower_start_.begin(), lower_start_.end() - 1);
  for (int p = 0; p < n; ++p)
    for (const int q : below[at(p)]) {
      lower_[at(next[at(q)]++)] = {p, lower_size};
      lower_size += at(size(p) * size(q));
    }
  upper_value_.resize(upper_size);
  lower_value_.resize(lower_size);
  pivot_.resize(at(n));
  row_.assign(at(most_rows * W.rows()), 0.0);
  work_.resize(W.rows());
}

// Row i of A becomes row i of L and U: L_ik = A_ik U_kk⁻¹, A_ij −= L_ik U_kj for k < i.
template <int d>
void ConstraintLU::eliminate(int i, const BlockRows& W, const UpTo6x6& A, const UpTo6x6& C,
                             const std::vector<char>& open) {
  const auto block = at(order_[at(i)]);
  const auto in_row = [&](int place) { return row_.data() + d * ordered_[at(place)]; };
  for (int k = W.start[block]; k < W.start[block + 1]; ++k) {
    const int j = W.column[at(k)];
    const double* from = W.at(k);
    double* target = in_row(place_[at(j)]);
    for (int c = 0; c < W.size(j); ++c, from += d, target += d)
      for (int m = 0; m < d; ++m)
        for (int r = 0; r < d; ++r) target[r] += A(r, m) * from[m];
  }
  double* diagonal = in_row(i);
  for (int c = 0; c < d; ++c)
    for (int r = 0; r < d; ++r) diagonal[c * d + r] += C(r, c);
  for (int k = lower_start_[at(i)]; k < lower_start_[at(i) + 1]; ++k) {
    const auto [p, first] = lower_[at(k)];
    const int dp = size(p);
    double* L = lower_value_.data() + first;
    double* here = in_row(p);
    std::fill_n(L, d * dp, 0.0);
    const UpTo6x6& inverse = pivot_[at(p)];
    for (int c = 0; c < dp; ++c)
      for (int m = 0; m < dp; ++m)
        for (int r = 0; r < d; ++r) L[c * d + r] += here[m * d + r] * inverse(m, c);
    std::fill_n(here, d * dp, 0.0);
    if (open[at(order_[at(p)])] != 0) continue;
    for (int m = upper_start_[at(p)]; m < upper_start_[at(p) + 1]; ++m) {
      const Entry& U = upper_[at(m)];
      subtract_product(d, L, upper_value_.data() + U.first, in_row(U.block), dp, size(U.block));
    }
  }
  for (int k = upper_start_[at(i)]; k < upper_start_[at(i) + 1]; ++k) {
    const Entry& U = upper_[at(k)];
    double* here = in_row(U.block);
    std::copy_n(here, d * size(U.block), upper_value_.data() + U.first);
    std::fill_n(here, d * size(U.block), 0.0);
  }
  regular_ = invert<d>(diagonal, pivot_[at(i)]) && regular_;
  std::fill_n(diagonal, d * d, 0.0);
}

bool ConstraintLU::factorise(const BlockRows& W, const std::vector<UpTo6x6>& A,
                             const std::vector<UpTo6x6>& C, const std::vector<char>& open,
                             const Deadline& deadline) {
  constexpr int rows_a_clock = 64;
  std::fill(row_.begin(), row_.end(), 0.0);
  regular_ = true;
  for (int i = 0; i < W.count() && regular_; ++i) {
    const auto block = at(order_[at(i)]);
    if (i % rows_a_clock == 0 && deadline.passed()) return false;
    if (open[block] != 0) {
      pivot_[at(i)].setIdentity(size(i), size(i));
      for (int k = lower_start_[at(i)]; k < lower_start_[at(i) + 1]; ++k)
        std::fill_n(lower_value_.data() + lower_[at(k)].first, size(i) * size(lower_[at(k)].block),
                    0.0);
      for (int k = upper_start_[at(i)]; k < upper_start_[at(i) + 1]; ++k)
        std::fill_n(upper_value_.data() + upper_[at(k)].first, size(i) * size(upper_[at(k)].block),
                    0.0);
      continue;
    }
    with_rows(size(i), [&](auto d) { eliminate<d()>(i, W, A[block], C[block], open); });
  }
  return regular_;
}

void ConstraintLU::solve(Eigen::VectorXd& x) {
  const int n = static_cast<int>(order_.size());
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;
  for (int i = 0; i < n; ++i) {
    UpTo6 y = x.segment(offset_[at(i)], size(i));
    for (int k = lower_start_[at(i)]; k < lower_start_[at(i) + 1]; ++k) {
      const auto [p, first] = lower_[at(k)];
      y.noalias() -= Eigen::Map<const Rows>(lower_value_.data() + first, size(i), size(p))
                         .lazyProduct(work_.segment(ordered_[at(p)], size(p)));
    }
    work_.segment(ordered_[at(i)], size(i)) = y;
  }
  for (int i = n - 1; i >= 0; --i) {
    UpTo6 y = work_.segment(ordered_[at(i)], size(i));
    for (int k = upper_start_[at(i)]; k < upper_start_[at(i) + 1]; ++k) {
      const auto [p, first] = upper_[at(k)];
      y.noalias() -= Eigen::Map<const Rows>(upper_value_.data() + first, size(i), size(p))
                         .lazyProduct(work_.segment(ordered_[at(p)], size(p)));
    }
    const UpTo6 z = pivot_[at(i)] * y;
    work_.segment(ordered_[at(i)], size(i)) = z;
    x.segment(offset_[at(i)], size(i)) = z;
  }
}

}  // namespace stiction
