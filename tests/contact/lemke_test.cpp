// SPDX-License-Identifier: Apache-2.0
//
// Lemke's method against enumeration, planted answers, other methods and problems without an
// answer.
#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/enumerate.h"
#include "stiction/separation.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

const SolverOptions with_lemke{
    .tolerance = 1e-10, .method = Method::lemke, .max_seconds = 20 * STICTION_SLOWED};

const char* const polygons[] = {
    "pyramid:0.4", "box:0.6",        "scaled-box:0.8",       "wheel:0.5,30",
    "ngon:0.9,7",  "ngon-out:0.3,5", "ratchet-free:0.7,100", "polygon:0,0;1,0;0,1",
    "free"};

std::vector<Law> polygon_laws(Random& random, int contacts) {
  std::vector<Law> laws;
  for (int i = 0; i < contacts; ++i) laws.push_back(parse_law(polygons[random.integer(0, 8)]));
  return laws;
}

// A block of unit mass on an incline of angle a, q = (−cos a, sin a, 0): it sticks for tan a ≤ μ,
// else r_t = −μ r_n, on the pyramid and on the box alike, since the slip is along an axis.
TEST(Lemke, BlockOnAnIncline) {
  for (const char* law : {"pyramid:0.5", "box:0.5"})
    for (const double a : {0.0, 0.2, 0.46, 0.47, 0.8, 1.5}) {
      const ContactProblem p =
          one_contact(Eigen::Matrix3d::Identity(), Vec3(-std::cos(a), std::sin(a), 0), law);
      const Solution s = solve(p, with_lemke);
      ASSERT_EQ(s.status, Status::solved);
      EXPECT_EQ(s.method, Method::lemke);
      EXPECT_NEAR(s.reactions[0], std::cos(a), 1e-15);
      EXPECT_NEAR(s.reactions[1], -std::min(std::sin(a), 0.5 * std::cos(a)), 1e-15) << law << a;
      EXPECT_NEAR(s.reactions[2], 0, 1e-15);
    }
}

TEST(Lemke, FindsWhatEnumerationHolds) {
  Random random(201);
  for (int i = 0; i < 80; ++i) {
    const int d = i % 2 == 0 ? 2 : 3, contacts = random.integer(1, d == 2 ? 4 : 2);
    const Planted p = plant(random, contacts, d, contacts, polygon_laws(random, contacts));
    const Solution s = solve(p.problem, with_lemke);
    EXPECT_EQ(s.status, Status::solved) << i;
    const Enumeration e = enumerate(p.problem);
    ASSERT_TRUE(e.complete);
    EXPECT_TRUE(holds(e, s.reactions)) << i;
  }
}

// Any W, any q: no solution is found where there is none, and what is found is in the list.
TEST(Lemke, UnsymmetricIndefiniteAgainstEnumeration) {
  Random random(202);
  int solved = 0, none = 0;
  for (int i = 0; i < 200; ++i) {
    const int contacts = random.integer(1, 3);
    ContactProblem p;
    p.dimension = 2;
    Eigen::MatrixXd W(2 * contacts, 2 * contacts);
    for (double& x : W.reshaped()) x = random.uniform(-1, 1);
    p.q.resize(2 * contacts);
    for (double& x : p.q) x = random.uniform(-1, 1);
    p.W = block_matrix(W, 2);
    p.laws.assign(static_cast<std::size_t>(contacts), parse_law("disc:0.7"));
    const Enumeration e = enumerate(p);
    ASSERT_TRUE(e.complete);
    const Solution s = solve(p, with_lemke);
    if (s.status == Status::solved) {
      ++solved;
      EXPECT_TRUE(holds(e, s.reactions)) << i;
    } else {
      EXPECT_EQ(s.status, e.solutions.empty() ? Status::no_solution : Status::stalled) << i;
    }
    if (e.solutions.empty()) {
      ++none;
      EXPECT_NE(s.status, Status::solved) << i;
    }
  }
  EXPECT_GT(none, 10);
  EXPECT_GT(solved, 80);
}

TEST(Lemke, PlantedProblems) {
  Random random(203);
  for (int i = 0; i < 200; ++i) {
    const int d = i % 3 == 0 ? 2 : 3, contacts = random.integer(1, 60);
    const int bodies = random.integer(1 + contacts / 2, contacts);
    const Planted p = plant(random, contacts, d, bodies, polygon_laws(random, contacts));
    const Solution s = solve(p.problem, with_lemke);
    EXPECT_EQ(s.status, Status::solved) << i;
    EXPECT_TRUE(certify(p.problem, s.reactions).within(1e-12)) << i;
  }
}

TEST(Lemke, SingularW) {
  Random random(204);
  for (int i = 0; i < 40; ++i) {  // twelve contacts on one or two bodies
    const Planted p = plant(random, 12, 3, 1 + i % 2, polygon_laws(random, 12));
    const Solution s = solve(p.problem, with_lemke);
    EXPECT_EQ(s.status, Status::solved) << i;
  }
}

TEST(Lemke, ThreeHundredContacts) {
  Random random(205);
  const Planted p = plant(random, 300, 3, 200, polygon_laws(random, 300));
  const Solution s = solve(p.problem, with_lemke);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_TRUE(certify(p.problem, s.reactions).within(1e-12));
}

// W symmetric and unsymmetric by a few percent; masses a million apart.
TEST(Lemke, UnsymmetricAndBadlyScaled) {
  Random random(206);
  for (int i = 0; i < 40; ++i) {
    Planted p = plant(random, 20, 3, 15, polygon_laws(random, 20));
    spoil(p, random);
    EXPECT_EQ(solve(p.problem, with_lemke).status, Status::solved) << i;
  }
}

// Scaling is by powers of two: other units of that kind give the same bits.
TEST(Lemke, DoesNotDependOnUnits) {
  Random random(207);
  Planted p = plant(random, 10, 3, 6, polygon_laws(random, 10));
  const Eigen::VectorXd r = solve(p.problem, with_lemke).reactions;
  for (double& x : p.problem.W.value) x *= 0x1p40;
  p.problem.q *= 0x1p-30;
  ContactSolver solver;  // its errors, not FCLib's, which compares velocities with reactions
  const Solution s = solver.solve(p.problem, with_lemke);
  EXPECT_EQ(Eigen::VectorXd(s.reactions * 0x1p70), r);
}

// The velocities of the convex relaxation are unique: those of Newton's method are the same.
// Planted for exact friction, it need not have a solution: then a direction proves that.
TEST(Lemke, ConvexRelaxation) {
  Random random(208);
  int solved = 0;
  for (int i = 0; i < 60; ++i) {
    const int d = i % 3 == 0 ? 2 : 3, contacts = random.integer(1, 30);
    const Planted p = plant(random, contacts, d, contacts, polygon_laws(random, contacts));
    SolverOptions options = with_lemke;
    options.model = Model::convex;
    const Solution s = solve(p.problem, options);
    if (s.status != Status::solved) {
      const std::optional<Separation> separation = find_separation(p.problem, Model::convex);
      ASSERT_TRUE(separation.has_value()) << i;
      EXPECT_EQ(separation->proves, Separation::Proves::no_solution) << i;
      continue;
    }
    ++solved;
    options.method = Method::newton;
    const Solution t = solve(p.problem, options);
    ASSERT_EQ(t.status, Status::solved) << i;
    Eigen::VectorXd change;
    multiply(p.problem.W, s.reactions - t.reactions, change);
    EXPECT_LE(change.norm(), 1e-6 * (1 + p.problem.q.norm())) << i;
  }
  EXPECT_GT(solved, 40);
}

TEST(Lemke, NothingToDo) {
  EXPECT_EQ(solve(ContactProblem{}, with_lemke).status, Status::solved);
  Random random(209);
  Planted p = plant(random, 5, 3, 4, polygon_laws(random, 5));
  p.problem.q.setZero();
  EXPECT_EQ(solve(p.problem, with_lemke).reactions.norm(), 0);
  p.problem.q.setConstant(1);
  EXPECT_EQ(solve(p.problem, with_lemke).status, Status::solved);
  const Planted smooth = plant(random, 20, 3, 12, std::vector<Law>(20));  // μ = 0
  EXPECT_EQ(solve(smooth.problem, with_lemke).status, Status::solved);
}

// a_n = b + p f_n with p < 0 and b < 0 has no solution; nor has a push on what does not give.
TEST(Lemke, EndsInARayWhereThereIsNoSolution) {
  const Eigen::Matrix2d rod = Vec2(-0.5, 1).asDiagonal();
  const Solution s = solve(one_contact(rod, Vec2(-1, 0), "free"), with_lemke);
  EXPECT_EQ(s.status, Status::no_solution);
  EXPECT_TRUE(s.reactions.allFinite());
  EXPECT_EQ(solve(one_contact(rod, Vec2(1, 0), "free"), with_lemke).status, Status::solved);
  EXPECT_EQ(
      solve(one_contact(Eigen::Matrix3d::Zero(), Vec3(-1, 0, 0), "box:0.5"), with_lemke).status,
      Status::no_solution);
}

TEST(Lemke, StopsWhenToldAndInTime) {
  Random random(210);
  const Planted p = plant(random, 300, 3, 200, polygon_laws(random, 300));
  SolverOptions options = with_lemke;
  int checks = 0;
  options.progress = [&](const Iteration& line) {
    EXPECT_EQ(line.method, Method::lemke);
    return ++checks < 2;
  };
  EXPECT_EQ(solve(p.problem, options).status, Status::stopped);
  options.progress = {};
  options.max_seconds = 1e-3;
  EXPECT_EQ(solve(p.problem, options).status, Status::time_limit);
}

TEST(Lemke, RefusesCurvesAndWhatIsTooLarge) {
  const auto refusal = [](const ContactProblem& p) -> std::string {
    try {
      solve(p, with_lemke);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(one_contact(Eigen::Matrix3d::Identity(), Vec3(-1, 1, 0), "disc:0.5")),
            "law[0] is disc:0.5, expected a polygon for method lemke");
  EXPECT_EQ(refusal(one_contact(Eigen::Matrix2d::Identity(), Vec2(-1, 1), "disc:0.5")), "");
  ContactProblem large;
  Eigen::SparseMatrix<double> identity(9000, 9000);
  identity.setIdentity();
  large.W = block_matrix(identity, 3);
  large.q.setConstant(9000, -1);
  large.laws.assign(3000, parse_law("box:0.5"));
  EXPECT_EQ(
      refusal(large),
      "the problem has 24000 complementarity rows with 45000 entries, expected at most 20000 with "
      "2e+07 for method lemke");
}

// Contacts that wedge, on few bodies: Newton's method falls into traps that restarts do not always
// leave, and auto ends with Lemke's.
TEST(Lemke, HelpsAutoWhereContactsWedge) {
  Random random(3);
  int by_lemke = 0;
  for (int i = 0; i < 40; ++i) {
    const Planted p = plant(random, 30, 2, 4, std::vector<Law>(30, parse_law("disc:2")));
    const Solution s = solve(p.problem, {.max_seconds = 20 * STICTION_SLOWED});
    EXPECT_EQ(s.status, Status::solved) << i;
    by_lemke += s.method == Method::lemke ? 1 : 0;
  }
  EXPECT_GE(by_lemke, 3);
}

// A radius of zero in slip: the projection's argument stays finite.
TEST(Newton, TrialPointsWithoutNormalForce) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Planted p = plant(random, 10, 3, 2, std::vector<Law>(10, parse_law("box:3")));
    EXPECT_TRUE(solve(p.problem, {.method = Method::newton}).reactions.allFinite());
  }
}

}  // namespace
}  // namespace stiction::testing
