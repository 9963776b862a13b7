// SPDX-License-Identifier: Apache-2.0
//
// The contact commands on problems that list constraints of any kind.
#pragma once

#include "cli/contact.h"
#include "io/json.h"
#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace stiction::cli {

// What a file holds, one or the other.
std::optional<AnyConstraintProblem> constraints_in(const AnyContent& content);
AnyProblem contacts_in(AnyContent content);

struct ConstraintCall {
  std::string problem, guess, out, model;
  bool verbose = false;
  SolverOptions options;
  double repeat = 1;
};
void solve_constraints(const Shared& shared, const AnyConstraintProblem& problem,
                       const ConstraintCall& call);
// `top` is the solution read from the file `path`.
void check_constraints(const Shared& shared, const AnyConstraintProblem& problem,
                       const std::string& path, const io::Field& top, Model model,
                       double tolerance);

// The table of --verbose.
void show_iteration_heading();
void show_iteration(const Iteration& line);

}  // namespace stiction::cli
