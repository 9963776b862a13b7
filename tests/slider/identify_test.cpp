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
      if (x[j] > 0) {
        EXPECT_NEAR(slope[j], 0, 1e-9);
      }
    }
  }
}

// A wheel across its radius r has a segment of loads along (t, r); spread evenly over all
// directions such segments sum to a ball, whose surface is P ∝ Q.  So more wheels come nearer to
// it.
TEST(Identify, WheelsMakeASphericalSurface) {
  Random random(3);
  std::vector<MeasuredPush> pushes;
  for (int k = 0; k < 300; ++k) {
    const Vec3 q = random.direction3();
    pushes.push_back({Load::of(q), Motion::of(q)});
  }
  double before = infinity;
  for (const int n : {2, 4, 8}) {
    std::vector<Support> wheels;
    for (int ring = 0; ring < n; ++ring)
      for (int k = 0; k < 4 * n; ++k) {
        const Direction out = Direction::turn(k, 4 * n);
        const double radius = std::tan((ring + 0.5) / n * 1.5707963267948966);
        wheels.push_back(point(radius * out.unit(), 1, wheel(1, out)));
      }
    const Identified found = identify(wheels, pushes, 1);
    EXPECT_GE(found.strengths.minCoeff(), 0);
    EXPECT_LT(found.misfit, 0.6 * before) << n;
    before = found.misfit;
  }
  EXPECT_LT(before, 0.03);
}

}  // namespace
}  // namespace stiction::testing
