// SPDX-License-Identifier: Apache-2.0
//
// Which rows of a sparse matrix A depend on the others?
//
//   Q D A = [R; 0]
//
// Q is a product of reflections, one a column: the rows that have an entry in it are turned so that
// one of them alone keeps it, and leaves.  A row of which nothing is left before it could leave
// depends on those that left.  Columns go in an order of little fill, so that a tree or a loop of
// joints costs as much as it has joints; one whose row would hold much more elsewhere waits for
// that other column (rook pivoting), so that R has no small entry on its diagonal by chance.
// Turning keeps lengths: nothing grows, however long a loop is, and what is left of a row is its
// distance from the others.  D is 1, or brings rows to unit size where their sizes differ by
// thousands.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <utility>
#include <vector>

namespace stiction {

class Independent {
 public:
  explicit Independent(const Eigen::SparseMatrix<double>& A);

  bool is_even() const { return even_; }  // D is 1
  bool all_rows() const { return dependent_.empty(); }
  // Rows that left, with what each left with in R, and the others.
  const std::vector<int>& independent_rows() const { return independent_; }
  const std::vector<int>& dependent_rows() const { return dependent_; }
  const Eigen::SparseMatrix<double>& R() const { return R_; }

  // Q D Y and D Qᵀ Y.
  void turn(Eigen::Ref<Eigen::MatrixXd> Y) const;
  void turn_back(Eigen::Ref<Eigen::MatrixXd> Y) const;
  // A basis of what Aᵀ takes to zero, a column a dependent row; orthonormal where D is 1.
  Eigen::MatrixXd null_space() const;
  // The least Y of those with the same Aᵀ Y, given one that was turned back.
  void make_least(Eigen::Ref<Eigen::MatrixXd> Y) const;

  // The row that cannot hold with the others in A x = b, and b there less what the others ask for.
  struct Contradiction {
    int row = 0;
    double amount = 0;
  };
  std::optional<Contradiction> contradiction(const Eigen::VectorXd& b) const;

 private:
  // 1 − βvvᵀ on some rows.
  struct Reflection {
    std::vector<int> rows;
    Eigen::VectorXd v;
    double beta = 0;
  };
  class Elimination;

  void reflect(Eigen::Ref<Eigen::MatrixXd> Y) const;
  void reflect_back(Eigen::Ref<Eigen::MatrixXd> Y) const;

  bool even_ = true;
  Eigen::VectorXd D_, row_size_;  // of D A
  std::vector<Reflection> reflections_;
  std::vector<int> independent_, dependent_;
  Eigen::SparseMatrix<double> R_;
};

}  // namespace stiction
