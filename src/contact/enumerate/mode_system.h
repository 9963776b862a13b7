// SPDX-License-Identifier: Apache-2.0
//
// The linear system A r = b of one combination of modes, regular or not.  Rows and columns are
// scaled first, so that neither the rank nor what is consistent depends on the units of single rows
// or reactions.
#pragma once

#include <Eigen/Dense>

namespace stiction {

class ModeSystem {
 public:
  ModeSystem(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

  bool regular() const { return lu_.rank() == scaled_.cols(); }
  // Not regular, and what elimination left is rounding: no matter of a small pivot.
  bool clearly_singular() const;
  bool consistent() const;                                                // of a square one
  Eigen::VectorXd solution() const { return columns_.cwiseProduct(x_); }  // one of them
  // Of a regular system: bounds for the error of each component, to first order the work of
  // relative errors in A and b some thousand roundings large.
  Eigen::VectorXd error() const;
  Eigen::MatrixXd kernel() const;  // columns that would be orthonormal in units of columns()

  const Eigen::VectorXd& columns() const { return columns_; }  // r_j = columns_j x_j
  const Eigen::VectorXd& scaled_solution() const { return x_; }

 private:
  void refine();
  Eigen::VectorXd rounding() const;

  Eigen::MatrixXd scaled_;
  Eigen::VectorXd b_, columns_, x_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

// The power of two nearest to 1/size, 1 for nothing: scaling by it costs no rounding.
double inverse_size(double size);

}  // namespace stiction
