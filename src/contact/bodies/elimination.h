// SPDX-License-Identifier: Apache-2.0
//
// In which order the nodes of a graph are eliminated, and what that fills in: the symbolic half of
// the factorisation K = L U of a matrix whose blocks lie where the graph has edges.
//
// The order is by minimum degree.  For every block of L the pairs of blocks whose product is taken
// from it are listed once and for all,
//
//   L_ij ← L_ij − Σ_k L_ik U_kj,
//
// so that the numerical half runs through flat arrays.
#pragma once

#include <vector>

namespace stiction::bodies {

// Neighbours of each node, increasing, without the node itself; symmetric.
struct Graph {
  std::vector<int> start{0}, neighbour;

  int size() const { return static_cast<int>(start.size()) - 1; }
  bool operator==(const Graph&) const = default;
};

class Elimination {
 public:
  // Keeps what it knows if the graph is the last one.  True if it is another.
  bool analyse(const Graph& graph);

  int nodes() const { return static_cast<int>(place_.size()); }
  int place(int node) const { return place_[static_cast<std::size_t>(node)]; }
  // The entry of L at places i ≥ j; it is in the pattern.
  int entry(int i, int j) const;
  // Entries of L by column, each column's diagonal first, rows increasing.
  const std::vector<int>& column_start() const { return column_start_; }
  const std::vector<int>& row() const { return row_; }
  // Of each entry the products taken from it: L of update_left times U of update_right.
  const std::vector<int>& update_start() const { return update_start_; }
  const std::vector<int>& update_left() const { return update_left_; }
  const std::vector<int>& update_right() const { return update_right_; }

 private:
  void order();
  void find_fill();
  void list_updates();

  Graph graph_;
  std::vector<int> place_, order_;
  std::vector<int> column_start_, row_, update_start_, update_left_, update_right_;
};

}  // namespace stiction::bodies
