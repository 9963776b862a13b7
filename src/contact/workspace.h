// SPDX-License-Identifier: Apache-2.0
//
// What the methods share while they solve one problem: its data, the point reached, the residual
// check, the clock and the history.  What moves `r` are the methods (methods/methods.h).
#pragma once

#include <chrono>
#include <memory>

#include "base/deadline.h"
#include "contact/linear/held_shift_system.h"
#include "contact/linear/newton_system.h"
#include "contact/methods/momentum.h"
#include "contact/one/one_contact.h"
#include "contact/problem/reordered.h"
#include "contact/proof/existence.h"
#include "contact/proof/residual.h"
#include "contact/strategy.h"
#include "stiction/solver.h"

namespace stiction {

// What Newton's method keeps from one problem to the next, so as not to allocate it again.
template <int D>
struct NewtonVectors {
  std::vector<Block<D>> A, C;
  std::vector<char> open;
  std::vector<double> rho_n, rho_t, size, alphas, more, shift, new_shift;
  Eigen::VectorXd F, centre, trial, direction, velocity, trial_velocity;
  bool velocity_known = false;  // `velocity` is W r + q at the workspace's r
  Momentum momentum;

  void resize(int contacts) {
    const auto n = static_cast<std::size_t>(contacts);
    for (std::vector<Block<D>>* blocks : {&A, &C}) blocks->resize(n);
    open.resize(n);
    for (std::vector<double>* numbers : {&rho_n, &rho_t, &size, &alphas, &more, &shift, &new_shift})
      numbers->resize(n);
    for (Eigen::VectorXd* vector : {&F, &centre, &trial, &direction, &velocity, &trial_velocity})
      vector->resize(D * contacts);
    momentum.resize(D * contacts);
  }
};

template <int D>
struct Workspace {
  Reordered reordered;
  const BlockMatrix* W = nullptr;
  const Eigen::VectorXd* q = nullptr;
  ContactLaws<D> laws;
  std::vector<ContactPivot<D>> pivots;
  std::vector<int> diagonal;  // of each row of W, its block in W
  Norms norms;
  double mean_diagonal = 1;  // mean|diag W|
  NewtonSystem<D> system;
  ConvexSystem<D> convex_system;
  NewtonVectors<D> newton;
  std::unique_ptr<Team> team;
  Parts colours;  // of large problems: contacts of one colour do not act on each other
  std::vector<int> pattern_start, pattern;  // of the W coloured
  std::vector<double> parts;                // of sums over chunks

  Eigen::VectorXd r;
  std::vector<double> beta;    // the slip multipliers of the last sweep
  Eigen::VectorXd best;        // the point of the least error checked
  Errors best_errors, errors;  // of `best`, of the last check

  const SolverOptions* options = nullptr;
  std::chrono::steady_clock::time_point begin;
  Deadline deadline;
  int iterations = 0;
  bool guessed = false;  // r began at a guess
  bool out_of_time = false, stopped = false;
  Existence existence;
  int rounding_checks = 0;  // that saw nothing but rounding, and yet more than was asked
  std::vector<Iteration>* history = nullptr;

  int contacts() const { return W->rows(); }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // Whether the budget is used up, of time or of iterations.
  bool budget_spent() const {
    return (options->max_iterations > 0 && iterations >= options->max_iterations) ||
           deadline.passed();
  }

  void start(const ContactProblem& problem, const SolverOptions& given,
             const Eigen::VectorXd* guess);

  // Another place to start from, the same for the same attempt: zero for 0, else random reactions
  // in the cones, of a size between a tenth and ten times ρ‖q‖.
  void restart(int attempt);

  // The nearest point of the cones.
  void project(const Eigen::VectorXd& point, Eigen::VectorXd& inside) const;

  // The errors at r, with twice the digits if `exact`.
  Errors errors_at_r(Twice twice);

  // Recomputes the errors at r, keeps the best point, and says whether the method is to end: within
  // tolerance, out of time, stopped, or a tolerance below rounding not met by chance either.
  bool check(Method method, double regularisation = 0);
  // Whether the last check was near a solution in which W r nearly cancels.
  bool is_cancelling() const {
    return errors.worst() < strategy.rounding.felt_below &&
           errors.rounding > Errors::usual_rounding;
  }
  bool solved() const { return best_errors.within(options->tolerance); }
  bool over() const {
    return solved() || existence.none || out_of_time || stopped ||
           rounding_checks == strategy.rounding.most_checks;
  }
};

}  // namespace stiction
