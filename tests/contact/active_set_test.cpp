// SPDX-License-Identifier: Apache-2.0
//
// The active set against enumeration, planted answers, Lemke's method and what it must refuse.
#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/enumerate.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

const SolverOptions with_active_set{
    .tolerance = 1e-10, .method = Method::active_set, .max_seconds = 20 * STICTION_SLOWED};

// Everything that is a box along the tangents, segments and the square N-gon among them.
const char* const boxes[] = {"box:0.6",
                             "scaled-box:0.8",
                             "wheel:0.5,90",
                             "wheel:0.4,0",
                             "ngon:0.9,4",
                             "ngon-out:0.3,4",
                             "free",
                             "disc:0",
                             "ratchet-free:0.7,180",
                             "polygon:-1,-0.2;0.5,-0.2;0.5,0;-1,0"};

std::vector<Law> box_laws(Random& random, int contacts) {
  std::vector<Law> laws;
  for (int i = 0; i < contacts; ++i) laws.push_back(parse_law(boxes[random.integer(0, 9)]));
  return laws;
}

TEST(ActiveSet, FindsWhatEnumerationHolds) {
  Random random(221);
  for (int i = 0; i < 80; ++i) {
    const int d = i % 2 == 0 ? 2 : 3, contacts = random.integer(1, d == 2 ? 4 : 2);
    const Planted p = plant(random, contacts, d, contacts, box_laws(random, contacts));
    const Solution s = solve(p.problem, with_active_set);
    EXPECT_EQ(s.status, Status::solved) << i;
    EXPECT_EQ(s.method, Method::active_set);
    const Enumeration e = enumerate(p.problem);
    ASSERT_TRUE(e.complete);
    EXPECT_TRUE(holds(e, s.reactions)) << i;
  }
}

TEST(ActiveSet, PlantedProblems) {
  Random random(222);
  for (int i = 0; i < 200; ++i) {
    const int d = i % 3 == 0 ? 2 : 3, contacts = random.integer(1, 60);
    const int bodies = random.integer(1 + contacts / 2, contacts);
    const Planted p = plant(random, contacts, d, bodies, box_laws(random, contacts));
    const Solution s = solve(p.problem, with_active_set);
    EXPECT_EQ(s.status, Status::solved) << i;
    EXPECT_TRUE(certify(p.problem, s.reactions).within(1e-10)) << i;
  }
}

TEST(ActiveSet, SingularW) {
  Random random(223);
  for (int i = 0; i < 40; ++i) {  // twelve contacts on one or two bodies
    const Planted p = plant(random, 12, 3, 1 + i % 2, box_laws(random, 12));
    EXPECT_EQ(solve(p.problem, with_active_set).status, Status::solved) << i;
  }
}

TEST(ActiveSet, UnsymmetricAndBadlyScaled) {
  Random random(224);
  for (int i = 0; i < 40; ++i) {
    Planted p = plant(random, 20, 3, 15, box_laws(random, 20));
    spoil(p, random);
    EXPECT_EQ(solve(p.problem, with_active_set).status, Status::solved) << i;
  }
}

TEST(ActiveSet, HundredsOfContacts) {
  Random random(225);
  const Planted p = plant(random, 400, 3, 320, std::vector<Law>(400, parse_law("box:0.5")));
  const Solution s = solve(p.problem, with_active_set);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_TRUE(certify(p.problem, s.reactions).within(1e-10));
  EXPECT_LT(s.iterations, 500);
}

// W regular and little friction: the solution is unique, so two methods that share nothing agree.
TEST(ActiveSet, AgreesWithLemke) {
  Random random(226);
  for (int i = 0; i < 40; ++i) {
    const Planted p = plant(random, 10, 3, 10, std::vector<Law>(10, parse_law("box:0.05")));
    Planted regular = p;
    Eigen::MatrixXd W = to_sparse(p.problem.W);
    W.diagonal().array() += 0.5;
    regular.problem.W = block_matrix(W, 3);
    const Solution a = solve(regular.problem, with_active_set);
    SolverOptions options = with_active_set;
    options.method = Method::lemke;
    const Solution b = solve(regular.problem, options);
    ASSERT_EQ(a.status, Status::solved) << i;
    ASSERT_EQ(b.status, Status::solved) << i;
    EXPECT_LE((a.reactions - b.reactions).norm(), 1e-8 * (1 + b.reactions.norm())) << i;
  }
}

TEST(ActiveSet, NothingToDoAndNoSolution) {
  EXPECT_EQ(solve(ContactProblem{}, with_active_set).status, Status::solved);
  Random random(227);
  Planted p = plant(random, 5, 3, 4, box_laws(random, 5));
  p.problem.q.setZero();
  EXPECT_EQ(solve(p.problem, with_active_set).reactions.norm(), 0);
  p.problem.q.setConstant(1);
  EXPECT_EQ(solve(p.problem, with_active_set).status, Status::solved);
  ContactProblem rod;  // a_n = −1 − f_n/2
  rod.dimension = 2;
  rod.W = block_matrix(Eigen::MatrixXd(Vec2(-0.5, 1).asDiagonal()), 2);
  rod.q = Vec2(-1, 0);
  rod.laws = {parse_law("free")};
  const Solution s = solve(rod, with_active_set);
  EXPECT_EQ(s.status, Status::no_solution);
  EXPECT_TRUE(s.reactions.allFinite());
}

TEST(ActiveSet, RefusesWhatIsNoBox) {
  ContactProblem p;
  p.W = block_matrix(Eigen::MatrixXd(Eigen::Matrix3d::Identity()), 3);
  p.q = Vec3(-1, 1, 0);
  for (const char* law : {"disc:0.5", "pyramid:0.5", "wheel:0.5,45", "ngon:0.5,8", "ratchet:0.5,0",
                          "polygon:0,0;1,0;0,1", "polygon:-1,-1;1,1"}) {
    p.laws = {parse_law(law)};
    try {
      solve(p, with_active_set);
      FAIL() << law;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find("expected a box along the tangents"),
                std::string::npos);
    }
  }
  p.laws = {parse_law("box:0.5")};
  SolverOptions options = with_active_set;
  EXPECT_EQ(solve(p, options).status, Status::solved);
  options.model = Model::convex;
  EXPECT_THROW(solve(p, options), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
