// SPDX-License-Identifier: Apache-2.0
//
// Solving without W: the same answers as with it.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "scenes.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

const SolverOptions matrix_free{.method = Method::matrix_free, .max_seconds = 20 * STICTION_SLOWED};

// A global problem whose W is well conditioned, so that its answer is unique: as many free bodies
// as contacts, each body in the plane or in space with a full mass matrix.
GlobalProblem few_contacts(Random& random, int contacts, int d, const std::vector<Law>& laws) {
  const int freedoms = d == 3 ? 6 : 3, n = freedoms * contacts;
  GlobalProblem p;
  p.dimension = d;
  p.laws = laws;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(d * contacts, n);
  for (int i = 0; i < contacts; ++i) {
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(freedoms, freedoms, [&] { return random.uniform(-0.4, 0.4); });
    M.block(freedoms * i, freedoms * i, freedoms, freedoms) =
        Eigen::MatrixXd::Identity(freedoms, freedoms) + A * A.transpose();
    for (const int body : {i, i + 1}) {
      if (body == contacts) continue;
      for (int r = 0; r < d; ++r)
        for (int c = 0; c < freedoms; ++c)
          H(d * i + r, freedoms * body + c) = random.uniform(-0.3, 0.3) + (r == c ? 1 : 0);
    }
  }
  p.M = M.sparseView();
  p.H = H.sparseView();
  p.f = Eigen::VectorXd::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
  p.w = Eigen::VectorXd::NullaryExpr(d * contacts, [&] { return random.uniform(-1, 1); });
  return p;
}

void expect_same_as_condensed(const GlobalProblem& p, const std::string& what) {
  const Solution free = solve(p, matrix_free);
  ASSERT_EQ(free.status, Status::solved) << what;
  EXPECT_EQ(free.method, Method::matrix_free) << what;
  const Condensed condensed(p);
  // The certificate is the one that W gives.
  const Certificate with_W = certify(condensed.local(), free.reactions);
  EXPECT_TRUE(with_W.within(1.001e-8)) << what;
  EXPECT_NEAR(free.certificate.scaled, with_W.scaled, 1e-6 * with_W.scaled + 1e-14) << what;
  EXPECT_NEAR(free.certificate.relative, with_W.relative, 1e-6 * with_W.relative + 1e-14) << what;
  const Eigen::VectorXd v = condensed.generalized_velocities(free.reactions);
  EXPECT_LE((free.generalized_velocities - v).norm(), 1e-12 * (1 + v.norm())) << what;
  EXPECT_LE((free.velocities - (p.H * v + p.w)).norm(), 1e-12 * (1 + v.norm())) << what;
  const Solution with = solve(p);
  ASSERT_EQ(with.status, Status::solved) << what;
  EXPECT_NE(with.method, Method::matrix_free) << what;
  EXPECT_LE((with.generalized_velocities - free.generalized_velocities).norm(),
            1e-5 * (1 + v.norm()))
      << what;
}

TEST(MatrixFree, SameVelocitiesAsCondensedInPlaneAndSpace) {
  Random random(141);
  for (int i = 0; i < 40; ++i) {
    const int contacts = random.integer(1, 30), d = 2 + i % 2;
    expect_same_as_condensed(few_contacts(random, contacts, d, discs(random, contacts)),
                             "discs " + std::to_string(i));
  }
}

TEST(MatrixFree, AnyLaw) {
  Random random(142);
  for (int i = 0; i < 40; ++i) {
    const int contacts = random.integer(1, 20), d = 2 + i % 2;
    expect_same_as_condensed(few_contacts(random, contacts, d, mixed_laws(random, contacts)),
                             "mixed " + std::to_string(i));
  }
}

// Bodies at rest: v = 0 is the answer, whatever the reactions.
TEST(MatrixFree, Scenes) {
  for (const char* family : {"pile", "granular", "arch"}) {
    const scenes::Scene scene = scenes::make_scene(family, 300, 3);
    const GlobalProblem p = scenes::global_problem(scene);
    const Solution s = solve(p, matrix_free);
    EXPECT_EQ(s.status, Status::solved) << family;
    EXPECT_EQ(s.method, Method::matrix_free) << family;
    EXPECT_TRUE(certify(scenes::contact_problem(scene), s.reactions).within(1.001e-8)) << family;
    EXPECT_LE(s.generalized_velocities.norm(), 1e-3 * 0.0981 * std::sqrt(scene.bodies.size()));
  }
}

// Along a tower of 75 boxes the sweeps stall: W is formed after all, and said so.
TEST(MatrixFree, FallsBackOnW) {
  const scenes::Scene scene = scenes::make_scene("tower", 300, 3);
  SolverOptions options = matrix_free;
  options.keep_history = true;
  const Solution s = solve(scenes::global_problem(scene), options);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.method, Method::newton);
  EXPECT_EQ(s.history.front().method, Method::matrix_free);
  EXPECT_TRUE(certify(scenes::contact_problem(scene), s.reactions).within(1e-8));
}

// A box on a grid of contacts, pulled sideways: W would be full, and polygons are not for the space
// of the bodies.
TEST(MatrixFree, IsChosenWhereABodyHasManyContacts) {
  scenes::Scene scene;
  scene.bodies.resize(1);
  scene.gravity = Vec3(3, 1, -9.81);
  for (int i = 0; i < 100; ++i) {
    scenes::Touch touch;
    touch.at = Vec3(i % 10 - 4.5, i / 10 - 4.5, -1);
    scene.contacts.push_back(touch);
  }
  GlobalProblem p = scenes::global_problem(scene);
  for (Law& law : p.laws) law = parse_law("box:0.5");
  EXPECT_TRUE(matrix_free_pays(p));
  const Solution s = solve(p);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.method, Method::matrix_free);
  EXPECT_TRUE(certify(Condensed(p).local(), s.reactions).within(1.001e-8));
  EXPECT_LE(s.generalized_velocities.norm(), 1e-6);  // it sticks: 3.2/9.81 < μ
  EXPECT_FALSE(matrix_free_pays(scenes::global_problem(scenes::make_scene("tower", 300, 1))));
}

TEST(MatrixFree, ConvexModel) {
  Random random(143);
  for (int i = 0; i < 10; ++i) {
    const GlobalProblem p = few_contacts(random, 10, 3, discs(random, 10));
    SolverOptions options = matrix_free;
    options.model = Model::convex;
    const Solution free = solve(p, options);
    EXPECT_EQ(free.status, Status::solved) << i;
    options.method = Method::automatic;
    EXPECT_LE((solve(p, options).velocities - free.velocities).norm(), 1e-5) << i;
  }
}

TEST(MatrixFree, NoContactsAndNoVelocity) {
  GlobalProblem none;
  none.M.resize(6, 6);
  none.M.setIdentity();
  none.H.resize(0, 6);
  none.f = Eigen::VectorXd::Constant(6, 2.0);
  none.w.resize(0);
  const Solution s = solve(none, matrix_free);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.generalized_velocities, none.f);

  Random random(144);
  GlobalProblem still = few_contacts(random, 5, 3, discs(random, 5));
  still.f.setZero();
  still.w.setZero();
  const Solution rest = solve(still, matrix_free);
  EXPECT_EQ(rest.status, Status::solved);
  EXPECT_EQ(rest.reactions.norm(), 0);
}

// Freedoms in any order, groups of any size: the pattern of M says which belong together.
TEST(MatrixFree, BodiesOfAnySizeInAnyOrder) {
  Random random(145);
  GlobalProblem p = few_contacts(random, 6, 3, discs(random, 6));
  const Eigen::MatrixXd M = p.M, H = p.H;
  // The last two bodies are fused by a term that couples them; then everything is shuffled.
  Eigen::MatrixXd coupled = M;
  coupled(30, 24) += 0.1;
  coupled(24, 30) += 0.1;
  Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(36, 0, 35);
  for (int k = 35; k > 0; --k) std::swap(order[k], order[random.integer(0, k)]);
  const Eigen::PermutationMatrix<Eigen::Dynamic> P(order);
  p.M = Eigen::MatrixXd(P * coupled * P.transpose()).sparseView();
  p.H = Eigen::MatrixXd(H * P.transpose()).sparseView();
  p.f = P * p.f;
  expect_same_as_condensed(p, "shuffled");
}

TEST(MatrixFree, JointsAreCondensed) {
  Random random(146);
  GlobalProblem p = few_contacts(random, 4, 3, discs(random, 4));
  Eigen::SparseMatrix<double> G(1, 24);
  G.insert(0, 0) = 1;
  G.insert(0, 6) = -1;
  p.joints = {G, Eigen::VectorXd::Zero(1)};
  const Solution s = solve(p, matrix_free);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_NE(s.method, Method::matrix_free);
  EXPECT_NEAR(s.generalized_velocities[0], s.generalized_velocities[6], 1e-12);
}

TEST(MatrixFree, AGuessThatSolvesCostsOneResidual) {
  Random random(147);
  const GlobalProblem p = few_contacts(random, 10, 3, discs(random, 10));
  const Solution first = solve(p, matrix_free);
  const Solution again = solve(p, matrix_free, &first.reactions);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.status, Status::solved);
}

TEST(MatrixFree, RefusesWrongInput) {
  Random random(148);
  const Planted local = plant(random, 3, 3, 2, discs(random, 3));
  EXPECT_THROW(solve(local.problem, matrix_free), InvalidInput);
  GlobalProblem p = few_contacts(random, 2, 3, discs(random, 2));
  const Eigen::VectorXd guess = Eigen::VectorXd::Zero(5);
  EXPECT_THROW(solve(p, matrix_free, &guess), InvalidInput);
  p.f[3] = std::nan("");
  EXPECT_THROW(solve(p, matrix_free), InvalidInput);
  p.f[3] = 0;
  p.M = Eigen::SparseMatrix<double>(12, 12);
  EXPECT_THROW(solve(p, matrix_free), InvalidInput);
  p.dimension = 5;
  EXPECT_THROW(solve(p, matrix_free), InvalidInput);
}

// Where squares would leave the range of doubles: condensed, and solved in other units.
TEST(MatrixFree, AnySize) {
  Random random(77);
  const GlobalProblem usual = few_contacts(random, 5, 3, discs(random, 5));
  const Solution right = solve(usual, matrix_free);
  for (const int power : {-900, -520, -100, 100, 490}) {
    GlobalProblem p = usual;
    p.f *= std::ldexp(1, power);
    p.w *= std::ldexp(1, power);
    const Solution s = solve(p, matrix_free);
    EXPECT_EQ(s.status, Status::solved) << power;
    EXPECT_EQ(s.method == Method::matrix_free, std::abs(power) <= 100);
    EXPECT_LE((s.reactions * std::ldexp(1, -power) - right.reactions).norm(), 1e-6) << power;
  }
}

}  // namespace
}  // namespace stiction::testing
