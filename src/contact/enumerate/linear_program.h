// SPDX-License-Identifier: Apache-2.0
//
// Small dense linear programs, for polyhedra of solutions:
//
//   maximise c·x subject to A x ≤ b, x free.
#pragma once

#include <Eigen/Core>

namespace stiction {

struct LinearProgram {
  enum class Status { optimal, infeasible, unbounded };
  Status status = Status::infeasible;  // also where rounding keeps it from an answer
  bool clearly_infeasible = false;     // by more than rounding could do
  Eigen::VectorXd x;
  double value = 0;
};

// The simplex method on a dense tableau; Bland's rule, which cannot cycle, where it gains nothing.
LinearProgram maximise(const Eigen::VectorXd& c, const Eigen::MatrixXd& A,
                       const Eigen::VectorXd& b);

}  // namespace stiction
