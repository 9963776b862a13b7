// SPDX-License-Identifier: Apache-2.0
//
// Sliders on points: the dumbbell's closed form, facets, loads against differences of the power.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/slider.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

// F_x = ½(q_x − q_ω)/√(1 − 2 q_x q_ω) + ½(q_x + q_ω)/√(1 + 2 q_x q_ω) for a unit motion q.
TEST(PointSupports, DumbbellHasItsClosedForm) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 q = random.direction3();
    const double up = std::sqrt(1 - 2 * q[0] * q[2]), down = std::sqrt(1 + 2 * q[0] * q[2]);
    const double x_up = 0.5 * (q[0] - q[2]) / up, x_down = 0.5 * (q[0] + q[2]) / down;
    const Vec3 expected(x_up + x_down, 0.5 * q[1] / up + 0.5 * q[1] / down, x_down - x_up);
    const LoadSet set = load(dumbbell(), Motion::of(q));
    const double cancels = std::min({1.0, up * up, down * down});  // in the closed form's roots
    EXPECT_LE((set.load.vector() - expected).norm(), 4e-16 / cancels + 1e-15);
    EXPECT_NEAR(set.power, expected.dot(q), 1e-14);
    EXPECT_TRUE(set.unique);
  }
}

// The wheel slips along its roll but for 1.1e-16, two units of rounding of v_x and ω y, which
// cancel there: its force is any along the axle.
TEST(PointSupports, AWheelRollsWhereItsSlipIsSoToRoundingOfItsTerms) {
  const Slider slider({point({-1.11, -0.55}, 2.99, wheel(0.911, Direction::degrees(-90)))});
  const double omega = 0.7953857520902555, v = -0.55 * omega;
  for (const int steps : {-3, -1, 0, 1, 3}) {
    const LoadSet set = load(slider, {v + steps * 0x1p-54, 0.8514617017693835, omega});
    EXPECT_FALSE(set.unique) << steps;
    EXPECT_LE(set.load.vector().norm(), 1e-15) << steps;
  }
  EXPECT_TRUE(load(slider, {v * (1 + 1e-14), 0.8514617017693835, omega}).unique);
}

// Turning about the upper support: its friction is any force of the disc.
TEST(PointSupports, ARestingSupportGivesAnEllipticalFacet) {
  const LoadSet set = load(dumbbell(), {.vx = 1, .vy = 0, .omega = 1});
  EXPECT_FALSE(set.unique);
  ASSERT_EQ(set.terms.size(), 1U);
  EXPECT_EQ(set.terms[0].support, 0);
  EXPECT_EQ(set.terms[0].kind, FaceTerm::Kind::ellipse);
  EXPECT_EQ(set.terms[0].points[0], Vec3(0.5, 0, -0.5));
  EXPECT_EQ(set.terms[0].points[1], Vec3(0, 0.5, 0));
  EXPECT_EQ(set.load.vector(), Vec3(0.5, 0, 0.5));
  EXPECT_EQ(set.power, 1);
}

TEST(PointSupports, LoadIsTheGradientOfThePowerAndItsDerivativeTheSecond) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    std::vector<Support> supports;
    for (int k = 0; k < 4; ++k)
      supports.push_back(point(random.direction(), random.uniform(0.1, 2),
                               ellipse(random.uniform(0.2, 1), random.uniform(0.2, 1),
                                       Direction::degrees(random.uniform(0, 360)))));
    const Slider slider(supports);
    const Vec3 q = random.direction3();
    const PowerDerivatives at = power_derivatives(slider, Motion::of(q));
    EXPECT_LE((at.hessian * q).norm(), 1e-12 * at.hessian.norm());
    for (int c = 0; c < 3; ++c) {
      const Vec3 step = 1e-6 * Vec3::Unit(c);
      const PowerDerivatives up = power_derivatives(slider, Motion::of(q + step)),
                             down = power_derivatives(slider, Motion::of(q - step));
      const double size = 1 + at.hessian.norm();
      EXPECT_NEAR(at.load[c], (up.power - down.power) / 2e-6, 1e-8 * size * size);
      EXPECT_LE((at.hessian.col(c) - (up.load - down.load) / 2e-6).norm(),
                1e-6 * size * size * size);
    }
  }
}

// A batch gives the bits of single queries, supports at rest, huge and tiny motions included.
TEST(PointSupports, ABatchIsManyQueries) {
  Random random(3);
  std::vector<Support> supports;
  for (int k = 0; k < 7; ++k)
    supports.push_back(point(random.direction(), random.uniform(0.1, 2), disc(0.5)));
  supports.push_back(point({0.5, 0.25}, 1, disc(0.3)));
  supports.push_back(point({0, 1}, 1, wheel(0.3, 0.2)));
  supports.push_back(point({1, 0}, 1, ratchet(0.3, 0.7)));
  supports.push_back(disc_support({0.1, 0.1}, 0.4, 1, disc(0.2)));
  supports.push_back(ring({0.3, -0.2}, 0.7, 1, with_bearing(disc(0.4), 0.1, 0.1)));
  const Slider slider(supports);
  Rows3 motions(1001, 3), batch(1001, 3);
  for (Eigen::Index i = 0; i < motions.rows(); ++i)
    motions.row(i) = (random.decades(-2, 2) * random.direction3()).transpose();
  motions.row(7) << 0.25, -0.5, 1;  // about a support
  motions.row(8) << 0.25e-200, 1e-200, 2e-200;
  motions.row(9) << 1e200, -1e200, 1e199;
  motions.row(10) << 0, 0, 0;
  loads(slider, motions, batch);
  for (Eigen::Index i = 0; i < motions.rows(); ++i) {
    const Vec3 single = load(slider, Motion::of(motions.row(i).transpose())).load.vector();
    EXPECT_EQ(Vec3(batch.row(i).transpose()), single) << i;
  }
  Rows3 short_one(3, 3);
  EXPECT_THROW(loads(slider, motions, short_one), InvalidInput);
  for (const double wrong : {infinity, -infinity, std::nan("")}) {
    motions(200, 2) = wrong;
    EXPECT_THROW(loads(slider, motions, batch), InvalidInput);
  }
}

// Loads do not depend on the speed, to the last bit where that changes by a power of two: from the
// least number there is to slips that are beyond the largest.
TEST(PointSupports, AnySpeedHasTheSameLoad) {
  Random random(4);
  for (int kind = 0; kind < law_kinds; ++kind) {
    const LimitCurve curve = limit_curve(random.law(kind, -0.5, 0.5));
    const Slider slider{point(9 * random.direction(), 1, curve),
                        point(random.direction(), 2, disc(0.5)),
                        disc_support(3 * random.direction(), 0.4, 1, disc(0.2)),
                        polygon_support({{0, 0}, {5, 0}, {0, 4}}, {}, 1, curve)};
    for (const int exponent : {-1074, -1022, -700, -450, -400, 400, 450, 700, 1020}) {
      Rows3 fast(1, 3), batch(1, 3);
      Vec3 q;
      for (Eigen::Index c = 0; c < 3; ++c) {
        q[c] = random.integer(-15, 15);
        fast(0, c) = std::ldexp(q[c], exponent);
      }
      if (q.isZero(0)) continue;
      const LoadSet slow = load(slider, Motion::of(q));
      const LoadSet found = load(slider, Motion::of(fast.row(0).transpose()));
      loads(slider, fast, batch);
      EXPECT_EQ(found.load.vector(), slow.load.vector()) << kind << ' ' << exponent;
      EXPECT_EQ(Vec3(batch.row(0).transpose()), slow.load.vector()) << kind << ' ' << exponent;
      EXPECT_EQ(found.unique, slow.unique);
      EXPECT_EQ(found.power, std::ldexp(slow.power, exponent));
      const PowerDerivatives at = power_derivatives(slider, Motion::of(fast.row(0).transpose()));
      EXPECT_FALSE(at.hessian.hasNaN());
    }
  }
}

}  // namespace
}  // namespace stiction::testing
