// SPDX-License-Identifier: Apache-2.0
//
// Constraints of any kind: which method, when; and the last word, which is the certificate's.
#include <algorithm>

#include "contact/constraints/constraint_workspace.h"
#include "stiction/constraint_separation.h"

namespace stiction {

namespace {

// Throws of the dice, each a short try from another place.
constexpr int most_throws = 600, least_throws = 30, throws_times_constraints = 20000;
constexpr int throw_patience = 15;
// Moves of the centre without gain before it is asked whether there is any solution.
constexpr int first_patience = 30;

void newton_ladder(ConstraintWorkspace& work) {
  if (work.options->model == Model::convex) {
    proximal_newton(work, convex_variant, convex_variant + 1, 150);
    return;
  }
  proximal_newton(work, 0, 1);
  if (!work.over()) proximal_newton(work, convex_variant, convex_variant + 1);
  if (work.over()) return;
  work.r = work.best;
  proximal_newton(work, 1, convex_variant);
}

void start_elsewhere(ConstraintWorkspace& work) {
  const int throws =
      std::clamp(throws_times_constraints / std::max(work.count(), 1), least_throws, most_throws);
  const bool exact = work.options->model == Model::coulomb;
  constexpr int turn[] = {0, 2, 3, 4};
  for (int attempt = 0; attempt <= throws && !work.over(); ++attempt) {
    work.restart(attempt);
    if (attempt % 3 == 0) gauss_seidel(work, false, 20);
    const int variant = exact ? turn[attempt % 4] : convex_variant;
    if (!work.over()) proximal_newton(work, variant, variant + 1, throw_patience);
  }
}

// Whether a direction proves that there is no solution, asked once a first search has failed.
bool ask(const ConstraintProblem& problem, ConstraintWorkspace& work, Solution& solution) {
  if (work.over()) return false;
  const Progress told = [&](double) { return !work.budget_spent(); };
  solution.separation = find_separation(problem, told);
  return solution.separation.has_value();
}

void run(const ConstraintProblem& problem, ConstraintWorkspace& work, Solution& solution) {
  solution.method = Method::gauss_seidel;
  // r = 0, or the guess, may be the answer already.
  if (work.check(work.options->method, work.r)) return;
  switch (work.options->method) {
    case Method::gauss_seidel:
      gauss_seidel(work, false, 100000);
      ask(problem, work, solution);
      return;
    case Method::newton:
      solution.method = Method::newton;
      newton_ladder(work);
      ask(problem, work, solution);
      return;
    default:
      break;
  }
  gauss_seidel(work, true, 100000);
  if (work.over()) return;
  solution.method = Method::newton;
  proximal_newton(work, work.options->model == Model::convex ? convex_variant : 0,
                  work.options->model == Model::convex ? convex_variant + 1 : 1, first_patience);
  if (ask(problem, work, solution)) return;
  if (!work.over()) newton_ladder(work);
  if (!work.over()) start_elsewhere(work);
}

}  // namespace

Solution solve(const ConstraintProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  validate(problem);
  if (guess != nullptr && guess->size() != problem.q.size())
    throw InvalidInput("guess has " + std::to_string(guess->size()) + " numbers, expected " +
                       std::to_string(problem.q.size()));
  if (guess != nullptr && !guess->allFinite())
    throw InvalidInput("guess holds a number that is not finite, expected finite numbers");
  const Method method = options.method;
  if (method != Method::automatic && method != Method::gauss_seidel && method != Method::newton)
    throw InvalidInput("the method is " + to_text(method) +
                       ", expected auto, gauss_seidel or newton for constraints");
  ConstraintWorkspace work(problem, options, guess);
  Solution solution;
  if (options.keep_history) work.history = &solution.history;
  run(problem, work, solution);
  solution.iterations = work.iterations;
  solution.reactions = work.best;
  solution.certificate = work.system.certificate(work.best, options.model, solution.velocities);
  solution.modes = work.system.modes(solution.reactions, solution.velocities, options.tolerance);
  const bool solved = work.solved() && solution.certificate.within(options.tolerance);
  if (solved) solution.separation.reset();
  solution.status = solved                ? Status::solved
                    : solution.separation ? Status::no_solution
                    : work.out_of_time    ? Status::time_limit
                    : work.stopped        ? Status::stopped
                                          : Status::stalled;
  solution.seconds = work.seconds();
  return solution;
}

Solution solve(const GlobalConstraintProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  const Progress told = [&](double) {  // an iteration of no number, with infinite errors
    return !options.progress || options.progress({.relative = infinity, .scaled = infinity});
  };
  const CondensedConstraints condensed(problem, told);
  Solution solution = solve(condensed.local(), options, guess);
  solution.generalized_velocities = condensed.generalized_velocities(solution.reactions);
  return solution;
}

}  // namespace stiction
