// SPDX-License-Identifier: Apache-2.0
#include "stiction/separation.h"

#include <gtest/gtest.h>

#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Proves = Separation::Proves;

// A body between two walls at x = ±1 that both come closer: no motion keeps clear of both.
ContactProblem between_walls(const Eigen::Vector4d& q) {
  Eigen::MatrixXd H(4, 2);
  H << 1, 0, 0, 1, -1, 0, 0, 1;
  ContactProblem p;
  p.dimension = 2;
  p.W = block_matrix(Eigen::MatrixXd(H * H.transpose()), 2);
  p.q = q;
  p.laws.resize(2);
  for (Law& law : p.laws) law.mu = 0.5;
  return p;
}

// s = (1, −½, 1, ½) separates, and yet r = 0 solves.
TEST(Separation, ShowsThatExistenceIsNotGuaranteed) {
  const ContactProblem p = between_walls({0, 1, 0, -1});
  const auto s = find_separation(p);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::existence_not_guaranteed);
  EXPECT_TRUE(
      verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::existence_not_guaranteed}));
  EXPECT_FALSE(verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::no_solution}));
  EXPECT_TRUE(
      verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::no_solution}, Model::convex));
  EXPECT_EQ(solve(p).status, Status::solved);
}

// For the convex model the proof is taken before a direction that proves less.
TEST(Separation, ProvesTheConvexModelToHaveNone) {
  const ContactProblem p = between_walls({0, 1, 0, -1});
  const auto s = find_separation(p, Model::convex);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::no_solution);
  EXPECT_LT(p.q.dot(s->direction), 0);
}

// The walls approach each other: u_1n + u_2n = −2 for every motion, so one of them is penetrated.
TEST(Separation, ProvesThatThereIsNoSolution) {
  const ContactProblem p = between_walls({-1, 0, -1, 0});
  const auto s = find_separation(p);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::no_solution);
  EXPECT_NE(solve(p, {.max_seconds = 2}).status, Status::solved);
}

TEST(Separation, VerifiesNothingElse) {
  const ContactProblem p = between_walls({-1, 0, -1, 0});
  for (const Eigen::Vector4d& wrong : {Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector4d(-1, 0, -1, 0),
                                       Eigen::Vector4d(1, 2, 1, -2), Eigen::Vector4d(0, 0, 0, 0)})
    for (const Proves proves : {Proves::no_solution, Proves::existence_not_guaranteed})
      EXPECT_FALSE(verify_separation(p, {wrong, proves}));
}

// With a free body under every contact some motion lifts off: nothing separates.
TEST(Separation, IsNotFoundWhereSolutionsAreGuaranteed) {
  Random random(131);
  for (int i = 0; i < 20; ++i) {
    const int contacts = random.integer(1, 5);
    Planted p = plant(random, contacts, 3, 1, discs(random, contacts));
    p.problem.W = block_matrix(Eigen::MatrixXd(to_sparse(p.problem.W)) +
                                   Eigen::MatrixXd::Identity(3 * contacts, 3 * contacts),
                               3);
    EXPECT_FALSE(find_separation(p.problem).has_value()) << i;
  }
}

// Contacts in units of their own, or one that is stiff across and soft along: the answers are those
// in any other units.
TEST(Separation, DoesNotDependOnTheSizesOfContacts) {
  for (const double ratio : {1e-20, 1e-12, 1e-9, 1e9, 1e10, 1e12, 1e20}) {
    ContactProblem one;
    one.laws.resize(1);
    one.laws[0].mu = 0.1;
    one.W = block_matrix(Eigen::MatrixXd(Vec3(1, ratio, ratio).asDiagonal()), 3);
    one.q = Vec3(-1, 2, 3);
    EXPECT_FALSE(find_separation(one).has_value()) << ratio;
    EXPECT_FALSE(verify_separation(one, {Vec3(1, 0, 0), Proves::no_solution})) << ratio;

    ContactProblem two;
    two.laws.resize(2);
    for (Law& law : two.laws) law.mu = 0.5;
    Eigen::VectorXd diagonal = Eigen::VectorXd::Ones(6);
    diagonal.tail<3>() *= ratio;
    two.W = block_matrix(Eigen::MatrixXd(diagonal.asDiagonal()), 3);
    two.q = Eigen::VectorXd::LinSpaced(6, -3, 2);
    EXPECT_FALSE(find_separation(two).has_value()) << ratio;

    const Eigen::Vector4d units(1, 1, ratio, ratio);
    ContactProblem walls = between_walls({-1, 0, -1, 0});
    walls.q = walls.q.cwiseProduct(units).eval();
    walls.W =
        block_matrix(Eigen::MatrixXd(units.asDiagonal() * Eigen::MatrixXd(to_sparse(walls.W)) *
                                     units.asDiagonal()),
                     2);
    const auto s = find_separation(walls);
    ASSERT_TRUE(s.has_value()) << ratio;
    EXPECT_EQ(s->proves, Proves::no_solution) << ratio;
    EXPECT_NEAR(s->direction[0] / s->direction[2], ratio, 1e-9 * ratio);
  }
}

}  // namespace
}  // namespace stiction::testing
