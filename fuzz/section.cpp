// SPDX-License-Identifier: Apache-2.0
//
// Sections as JSON: what is accepted is written and read back to the same text, and its forces do
// the work they dissipate.
#include <cmath>

#include "round_trip.h"
#include "stiction/section_io.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto section = fuzz::accepted([&] { return parse_section({data, size}, "section.json"); });
  if (!section) return 0;
  const std::string text = section_json(*section);
  fuzz::require(section_json(parse_section(text, "again")) == text, "JSON");
  if (size > 2000) return 0;
  for (int k = 0; k < section->dimension(); ++k) {
    UpTo6 v = UpTo6::Constant(section->dimension(), 0.25);
    v[k] = -1;
    const double power = section->support(v);
    const UpTo6 f = section->point(v);
    fuzz::require(std::isfinite(power) && power >= 0, "power ≥ 0");
    fuzz::require(f.allFinite(), "a force");
    const double terms = f.cwiseProduct(v).cwiseAbs().sum() + power;
    fuzz::require(std::abs(f.dot(v) - power) <= 1e-6 * terms + 1e-290, "f·v = h");
  }
  return 0;
}
