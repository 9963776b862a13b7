// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stiction/solver.h"

namespace stiction {

// Whether M falls apart into bodies small enough to be inverted one by one.
bool falls_apart(const GlobalProblem& problem);

// Blocks that W would hold.
double blocks_of_W(const GlobalProblem& problem);

// Gauss–Seidel without W, for problems without joints that fall apart; stalls where it does not
// converge.
Solution solve_matrix_free(const GlobalProblem& problem, const SolverOptions& options,
                           const Eigen::VectorXd* guess);

}  // namespace stiction
