// SPDX-License-Identifier: Apache-2.0
#include "contact/bodies/elimination.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace stiction::bodies {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

bool Elimination::analyse(const Graph& graph) {
  if (graph == graph_ && !place_.empty()) return false;
  graph_ = graph;
  order();
  find_fill();
  list_updates();
  return true;
}

void Elimination::order() {
  const int n = graph_.size();
  // With the diagonal, without which the order is left as it was.
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.reserve(static_cast<Eigen::Index>(graph_.neighbour.size()) + n);
  for (int i = 0; i < n; ++i) {
    pattern.startVec(i);
    bool after = false;
    for (int k = graph_.start[at(i)]; k < graph_.start[at(i) + 1]; ++k) {
      if (!after && graph_.neighbour[at(k)] > i) {
        pattern.insertBackByOuterInner(i, i) = 1;
        after = true;
      }
      pattern.insertBackByOuterInner(i, graph_.neighbour[at(k)]) = 1;
    }
    if (!after) pattern.insertBackByOuterInner(i, i) = 1;
  }
  pattern.finalize();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  order_.assign(order.indices().data(), order.indices().data() + n);
  place_.resize(at(n));
  for (int k = 0; k < n; ++k) place_[at(order_[at(k)])] = k;
}

// Column j of L: the neighbours that come later, and what the columns below which j comes first in
// the elimination tree hand on.
void Elimination::find_fill() {
  const int n = nodes();
  std::vector<std::vector<int>> column(at(n));
  std::vector<int> mark(at(n), -1), first_child(at(n), -1), next_sibling(at(n), -1);
  column_start_.assign(1, 0);
  row_.clear();
  for (int j = 0; j < n; ++j) {
    std::vector<int>& rows = column[at(j)];
    mark[at(j)] = j;
    const auto add = [&](int i) {
      if (i <= j || mark[at(i)] == j) return;
      mark[at(i)] = j;
      rows.push_back(i);
    };
    const int node = order_[at(j)];
    for (int k = graph_.start[at(node)]; k < graph_.start[at(node) + 1]; ++k)
      add(place_[at(graph_.neighbour[at(k)])]);
    for (int child = first_child[at(j)]; child >= 0; child = next_sibling[at(child)]) {
      for (const int i : column[at(child)]) add(i);
      std::vector<int>().swap(column[at(child)]);
    }
    std::sort(rows.begin(), rows.end());
    row_.push_back(j);
    row_.insert(row_.end(), rows.begin(), rows.end());
    column_start_.push_back(static_cast<int>(row_.size()));
    if (rows.empty()) continue;
    const int parent = rows.front();
    next_sibling[at(j)] = first_child[at(parent)];
    first_child[at(parent)] = j;
  }
}

void Elimination::list_updates() {
  const auto each = [&](const auto& visit) {
    for (int k = 0; k < nodes(); ++k)
      for (int b = column_start_[at(k)] + 1; b < column_start_[at(k) + 1]; ++b) {
        int to = column_start_[at(row_[at(b)])];
        for (int a = b; a < column_start_[at(k) + 1]; ++a) {
          while (row_[at(to)] != row_[at(a)]) ++to;
          visit(to, a, b);
        }
      }
  };
  update_start_.assign(row_.size() + 1, 0);
  each([&](int to, int, int) { ++update_start_[at(to) + 1]; });
  for (std::size_t e = 0; e < row_.size(); ++e) update_start_[e + 1] += update_start_[e];
  update_left_.resize(at(update_start_.back()));
  update_right_.resize(at(update_start_.back()));
  std::vector<int> next(update_start_.begin(), update_start_.end() - 1);
  each([&](int to, int a, int b) {
    const auto k = at(next[at(to)]++);
    update_left_[k] = a;
    update_right_[k] = b;
  });
}

int Elimination::entry(int i, int j) const {
  const auto first = row_.begin() + column_start_[at(j)],
             last = row_.begin() + column_start_[at(j) + 1];
  return static_cast<int>(std::lower_bound(first, last, i) - row_.begin());
}

}  // namespace stiction::bodies
