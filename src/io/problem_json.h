// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "stiction/problem_io.h"

namespace stiction {

// Both throw Stopped; reading throws InvalidInput.
AnyProblem read_problem_json(std::string_view text, const Progress& progress = {});
std::string write_problem_json(const AnyProblem& problem, const Progress& progress = {});

}  // namespace stiction
