// SPDX-License-Identifier: Apache-2.0
//
// A grid whose cells are points is those points, and comes near the grid of squares as cells
// shrink.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/law.h"
#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Cells = Support::Cells;

Eigen::MatrixXd some_pressures(Random& random, int rows, int columns) {
  Eigen::MatrixXd p(rows, columns);
  for (double& x : p.reshaped()) x = random.uniform(0, 1) < 0.3 ? 0 : random.uniform(0, 2);
  p(0, 0) = 1;
  return p;
}

// The same cells written down one by one.
std::vector<Support> one_by_one(const Vec2& origin, double cell, const Eigen::MatrixXd& p,
                                const LimitCurve& curve) {
  std::vector<Support> points;
  for (int i = 0; i < p.rows(); ++i)
    for (int j = 0; j < p.cols(); ++j)
      if (p(i, j) > 0)
        points.push_back(
            point(origin + cell * Vec2(j + 0.5, i + 0.5), p(i, j) * cell * cell, curve));
  return points;
}

TEST(GridOfPoints, HasTheLoadsAndMotionsOfItsCellsWrittenOneByOne) {
  Random random(1);
  for (const char* law : {"disc:0.5", "ellipse:0.5,0.3,20", "rusty:0.5,0.2,30", "ratchet:0.5,10"}) {
    const LimitCurve curve = limit_curve(parse_law(law));
    const Eigen::MatrixXd p = some_pressures(random, 4, 6);
    const Vec2 origin(-0.3, 0.1);
    const Slider grids({grid(origin, 0.1, p, curve, Cells::points)});
    const Slider points(one_by_one(origin, 0.1, p, curve));
    for (int k = 0; k < 20; ++k) {
      const Motion q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-5, 5)};
      EXPECT_EQ(load(grids, q).load.vector(), load(points, q).load.vector()) << law;
      const Load P = load(points, q).load;
      EXPECT_EQ(motion(grids, P).motion.vector(), motion(points, P).motion.vector()) << law;
    }
  }
}

// About the centre of a cell that cell does not slip, and its whole curve is open: a term of the
// face, which belongs to the grid and not to the 5th of its cells.
TEST(GridOfPoints, NamesItselfInTheTermsOfAFace) {
  const Eigen::MatrixXd p = Eigen::MatrixXd::Ones(3, 3);
  const Slider slider({point({5, 5}, 1, disc(0.5)), grid({0, 0}, 1, p, disc(0.5), Cells::points),
                       point({7, 5}, 1, disc(0.5))});
  ASSERT_EQ(slider.supports().size(), 11U);
  const auto support_of = [&](const Vec2& c) {
    const LoadSet set = load(slider, {c.y(), -c.x(), 1});
    EXPECT_EQ(set.terms.size(), 1U);
    return set.terms.at(0).support;
  };
  EXPECT_EQ(support_of({5, 5}), 0);
  EXPECT_EQ(support_of({1.5, 1.5}), 1);
  EXPECT_EQ(support_of({2.5, 0.5}), 1);
  EXPECT_EQ(support_of({7, 5}), 2);
}

// The moment of turning a unit square about its middle is the mean distance from it, by Fubini
// (√2 + asinh 1)/6 = 0.38259785823210634.  The midpoint rule errs by c²/24 times the integral of
// the Laplacian, 1/r, over the square: 4 asinh 1.  So error/c² → asinh(1)/6 = 0.1469 N m per
// unit of pressure.
TEST(GridOfPoints, ErrsByTheSquareOfTheCell) {
  const double exact = (std::sqrt(2) + std::asinh(1)) / 6;
  double before = 0;
  for (const int n : {8, 16, 32, 64}) {
    const Slider slider(
        {grid({-0.5, -0.5}, 1.0 / n, Eigen::MatrixXd::Ones(n, n), disc(1), Cells::points)});
    const double error = load(slider, {0, 0, 1}).power - exact;
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.25) << n;
    }
    before = error;
  }
  EXPECT_LT(std::abs(before), 0.15 / 64 / 64);
}

TEST(GridOfPoints, LeavesOutCellsWithoutPressure) {
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(100, 100);
  p(3, 4) = 2;
  const Slider slider({grid({0, 0}, 1, p, disc(0.5), Cells::points)});
  ASSERT_EQ(slider.supports().size(), 1U);
  EXPECT_EQ(slider.supports()[0].at, Vec2(4.5, 3.5));
  EXPECT_EQ(slider.supports()[0].normal_force, 2);
}

std::string refusal(int side, const LimitCurve& curve) {
  try {
    grid({0, 0}, 1, Eigen::MatrixXd::Ones(side, side), curve, Cells::points);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GridOfPoints, RefusesMorePointsThanMemoryIsThereFor) {
  EXPECT_EQ(refusal(500, disc(0.5)), "accepted");
  EXPECT_EQ(refusal(501, disc(0.5)),
            "pressure has 251001 cells under pressure, expected at most 250000 as points under "
            "this law");
  EXPECT_EQ(refusal(100, ngon(0.5, 1000)),
            "pressure has 10000 cells under pressure, expected at most 4000 as points under this "
            "law");
}

}  // namespace
}  // namespace stiction::testing
