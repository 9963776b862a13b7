// SPDX-License-Identifier: Apache-2.0
//
// The list of enumerate.h, apart from the solver: the solver itself asks for it where nothing else
// solves.
#pragma once

#include <functional>

#include "stiction/enumerate.h"

namespace stiction {

// Reactions that solve a problem, found from many starts.  It tells the share of the starts done,
// and ends where it is answered false.
using SolveFromStarts =
    std::function<std::vector<Eigen::VectorXd>(const ContactProblem&, const Progress&)>;

// As `enumerate`.  `from_starts` is asked where contacts on curved laws slip in a continuum of
// directions; without it, r = 0 alone is tried there.
Enumeration list_solutions(const ContactProblem& problem, double max_seconds,
                           const Progress& progress = {}, const SolveFromStarts& from_starts = {});

}  // namespace stiction
