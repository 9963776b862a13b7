// SPDX-License-Identifier: Apache-2.0
//
// Continua of solutions, and lists that do not depend on units.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "stiction/enumerate.h"
#include "stiction/friction_cone.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

// Sorted: first open, then stick, then slip, each with its dimension.
using Listed = std::vector<std::pair<Mode, int>>;
Listed and_slips(Listed list, std::size_t count, int dimension) {
  list.insert(list.end(), count, {Mode::slip, dimension});
  return list;
}
Listed listed(const Enumeration& e) {
  Listed list;
  for (const EnumeratedSolution& s : e.solutions) list.emplace_back(s.modes[0], s.dimension);
  std::sort(list.begin(), list.end());
  return list;
}

constexpr Mode open = Mode::open, stick = Mode::stick, slip = Mode::slip;

struct Case {
  Eigen::VectorXd W, q;  // the diagonal
  Listed disc, box;
};

// One contact with a singular diagonal W, μ = ½, u = W r + q by hand.
TEST(EnumerateContinuum, OneContactByHand) {
  const auto v = [](double n, double t1, double t2) -> Eigen::VectorXd { return Vec3(n, t1, t2); };
  const std::vector<Case> cases{
      // Nothing gives way: u = q, and no force matters.
      {v(0, 0, 0), v(0, 0, 0), {{open, 0}, {stick, 3}}, {{open, 0}, {stick, 3}}},
      {v(0, 0, 0), v(1, 1, 0), {{open, 0}}, {{open, 0}}},
      {v(0, 0, 0), v(-1, 0, 0), {}, {}},
      // r = a (1, −½, 0), a > 0; of a box, a (1, −½, s) with |s| ≤ ½.
      {v(0, 0, 0), v(0, 1, 0), {{open, 0}, {slip, 1}}, {{open, 0}, {slip, 2}}},
      // r_n = 1 holds the approach, r_t is any of the disc.
      {v(1, 0, 0), v(-1, 0, 0), {{stick, 2}}, {{stick, 2}}},
      {v(1, 0, 0), v(-1, 1, 0), {{slip, 0}}, {{slip, 1}}},
      {v(1, 0, 0), v(0, 0, 0), {{open, 0}}, {{open, 0}}},
      {v(1, 0, 0), v(1, 0, 0), {{open, 0}}, {{open, 0}}},
      // A rigid normal: any load; up to 2 it slips, from there on r_t = −1 holds it.
      {v(0, 1, 1),
       v(0, 1, 0),
       {{open, 0}, {stick, 1}, {slip, 1}},
       {{open, 0}, {stick, 1}, {slip, 1}}},
      {v(0, 1, 1), v(0, 0, 0), {{open, 0}, {stick, 1}}, {{open, 0}, {stick, 1}}},
      {v(0, 1, 1), v(-1, 0, 0), {}, {}},
      // The same with a slip that turns as the load grows.  A box's force turns at a vertex: both
      // slip, until one component of r_t is enough.
      {v(0, 1, 2),
       v(0, 1, 1),
       {{open, 0}, {stick, 1}, {slip, 1}},
       {{open, 0}, {stick, 1}, {slip, 1}, {slip, 1}}},
      // Only one direction gives way: r_t1 is −1, r_t2 free.
      {v(1, 1, 0), v(-4, 1, 0), {{stick, 1}}, {{stick, 1}}},
      // r_n = 1, and at most ½ of friction: u_t1 = 3 − ½.
      {v(1, 1, 0), v(-1, 3, 0), {{slip, 0}}, {{slip, 1}}},
      {v(0, 1, 0), v(0, 0, 0), {{open, 0}, {stick, 2}}, {{open, 0}, {stick, 2}}},
      // Friction pushes the contact on: it slips any way, r_t of length ½ and u_t = −r_t.  On a box
      // only at the middles of the sides (with r_t2 = 0 the slip along the side is none), or at the
      // corners.
      {v(1, -1, -1), v(-1, 0, 0), {{stick, 0}, {slip, 1}}, and_slips({{stick, 0}}, 8, 0)},
      {v(0, -1, -1),
       v(0, 0, 0),
       {{open, 0}, {stick, 1}, {slip, 2}},
       and_slips({{open, 0}, {stick, 1}}, 8, 1)},
      // Along the axes alone, where W r_t is along r_t.
      {v(0, -1, -2),
       v(0, 0, 0),
       {{open, 0}, {stick, 1}, {slip, 1}, {slip, 1}, {slip, 1}, {slip, 1}},
       and_slips({{open, 0}, {stick, 1}}, 8, 1)}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    for (const double size : {1.0, 1e-9, 1e9}) {
      const Eigen::MatrixXd W = size * Eigen::MatrixXd(c.W.asDiagonal());
      for (const bool box : {false, true}) {
        const Enumeration e = enumerate(one_contact(W, c.q, box ? "box:0.5" : "disc:0.5"));
        EXPECT_TRUE(e.complete);
        EXPECT_EQ(listed(e), box ? c.box : c.disc)
            << "case " << i << (box ? " box " : " disc ") << size;
        for (const EnumeratedSolution& s : e.solutions) {
          EXPECT_LE(s.certificate.scaled, 1e-9) << i;
          const double natural = W.isZero(0) || c.q.isZero(0) ? 1 : 1 / size;
          EXPECT_TRUE(s.modes[0] == open || s.reactions.norm() > 0.1 * natural) << i;
        }
      }
    }
  }
}

TEST(EnumerateContinuum, OneContactInThePlaneByHand) {
  const auto list = [](Vec2 W, Vec2 q, const char* law) {
    return listed(enumerate(one_contact(W.asDiagonal(), q, law)));
  };
  EXPECT_EQ(list({0, 0}, {0, 0}, "disc:0.5"), (Listed{{open, 0}, {stick, 2}}));
  EXPECT_EQ(list({0, 0}, {0, 1}, "disc:0.5"), (Listed{{open, 0}, {slip, 1}}));
  EXPECT_EQ(list({0, 0}, {-1, 0}, "disc:0.5"), Listed{});
  EXPECT_EQ(list({1, 0}, {-1, 0}, "disc:0.5"), (Listed{{stick, 1}}));
  EXPECT_EQ(list({1, 0}, {-1, 1}, "disc:0.5"), (Listed{{slip, 0}}));
  EXPECT_EQ(list({0, 1}, {0, 1}, "disc:0.5"), (Listed{{open, 0}, {stick, 1}, {slip, 1}}));
  EXPECT_EQ(list({0, 1}, {0, 0}, "free"), (Listed{{open, 0}, {stick, 1}}));
  EXPECT_EQ(list({0, 1}, {0, 1}, "free"), (Listed{{open, 0}, {slip, 1}}));
  // Any size of force solves: the one that is told is of size 1.
  const Enumeration e = enumerate(one_contact(Vec2(0, 1).asDiagonal(), Vec2(0, 0), "free"));
  EXPECT_EQ(e.solutions[1].reactions, Eigen::VectorXd(Vec2(1, 0)));
}

// {r ∈ K : W r = −q} by alternating projections from random starts, which end in different points
// of it: their affine hull has its dimension.  −1 if it is empty, −2 if it cannot be told.
int dimension_of_sticking(Random& random, const Eigen::Matrix3d& W, const Vec3& q,
                          const FrictionCone& cone) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(W, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto onto_plane = [&](const Vec3& r) -> Vec3 { return r - svd.solve(W * r + q); };
  if ((W * onto_plane(Vec3::Zero()) + q).norm() > 1e-9) return -1;
  constexpr int starts = 40;
  Eigen::MatrixXd cloud(3, starts);
  for (int i = 0; i < starts; ++i) {
    Vec3 r = std::pow(10.0, random.uniform(0, 2)) * random.direction3() + Vec3(2, 0, 0);
    double gap = 1, early = 1;
    for (int k = 0; k < 4000 && gap > 1e-13; ++k) {
      const Vec3 inside = cone.project(onto_plane(r));
      gap = (inside - onto_plane(inside)).norm();
      r = inside;
      if (k == 2000) early = gap;
    }
    if (gap > 1e-13) return gap > 1e-3 && gap > (1 - 1e-6) * early ? -1 : -2;
    cloud.col(i) = r;
  }
  cloud.colwise() -= Vec3(cloud.col(0));
  const Vec3 spread = Eigen::JacobiSVD<Eigen::MatrixXd>(cloud).singularValues();
  return static_cast<int>((spread.array() > 1e-6).count());
}

TEST(EnumerateContinuum, SticksInAsManyDimensionsAsProjectionsFind) {
  Random random(141);
  std::array<int, 5> seen{};
  for (int i = 0; i < 600; ++i) {
    // Of small whole numbers, and of rank 0, 1 or 2: H₁ H₂ᵀ, mostly symmetric.
    Eigen::Matrix3d H1 = Eigen::Matrix3d::Zero(), H2;
    for (double& x : H1.leftCols(i % 3).reshaped()) x = random.integer(-2, 2);
    H2 = H1;
    if (i % 5 == 0)
      for (double& x : H2.leftCols(i % 3).reshaped()) x = random.integer(-2, 2);
    const Eigen::Matrix3d W = H1 * H2.transpose();
    const Vec3 held(2, random.integer(-2, 2), random.integer(-2, 2));
    const Vec3 q = i % 4 == 0 ? Vec3(Vec3::Zero()) : Vec3(-W * held);
    static const char* const laws[] = {"disc:0.6", "ellipse:0.7,0.3,35",  "disc:30",
                                       "box:0.6",  "pyramid:0.8",         "wheel:0.7,30",
                                       "free",     "ratchet-free:0.7,100"};
    const char* law = laws[random.integer(0, 7)];
    const ContactProblem p = one_contact(W, q, law);
    const int expected = dimension_of_sticking(random, W, q, FrictionCone(limit_curve(p.laws[0])));
    if (expected == -2) continue;
    const Enumeration e = enumerate(p);
    EXPECT_TRUE(e.complete);
    int found = -1;
    for (const EnumeratedSolution& s : e.solutions)
      if (s.modes[0] == Mode::stick) {
        EXPECT_EQ(found, -1) << i << ": two of them";
        found = s.dimension;
      }
    // r = 0 alone is open.
    if (expected == 0 && q.isZero(0)) {
      EXPECT_EQ(found, -1) << i;
    } else {
      EXPECT_EQ(found, expected) << i << ' ' << law << '\n' << W << '\n' << q;
    }
    ++seen[static_cast<std::size_t>(expected + 1)];
  }
  for (const int count : seen) EXPECT_GT(count, 8);
}

// Several contacts on curved laws are searched: what shares its velocities is one continuum, whose
// dimension is that of the forces that hold each other.
TEST(EnumerateContinuum, OfSeveralCurvedContactsIsOne) {
  ContactProblem p;
  p.dimension = 3;
  p.laws.assign(2, parse_law("disc:0.5"));
  // Two contacts of the first case above: any r_t of two discs.
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
  W(0, 0) = W(3, 3) = 1;
  p.W = block_matrix(W, 3);
  p.q = W * Eigen::VectorXd::Constant(6, -1);
  const Enumeration apart = enumerate(p);
  EXPECT_FALSE(apart.complete);
  ASSERT_EQ(apart.solutions.size(), 1U);
  EXPECT_EQ(apart.solutions[0].dimension, 4);
  // Two contacts side by side share one force of (1, −0.1, 0), or either carries all of it.
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  W << one, one, one, one;
  p.W = block_matrix(W, 3);
  p.q = Vec3(-1, 0.1, 0).replicate(2, 1);
  const Enumeration shared = enumerate(p);
  EXPECT_FALSE(shared.complete);
  int continua = 0;
  for (const EnumeratedSolution& s : shared.solutions) {
    EXPECT_TRUE(s.certificate.within(1e-8));
    EXPECT_EQ(s.dimension, (s.modes == std::vector{stick, stick}) ? 3 : 0);
    continua += s.dimension > 0;
  }
  EXPECT_EQ(continua, 1);
}

// Contact i's rows of W and q times s_i, its columns too: its reactions are those over s_i.
TEST(EnumerateUnits, DoNotMatter) {
  Random random(151);
  int solutions = 0, continua = 0;
  for (int i = 0; i < 400; ++i) {
    const int d = i % 2 == 0 ? 2 : 3,
              contacts = d == 2 ? random.integer(1, 4) : random.integer(1, 2);
    std::vector<Law> laws;
    for (int k = 0; k < contacts; ++k) {
      static const char* const texts[] = {"pyramid:0.4",          "box:0.6", "wheel:0.5,30",
                                          "ratchet-free:0.7,100", "free",    "disc:0.6"};
      laws.push_back(
          parse_law(d == 2 ? "disc:0.7" : texts[random.integer(0, contacts == 1 ? 5 : 4)]));
    }
    ContactProblem p = plant(random, contacts, d, 1, laws).problem;
    if (i % 3 == 0) {  // and without an order between W and q, or any symmetry
      Eigen::MatrixXd W(d * contacts, d * contacts);
      for (double& x : W.reshaped()) x = random.uniform(-1, 1);
      p.W = block_matrix(W, d);
    }
    Eigen::VectorXd s(d * contacts);
    for (int k = 0; k < contacts; ++k)
      s.segment(d * k, d).setConstant(std::pow(10.0, random.uniform(-9, 9)));
    ContactProblem scaled = p;
    const Eigen::MatrixXd W = to_sparse(p.W);
    scaled.W = block_matrix(Eigen::MatrixXd(s.asDiagonal() * W * s.asDiagonal()), d);
    scaled.q = s.cwiseProduct(p.q);
    const Enumeration a = enumerate(p), b = enumerate(scaled);
    ASSERT_TRUE(a.complete && b.complete);
    ASSERT_EQ(a.solutions.size(), b.solutions.size()) << i;
    std::vector<bool> taken(b.solutions.size(), false);
    for (const EnumeratedSolution& one : a.solutions) {
      bool matched = false;
      for (std::size_t k = 0; k < taken.size() && !matched; ++k) {
        const EnumeratedSolution& other = b.solutions[k];
        matched = !taken[k] && one.modes == other.modes && one.dimension == other.dimension &&
                  (one.dimension > 0 || (one.reactions - s.cwiseProduct(other.reactions)).norm() <=
                                            1e-6 * one.reactions.norm());
        taken[k] = taken[k] || matched;
      }
      EXPECT_TRUE(matched) << i << ": " << one.reactions.transpose();
      EXPECT_LE(one.certificate.scaled, 1e-8);
      ++(one.dimension > 0 ? continua : solutions);
    }
  }
  EXPECT_GT(solutions, 300);
  EXPECT_GT(continua, 20);
}

// The tangential directions give way 1e10 times as easily as the normal one, or as hard.
TEST(EnumerateUnits, NorSizesWithinAContact) {
  for (const char* law : {"disc:0.5", "box:0.5"})
    for (const double t : {1e-10, 1e-5, 1.0, 1e5, 1e10}) {
      const auto of = [&](const Vec3& q) {
        return enumerate(one_contact(Vec3(1, t, t).asDiagonal(), q, law));
      };
      const Enumeration slides = of({-1, 3 * t, 0});  // r_t = −½, u_t = 2.5 t
      ASSERT_EQ(listed(slides), (Listed{{slip, 0}})) << law << t;
      EXPECT_LE((slides.solutions[0].reactions - Vec3(1, -0.5, 0)).norm(), 1e-14);
      EXPECT_NEAR(slides.solutions[0].velocities[1], 2.5 * t, 1e-14 * t);
      const Enumeration sticks = of({-1, 0.3 * t, 0});
      ASSERT_EQ(listed(sticks), (Listed{{stick, 0}})) << law << t;
      EXPECT_LE((sticks.solutions[0].reactions - Vec3(1, -0.3, 0)).norm(), 1e-14);
      EXPECT_EQ(listed(of({1, 0.3 * t, 0})), (Listed{{open, 0}})) << law << t;
    }
}

// A contact that hardly approaches is not open, whatever the other velocities are.
TEST(EnumerateUnits, ASmallApproachIsNone) {
  for (const char* law : {"disc:0.5", "box:0.5"})
    for (const double approach : {1e-3, 1e-9, 1e-12, 1e-15}) {
      const Enumeration e =
          enumerate(one_contact(Eigen::Matrix3d::Identity(), Vec3(-approach, 1, 0), law));
      ASSERT_EQ(listed(e), (Listed{{slip, 0}})) << law << approach;
      EXPECT_NEAR(e.solutions[0].reactions[0], approach, 1e-14 * approach);
    }
}

}  // namespace
}  // namespace stiction::testing
