// SPDX-License-Identifier: Apache-2.0
//
// The solver on problems whose answer is known, or whose every answer can be checked.
#include "stiction/solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/enumerate.h"
#include "support/repeats.h"
#include "support/scenes.h"
#include "support/stacks.h"

namespace stiction::testing {
namespace {

void expect_solved(const ContactProblem& problem, const SolverOptions& options,
                   const std::string& what) {
  const Solution s = solve(problem, options);
  EXPECT_EQ(s.status, Status::solved)
      << what << ": relative " << s.certificate.relative << ", scaled " << s.certificate.scaled
      << " after " << s.iterations;
  EXPECT_TRUE(certify(problem, s.reactions, options.model).within(options.tolerance)) << what;
  // Friction takes power at every contact, up to what the tolerance leaves open.
  EXPECT_GE(dissipated_power(problem, s.reactions).minCoeff(),
            -10 * options.tolerance * (1 + problem.q.norm()) * (1 + s.reactions.norm()))
      << what;
}

// A block of unit mass on an incline, one time step h from rest: q = h g (−cos a, −sin a, 0) in the
// plane's own axes (n, down-slope reversed).  It sticks below the friction angle and slides above
// it with r_t = μ r_n.
TEST(Solver, BlockOnAnIncline) {
  for (const double angle_deg : {0.0, 10.0, 26.0, 27.0, 45.0, 80.0}) {
    const double a = angle_deg * 3.14159265358979 / 180, mu = 0.5, hg = 9.81e-3;
    ContactProblem p;
    p.W = block_matrix(Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)), 3);
    p.q = hg * Vec3(-std::cos(a), std::sin(a), 0);
    p.laws.resize(1);
    p.laws[0].mu = mu;
    const Solution s = solve(p, {.tolerance = 1e-12});
    ASSERT_EQ(s.status, Status::solved);
    EXPECT_NEAR(s.reactions[0], hg * std::cos(a), 1e-15);
    const bool sticks = std::tan(a) <= mu;
    EXPECT_NEAR(s.reactions[1], -hg * (sticks ? std::sin(a) : mu * std::cos(a)), 1e-15)
        << angle_deg;
  }
}

TEST(Solver, PlantedProblemsOfEverySize) {
  Random random(101);
  for (int i = 0; i < 300; ++i) {
    const int d = i % 2 == 0 ? 3 : 2, contacts = random.integer(1, 60);
    const int bodies = random.integer(1, contacts);  // W is mostly singular
    const Planted p = plant(random, contacts, d, bodies, discs(random, contacts));
    expect_solved(p.problem, {.max_seconds = 10 * STICTION_SLOWED}, "planted " + std::to_string(i));
  }
}

TEST(Solver, AnyLawMixed) {
  Random random(102);
  for (int i = 0; i < 200; ++i) {
    const int d = i % 4 == 3 ? 2 : 3, contacts = random.integer(1, 40);
    const Planted p = plant(random, contacts, d, 1 + contacts / 2, mixed_laws(random, contacts));
    expect_solved(p.problem, {.max_seconds = 10 * STICTION_SLOWED}, "mixed " + std::to_string(i));
  }
}

TEST(Solver, UnsymmetricAndSlightlyIndefinite) {
  Random random(103);
  for (int i = 0; i < 20; ++i) {
    Planted p = plant(random, 20, 3, 10, discs(random, 20));
    const Eigen::VectorXd u = p.velocities;
    for (double& x : p.problem.W.value) x *= 1 + 1e-4 * random.uniform(-1, 1);
    Eigen::VectorXd Wr;
    multiply(p.problem.W, p.reactions, Wr);
    p.problem.q = u - Wr;
    expect_solved(p.problem, {.max_seconds = 10 * STICTION_SLOWED},
                  "unsymmetric " + std::to_string(i));
  }
}

TEST(Solver, MassRatioOfAMillion) {
  Random random(104);
  for (int i = 0; i < 10; ++i) {
    Planted p = plant(random, 10, 3, 8, discs(random, 10));
    // A congruence by contact scales: heavy and light bodies.
    Eigen::MatrixXd W = to_sparse(p.problem.W);
    Eigen::VectorXd scale(30);
    for (int k = 0; k < 10; ++k) scale.segment<3>(3 * k).setConstant(k % 2 == 0 ? 1 : 1e-3);
    W = scale.asDiagonal() * W * scale.asDiagonal();
    p.problem.W = block_matrix(W, 3);
    p.problem.q = p.velocities - W * p.reactions;
    expect_solved(p.problem, {.max_seconds = 10 * STICTION_SLOWED},
                  "mass ratio " + std::to_string(i));
  }
}

TEST(Solver, FrictionFromNoneToFifty) {
  Random random(105);
  for (const double mu : {0.0, 1e-6, 1.0, 10.0, 50.0}) {
    std::vector<Law> laws(12);
    for (Law& law : laws) law.mu = mu;
    const Planted p = plant(random, 12, 3, 6, laws);
    expect_solved(p.problem, {.max_seconds = 10 * STICTION_SLOWED}, "mu " + text(mu));
  }
}

TEST(Solver, ZeroContactsZeroQAndOpenContacts) {
  EXPECT_EQ(solve(ContactProblem{}).status, Status::solved);
  Random random(106);
  Planted p = plant(random, 5, 3, 4, discs(random, 5));
  p.problem.q.setZero();
  EXPECT_EQ(solve(p.problem).reactions.norm(), 0);
  p.problem.q.setConstant(1);
  expect_solved(p.problem, {}, "open");
  ContactProblem isolated = p.problem;  // a contact without any inertia behind it
  for (double& x : isolated.W.value) x = 0;
  EXPECT_EQ(solve(isolated).status, Status::solved);
}

TEST(Solver, AGuessThatSolvesCostsOneResidual) {
  Random random(107);
  const Planted p = plant(random, 30, 3, 20, discs(random, 30));
  int checks = 0;
  SolverOptions options;
  options.progress = [&](const Iteration&) {
    ++checks;
    return true;
  };
  const Solution s = solve(p.problem, options, &p.reactions);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(checks, 1);
  EXPECT_EQ(s.iterations, 0);
}

TEST(Solver, StopsWhenTold) {
  Random random(108);
  const Planted p = plant(random, 30, 3, 20, discs(random, 30));
  SolverOptions options{.tolerance = 1e-13};
  options.progress = [](const Iteration&) { return false; };
  const Solution s = solve(p.problem, options);
  EXPECT_EQ(s.status, Status::stopped);
  EXPECT_EQ(s.reactions.size(), 90);
}

TEST(Solver, SameBitsTwiceAndAfterAnotherProblem) {
  Random random(109);
  const Planted a = plant(random, 30, 3, 10, discs(random, 30));
  const Planted b = plant(random, 25, 3, 10, discs(random, 25));
  ContactSolver solver;
  const Eigen::VectorXd first = solver.solve(a.problem).reactions;
  solver.solve(b.problem);
  EXPECT_EQ(solver.solve(a.problem).reactions, first);
}

// Bilateral rows: a pendulum bob on a rod is held by its joint, so the contact under it carries
// only what the joint does not.  Two bodies on a line, joined: the second transmits the push.
TEST(Condensed, JointsActAsConstraints) {
  // Unit masses at velocities v1, v2 along the normal; the joint v1 = v2; contact at body 1.
  GlobalProblem p;
  p.dimension = 2;
  p.M.resize(2, 2);
  p.M.setIdentity();
  p.H.resize(2, 2);
  p.H.insert(0, 0) = 1;
  p.f = Eigen::Vector2d(-1, -3);
  p.w = Eigen::Vector2d(0, 0);
  p.laws.resize(1);
  p.laws[0].mu = 0.3;
  Eigen::SparseMatrix<double> G(1, 2);
  G.insert(0, 0) = 1;
  G.insert(0, 1) = -1;
  p.joints = {G, Eigen::VectorXd::Zero(1)};
  const Condensed c(p);
  // Together they weigh 2: W_nn = ½, q_n = −2, so r_n = 4 stops both.
  EXPECT_NEAR(to_sparse(c.local().W).coeff(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(c.local().q[0], -2, 1e-15);
  const Solution s = solve(c.local());
  EXPECT_NEAR(s.reactions[0], 4, 1e-14);
  EXPECT_LE(c.generalized_velocities(s.reactions).norm(), 1e-14);
}

TEST(Condensed, SingularMassIsRefused) {
  GlobalProblem p;
  p.M.resize(3, 3);
  p.H.resize(3, 3);
  p.H.setIdentity();
  p.f = p.w = Vec3(1, 0, 0);
  p.laws.resize(1);
  EXPECT_THROW(Condensed{p}, InvalidInput);
}

// Ten digits between the sizes of components: r is exact, and large only beside the mean of W.
TEST(Solver, SolvesContactsOfDifferentSizes) {
  for (const double ratio : {1e-12, 1e-10, 1e10, 1e12}) {
    ContactProblem p;
    p.laws.resize(2);
    for (Law& law : p.laws) law.mu = 0.1;
    Eigen::VectorXd diagonal(6);
    diagonal << 1, ratio, ratio, ratio, 1, 1;
    p.W = block_matrix(Eigen::MatrixXd(diagonal.asDiagonal()), 3);
    p.q.resize(6);
    p.q << -1, 0.01 * std::min(ratio, 1.0), 0.02 * std::min(ratio, 1.0), -std::min(ratio, 1.0), 0,
        0;
    const Solution solution = solve(p);
    EXPECT_EQ(solution.status, Status::solved) << ratio;
    EXPECT_NEAR(solution.reactions[0], 1, 1e-7) << ratio;
  }
}

// Unsymmetric and indefinite W have traps that no start avoids; of few contacts every solution is
// listed.
TEST(Solver, FindsWhatEnumerationFinds) {
  Random random(27);
  int listed = 0;
  for (int k = 0; k < 1500; ++k) {
    const int d = random.integer(2, 3), n = d == 2 ? random.integer(1, 3) : 1;
    Eigen::MatrixXd W(d * n, d * n);
    for (double& x : W.reshaped()) x = random.uniform(-1, 1);
    if (k % 2 == 0) W = (W + W.transpose()).eval();
    ContactProblem p;
    p.dimension = d;
    p.W = block_matrix(W, d);
    p.q.resize(d * n);
    for (double& x : p.q) x = random.uniform(-1, 1);
    p.laws.resize(static_cast<std::size_t>(n));
    for (Law& law : p.laws) law.mu = random.uniform(0, 3);
    if (enumerate(p).solutions.empty()) continue;
    ++listed;
    EXPECT_EQ(solve(p).status, Status::solved) << k;
  }
  EXPECT_GT(listed, 1000);
}

// One contact that slides, in units from the smallest to the largest: what doubles can hold is
// solved, everything else refused.
TEST(Solver, AnySizeIsSolvedOrRefused) {
  const Eigen::Matrix3d W{{2, 0.3, 0.1}, {0.3, 1.5, 0}, {0.1, 0, 1}};
  const Vec3 q(-1, 2, 0.5);
  const auto problem_of = [&](double W_size, double q_size, const Law& law, int d) {
    ContactProblem p;
    p.dimension = d;
    p.W = block_matrix(Eigen::MatrixXd(W_size * W.topLeftCorner(d, d)), d);
    p.q = q_size * q.head(d);
    p.laws = {law};
    return p;
  };
  Law disc, square;
  disc.mu = square.mu = 0.5;
  square.curve = Law::Curve::ngon;
  square.sides = 4;
  std::vector<double> sizes;
  for (int e = -300; e <= 300; e += 20) sizes.push_back(std::pow(10.0, e));
  for (const double more : {1e-162, 1e-155, 1e154, 1e155}) sizes.push_back(more);
  int solved = 0, refused = 0;
  for (const auto& [law, d] : {std::pair(disc, 3), std::pair(square, 3), std::pair(disc, 2)}) {
    const Eigen::VectorXd right = solve(problem_of(1, 1, law, d), {.tolerance = 1e-12}).reactions;
    for (const double W_size : sizes)
      for (const double q_size : sizes) {
        const ContactProblem p = problem_of(W_size, q_size, law, d);
        const auto expect_right = [&](const Eigen::VectorXd& r, const Certificate& c) {
          EXPECT_LE((r / q_size * W_size - right).norm(), 1e-7) << W_size << ' ' << q_size;
          EXPECT_LE(c.scaled, 1e-8) << W_size << ' ' << q_size;
          for (const double x : {c.natural_map, c.relative, c.scaled, c.cone_violation,
                                 c.penetration, c.complementarity, c.slip_alignment, c.dissipation})
            EXPECT_TRUE(std::isfinite(x)) << W_size << ' ' << q_size;
        };
        const double exponent = std::log10(q_size) - std::log10(W_size);
        const double power = exponent + std::log10(q_size);
        const bool holds = std::abs(exponent) < 300 && power < 307;
        try {
          const Solution s = solve(p);
          ++solved;
          EXPECT_EQ(s.status, Status::solved) << W_size << ' ' << q_size << ' ' << d;
          EXPECT_TRUE(s.certificate.within(1e-8)) << W_size << ' ' << q_size;
          expect_right(s.reactions, s.certificate);
          const Certificate again = certify(p, s.reactions);
          EXPECT_EQ(again.relative, s.certificate.relative);
          EXPECT_EQ(again.scaled, s.certificate.scaled);
          // A wrong one is told from a right one.
          EXPECT_FALSE(certify(p, s.reactions / 2).within(1e-8)) << W_size << ' ' << q_size;
          const Enumeration all = enumerate(p);
          ASSERT_EQ(all.solutions.size(), 1U) << W_size << ' ' << q_size;
          EXPECT_TRUE(all.complete);
          // Not `relative`: with small W it compares the rounding of r with u.
          expect_right(all.solutions[0].reactions, all.solutions[0].certificate);
        } catch (const InvalidInput& error) {
          ++refused;
          EXPECT_FALSE(holds) << error.what();
        }
      }
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(refused, 100);
}

// Several contacts, in other units of q alone: the reactions have the same digits.
TEST(Solver, AnySizeOfSeveralContacts) {
  Random random(28);
  for (int i = 0; i < 20; ++i) {
    const int d = i % 2 == 0 ? 3 : 2, contacts = random.integer(2, 20);
    const Planted p = plant(random, contacts, d, 1 + contacts / 2, discs(random, contacts));
    for (const int q : {-900, -500, -160, 160, 490}) {
      ContactProblem other = p.problem;
      other.q *= std::ldexp(1, q);
      const Solution s = solve(other);
      EXPECT_EQ(s.status, Status::solved) << i << ' ' << q;
      const Eigen::VectorXd r = s.reactions * std::ldexp(1, -q);
      EXPECT_TRUE(certify(p.problem, r).within(1e-8)) << i << ' ' << q;
      Eigen::VectorXd u;
      multiply(p.problem.W, r, u);
      u += p.problem.q;
      EXPECT_LE((s.velocities * std::ldexp(1, -q) - u).norm(), 1e-12 * (1 + u.norm()));
      // Its own answer, as a guess, costs one residual.
      EXPECT_EQ(solve(other, {}, &s.reactions).iterations, 0) << i << ' ' << q;
    }
  }
}

// Contacts that wedge: planted problems with friction far above one, of two to thirty contacts on
// as many bodies or fewer, so that a solution exists.
TEST(Solver, WedgesAreMostlySolved) {
  ContactSolver solver;
  const int count = repeats(100);
  for (const auto& [mu, share] :
       {std::pair(2.0, 0.98), std::pair(4.0, 0.95), std::pair(10.0, 0.9)}) {
    Random random(120);
    int solved = 0;
    for (int k = 0; k < count; ++k) {
      const int contacts = random.integer(2, 30), d = random.integer(0, 3) == 0 ? 2 : 3;
      std::vector<Law> laws(static_cast<std::size_t>(contacts));
      for (Law& law : laws) law.mu = mu;
      const Planted p = plant(random, contacts, d, random.integer(1, contacts), laws);
      const Solution& s = solver.solve(p.problem, {.max_seconds = 10 * STICTION_SLOWED});
      if (certify(p.problem, s.reactions).within(1e-8)) ++solved;
    }
    RecordProperty("mu_" + std::to_string(static_cast<int>(mu)), solved);
    EXPECT_GE(solved, share * count) << mu;
  }
}

// Boxes with masses in a geometric series to 3.5e4, under any law, moving: solutions always exist.
TEST(Solver, StacksWithGeometricMassesAreSolved) {
  Random random(121);
  ContactSolver solver;
  for (int k = 0; k < 40; ++k) {
    const int boxes = random.integer(2, 25);
    const ContactProblem p =
        stack(random, stack_masses(random, boxes, 3.5e4), 4, mixed_laws(random, 4 * boxes), true);
    const Solution& s = solver.solve(p, {.max_seconds = 10 * STICTION_SLOWED});
    EXPECT_EQ(s.status, Status::solved) << k;
  }
}

// The same number of iterations on every machine, never more than asked, whatever the method.
TEST(Solver, KeepsItsBudgetOfIterations) {
  Random random(122);
  const Planted p = plant(random, 40, 2, 12, discs(random, 40));
  for (const Method method :
       {Method::automatic, Method::gauss_seidel, Method::newton, Method::lemke, Method::active_set})
    for (const int most : {1, 2, 3, 7}) {
      const Solution s = solve(
          p.problem, {.tolerance = 1e-15, .method = method, .max_iterations = most, .threads = 1});
      EXPECT_LE(s.iterations, most) << to_text(method);
      EXPECT_EQ(s.status, Status::time_limit) << to_text(method) << ' ' << most;
    }
}

// Sweeps by themselves are looked at seldom, and end in time nevertheless.
TEST(Solver, KeepsItsBudgetOfTime) {
  Random random(123);
  const Planted p = plant_sparse(random, 3000, 1000, discs(random, 3000));
  for (const Method method : {Method::automatic, Method::gauss_seidel, Method::newton}) {
    const double seconds = 0.2;
    const Solution s = solve(
        p.problem, {.tolerance = 1e-15, .method = method, .max_seconds = seconds, .threads = 1});
    // A machine that does other things takes its time.
    if (s.status == Status::time_limit) {
      EXPECT_LE(s.seconds, 1.5 * STICTION_SLOWED * seconds) << to_text(method);
    }
  }
}

}  // namespace
}  // namespace stiction::testing
