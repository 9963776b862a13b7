// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "stiction/problem_io.h"

namespace stiction {

// Both throw Stopped; reading throws InvalidInput.
AnyContent read_content_json(std::string_view text, const Progress& progress = {});
AnyProblem read_problem_json(std::string_view text, const Progress& progress = {});  // no list
std::string write_problem_json(const AnyProblem& problem, const Progress& progress = {});

}  // namespace stiction
