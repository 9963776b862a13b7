// SPDX-License-Identifier: Apache-2.0
//
// Loads on grids of thousands of pressures, where Newton's method starts from a coarser grid: the
// answers are those of the grid itself, however little the coarse one is like it.
#include <gtest/gtest.h>

#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// Everywhere; on a cell of fifty; all but in one corner; on a strip that is almost a line.
Eigen::MatrixXd random_pressures(Random& random, int kind) {
  const Eigen::Index rows = kind == 3 ? 3 : 47, columns = kind == 3 ? 600 : 53;
  Eigen::MatrixXd pressures(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j) {
      pressures(i, j) = random.uniform(1, 2);
      if (kind == 1 && random.integer(0, 49) > 0) pressures(i, j) = 0;
      if (kind == 2) pressures(i, j) = std::exp(-0.3 * static_cast<double>(i + j));
    }
  return pressures;
}

TEST(MotionOfALoad, IsThatOfEveryCellOfALargeGrid) {
  Random random(15);
  for (int i = 0; i < 120; ++i) {
    const double cell = random.decades(-3, 3);
    const LimitCurve curve = i % 2 == 0 ? disc(0.5) : ellipse(0.5, 0.2, random.uniform(-3, 3));
    const Vec2 corner = 100 * cell * random.direction();
    const Slider slider{grid(corner, cell, random_pressures(random, i / 2 % 4), curve)};
    // At random, about a place beside or in the grid, a translation.
    Vec3 q = random.direction3();
    q[2] /= slider.length_scale();
    const Vec2 c = corner + cell * Vec2(random.uniform(-5, 60), random.uniform(-5, 60));
    if (i % 3 == 1) q = q[2] < 0 ? Vec3(-c.y(), c.x(), -1) : Vec3(c.y(), -c.x(), 1);
    if (i % 12 == 2) q[2] = 0;
    const double gauge = i % 5 == 0 ? 1 : random.decades(-2, 2);
    const LoadSet loads = load(slider, Motion::of(q));
    const Vec3 P = gauge * loads.load.vector();
    const MotionSet set = motion(slider, Load::of(P));
    ASSERT_TRUE(set.unique) << i;
    EXPECT_NEAR(set.gauge, gauge, 1e-12 * gauge) << i;
    // H(Q) = P·Q/gauge, with the power of another call, and the load back.
    const LoadSet back = load(slider, set.motion);
    EXPECT_LE(back.power - P.dot(set.motion.vector()) / gauge, 1e-12 * back.power) << i;
    const Vec3 units(1, 1, 1 / (100 * cell));
    EXPECT_LE((back.load.vector() - loads.load.vector()).cwiseProduct(units).norm(),
              1e-11 * loads.load.vector().cwiseProduct(units).norm())
        << i;
  }
}

}  // namespace
}  // namespace stiction::testing
