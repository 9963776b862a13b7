// SPDX-License-Identifier: Apache-2.0
//
// Identification: strengths that were put in come out; a spherical surface from wheels.
#include "stiction/slider_identify.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

TEST(Identify, FindsTheStrengthsThatMadeTheLoads) {
  Random random(1);
  std::vector<Support> candidates, real;
  const Eigen::VectorXd strengths = (Eigen::VectorXd(6) << 1, 0, 2.5, 0, 0.3, 0).finished();
  for (int k = 0; k < 6; ++k) {
    candidates.push_back(point(random.direction() * random.uniform(0.2, 1), 1, disc(0.4)));
    real.push_back(candidates.back());
    real.back().normal_force = strengths[k];
  }
  const Slider slider(real);
  std::vector<MeasuredPush> pushes;
  for (int k = 0; k < 30; ++k) {
    const Motion q = Motion::of(random.direction3());
    pushes.push_back({load(slider, q).load, q});
  }
  const Identified found = identify(candidates, pushes, slider.length_scale());
  EXPECT_LE((found.strengths - strengths).norm(), 1e-12);
  EXPECT_LE(found.misfit, 1e-13);
}

// x ≥ 0, no slope upwards where x > 0, none downhill where x = 0: the conditions of the minimum.
TEST(Identify, NonNegativeLeastSquaresMeetsItsConditions) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const int rows = random.integer(3, 20), columns = random.integer(1, 15);
    Eigen::MatrixXd a(rows, columns);
    Eigen::VectorXd b(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      b[i] = random.uniform(-1, 1);
      for (Eigen::Index j = 0; j < columns; ++j) a(i, j) = random.uniform(-1, 1);
    }
    const Eigen::VectorXd x = non_negative_least_squares(a, b);
    const Eigen::VectorXd slope = a.transpose() * (b - a * x);
    for (Eigen::Index j = 0; j < columns; ++j) {
      EXPECT_GE(x[j], 0);
      EXPECT_LE(slope[j], 1e-9);
      if (x[j] > 0) EXPECT_NEAR(slope[j], 0, 1e-9);
    }
  }
}

// Wheels tangential and radial around a ring come near a surface P ∝ Q, a sphere; points alone,
// with a flat facet each, do worse.
TEST(Identify, WheelsMakeASphericalSurface) {
  Random random(3);
  std::vector<MeasuredPush> pushes;
  for (int k = 0; k < 300; ++k) {
    const Vec3 q = random.direction3();
    pushes.push_back({Load::of(q), Motion::of(q)});
  }
  std::vector<Support> wheels, points;
  for (const double radius : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0})
    for (int k = 0; k < 16; ++k) {
      const Vec2 at = radius * Direction::turn(k, 16).unit();
      points.push_back(point(at, 1, disc(1)));
      for (int turn = 0; turn < 4; ++turn)
        wheels.push_back(point(at, 1, wheel(1, Direction::turn(2 * k + 4 * turn, 32))));
    }
  const Identified by_wheels = identify(wheels, pushes, 1), by_points = identify(points, pushes, 1);
  EXPECT_LT(by_wheels.misfit, 0.1);
  EXPECT_GE(by_wheels.strengths.minCoeff(), 0);
  EXPECT_LT(by_wheels.misfit, by_points.misfit);
}

}  // namespace
}  // namespace stiction::testing
