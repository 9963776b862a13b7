// SPDX-License-Identifier: Apache-2.0
//
// Problems of constraints of any kind as JSON: "constraints" in the order of the rows, with W and q
// or M, H, f and w.
#pragma once

#include <string>

#include "io/json.h"
#include "stiction/constraint_problem.h"

namespace stiction::io {

// Both throw InvalidInput and Stopped.
AnyConstraintProblem constraints_from_json(const Field& top, const Progress& progress);
std::string constraints_to_json(const AnyConstraintProblem& problem, const Progress& progress);

}  // namespace stiction::io
