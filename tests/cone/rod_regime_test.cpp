// SPDX-License-Identifier: Apache-2.0
//
// Regimes of a sliding rod against what a rod does whose tip rests on a stiff spring with nearly
// Coulomb friction: it slides on, lifts off, or jams, as classified.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stiction/free_bodies.h"
#include "stiction/generalized_cone.h"

namespace stiction::testing {
namespace {

constexpr double gravity = standard_gravity;

// A rod of mass 1 and half length 1 in the plane; its tip is at (x, y) + (cos θ, −sin θ).  The tip
// sinks by d into a spring of stiffness k, friction is μkd·tanh(slip/v₀) with v₀ = 1e-3 m/s.
struct CompliantRod {
  double mu, stiffness;
  // y, θ and the rates of x, y, θ
  std::array<double, 5> state;

  double depth() const { return std::sin(state[1]) - state[0]; }
  double slip() const { return state[2] - std::sin(state[1]) * state[4]; }

  std::array<double, 5> rate(const std::array<double, 5>& z) const {
    const double c = std::cos(z[1]), s = std::sin(z[1]);
    const double sink = s - z[0], normal = sink > 0 ? stiffness * sink : 0;
    const double friction = -mu * normal * std::tanh((z[2] - s * z[4]) / 1e-3);
    // The moment of (friction, normal) at (c, −s), which turns θ the other way round.
    const double moment = c * normal + s * friction;
    return {z[3], z[4], friction, normal - gravity, -3 * moment};
  }
  void step(double dt) {
    const auto plus = [](const std::array<double, 5>& a, double h, const std::array<double, 5>& b) {
      std::array<double, 5> c{};
      for (std::size_t i = 0; i < 5; ++i) c[i] = a[i] + h * b[i];
      return c;
    };
    const auto k1 = rate(state), k2 = rate(plus(state, dt / 2, k1)),
               k3 = rate(plus(state, dt / 2, k2)), k4 = rate(plus(state, dt, k3));
    for (std::size_t i = 0; i < 5; ++i)
      state[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
};

// The tip at rest normally, slipping at `slip`, sunk by `depth`; the rod turns at `turning`.
CompliantRod start(double degrees, double mu, double stiffness, double slip, double turning,
                   double depth) {
  const double theta = degrees * std::numbers::pi / 180, c = std::cos(theta), s = std::sin(theta);
  return {mu, stiffness, {s - depth, theta, slip + s * turning, c * turning, turning}};
}

enum class Outcome { slides, lifts, jams };

struct Observed {
  Outcome outcome;
  double time;
};

// Jams: the slip stops long before its friction could have stopped it at the steady force.
Observed watch(CompliantRod& rod, double scale, double duration) {
  const double dt = 0.01 / std::sqrt(rod.stiffness);
  for (double t = 0; t < duration; t += dt) {
    rod.step(dt);
    if (rod.depth() < -scale) return {Outcome::lifts, t};
    if (std::abs(rod.slip()) < 0.02) return {Outcome::jams, t};
  }
  return {Outcome::slides, duration};
}

Observed watch(CompliantRod&& rod, double scale, double duration) {
  return watch(rod, scale, duration);
}

struct Case {
  double degrees, mu, slip, turning;
};

// Coefficients at which p is one of a few numbers down to 0.02/kg, on either side of zero, and
// others.  Nearer to zero the rod turns out of its regime before a contact of 1e13 N/m shows it.
std::vector<Case> cases_of(Regime wanted) {
  std::vector<Case> list;
  for (const double degrees : {30.0, 45.0, 60.0, 63.4, 70.0, 80.0, 110.0, 120.0}) {
    const Eigen::Matrix3d W = rod_delassus(degrees);
    std::vector<double> coefficients{0.2, 1.0, 1.7, 2.5};
    for (const double p : {0.02, 0.05, 0.2, -0.02, -0.05, -0.2})
      coefficients.push_back((W(2, 2) - p) / std::abs(W(0, 2)));
    for (const double mu : coefficients)
      for (const double slip : {2.0, -2.0})
        for (const double turning : {0.0, 2.0, 4.0, 6.0}) {
          const GeneralizedCone cone = generalized_cone(W, mu);
          const double b =
              normal_acceleration(rod(degrees * std::numbers::pi / 180), {0, turning, 0}, gravity);
          if (std::abs(b) < 1 || std::abs(normal_compliance(cone, {slip, 0}).least) < 0.0199)
            continue;
          if (regime(cone, {slip, 0}, b) == wanted) list.push_back({degrees, mu, slip, turning});
        }
  }
  return list;
}

double compliance(const Case& c) {
  return normal_compliance(generalized_cone(rod_delassus(c.degrees), c.mu), {c.slip, 0}).least;
}
double free_acceleration(const Case& c) {  // −g + ω² sin θ
  return -gravity + c.turning * c.turning * std::sin(c.degrees * std::numbers::pi / 180);
}
long near_zero(const std::vector<Case>& list) {
  return std::count_if(list.begin(), list.end(),
                       [](const Case& c) { return std::abs(compliance(c)) < 0.0201; });
}

constexpr double stiffness = 1e13;
// The contact's own time, in which a small penetration grows or swings.
double own_time(const Case& c) { return 1 / std::sqrt(stiffness * std::abs(compliance(c))); }

TEST(RodRegime, SlidesWithTheForceThatBalancesIt) {
  const auto list = cases_of(Regime::slide);
  ASSERT_GE(list.size(), 100U);
  ASSERT_GE(near_zero(list), 8);
  for (const Case& c : list) {
    const double force = -free_acceleration(c) / compliance(c), depth = force / stiffness;
    CompliantRod rod = start(c.degrees, c.mu, stiffness, c.slip, c.turning, depth);
    EXPECT_EQ(watch(rod, depth, 20 * own_time(c)).outcome, Outcome::slides)
        << c.degrees << ' ' << c.mu;
    EXPECT_NEAR(rod.depth() / depth, 1, 0.1) << c.degrees << ' ' << c.mu;
  }
}

TEST(RodRegime, LiftsOffWhereItSeparates) {
  const auto list = cases_of(Regime::separate);
  ASSERT_GE(list.size(), 50U);
  ASSERT_GE(near_zero(list), 4);
  for (const Case& c : list)
    for (const double depth : {0.0, 1e-13})
      EXPECT_EQ(
          watch(start(c.degrees, c.mu, stiffness, c.slip, c.turning, depth), 1e-10, 5e-5).outcome,
          Outcome::lifts)
          << c.degrees << ' ' << c.mu;
}

// However small its penetration, it grows like exp(√(k|p|) t) and stops the slip: sooner, the
// stiffer the contact.
TEST(RodRegime, JamsWhereItIsInconsistent) {
  const auto list = cases_of(Regime::inconsistent);
  ASSERT_GE(list.size(), 30U);
  ASSERT_GE(near_zero(list), 8);
  for (const Case& c : list) {
    const auto at = [&](double k) {
      return watch(start(c.degrees, c.mu, k, c.slip, c.turning, 0), 1e-3, 500 * own_time(c));
    };
    const Observed soft = at(stiffness / 100), stiff = at(stiffness);
    EXPECT_EQ(soft.outcome, Outcome::jams) << c.degrees << ' ' << c.mu;
    EXPECT_EQ(stiff.outcome, Outcome::jams) << c.degrees << ' ' << c.mu;
    EXPECT_LT(stiff.time, 0.2 * soft.time);
  }
}

// The steady penetration b/(k|p|) is unstable: below it the rod lifts off, above it jams.
TEST(RodRegime, DoesEitherWhereItIsIndeterminate) {
  const auto list = cases_of(Regime::indeterminate);
  ASSERT_GE(list.size(), 20U);
  ASSERT_GE(near_zero(list), 4);
  for (const Case& c : list) {
    const double depth = -free_acceleration(c) / compliance(c) / stiffness;
    const auto from = [&](double part) {
      return watch(start(c.degrees, c.mu, stiffness, c.slip, c.turning, part * depth), depth,
                   100 * own_time(c))
          .outcome;
    };
    EXPECT_EQ(from(0.0), Outcome::lifts) << c.degrees << ' ' << c.mu;
    EXPECT_EQ(from(0.9), Outcome::lifts) << c.degrees << ' ' << c.mu;
    EXPECT_EQ(from(1.1), Outcome::jams) << c.degrees << ' ' << c.mu;
    // And at it the rod slides on for a while.
    CompliantRod rod = start(c.degrees, c.mu, stiffness, c.slip, c.turning, depth);
    EXPECT_EQ(watch(rod, 0.5 * depth, 3 * own_time(c)).outcome, Outcome::slides);
  }
}

}  // namespace
}  // namespace stiction::testing
