// SPDX-License-Identifier: Apache-2.0
//
// Contact problems in files: FCLib's HDF5, Siconos's text, and JSON, told apart by the file's
// ending
// (.hdf5 or .h5, .dat, .json).  A file of any other content is refused with one line that names the
// file, the place and what was expected; memory stays in proportion to the file's size.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/contact_problem.h"

namespace stiction {

enum class ProblemKind { local, global, rolling };

// `kind` is needed only where a .dat file can be read in two ways.  Throws InvalidInput.
AnyProblem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind = {});

// Written to a file beside it and moved into place.  Throws InvalidInput where the format cannot
// hold the problem (FCLib and Siconos know only discs).
void write_problem(const std::filesystem::path& path, const AnyProblem& problem);

// The formats by themselves, on text in memory.
AnyProblem read_siconos_text(std::string_view text, std::optional<ProblemKind> kind = {});
std::string write_siconos_text(const AnyProblem& problem);

}  // namespace stiction
