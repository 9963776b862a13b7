// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/linear_program.h"

#include <cmath>
#include <vector>

namespace stiction {

namespace {

// Rows are constraints Σ T(i, j) x_j = T(i, last), with one basic variable each; the bottom row
// holds reduced costs, negative where a variable would improve the value.
class Tableau {
 public:
  using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Tableau(Table table, std::vector<int> basis)
      : T_(std::move(table)), basis_(std::move(basis)), scale_(T_.cwiseAbs().maxCoeff()) {}

  enum class End { optimal, unbounded, stalled };

  // The variable that gains most a unit enters; after as many steps without any gain as there are
  // rows, Bland's rule takes over until there is one.  Columns from `end` on may not enter.
  // Rounding can make even Bland's rule go round in circles: it is stopped then, and the program
  // counts as not solved.
  End optimise(Eigen::Index end) {
    const double zero = 1e-11 * (scale_ > 0 ? scale_ : 1);
    const Eigen::Index bottom = T_.rows() - 1, last = T_.cols() - 1;
    Eigen::Index without_gain = 0;
    for (Eigen::Index step = 0; step < 20 * (T_.rows() + T_.cols()); ++step) {
      const bool bland = without_gain > bottom;
      Eigen::Index enter = end;
      for (Eigen::Index j = 0; j < end && !(bland && enter < end); ++j)
        if (T_(bottom, j) < -zero && (enter == end || T_(bottom, j) < T_(bottom, enter))) enter = j;
      if (enter == end) return End::optimal;
      Eigen::Index leave = -1;
      double least = 0;
      for (Eigen::Index i = 0; i < bottom; ++i) {
        if (T_(i, enter) <= zero) continue;
        const double ratio = T_(i, last) / T_(i, enter);
        // Among equal ratios Bland's rule takes the first variable; otherwise the largest pivot.
        const bool first = bland ? leave >= 0 && basis_[static_cast<std::size_t>(i)] <
                                                     basis_[static_cast<std::size_t>(leave)]
                                 : leave >= 0 && T_(i, enter) > T_(leave, enter);
        if (leave < 0 || ratio < least - zero || (ratio <= least + zero && first)) {
          leave = i;
          least = ratio;
        }
      }
      if (leave < 0) return End::unbounded;
      without_gain = least > zero ? 0 : without_gain + 1;
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
  Table& table() { return T_; }
  const std::vector<int>& basis() const { return basis_; }

 private:
  Table T_;
  std::vector<int> basis_;
  double scale_;
};

}  // namespace

// x = x⁺ − x⁻ with slacks s ≥ 0, and one artificial variable for each row whose b is negative.
LinearProgram maximise(const Eigen::VectorXd& c, const Eigen::MatrixXd& A,
                       const Eigen::VectorXd& b) {
  const Eigen::Index m = A.rows(), n = A.cols(), real = 2 * n + m;
  const Eigen::Index last = real + (b.array() < 0).count();
  Tableau::Table T = Tableau::Table::Zero(m + 1, last + 1);
  Eigen::Index artificial = real;
  std::vector<int> basis(static_cast<std::size_t>(m));
  for (Eigen::Index i = 0; i < m; ++i) {
    const double sign = b[i] < 0 ? -1 : 1;
    T.row(i).head(n) = sign * A.row(i);
    T.row(i).segment(n, n) = -sign * A.row(i);
    T(i, 2 * n + i) = sign;
    T(i, last) = sign * b[i];
    if (sign < 0) {
      T(i, artificial) = 1;
      T.row(m).head(real) -= T.row(i).head(real);
      T(m, last) -= T(i, last);
    }
    basis[static_cast<std::size_t>(i)] = static_cast<int>(sign < 0 ? artificial++ : 2 * n + i);
  }
  Tableau tableau(std::move(T), std::move(basis));
  LinearProgram result;
  if (tableau.optimise(real) == Tableau::End::stalled) return result;
  Tableau::Table& table = tableau.table();
  const double size = 1 + b.cwiseAbs().maxCoeff();
  if (table(m, last) < -1e-9 * size) {
    result.clearly_infeasible = table(m, last) < -1e-6 * size;
    return result;
  }
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
      result.x[j] += table(i, last);
    else if (j < 2 * n)
      result.x[j - n] -= table(i, last);
  }
  result.value = c.dot(result.x);
  return result;
}

}  // namespace stiction
