// SPDX-License-Identifier: Apache-2.0
//
// HDF5 as plain arrays by their path: the only place that knows HDF5's library.
//
// That library is not made for hostile files: on some it aborts, divides by zero or reads what is
// not its own (fuzz/corpus/fclib_hdf5/hdf5-*), and it follows references to other files.  So a file
// is read by a process of its own with little memory and time (isolated.h), which passes the arrays
// on; nothing that becomes of it can be more than a refusal here.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/progress.h"
#include "stiction/types.h"

namespace stiction::io {

// A group, or what a dataset or an attribute holds.
using Array = std::variant<std::monostate, std::vector<int>, std::vector<double>, std::string>;

// By path: "/fclib_local/W/m"; an attribute follows an @: "/fclib_local/info@ndof".
using Arrays = std::map<std::string, Array>;

enum class Want { group, integers, numbers, text, attributes };
struct Wanted {
  std::string path;
  Want want;
};

// Those of the wanted that are there; `next` is asked for more until it wants nothing, and sees
// what was found so far.  Throws InvalidInput where the bytes are no HDF5, are damaged or hold
// something else at a wanted path, and what `next` throws; and Stopped.
Arrays read_hdf5(std::string_view bytes,
                 const std::function<std::vector<Wanted>(const Arrays&)>& next,
                 const Progress& progress = {});
std::string write_hdf5(const Arrays& arrays);

// The arrays as one string of bytes, and back; throws InvalidInput where the bytes are cut.
std::string pack(const Arrays& arrays);
Arrays unpack(std::string_view bytes);

}  // namespace stiction::io
