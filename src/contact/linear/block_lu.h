// SPDX-License-Identifier: Apache-2.0
//
// LU factorisation of a matrix of D×D blocks without pivoting across blocks, for Newton's systems.
//
// The pattern is that of W made symmetric, in a minimum-degree order of the contact graph; it is
// analysed once.  Rows are eliminated one after another (row i of A becomes row i of L and U):
//
//   L_ik = A_ik U_kk⁻¹,   A_ij ← A_ij − L_ik U_kj   for k < i in the pattern, in order
//
// A row that is the identity (an open contact) costs nothing and makes no fill.  Large graphs are
// cut into domains, which are eliminated side by side, then what separates them.  Where the factors
// of a large graph would need too much memory, as in heaps, fill outside the pattern of W is
// dropped: the factors are then those of a nearby matrix, good for preconditioning only.
#pragma once

#include <vector>

#include "base/deadline.h"
#include "base/team.h"
#include "contact/linear/contact_graph.h"
#include "contact/one/contact_law.h"

namespace stiction {

template <int D>
class BlockLU {
 public:
  // The pattern of W; keeps what it knows if that and the limit are the same as the last ones.  U
  // is to have at most `most_fill` blocks a contact.
  void analyse(const BlockMatrix& W, double most_fill);

  // Multiplications of one factorisation, counted on the pattern.
  double flops() const { return flops_; }
  // Whether the factors are those of the matrix itself.
  bool complete() const { return complete_; }

  // Where it is passed, `factorise` gives up.
  void give_up_at(const Deadline& deadline) { deadline_ = deadline; }

  // Factorises the matrix with rows J_ij = A_i W_ij, plus C_i on the diagonal; rows with `open` are
  // the identity.  False if a pivot block is singular, or the deadline passed.
  bool factorise(const BlockMatrix& W, const std::vector<Block<D>>& A,
                 const std::vector<Block<D>>& C, const std::vector<char>& open, Team& team);

  // x ← J⁻¹ x.  Where `from` is given, from + x needs no rounding: what a contact's part of x is
  // rounded by, the parts computed after it make up for.
  void solve(Eigen::Ref<Eigen::VectorXd> x, Team& team, const Eigen::VectorXd* from = nullptr);

 private:
  struct Row {  // the row being eliminated, by column; which columns it keeps
    std::vector<Block<D>> value;
    std::vector<int> kept;
  };
  void order_contacts(const ContactGraph& graph, bool minimum_degree);
  bool find_fill(const ContactGraph& graph, std::vector<std::vector<int>>& below,
                 std::size_t limit) const;
  bool eliminate(int i, const BlockMatrix& W, const std::vector<Block<D>>& A,
                 const std::vector<Block<D>>& C, const std::vector<char>& open, Row& row);
  void forward(int i, const Eigen::Ref<Eigen::VectorXd>& x);
  void backward(int i, const Eigen::VectorXd* from);

  Parts parts_;                           // domains of positions, and what separates them
  std::vector<int> order_, place_;        // contact at each position, position of each contact
  std::vector<int> lower_start_, lower_;  // columns k < i of each row, increasing
  std::vector<int> upper_start_, upper_;  // columns j > i of each row, increasing
  std::vector<Block<D>> lower_value_, upper_value_, pivot_inverse_;
  std::vector<Row> rows_;                     // one a thread
  std::vector<int> pattern_start_, pattern_;  // of the W analysed
  Eigen::VectorXd work_;
  Deadline deadline_;
  double flops_ = 0, most_fill_ = -1;
  bool complete_ = true;
};

extern template class BlockLU<2>;
extern template class BlockLU<3>;

}  // namespace stiction
