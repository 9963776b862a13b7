// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the cone over every curve against fifty digits: right to 1e-14 of the input's
// norm for inputs from 1e-150 to 1e150 and coefficients from 0 to 1e6.
#include <gtest/gtest.h>

#include "stiction/friction_cone.h"
#include "support/oracle.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

double distance(const P3& a, const Vec3& b) {
  const P3 c = exact(b);
  const Real d =
      (a.n - c.n) * (a.n - c.n) + (a.t1 - c.t1) * (a.t1 - c.t1) + (a.t2 - c.t2) * (a.t2 - c.t2);
  return static_cast<double>(Real(sqrt(d)));
}

// Directions near the cone's and its polar's boundary are as likely as any other.
Vec3 sample(Random& random, double mu, int i) {
  const double size = i % 2 == 0 ? random.decades(-2, 2) : random.decades(-150, 150);
  Vec3 x = random.direction3();
  if (i % 4 >= 2 && mu > 0) {
    const double slope = i % 8 >= 4 ? mu : -1 / mu;
    const Vec2 t = random.direction() * (1 + random.decades(-16, 0));
    x = Vec3(1, slope * t.x(), slope * t.y()).normalized() * (slope > 0 ? 1 : -1);
  }
  return size * x;
}

TEST(FrictionConePrecision, ProjectionIsRightToTheInputsNorm) {
  Random random(61);
  for (int i = 0; i < 13000; ++i) {
    Law law = random.law(i, -6, 6);
    if (i % 29 == 0 && law.curve == Law::Curve::disc) law.mu = 0;
    const Vec3 x = sample(random, law.mu, i / 13);
    if (law.mu == 0)
      law.curve = Law::Curve::free;  // the same curve, which the oracle can divide by
    const Vec3 p = FrictionCone(limit_curve(law)).project(x);
    ASSERT_LE(distance(Oracle(law).project_on_cone(exact(x)), p), 1e-14 * x.norm())
        << to_text(law) << " point " << text(x[0]) << ' ' << text(x[1]) << ' ' << text(x[2]);
  }
}

TEST(FrictionConePrecision, ExtremeInputGivesNoNaN) {
  Random random(62);
  const std::vector<double> extremes{0.0, 5e-324, 1e-310, 1e-200, 1, 1e200, 1.7e308};
  for (int i = 0; i < 13 * 12; ++i) {
    const Law law = random.law(i, i % 3 == 0 ? -98 : -6, i % 3 == 1 ? 98 : 6);
    const FrictionCone k(limit_curve(law));
    for (const double a : extremes)
      for (const double b : extremes)
        for (const double c : extremes)
          for (const double sign : {-1.0, 1.0}) {
            const Vec3 x(sign * a, b, -c);
            ASSERT_FALSE(k.project(x).hasNaN()) << to_text(law) << x.transpose();
            ASSERT_FALSE(k.project_dual(x).hasNaN()) << to_text(law) << x.transpose();
            ASSERT_FALSE(std::isnan(k.distance(x))) << to_text(law) << x.transpose();
          }
  }
}

}  // namespace
}  // namespace stiction::testing
