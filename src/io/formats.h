// SPDX-License-Identifier: Apache-2.0
//
// The formats on bytes in memory; problem_file.cpp chooses among them.
#pragma once

#include <string>
#include <string_view>

#include "stiction/problem_io.h"

namespace stiction {

// All of them throw Stopped.
AnyProblem read_problem_json(std::string_view text, const Progress& progress = {});
std::string write_problem_json(const AnyProblem& problem, const Progress& progress = {});

// Of a whole file, or of the problem in it alone: what stands beside it is then not looked at.
enum class Part { all, problem };
ProblemFile read_fclib(std::string_view bytes, Part part = Part::all,
                       const Progress& progress = {});
std::string write_fclib(const ProblemFile& file);

// The coefficients of discs; throws InvalidInput, naming the format, where a law is another one.
Eigen::VectorXd coefficients_of_discs(const std::vector<Law>& laws, const char* format);

}  // namespace stiction
