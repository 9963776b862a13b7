// SPDX-License-Identifier: Apache-2.0
//
// The maximum-power inequality tells normal laws from the others.
#include "stiction/slip_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random.h"

namespace stiction::testing {
namespace {

// The witness is checked here from the law alone: f and f* are its forces, and f* dissipates more.
void expect_witness(const SlipLaw& law, double at_least) {
  const PowerViolation w = worst_power_violation(law);
  EXPECT_GT(w.amount, at_least) << law.name;
  EXPECT_NEAR((w.force - law.force(w.slip)).norm(), 0, 1e-15) << law.name;
  EXPECT_NEAR((w.other_force - law.force(w.other_slip)).norm(), 0, 1e-15) << law.name;
  EXPECT_NEAR((w.force - w.other_force).dot(w.slip), -w.amount, 1e-15) << law.name;
  try {
    limit_curve(law);
    FAIL() << law.name << " was not refused";
  } catch (const InvalidInput& refusal) {
    const std::string message = refusal.what();
    EXPECT_NE(message.find(law.name), std::string::npos) << message;
    EXPECT_NE(message.find("is not normal"), std::string::npos) << message;
  }
}

TEST(SlipLaw, EveryLimitCurveObeysMaximumPower) {
  Random random(31);
  for (int i = 0; i < 4 * law_kinds; ++i) {
    const Law law = random.law(i);
    const SlipLaw slip = slip_law(limit_curve(law), to_text(law));
    EXPECT_LE(worst_power_violation(slip).amount, 1e-14 * slip.curve->circumscribed_radius())
        << slip.name;
    EXPECT_EQ(limit_curve(slip).area(), slip.curve->area());
  }
}

// Force parallel to slip: at angle θ the ellipse's radius is ρ(θ), while its support is h(θ).  The
// largest h − ρ over θ is the worst violation; for axes 0.5 and 0.2 a scan gives it independently.
// The same laws by their forces alone: there is no curve to give, but nothing is wrong with them.
TEST(SlipLaw, ForcesAloneGiveNoCurveButAreNotCalledWrong) {
  Random random(32);
  for (int i = 0; i < 20 * law_kinds; ++i) {
    const Law law = random.law(i);
    SlipLaw slip =
        slip_law(limit_curve(law).scaled(std::pow(10, random.uniform(-40, 40))), to_text(law));
    slip.curve.reset();
    try {
      limit_curve(slip);
      FAIL() << slip.name << " has no curve to give";
    } catch (const InvalidInput& refusal) {
      const std::string message = refusal.what();
      EXPECT_NE(message.find("is known by its forces alone"), std::string::npos) << message;
    }
  }
}

TEST(SlipLaw, NaiveAnisotropyIsShortByTheSupportLessTheRadius) {
  double worst = 0;
  for (double angle = 0; angle < 1.6; angle += 1e-5) {
    const double c = std::cos(angle), s = std::sin(angle);
    worst = std::max(worst, std::hypot(0.5 * c, 0.2 * s) - 1 / std::hypot(c / 0.5, s / 0.2));
  }
  const SlipLaw law = naive_anisotropy(0.5, 0.2);
  EXPECT_NEAR(worst_power_violation(law).amount, worst, 1e-9);
  expect_witness(law, 0.1);
  EXPECT_LE(worst_power_violation(naive_anisotropy(0.4, 0.4)).amount, 1e-15);
  EXPECT_EQ(limit_curve(naive_anisotropy(0.4, 0.4)).circumscribed_radius(), 0.4);
}

// Constant magnitude F at a fixed angle δ to the slip: the force along the slip is F cos δ, the
// best the law could do is F, so the violation is F (1 − cos δ) exactly.
TEST(SlipLaw, RelaxedCrookedCastorIsShortByOneMinusTheCosine) {
  const LimitCurve foot = ellipse(0.5, 0.25, Direction::degrees(30));
  const SlipLaw law = Castor{foot}.relaxed();
  const double magnitude = law.force({1, 0}).norm();
  const double crook = std::atan2(law.force({1, 0}).y(), law.force({1, 0}).x());
  EXPECT_NEAR(magnitude, 1 / foot.gauge({1, 0}), 1e-15);
  for (const double angle : {0.3, 2.0, -1.1}) {
    const Vec2 v(std::cos(angle), std::sin(angle)), f = law.force(v);
    EXPECT_NEAR(f.norm(), magnitude, 1e-15);
    EXPECT_NEAR(std::remainder(std::atan2(f.y(), f.x()) - angle - crook, 2 * std::numbers::pi), 0,
                1e-15);
  }
  EXPECT_NEAR(worst_power_violation(law).amount, magnitude * (1 - std::cos(crook)), 1e-9);
  expect_witness(law, 0.01);
}

TEST(SlipLaw, CastorWithAngleDependentFrictionIsNotNormal) {
  const auto strength = [](double angle) { return 1 + 0.4 * std::cos(angle); };
  expect_witness(Castor{disc(0.35), strength}.relaxed(), 0.01);
}

// Held for an instant, any castor is an ideal wheel that rolls across its arm; a normal law.
TEST(SlipLaw, CastorBeforeItRelaxesIsAWheelAcrossItsArm) {
  const Castor castor{ellipse(0.5, 0.25, Direction::degrees(30)),
                      [](double angle) { return 1 + 0.4 * std::cos(angle); }};
  for (const double arm : {0.0, 0.7, -2.0}) {
    const LimitCurve curve = castor.instantaneous(arm);
    EXPECT_EQ(curve.shape(), LimitCurve::Shape::segment);
    const Vec2 e(std::cos(arm), std::sin(arm)), across(-e.y(), e.x());
    EXPECT_NEAR(curve.support(across), 0, 1e-16);
    const double reach = (1 + 0.4 * std::cos(arm)) / castor.foot.gauge({1, 0});
    EXPECT_NEAR(curve.support(e), reach, 1e-15);
    EXPECT_LE(worst_power_violation(slip_law(curve, "castor")).amount, 1e-15);
  }
}

TEST(SlipLaw, PlainCastorRelaxesToCoulomb) {
  EXPECT_EQ(limit_curve(Castor{disc(0.35)}.relaxed()).circumscribed_radius(), 0.35);
  EXPECT_THROW(Castor{pyramid(0.3)}.relaxed(), InvalidInput);  // a corner ahead of the arm
  EXPECT_THROW(Castor{free_curve()}.relaxed(), InvalidInput);
}

// f = T v/‖v‖ fills the ellipse of T, yet the normal law on it is f = T²v/‖Tv‖: the shortfall is
// h(v) − v·Tv with h the ellipse's support ‖Tv‖, found here by a scan.
TEST(SlipLaw, OrthotropicTensorIsNotNormal) {
  double worst = 0;
  for (double angle = 0; angle < 1.6; angle += 1e-5) {
    const double c = std::cos(angle), s = std::sin(angle);
    worst = std::max(worst, std::hypot(0.5 * c, 0.2 * s) - (0.5 * c * c + 0.2 * s * s));
  }
  const SlipLaw law = orthotropic_tensor(Vec2(0.5, 0.2).asDiagonal());
  EXPECT_NEAR(worst_power_violation(law).amount, worst, 1e-9);
  expect_witness(law, 0.01);
  EXPECT_EQ(
      limit_curve(orthotropic_tensor(0.3 * Eigen::Matrix2d::Identity())).circumscribed_radius(),
      0.3);
}

// Straight up the wedge the force is tan(α + atan μ), along the ridge μ/cos α beside the climb.
TEST(SlipLaw, WedgeAsperities) {
  const double slope = 0.4, mu = 0.25;
  const SlipLaw law = wedge_asperities(slope, mu);
  EXPECT_NEAR(law.force({1, 0}).x(), std::tan(slope + std::atan(mu)), 1e-15);
  EXPECT_NEAR(law.force({-1, 0}).x(), -std::tan(slope + std::atan(mu)), 1e-15);
  EXPECT_NEAR(law.force({0, 1}).y(), mu / std::cos(slope), 1e-15);
  expect_witness(law, 1e-4);
  EXPECT_NEAR((wedge_asperities(0, mu).force({0.6, 0.8}) - Vec2(0.15, 0.2)).norm(), 0, 1e-16);
  EXPECT_EQ(limit_curve(wedge_asperities(0, mu)).circumscribed_radius(), mu);
  EXPECT_THROW(wedge_asperities(1.5, 0.25), InvalidInput);
  EXPECT_THROW(wedge_asperities(-0.1, 0.25), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
