// SPDX-License-Identifier: Apache-2.0
#include "contact/one/contact_law.h"

namespace stiction {

namespace {

// make(law) for every law, once for a run of equal ones.
template <class Kernel, class Make>
void make_all(const std::vector<Law>& laws, std::vector<Kernel>& made, const Make& make) {
  made.clear();
  made.reserve(laws.size());
  const Law* last = nullptr;
  for (const Law& law : laws) {
    made.push_back(last != nullptr && law == *last ? made.back() : make(law));
    last = &law;
  }
}

}  // namespace

template <>
void ContactLaws<3>::assign(const std::vector<Law>& laws) {
  if (!made_from_.empty() && laws == made_from_) return;
  cones_.clear();
  made_from_.clear();
  make_all(laws, laws_, [&](const Law& law) {
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
    return kernel;
  });
  if (!cones_.empty()) made_from_ = laws;
}

template <>
void ContactLaws<2>::assign(const std::vector<Law>& laws) {
  if (!made_from_.empty() && laws == made_from_) return;
  made_from_.clear();
  bool curves = false;
  const auto reach = [](const LimitCurve& curve, double sign) {
    const double gauge = curve.gauge({sign, 0});
    return gauge < infinity ? 1 / gauge : 0.0;
  };
  make_all(laws, laws_, [&](const Law& law) {
    if (law.curve == Law::Curve::disc) return ContactLaw<2>{-law.mu, law.mu};
    curves = true;
    const LimitCurve curve = limit_curve(law);
    return ContactLaw<2>{-reach(curve, -1), reach(curve, 1)};
  });
  if (curves) made_from_ = laws;
}

}  // namespace stiction
