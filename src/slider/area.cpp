// SPDX-License-Identifier: Apache-2.0
#include "slider/kernel.h"

namespace stiction {

PressureMoments pressure_moments(const Support& support) {
  return {.centre = support.at, .reach = support.at.norm()};
}

void add_area(const Support&, int, const Vec3&, bool, PowerDerivatives&, std::vector<FaceTerm>*) {}

}  // namespace stiction
