// SPDX-License-Identifier: Apache-2.0
//
// Laws as texts: what is accepted is a curve, and its text and its JSON read back to the same law.
#include <cmath>

#include "io/json.h"
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto read = fuzz::accepted([&] { return parse_law({data, size}); });
  if (!read) return 0;
  const Law& law = *read;
  fuzz::require(parse_law(to_text(law)) == law, "the text");
  const io::Json json = io::parse_json(io::to_json(law).dump());
  fuzz::require(io::law_from_json(io::Field(json, "law")) == law, "JSON");
  if (law.sides > 1000) return 0;
  const LimitCurve curve = limit_curve(law);
  for (const Vec2& slip : {Vec2(1, 0), Vec2(-0.6, 0.8), Vec2(0, -1)}) {
    const double power = curve.support(slip);
    fuzz::require(std::isfinite(power) && power >= 0, "power ≥ 0");
    fuzz::require(curve.face(slip).first.allFinite(), "a force");
  }
  return 0;
}
