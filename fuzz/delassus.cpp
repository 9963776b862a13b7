// SPDX-License-Identifier: Apache-2.0
//
// Delassus matrices as JSON: what is accepted has a generalized cone whose numbers are numbers,
// under laws of every shape.
#include "stiction/delassus_io.h"

#include <cmath>

#include "round_trip.h"
#include "stiction/generalized_cone.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto W = fuzz::accepted([&] { return parse_delassus({data, size}, "W.json"); });
  if (!W) return 0;
  for (const LimitCurve& curve :
       {disc(0.5), disc(0), ellipse(2, 0.3, 0.4), wheel(0.8, 0.3), ratchet(3, 1.0), ngon(0.5, 5)}) {
    const auto cone = fuzz::accepted([&] { return generalized_cone(*W, curve); });
    if (!cone) return 0;
    fuzz::require(std::isfinite(cone->mu_crit) && cone->mu_crit >= 0, "μ_crit");
    fuzz::require(cone->mu_jam > 0, "μ_jam");
    fuzz::require(!std::isnan(cone->holding_gauge) && !std::isnan(cone->jam_ratio), "ratios");
    if (cone->jam) {
      fuzz::require(cone->jam->half_width >= 0 && cone->jam->half_width < 3.15, "half width");
      fuzz::require(std::abs(cone->jam->direction.norm() - 1) < 1e-12, "a direction");
    }
    fuzz::require(!to_text(regime(*cone, {1, 0.5}, -1)).empty(), "a regime");
    for (const Vec3& x : {Vec3(0, 0, 1), Vec3(1, -2, -0.5)})
      fuzz::require(nearest(*cone, x).allFinite(), "a nearest point");
  }
  return 0;
}
