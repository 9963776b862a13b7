// SPDX-License-Identifier: Apache-2.0
//
// The linear algebra in the space of the bodies, against dense matrices, with the kernels of every
// processor that this machine can stand for.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "contact/bodies/body_system.h"
#include "contact/one/alart_curnier.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using bodies::BodySystem;
using bodies::Elimination;
using bodies::Graph;
using bodies::Kernels;
using bodies::Numbers;

std::vector<const Kernels*> every_kernel() {
  const bodies::KernelList list = bodies::all_kernels();
  return {list.kernels, list.kernels + list.count};
}

Graph random_graph(Random& random, int nodes, int edges) {
  std::vector<std::set<int>> near(static_cast<std::size_t>(nodes));
  for (int k = 0; k < edges; ++k) {
    const int a = random.integer(0, nodes - 1), b = random.integer(0, nodes - 1);
    if (a == b) continue;
    near[static_cast<std::size_t>(a)].insert(b);
    near[static_cast<std::size_t>(b)].insert(a);
  }
  Graph graph;
  for (const std::set<int>& row : near) {
    graph.neighbour.insert(graph.neighbour.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

// Eliminating a node joins all its later neighbours: the pattern by the definition, one by one.
TEST(Elimination, FindsTheFillAndEveryProduct) {
  Random random(201);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = random.integer(1, 40);
    const Graph graph = random_graph(random, n, random.integer(0, 3 * n));
    Elimination elimination;
    EXPECT_TRUE(elimination.analyse(graph));
    EXPECT_FALSE(elimination.analyse(graph));
    Eigen::MatrixXi full = Eigen::MatrixXi::Identity(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = graph.start[static_cast<std::size_t>(i)];
           k < graph.start[static_cast<std::size_t>(i) + 1]; ++k)
        full(elimination.place(i),
             elimination.place(graph.neighbour[static_cast<std::size_t>(k)])) = 1;
    int products = 0;
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j <= i; ++j)
          if (full(i, k) != 0 && full(j, k) != 0) {
            full(i, j) = full(j, i) = 1;
            ++products;
          }
    std::size_t entries = 0;
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        if (full(i, j) != 0) {
          ++entries;
          const auto e = static_cast<std::size_t>(elimination.entry(i, j));
          ASSERT_EQ(elimination.row()[e], i);
        }
    EXPECT_EQ(elimination.row().size(), entries);
    EXPECT_EQ(elimination.update_left().size(), static_cast<std::size_t>(products));
  }
}

// A path is eliminated without fill, from its ends or from anywhere: n − 1 blocks below the
// diagonal.
TEST(Elimination, APathHasNoFill) {
  Graph path;
  for (int i = 0; i < 30; ++i) {
    if (i > 0) path.neighbour.push_back(i - 1);
    if (i < 29) path.neighbour.push_back(i + 1);
    path.start.push_back(static_cast<int>(path.neighbour.size()));
  }
  Elimination elimination;
  elimination.analyse(path);
  EXPECT_EQ(elimination.row().size(), 59u);
}

TEST(BodyKernels, InvertBlocksThatNeedPivots) {
  Random random(202);
  for (const Kernels* kernels : every_kernel())
    for (int trial = 0; trial < 1000; ++trial) {
      Eigen::Matrix<double, 6, 6> A;
      for (double& x : A.reshaped()) x = random.uniform(-1, 1);
      if (trial % 3 == 0) A.diagonal().setZero();
      if (trial % 7 == 0) A.row(random.integer(0, 5)) *= random.decades(-8, 8);
      Numbers block, inverse;
      block.assign(bodies::block_size);
      inverse.assign(bodies::block_size);
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) block[static_cast<std::size_t>(8 * c + r)] = A(r, c);
      ASSERT_TRUE(kernels->invert(block.data(), inverse.data()));
      Eigen::Matrix<double, 6, 6> X;
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) X(r, c) = inverse[static_cast<std::size_t>(8 * c + r)];
      const double condition = A.norm() * X.norm();
      EXPECT_LE((A * X - Eigen::Matrix<double, 6, 6>::Identity()).norm(), 1e-13 * condition)
          << kernels->name;
    }
  Numbers zero, inverse;
  zero.assign(bodies::block_size);
  inverse.assign(bodies::block_size);
  for (const Kernels* kernels : every_kernel())
    EXPECT_FALSE(kernels->invert(zero.data(), inverse.data()));
}

GlobalProblem random_problem(Random& random, int contacts, int bodies, bool coupled) {
  GlobalProblem p;
  p.H = random_jacobian(random, contacts, 3, bodies);
  const int n = 6 * bodies;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < bodies; ++i) {
    Eigen::MatrixXd A(6, 6);
    for (double& x : A.reshaped()) x = random.uniform(-1, 1);
    M.block(6 * i, 6 * i, 6, 6) = A * A.transpose() + Eigen::MatrixXd::Identity(6, 6);
    if (coupled && i > 0 && i % 3 != 0)
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
          M(6 * i + a, 6 * i - 6 + b) = M(6 * i - 6 + b, 6 * i + a) = random.uniform(-0.08, 0.08);
  }
  p.M = M.sparseView();
  p.f = Eigen::VectorXd::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
  p.w = Eigen::VectorXd::NullaryExpr(3 * contacts, [&] { return random.uniform(-1, 1); });
  p.laws = discs(random, contacts);
  return p;
}

Eigen::VectorXd flat(const BodySystem& system, const Numbers& batches) {
  Eigen::VectorXd x;
  system.gather(batches, x);
  return x;
}

// Everything that BodySystem computes, by dense matrices.
TEST(BodySystem, IsTheProblemItWasGiven) {
  Random random(203);
  for (const Kernels* kernels : every_kernel())
    for (int trial = 0; trial < 20; ++trial) {
      const bool coupled = trial % 2 == 1;
      const int bodies = random.integer(1, 12), contacts = random.integer(1, 30);
      const GlobalProblem p = random_problem(random, contacts, bodies, coupled);
      BodySystem system;
      ASSERT_TRUE(BodySystem::takes(p));
      system.set_pattern(p);
      system.set(p, Model::coulomb, *kernels);
      const Eigen::MatrixXd M = p.M, H = p.H, W = H * M.inverse() * H.transpose();
      const Eigen::VectorXd q = H * M.inverse() * p.f + p.w;
      EXPECT_NEAR(system.norms().q, q.norm(), 1e-12 * q.norm());
      EXPECT_NEAR(1 / system.norms().rho, W.diagonal().mean(), 1e-12 * W.diagonal().mean());
      for (int i = 0; i < contacts; ++i)
        EXPECT_NEAR(system.size()[i], W.diagonal().segment<3>(3 * i).mean(), 1e-12 * W.norm());

      Eigen::VectorXd r(3 * contacts), v;
      for (double& x : r) x = random.uniform(-1, 1);
      Numbers batches, nodes, u;
      system.spread(r, batches);
      nodes.assign(static_cast<std::size_t>(8 * system.nodes()));
      u.assign(batches.size());
      system.response(batches, nodes, u);
      system.gather_nodes(nodes, v);
      const Eigen::VectorXd v_expected = M.inverse() * (p.f + H.transpose() * r);
      EXPECT_LE((v - v_expected).norm(), 1e-12 * v_expected.norm()) << kernels->name;
      EXPECT_LE((flat(system, u) - (W * r + q)).norm(), 1e-12 * (W * r + q).norm());
    }
}

// K = M + Hᵀ D H with unsymmetric D; contacts that are not active count for nothing.
TEST(BodySystem, FactorisesUnsymmetricBlocks) {
  Random random(204);
  for (const Kernels* kernels : every_kernel())
    for (int trial = 0; trial < 20; ++trial) {
      const int bodies = random.integer(1, 15), contacts = random.integer(1, 40);
      const GlobalProblem p = random_problem(random, contacts, bodies, trial % 2 == 1);
      BodySystem system;
      system.set_pattern(p);
      system.set(p, Model::coulomb, *kernels);
      Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * contacts, 3 * contacts);
      Numbers D_batches;
      D_batches.assign(static_cast<std::size_t>(72 * system.batches()));
      std::vector<unsigned char> active(static_cast<std::size_t>(8 * system.batches()), 0);
      for (int i = 0; i < contacts; ++i) {
        active[static_cast<std::size_t>(i)] = random.integer(0, 3) > 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const double x = random.uniform(-0.3, 0.3) + (a == b ? 1 : 0);
            D_batches[static_cast<std::size_t>(72 * (i / 8) + 8 * (3 * a + b) + i % 8)] = x;
            if (active[static_cast<std::size_t>(i)]) D(3 * i + a, 3 * i + b) = x;
          }
      }
      ASSERT_TRUE(system.factorise(D_batches.data(), active.data()));
      const Eigen::MatrixXd H = p.H, K = Eigen::MatrixXd(p.M) + H.transpose() * D * H;
      const Eigen::VectorXd x =
          Eigen::VectorXd::NullaryExpr(K.rows(), [&] { return random.uniform(-1, 1); });
      // The right side goes in as a force, M times a velocity: gather_nodes is the way back.
      GlobalProblem right = p;
      right.f = K * x;
      BodySystem with_right;
      with_right.set_pattern(right);
      with_right.set(right, Model::coulomb, *kernels);
      Numbers b;
      b.assign(static_cast<std::size_t>(8 * system.nodes()));
      system.mass_times(with_right.free_velocity().data(), b.data());
      system.solve(b.data());
      Eigen::VectorXd solved;
      system.gather_nodes(b, solved);
      EXPECT_LE((solved - x).norm(), 1e-10 * x.norm()) << kernels->name;
    }
}

// A robot of 8 freedoms, then bodies of six: runs that M couples are cut into sixes.
TEST(BodySystem, FreedomsFallIntoNodes) {
  GlobalProblem p;
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(26, 26);
  M.topLeftCorner(8, 8).array() += 0.1;
  M.block(11, 11, 3, 3).array() += 0.1;
  p.M = M.sparseView();
  p.H.resize(0, 26);
  p.f = Eigen::VectorXd::LinSpaced(26, 1, 2);
  p.w.resize(0);
  BodySystem system;
  system.set_pattern(p);
  system.set(p, Model::coulomb, bodies::kernels());
  EXPECT_EQ(system.nodes(), 5);  // 6 + 2, 6, 6, 6
  Eigen::VectorXd v;
  system.gather_nodes(system.free_velocity(), v);
  EXPECT_LE((v - M.inverse() * p.f).norm(), 1e-13);
}

// 𝒦 A = (α A + B)⁻¹ A and 𝒦 F, in closed form, are those of the function that is differentiated
// elsewhere: with P = diag(1, μ, μ) the scaled quantities are those of the disc itself.
TEST(BodyKernels, ProximalStepIsThatOfAlartAndCurnier) {
  Random random(205);
  for (const Kernels* kernels : every_kernel()) {
    int modes[3] = {0, 0, 0};
    for (int trial = 0; trial < 500; ++trial) {
      const double mu = random.decades(-1, 0.5), w = random.decades(-2, 2);
      const double alpha = random.decades(-4, -1), factor = random.decades(0, 2);
      const bool bounded = random.integer(0, 1) == 1;
      Vec3 r(random.uniform(-0.3, 1), random.uniform(-1, 1), random.uniform(-1, 1)), u, c;
      r.tail<2>() *= mu;
      for (double& x : u) x = w * random.uniform(-0.2, 0.2);
      for (double& x : c) x = random.uniform(-1, 1);
      const Vec3 P(1, mu, mu);
      Numbers numbers[10];
      for (Numbers& x : numbers) x.assign(72);
      Numbers &present = numbers[0], &T = numbers[1], &size = numbers[2], &tangent = numbers[3],
              &centre = numbers[4], &reaction = numbers[5], &velocity = numbers[6],
              &zero = numbers[7], &to = numbers[8], &to_u = numbers[9];
      Numbers KA, KF, D;
      for (Numbers* x : {&KA, &KF, &D}) x->assign(72);
      unsigned char active[8];
      for (std::size_t k = 0; k < 8; ++k) {
        present[k] = k == 0;
        T[k] = T[16 + k] = mu;
        size[k] = w;
        tangent[k] = mu * mu;
        for (int i = 0; i < 3; ++i) {
          const auto at = static_cast<std::size_t>(8 * i) + k;
          reaction[at] = r[i] / P[i];
          centre[at] = c[i] / P[i];
          velocity[at] = u[i];
        }
      }
      const bodies::Proximal a{.batches = 1,
                               .present = present.data(),
                               .transform = T.data(),
                               .size = size.data(),
                               .tangent = tangent.data(),
                               .centre = centre.data(),
                               .KA = KA.data(),
                               .KF = KF.data(),
                               .D = D.data(),
                               .active = active,
                               .alpha = alpha,
                               .factor = factor,
                               .bounded = bounded};
      const double merit = kernels->proximal_evaluate(
          a, reaction.data(), zero.data(), velocity.data(), zero.data(), 1, to.data(), to_u.data());
      ContactLaw<3> law;
      law.mu = mu;
      const Vec3 U = u + alpha * w * (r - c);
      const Linearised<3> l = alart_curnier<3>(law, r, U, factor / w, factor / w,
                                               bounded ? Derivative::hueber : Derivative::exact);
      EXPECT_NEAR(merit, l.F.squaredNorm(), 1e-9 * l.F.squaredNorm()) << kernels->name;
      EXPECT_EQ(active[0] != 0, !l.open);
      ++modes[l.open ? 0 : l.A(1, 0) == 0 && l.A(2, 0) == 0 ? 1 : 2];
      if (l.open) continue;
      const Eigen::Matrix3d inverse = (alpha * w * l.A + l.B).inverse();
      const Eigen::Matrix3d expected = inverse * l.A;
      const Vec3 step = inverse * l.F;
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(KF[static_cast<std::size_t>(8 * i)] * P[i], step[i], 1e-8 * step.norm());
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(D[static_cast<std::size_t>(8 * (3 * i + j))], expected(i, j),
                      1e-8 * expected.norm());
      }
    }
    EXPECT_GT(*std::min_element(modes, modes + 3), 30);
  }
}

// The errors of every law, by the one definition of the residual.
TEST(BodySystem, ErrorsAreTheCertificates) {
  Random random(206);
  for (const Kernels* kernels : every_kernel())
    for (int trial = 0; trial < 30; ++trial) {
      GlobalProblem p = random_problem(random, 20, 6, false);
      for (std::size_t i = 0; i < p.laws.size(); i += 3)
        p.laws[i] = parse_law("ellipse:0.4,0.7,20");
      p.laws[1] = parse_law("free");
      const Model model = trial % 2 == 0 ? Model::coulomb : Model::convex;
      BodySystem system;
      ASSERT_TRUE(BodySystem::takes(p));
      system.set_pattern(p);
      system.set(p, model, *kernels);
      Eigen::VectorXd r(60);
      for (int i = 0; i < 20; ++i)
        r.segment<3>(3 * i) = system.laws()[i].project(
            Vec3(random.uniform(-0.5, 1), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)));
      Numbers batches, v, u;
      system.spread(r, batches);
      v.assign(static_cast<std::size_t>(8 * system.nodes()));
      u.assign(batches.size());
      system.response(batches, v, u);
      const Errors errors = system.errors(batches, u);
      const Certificate expected = certify(Condensed(p).local(), r, model);
      EXPECT_NEAR(errors.relative, expected.relative, 1e-10 * expected.relative);
      EXPECT_NEAR(errors.scaled, expected.scaled, 1e-10 * expected.scaled);
      // r' is r but for P, whose square root of the ellipse is symmetric.
      Numbers scaled, back;
      system.spread_scaled(r, scaled);
      back.assign(scaled.size());
      kernels->transform(system.batches(), system.transform(), scaled.data(), back.data());
      EXPECT_LE((flat(system, back) - r).norm(), 1e-12 * r.norm());
      kernels->project(system.batches(), scaled.data(), back.data());
      EXPECT_LE((flat(system, back) - flat(system, scaled)).norm(), 1e-7 * (1 + r.norm()));
    }
}

}  // namespace
}  // namespace stiction::testing
