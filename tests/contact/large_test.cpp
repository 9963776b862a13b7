// SPDX-License-Identifier: Apache-2.0
//
// Problems of thousands of contacts: the linear algebra they need, and the same bits from any
// number of threads.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "contact/linear/contact_graph.h"
#include "contact/linear/held_shift_system.h"
#include "contact/linear/newton_system.h"
#include "contact/problem/reordered.h"
#include "scenes.h"
#include "stiction/solver.h"
#include "support/random.h"

namespace stiction {
namespace {

using testing::Random;

Solution solved(const ContactProblem& problem, double tolerance, int threads = 1,
                Model model = Model::coulomb) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.threads = threads;
  options.model = model;
  options.max_seconds = 300;
  return solve(problem, options);
}

std::vector<int> diagonal_blocks(const BlockMatrix& W) {
  std::vector<int> places;
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k)
      if (W.column[static_cast<std::size_t>(k)] == i) places.push_back(k);
  return places;
}

TEST(ContactGraph, ColoursAndDomainsKeepNeighboursApart) {
  for (const char* family : {"granular", "tower", "chain"}) {
    const ContactGraph graph(scenes::contact_problem(scenes::make_scene(family, 3000, 1)).W);
    for (const bool colouring : {true, false}) {
      const Parts parts = colouring ? colours(graph) : domains(graph, 8);
      std::vector<int> part(static_cast<std::size_t>(graph.size()), -1);
      for (int p = 0; p < parts.size(); ++p)
        for (int k = parts.start[static_cast<std::size_t>(p)];
             k < parts.start[static_cast<std::size_t>(p) + 1]; ++k)
          part[static_cast<std::size_t>(parts.order[static_cast<std::size_t>(k)])] = p;
      const int separator = parts.size() - 1;
      for (int i = 0; i < graph.size(); ++i) {
        const int here = part[static_cast<std::size_t>(i)];
        ASSERT_GE(here, 0) << family;
        graph.each_neighbour(i, [&](int j) {
          const int there = part[static_cast<std::size_t>(j)];
          if (colouring) {
            EXPECT_NE(here, there) << family;
          } else {
            EXPECT_TRUE(here == there || here == separator || there == separator) << family;
          }
        });
      }
      if (!colouring && std::string(family) != "granular") {
        EXPECT_GT(parts.size(), 2) << family << ": no domains to share";
      }
    }
  }
}

// As far as rounding allows, and no further: what is asked below it ends soon, as not solved.
TEST(Solver, StopsAtRounding) {
  for (const std::string& family : scenes::families()) {
    const ContactProblem problem = scenes::contact_problem(scenes::make_scene(family, 300, 1));
    const Solution fine = solved(problem, 1e-12);
    EXPECT_EQ(fine.status, Status::solved) << family;
    const Solution finest = solved(problem, 1e-18);
    EXPECT_EQ(finest.status, Status::stalled) << family;
    EXPECT_LE(finest.certificate.scaled, 1e-15) << family;
    EXPECT_LT(finest.iterations, 1000) << family;
  }
}

// J x = b as a dense matrix says, for the factors, for GMRES and for conjugate gradients.
TEST(NewtonSystem, AgreesWithADenseSolve) {
  Random random(7);
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("granular", 1200, 3));
  const BlockMatrix& W = problem.W;
  const int n = problem.contacts();
  const auto size = static_cast<std::size_t>(n);
  std::vector<Eigen::Matrix3d> P(size), A(size), C(size);
  std::vector<double> rho(size), alpha(size);
  std::vector<char> open(size);
  for (std::size_t i = 0; i < size; ++i) {
    rho[i] = random.uniform(0.5, 2);
    alpha[i] = random.uniform(0.05, 0.1);
    const Vec3 v = random.direction3();
    switch (random.integer(0, 4)) {
      case 0:
        P[i].setZero();
        break;
      case 1:
        P[i] = Eigen::Matrix3d::Identity() - random.uniform(0.1, 1) * v * v.transpose();
        break;
      case 2:
        P[i] = v * v.transpose();
        break;
      default:
        P[i].setIdentity();
    }
    open[i] = P[i].isZero(0) ? 1 : 0;
    A[i] = rho[i] * P[i];
    C[i] = rho[i] * alpha[i] * P[i] + Eigen::Matrix3d::Identity() - P[i];
  }
  Eigen::MatrixXd J = to_sparse(W);
  Eigen::VectorXd b(3 * n);
  for (int i = 0; i < n; ++i) {
    J.middleRows<3>(3 * i) = A[static_cast<std::size_t>(i)] * J.middleRows<3>(3 * i).eval();
    J.block<3, 3>(3 * i, 3 * i) += C[static_cast<std::size_t>(i)];
    b.segment<3>(3 * i) = random.direction3();
  }
  const Eigen::VectorXd expected = J.partialPivLu().solve(b);

  for (const int threads : {1, 3}) {
    Team team(threads);
    NewtonSystem<3> system;
    system.analyse(W);
    ASSERT_FALSE(system.factorises()) << "the scene should be too entangled";
    Eigen::VectorXd x = b;
    ConvexSystem<3> convex;
    convex.analyse(W);
    ASSERT_TRUE(
        convex.solve(W, diagonal_blocks(W), P, rho, alpha, Precision::full, x, 1e-13, team));
    // Eigenvectors in closed form are good to half the digits.
    EXPECT_LE((x - expected).norm(), 1e-7 * expected.norm()) << "conjugate gradients";
    x = b;
    ASSERT_TRUE(
        convex.solve(W, diagonal_blocks(W), P, rho, alpha, Precision::single, x, 1e-13, team));
    EXPECT_LE((x - expected).norm(), 1e-5 * expected.norm()) << "in single precision";
    x = b;
    ASSERT_TRUE(system.solve(W, A, C, open, x, 1e-10, team));
    EXPECT_LE((x - expected).norm(), 1e-6 * expected.norm()) << "GMRES";
    system.insist(W);
    ASSERT_TRUE(system.factorises());
    x = b;
    ASSERT_TRUE(system.solve(W, A, C, open, x, 0, team));
    EXPECT_LE((x - expected).norm(), 1e-9 * expected.norm()) << "factors";
  }
}

// In the plane, on the normal and one tangent of the same heap.
TEST(ConvexSystem, AgreesWithADenseSolveInThePlane) {
  Random random(8);
  const ContactProblem space = scenes::contact_problem(scenes::make_scene("granular", 300, 3));
  const int n = space.contacts();
  const auto size = static_cast<std::size_t>(n);
  const Eigen::MatrixXd all = to_sparse(space.W);
  Eigen::MatrixXd J(2 * n, 2 * n);
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < 2 * n; ++j) J(i, j) = all(3 * (i / 2) + i % 2, 3 * (j / 2) + j % 2);
  const BlockMatrix W = block_matrix(J, 2);
  std::vector<Eigen::Matrix2d> P(size);
  std::vector<double> rho(size), alpha(size);
  Eigen::VectorXd b(2 * n);
  for (int i = 0; i < n; ++i) {
    const auto ii = static_cast<std::size_t>(i);
    rho[ii] = random.uniform(0.5, 2);
    alpha[ii] = random.uniform(0.05, 0.1);
    const Vec2 v = random.direction();
    const int kind = random.integer(0, 3);
    P[ii] = kind == 0   ? Eigen::Matrix2d(Eigen::Matrix2d::Zero())
            : kind == 1 ? Eigen::Matrix2d(v * v.transpose())
                        : Eigen::Matrix2d(Eigen::Matrix2d::Identity());
    J.middleRows<2>(2 * i) = rho[ii] * P[ii] * J.middleRows<2>(2 * i).eval();
    J.block<2, 2>(2 * i, 2 * i) +=
        rho[ii] * alpha[ii] * P[ii] + Eigen::Matrix2d::Identity() - P[ii];
    b.segment<2>(2 * i) = random.direction();
  }
  const Eigen::VectorXd expected = J.partialPivLu().solve(b);
  Team team(1);
  ConvexSystem<2> convex;
  convex.analyse(W);
  for (const auto& [precision, error] :
       {std::pair{Precision::full, 1e-7}, {Precision::single, 1e-5}}) {
    Eigen::VectorXd x = b;
    ASSERT_TRUE(convex.solve(W, diagonal_blocks(W), P, rho, alpha, precision, x, 1e-13, team));
    EXPECT_LE((x - expected).norm(), error * expected.norm());
  }
}

// Cut into parts that threads share, in an order in which few contacts join them and in one in
// which most do; with contacts that have no unknowns, all of the first part's among them.
TEST(ConvexSystem, FindsAPlantedAnswerWhereContactsArePutIntoParts) {
  const ContactProblem poured = scenes::contact_problem(scenes::make_scene("pile", 4400, 3));
  Reordered reordered;
  const ContactProblem& neighbours = reordered.set(poured);
  ASSERT_NE(&neighbours, &poured);
  for (const ContactProblem* problem : {&poured, &neighbours}) {
    Random random(9);
    const BlockMatrix& W = problem->W;
    const int n = problem->contacts();
    const auto size = static_cast<std::size_t>(n);
    std::vector<Eigen::Matrix3d> P(size);
    std::vector<double> rho(size, 1.5), alpha(size, 0.1);
    Eigen::VectorXd planted(3 * n);
    for (int i = 0; i < n; ++i) {
      const Vec3 v = random.direction3();
      P[static_cast<std::size_t>(i)] = i < 1200 || i % 7 == 0
                                           ? Eigen::Matrix3d(Eigen::Matrix3d::Zero())
                                       : i % 7 == 1 ? Eigen::Matrix3d(v * v.transpose())
                                                    : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
      planted.segment<3>(3 * i) = random.direction3();
    }
    const Eigen::VectorXd velocities = to_sparse(W) * planted + 0.1 * planted;
    Eigen::VectorXd b(3 * n);
    for (int i = 0; i < n; ++i) {
      const Eigen::Matrix3d& P_i = P[static_cast<std::size_t>(i)];
      const Vec3 x = planted.segment<3>(3 * i);
      b.segment<3>(3 * i) = 1.5 * P_i * velocities.segment<3>(3 * i) + x - P_i * x;
    }
    ConvexSystem<3> convex;
    convex.analyse(W);
    for (const int threads : {1, 3}) {
      Team team(threads);
      Eigen::VectorXd x = b;
      ASSERT_TRUE(
          convex.solve(W, diagonal_blocks(W), P, rho, alpha, Precision::full, x, 1e-13, team));
      EXPECT_LE((x - planted).norm(), 1e-7 * planted.norm());
    }
  }
}

// Heaps by conjugate gradients, towers by factors; sweeps in colours; all shared.
TEST(Threads, AnyNumberGivesTheSameBits) {
  for (const char* family : {"granular", "tower"}) {
    const ContactProblem problem = scenes::contact_problem(scenes::make_scene(family, 4400, 2));
    const Solution alone = solved(problem, 1e-5, 1);
    ASSERT_EQ(alone.status, Status::solved) << family;
    for (const int threads : {2, 3, 7}) {
      const Solution shared = solved(problem, 1e-5, threads);
      EXPECT_EQ(shared.iterations, alone.iterations) << family << " on " << threads;
      EXPECT_TRUE((shared.reactions.array() == alone.reactions.array()).all())
          << family << " on " << threads;
    }
  }
}

TEST(Large, EveryFamilyIsSolvedToTheLastDigitsAndCarriesItsWeight) {
  for (const std::string& family : scenes::families()) {
    const scenes::Scene scene = scenes::make_scene(family, 2000, 5);
    const Solution solution = solved(scenes::contact_problem(scene), 1e-8);
    EXPECT_EQ(solution.status, Status::solved) << family;
    EXPECT_TRUE(solution.certificate.within(1e-8)) << family;
    const Vec3 weight = scenes::weight_impulse(scene);
    EXPECT_LE((scenes::ground_impulse(scene, solution.reactions) - weight).norm(),
              1e-3 * weight.norm())
        << family;
  }
}

// Contacts that slip on the way to rest: a shift for slips that end would hold them up for ever.
TEST(Large, ABoxThatComesToRestSlowlyIsSolvedToTheLastDigits) {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("granular", 4000, 1));
  const Solution solution = solved(problem, 1e-8, 2);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_LT(solution.iterations, 150);
  double fastest = 0;  // of the contacts that bear
  for (int i = 0; i < problem.contacts(); ++i)
    if (solution.reactions[3 * i] > 0)
      fastest = std::max(fastest, solution.velocities.segment<3>(3 * i).norm());
  EXPECT_LE(fastest, 1e-6 * problem.q.cwiseAbs().maxCoeff());
}

// A few contacts slip where the convex problem has an answer.  A shift for the noise in all the
// others would drive their reactions along the null space of W, for ever.
TEST(Large, AHeapOfWhichALittleSlipsIsSolvedToTheLastDigits) {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("pile", 3000, 6));
  const Solution solution = solved(problem, 1e-8);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_TRUE(solution.certificate.within(1e-8));
  EXPECT_LT(solution.iterations, 150);
}

// With less friction a pocket of balls rolls off.  What slips there grows from shift to shift, and
// is lost if it has to stand out anew each time.
TEST(Large, ABoxOfWhichAPocketRollsOffIsSolved) {
  ContactProblem problem = scenes::contact_problem(scenes::make_scene("granular", 3000, 1));
  for (Law& law : problem.laws) law.mu = 0.4;
  const Solution solution = solved(problem, 1e-4);
  EXPECT_EQ(solution.status, Status::solved);
  const double fast = 0.01 * problem.q.cwiseAbs().maxCoeff();
  int sliding = 0;
  for (int i = 0; i < problem.contacts(); ++i)
    if (solution.reactions[3 * i] > 0 && solution.velocities.segment<2>(3 * i + 1).norm() > fast)
      ++sliding;
  EXPECT_GT(sliding, 0);
}

// From the reactions of a step before a heap goes on by convex problems, with a shift for what
// slipped then.
TEST(Large, GoesOnFromAGuess) {
  Random random(5);
  for (const double mu : {0.8, 0.4}) {
    ContactProblem problem = scenes::contact_problem(scenes::make_scene("granular", 3000, 2));
    for (Law& law : problem.laws) law.mu = mu;
    const Solution before = solved(problem, 1e-4);
    ASSERT_EQ(before.status, Status::solved) << mu;
    Eigen::VectorXd push(problem.q.size()), change;
    for (double& p : push) p = random.uniform(-1, 1);
    multiply(problem.W, push, change);
    problem.q += 0.01 * problem.q.norm() / change.norm() * change;
    const SolverOptions options{.tolerance = 1e-6, .max_seconds = 300, .threads = 1};
    const Solution after = solve(problem, options, &before.reactions);
    EXPECT_EQ(after.status, Status::solved) << mu;
    EXPECT_TRUE(after.certificate.within(1e-6)) << mu;
  }
}

// A heap's own order is as random as it was poured: the problem in order is the same problem.
TEST(Reordered, IsTheSameProblem) {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("pile", 5000, 1));
  Reordered reordered;
  const ContactProblem& other = reordered.set(problem);
  ASSERT_NE(&other, &problem);
  Random random(5);
  Eigen::VectorXd r(problem.q.size());
  for (double& x : r) x = random.uniform(-1, 1);
  Eigen::VectorXd u, v;
  multiply(problem.W, r, u);
  u += problem.q;
  multiply(other.W, reordered.there(r), v);
  v += other.q;
  reordered.back(v);
  EXPECT_LE((u - v).norm(), 1e-13 * u.norm());
  Eigen::VectorXd back = reordered.there(r);
  reordered.back(back);
  EXPECT_TRUE(back == r);
  const Certificate here = certify(problem, r), there = certify(other, reordered.there(r));
  EXPECT_NEAR(here.scaled, there.scaled, 1e-12 * here.scaled) << "the laws should have moved too";
  // What acts on each other stands close together.
  const auto spread = [](const BlockMatrix& W) {
    double sum = 0;
    for (int i = 0; i < W.rows(); ++i)
      for (int k = W.start[static_cast<std::size_t>(i)];
           k < W.start[static_cast<std::size_t>(i) + 1]; ++k)
        sum += std::abs(W.column[static_cast<std::size_t>(k)] - i);
    return sum;
  };
  EXPECT_LT(spread(other.W), 0.5 * spread(problem.W));
  // A chain is in order already.
  const ContactProblem chain = scenes::contact_problem(scenes::make_scene("chain", 5000, 1));
  EXPECT_EQ(&reordered.set(chain), &chain);
  EXPECT_TRUE(reordered.there(r) == r);
}

// A guess comes in the problem's order, and reactions and velocities leave in it.
TEST(Reordered, TheSolutionIsThatOfTheProblemGiven) {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("pile", 4500, 2));
  ContactSolver solver;
  SolverOptions options;
  options.tolerance = 1e-6;
  const Solution first = solver.solve(problem, options);
  ASSERT_EQ(first.status, Status::solved);
  EXPECT_TRUE(certify(problem, first.reactions).within(1e-6));
  Eigen::VectorXd u;
  multiply(problem.W, first.reactions, u);
  EXPECT_LE((u + problem.q - first.velocities).norm(), 1e-12 * problem.q.norm());
  const Solution again = solver.solve(problem, options, &first.reactions);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_TRUE(again.reactions == first.reactions);
}

TEST(Large, ConvexModel) {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("pile", 2000, 1));
  const Solution solution = solved(problem, 1e-8, 1, Model::convex);
  EXPECT_EQ(solution.status, Status::solved);
}

// Without symmetry conjugate gradients would be wrong.
TEST(Large, UnsymmetricHeap) {
  ContactProblem problem = scenes::contact_problem(scenes::make_scene("granular", 1500, 1));
  BlockMatrix& W = problem.W;
  Random random(3);
  for (int i = 0; i < W.rows(); ++i)  // plus a skew part
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      const int j = W.column[static_cast<std::size_t>(k)];
      if (j <= i) continue;
      const auto there =
          std::lower_bound(W.column.begin() + W.start[static_cast<std::size_t>(j)],
                           W.column.begin() + W.start[static_cast<std::size_t>(j) + 1], i);
      const double entry = random.uniform(-1e-6, 1e-6);
      W.at(k)[0] += entry;
      W.at(static_cast<int>(there - W.column.begin()))[0] -= entry;
    }
  EXPECT_EQ(solved(problem, 1e-4).status, Status::solved);
}

}  // namespace
}  // namespace stiction
