// SPDX-License-Identifier: Apache-2.0
//
// Joints that depend on each other: every closed loop of hinges has some.  λ is open then, v is
// not.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>

#include "contact/problem/independent.h"
#include "stiction/contact_problem.h"
#include "stiction/solver.h"
#include "support/random.h"
#include "support/repeats.h"

namespace stiction::testing {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Law disc() {
  Law law;
  law.mu = 0.5;
  return law;
}

// Bodies of six velocities each, linear first, and the rows of joints between them; −1 is the
// world.
struct Mechanism {
  std::vector<Vec3> at;
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;

  void row(int a, int b, const Vec3& point, const Vec3& along, const Vec3& turning) {
    for (const auto& [body, sign] : {std::pair{a, 1.0}, std::pair{b, -1.0}})
      if (body >= 0) {
        const Vec3 moment = turning + (point - at[static_cast<std::size_t>(body)]).cross(along);
        for (int k = 0; k < 3; ++k) {
          entries.emplace_back(rows, 6 * body + k, sign * along[k]);
          entries.emplace_back(rows, 6 * body + 3 + k, sign * moment[k]);
        }
      }
    ++rows;
  }
  void hinge(int a, int b, const Vec3& point, const Vec3& axis) {
    for (int k = 0; k < 3; ++k) row(a, b, point, Vec3::Unit(k), Vec3::Zero());
    const Vec3 u = axis.unitOrthogonal();
    row(a, b, point, Vec3::Zero(), u);
    row(a, b, point, Vec3::Zero(), axis.cross(u));
  }
  Sparse G() const {
    Sparse G(rows, static_cast<Eigen::Index>(6 * at.size()));
    G.setFromTriplets(entries.begin(), entries.end());
    return G;
  }
  // Unit masses with moments of inertia 0.1, and contacts that push the first bodies.
  GlobalProblem problem(int contacts) const {
    const int n = static_cast<int>(6 * at.size());
    GlobalProblem p;
    std::vector<Eigen::Triplet<double>> mass, reach;
    for (int i = 0; i < n; ++i) mass.emplace_back(i, i, i % 6 < 3 ? 1 : 0.1);
    p.M.resize(n, n);
    p.M.setFromTriplets(mass.begin(), mass.end());
    for (int i = 0; i < 3 * contacts; ++i) {
      reach.emplace_back(i, i / 3 * 6 + i % 3, 1);
      reach.emplace_back(i, i / 3 * 6 + 3 + i % 3, 0.3);
    }
    p.H.resize(3 * contacts, n);
    p.H.setFromTriplets(reach.begin(), reach.end());
    p.f = Eigen::VectorXd::NullaryExpr(
        n, [](Eigen::Index i) { return std::sin(1 + static_cast<double>(i)); });
    p.w = Eigen::VectorXd::Zero(3 * contacts);
    p.laws.assign(static_cast<std::size_t>(contacts), disc());
    p.joints = {G(), Eigen::VectorXd::Zero(rows)};
    return p;
  }
};

// A planar loop of hinged links to the world and back, somewhere in space: three rows too many.
Mechanism random_loop(Random& random, int links, bool closed) {
  const Vec3 axis = random.direction3();
  Mechanism m;
  const auto anywhere = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int i = 0; i < links; ++i) m.at.push_back(anywhere());
  for (int i = 0; i < links; ++i) m.hinge(i - 1, i, anywhere(), axis);
  if (closed) m.hinge(links - 1, -1, anywhere(), axis);
  return m;
}

// The two equations of motion, and a force in the range of G, which is where the least one lies.
void expect_held(const GlobalProblem& p, double rounding, const std::string& what) {
  const Condensed c(p);
  const Eigen::VectorXd r = Eigen::VectorXd::NullaryExpr(
      p.w.size(), [](Eigen::Index i) { return std::cos(3 * static_cast<double>(i)); });
  const Eigen::VectorXd v = c.generalized_velocities(r), force = c.bilateral_forces(r);
  const Eigen::MatrixXd G = p.joints->first;
  const double speed = v.norm() + p.f.norm();
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    EXPECT_LE(std::abs(G.row(i) * v + p.joints->second[i]), rounding * G.row(i).norm() * speed)
        << what << ", row " << i;
  const Eigen::VectorXd pull = G.transpose() * force;
  EXPECT_LE((p.M * v - p.f - p.H.transpose() * r - pull).norm(),
            rounding * (p.f.norm() + (G.cwiseAbs().transpose() * force.cwiseAbs()).norm()))
      << what;
  // Rows of unit length have a clear rank; the null space is the same but for those lengths.
  const Eigen::VectorXd length = G.rowwise().norm();
  const Eigen::MatrixXd unit = length.cwiseInverse().asDiagonal() * G;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(unit, Eigen::ComputeFullU);
  const Eigen::Index rank = (svd.singularValues().array() > 1e-11).count();
  EXPECT_EQ(static_cast<Eigen::Index>(Independent(p.joints->first).independent_rows().size()), rank)
      << what;
  for (Eigen::Index k = rank; k < G.rows(); ++k) {
    const Eigen::VectorXd null = length.cwiseInverse().asDiagonal() * svd.matrixU().col(k);
    EXPECT_LE(std::abs(null.dot(force)), 1e3 * rounding * null.norm() * force.norm()) << what;
  }
}

TEST(Joints, OfLoopsHoldWithTheLeastForce) {
  Random random(31);
  for (int k = 0; k < repeats(100); ++k)
    expect_held(random_loop(random, random.integer(1, 7), k % 4 != 0).problem(1), 1e-13,
                "loop " + std::to_string(k));
}

TEST(Joints, TwiceTheSameOrCombinedOfOthers) {
  Random random(32);
  for (int k = 0; k < repeats(100); ++k) {
    GlobalProblem p = random_loop(random, random.integer(1, 4), true).problem(1);
    const Eigen::MatrixXd G = p.joints->first;
    Eigen::MatrixXd more(G.rows() + 3, G.cols());
    more << G, G.row(0),
        Eigen::MatrixXd::NullaryExpr(2, G.rows(), [&] { return random.uniform(-1, 1); }) * G;
    p.joints = {more.sparseView(), Eigen::VectorXd::Zero(more.rows())};
    expect_held(p, 1e-13, "combination " + std::to_string(k));
  }
}

// From 1e-3 to 1e-7 apart, rows are two constraints, with forces to match; at 1e-14 they are one.
TEST(Joints, NearlyTheSame) {
  Random random(33);
  for (int k = 0; k < 100; ++k) {
    GlobalProblem p = random_loop(random, random.integer(1, 4), k % 2 == 0).problem(1);
    const Eigen::MatrixXd G = p.joints->first;
    const double apart = k % 3 == 0 ? 1e-14 : random.decades(-7, -3);
    Eigen::MatrixXd more(G.rows() + 1, G.cols());
    more << G, G.row(1) + apart * Eigen::RowVectorXd::NullaryExpr(
                                      G.cols(), [&] { return random.uniform(-1, 1); });
    p.joints = {more.sparseView(), Eigen::VectorXd::Zero(more.rows())};
    const Condensed c(p);
    const Eigen::VectorXd v = c.generalized_velocities(Eigen::VectorXd::Ones(3));
    EXPECT_LE((p.joints->first * v).norm(), 1e-12 * p.f.norm()) << apart;
    const std::size_t before = Independent(G.sparseView()).independent_rows().size();
    const bool more_held = apart > 1e-13 && before < static_cast<std::size_t>(v.size());
    EXPECT_EQ(Independent(p.joints->first).independent_rows().size(), before + more_held) << apart;
  }
}

// Units of rows differ by up to 1e12: v and M v = f + Hᵀ r + Gᵀ λ keep all digits.
TEST(Joints, OfRowsInAnyUnits) {
  Random random(34);
  for (int k = 0; k < 100; ++k) {
    GlobalProblem p = random_loop(random, random.integer(1, 5), true).problem(1);
    const Condensed even(p);
    Eigen::VectorXd units(p.joints->second.size());
    for (double& x : units) x = random.decades(-6, 6);
    p.joints->first = Sparse(units.asDiagonal() * p.joints->first);
    const Condensed c(p);
    const Eigen::VectorXd r = Eigen::VectorXd::Ones(3), v = c.generalized_velocities(r);
    EXPECT_LE((v - even.generalized_velocities(r)).norm(), 1e-11 * p.f.norm());
    const Eigen::VectorXd force = c.bilateral_forces(r);
    EXPECT_LE((p.M * v - p.f - p.H.transpose() * r - p.joints->first.transpose() * force).norm(),
              1e-12 * (p.joints->first.cwiseAbs().transpose() * force.cwiseAbs()).norm());
    // Any other force with the same Gᵀ λ is larger: that of even rows, in these units, is one.
    const Eigen::VectorXd other = even.bilateral_forces(r).cwiseQuotient(units);
    EXPECT_LE(force.norm(), other.norm() * (1 + 1e-9));
  }
}

// Two cranks of length l on the world, upright, and a coupler of mass m on them, all of parallel
// hinges: the coupler translates and cranks turn by v/l, so that v = f/(m + 2 J/l²) with their
// inertia J about the world's hinge, and each row of the six hinge planes is redundant once.
TEST(Joints, ParallelCranksMoveAsOneMass) {
  const double l = 0.5;
  const Vec3 axis = Vec3::UnitY();
  Mechanism m;
  m.at = {{0, 0, l / 2}, {1, 0, l / 2}, {0.5, 0, l}};
  m.hinge(-1, 0, {0, 0, 0}, axis);
  m.hinge(-1, 1, {1, 0, 0}, axis);
  m.hinge(0, 2, {0, 0, l}, axis);
  m.hinge(1, 2, {1, 0, l}, axis);
  GlobalProblem p = m.problem(1);
  p.f.setZero();
  p.f[12] = 3;
  const Eigen::VectorXd v = Condensed(p).generalized_velocities(Eigen::VectorXd::Zero(3));
  const double J = 0.1 + l * l / 4, expected = 3 / (1 + 2 * J / (l * l));
  EXPECT_NEAR(v[12], expected, 1e-14);
  EXPECT_NEAR(v[4], expected / l, 1e-14);
  EXPECT_NEAR(v[10], expected / l, 1e-14);
  EXPECT_LE(v.segment(13, 5).norm(), 1e-14);
}

TEST(Joints, RowsThatContradictAreRefused) {
  GlobalProblem p;
  p.M.resize(6, 6);
  p.M.setIdentity();
  p.H = p.M.topRows(3);
  p.f = Eigen::VectorXd::Ones(6);
  p.w = Eigen::VectorXd::Zero(3);
  p.laws.assign(1, disc());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(4, 6);
  G.row(0) << 1, 2, 0, 0, 0, 0;
  G.row(1) << 0, 0, 1, 0, 0, 0;
  G.row(2) = 2 * G.row(0);
  G.row(3) = G.row(0) - G.row(1);
  const auto message = [&](const Eigen::Vector4d& b) -> std::string {
    p.joints = {G.sparseView(), b};
    try {
      const Condensed c(p);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({1, 3, 2, -2}), "");
  // Only without the third do the others agree, and they ask for 2.
  EXPECT_EQ(message({1, 3, 2.5, -2}).substr(0, 27), "b[2] is 2.5, expected 2: ro")
      << message({1, 3, 2.5, -2});
  EXPECT_NE(message({1, 3, 2.5, -2}).find("row 2 of G depends on others"), std::string::npos);
  // A row of zeros cannot ask for a velocity.
  G.row(1).setZero();
  EXPECT_NE(message({1, 3, 2, 1}).find("b[1] is 3, expected 0"), std::string::npos);
}

// λ of the least norm against the dense pseudo-inverse of G M⁻¹ Gᵀ, dense and, from 36 links on,
// sparse.
TEST(Joints, OfLoopsAreThoseOfThePseudoInverse) {
  for (int k = 0; k < repeats(40); ++k) {
    Random random(static_cast<unsigned>(3600000 + k));
    const int links = k % 20 == 19 ? random.integer(36, 45) : random.integer(2, 9);
    const GlobalProblem p = random_loop(random, links, true).problem(1);
    const Condensed c(p);
    const Eigen::VectorXd r = Vec3(1, -2, 0.5), force = c.bilateral_forces(r);
    const Eigen::MatrixXd G = p.joints->first;
    const Eigen::VectorXd weights = Eigen::VectorXd(p.M.diagonal()).cwiseInverse(),
                          free = weights.cwiseProduct(p.f + p.H.transpose() * r);
    const Eigen::MatrixXd held = G * weights.asDiagonal() * G.transpose();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
    inverse.setThreshold(1e-11);
    inverse.compute(held);
    const Eigen::VectorXd least = inverse.solve(-G * free);
    const double rounding =
        1e-15 / inverse.matrixT()(inverse.rank() - 1, inverse.rank() - 1) * inverse.maxPivot();
    EXPECT_LE((force - least).norm(), 1e2 * std::abs(rounding) * least.norm()) << k << ' ' << links;
  }
}

// One row of a loop asks for something else than the others: refused, and the row that is named is
// one without which the others agree.
TEST(Joints, TheRowThatContradictsIsNamed) {
  for (int k = 0; k < repeats(60); ++k) {
    Random random(static_cast<unsigned>(3700000 + k));
    GlobalProblem p = random_loop(random, random.integer(1, 5), true).problem(1);
    const Eigen::MatrixXd G = p.joints->first;
    const Eigen::Index rows = G.rows();
    p.joints->second =
        G * Eigen::VectorXd::NullaryExpr(G.cols(), [&] { return random.uniform(-1, 1); });
    EXPECT_NO_THROW(Condensed{p}) << k;
    // A row that takes part: left null vectors are what the rows' b must be orthogonal to.
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(G, Eigen::ComputeFullU);
    const Eigen::Index rank = (svd.singularValues().array() > 1e-11).count();
    ASSERT_LT(rank, rows) << k;
    const Eigen::MatrixXd null = svd.matrixU().rightCols(rows - rank);
    Eigen::Index wrong = 0;
    null.rowwise().norm().maxCoeff(&wrong);
    p.joints->second[wrong] += 0.1;
    std::string message;
    try {
      const Condensed c(p);
    } catch (const InvalidInput& error) {
      message = error.what();
    }
    ASSERT_EQ(message.substr(0, 2), "b[") << k << ' ' << message;
    const Eigen::Index named = std::stoi(message.substr(2));
    Eigen::VectorXd off = null.transpose() * p.joints->second;
    off -= null.row(named).transpose() * (null.row(named).dot(off) / null.row(named).squaredNorm());
    EXPECT_LE(off.norm(), 1e-9) << k << ", row " << wrong << ", named " << named;
  }
}

// R = G M⁻¹ Gᵀ and V = H M⁻¹ Gᵀ: the same W, q and λ as from the joints.
TEST(Joints, InLocalFormAreTheSame) {
  Random random(35);
  for (int k = 0; k < 100; ++k) {
    const GlobalProblem p = random_loop(random, random.integer(1, 5), k % 4 != 0).problem(1);
    const Condensed joined(p);
    const Eigen::MatrixXd H = p.H, G = p.joints->first;
    const Eigen::MatrixXd inverse = Eigen::MatrixXd(p.M).inverse();
    ContactProblem local;
    local.W = block_matrix(Eigen::MatrixXd(H * inverse * H.transpose()), 3);
    local.q = H * inverse * p.f;
    local.laws = p.laws;
    local.bilateral = {Eigen::MatrixXd(H * inverse * G.transpose()).sparseView(),
                       Eigen::MatrixXd(G * inverse * G.transpose()).sparseView(),
                       G * inverse * p.f};
    const Condensed c(local);
    EXPECT_LE((Eigen::MatrixXd(to_sparse(c.local().W)) - to_sparse(joined.local().W)).norm(),
              1e-10);
    EXPECT_LE((c.local().q - joined.local().q).norm(), 1e-9);
    const Eigen::VectorXd r = Eigen::VectorXd::Ones(3), force = joined.bilateral_forces(r);
    EXPECT_LE((c.bilateral_forces(r) - force).norm(), 1e-8 * force.norm());
    local.bilateral->s[0] += 1;
    if (k % 4 != 0)
      EXPECT_THROW(Condensed{local}, InvalidInput);
    else
      EXPECT_NO_THROW(Condensed{local});
  }
}

// A thousand links on a circle, factorised sparsely.
TEST(Joints, OfALargeLoop) {
  constexpr int links = 1000;
  const Vec3 axis = Vec3(0.3, 0.5, 0.7).normalized(), u = axis.unitOrthogonal(), w = axis.cross(u);
  const auto corner = [&](int i) -> Vec3 {
    const double angle = 6.283185307179586 * i / links;
    return links / 6.283185307179586 * (u * std::cos(angle) + w * std::sin(angle));
  };
  Mechanism m;
  for (int i = 0; i < links; ++i) m.at.push_back((corner(i) + corner(i + 1)) / 2);
  for (int i = 0; i < links; ++i) m.hinge(i, (i + 1) % links, corner(i + 1), axis);
  const GlobalProblem p = m.problem(3);
  const Independent rows(p.joints->first);
  EXPECT_EQ(rows.dependent_rows().size(), 3U);
  const Condensed c(p);
  const Eigen::VectorXd r = Eigen::VectorXd::Ones(9), v = c.generalized_velocities(r);
  const Eigen::VectorXd force = c.bilateral_forces(r);
  EXPECT_LE((p.joints->first * v).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LE((p.M * v - p.f - p.H.transpose() * r - p.joints->first.transpose() * force).norm(),
            1e-10 * force.norm());
  EXPECT_LE((rows.null_space().transpose() * force).norm(), 1e-11 * force.norm());
}

}  // namespace
}  // namespace stiction::testing
