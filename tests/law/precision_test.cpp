// SPDX-License-Identifier: Apache-2.0
//
// Every query of a limit curve against fifty digits: right to 1e-14 of the input's norm, for inputs
// from 1e-150 to 1e150 and coefficients from 0 to 1e6.
#include <gtest/gtest.h>

#include "support/oracle.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

constexpr double tolerance = 1e-14;

double norm(const P2& p) { return static_cast<double>(Real(sqrt(dot(p, p)))); }

// A vector whose size is near the curve's, or anywhere in the range.
Vec2 sample(Random& random, double mu, int i) {
  const double size = i % 2 == 0 ? mu * random.decades(-0.5, 1) : random.decades(-150, 150);
  return size * random.direction();
}

TEST(LimitCurvePrecision, SupportIsRightToTheInputsNorm) {
  Random random(1);
  for (int i = 0; i < 13000; ++i) {
    const Law law = random.law(i, -6, 6);
    const LimitCurve curve = limit_curve(law);
    const Oracle oracle(law);
    const Vec2 v = random.decades(-150, 150) * random.direction();
    const Real error = abs(oracle.support(exact(v)) - Real(curve.support(v)));
    ASSERT_LE(static_cast<double>(error), tolerance * curve.circumscribed_radius() * v.norm())
        << to_text(law) << " slip " << text(v);
  }
}

TEST(LimitCurvePrecision, ProjectionIsRightToTheInputsNorm) {
  Random random(2);
  for (int i = 0; i < 6500; ++i) {
    const Law law = random.law(i, -6, 6);
    const Vec2 f = sample(random, law.mu, i / 13);
    const P2 error = Oracle(law).project(exact(f)) - exact(limit_curve(law).project(f));
    ASSERT_LE(norm(error), tolerance * f.norm()) << to_text(law) << " force " << text(f);
  }
}

// Where the gauge is finite for every force: the origin is inside the curve.
TEST(LimitCurvePrecision, GaugeIsRightToItself) {
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 13000; ++i) {
    const Law law = random.law(i, -6, 6);
    const LimitCurve curve = limit_curve(law);
    if (curve.inscribed_radius() <= 0) continue;
    const Vec2 f = sample(random, law.mu, i / 13);
    const Real exact_gauge = Oracle(law).gauge(exact(f));
    const Real error = abs(exact_gauge - Real(curve.gauge(f)));
    // The offset of a polygon's side is as exact as its vertices: relative to the side's size.
    const double condition = curve.circumscribed_radius() / curve.inscribed_radius();
    ASSERT_LE(static_cast<double>(error), tolerance * condition * static_cast<double>(exact_gauge))
        << to_text(law) << " force " << text(f);
    ++compared;
  }
  EXPECT_GT(compared, 8000);
}

TEST(LimitCurvePrecision, FaceAttainsTheExactSupport) {
  Random random(4);
  for (int i = 0; i < 6500; ++i) {
    const Law law = random.law(i, -6, 6);
    const LimitCurve curve = limit_curve(law);
    const Vec2 v = random.direction();
    const Face face = curve.face(v);
    const Real h = Oracle(law).support(exact(v));
    for (const Vec2& f : {face.first, face.last}) {
      const Real gap = abs(h - dot(exact(f), exact(v)));
      ASSERT_LE(static_cast<double>(gap), tolerance * curve.circumscribed_radius()) << to_text(law);
    }
  }
}

// No NaN from finite input, ever: the ends of the range of double included.
TEST(LimitCurvePrecision, ExtremeInputGivesNoNaN) {
  Random random(5);
  const std::vector<double> extremes{0.0,   5e-324, 1e-310, 2.3e-308, 1e-200,
                                     1e-20, 1,      1e20,   1e200,    1.7e308};
  for (int i = 0; i < 13 * 40; ++i) {
    const Law law = random.law(i, i % 3 == 0 ? -98 : -6, i % 3 == 1 ? 98 : 6);
    const LimitCurve curve = limit_curve(law);
    for (const double x : extremes)
      for (const double y : extremes)
        for (const Vec2& v : {Vec2(x, y), Vec2(-x, y), Vec2(x, -y)}) {
          const Face face = curve.face(v);
          ASSERT_FALSE(std::isnan(curve.support(v))) << to_text(law) << text(v);
          ASSERT_FALSE(std::isnan(curve.gauge(v))) << to_text(law) << text(v);
          ASSERT_TRUE(face.first.allFinite() && face.last.allFinite()) << to_text(law) << text(v);
          ASSERT_TRUE(curve.project(v).allFinite()) << to_text(law) << text(v);
          const auto normals = curve.normals(v);
          ASSERT_TRUE(!normals || (normals->first.allFinite() && normals->last.allFinite()))
              << to_text(law) << text(v);
        }
  }
}

}  // namespace
}  // namespace stiction::testing
