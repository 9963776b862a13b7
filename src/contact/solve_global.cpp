// SPDX-License-Identifier: Apache-2.0
//
// Problems in global form: in the space of the bodies where that pays, else without W by sweeps
// where that does, else condensed.
#include "contact/solve_global.h"

#include <algorithm>
#include <chrono>

#include "contact/methods/matrix_free.h"
#include "contact/problem/validate.h"

namespace stiction {

namespace {

double largest(const Eigen::VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }
double largest(const Eigen::SparseMatrix<double>& matrix) {
  double most = 0;
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, c); it; ++it)
      most = std::max(most, std::abs(it.value()));
  return most;
}

// Products of M⁻¹, H, f and w stay far inside the range of doubles, squared too; what is larger or
// smaller is condensed, and solved in other units.
bool is_usual(const GlobalProblem& problem) {
  const auto within = [](double x, double bound) {
    return x == 0 || (x >= 1 / bound && x <= bound);
  };
  return within(largest(problem.M), 0x1p60) && within(largest(problem.H), 0x1p60) &&
         within(std::max(largest(problem.f), largest(problem.w)), 0x1p120);
}

// A handful of contacts is solved by sweeps in less time than the bodies take to be set up.
constexpr int handful = 24;
// Rows over freedoms from which on W is singular or nearly so.
constexpr double crowded = 0.7;

// Contacts of problems beside whose solutions others are looked for.
constexpr int few = 12;

bool bodies_may_pay(const GlobalProblem& problem) {
  return problem.contacts() >= handful &&
         3 * problem.contacts() > crowded * static_cast<double>(problem.M.rows()) &&
         bodies::BodySystem::takes(problem);
}

}  // namespace

bool bodies_pay(const GlobalProblem& problem) {
  validate(problem);
  if (!bodies_may_pay(problem)) return false;
  bodies::BodySystem system;
  system.set_pattern(problem);
  return bodies::factors_pay(system);
}

void solve_global(const GlobalProblem& problem, const SolverOptions& options,
                  const Eigen::VectorXd* guess, bodies::BodySolver& bodies, ContactSolver& local,
                  Solution& solution) {
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2 or 3: rolling and torsional friction cannot be solved yet");
  validate(problem);
  if (guess != nullptr) require_vector(*guess, problem.w.size(), "guess");
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const bool automatic = options.method == Method::automatic, usual = is_usual(problem);
  bool tried = usual && (options.method == Method::bodies ? bodies::BodySystem::takes(problem)
                         : automatic                      ? bodies_may_pay(problem)
                                                          : false);
  if (tried) tried = bodies.solve(problem, options, guess, solution);
  if (!tried && usual && !problem.joints && falls_apart(problem) &&
      (options.method == Method::matrix_free || (automatic && matrix_free_pays(problem)))) {
    solution = solve_matrix_free(problem, options, guess);
    tried = true;
  }
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

Solution solve(const GlobalProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  ContactSolver solver;
  Solution solution = solver.solve(problem, options, guess);
  const bool condensed =
      solution.method != Method::matrix_free && solution.method != Method::bodies;
  if (condensed && problem.contacts() <= few)
    look_beside(Condensed(problem).local(), options.model, solution);
  return solution;
}

}  // namespace stiction
