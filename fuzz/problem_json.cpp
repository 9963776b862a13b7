// SPDX-License-Identifier: Apache-2.0
//
// Problems as JSON.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  try {
    fuzz::check({read_problem_json({data, size}), {}, {}, {}}, false);
  } catch (const InvalidInput& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos, "one line");
  }
  return 0;
}
