// SPDX-License-Identifier: Apache-2.0
//
// Heavy bodies on light ones: reactions are as large as the heavy body needs, and W r nearly
// cancels on the light one.
#include <gtest/gtest.h>

#include "stiction/solver.h"
#include "support/scenes.h"
#include "support/stacks.h"

namespace stiction::testing {
namespace {

// A unit of rounding of the greatest reaction, as a velocity, over ‖q‖.
double unit_of_rounding(const ContactProblem& p, const Eigen::VectorXd& r) {
  return std::ldexp(r.cwiseAbs().maxCoeff(), -52) * to_sparse(p.W).diagonal().maxCoeff() /
         p.q.norm();
}

struct Count {
  int solved = 0, at_rounding = 0, other = 0;
};
Count solve_stacks(unsigned seed, int count, double ratio, Model model, bool moving) {
  Random random(seed);
  Count result;
  ContactSolver solver;
  SolverOptions options{.model = model, .max_seconds = 2 * STICTION_SLOWED, .threads = 1};
  for (int k = 0; k < count; ++k) {
    const int boxes = random.integer(2, 8);
    const ContactProblem p =
        stack(random, stack_masses(random, boxes, ratio), 4, discs(random, 4 * boxes), moving);
    const Solution& s = solver.solve(p, options);
    const Certificate c = certify(p, s.reactions, model);
    EXPECT_EQ(c.within(1e-8), s.status == Status::solved) << k;
    if (s.status == Status::solved)
      ++result.solved;
    else if (c.relative < 2 * boxes * unit_of_rounding(p, s.reactions))
      ++result.at_rounding;  // which adds up from box to box; no better double was found
    else
      ++result.other;
  }
  return result;
}

TEST(HeavyOnLight, StacksAreSolvedWhateverTheirMasses) {
  for (const Model model : {Model::coulomb, Model::convex})
    for (const double ratio : {1e2, 1e4, 1e6, 1e7}) {
      const Count count = solve_stacks(501, 100, ratio, model, false);
      EXPECT_EQ(count.solved, 100) << ratio;
    }
}

// At 1e8 a unit of rounding of the reaction moves the light box by some 1e-8 of q.
TEST(HeavyOnLight, StacksOfAHundredMillionAreSolvedToRounding) {
  for (const Model model : {Model::coulomb, Model::convex}) {
    const Count count = solve_stacks(502, 100, 1e8, model, false);
    EXPECT_GE(count.solved, 85);
    EXPECT_EQ(count.other, 0);
  }
}

TEST(HeavyOnLight, StacksThatMoveAreMostlySolved) {
  for (const Model model : {Model::coulomb, Model::convex}) {
    const Count count = solve_stacks(503, 100, 1e6, model, true);
    EXPECT_GE(count.solved, 97);
  }
}

// m = 1 on the ground, M on it, each held by one contact, q = (−c, 0): r = c (M + 1) and c M.
ContactProblem two_bodies(double M, double c) {
  ContactProblem p;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W.bottomRightCorner(3, 3) *= 1 + 1 / M;
  W.topRightCorner(3, 3) = W.bottomLeftCorner(3, 3) = -Eigen::Matrix3d::Identity();
  p.W = block_matrix(W, 3);
  p.q.setZero(6);
  p.q[0] = -c;
  p.laws.resize(2);
  for (Law& law : p.laws) law.mu = 0.5;
  return p;
}

// With M = 2²⁷ both reactions are whole numbers of units 2⁻²⁵, and so is their difference; it ought
// to be c = 1 + 2⁻²⁶, an odd number of half units.  So u misses 0 by half a unit at both contacts,
// 2.1e-8 of q, whatever doubles are taken, and nothing can be said but `stalled`; 3e-8 is met.
TEST(HeavyOnLight, BeyondAHundredMillionNoDoublesDo) {
  const double c = 1 + 0x1p-26, unit = 0x1p-25;
  const ContactProblem p = two_bodies(0x1p27, c);
  double least = infinity;
  for (int i = -64; i <= 64; ++i)
    for (int k = -64; k <= 64; ++k) {
      Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
      r[0] = 0x1p27 + 3 + i * unit;  // c (M + 1) = 2²⁷ + 3 + 2⁻²⁶
      r[3] = 0x1p27 + 2 + k * unit;
      least = std::min(least, certify(p, r).relative);
    }
  EXPECT_NEAR(least, std::sqrt(2.0) * 0x1p-26 / c, 64 * unit / 0x1p27);  // as r/M moves
  for (const Model model : {Model::coulomb, Model::convex}) {
    EXPECT_EQ(solve(p, {.model = model, .max_seconds = 2}).status, Status::stalled);
    EXPECT_EQ(solve(p, {.tolerance = 3e-8, .model = model}).status, Status::solved);
  }
}

// M = 2³⁰ and c = 1/8: (M + 1)/8 and M/8 are doubles.
TEST(HeavyOnLight, ARatioOfTwoToTheThirtyIsExact) {
  const double M = 0x1p30;
  const ContactProblem p = two_bodies(M, 0.125);
  Eigen::VectorXd exact = Eigen::VectorXd::Zero(6);
  exact[0] = (M + 1) / 8;
  exact[3] = M / 8;
  EXPECT_EQ(certify(p, exact).relative, 0);
  for (const Model model : {Model::coulomb, Model::convex}) {
    const Solution s = solve(p, {.model = model});
    EXPECT_EQ(s.status, Status::solved);
    EXPECT_NEAR(s.reactions[0] / exact[0], 1, 1e-7);
    EXPECT_EQ(solve(p, {.model = model}, &exact).iterations, 0);
  }
}

// m = 1 on M = 2⁵⁰ on the ground: r = (M + 1)/8 and 1/8.  W is small where r is large, so that W r
// is exact, and yet r − û loses û.
TEST(HeavyOnLight, ReactionsBelowDoNotHideWhatFalls) {
  const double M = 0x1p50;
  ContactProblem p;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
  W.topLeftCorner(3, 3) = W.bottomLeftCorner(3, 3) = W.topRightCorner(3, 3) =
      Eigen::Matrix3d::Identity() / M;
  W.topRightCorner(3, 3) *= -1;
  W.bottomLeftCorner(3, 3) *= -1;
  W.bottomRightCorner(3, 3) = Eigen::Matrix3d::Identity() * (1 + 1 / M);
  p.W = block_matrix(W, 3);
  p.q.setZero(6);
  p.q[0] = -0.125;
  p.laws.resize(2);
  for (Law& law : p.laws) law.mu = 0.5;
  Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
  r[0] = (M + 1) / 8;
  r[3] = 0.125;
  EXPECT_EQ(certify(p, r).relative, 0);
  // u_n = ∓q/1024 at the two contacts, far less than a unit of rounding of r.
  r[0] *= 1 - 0x1p-10;
  EXPECT_NEAR(certify(p, r).relative, std::sqrt(2.0) * 0x1p-10, 1e-12);
  EXPECT_EQ(solve(p).status, Status::solved);
}

// Two contacts that press against each other with any force t: W (t, t) = 0, and q pushes both
// together, so that there is no solution.  However large t, û stays q and is not lost beside r.
TEST(HeavyOnLight, ReactionsThatRunAwayAreNoSolution) {
  ContactProblem p;
  p.W = block_matrix(Eigen::MatrixXd(Eigen::MatrixXd{{1, 0, 0, -1, 0, 0},
                                                     {0, 1, 0, 0, 1, 0},
                                                     {0, 0, 1, 0, 0, 1},
                                                     {-1, 0, 0, 1, 0, 0},
                                                     {0, 1, 0, 0, 1, 0},
                                                     {0, 0, 1, 0, 0, 1}}),
                     3);
  p.q.setZero(6);
  p.q[0] = p.q[3] = -1;
  p.laws.resize(2);
  for (Law& law : p.laws) law.mu = 0.5;
  for (const double t : {1e3, 1e9, 1e17, 1e30, 1e60}) {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
    r[0] = r[3] = t;
    const Certificate c = certify(p, r);
    EXPECT_NEAR(c.relative, 1, 1e-12) << t;
    EXPECT_NE(solve(p, {}, &r).status, Status::solved) << t;
  }
}

}  // namespace
}  // namespace stiction::testing
