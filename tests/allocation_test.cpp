// SPDX-License-Identifier: Apache-2.0
//
// Single queries allocate nothing, nor does a solver that saw the same pattern before.  This
// program counts every call of malloc, which operator new and Eigen end in.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "contact/linear/newton_system.h"
#include "scenes.h"
#include "stiction/friction_cone.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace {
std::atomic<long> allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT: glibc's own
void* aligned_alloc(std::size_t alignment, std::size_t size) {   // operator new of what is aligned
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace stiction::testing {
namespace {

TEST(Allocation, TheCounterCounts) {
  long before = allocations;
  const std::vector<LimitCurve> curves(3);
  EXPECT_GT(allocations, before);
  before = allocations;
  const Eigen::VectorXd vector = Eigen::VectorXd::Zero(100);
  EXPECT_GT(allocations, before);
}

TEST(Allocation, SingleQueriesAllocateNothing) {
  Random random(81);
  for (int kind = 0; kind < 4 * law_kinds; ++kind) {
    const LimitCurve curve = limit_curve(random.law(kind));
    const FrictionCone cone(curve);
    double sum = 0;
    const long before = allocations;
    for (int i = 0; i < 100; ++i) {
      const Vec2 v = random.decades(-200, 200) * random.direction();
      const Vec3 x = random.decades(-200, 200) * random.direction3();
      sum += curve.support(v) + curve.face(v).first.x() + curve.project(v).y();
      sum += curve.contains(v) ? 1 : 0;
      sum += curve.normals(curve.project(v)) ? 1 : 0;
      sum += cone.project(x).x() + cone.project_dual(x).y() + cone.distance(x) + cone.shift(x).x();
    }
    EXPECT_EQ(allocations, before) << kind << ' ' << sum;
  }
}

// The first solve allocates; with new numbers in the same pattern no other does, whichever method
// it takes.
void expect_no_allocation(ContactProblem problem, double tolerance, Method method, int threads) {
  ContactSolver solver;
  SolverOptions options;
  options.tolerance = tolerance;
  options.method = method;
  options.threads = threads;
  const Solution& solution = solver.solve(problem, options);
  ASSERT_EQ(solution.status, Status::solved);
  for (int k = 0; k < 3; ++k) {
    problem.q *= 1.01;
    for (double& value : problem.W.value) value *= 0.99;
    const long before = allocations;
    solver.solve(problem, options);
    EXPECT_EQ(allocations, before) << problem.contacts() << " contacts, " << to_text(method);
    EXPECT_EQ(solution.status, Status::solved);
  }
}

TEST(Allocation, ASolverAllocatesOnce) {
  Random random(82);
  for (const int dimension : {2, 3}) {
    const std::vector<Law> laws = discs(random, 30), mixed = mixed_laws(random, 30);
    for (const Method method : {Method::automatic, Method::newton}) {
      expect_no_allocation(plant(random, 30, dimension, 20, laws).problem, 1e-8, method, 1);
      expect_no_allocation(plant(random, 30, dimension, 20, mixed).problem, 1e-8, method, 1);
    }
  }
  for (const char* family : {"tower", "granular"})
    expect_no_allocation(scenes::contact_problem(scenes::make_scene(family, 4100, 1)), 1e-4,
                         Method::automatic, 2);
}

// In a heap Newton's method does without factors at first and insists on them in the end, in every
// solve anew: each way keeps its analysis.
TEST(Allocation, FactorsThatAreInsistedOnKeepTheirAnalysis) {
  Random random(83);
  const BlockMatrix W = plant_sparse(random, 1200, 80, discs(random, 1200)).problem.W;
  NewtonSystem<3> system;
  system.analyse(W);
  ASSERT_FALSE(system.factorises());
  system.insist(W);
  ASSERT_TRUE(system.factorises());
  const long before = allocations;
  system.analyse(W);
  EXPECT_FALSE(system.factorises());
  system.insist(W);
  EXPECT_TRUE(system.factorises());
  EXPECT_EQ(allocations, before);
}

// In the space of the bodies nothing either, from a guess or without one, while the same bodies
// touch.
TEST(Allocation, TheSpaceOfTheBodiesAllocatesOnce) {
  GlobalProblem p = scenes::global_problem(scenes::make_scene("tower", 120, 1));
  ContactSolver solver;
  SolverOptions options;
  options.method = Method::bodies;
  const Solution& solution = solver.solve(p, options);
  ASSERT_EQ(solution.method, Method::bodies);
  Eigen::VectorXd guess = solution.reactions;
  solver.solve(p, options, &guess);
  for (int k = 0; k < 4; ++k) {
    p.f *= 1.3;
    guess = solution.reactions;
    const long before = allocations;
    solver.solve(p, options, k % 2 == 0 ? nullptr : &guess);
    EXPECT_EQ(allocations, before) << k;
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.method, Method::bodies);
  }
}

}  // namespace
}  // namespace stiction::testing
