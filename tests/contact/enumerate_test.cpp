// SPDX-License-Identifier: Apache-2.0
//
// Every solution of small problems: how many there are is known beforehand.
#include "stiction/enumerate.h"

#include <gtest/gtest.h>

#include "contact/enumerate/linear_program.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

ContactProblem problem_of(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, const char* law,
                          int d) {
  ContactProblem p;
  p.dimension = d;
  p.W = block_matrix(W, d);
  p.q = q;
  p.laws.assign(static_cast<std::size_t>(q.size() / d), parse_law(law));
  return p;
}

// A sliding rod's normal acceleration is a_n = b + p f_n.  With p < 0 it has two answers or none.
TEST(Enumerate, PainleveRod) {
  const auto rod = [](double p, double b) {
    return enumerate(problem_of(Vec2(p, 1).asDiagonal(), Vec2(b, 0), "free", 2));
  };
  EXPECT_EQ(rod(1, 1).solutions.size(), 1U);    // lifts off
  EXPECT_EQ(rod(1, -1).solutions.size(), 1U);   // slides
  EXPECT_EQ(rod(-1, 1).solutions.size(), 2U);   // indeterminate
  EXPECT_EQ(rod(-1, -1).solutions.size(), 0U);  // inconsistent
  for (const double p : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) EXPECT_TRUE(rod(p, b).complete);
  EXPECT_EQ(rod(-1, 1).solutions[0].modes[0], Mode::open);
  EXPECT_DOUBLE_EQ(rod(-2, 1).solutions[1].reactions[0], 0.5);
}

TEST(Enumerate, IsStoppedByItsProgress) {
  // Two contacts of four modes each: open, stick, slip either way.
  const ContactProblem p =
      problem_of(Eigen::Matrix4d::Identity(), Eigen::Vector4d(-1, 0, -1, 0), "disc:0.5", 2);
  std::vector<double> shares;
  const auto told = [&](double share) {
    shares.push_back(share);
    return shares.size() < 5;
  };
  const Enumeration part = enumerate(p, 60, told);
  EXPECT_EQ(shares, (std::vector<double>{1. / 16, 2. / 16, 3. / 16, 4. / 16, 5. / 16}));
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.reason, "it was stopped before all combinations of modes were tried");
  EXPECT_TRUE(enumerate(p, 60, [](double) { return true; }).complete);
}

// A body between two walls, its sides sliding in opposite directions: any squeeze a ≥ 0 with
// r = (a, −a/2, a, a/2) is a solution.  s = (1, −½, 1, ½) separates, and yet solutions exist.
TEST(Enumerate, FindsAContinuum) {
  Eigen::MatrixXd H(4, 2);
  H << 1, 0, 0, 1, -1, 0, 0, 1;
  const Enumeration e =
      enumerate(problem_of(H * H.transpose(), Eigen::Vector4d(0, 1, 0, -1), "disc:0.5", 2));
  EXPECT_TRUE(e.complete);
  ASSERT_EQ(e.solutions.size(), 2U);
  EXPECT_EQ(e.solutions[0].reactions.norm(), 0);
  EXPECT_EQ(e.solutions[1].dimension, 1);
  const Eigen::VectorXd& r = e.solutions[1].reactions;
  EXPECT_GT(r[0], 0.1);
  EXPECT_NEAR(r[1], -r[0] / 2, 1e-9 * r[0]);
  EXPECT_NEAR(r[3], r[0] / 2, 1e-9 * r[0]);
}

// Brute force against the solver: planted polygon problems have their planted answer in the list,
// and what the solver finds is in it too.
TEST(Enumerate, HoldsThePlantedAndTheSolversAnswer) {
  Random random(121);
  for (int i = 0; i < 60; ++i) {
    const int d = i % 2 == 0 ? 2 : 3,
              contacts = d == 2 ? random.integer(1, 4) : random.integer(1, 2);
    std::vector<Law> laws;
    for (int k = 0; k < contacts; ++k) {
      static const char* const texts[] = {"pyramid:0.4", "box:0.6", "wheel:0.5,30",
                                          "ratchet-free:0.7,100", "free"};
      laws.push_back(parse_law(d == 2 ? "disc:0.5" : texts[random.integer(0, 4)]));
    }
    const Planted p = plant(random, contacts, d, contacts, laws);
    const Enumeration e = enumerate(p.problem);
    EXPECT_TRUE(e.complete);
    const auto holds = [&](const Eigen::VectorXd& r) {
      return std::any_of(e.solutions.begin(), e.solutions.end(), [&](const EnumeratedSolution& s) {
        return s.dimension > 0 || (s.reactions - r).norm() <= 1e-6 * (1 + r.norm());
      });
    };
    EXPECT_TRUE(holds(p.reactions)) << i;
    const Solution s = solve(p.problem, {.tolerance = 1e-11});
    EXPECT_EQ(s.status, Status::solved) << i;
    EXPECT_TRUE(holds(s.reactions)) << i;
    for (const EnumeratedSolution& found : e.solutions)
      EXPECT_TRUE(found.certificate.within(1e-8)) << i;
  }
}

TEST(Enumerate, OneContactOnADiscIsComplete) {
  Random random(122);
  for (int i = 0; i < 200; ++i) {
    const Planted p = plant(random, 1, 3, 1, discs(random, 1));
    const Enumeration e = enumerate(p.problem);
    ASSERT_TRUE(e.complete);
    ASSERT_TRUE(std::any_of(e.solutions.begin(), e.solutions.end(), [&](const auto& s) {
      return (s.reactions - p.reactions).norm() <= 1e-8;
    })) << i;
  }
}

// Nothing behind the contact gives way: no reaction stops the approach, however large.
TEST(Enumerate, FindsNothingWhereWIsZero) {
  const Enumeration e = enumerate(problem_of(Eigen::Matrix2d::Zero(), Vec2(-1, 0), "disc:0.5", 2));
  EXPECT_EQ(e.solutions.size(), 0U);
  EXPECT_TRUE(e.complete);
}

TEST(Enumerate, RefusesLargeProblems) {
  Random random(123);
  EXPECT_THROW(enumerate(plant(random, 13, 2, 5, discs(random, 13)).problem), InvalidInput);
}

// max x + y over a triangle; an empty and an unbounded set.
TEST(LinearProgram, KnownAnswers) {
  Eigen::MatrixXd A(3, 2);
  A << -1, 0, 0, -1, 1, 2;
  const LinearProgram best = maximise(Vec2(1, 1), A, Vec3(0, 0, 4));
  EXPECT_EQ(best.status, LinearProgram::Status::optimal);
  EXPECT_NEAR(best.value, 4, 1e-12);
  EXPECT_EQ(maximise(Vec2(1, 1), A, Vec3(-3, -3, 4)).status, LinearProgram::Status::infeasible);
  EXPECT_EQ(maximise(Vec2(1, 1), A.topRows(2), Vec2(0, 0)).status,
            LinearProgram::Status::unbounded);
  const LinearProgram corner = maximise(Vec2(-1, -1), A, Vec3(-1, -1, 4));  // x, y ≥ 1
  EXPECT_NEAR(corner.value, -2, 1e-12);
}

}  // namespace
}  // namespace stiction::testing
