// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "io/json.h"

namespace stiction::io {

// What plain JSON holds, several times faster than by the library: files of problems are millions
// of numbers.  Nothing where the text is wrong, deeper or wider than `Depth` allows, or holds
// something rare, such as escapes in texts: the library then reads it, or says what is wrong.
// Throws Stopped.
struct Depth {
  std::size_t levels, keys;
};
std::optional<Json> quick_json(std::string_view text, Depth most, const Progress& progress);

}  // namespace stiction::io
