// SPDX-License-Identifier: Apache-2.0
#include "contact/linear_program.h"

#include <cmath>
#include <vector>

namespace stiction {

namespace {

// Rows are constraints Σ T(i, j) x_j = T(i, last), with one basic variable each; the bottom row
// holds reduced costs, negative where a variable would improve the value.
class Tableau {
 public:
  Tableau(Eigen::MatrixXd table, std::vector<int> basis)
      : T_(std::move(table)), basis_(std::move(basis)), scale_(T_.cwiseAbs().maxCoeff()) {}

  enum class End { optimal, unbounded, stalled };

  // Bland's rule.  Columns from `end` on may not enter.  Rounding can make even it go round in
  // circles: it is stopped then, and the program counts as not solved.
  End optimise(Eigen::Index end) {
    const double zero = 1e-11 * (scale_ > 0 ? scale_ : 1);
    const Eigen::Index bottom = T_.rows() - 1, last = T_.cols() - 1;
    for (Eigen::Index step = 0; step < 20 * (T_.rows() + T_.cols()); ++step) {
      Eigen::Index enter = 0;
      while (enter < end && T_(bottom, enter) >= -zero) ++enter;
      if (enter == end) return End::optimal;
      Eigen::Index leave = -1;
      double least = 0;
      for (Eigen::Index i = 0; i < bottom; ++i) {
        if (T_(i, enter) <= zero) continue;
        const double ratio = T_(i, last) / T_(i, enter);
        const bool better = leave < 0 || ratio < least - zero ||
                            (ratio <= least + zero && basis_[static_cast<std::size_t>(i)] <
                                                          basis_[static_cast<std::size_t>(leave)]);
        if (better) {
          leave = i;
          least = ratio;
        }
      }
      if (leave < 0) return End::unbounded;
      pivot(leave, enter);
    }
    return End::stalled;
  }
  void pivot(Eigen::Index row, Eigen::Index column) {
    T_.row(row) /= T_(row, column);
    for (Eigen::Index i = 0; i < T_.rows(); ++i)
      if (i != row && T_(i, column) != 0) T_.row(i) -= T_(i, column) * T_.row(row);
    basis_[static_cast<std::size_t>(row)] = static_cast<int>(column);
  }
  Eigen::MatrixXd& table() { return T_; }
  const std::vector<int>& basis() const { return basis_; }

 private:
  Eigen::MatrixXd T_;
  std::vector<int> basis_;
  double scale_;
};

}  // namespace

// x = x⁺ − x⁻ with slacks s ≥ 0, and one artificial variable for each row whose b is negative.
LinearProgram maximise(const Eigen::VectorXd& c, const Eigen::MatrixXd& A,
                       const Eigen::VectorXd& b) {
  const Eigen::Index m = A.rows(), n = A.cols(), real = 2 * n + m;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(m + 1, real + m + 1);
  std::vector<int> basis(static_cast<std::size_t>(m));
  for (Eigen::Index i = 0; i < m; ++i) {
    const double sign = b[i] < 0 ? -1 : 1;
    T.row(i).head(n) = sign * A.row(i);
    T.row(i).segment(n, n) = -sign * A.row(i);
    T(i, 2 * n + i) = sign;
    T(i, real + m) = sign * b[i];
    if (sign < 0) {
      T(i, real + i) = 1;
      T.row(m).head(real) -= T.row(i).head(real);
      T(m, real + m) -= T(i, real + m);
    }
    basis[static_cast<std::size_t>(i)] = static_cast<int>(sign < 0 ? real + i : 2 * n + i);
  }
  Tableau tableau(std::move(T), std::move(basis));
  LinearProgram result;
  if (tableau.optimise(real) == Tableau::End::stalled) return result;
  Eigen::MatrixXd& table = tableau.table();
  const double size = 1 + b.cwiseAbs().maxCoeff();
  if (table(m, real + m) < -1e-9 * size) return result;
  for (Eigen::Index i = 0; i < m; ++i)  // an artificial variable that stayed at zero leaves
    if (tableau.basis()[static_cast<std::size_t>(i)] >= real)
      for (Eigen::Index j = 0; j < real; ++j)
        if (std::abs(table(i, j)) > 1e-9) {
          tableau.pivot(i, j);
          break;
        }
  table.row(m).setZero();
  table.row(m).head(n) = -c.transpose();
  table.row(m).segment(n, n) = c.transpose();
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::Index j = tableau.basis()[static_cast<std::size_t>(i)];
    if (j < real && table(m, j) != 0)
      table.row(m) -= table(m, j) * Eigen::RowVectorXd(table.row(i));
  }
  const Tableau::End end = tableau.optimise(real);
  if (end == Tableau::End::stalled) return result;
  result.status = end == Tableau::End::optimal ? LinearProgram::Status::optimal
                                               : LinearProgram::Status::unbounded;
  result.x = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::Index j = tableau.basis()[static_cast<std::size_t>(i)];
    if (j < n)
      result.x[j] += table(i, real + m);
    else if (j < 2 * n)
      result.x[j - n] -= table(i, real + m);
  }
  result.value = c.dot(result.x);
  return result;
}

}  // namespace stiction
