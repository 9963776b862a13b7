// SPDX-License-Identifier: Apache-2.0
//
// Condensing problems whose bodies are many to a group, where the matrices are large and dense.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "contact/problem/dense_solve.h"
#include "stiction/contact_problem.h"
#include "stiction/separation.h"
#include "stiction/solver.h"
#include "support/random.h"
#include "support/stopper.h"

namespace stiction::testing {
namespace {

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

// A dense mass matrix of n velocities, and contacts that reach all of them.
GlobalProblem dense_problem(int n, int contacts) {
  Random random(7);
  const Eigen::MatrixXd A = random_matrix(random, n, n);
  GlobalProblem p;
  p.M = (A * A.transpose() / n + Eigen::MatrixXd::Identity(n, n)).sparseView();
  p.H = random_matrix(random, 3 * contacts, n).sparseView();
  p.f = random_matrix(random, n, 1);
  p.w = random_matrix(random, 3 * contacts, 1);
  p.laws.resize(static_cast<std::size_t>(contacts));
  for (Law& law : p.laws) law.mu = 0.5;
  return p;
}

TEST(DenseSolve, IsTheInverseTimesB) {
  Random random(3);
  for (const int n : {1, 63, 64, 65, 300}) {
    const Eigen::MatrixXd K = random_matrix(random, n, n), X = random_matrix(random, n, 7);
    const auto found = solve_dense(K, K * X);
    ASSERT_TRUE(found);
    EXPECT_LT((K * *found - K * X).norm(), 1e-12 * K.norm() * found->norm());
  }
}

// Its first pivot is zero: rows must change places, within a panel and beyond it.
TEST(DenseSolve, ChangesRows) {
  const int n = 150;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) K(i, n - 1 - i) = 1 << i % 5;
  const auto found = solve_dense(K, Eigen::MatrixXd::Identity(n, n));
  ASSERT_TRUE(found);
  EXPECT_EQ(K * *found, Eigen::MatrixXd::Identity(n, n));
}

TEST(DenseSolve, HasNoAnswerForASingularMatrix) {
  Random random(3);
  Eigen::MatrixXd K = random_matrix(random, 200, 200);
  K.col(100) = K.col(3) - K.col(150);
  EXPECT_FALSE(solve_dense(K, Eigen::MatrixXd::Ones(200, 1)));
}

TEST(Condensed, OfADenseMassIsHMinverseH) {
  const GlobalProblem p = dense_problem(450, 20);
  const Condensed c(p);
  const Eigen::MatrixXd M = p.M, H = p.H, X = M.llt().solve(Eigen::MatrixXd(H.transpose()));
  const Eigen::MatrixXd W = H * X;
  EXPECT_LT((Eigen::MatrixXd(to_sparse(c.local().W)) - W).norm(), 1e-12 * W.norm());
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(60, -1, 1), v = c.generalized_velocities(r);
  EXPECT_LT((M * v - H.transpose() * r - p.f).norm(), 1e-11 * (M * v).norm());
  EXPECT_LT((c.local().q - p.w - H * M.llt().solve(p.f)).norm(), 1e-11 * c.local().q.norm());
}

// Of two equal joints one is redundant: λ is open, v is not.
TEST(Condensed, LargeGroupsMayHaveRedundantJoints) {
  GlobalProblem once = dense_problem(450, 2), twice = once;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(1, 450);
  G.leftCols(3).setOnes();
  once.joints = {G.sparseView(), Eigen::VectorXd::Ones(1)};
  twice.joints = {G.replicate(2, 1).sparseView(), Eigen::VectorXd::Ones(2)};
  const Condensed a(once), b(twice);
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(6, -1, 1);
  const Eigen::VectorXd v = a.generalized_velocities(r);
  EXPECT_LT((b.generalized_velocities(r) - v).norm(), 1e-9 * v.norm());
  EXPECT_LT((G * v).sum() + 1, 1e-10);
}

TEST(Condensed, TellsHowFarItIsAndCanBeStopped) {
  const GlobalProblem p = dense_problem(450, 20);
  Stopper never{1 << 20};
  const Condensed watched(p, never.function());
  EXPECT_EQ(watched.local().W.value, Condensed(p).local().W.value);
  EXPECT_GT(never.shares.size(), 10U);
  EXPECT_TRUE(std::is_sorted(never.shares.begin(), never.shares.end()));
  EXPECT_LE(never.shares.back(), 1);
  for (std::size_t k = 1; k <= never.shares.size(); k += 3) {
    Stopper stopper{static_cast<int>(k)};
    EXPECT_THROW(Condensed(p, stopper.function()), Stopped);
    EXPECT_EQ(stopper.shares.size(), k);
  }
}

// Before its first iteration there is nothing to give.
TEST(Condensed, IsStoppedWithinSolve) {
  const GlobalProblem p = dense_problem(450, 20);
  SolverOptions options;
  int calls = 0;
  options.progress = [&](const Iteration& line) {
    EXPECT_EQ(line.iteration, 0);
    EXPECT_EQ(line.relative, infinity);
    return ++calls < 4;
  };
  EXPECT_THROW(solve(p, options), Stopped);
  EXPECT_EQ(calls, 4);
}

// Step by step, for normal forces and then for all.
TEST(Separation, TellsHowFarItIs) {
  Random random(5);
  const Eigen::MatrixXd H = random_matrix(random, 90, 20);
  ContactProblem p;
  p.W = block_matrix(Eigen::MatrixXd(H * H.transpose()), 3);
  p.q = random_matrix(random, 90, 1);
  p.laws.resize(30);
  for (Law& law : p.laws) law.mu = 0.5;
  Stopper never{1 << 20};
  const auto found = find_separation(p, Model::coulomb, never.function());
  EXPECT_EQ(found.has_value(), find_separation(p).has_value());
  EXPECT_TRUE(std::is_sorted(never.shares.begin(), never.shares.end()));
  EXPECT_GT(never.shares.size(), 5U);
  EXPECT_LE(never.shares.back(), 1);
  Stopper stopper{2};
  EXPECT_THROW(find_separation(p, Model::coulomb, stopper.function()), Stopped);
}

}  // namespace
}  // namespace stiction::testing
