// SPDX-License-Identifier: Apache-2.0
//
// Siconos's text, with and without being told its kind.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const std::string_view text(data, size);
  const auto attempt = [&](std::optional<ProblemKind> kind) -> std::optional<AnyProblem> {
    try {
      AnyProblem problem = read_siconos_text(text, kind);
      fuzz::check({problem, {}, {}, {}}, false);
      return problem;
    } catch (const InvalidInput& error) {
      fuzz::require(std::string(error.what()).find('\n') == std::string::npos, "one line");
      return std::nullopt;
    }
  };
  const auto untold = attempt({}), local = attempt(ProblemKind::local),
             global = attempt(ProblemKind::global);
  // Without the kind it is what it can be, and refused where it can be both.
  fuzz::require(untold.has_value() == (local.has_value() != global.has_value()), "the kind");
  return 0;
}
