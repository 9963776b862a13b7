// SPDX-License-Identifier: Apache-2.0
//
// What the methods for constraints of any kind share while they solve one problem: its data, the
// point reached, the residual and the clock.
#pragma once

#include <chrono>

#include "contact/constraints/constraint_lu.h"
#include "contact/constraints/one_constraint.h"
#include "contact/proof/residual.h"
#include "stiction/solver.h"

namespace stiction {

// The problem as the solvers read it: bilateral constraints of more than six rows in pieces.
struct ConstraintSystem {
  std::vector<ConstraintLaw> laws;
  std::vector<bool> continues;  // the piece before it
  BlockRows W;                  // W + R
  Eigen::VectorXd q;            // q + b
  Norms norms;

  explicit ConstraintSystem(const ConstraintProblem& problem);

  int count() const { return W.count(); }
  UpTo6 part(const Eigen::VectorXd& x, int i) const {
    return x.segment(W.offset[static_cast<std::size_t>(i)], W.size(i));
  }
  UpTo6 velocity(const Eigen::VectorXd& r, int i, bool exact) const;

  // The two errors at r; with twice the digits where rounding would be felt.
  Errors errors(const Eigen::VectorXd& r, Model model) const;
  Certificate certificate(const Eigen::VectorXd& r, Model model, Eigen::VectorXd& u) const;
  std::vector<Mode> modes(const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                          double tolerance) const;

 private:
  double rounding(const Eigen::VectorXd& r) const;
};

struct ConstraintWorkspace {
  ConstraintSystem system;
  std::vector<OneConstraint> one;
  ConstraintLU lu;
  Eigen::VectorXd r, best;  // the point reached, and that of the least error checked
  Errors errors, best_errors;
  bool cancelling = false;  // W r nearly cancels: velocities are to be summed with twice the digits

  const SolverOptions* options = nullptr;
  std::chrono::steady_clock::time_point begin;
  Deadline deadline;
  int iterations = 0;
  bool out_of_time = false, stopped = false;
  std::vector<Iteration>* history = nullptr;

  ConstraintWorkspace(const ConstraintProblem& problem, const SolverOptions& given,
                      const Eigen::VectorXd* guess);

  int count() const { return system.count(); }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  bool budget_spent() const {
    return (options->max_iterations > 0 && iterations >= options->max_iterations) ||
           deadline.passed();
  }
  bool solved() const { return best_errors.within(options->tolerance); }
  bool over() const { return solved() || out_of_time || stopped; }
  // The errors at `at`, projected; keeps the best point; whether the method is to end.
  bool check(Method method, const Eigen::VectorXd& at, double regularisation = 0);
  Eigen::VectorXd projected(const Eigen::VectorXd& x) const;
  // Another place to start from, the same for the same attempt: zero for 0, else random reactions.
  void restart(int attempt);
};

// Sweeps until solved, until Newton is cheaper (if `may_switch`), or `max_sweeps`.
void gauss_seidel(ConstraintWorkspace& work, bool may_switch, int max_sweeps);

// Proximal semismooth Newton, by the variants first … last − 1; gives up when none helps.
inline constexpr int constraint_variants = 6, convex_variant = 5;
void proximal_newton(ConstraintWorkspace& work, int first, int last, int patience = 0);

}  // namespace stiction
