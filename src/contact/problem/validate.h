// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stiction/contact_problem.h"

namespace stiction {

// What the solvers read without looking: sizes, the structure of W, finite numbers, and the
// coefficients of discs; any other law is checked where its curve is made.  One pass over the data;
// nothing is allocated unless it throws InvalidInput.  Whether the numbers are of usual size
// (units.h).
bool validate_numbers(const ContactProblem& problem);

// Throws InvalidInput where the vector's size is another, or a number is not finite.
void require_vector(const Eigen::VectorXd& vector, Eigen::Index size, const char* name);

}  // namespace stiction
