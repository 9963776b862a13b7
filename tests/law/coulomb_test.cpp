// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law: the optimisation and the conditions (a), (b), (c) say the same, in both
// directions, the degenerate cases included.
#include "stiction/coulomb.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

bool optimal(const Vec2& v, const Vec2& F, double f_n, double mu, double lambda) {
  const OptimalityResidual r = optimality_residual(v, F, f_n, mu, lambda);
  const double force = F.norm() + mu * f_n, speed = v.norm() + lambda;
  return r.feasibility <= rounding * force && r.stationarity <= rounding * speed &&
         r.complementarity <= rounding * force * speed;
}

TEST(Coulomb, SlidingBlockIsBrakedWithAllItsFriction) {
  const LeastPower least = least_power({3, 4}, 10, 0.5);
  EXPECT_NEAR(least.force.x(), -3, 1e-15);
  EXPECT_NEAR(least.force.y(), -4, 1e-15);
  EXPECT_EQ(least.power, -25);
  EXPECT_EQ(least.multiplier, 5);
  EXPECT_TRUE(least.unique);
  EXPECT_TRUE(check_coulomb({3, 4}, least.force, 10, 0.5).ok());
}

TEST(Coulomb, SaysWhichConditionFailsAndByHowMuch) {
  const CoulombCheck a = check_coulomb({0, 0}, {6, 0}, 10, 0.5);
  EXPECT_FALSE(a.a);
  EXPECT_TRUE(a.b && a.c);
  EXPECT_EQ(a.residual.a, 1);
  EXPECT_NE(a.message.find("exceeds μ f_n by 1 N"), std::string::npos) << a.message;

  const CoulombCheck b = check_coulomb({2, 0}, {-3, 0}, 10, 0.5);  // slips with 2 N to spare
  EXPECT_FALSE(b.b);
  EXPECT_TRUE(b.a && b.c);
  EXPECT_EQ(b.residual.b, 4);

  const CoulombCheck c = check_coulomb({2, 0}, {0, 5}, 10, 0.5);  // friction across the slip
  EXPECT_FALSE(c.c);
  EXPECT_TRUE(c.a && c.b);
  EXPECT_EQ(c.residual.c, 10);
}

// v = 0: every admissible force obeys the law and is optimal, with λ = 0.
TEST(Coulomb, AtRestAnyAdmissibleForceWillDo) {
  EXPECT_FALSE(least_power({0, 0}, 10, 0.5).unique);
  for (const Vec2& F : {Vec2(0, 0), Vec2(3, 1), Vec2(0, -5)}) {
    EXPECT_TRUE(check_coulomb({0, 0}, F, 10, 0.5).ok());
    EXPECT_TRUE(optimal({0, 0}, F, 10, 0.5, 0));
  }
  EXPECT_FALSE(check_coulomb({0, 0}, {3, 4.1}, 10, 0.5).ok());
}

// f_n = 0: F = 0 alone is admissible, v is free, and any λ ≥ ‖v‖ is a multiplier.
TEST(Coulomb, WithoutNormalForceSlipIsFree) {
  const LeastPower least = least_power({3, 4}, 0, 0.5);
  EXPECT_TRUE(least.unique);
  EXPECT_EQ(least.force, Vec2(0, 0));
  EXPECT_TRUE(check_coulomb({3, 4}, {0, 0}, 0, 0.5).ok());
  EXPECT_TRUE(optimal({3, 4}, {0, 0}, 0, 0.5, 5));
  EXPECT_TRUE(optimal({3, 4}, {0, 0}, 0, 0.5, 50));
  EXPECT_FALSE(optimal({3, 4}, {0, 0}, 0, 0.5, 4.9));
  EXPECT_FALSE(check_coulomb({3, 4}, {1e-3, 0}, 0, 0.5).ok());
  EXPECT_TRUE(check_coulomb({3, 4}, {0, 0}, 7, 0).ok());  // μ = 0 is the same
}

// F = 0 with f_n > 0: the conditions hold only at rest, as λ μ f_n = 0 and ‖v‖ ≤ λ demand.
TEST(Coulomb, WithoutFrictionForceThereIsNoSlip) {
  EXPECT_TRUE(check_coulomb({0, 0}, {0, 0}, 10, 0.5).ok());
  const CoulombCheck moving = check_coulomb({1, 0}, {0, 0}, 10, 0.5);
  EXPECT_FALSE(moving.b);
  EXPECT_FALSE(optimal({1, 0}, {0, 0}, 10, 0.5, 1));  // complementarity fails
  EXPECT_FALSE(optimal({1, 0}, {0, 0}, 10, 0.5, 0));  // stationarity fails
}

// The optimum obeys (a), (b), (c); what obeys them is stationary with λ = ‖v‖ and attains the least
// power; what breaks one of them is not stationary for λ = ‖v‖.
TEST(CoulombProperty, OptimumAndConditionsAreEquivalent) {
  Random random(21);
  for (int i = 0; i < cases; ++i) {
    const double f_n = i % 10 == 0 ? 0 : random.decades(-3, 3);
    const double mu = i % 17 == 0 ? 0 : random.decades(-2, 2);
    const Vec2 v = i % 7 == 0 ? Vec2(0, 0) : Vec2(random.decades(-3, 3) * random.direction());
    const LeastPower least = least_power(v, f_n, mu);
    ASSERT_TRUE(check_coulomb(v, least.force, f_n, mu).ok());
    ASSERT_TRUE(optimal(v, least.force, f_n, mu, least.multiplier));

    // Any force at all: the checker and the optimisation agree about it.
    Vec2 F = mu * f_n * random.uniform(0, 1.3) * random.direction();
    if (i % 3 == 0) F = least.force;
    if (i % 5 == 0) F = F.norm() > 0 ? Vec2(mu * f_n * F.normalized()) : F;
    const bool obeys = check_coulomb(v, F, f_n, mu, 1e-13).ok();
    const double bound = mu * f_n;
    const bool attains =
        F.norm() <= bound * (1 + 1e-13) && F.dot(v) <= -bound * v.norm() * (1 - 1e-12);
    ASSERT_EQ(obeys, attains) << text(v) << text(F) << f_n << ' ' << mu;
    if (obeys) {
      const OptimalityResidual r = optimality_residual(v, F, f_n, mu, v.norm());
      ASSERT_LE(r.stationarity, 1e-6 * v.norm());  // (c) is quadratic in the angle
    }
  }
}

TEST(Coulomb, ResponseOfAnyCurveScalesWithTheNormalForce) {
  const Face flat = friction_response(box(0.5), {1, 0}, 4);
  EXPECT_EQ(flat.kind, Face::Kind::segment);
  EXPECT_EQ(flat.first, Vec2(2, -2));
  const Face none = friction_response(box(0.5), {0, 0}, 0);
  EXPECT_EQ(none.kind, Face::Kind::point);
  EXPECT_EQ(none.first, Vec2(0, 0));
}

TEST(Coulomb, RefusesWrongArguments) {
  EXPECT_THROW(coulomb_conditions({1, 0}, {0, 0}, -1, 0.5), InvalidInput);
  EXPECT_THROW(coulomb_conditions({1, 0}, {0, 0}, 1, -0.5), InvalidInput);
  EXPECT_THROW(coulomb_conditions({infinity, 0}, {0, 0}, 1, 0.5), InvalidInput);
  EXPECT_THROW(coulomb_conditions({1, 0}, {0, infinity}, 1, 0.5), InvalidInput);
  EXPECT_THROW(optimality_residual({1, 0}, {0, 0}, 1, 0.5, -1), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
