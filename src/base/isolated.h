// SPDX-License-Identifier: Apache-2.0
//
// Work on input that cannot be trusted, by a library that was not made for it: in a process of its
// own, which may crash, loop or ask for the machine's whole memory without harm.
#pragma once

#include <functional>
#include <string>

#include "stiction/progress.h"

namespace stiction::io {

struct Limits {
  double cpu_seconds;
  std::size_t bytes;  // of memory beyond what this process has, and of the result
  bool opens_files = false;
};

// What `work` returns in a copy of this process that opens files only if it may.  Throws
// InvalidInput with the message of an InvalidInput that `work` throws, or with `failure` where it
// came to no end.  The progress is asked a few times a second; Stopped ends the copy.
std::string isolated(const Limits& limits, const std::string& failure,
                     const std::function<std::string()>& work, const Progress& progress = {});

}  // namespace stiction::io
