// SPDX-License-Identifier: Apache-2.0
//
// Problems in global form solved in the space of the bodies.  Reactions are not unique where
// contacts are redundant: answers are judged by the certificate that the condensed problem gives.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "contact/bodies/solve_bodies.h"
#include "scenes.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

const SolverOptions by_bodies{.method = Method::bodies, .max_seconds = 20 * STICTION_SLOWED};

// Rigid bodies with contacts at random points, each with the next or the ground; reactions and
// velocities are chosen first, so that there is a solution.
GlobalProblem planted(Random& random, int contacts, int bodies, const std::vector<Law>& laws,
                      Model model = Model::coulomb) {
  Planted modes = plant_modes(random, contacts, 3, laws);
  for (int i = 0; i < contacts && model == Model::convex; ++i)  // u itself is in K*
    modes.velocities[3 * i] += limit_curve(laws[static_cast<std::size_t>(i)])
                                   .support(modes.velocities.segment<2>(3 * i + 1));
  GlobalProblem p;
  p.laws = laws;
  p.H = random_jacobian(random, contacts, 3, bodies);
  p.M.resize(6 * bodies, 6 * bodies);
  p.M.setIdentity();
  for (int i = 0; i < bodies; ++i) {
    const double mass = random.decades(-0.5, 0.5);
    for (int k = 0; k < 6; ++k) p.M.coeffRef(6 * i + k, 6 * i + k) = mass * (k < 3 ? 1 : 0.2);
  }
  p.f = Eigen::VectorXd::NullaryExpr(6 * bodies, [&] { return random.uniform(-1, 1); });
  const Eigen::VectorXd inverse = p.M.diagonal().cwiseInverse();
  const Eigen::VectorXd v = inverse.cwiseProduct(p.f + p.H.transpose() * modes.reactions);
  p.w = modes.velocities - p.H * v;
  return p;
}

// Solved, by this method, and so says whoever condenses; `rounding` is that of velocities.
void expect_solved(const GlobalProblem& p, const Solution& s, const std::string& what,
                   Model model = Model::coulomb, double rounding = 1e-12) {
  ASSERT_EQ(s.status, Status::solved) << what;
  EXPECT_EQ(s.method, Method::bodies) << what;
  const Condensed condensed(p);
  const Certificate with_W = certify(condensed.local(), s.reactions, model);
  EXPECT_TRUE(with_W.within(1.01e-8)) << what;
  EXPECT_NEAR(s.certificate.scaled, with_W.scaled, 1e-3 * with_W.scaled + rounding) << what;
  EXPECT_NEAR(s.certificate.relative, with_W.relative, 1e-3 * with_W.relative + rounding) << what;
  const Eigen::VectorXd v = condensed.generalized_velocities(s.reactions);
  EXPECT_LE((s.generalized_velocities - v).norm(), 10 * rounding * (1 + v.norm())) << what;
  EXPECT_LE((s.velocities - (p.H * v + p.w)).norm(), 10 * rounding * (1 + v.norm())) << what;
}

TEST(Bodies, PlantedDiscs) {
  Random random(301);
  for (int trial = 0; trial < 60; ++trial) {
    const int contacts = random.integer(1, 60), bodies = random.integer(1, 12);
    const GlobalProblem p = planted(random, contacts, bodies, discs(random, contacts, 0, 0.6));
    expect_solved(p, solve(p, by_bodies), "trial " + std::to_string(trial));
  }
}

TEST(Bodies, EllipsesAndContactsThatCarryNoFriction) {
  Random random(302);
  for (int trial = 0; trial < 40; ++trial) {
    const int contacts = random.integer(1, 40), bodies = random.integer(1, 10);
    std::vector<Law> laws = discs(random, contacts, 0.1, 0.5);
    for (Law& law : laws) switch (random.integer(0, 3)) {
        case 0:
          law = parse_law("ellipse:0.5,0.1," + std::to_string(random.integer(-90, 90)));
          break;
        case 1:
          law = parse_law("free");
          break;
        case 2:
          law.mu = 0;
          break;
        default:
          break;
      }
    const GlobalProblem p = planted(random, contacts, bodies, laws);
    expect_solved(p, solve(p, by_bodies), "trial " + std::to_string(trial));
  }
}

TEST(Bodies, ConvexModel) {
  Random random(303);
  SolverOptions options = by_bodies;
  options.model = Model::convex;
  for (int trial = 0; trial < 40; ++trial) {
    const int contacts = random.integer(1, 60), bodies = random.integer(1, 12);
    const GlobalProblem p =
        planted(random, contacts, bodies, discs(random, contacts, 0, 1), Model::convex);
    expect_solved(p, solve(p, options), "trial " + std::to_string(trial), Model::convex);
  }
}

// Bodies at rest under their weight: all stays at rest, and the ground carries what they weigh.
TEST(Bodies, ScenesAtRest) {
  for (const char* family : {"tower", "pile", "arch"}) {
    const scenes::Scene scene = scenes::make_scene(family, 200, 3);
    const GlobalProblem p = scenes::global_problem(scene);
    const Solution s = solve(p, by_bodies);
    expect_solved(p, s, family);
    EXPECT_LE(s.generalized_velocities.norm(), 1e-5) << family;
    const Vec3 weight = scenes::weight_impulse(scene);
    EXPECT_LE((scenes::ground_impulse(scene, s.reactions) - weight).norm(), 1e-5 * weight.norm());
  }
}

// A wall of bricks in running bond, four contacts an interface, pushed along by `push` times its
// weight.
scenes::Scene wall(int rows, int columns, double mu, const Vec3& gravity) {
  scenes::Scene scene;
  scene.gravity = gravity;
  const auto index = [&](int row, int column) { return row * columns + column; };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      scenes::Body body;
      body.inertia = Vec3(0.2, 0.5, 0.5).asDiagonal();
      body.centre = Vec3(column + 0.5 * (row % 2), 0, 0.5 * row + 0.25);
      scene.bodies.push_back(body);
      for (const double side : {-0.25, 0.25})
        for (const double depth : {-0.2, 0.2})
          for (const double end : {-0.2, 0.2}) {
            scenes::Touch touch;
            touch.a = index(row, column);
            const double x = body.centre.x() + side + 0.8 * end;
            const int below = static_cast<int>(std::floor(x - 0.5 * ((row + 1) % 2) + 0.5));
            touch.b = row == 0 ? scenes::ground : index(row - 1, below);
            if (row > 0 && (below < 0 || below >= columns)) continue;
            touch.at = Vec3(x, depth, 0.5 * row);
            touch.mu = mu;
            scene.contacts.push_back(touch);
          }
    }
  return scene;
}

TEST(Bodies, WallsThatStandAndSlide) {
  for (const double push : {0.0, 0.3, 0.9})
    for (const double mu : {0.0, 0.3, 0.6, 1.2}) {
      const GlobalProblem p =
          scenes::global_problem(wall(6, 6, mu, Vec3(9.81 * push, 1 * push, -9.81)));
      ASSERT_GT(p.contacts(), 250);
      const std::string what = "push " + std::to_string(push) + ", mu " + std::to_string(mu);
      expect_solved(p, solve(p, by_bodies), what);
    }
}

// A light brick under heavy ones and the other way round.
TEST(Bodies, MassesAMillionApart) {
  for (const bool heavy_above : {false, true}) {
    scenes::Scene scene = wall(4, 4, 0.6, Vec3(1, 0, -9.81));
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if ((i / 4 % 2 == 1) == heavy_above) {
        scene.bodies[i].mass *= 1e6;
        scene.bodies[i].inertia *= 1e6;
      }
    const GlobalProblem p = scenes::global_problem(scene);
    expect_solved(p, solve(p, by_bodies), heavy_above ? "heavy above" : "heavy below",
                  Model::coulomb, 1e-9);  // what the light ones' velocities lose
  }
}

// Twice the same contact shares what one carries.
TEST(Bodies, TheSameContactTwice) {
  scenes::Scene scene = wall(2, 2, 0.5, Vec3(2, 0, -9.81));
  const std::size_t contacts = scene.contacts.size();
  for (std::size_t i = 0; i < contacts; ++i)
    for (int copy = 0; copy < 5; ++copy) scene.contacts.push_back(scene.contacts[i]);
  const GlobalProblem p = scenes::global_problem(scene);
  expect_solved(p, solve(p, by_bodies), "six times each");
}

// One box of 1 kg on four feet, pushed with 4 N over 10 ms against μ = 0.2: friction takes
// 0.2·9.81 N, and it slides with (4 − 1.962)·0.01 m/s.  By symmetry about the push nothing turns.
TEST(Bodies, OneBoxSlides) {
  scenes::Scene scene;
  scene.bodies.resize(1);
  scene.gravity = Vec3(4, 0, -9.81);
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      scenes::Touch touch;
      touch.at = Vec3(x, y, 0);
      touch.mu = 0.2;
      scene.contacts.push_back(touch);
    }
  const Solution s = solve(scenes::global_problem(scene), by_bodies);
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.method, Method::bodies);
  EXPECT_NEAR(s.generalized_velocities[0], (4 - 0.2 * 9.81) * 0.01, 1e-9);
  EXPECT_LE(s.generalized_velocities.tail<5>().norm(), 1e-9);
}

TEST(Bodies, NoContactsAndNoVelocity) {
  GlobalProblem none;
  none.M.resize(6, 6);
  none.M.setIdentity();
  none.H.resize(0, 6);
  none.f = Eigen::VectorXd::Constant(6, 2.0);
  none.w.resize(0);
  const Solution free = solve(none, by_bodies);
  EXPECT_EQ(free.status, Status::solved);
  EXPECT_EQ(free.generalized_velocities, none.f);
  Random random(304);
  GlobalProblem still = planted(random, 5, 3, discs(random, 5));
  still.f.setZero();
  still.w.setZero();
  const Solution rest = solve(still, by_bodies);
  EXPECT_EQ(rest.status, Status::solved);
  EXPECT_EQ(rest.reactions.norm(), 0);
}

// All contacts open: r = 0 is found before anything is factorised.
TEST(Bodies, FlyingApartTakesNoStep) {
  scenes::Scene scene = wall(3, 3, 0.5, Vec3(0, 0, -9.81));
  GlobalProblem p = scenes::global_problem(scene);
  p.w.setZero();
  for (int i = 0; i < p.contacts(); ++i) p.w[3 * i] = 5;
  const Solution s = solve(p, by_bodies);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.iterations, 0);
  EXPECT_EQ(s.reactions.norm(), 0);
}

// Units are no matter: the same steps lead to the same answer, but where the errors that are asked
// for depend on units.  A velocity scaled by a power of two changes no bit of a mantissa.
TEST(Bodies, UnitsDoNotMatter) {
  const GlobalProblem p = scenes::global_problem(wall(5, 5, 0.6, Vec3(2, 1, -9.81)));
  const Solution right = solve(p, by_bodies);
  GlobalProblem faster = p;
  faster.f *= 1024;
  faster.w *= 1024;
  const Solution fast = solve(faster, by_bodies);
  EXPECT_EQ(fast.iterations, right.iterations);
  EXPECT_EQ(fast.reactions, 1024 * right.reactions);
  for (const double factor : {1e-3, 1e3}) {
    GlobalProblem heavier = p;
    heavier.M *= factor;
    heavier.f *= factor;
    expect_solved(heavier, solve(heavier, by_bodies), std::to_string(factor));
  }
}

TEST(Bodies, SameBitsTwiceAndAfterOtherProblems) {
  const GlobalProblem p = scenes::global_problem(wall(5, 5, 0.6, Vec3(3, 1, -9.81)));
  const GlobalProblem other = scenes::global_problem(scenes::make_scene("arch", 150, 1));
  ContactSolver solver;
  const Eigen::VectorXd first = solver.solve(p, by_bodies).reactions;
  solver.solve(other, by_bodies);
  for (const int threads : {1, 2, 5}) {
    SolverOptions options = by_bodies;
    options.threads = threads;
    EXPECT_EQ(solver.solve(p, options).reactions, first);
  }
  EXPECT_EQ(solve(p, by_bodies).reactions, first);
}

TEST(Bodies, EveryProcessorsKernelsSolve) {
  const GlobalProblem p = scenes::global_problem(wall(5, 5, 0.5, Vec3(3, 1, -9.81)));
  const bodies::KernelList list = bodies::all_kernels();
  for (int k = 0; k < list.count; ++k)
    for (const Model model : {Model::coulomb, Model::convex}) {
      SolverOptions options = by_bodies;
      options.model = model;
      bodies::BodySolver solver(*list.kernels[k]);
      Solution s;
      solver.analyse(p);
      solver.solve(p, options, nullptr, s);
      expect_solved(p, s, list.kernels[k]->name, model);
    }
}

TEST(Bodies, AGuessThatSolvesTakesNoStep) {
  const GlobalProblem p = scenes::global_problem(wall(5, 5, 0.6, Vec3(2, 1, -9.81)));
  const Solution first = solve(p, by_bodies);
  const Solution again = solve(p, by_bodies, &first.reactions);
  EXPECT_EQ(again.status, Status::solved);
  EXPECT_EQ(again.iterations, 0);
}

// The next step of a wall at rest, its forces a little different: fewer steps than from nothing;
// and a guess of no use does no harm.
TEST(Bodies, AGuessNearbySavesSteps) {
  const GlobalProblem p = scenes::global_problem(wall(6, 6, 0.6, Vec3(0, 0, -9.81)));
  GlobalProblem next = p;
  Random random(305);
  for (double& x : next.f) x *= 1 + 1e-3 * random.uniform(-1, 1);
  const Solution before = solve(p, by_bodies), cold = solve(next, by_bodies);
  const Solution warm = solve(next, by_bodies, &before.reactions);
  expect_solved(next, warm, "warm");
  EXPECT_LT(warm.iterations, cold.iterations);
  Eigen::VectorXd useless = before.reactions;
  for (double& x : useless) x = 1e3 * random.uniform(-1, 1);
  expect_solved(next, solve(next, by_bodies, &useless), "useless");
}

// Polygons, joints, the plane and an M that is not symmetric go the old way.
TEST(Bodies, WhatIsNotForThemIsCondensed) {
  Random random(306);
  GlobalProblem p = planted(random, 6, 3, discs(random, 6, 0.1, 0.5));
  p.laws[2] = parse_law("pyramid:0.3");
  const Solution s = solve(p, by_bodies);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_NE(s.method, Method::bodies);
  GlobalProblem jointed = planted(random, 4, 4, discs(random, 4, 0.1, 0.5));
  Eigen::SparseMatrix<double> G(1, 24);
  G.insert(0, 0) = 1;
  G.insert(0, 6) = -1;
  jointed.joints = {G, Eigen::VectorXd::Zero(1)};
  const Solution joined = solve(jointed, by_bodies);
  EXPECT_NE(joined.method, Method::bodies);
  EXPECT_NEAR(joined.generalized_velocities[0], joined.generalized_velocities[6], 1e-12);
}

TEST(Bodies, RefusesWrongInput) {
  Random random(307);
  const Planted local = plant(random, 3, 3, 2, discs(random, 3));
  EXPECT_THROW(solve(local.problem, by_bodies), InvalidInput);
  GlobalProblem p = planted(random, 3, 2, discs(random, 3));
  const Eigen::VectorXd guess = Eigen::VectorXd::Zero(5);
  EXPECT_THROW(solve(p, by_bodies, &guess), InvalidInput);
  p.f[3] = std::nan("");
  EXPECT_THROW(solve(p, by_bodies), InvalidInput);
  p.f[3] = 0;
  p.M = Eigen::SparseMatrix<double>(12, 12);
  EXPECT_THROW(solve(p, by_bodies), InvalidInput);
}

TEST(Bodies, StopsWhenToldAndInTime) {
  const GlobalProblem p = scenes::global_problem(wall(5, 5, 0.6, Vec3(2, 1, -9.81)));
  SolverOptions options = by_bodies;
  int calls = 0;
  options.progress = [&](const Iteration&) { return ++calls < 3; };
  const Solution s = solve(p, options);
  EXPECT_EQ(s.status, Status::stopped);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(s.reactions.size(), 3 * p.contacts());
  options.progress = {};
  options.max_seconds = 1e-9;
  EXPECT_EQ(solve(p, options).status, Status::time_limit);
  options.max_seconds = by_bodies.max_seconds;
  const int needed = solve(p, options).iterations;
  ASSERT_GT(needed, 3);
  for (int most = 1; most < needed; ++most) {
    options.max_iterations = most;
    const Solution cut = solve(p, options);
    EXPECT_EQ(cut.status, Status::time_limit);
    EXPECT_LE(cut.iterations, most);
  }
}

TEST(Bodies, AreChosenWhereTheyPay) {
  const GlobalProblem bricks = scenes::global_problem(wall(5, 5, 0.6, Vec3(2, 1, -9.81)));
  EXPECT_TRUE(bodies_pay(bricks));
  EXPECT_EQ(solve(bricks).method, Method::bodies);
  // A chain has one contact a body: 3 rows to 6 freedoms.
  const GlobalProblem chain = scenes::global_problem(scenes::make_scene("chain", 100, 1));
  EXPECT_FALSE(bodies_pay(chain));
  EXPECT_NE(solve(chain).method, Method::bodies);
  Random random(308);
  EXPECT_FALSE(bodies_pay(planted(random, 8, 2, discs(random, 8))));
}

}  // namespace
}  // namespace stiction::testing
