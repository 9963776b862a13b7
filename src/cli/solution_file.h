// SPDX-License-Identifier: Apache-2.0
//
// Solutions in files: the JSON that `solve --out` writes, and what FCLib keeps beside a problem.
#pragma once

#include "cli/contact.h"
#include "io/json.h"
#include "stiction/solver.h"

namespace stiction::cli {

// A row a contact.  Throws InvalidInput where there are more or fewer, or numbers are not finite.
Eigen::VectorXd read_rows(const io::Field& field, int dimension, int contacts);

// The solution of a file as JSON; of an FCLib file its reactions, laws and kind.
Json read_solution(const std::string& path);

// The reactions to start from: a solution, or an FCLib file's first guess.
Eigen::VectorXd read_guess(const std::string& path, int dimension, int contacts);

// Throws InvalidInput where FCLib cannot say which problem was solved: it knows discs, and exact
// friction.
void require_fclib_can_hold(const std::string& path, AnyProblem& problem, Model model);

// The problem with its solution, or, where it was not solved, with its best point as first guess.
void write_fclib_solution(const std::string& path, ProblemFile file, const Prepared& prepared,
                          const Solution& solution);

}  // namespace stiction::cli
