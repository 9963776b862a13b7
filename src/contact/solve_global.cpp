// SPDX-License-Identifier: Apache-2.0
//
// Problems in global form, in the space that the plan says; condensed where that stalls.  And any
// problem, whatever its form.
#include <algorithm>
#include <chrono>

#include "contact/methods/matrix_free.h"
#include "contact/problem/validate.h"
#include "contact/solver_workspace.h"
#include "contact/strategy.h"

namespace stiction {

namespace {

// Solves with what `bodies` and `local` keep; the solution may be the one that `local` owns.
void solve_global(const GlobalProblem& problem, const SolverOptions& options,
                  const Eigen::VectorXd* guess, bodies::BodySolver& bodies, ContactSolver& local,
                  Solution& solution) {
  if (problem.dimension != 2 && problem.dimension != 3 && problem.dimension != 5)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2, 3 or 5");
  validate(problem);
  if (guess != nullptr) require_vector(*guess, problem.w.size(), "guess");
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const Space space = plan(problem, options.method, bodies);
  const bool tried = space != Space::contacts;
  if (space == Space::bodies) bodies.solve(problem, options, guess, solution);
  if (space == Space::sweeps_without_W) solution = solve_matrix_free(problem, options, guess);
  if (tried && solution.status != Status::stalled) return;

  Solution first;
  SolverOptions condensed_options = options;
  if (options.method == Method::matrix_free || options.method == Method::bodies)
    condensed_options.method = Method::automatic;
  if (tried) {
    first = solution;
    guess = &first.reactions;
  }
  // Nothing is known yet: an iteration of no number, with an infinite error.
  Progress told;
  if (options.progress)
    told = [&](double) {
      return options.progress({.method = condensed_options.method,
                               .iteration = 0,
                               .relative = infinity,
                               .scaled = infinity,
                               .seconds = seconds()});
    };
  const Condensed condensed(problem, told);
  // Condensing counts.
  condensed_options.max_seconds = std::max(options.max_seconds - seconds(), 1e-3);
  if (options.max_iterations > 0)
    condensed_options.max_iterations = std::max(options.max_iterations - first.iterations, 1);
  solution = local.solve(condensed.local(), condensed_options, guess);
  solution.generalized_velocities = condensed.generalized_velocities(solution.reactions);
  if (tried) solution.seconds = seconds();
  solution.iterations += first.iterations;
  solution.history.insert(solution.history.begin(), first.history.begin(), first.history.end());
}

}  // namespace

const Solution& ContactSolver::solve(const GlobalProblem& problem, const SolverOptions& options,
                                     const Eigen::VectorXd* guess) {
  solve_global(problem, options, guess, workspace_->bodies, *this, workspace_->solution);
  return workspace_->solution;
}

Solution solve(const GlobalProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  ContactSolver solver;
  Solution solution = solver.solve(problem, options, guess);
  const bool condensed =
      solution.method != Method::matrix_free && solution.method != Method::bodies;
  if (condensed && problem.contacts() <= strategy.sizes.asked_beside)
    look_beside(Condensed(problem).local(), options.model, solution);
  return solution;
}

Solution solve(const AnyProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  return std::visit([&](const auto& p) { return solve(p, options, guess); }, problem);
}

}  // namespace stiction
