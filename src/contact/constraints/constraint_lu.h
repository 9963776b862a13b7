// SPDX-License-Identifier: Apache-2.0
//
// LU factorisation of a matrix of blocks of any size up to six without pivoting across blocks, for
// Newton's systems of constraints: linear/block_lu.h for blocks that differ.  Rows with `open` are
// the identity and cost nothing.
#pragma once

#include "base/deadline.h"
#include "contact/constraints/block_rows.h"
#include "stiction/section.h"

namespace stiction {

class ConstraintLU {
 public:
  // A minimum-degree order of the pattern of W, and its fill.
  void analyse(const BlockRows& W);
  bool analysed() const { return !order_.empty(); }
  // Multiplications of one factorisation.
  double flops() const { return flops_; }

  // Of the matrix with rows J_ij = A_i W_ij, plus C_i on the diagonal.  False if a pivot block is
  // singular, or the deadline passed.
  bool factorise(const BlockRows& W, const std::vector<UpTo6x6>& A, const std::vector<UpTo6x6>& C,
                 const std::vector<char>& open, const Deadline& deadline);
  void solve(Eigen::VectorXd& x);  // x ← J⁻¹ x

 private:
  struct Entry {
    int block = 0;          // position of the other block in the order
    std::size_t first = 0;  // where its numbers start
  };
  template <int d>
  void eliminate(int i, const BlockRows& W, const UpTo6x6& A, const UpTo6x6& C,
                 const std::vector<char>& open);
  int size(int place) const { return size_[static_cast<std::size_t>(place)]; }

  std::vector<int> order_, place_;  // block at each position, position of each block
  std::vector<int> size_, offset_;  // by position: rows, and where they start in W's order
  std::vector<int> ordered_;        // by position: where they start in this order
  std::vector<int> lower_start_, upper_start_;
  std::vector<Entry> lower_, upper_;
  std::vector<double> lower_value_, upper_value_;
  std::vector<UpTo6x6> pivot_;  // inverses
  std::vector<double> row_;     // the row being eliminated
  Eigen::VectorXd work_;
  double flops_ = 0;
  bool regular_ = true;
};

}  // namespace stiction
