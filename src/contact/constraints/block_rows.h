// SPDX-License-Identifier: Apache-2.0
//
// W + R as rows of blocks of any size up to six, and q + b: what the solvers of constraints read.
// Block row i is a dense matrix of size_i rows, column by column, of all columns of its blocks side
// by side.
#pragma once

#include <type_traits>

#include "contact/linear/contact_graph.h"
#include "stiction/constraint_problem.h"

namespace stiction {

inline constexpr int most_rows = 6;

// Calls work(std::integral_constant<int, n>) for n = 1 … 6 rows.
template <class Work>
decltype(auto) with_rows(int n, const Work& work) {
  switch (n) {
    case 1:
      return work(std::integral_constant<int, 1>());
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    case 4:
      return work(std::integral_constant<int, 4>());
    case 5:
      return work(std::integral_constant<int, 5>());
    default:
      return work(std::integral_constant<int, 6>());
  }
}

struct BlockRows {
  std::vector<int> offset{0};         // the first row of each block, and the end
  std::vector<int> start{0}, column;  // the blocks of each block row, by increasing column
  std::vector<std::size_t> first;     // where the numbers of each block start
  std::vector<int> diagonal;          // of each block row its diagonal block
  std::vector<double> value;

  int count() const { return static_cast<int>(offset.size()) - 1; }
  int rows() const { return offset.back(); }
  int size(int i) const {
    return offset[static_cast<std::size_t>(i) + 1] - offset[static_cast<std::size_t>(i)];
  }
  const double* at(int k) const { return value.data() + first[static_cast<std::size_t>(k)]; }

  // A + diag(more), with a block for each pair of constraints that has an entry, and on the
  // diagonal.  Keeps its memory.
  void assign(const std::vector<int>& offsets, const Eigen::SparseMatrix<double>& A,
              const Eigen::VectorXd& more);
  // The pattern alone, for graphs.
  BlockMatrix pattern() const;

  // u += (A r)_i, for u of size_i numbers.
  void add_row_times(int i, const double* r, double* u) const;
  // The same with twice the digits, of start + A r, rounded once.
  void exact_row_times(int i, const double* start, const double* r, double* u) const;
};

}  // namespace stiction
