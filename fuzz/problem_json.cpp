// SPDX-License-Identifier: Apache-2.0
//
// Problems as JSON.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto file = fuzz::accepted([&] {
    return ProblemFile{read_problem_json({data, size}), {}, {}, {}};
  });
  if (file) fuzz::check(*file, false);
  return 0;
}
