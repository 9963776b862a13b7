// SPDX-License-Identifier: Apache-2.0
//
// Contact problems in files: FCLib's HDF5, Siconos's text, and JSON, told apart by the file's
// ending (.hdf5 or .h5, .dat, .json).  A file of any other content is refused with one line that
// names the file, the place and what was expected; memory stays in proportion to the file's size.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/constraint_problem.h"

namespace stiction {

enum class ProblemKind { local, global, rolling };

// A solution or a guess, as FCLib keeps it beside its problem: M v = Hᵀ r + Gᵀ λ + f, u = H v + w
// in global form, u = W r + V λ + q in local form.  A vector that is not known is empty.
struct StoredSolution {
  Eigen::VectorXd reactions;               // r: dimension numbers a contact                [N s]
  Eigen::VectorXd velocities;              // u: the same                                   [m/s]
  Eigen::VectorXd generalized_velocities;  // v: of global problems                         [m/s]
  Eigen::VectorXd bilateral_forces;        // λ: one a bilateral row                        [N s]
};

// What FCLib's `info` says of a problem.
struct ProblemInfo {
  std::optional<std::string> title, description, math_info;
  std::map<std::string, int> numbers;  // such as numberOfDegreeOfFreedom
};

// All that a file holds.  Solutions, guesses and the info are FCLib's; no other format has them.
struct ProblemFile {
  AnyProblem problem;
  std::optional<StoredSolution> solution;
  std::vector<StoredSolution> guesses;
  ProblemInfo info;
};

// `kind` is needed only where a .dat file can be read in two ways.  Throws InvalidInput, and
// Stopped, as all that follow.
AnyProblem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind = {},
                        const Progress& progress = {});
ProblemFile read_problem_file(const std::filesystem::path& path,
                              std::optional<ProblemKind> kind = {}, const Progress& progress = {});

// A file that may list constraints of any kind, as only JSON does; `read_problem` refuses those.
using AnyContent =
    std::variant<ContactProblem, GlobalProblem, ConstraintProblem, GlobalConstraintProblem>;
AnyContent read_content(const std::filesystem::path& path, std::optional<ProblemKind> kind = {},
                        const Progress& progress = {});
// Throws InvalidInput where the ending is not .json.
void write_constraints(const std::filesystem::path& path, const AnyConstraintProblem& problem,
                       const Progress& progress = {});

// Written to a file beside it and moved into place.  Throws InvalidInput where the format cannot
// hold the problem (FCLib and Siconos know only discs).
void write_problem(const std::filesystem::path& path, const AnyProblem& problem,
                   const Progress& progress = {});

// Returns what the format could not hold and was left out, in words: "its solution", "2 guesses".
std::vector<std::string> write_problem_file(const std::filesystem::path& path,
                                            const ProblemFile& file, const Progress& progress = {});

// Whether a path ends as FCLib's files do.
bool is_fclib(const std::filesystem::path& path);

// Where to start from: the solution unless its reactions are missing or all zero, which is how
// FCLib's files say that there is none yet, else the first guess.  Null where there is neither.
const StoredSolution* start_of(const ProblemFile& file);

// Throws InvalidInput, naming the field, where the problem is wrong or the size of a solution or a
// guess does not fit it.
void validate(const ProblemFile& file);

// The formats by themselves, on text in memory.
AnyProblem read_siconos_text(std::string_view text, std::optional<ProblemKind> kind = {},
                             const Progress& progress = {});
std::string write_siconos_text(const AnyProblem& problem, const Progress& progress = {});

}  // namespace stiction
