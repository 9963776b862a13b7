// SPDX-License-Identifier: Apache-2.0
//
// Siconos's text, with and without being told its kind.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const std::string_view text(data, size);
  const auto attempt = [&](std::optional<ProblemKind> kind) {
    const auto problem = fuzz::accepted([&] { return read_siconos_text(text, kind); });
    if (problem) fuzz::check({*problem, {}, {}, {}}, false);
    return problem.has_value();
  };
  const bool untold = attempt({}), local = attempt(ProblemKind::local),
             global = attempt(ProblemKind::global);
  // Without the kind it is what it can be, and refused where it can be both.
  fuzz::require(untold == (local != global), "the kind");
  return 0;
}
