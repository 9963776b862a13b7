// SPDX-License-Identifier: Apache-2.0
//
// What the solver promises beside reactions: velocities and certificate filled in, wrong input
// refused at the boundary.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

TEST(SolverInterface, VelocitiesAndCertificateAreThoseOfTheReactions) {
  Random random(161);
  ContactSolver solver;
  for (int i = 0; i < 20; ++i) {
    const int d = 2 + i % 2, contacts = random.integer(1, 20);
    const Planted p = plant(random, contacts, d, 1 + contacts / 2, mixed_laws(random, contacts));
    SolverOptions options;
    options.tolerance = i % 3 == 0 ? 1e-300 : 1e-8;  // also of what is not solved
    options.max_seconds = 0.1;
    options.model = i % 5 == 0 ? Model::convex : Model::coulomb;
    const Solution& s = solver.solve(p.problem, options);
    Eigen::VectorXd u;
    multiply(p.problem.W, s.reactions, u);
    u += p.problem.q;
    ASSERT_EQ(s.velocities.size(), u.size());
    EXPECT_LE((s.velocities - u).norm(), 1e-13 * (1 + u.norm()));
    const Certificate c = certify(p.problem, s.reactions, options.model);
    EXPECT_EQ(s.certificate.natural_map, c.natural_map);
    EXPECT_EQ(s.certificate.scaled, c.scaled);
    EXPECT_EQ(s.certificate.dissipation, c.dissipation);
    EXPECT_TRUE(s.status != Status::solved || c.within(options.tolerance));
  }
}

// The largest numbers, whose squares and sums are not finite: no reaction is the answer still.
TEST(SolverInterface, NothingIsReadBeforeItIsWritten) {
  ContactProblem problem;
  problem.W = block_matrix(Eigen::MatrixXd(1e308 * Eigen::MatrixXd::Identity(3, 3)), 3);
  problem.q = Eigen::VectorXd::Constant(3, 1e308);
  problem.laws.resize(1);
  problem.laws[0].mu = 0.5;
  EXPECT_TRUE(solve(problem).reactions.isZero(0));
}

// One thing wrong at a time.
TEST(SolverInterface, RefusesWrongSizesAndNumbers) {
  Random random(162);
  const Planted p = plant(random, 4, 3, 3, discs(random, 4));
  const double nan = std::nan("");
  const auto refuses = [&](const auto& spoil) {
    ContactProblem wrong = p.problem;
    spoil(wrong);
    ContactSolver solver;
    EXPECT_THROW(solver.solve(wrong), InvalidInput);
  };
  refuses([&](ContactProblem& w) { w.q.resize(11); });
  refuses([&](ContactProblem& w) { w.q[5] = nan; });
  refuses([&](ContactProblem& w) { w.q[5] = -infinity; });
  refuses([&](ContactProblem& w) { w.W.value.back() = nan; });
  refuses([&](ContactProblem& w) { w.W.value[3] = infinity; });
  refuses([&](ContactProblem& w) { w.W.value.pop_back(); });
  refuses([&](ContactProblem& w) { w.W.column[1] = 4; });
  refuses([&](ContactProblem& w) { w.W.column[0] = -1; });
  refuses([&](ContactProblem& w) { w.W.start.clear(); });
  refuses([&](ContactProblem& w) { w.W.start[1] = 1000; });
  refuses([&](ContactProblem& w) { w.W.block = 2; });
  refuses([&](ContactProblem& w) { w.laws.pop_back(); });
  refuses([&](ContactProblem& w) { w.laws[2].mu = nan; });
  refuses([&](ContactProblem& w) { w.laws[2].mu = -1; });
  refuses([&](ContactProblem& w) {
    w.laws[2].curve = Law::Curve::ngon;
    w.laws[2].sides = 2;
  });
  refuses([&](ContactProblem& w) { w.dimension = 2; });
  refuses([&](ContactProblem& w) { w.dimension = 5; });
  refuses([&](ContactProblem& w) { w.bilateral.emplace(); });
  ContactSolver solver;
  for (const Eigen::VectorXd& guess : {Eigen::VectorXd(Eigen::VectorXd::Zero(11)),
                                       Eigen::VectorXd(Eigen::VectorXd::Constant(12, nan))})
    EXPECT_THROW(solver.solve(p.problem, {}, &guess), InvalidInput);
  EXPECT_EQ(solver.solve(p.problem).status, Status::solved);  // and is none the worse for it
}

}  // namespace
}  // namespace stiction::testing
