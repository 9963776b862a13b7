// SPDX-License-Identifier: Apache-2.0
//
// Problems by the thousand, and what every answer owes, checked from the law itself: K, K* and
// complementarity, without the library's cones.  STICTION_CASES=10000 makes so many of each kind.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "stiction/enumerate.h"
#include "stiction/solver.h"
#include "support/repeats.h"
#include "support/scenes.h"
#include "support/stacks.h"

namespace stiction::testing {
namespace {

// Gauge and support function of the discs, pyramids (|x| + |y| ≤ μ) and boxes (max norm ≤ μ).
double gauge(const Law& law, const Vec2& f) {
  const double size = law.curve == Law::Curve::pyramid ? f.lpNorm<1>()
                      : law.curve == Law::Curve::box   ? f.lpNorm<Eigen::Infinity>()
                                                       : f.norm();
  return size / law.mu;
}
double support(const Law& law, const Vec2& v) {
  return law.mu * (law.curve == Law::Curve::pyramid ? v.lpNorm<Eigen::Infinity>()
                   : law.curve == Law::Curve::box   ? v.lpNorm<1>()
                                                    : v.norm());
}

using Exact = boost::multiprecision::cpp_bin_float_50;

// Contact by contact r_n ≥ 0, r_t in r_n C, u_n ≥ 0, and no work by û = u + h(u_t) e_n on r, to a
// share of q, or of W r without it.
bool obeys_the_law(const ContactProblem& p, const Eigen::VectorXd& r) {
  const int d = p.dimension;
  const Eigen::MatrixXd W(to_sparse(p.W));
  const double share = 1e-7;
  for (int i = 0; i < p.contacts(); ++i) {
    const Law& law = p.laws[static_cast<std::size_t>(i)];
    Vec3 force = Vec3::Zero(), u = Vec3::Zero();
    for (int c = 0; c < d; ++c) {
      Exact sum = p.q[d * i + c];
      for (Eigen::Index j = 0; j < r.size(); ++j) sum += Exact(W(d * i + c, j)) * Exact(r[j]);
      u[c] = static_cast<double>(sum);
      force[c] = r[d * i + c];
    }
    const double approach = p.q.norm() > 0 ? p.q.norm() : W.norm() * r.norm();
    const double speed = share * approach, size = share * (approach + force.norm());
    if (force[0] < -size || u[0] < -speed) return false;
    const double over = gauge(law, force.tail<2>()) - force[0];
    if (over * law.mu > size) return false;
    const double h = support(law, u.tail<2>());
    const double work = force[0] * (u[0] + h) + force.tail<2>().dot(u.tail<2>());
    if (std::abs(work) > speed * (force.norm() + u.norm() + h) + size * (u.norm() + h))
      return false;
  }
  return true;
}

// Small problems of every kind: bodies that touch, whole numbers of any sign and rank, matrices of
// low rank with q in their range or not, contacts in units of their own, masses far apart.
ContactProblem small_problem(Random& random) {
  ContactProblem p;
  const int d = random.integer(2, 3), n = random.integer(1, d == 2 ? 3 : 2),
            kind = random.integer(0, 5), size = d * n;
  p.dimension = d;
  constexpr const char* names[] = {"pyramid", "box", "disc"};
  constexpr double coefficients[] = {0.3, 0.5, 1, 2, 5};
  const int curves = d == 2 || n == 1 ? 2 : 1;  // of discs side by side no list is complete
  for (int i = 0; i < n; ++i) {
    const int name = d == 2 ? 2 : random.integer(0, curves);
    p.laws.push_back(parse_law(std::string(names[name]) + ":" +
                               std::to_string(coefficients[random.integer(0, 4)])));
  }
  const auto whole = [&] { return static_cast<double>(random.integer(-2, 2)); };
  const auto real = [&] { return random.uniform(-1, 1); };
  Eigen::MatrixXd W;
  p.q = Eigen::VectorXd::NullaryExpr(size, real);
  if (kind == 0 || kind == 3) {
    W = random_delassus(random, n, d, random.integer(1, n));
  } else if (kind == 1) {
    W = Eigen::MatrixXd::NullaryExpr(size, size, whole);
    p.q = Eigen::VectorXd::NullaryExpr(size, whole);
  } else if (kind == 2) {
    const Eigen::MatrixXd V = Eigen::MatrixXd::NullaryExpr(size, random.integer(1, size), whole);
    W = V * V.transpose();
    p.q = Eigen::VectorXd::NullaryExpr(size, whole);
  } else if (kind == 4) {
    const Eigen::MatrixXd V = Eigen::MatrixXd::NullaryExpr(size, random.integer(1, size), real);
    W = V * V.transpose();
    if (random.integer(0, 1) == 1) p.q = V * Eigen::VectorXd::NullaryExpr(V.cols(), real);
  } else {  // bodies on each other, each held by one contact
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(size);
    for (int i = 0; i < n; ++i) {
      const double root = random.decades(-3, 3);
      const auto one = Eigen::MatrixXd::Identity(d, d);
      H.block(d * i, d * i, d, d) = one / root;
      if (i + 1 < n) H.block(d * i + d, d * i, d, d) = -one / root;
      v[d * i] = -0.1 * root;
      v[d * i + 1] = real() * root;
    }
    W = H * H.transpose();
    p.q = H * v;
  }
  if (kind == 3) {
    Eigen::VectorXd units(size);
    for (int i = 0; i < n; ++i) units.segment(d * i, d).setConstant(random.decades(-4, 4));
    W = (units.asDiagonal() * W * units.asDiagonal()).eval();
    p.q = units.cwiseProduct(p.q).eval();
  }
  p.W = block_matrix(W, d);
  return p;
}

// `solve`, `enumerate` and the law agree: what is solved solves and is not denied by a complete
// list, what is listed solves, and where there is no solution none is listed.
TEST(Generated, SmallProblemsAgree) {
  const int count = repeats(600);
  int none = 0, complete = 0, missed = 0;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<unsigned>(7000000 + k));
    const ContactProblem p = small_problem(random);
    const Enumeration all = enumerate(p);
    const Solution s = solve(p, {.max_seconds = 5 * STICTION_SLOWED});
    const bool solved = s.status == Status::solved;
    if (solved) {
      EXPECT_TRUE(obeys_the_law(p, s.reactions)) << k;
      EXPECT_TRUE(certify(p, s.reactions).within(1e-8)) << k;
      if (all.complete) {
        EXPECT_FALSE(all.solutions.empty()) << k;
      }
    }
    bool listed = false;
    for (const EnumeratedSolution& one : all.solutions)
      if (one.certificate.within(1e-8)) {
        listed = true;
        EXPECT_TRUE(obeys_the_law(p, one.reactions)) << k;
      }
    if (s.status == Status::no_solution) {
      EXPECT_FALSE(listed) << k;
      if (s.separation) {
        EXPECT_TRUE(verify_separation(p, *s.separation)) << k;
      }
    }
    EXPECT_LE(all.proves_none, all.complete && all.solutions.empty()) << k;
    none += s.status == Status::no_solution ? 1 : 0;
    complete += all.complete ? 1 : 0;
    missed += listed && !solved ? 1 : 0;
  }
  RecordProperty("none", none);
  RecordProperty("complete", complete);
  RecordProperty("missed", missed);
  EXPECT_GT(none, count / 20);
  EXPECT_GT(complete, count / 2);
  EXPECT_LE(missed, 1 + count / 1000);
}

// Reactions that swallow q in the rounding of W r, and solve nonetheless.  Beyond 2⁵⁰ a W few
// roundings away is singular.
TEST(Generated, WhatIsCompleteDeniesNoHeavyBody) {
  for (int exponent = 20; exponent <= 50; ++exponent) {
    const double M = std::ldexp(1, exponent);
    ContactProblem p;
    p.dimension = 2;
    p.W = block_matrix(
        Eigen::MatrixXd(Eigen::Matrix4d{
            {1, 0, -1, 0}, {0, 1, 0, -1}, {-1, 0, 1 + 1 / M, 0}, {0, -1, 0, 1 + 1 / M}}),
        2);
    p.q = Eigen::Vector4d(-0.125, 0, 0, 0);
    p.laws.assign(2, parse_law("disc:0.5"));
    ASSERT_TRUE(certify(p, Eigen::Vector4d((M + 1) / 8, 0, M / 8, 0)).within(0));
    const Enumeration all = enumerate(p);
    EXPECT_FALSE(all.complete && all.solutions.empty()) << exponent;
    if (exponent <= 30) {
      EXPECT_TRUE(all.complete) << exponent;
      EXPECT_EQ(all.solutions.size(), 1U) << exponent;
    }
  }
}

// Stacks have a solution whatever their masses: that is never denied, and nothing else is said to
// solve them.  To a ratio of 1e7 all are solved.
TEST(Generated, StacksOfAnyMassesAreNeverDenied) {
  const int count = repeats(60);
  int solved = 0, easy = 0, easy_solved = 0;
  ContactSolver solver;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<unsigned>(7100000 + k));
    const int boxes = random.integer(2, 5), corners = random.integer(0, 1) == 0 ? 1 : 4;
    const double decades = k % 4 == 0 ? random.uniform(0, 7) : random.uniform(0, 30);
    const std::vector<double> masses = stack_masses(random, boxes, std::pow(10, decades));
    const std::vector<Law> laws = discs(random, corners * boxes);
    const ContactProblem p = stack(random, masses, corners, laws, false);
    const Model model = k % 2 == 0 ? Model::coulomb : Model::convex;
    const Solution& s = solver.solve(p, {.model = model, .max_seconds = 0.2 * STICTION_SLOWED});
    if (decades <= 14) {  // beyond, some W a few roundings away has none
      EXPECT_NE(s.status, Status::no_solution) << k << ' ' << decades;
    }
    if (s.status == Status::solved) {
      ++solved;
      EXPECT_TRUE(certify(p, s.reactions, model).within(1e-8)) << k;
      if (model == Model::coulomb) {
        EXPECT_TRUE(obeys_the_law(p, s.reactions)) << k << ' ' << decades;
      }
    }
    if (decades <= 7) {
      ++easy;
      easy_solved += s.status == Status::solved ? 1 : 0;
    }
  }
  RecordProperty("solved", solved);
  RecordProperty("easy", easy);
  RecordProperty("easy_solved", easy_solved);
  EXPECT_GE(easy_solved, easy - easy / 200);
}

}  // namespace
}  // namespace stiction::testing
