// SPDX-License-Identifier: Apache-2.0
//
// How many cases a generator makes: few with the other tests, as many as STICTION_CASES says where
// it is set.
#pragma once

#include <cstdlib>

namespace stiction::testing {

inline int repeats(int usual) {
  const char* asked = std::getenv("STICTION_CASES");
  return asked != nullptr ? std::atoi(asked) : usual / STICTION_SLOWED;
}

}  // namespace stiction::testing
