// SPDX-License-Identifier: Apache-2.0
//
// Contact problems in global form, solved in the space of the bodies: an interior point, finished
// by the proximal Newton method, and a ladder between them.
//
//   until solved:  the interior point steps on to an error `near`
//                  the proximal method tries to finish from there, with a small budget
//                  if it does not:  near ← 0.03 error,  α ← 0.1 α
//   where the interior point stalls:  the proximal method alone, with large budgets, from several
//                  starts, with several factors: what is left is chaotic
//
// A guess is tried with the proximal method if it is close, else the interior point starts near it.
#pragma once

#include <chrono>

#include "contact/bodies/interior_point.h"
#include "contact/bodies/proximal_newton.h"
#include "stiction/solver.h"

namespace stiction::bodies {

class BodySolver {
 public:
  // With what the processor has, or with certain kernels.
  explicit BodySolver(const Kernels& kernels = bodies::kernels()) : kernels_(&kernels) {}

  // Which bodies touch; the products of blocks in a factorisation.  BodySystem takes the problem.
  double analyse(const GlobalProblem& problem);

  // `problem` is valid, and the one analysed last.  Nothing is allocated for a problem with the
  // same sizes and the same bodies in contact as the last one, but for a history and for restarts.
  // The status may be any; the reactions are the best found.
  void solve(const GlobalProblem& problem, const SolverOptions& options,
             const Eigen::VectorXd* guess, Solution& solution);

 private:
  bool climb(const Numbers* guess);
  bool try_guess(const Eigen::VectorXd& guess);
  bool restart();
  bool watch(const Errors& errors, const Numbers& reactions, const Numbers& scaled, int step,
             double alpha);
  bool run_interior(double near);
  bool run_proximal(ProximalSettings settings, const Numbers& from);
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  const Kernels* kernels_;
  LadderSettings settings_;
  BodySystem system_;
  InteriorPoint interior_;
  ProximalNewton proximal_;
  const SolverOptions* options_ = nullptr;
  Solution* solution_ = nullptr;
  std::chrono::steady_clock::time_point begin_;
  Numbers best_, best_scaled_, scaled_guess_, v_, u_;
  double best_error_ = 0;
  bool solved_ = false, out_of_time_ = false, stopped_ = false;
};

}  // namespace stiction::bodies
