// SPDX-License-Identifier: Apache-2.0
#include "contact/linear/contact_graph.h"

#include <algorithm>

#include "contact/strategy.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Breadth first from `from`, appended to `order`; the last contact reached is far away.
void visit_from(const ContactGraph& graph, int from, std::vector<char>& seen,
                std::vector<int>& order) {
  std::size_t next = order.size();
  order.push_back(from);
  seen[at(from)] = 1;
  for (; next < order.size(); ++next)
    graph.each_neighbour(order[next], [&](int j) {
      if (seen[at(j)] != 0) return;
      seen[at(j)] = 1;
      order.push_back(j);
    });
}

}  // namespace

ContactGraph::ContactGraph(const BlockMatrix& W) {
  const int n = W.rows();
  std::vector<int> count(at(n) + 1, 0);
  const auto each_edge = [&](auto&& edge) {
    for (int i = 0; i < n; ++i)
      for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
        if (W.column[at(k)] != i) edge(i, W.column[at(k)]);
  };
  each_edge([&](int i, int j) {
    ++count[at(i) + 1];
    ++count[at(j) + 1];
  });
  for (int i = 0; i < n; ++i) count[at(i) + 1] += count[at(i)];
  std::vector<int> both(at(count.back())), next(count.begin(), count.end() - 1);
  each_edge([&](int i, int j) {
    both[at(next[at(i)]++)] = j;
    both[at(next[at(j)]++)] = i;
  });
  for (int i = 0; i < n; ++i) {
    const auto first = both.begin() + count[at(i)], last = both.begin() + count[at(i) + 1];
    std::sort(first, last);
    neighbour.insert(neighbour.end(), first, std::unique(first, last));
    start.push_back(static_cast<int>(neighbour.size()));
  }
}

std::vector<int> breadth_first(const ContactGraph& graph) {
  std::vector<int> order, trial;
  std::vector<char> seen(at(graph.size()), 0), tried(at(graph.size()), 0);
  for (int i = 0; i < graph.size(); ++i) {
    if (seen[at(i)] != 0) continue;
    trial.clear();
    visit_from(graph, i, tried, trial);
    visit_from(graph, trial.back(), seen, order);
  }
  return order;
}

Parts colours(const ContactGraph& graph) {
  std::vector<int> colour(at(graph.size()), -1), taken;
  int used = 0;
  for (int i = 0; i < graph.size(); ++i) {
    graph.each_neighbour(i, [&](int j) {
      if (colour[at(j)] >= 0) taken[at(colour[at(j)])] = i;
    });
    int c = 0;
    while (c < used && taken[at(c)] == i) ++c;
    if (c == used) {
      ++used;
      taken.push_back(-1);
    }
    colour[at(i)] = c;
  }
  Parts parts;
  std::vector<std::vector<int>> members(at(used));
  for (int i = 0; i < graph.size(); ++i) members[at(colour[at(i)])].push_back(i);
  for (const auto& list : members) {
    parts.order.insert(parts.order.end(), list.begin(), list.end());
    parts.start.push_back(static_cast<int>(parts.order.size()));
  }
  return parts;
}

Parts domains(const ContactGraph& graph, int most) {
  const int n = graph.size();
  const std::vector<int> order = breadth_first(graph);
  std::vector<int> domain(at(n));
  for (int count = most; count >= 1; count /= 2) {
    for (int p = 0; p < n; ++p)
      domain[at(order[at(p)])] = static_cast<int>(static_cast<long>(p) * count / n);
    // A contact that touches an earlier domain separates.
    std::vector<std::vector<int>> members(at(count) + 1);
    for (const int i : order) {
      bool separates = false;
      graph.each_neighbour(i,
                           [&](int j) { separates = separates || domain[at(j)] < domain[at(i)]; });
      members[at(separates ? count : domain[at(i)])].push_back(i);
    }
    if (count > 1 && members.back().size() * at(strategy.factors.separating) > at(n)) continue;
    Parts parts;
    for (const auto& list : members) {
      parts.order.insert(parts.order.end(), list.begin(), list.end());
      parts.start.push_back(static_cast<int>(parts.order.size()));
    }
    return parts;
  }
  return {};
}

}  // namespace stiction
