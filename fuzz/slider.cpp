// SPDX-License-Identifier: Apache-2.0
//
// Sliders as JSON: what is accepted is written and read back to the same file, and answers motions
// with loads that do the work they dissipate.
#include "stiction/slider_io.h"

#include <cmath>

#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto file = fuzz::accepted([&] { return parse_slider_file({data, size}, "slider.json"); });
  if (!file) return 0;
  const std::string text = slider_json(*file);
  fuzz::require(slider_json(parse_slider_file(text, "again")) == text, "JSON");
  // A few supports are enough, and take a time in proportion to the input.
  std::size_t parts = 0;
  for (const Support& s : file->supports)
    parts += 1 + s.tiles.size() + static_cast<std::size_t>(s.pressures.size()) +
             s.curve.pieces().size() / 4;
  if (parts > 30) return 0;
  const Slider slider = file->slider();
  const double length = slider.length_scale();
  fuzz::require(std::isfinite(length) && length > 0, "a length");
  fuzz::require(slider.centre_of_pressure().allFinite(), "a centre of pressure");
  for (const Vec3& q : {Vec3(1, 0, 0), Vec3(-0.6, 0.8, 0.5 / length), Vec3(0, 0, -1 / length)}) {
    const LoadSet set = load(slider, Motion::of(q));
    fuzz::require(std::isfinite(set.power) && set.power >= 0, "power ≥ 0");
    const Vec3 P = set.load.vector();
    fuzz::require(P.allFinite(), "a load");
    const double terms = P.cwiseProduct(q).cwiseAbs().sum() + set.power;
    fuzz::require(std::abs(P.dot(q) - set.power) <= 1e-6 * terms + 1e-290, "P·Q = H");
  }
  return 0;
}
