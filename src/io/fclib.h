// SPDX-License-Identifier: Apache-2.0
//
// FCLib's layout as arrays by their path, apart from HDF5.
#pragma once

#include "io/hdf5_file.h"
#include "stiction/problem_io.h"

namespace stiction {

// Throws InvalidInput, naming the path, where the arrays are not those of an FCLib file.
ProblemFile file_of(const io::Arrays& arrays);
io::Arrays arrays_of(const ProblemFile& file);

}  // namespace stiction
