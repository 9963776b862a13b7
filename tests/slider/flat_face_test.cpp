// SPDX-License-Identifier: Apache-2.0
//
// Faces of supports with an extent.  A face is what the loads of near motions tend to: its support
// function in a direction Q' is the derivative of the power towards Q'.
#include <gtest/gtest.h>

#include "stiction/slider.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// max over the face of P·d.
double support_of(const LoadSet& set, const Vec3& d) {
  double sum = set.load.vector().dot(d);
  for (const FaceTerm& term : set.terms) {
    if (term.kind == FaceTerm::Kind::ellipse) {
      sum += std::hypot(term.points[0].dot(d), term.points[1].dot(d));
    } else if (term.kind == FaceTerm::Kind::segment) {
      sum += std::abs(term.points[0].dot(d));
    } else {
      double best = -infinity;
      for (const Vec3& p : term.points) best = std::max(best, p.dot(d));
      sum += best;
    }
  }
  return sum;
}

// (H(Q + t d) − H(Q))/t for a small t; `slack` is what an inscribed polygon of 64 corners may lose.
void expect_face(const Slider& slider, const Vec3& q, double slack) {
  Random random(1);
  const LoadSet set = load(slider, Motion::of(q));
  ASSERT_FALSE(set.unique);
  ASSERT_FALSE(set.terms.empty());
  const double t = 1e-6;
  for (int i = 0; i < 50; ++i) {
    const Vec3 d = random.direction3();
    const double slope = (load(slider, Motion::of(q + t * d)).power - set.power) / t;
    const double of_face = support_of(set, d);
    EXPECT_LE(of_face, slope + 1e-9);
    EXPECT_GE(of_face, slope - slack - 3e-6);
  }
}

TEST(FlatFaces, TranslationNormalToAFlatHasAZonoid) {
  const LimitCurve c = box(0.5);
  Eigen::MatrixXd p(2, 3);
  p << 1, 2, 0, 0.5, 0.25, 3;
  for (const Support& support :
       {polygon_support({{-1, -0.5}, {1, -0.5}, {0.5, 0.5}, {-0.2, 0}, {-1, 0.8}}, {}, 1, c),
        disc_support({0.1, 0.2}, 0.8, 1, c),
        disc_support({0.1, 0.2}, 0.8, 1, c, Support::Pressure::hertz),
        disc_support({0.1, 0.2}, 0.8, 1, c, Support::Pressure::boussinesq),
        annulus({-0.1, 0.2}, 0.8, 0.3, 1, c), ring({0.3, -0.2}, 0.7, 1, c),
        segment({-0.4, 0.1}, {0.7, 0.3}, 1, c), grid({-0.5, -0.5}, 0.4, p, c)}) {
    const LoadSet set = load(Slider{support}, {0, -2, 0});
    ASSERT_EQ(set.terms.size(), 1U);
    EXPECT_EQ(set.terms[0].kind, FaceTerm::Kind::curve);
    // Its ends: the force ±½ along the flat everywhere.
    EXPECT_NEAR(std::abs(set.terms[0].points[0].x()), 0.5 * support.normal_force, 1e-14);
    expect_face(Slider{support}, {1, 0, 0}, 2e-3);
    expect_face(Slider{support}, {0, -2, 0}, 2e-3);
  }
}

TEST(FlatFaces, SegmentsAlongTheFlatHaveASegment) {
  // Slip along y, normal to the wheel's axle along x; every place has the same moment arm.
  const Slider slider{segment({-1, 0.5}, {2, 0.5}, 1, wheel(0.8, Direction::degrees(90)))};
  const LoadSet set = load(slider, {0, 1, 0});
  ASSERT_EQ(set.terms.size(), 1U);
  EXPECT_EQ(set.terms[0].kind, FaceTerm::Kind::segment);
  EXPECT_NEAR(std::abs(set.terms[0].points[0].x()), 0.8, 1e-15);
  EXPECT_NEAR(std::abs(set.terms[0].points[0].z()), 0.4, 1e-15);
  expect_face(slider, {0, 1, 0}, 0);
  // Turning about a place in line with it: still along y, on both sides.
  expect_face(slider, {0.5, -1, 1}, 0);
  expect_face(slider, {0.5, -3, 1}, 0);
  EXPECT_TRUE(load(slider, {0.6, -1, 1}).unique);
}

TEST(FlatFaces, TangentialRingsHaveADisc) {
  expect_face(Slider{ring({0.3, 0.1}, 2, 1.5, wheel(0.5, Direction::degrees(0)), true)},
              {0.1, -0.3, 1}, 0);
  expect_face(Slider{ring({0.3, 0.1}, 2, 1.5, box(0.5), true)}, {0.1, -0.3, 1}, 0);
  EXPECT_TRUE(load(Slider{ring({0.3, 0.1}, 2, 1.5, box(0.5), true)}, {1, 0, 0}).unique);
}

TEST(FlatFaces, AreasHaveNoneWhenTheyTurn) {
  for (const LimitCurve& c : {box(0.5), wheel(0.5, 0.0), ratchet(0.5, 0.0)}) {
    EXPECT_TRUE(load(Slider{disc_support({0, 0}, 1, 1, c)}, {0.5, 0, 1}).unique);
    EXPECT_TRUE(load(Slider{disc_support({0, 0}, 1, 1, c)}, {0, 0, 1}).unique);
  }
  EXPECT_TRUE(load(Slider{disc_support({0, 0}, 1, 1, disc(1))}, {1, 0, 0}).unique);
}

}  // namespace
}  // namespace stiction::testing
