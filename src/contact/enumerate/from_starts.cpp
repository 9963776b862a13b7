// SPDX-License-Identifier: Apache-2.0
//
// The list of solutions, with the solver at hand.
#include "stiction/enumerate.h"

#include <cmath>
#include <random>

#include "contact/enumerate/list_solutions.h"
#include "stiction/solver.h"

namespace stiction {

namespace {

std::vector<Eigen::VectorXd> from_starts(const ContactProblem& problem, const Progress& goes_on) {
  constexpr int starts = 60;
  std::vector<Eigen::VectorXd> found;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  ContactSolver solver;
  for (int k = 0; k < starts && goes_on(static_cast<double>(k) / starts); ++k) {
    Eigen::VectorXd start(problem.q.size());
    for (double& x : start) x = std::pow(10.0, normal(engine)) * normal(engine);
    SolverOptions options{.tolerance = 1e-11, .max_seconds = 1};
    options.method = k % 2 == 0 ? Method::automatic : Method::newton;
    const Solution& solution = solver.solve(problem, options, k == 0 ? nullptr : &start);
    if (solution.certificate.within(1e-8)) found.push_back(solution.reactions);
  }
  return found;
}

}  // namespace

Enumeration enumerate(const ContactProblem& problem, double max_seconds, const Progress& progress) {
  return list_solutions(problem, max_seconds, progress, from_starts);
}

}  // namespace stiction
