// SPDX-License-Identifier: Apache-2.0
//
// FCLib's layout: as the bytes of a file, and as arrays by their path, apart from HDF5.
#pragma once

#include "io/hdf5_file.h"
#include "stiction/problem_io.h"

namespace stiction {

// Throws InvalidInput, naming the path, where the arrays are not those of an FCLib file.
ProblemFile file_of(const io::Arrays& arrays);
io::Arrays arrays_of(const ProblemFile& file);

// A whole file, or the problem in it alone: what stands beside it is then not looked at.  Throw
// Stopped, and InvalidInput.
enum class Part { all, problem };
ProblemFile read_fclib(std::string_view bytes, Part part = Part::all,
                       const Progress& progress = {});
std::string write_fclib(const ProblemFile& file);

}  // namespace stiction
