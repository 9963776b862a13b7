// SPDX-License-Identifier: Apache-2.0
#include "contact/contact_law.h"

namespace stiction {

template <>
void ContactLaws<3>::assign(const std::vector<Law>& laws) {
  if (!made_from_.empty() && laws == made_from_) return;
  laws_.clear();
  cones_.clear();
  made_from_.clear();
  laws_.reserve(laws.size());
  const Law* last = nullptr;
  for (const Law& law : laws) {
    if (last != nullptr && law == *last) {
      laws_.push_back(laws_.back());
      continue;
    }
    last = &law;
    ContactLaw<3> kernel;
    if (law.curve == Law::Curve::disc) {
      kernel.mu = law.mu;
      const double length = std::sqrt(1 + law.mu * law.mu);
      kernel.cosine = 1 / length;
      kernel.sine = law.mu / length;
    } else {
      const LimitCurve curve = limit_curve(law);
      kernel.mu = curve.circumscribed_radius();
      cones_.push_back(std::make_unique<FrictionCone>(curve));
      kernel.other = cones_.back().get();
    }
    laws_.push_back(kernel);
  }
  if (!cones_.empty()) made_from_ = laws;
}

template <>
void ContactLaws<2>::assign(const std::vector<Law>& laws) {
  if (!made_from_.empty() && laws == made_from_) return;
  laws_.clear();
  made_from_.clear();
  bool curves = false;
  laws_.reserve(laws.size());
  const auto reach = [](const LimitCurve& curve, double sign) {
    const double gauge = curve.gauge({sign, 0});
    return gauge < infinity ? 1 / gauge : 0.0;
  };
  const Law* last = nullptr;
  for (const Law& law : laws) {
    if (last != nullptr && law == *last) {
      laws_.push_back(laws_.back());
      continue;
    }
    last = &law;
    if (law.curve == Law::Curve::disc) {
      laws_.push_back({-law.mu, law.mu});
    } else {
      curves = true;
      const LimitCurve curve = limit_curve(law);
      laws_.push_back({-reach(curve, -1), reach(curve, 1)});
    }
  }
  if (curves) made_from_ = laws;
}

}  // namespace stiction
