// SPDX-License-Identifier: Apache-2.0
//
// Loads on grids of thousands of pressures, where Newton's method starts from a coarser grid: the
// answers are those of the grid itself, however little the coarse one is like it.
#include "slider/motion_back.h"

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

// Laws with flats: turns about places in the grid; about places beside it, whose loads are on the
// rim of the facet of a translation; translations along a normal and any load of their facet; and
// others, whose load is a vertex.
TEST(MotionOfALoad, IsThatOfEveryCellOfALargeGridUnderLawsWithFlats) {
  Random random(16);
  const LimitCurve laws[] = {box(0.5), rusty_wheel(0.5, 0.2, 0.5), wheel(0.5, 0.3),
                             ratchet(0.5, 0.4), ngon(0.5, 8)};
  int wedges = 0, unique = 0;
  for (int i = 0; i < 150; ++i) {
    const double cell = random.decades(-2, 2);
    const LimitCurve& curve = laws[i % 5];
    const Slider slider{grid({0, 0}, cell, random_pressures(random, i / 5 % 3), curve)};
    const double x = cell * random.uniform(-40, 90);
    const double y = cell * random.uniform(-40, 90);
    Motion from{y, -x, random.integer(0, 1) == 0 ? 1.0 : -1.0};
    from.vx *= from.omega;
    from.vy *= from.omega;
    const auto& pieces = curve.pieces();
    const auto& piece = pieces[static_cast<std::size_t>(i) % pieces.size()];
    if (i % 7 == 0 && !piece.arc) from = {piece.normal.x(), piece.normal.y(), 0};
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    const Load sought = any_load(random, loads);
    expect_back(slider, from, loads, sought, i);
    (motion(slider, sought).unique ? unique : wedges) += 1;
  }
  EXPECT_GT(wedges, 30);
  EXPECT_GT(unique, 30);
}

}  // namespace
}  // namespace stiction::testing
