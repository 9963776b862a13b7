// SPDX-License-Identifier: Apache-2.0
#include "stiction/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/friction_cone.h"
#include "stiction/law.h"
#include "stiction/solver.h"
#include "support/repeats.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Proves = Separation::Proves;

// A body between two walls at x = ±1 that both come closer: no motion keeps clear of both.
ContactProblem between_walls(const Eigen::Vector4d& q) {
  Eigen::MatrixXd H(4, 2);
  H << 1, 0, 0, 1, -1, 0, 0, 1;
  ContactProblem p;
  p.dimension = 2;
  p.W = block_matrix(Eigen::MatrixXd(H * H.transpose()), 2);
  p.q = q;
  p.laws.resize(2);
  for (Law& law : p.laws) law.mu = 0.5;
  return p;
}

// s = (1, −½, 1, ½) separates, and yet r = 0 solves.
TEST(Separation, ShowsThatExistenceIsNotGuaranteed) {
  const ContactProblem p = between_walls({0, 1, 0, -1});
  const auto s = find_separation(p);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::existence_not_guaranteed);
  EXPECT_TRUE(
      verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::existence_not_guaranteed}));
  EXPECT_FALSE(verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::no_solution}));
  EXPECT_TRUE(
      verify_separation(p, {Eigen::Vector4d(1, -0.5, 1, 0.5), Proves::no_solution}, Model::convex));
  EXPECT_EQ(solve(p).status, Status::solved);
}

// For the convex model the proof is taken before a direction that proves less.
TEST(Separation, ProvesTheConvexModelToHaveNone) {
  const ContactProblem p = between_walls({0, 1, 0, -1});
  const auto s = find_separation(p, Model::convex);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::no_solution);
  EXPECT_LT(p.q.dot(s->direction), 0);
}

// The walls approach each other: u_1n + u_2n = −2 for every motion, so one of them is penetrated.
TEST(Separation, ProvesThatThereIsNoSolution) {
  const ContactProblem p = between_walls({-1, 0, -1, 0});
  const auto s = find_separation(p);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->proves, Proves::no_solution);
  EXPECT_NE(solve(p, {.max_seconds = 2}).status, Status::solved);
}

TEST(Separation, VerifiesNothingElse) {
  const ContactProblem p = between_walls({-1, 0, -1, 0});
  for (const Eigen::Vector4d& wrong : {Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector4d(-1, 0, -1, 0),
                                       Eigen::Vector4d(1, 2, 1, -2), Eigen::Vector4d(0, 0, 0, 0)})
    for (const Proves proves : {Proves::no_solution, Proves::existence_not_guaranteed})
      EXPECT_FALSE(verify_separation(p, {wrong, proves}));
}

// With a free body under every contact some motion lifts off: nothing separates.
TEST(Separation, IsNotFoundWhereSolutionsAreGuaranteed) {
  Random random(131);
  for (int i = 0; i < 20; ++i) {
    const int contacts = random.integer(1, 5);
    Planted p = plant(random, contacts, 3, 1, discs(random, contacts));
    p.problem.W = block_matrix(Eigen::MatrixXd(to_sparse(p.problem.W)) +
                                   Eigen::MatrixXd::Identity(3 * contacts, 3 * contacts),
                               3);
    EXPECT_FALSE(find_separation(p.problem).has_value()) << i;
  }
}

// Contacts in units of their own, or one that is stiff across and soft along: the answers are those
// in any other units.
TEST(Separation, DoesNotDependOnTheSizesOfContacts) {
  for (const double ratio : {1e-20, 1e-12, 1e-9, 1e9, 1e10, 1e12, 1e20}) {
    ContactProblem one;
    one.laws.resize(1);
    one.laws[0].mu = 0.1;
    one.W = block_matrix(Eigen::MatrixXd(Vec3(1, ratio, ratio).asDiagonal()), 3);
    one.q = Vec3(-1, 2, 3);
    EXPECT_FALSE(find_separation(one).has_value()) << ratio;
    EXPECT_FALSE(verify_separation(one, {Vec3(1, 0, 0), Proves::no_solution})) << ratio;

    ContactProblem two;
    two.laws.resize(2);
    for (Law& law : two.laws) law.mu = 0.5;
    Eigen::VectorXd diagonal = Eigen::VectorXd::Ones(6);
    diagonal.tail<3>() *= ratio;
    two.W = block_matrix(Eigen::MatrixXd(diagonal.asDiagonal()), 3);
    two.q = Eigen::VectorXd::LinSpaced(6, -3, 2);
    EXPECT_FALSE(find_separation(two).has_value()) << ratio;

    const Eigen::Vector4d units(1, 1, ratio, ratio);
    ContactProblem walls = between_walls({-1, 0, -1, 0});
    walls.q = walls.q.cwiseProduct(units).eval();
    walls.W =
        block_matrix(Eigen::MatrixXd(units.asDiagonal() * Eigen::MatrixXd(to_sparse(walls.W)) *
                                     units.asDiagonal()),
                     2);
    const auto s = find_separation(walls);
    ASSERT_TRUE(s.has_value()) << ratio;
    EXPECT_EQ(s->proves, Proves::no_solution) << ratio;
    EXPECT_NEAR(s->direction[0] / s->direction[2], ratio, 1e-9 * ratio);
  }
}

// W = H Hᵀ of some rank, discs of coefficient ½, q at random.
struct Body {
  Eigen::MatrixXd H;
  Eigen::VectorXd q;

  ContactProblem problem() const {
    ContactProblem p;
    p.W = block_matrix(Eigen::MatrixXd(H * H.transpose()), 3);
    p.q = q;
    p.laws.resize(static_cast<std::size_t>(q.size() / 3));
    for (Law& law : p.laws) law.mu = 0.5;
    return p;
  }
};

Eigen::MatrixXd numbers(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); });
}

// s in K of some of the contacts; H is turned so that Hᵀ s = 0, and q so that q·s is what is asked.
Eigen::VectorXd plant_separation(Random& random, Body& body, double along, bool normal_only) {
  Eigen::VectorXd s = Eigen::VectorXd::Zero(body.q.size());
  for (Eigen::Index i = 0; i < s.size() / 3; ++i) {
    if (i > 0 && random.uniform(0, 1) < 0.5) continue;
    const double n = random.uniform(0.1, 1), angle = random.uniform(0, 7);
    const double t = normal_only ? 0 : n * random.uniform(0, 0.45);
    s.segment<3>(3 * i) << n, t * std::cos(angle), t * std::sin(angle);
  }
  s.normalize();
  for (int k = 0; k < 2; ++k)  // again for what rounding left of rows along s
    body.H -= s * (s.transpose() * body.H).eval();
  body.q += (along - body.q.dot(s)) * s;
  return s;
}

struct Size {
  int contacts, rank;
};
constexpr Size sizes[] = {{1, 1},   {2, 1},   {3, 6},   {5, 10},  {8, 3},    {12, 6},
                          {12, 30}, {30, 12}, {30, 60}, {50, 30}, {100, 20}, {200, 580}};

// What is there is found: a proof where q·s < 0, also one of normal forces alone among all others.
TEST(Separation, IsFoundWherePlanted) {
  Random random(132);
  for (const Size size : sizes)
    for (int seed = 0; seed < (size.contacts > 12 ? 2 : 10); ++seed)
      for (const bool normal_only : {true, false}) {
        Body body{numbers(random, 3 * size.contacts, size.rank),
                  numbers(random, 3 * size.contacts, 1)};
        const Eigen::VectorXd s = plant_separation(random, body, -0.1, normal_only);
        const Model model = normal_only ? Model::coulomb : Model::convex;
        const ContactProblem p = body.problem();
        ASSERT_TRUE(verify_separation(p, {s, Proves::no_solution}, model));
        const auto found = find_separation(p, model);
        ASSERT_TRUE(found.has_value()) << size.contacts << ' ' << size.rank << ' ' << seed;
        EXPECT_EQ(found->proves, Proves::no_solution) << size.contacts << ' ' << size.rank;
        EXPECT_TRUE(verify_separation(p, *found, model));
      }
}

// Normal forces alone, among 1 to 300 contacts: what rounding leaves of Wᵀs loses few.
TEST(Separation, OfNormalForcesIsFoundAtAnySize) {
  const int count = repeats(60);
  int planted = 0, found = 0;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<unsigned>(1380000 + k));
    const int contacts = k % 20 == 19 ? random.integer(100, 300) : random.integer(1, 60);
    const int rank = random.integer(1, std::min(3 * contacts, 100));
    Body body{numbers(random, 3 * contacts, rank), numbers(random, 3 * contacts, 1)};
    const Eigen::VectorXd s = plant_separation(random, body, -0.1, true);
    const ContactProblem p = body.problem();
    if (!verify_separation(p, {s, Proves::no_solution})) continue;
    ++planted;
    const auto one = find_separation(p, Model::coulomb, {}, Among::normal_forces);
    if (!one) continue;
    EXPECT_EQ(one->proves, Proves::no_solution) << k;
    // s ≥ 0 and normal, Wᵀs = 0 and q·s < 0, by hand
    const Eigen::VectorXd& t = one->direction;
    for (int c = 0; c < contacts; ++c) {
      EXPECT_GE(t[3 * c], 0) << k;
      EXPECT_EQ(t.segment<2>(3 * c + 1), Vec2(0, 0)) << k;
    }
    const Eigen::MatrixXd W(to_sparse(p.W));
    EXPECT_LE((W.transpose() * t).norm(), 1e-13 * (W.cwiseAbs() * t).norm()) << k;
    EXPECT_LT(p.q.dot(t), 0) << k;
    ++found;
  }
  RecordProperty("planted", planted);
  RecordProperty("found", found);
  EXPECT_GE(planted, count - count / 100);
  EXPECT_GE(found, planted - planted / 100);
}

// q = H v − p s of no component along s: only q·s = 0 is left, which proves less.
TEST(Separation, IsFoundWhereItJustTouches) {
  Random random(133);
  for (const Size size : sizes)
    for (int seed = 0; seed < (size.contacts > 12 ? 1 : 10); ++seed) {
      Body body{numbers(random, 3 * size.contacts, size.rank),
                numbers(random, 3 * size.contacts, 1)};
      const Eigen::VectorXd s = plant_separation(random, body, 0, false);
      body.q = body.H * numbers(random, size.rank, 1);
      const auto found = find_separation(body.problem());
      ASSERT_TRUE(found.has_value()) << size.contacts << ' ' << size.rank << ' ' << seed;
      EXPECT_EQ(found->proves, Proves::existence_not_guaranteed);
      EXPECT_TRUE(verify_separation(body.problem(), *found));
    }
}

// With W x + q inside K* for some x there is none: s·(W x + q) = q·s would be positive.
TEST(Separation, IsNotFoundWhereSomeMotionLiftsOff) {
  Random random(134);
  for (const Size size : sizes)
    for (int seed = 0; seed < (size.contacts > 12 ? 1 : 10); ++seed) {
      Body body{numbers(random, 3 * size.contacts, size.rank), {}};
      body.q = -body.H * numbers(random, size.rank, 1);
      for (int i = 0; i < size.contacts; ++i) {
        const double t = random.uniform(0, 1), angle = random.uniform(0, 7);
        body.q.segment<3>(3 * i) += Vec3(0.5 * t + 0.01, t * std::cos(angle), t * std::sin(angle));
      }
      for (const Model model : {Model::coulomb, Model::convex})
        EXPECT_FALSE(find_separation(body.problem(), model).has_value())
            << size.contacts << ' ' << size.rank << ' ' << seed;
    }
}

// Any laws, contacts in units of a million to one: of 300 at most one in a hundred is lost to
// rounding.  The planted direction is a tenth inside the curves, polygons inside them are within 2
// %.
TEST(Separation, IsFoundUnderAnyLaw) {
  constexpr const char* laws[] = {
      "disc:0.5",         "ellipse:0.5,0.2,30", "wheel:0.8,20", "box:0.5",
      "ngon:0.4,8",       "ratchet:0.6,10",     "free",         "disc:0",
      "rusty:0.8,0.2,40", "ratchet-free:0.5,70"};
  Random random(136);
  int lost = 0;
  for (int i = 0; i < 300; ++i) {
    const int contacts = random.integer(1, 25), rank = random.integer(1, 3 * contacts);
    ContactProblem p;
    Eigen::VectorXd s = Eigen::VectorXd::Zero(3 * contacts), units(3 * contacts);
    for (int c = 0; c < contacts; ++c) {
      p.laws.push_back(parse_law(laws[random.integer(0, 9)]));
      units.segment<3>(3 * c).setConstant(random.decades(-3, 3));
      if (c > 0 && random.uniform(0, 1) < 0.6) continue;
      const Vec3 any(random.uniform(0.2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
      s.segment<3>(3 * c) = FrictionCone(limit_curve(p.laws.back())).project(any);
      s.segment<2>(3 * c + 1) *= 0.9;
    }
    if (s.isZero(1e-3)) continue;
    s.normalize();
    Eigen::MatrixXd H = numbers(random, 3 * contacts, rank);
    for (int k = 0; k < 2; ++k) H -= s * (s.transpose() * H).eval();
    p.q = numbers(random, 3 * contacts, 1);
    p.q += (-0.1 - p.q.dot(s)) * s;
    H = (units.asDiagonal() * H).eval();
    p.W = block_matrix(Eigen::MatrixXd(H * H.transpose()), 3);
    p.q = units.cwiseProduct(p.q).eval();
    s = s.cwiseQuotient(units).eval();
    if (!verify_separation(p, {s, Proves::no_solution}, Model::convex)) continue;
    const auto found = find_separation(p, Model::convex);
    if (!found || found->proves != Proves::no_solution) ++lost;
    if (found) {
      EXPECT_TRUE(verify_separation(p, *found, Model::convex)) << i;
    }
  }
  EXPECT_LE(lost, 3);
}

// Stopped in the first program there is nothing; in a later one what was found before.
TEST(Separation, IsStopped) {
  Random random(135);
  Body body{numbers(random, 60, 10), numbers(random, 60, 1)};
  plant_separation(random, body, 0, true);
  body.q = body.H * numbers(random, 10, 1);
  const ContactProblem p = body.problem();
  std::vector<double> shares;
  const auto whole = find_separation(p, Model::coulomb, [&](double share) {
    shares.push_back(share);
    return true;
  });
  ASSERT_TRUE(whole.has_value());
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.size(), 20U);
  EXPECT_LE(shares.back(), 1);
  EXPECT_THROW(find_separation(p, Model::coulomb, [](double) { return false; }), Stopped);
  const auto part =
      find_separation(p, Model::coulomb, [](double share) { return share < 0.5 + 1e-9; });
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->direction, whole->direction);
}

}  // namespace
}  // namespace stiction::testing
