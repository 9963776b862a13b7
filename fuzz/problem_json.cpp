// SPDX-License-Identifier: Apache-2.0
//
// Problems as JSON; and what the quick reader reads is what the library reads.
#include "io/quick_json.h"
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  if (const auto quick = io::quick_json({data, size}, {.levels = 32, .keys = 1000}, {})) {
    const io::Json json = io::Json::parse(data, data + size);
    fuzz::require(*quick == json && quick->dump() == json.dump(), "the quick reader");
  }
  const auto file = fuzz::accepted([&] {
    return ProblemFile{read_problem_json({data, size}), {}, {}, {}};
  });
  if (file) fuzz::check(*file, false);
  return 0;
}
