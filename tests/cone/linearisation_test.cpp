// SPDX-License-Identifier: Apache-2.0
//
// The true errors of linearised cones, and what they do to a sliding block.
#include "stiction/linearisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/law.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

constexpr double pi = std::numbers::pi;

void expect_quality(const LimitCurve& curve, double mu, double inscribed, double circumscribed,
                    std::optional<double> under_at, std::optional<double> over_at) {
  const ConeQuality q = cone_quality(curve, mu);
  EXPECT_NEAR(q.inscribed, inscribed, 2e-15);
  EXPECT_NEAR(q.circumscribed, circumscribed, 2e-15);
  EXPECT_NEAR(q.under, std::max(0.0, 1 - inscribed), 2e-15);
  EXPECT_NEAR(q.over, std::max(0.0, circumscribed - 1), 2e-15);
  ASSERT_EQ(q.under_at_deg.has_value(), under_at.has_value());
  ASSERT_EQ(q.over_at_deg.has_value(), over_at.has_value());
  EXPECT_NEAR(q.under_at_deg.value_or(0), under_at.value_or(0), 1e-12);
  EXPECT_NEAR(q.over_at_deg.value_or(0), over_at.value_or(0), 1e-12);
}

TEST(ConeQuality, TableOfTheLinearisations) {
  const double root = std::numbers::sqrt2;
  for (const double mu : {1e-6, 0.3, 0.5, 1.0, 1e6}) {
    expect_quality(disc(mu), mu, 1, 1, {}, {});
    expect_quality(pyramid(mu), mu, 1 / root, 1, 45, {});
    expect_quality(box(mu), mu, 1, root, {}, 45);
    expect_quality(scaled_box(mu), mu, 1 / root, 1, 0, {});
  }
}

TEST(ConeQuality, NgonForEveryN) {
  for (int n = 3; n <= 200; ++n) {
    expect_quality(ngon(0.5, n), 0.5, std::cos(pi / n), 1, 0, {});
    expect_quality(ngon_out(0.5, n), 0.5, 1, 1 / std::cos(pi / n), {}, 180.0 / n);
    // Area of the inscribed polygon over that of the disc: N sin(2π/N) / 2π.
    EXPECT_NEAR(cone_quality(ngon(0.5, n), 0.5).area_ratio, n * std::sin(2 * pi / n) / (2 * pi),
                1e-14);
  }
}

// The octagon is 7.61 % short; two per cent needs sixteen sides, and fifteen are not enough.
TEST(ConeQuality, TwoPerCentNeedsSixteenSides) {
  EXPECT_NEAR(cone_quality(ngon(1, 8), 1).under, 0.0761204674887133, 1e-15);
  EXPECT_NEAR(cone_quality(ngon_out(1, 8), 1).over, 0.0823922002923940, 1e-15);
  EXPECT_GT(cone_quality(ngon(1, 15), 1).under, 0.02);
  EXPECT_LT(cone_quality(ngon(1, 16), 1).under, 0.02);
}

// Rows f·d_k ≤ μ/cos(π/N) make a polygon that is outside the disc everywhere: its apothem is 8 %
// too long for N = 8 and its vertices lie at μ/cos²(π/N).
TEST(ConeQuality, ApothemDividedByTheCosineIsNeitherPolygon) {
  const double c = std::cos(pi / 8);
  const ConeQuality q = cone_quality(ngon_out(1, 8).scaled(1 / c), 1);
  EXPECT_NEAR(q.inscribed, 1 / c, 1e-15);
  EXPECT_NEAR(q.circumscribed, 1 / (c * c), 1e-15);
}

// By brute force: the extremes of the radius over a fine grid of directions.
TEST(ConeQuality, AgreesWithASearchOverDirections) {
  Random random(71);
  for (int i = 0; i < 4 * law_kinds; ++i) {
    const Law law = random.law(i);
    const double mu = reference_coefficient(law);
    if (mu == 0) continue;
    const LimitCurve curve = limit_curve(law);
    const ConeQuality q = cone_quality(curve, mu);
    double least = infinity, most = 0;
    for (long k = 0; k < 20000; ++k) {
      const double radius = 1 / curve.gauge(Direction::turn(k, 20000).unit());
      least = std::min(least, radius / mu);
      most = std::max(most, radius / mu);
    }
    EXPECT_NEAR(q.inscribed, least, 2e-2 * least + 1e-15) << to_text(law);
    EXPECT_LE(q.inscribed, least * (1 + 1e-12)) << to_text(law);
    if (curve.area() > 0) {
      EXPECT_NEAR(q.circumscribed, most, 2e-2 * most) << to_text(law);
    }
    EXPECT_GE(q.circumscribed, most * (1 - 1e-12)) << to_text(law);
  }
}

// A curve without extent over a sector is worst from where that sector begins.
TEST(ConeQuality, WheelsAndRatchets) {
  expect_quality(wheel(0.8, Direction::degrees(90)), 0.8, 0, 1, 0, {});
  expect_quality(ratchet(0.8, Direction::degrees(0)), 0.8, 0, 1, 0, {});
  expect_quality(ratchet(0.8, Direction::degrees(180)), 0.8, 0, 1, 90, {});
  expect_quality(ratchet(0.8, Direction::degrees(270)), 0.8, 0, 1, 180, {});
  expect_quality(rusty_wheel(0.8, 0.2, Direction::degrees(30)), 0.8, 0.25, 1, 30, {});
  expect_quality(ellipse(0.3, 0.5), 0.5, 0.6, 1, 0, {});
  EXPECT_THROW(cone_quality(disc(0), 0), InvalidInput);
}

// The box dissipates |v1| + |v2| over ‖v‖ times the exact power: between 1 and √2, never negative.
TEST(SlipError, TheBoxAddsNoEnergy) {
  const LimitCurve c = box(0.5);
  for (long k = 0; k < 3600; ++k) {
    const Direction slip = Direction::turn(k, 3600);
    const SlipError e = slip_error(c, 0.5, slip);
    EXPECT_NEAR(e.power, std::abs(slip.unit().x()) + std::abs(slip.unit().y()), 1e-15);
    EXPECT_LE(std::abs(e.direction), pi / 4 + 1e-15);
  }
  EXPECT_NEAR(slip_error(c, 0.5, pi / 4).force, std::numbers::sqrt2, 1e-15);
  EXPECT_EQ(slip_error(c, 0.5, 0.0).direction, 0);  // the middle of the flat
}

// Under Coulomb's law the block goes straight and stops after v/(μg), v²/(2μg): implicit steps fall
// short of that distance by half a step's travel.
TEST(ThrownBlock, ExactLawStopsItOnAStraightLine) {
  const Vec2 v = 3 * Direction::degrees(25).unit();
  const int steps = 1000;
  const ThrownBlock t = throw_block(disc(0.5), 0.5, v, steps);
  const double time = 3 / (0.5 * 9.81), distance = 9 / (2 * 0.5 * 9.81);
  EXPECT_NEAR(t.time, time, 2 * time / steps);
  EXPECT_NEAR(t.path.back().norm(), distance * (1 - 1.0 / steps), 1e-12);
  EXPECT_NEAR(cross(t.path.back(), v), 0, 1e-12);
}

// The box brakes each axis on its own with μg: it stops x after v_x/(μg), y after v_y/(μg).
TEST(ThrownBlock, BoxBrakesEachAxisOnItsOwn) {
  const Vec2 v = 3 * Direction::degrees(25).unit();
  const ThrownBlock t = throw_block(box(0.5), 0.5, v, 20000);
  const double brake = 0.5 * 9.81;
  EXPECT_NEAR(t.path.back().x(), v.x() * v.x() / (2 * brake), 1e-4);
  EXPECT_NEAR(t.path.back().y(), v.y() * v.y() / (2 * brake), 1e-4);
}

TEST(ThrownBlock, NoLinearisationGainsEnergy) {
  for (const LimitCurve& curve : {disc(0.5), pyramid(0.5), box(0.5), scaled_box(0.5), ngon(0.5, 8)})
    EXPECT_GE(throw_block(curve, 0.5, {2, 1}, 1000).least_power, 0);
  EXPECT_THROW(throw_block(wheel(0.5, 0.0), 0.5, {1, 0}, 100), InvalidInput);  // it rolls for ever
}

}  // namespace
}  // namespace stiction::testing
