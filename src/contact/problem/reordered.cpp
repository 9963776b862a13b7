// SPDX-License-Identifier: Apache-2.0
#include "contact/problem/reordered.h"

#include <algorithm>

#include "contact/linear/contact_graph.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void Reordered::analyse(const BlockMatrix& W) {
  if (W.start == pattern_start_ && W.column == pattern_) return;
  pattern_start_ = W.start;
  pattern_ = W.column;
  const int n = W.rows();
  order_ = breadth_first(ContactGraph(W));
  std::vector<int> place(at(n));
  for (int p = 0; p < n; ++p) place[at(order_[at(p)])] = p;
  // How far apart contacts are that act on each other, summed, in either order.
  long before = 0, after = 0;
  for (int i = 0; i < n; ++i)
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k) {
      before += std::abs(W.column[at(k)] - i);
      after += std::abs(place[at(W.column[at(k)])] - place[at(i)]);
    }
  if (2 * after >= before) {
    order_.clear();
    return;
  }
  BlockMatrix& ordered = problem_.W;
  ordered.block = W.block;
  ordered.start.assign(1, 0);
  ordered.column.clear();
  ordered.value.resize(W.value.size());
  source_.clear();
  std::vector<std::pair<int, int>> row;
  for (const int i : order_) {
    row.clear();
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
      row.emplace_back(place[at(W.column[at(k)])], k);
    std::sort(row.begin(), row.end());
    for (const auto& [column, source] : row) {
      ordered.column.push_back(column);
      source_.push_back(source);
    }
    ordered.start.push_back(static_cast<int>(source_.size()));
  }
}

const ContactProblem& Reordered::set(const ContactProblem& problem) {
  analyse(problem.W);
  if (order_.empty()) return problem;
  problem_.dimension = problem.dimension;
  const int size = problem.W.block * problem.W.block;
  for (std::size_t k = 0; k < source_.size(); ++k)
    std::copy_n(problem.W.at(source_[k]), size, problem_.W.at(static_cast<int>(k)));
  problem_.q = there(problem.q);
  problem_.laws.resize(order_.size());
  for (std::size_t p = 0; p < order_.size(); ++p) problem_.laws[p] = problem.laws[at(order_[p])];
  return problem_;
}

const Eigen::VectorXd& Reordered::there(const Eigen::VectorXd& r) {
  if (order_.empty()) return r;
  const auto n = static_cast<int>(order_.size());
  const auto d = static_cast<int>(r.size()) / n;
  moved_.resize(r.size());
  for (int p = 0; p < n; ++p) moved_.segment(d * p, d) = r.segment(d * order_[at(p)], d);
  return moved_;
}

void Reordered::back(Eigen::VectorXd& r) {
  if (order_.empty()) return;
  const auto n = static_cast<int>(order_.size());
  const auto d = static_cast<int>(r.size()) / n;
  moved_.resize(r.size());
  for (int p = 0; p < n; ++p) moved_.segment(d * order_[at(p)], d) = r.segment(d * p, d);
  r.swap(moved_);
}

}  // namespace stiction
