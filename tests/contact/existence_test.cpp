// SPDX-License-Identifier: Apache-2.0
//
// `no_solution` is said where there is none, and nowhere else.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/enumerate.h"
#include "stiction/law.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Proves = Separation::Proves;

// A body of mass `ratio` at rest on one of mass 1 on the ground: W = H M⁻¹Hᵀ, q what gravity adds
// in a step.  r = (1 + ratio, ratio)/8 solves, whatever the ratio.
GlobalProblem heavy_on_light(double ratio, int d) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(2 * d, 2 * d);
  for (int c = 0; c < d; ++c) {
    H(c, c) = 1;
    H(d + c, c) = -1;
    H(d + c, d + c) = 1;
  }
  Eigen::VectorXd m = Eigen::VectorXd::Ones(2 * d);
  m.tail(d).setConstant(ratio);
  GlobalProblem g;
  g.dimension = d;
  g.M = Eigen::MatrixXd(m.asDiagonal()).sparseView();
  g.H = H.sparseView();
  g.f = Eigen::VectorXd::Zero(2 * d);
  g.f[0] = -0.125;
  g.f[d] = -0.125 * ratio;
  g.w = Eigen::VectorXd::Zero(2 * d);
  g.laws.resize(2);
  for (Law& law : g.laws) law.mu = 0.5;
  return g;
}

// In global form the masses are there, however far apart; in local form until 1 + 1/ratio is 1,
// from where on the ground and what falls squeeze the light body, and W knows of no other.
TEST(Existence, IsNotDeniedOfHeavyBodiesOnLightOnes) {
  for (int k = 0; k <= 30; ++k)
    for (const int d : {2, 3})
      for (const Model model : {Model::coulomb, Model::convex}) {
        const SolverOptions options{.model = model, .max_seconds = 2};
        const GlobalProblem global = heavy_on_light(std::pow(10.0, k), d);
        EXPECT_NE(solve(global, options).status, Status::no_solution) << k << ' ' << d;
        ContactProblem local = Condensed(global).local();
        local.origin.reset();
        const Solution s = solve(local, options);
        if (k <= 15) {
          EXPECT_NE(s.status, Status::no_solution) << k << ' ' << d;
        }
        if (k <= 8) {
          EXPECT_EQ(s.status, Status::solved) << k << ' ' << d;
        }
      }
}

// Walls at distance 2 that come closer: of a condensed problem too, which H proves.
TEST(Existence, IsDeniedByTheFormThatAProblemCameIn) {
  for (const double mass : {1e-20, 1.0, 1e20}) {
    GlobalProblem g;
    g.dimension = 2;
    Eigen::MatrixXd H(4, 2);
    H << 1, 0, 0, 1, -1, 0, 0, 1;
    g.H = H.sparseView();
    g.M = Eigen::MatrixXd(mass * Eigen::Matrix2d::Identity()).sparseView();
    g.f = Eigen::Vector2d(0.3, 0.2) * mass;
    g.w = Eigen::Vector4d(-1, 0, -1, 0);
    g.laws.resize(2);
    for (Law& law : g.laws) law.mu = 0.5;
    const Solution s = solve(AnyProblem(g), {.max_seconds = 2});
    EXPECT_EQ(s.status, Status::no_solution) << mass;
    ASSERT_TRUE(s.separation.has_value()) << mass;
    EXPECT_TRUE(verify_separation(Condensed(g).local(), *s.separation)) << mass;
  }
}

// Two bars that a joint ties, between walls that come closer: Hᵀs + Gᵀλ = 0.
TEST(Existence, IsDeniedThroughJoints) {
  GlobalProblem g;
  g.dimension = 2;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(4, 4), G = Eigen::MatrixXd::Zero(2, 4);
  H(0, 0) = H(1, 1) = 1;  // the left bar's end, pushed to the right
  H(2, 2) = -1;           // the right bar's end, pushed to the left
  H(3, 3) = 1;
  G(0, 0) = G(1, 1) = 1;
  G(0, 2) = G(1, 3) = -1;
  g.H = H.sparseView();
  g.M = Eigen::MatrixXd(Eigen::Vector4d(1, 1, 1e6, 1e6).asDiagonal()).sparseView();
  g.f = Eigen::VectorXd::Zero(4);
  g.w = Eigen::Vector4d(-1, 0, -1, 0);
  g.joints.emplace(G.sparseView(), Eigen::Vector2d::Zero());
  g.laws.resize(2);
  const Solution s = solve(g, {.max_seconds = 2});
  EXPECT_EQ(s.status, Status::no_solution);
  // Bars that come closer by 3 a second have room: v₁ − v₂ + b = 0 with v₁ ≥ 1 and v₂ ≤ −1.
  g.joints->second = Eigen::Vector2d(-3, 0);
  EXPECT_EQ(solve(g, {.max_seconds = 2}).status, Status::solved);
}

// Whole numbers from −2 to 2, W of any kind: what trying all modes finds, `solve` says.
TEST(Existence, IsWhatAllModesSay) {
  Random random(141);
  int none = 0;
  for (int i = 0; i < 400 / STICTION_SLOWED; ++i) {
    const int d = random.integer(2, 3), n = d == 2 ? random.integer(1, 4) : random.integer(1, 2);
    ContactProblem p;
    p.dimension = d;
    for (int c = 0; c < n; ++c) p.laws.push_back(parse_law(d == 2 ? "disc:1" : "pyramid:1"));
    const auto whole = [&] { return static_cast<double>(random.integer(-2, 2)); };
    p.W = block_matrix(Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(d * n, d * n, whole)), d);
    p.q = Eigen::VectorXd::NullaryExpr(d * n, whole);
    const Enumeration all = enumerate(p);
    ASSERT_TRUE(all.complete) << i;
    const Solution s = solve(p, {.max_seconds = 5});
    EXPECT_EQ(s.status, all.solutions.empty() ? Status::no_solution : Status::solved) << i;
    none += s.status == Status::no_solution ? 1 : 0;
  }
  EXPECT_GT(none, 0);
}

// Bodies between the ground and a lid that comes down on them, among thousands of others: stacked
// `height` high, n up and down on one line, so that s = 1 on their contacts.
TEST(Existence, IsDeniedAmongThousands) {
  Random random(142);
  for (const int contacts : {2, 20, 200, 2000}) {
    const int height = 1 + contacts / 20, bodies = contacts + height;
    const Eigen::SparseMatrix<double> heap = random_jacobian(random, contacts, 3, contacts);
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < heap.outerSize(); ++c)
      for (Eigen::SparseMatrix<double>::InnerIterator it(heap, c); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), c, it.value());
    for (int k = 0; k <= height; ++k)  // between body k and what is below it
      for (int c = 0; c < 3; ++c) {
        const int row = 3 * (contacts + k) + c;
        if (k < height) entries.emplace_back(row, 6 * (contacts + k) + c, 1.0);
        if (k > 0) entries.emplace_back(row, 6 * (contacts + k - 1) + c, -1.0);
      }
    Eigen::SparseMatrix<double> H(3 * (contacts + height + 1), 6 * bodies);
    H.setFromTriplets(entries.begin(), entries.end());
    ContactProblem p;
    Eigen::SparseMatrix<double> W = H * Eigen::SparseMatrix<double>(H.transpose());
    p.laws = discs(random, contacts + height + 1);
    p.q = Eigen::VectorXd::NullaryExpr(H.rows(), [&] { return random.uniform(-1, 1); });
    Eigen::VectorXd units(H.rows());
    for (Eigen::Index i = 0; i < H.rows() / 3; ++i)
      units.segment<3>(3 * i).setConstant(random.decades(-3, 3));
    double sum = 0;
    for (int k = 0; k <= height; ++k) sum += p.q[3 * (contacts + k)];
    p.q[3 * contacts] -= sum + 0.1;
    p.q = units.cwiseProduct(p.q).eval();
    W = units.asDiagonal() * W * units.asDiagonal();
    p.W = block_matrix(W, 3);
    const auto found = find_separation(p, Model::coulomb, {}, Among::normal_forces);
    ASSERT_TRUE(found.has_value()) << contacts;
    EXPECT_EQ(found->proves, Proves::no_solution) << contacts;
    for (int k = 0; k < contacts; ++k) EXPECT_GE(found->direction[3 * k], 0);
    // 0.2 up: nothing separates any more.
    p.q[3 * contacts] += 0.2 * units[3 * contacts];
    const auto other = find_separation(p, Model::coulomb, {}, Among::normal_forces);
    EXPECT_FALSE(other && other->proves == Proves::no_solution &&
                 found->direction.isApprox(other->direction))
        << contacts;
  }
}

TEST(Existence, NamesAreReadAsTheyAreWritten) {
  for (const Method m : {Method::automatic, Method::gauss_seidel, Method::newton, Method::lemke,
                         Method::active_set, Method::matrix_free})
    EXPECT_EQ(parse_method(to_text(m)), m);
  for (const Model m : {Model::coulomb, Model::convex})
    EXPECT_EQ(parse_friction_model(to_text(m)), m);
  for (const Proves p : {Proves::no_solution, Proves::existence_not_guaranteed})
    EXPECT_EQ(parse_proves(to_text(p)), p);
  EXPECT_THROW(parse_method("magic"), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
