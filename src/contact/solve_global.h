// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contact/bodies/solve_bodies.h"
#include "stiction/solver.h"

namespace stiction {

// Solves with what `bodies` and `local` keep; the solution may be the one that `local` owns.
void solve_global(const GlobalProblem& problem, const SolverOptions& options,
                  const Eigen::VectorXd* guess, bodies::BodySolver& bodies, ContactSolver& local,
                  Solution& solution);

}  // namespace stiction
