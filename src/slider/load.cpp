// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "slider/supports/support_load.h"

namespace stiction {

namespace {

PowerDerivatives add_all(const Slider& slider, const Vec3& q, bool second,
                         std::vector<FaceTerm>* terms) {
  PowerDerivatives sum;
  const std::vector<Support>& supports = slider.supports();
  for (std::size_t i = 0; i < supports.size(); ++i) {
    if (supports[i].normal_force == 0) continue;  // no force to leave open either
    const auto add = supports[i].shape == Support::Shape::point ? add_point : add_area;
    add(supports[i], slider.given(i), q, second, sum, terms);
  }
  return sum;
}

Vec3 finite(const Motion& motion) {
  if (!motion.vector().allFinite()) throw InvalidInput("motion is not finite");
  return motion.vector();
}

}  // namespace

Rescaled rescaled(const Vec3& q, double reach) {
  if (q.isZero(0)) return {};
  const int turn = std::ilogb(q[2]) + std::max(0, std::ilogb(reach));
  const int size = std::max({std::ilogb(q[0]), std::ilogb(q[1]), turn});
  if (std::abs(size) <= 400) return {.q = q};
  return {.q = {std::ldexp(q[0], -size), std::ldexp(q[1], -size), std::ldexp(q[2], -size)},
          .exponent = size};
}

PowerDerivatives power_and_load(const Slider& slider, const Vec3& q) {
  PowerDerivatives sum;
  for (const Support& support : slider.supports()) {
    const double N = support.normal_force;
    if (N == 0) continue;
    if (support.shape == Support::Shape::point) {
      const PointForce answer = force_at(support.curve, rounded_slip_at(support.at, q));
      sum.power += N * answer.power;
      sum.load += N * load_of(support.at, answer.force);
    } else {
      add_area(support, 0, q, false, sum, nullptr);
    }
  }
  return sum;
}

LoadSet load(const Slider& slider, const Motion& motion) {
  const Vec3 q = finite(motion);
  LoadSet set;
  if (q.isZero(0)) {
    set.unique = false;
    return set;
  }
  const Rescaled motion_in_range = rescaled(q, slider.reach());
  const PowerDerivatives sum = add_all(slider, motion_in_range.q, false, &set.terms);
  set.load = Load::of(sum.load);
  set.power = std::ldexp(sum.power, motion_in_range.exponent);
  set.unique = set.terms.empty();
  return set;
}

PowerDerivatives power_derivatives(const Slider& slider, const Motion& motion) {
  const auto [q, exponent] = rescaled(finite(motion), slider.reach());
  PowerDerivatives sum = add_all(slider, q, true, nullptr);
  sum.power = std::ldexp(sum.power, exponent);
  for (double& entry : sum.hessian.reshaped()) entry = std::ldexp(entry, -exponent);
  return sum;
}

}  // namespace stiction
