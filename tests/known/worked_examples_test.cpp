// SPDX-License-Identifier: Apache-2.0
//
// The worked examples of docs/worked-examples.md: the shipped scenes and whole families around
// them, against answers derived by hand.  One time step from rest, masses of 1 kg, weight times
// step g = 0.0981 N s.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/enumerate.h"
#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace stiction::testing {
namespace {

constexpr double g = 0.0981;
constexpr double pi = std::numbers::pi;

ContactProblem scene(const std::string& name) {
  const AnyProblem any = read_problem(STICTION_SOURCE "/scenes/" + name + ".json");
  return std::visit([](const auto& p) { return Condensed(p); }, any).local();
}

struct Answer {
  Eigen::VectorXd reactions, velocities;
};

// The solver's reactions, and u = W r + q.
Answer solved(const ContactProblem& problem) {
  const Solution s = solve(problem, {.tolerance = 1e-13});
  EXPECT_EQ(s.status, Status::solved);
  return {s.reactions, to_sparse(problem.W) * s.reactions + problem.q};
}

void expect_near(const Eigen::VectorXd& found, const Eigen::VectorXd& expected, double size = g) {
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_LE((found - expected).norm(), 1e-12 * size)
      << "found " << found.transpose() << ", expected " << expected.transpose();
}

Eigen::VectorXd vec(std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(),
                                           static_cast<Eigen::Index>(values.size()));
}

// --- A block on an incline ----------------------------------------------------------------------

// tan a ≤ μ = ¾: it stays, with r = g (cos a, sin a); beyond, r_t = μ r_n and it slides down with
// g (sin a − μ cos a).
TEST(Incline, ShippedScenes) {
  expect_near(solved(scene("incline-below")).reactions, g * vec({12. / 13, 5. / 13}));
  expect_near(solved(scene("incline-below")).velocities, vec({0, 0}));
  expect_near(solved(scene("incline-at")).reactions, g * vec({0.8, 0.6}));
  expect_near(solved(scene("incline-at")).velocities, vec({0, 0}));
  expect_near(solved(scene("incline-above")).reactions, g * vec({0.6, 0.45}));
  expect_near(solved(scene("incline-above")).velocities, g * vec({0, -0.35}));
}

TEST(Incline, EveryAngle) {
  for (int degrees = 0; degrees < 90; ++degrees) {
    const double a = degrees * pi / 180, c = std::cos(a), s = std::sin(a);
    ContactProblem p = scene("incline-at");
    p.q = g * Vec2(-c, -s);
    const bool slides = s > 0.75 * c;
    expect_near(solved(p).velocities, g * vec({0, slides ? 0.75 * c - s : 0}));
    expect_near(solved(p).reactions, g * vec({c, slides ? 0.75 * c : s}));
  }
}

// --- A block pushed over the plane --------------------------------------------------------------

struct Push {
  const char* law;
  double start_at_45;  // push over weight at which it moves, over μ
  Vec2 velocity;       // pushed with its weight at 30°, μ = ½: velocity over g
};

// The push p is answered by the nearest force of the curve: u_t = p − P_C(p).  At 45° it starts
// at the radius of C; with p = (√3/2, ½) the residue is computed by hand for each.
std::vector<Push> pushes() {
  const double x = std::sqrt(3) / 2, y = 0.5, c = std::cos(pi / 8), s = std::sin(pi / 8);
  const double q = std::sqrt(0.5);
  return {{"disc:*", 1, {x / 2, y / 2}},
          {"pyramid:*", q, {(x + y - 0.5) / 2, (x + y - 0.5) / 2}},  // on the flat
          {"box:*", 1 / q, {x - 0.5, 0}},                            // the second axis holds
          {"scaled-box:*", 1, {x - q / 2, y - q / 2}},               // the corner
          {"ngon:*,8", c, {x - c / 2, y - s / 2}},                   // the corner at 22.5°
          // The corner at 22.5°, where the sides f_1 = ½ and q(f_1 + f_2) = ½ meet.
          {"ngon-out:*,8", 1, {x - 0.5, y - (0.5 / q - 0.5)}}};
}

ContactProblem with_law(ContactProblem p, std::string law) {
  law.replace(law.find('*'), 1, "0.5");
  p.laws[0] = parse_law(law);
  return p;
}

TEST(Push, At45DegreesItStartsAtTheRadiusOfTheCurve) {
  for (const Push& push : pushes())
    for (const double factor : {0.999, 1.001}) {
      ContactProblem p = with_law(scene("push-45"), push.law);
      const double force = g * factor * 0.5 * push.start_at_45;
      p.q.tail<2>().setConstant(force * std::sqrt(0.5));
      const Eigen::VectorXd u = solved(p).velocities;
      if (factor < 1) {
        EXPECT_LE(u.norm(), 1e-13) << push.law;
      } else {  // what is left over, and for symmetry along the push
        EXPECT_NEAR(u.norm(), force * (1 - 1 / factor), 1e-12) << push.law;
        EXPECT_NEAR(u[1], u[2], 1e-12) << push.law;
      }
    }
}

// 0.48 of the weight lies between the octagon's 0.4619 and the disc's 0.5.
TEST(Push, ShippedSceneMovesUnderTheWeakCurvesOnly) {
  for (const Push& push : pushes()) {
    const bool moves = solved(with_law(scene("push-45"), push.law)).velocities.norm() > 1e-6;
    EXPECT_EQ(moves, 0.5 * push.start_at_45 < 0.48) << push.law;
  }
}

TEST(Push, At30DegreesEveryCurveHasItsOwnDirection) {
  for (const Push& push : pushes()) {
    const Eigen::VectorXd u = solved(with_law(scene("push-30"), push.law)).velocities;
    EXPECT_NEAR(u[0], 0, 1e-13) << push.law;
    EXPECT_NEAR(u[1], g * push.velocity.x(), 1e-13) << push.law;
    EXPECT_NEAR(u[2], g * push.velocity.y(), 1e-13) << push.law;
  }
}

// --- Two blocks, the upper one pulled -----------------------------------------------------------

// Velocities of the upper and the lower block after the step, by cases.  μ1 between them, μ2 on the
// ground, both of 1 kg, the pull P times the weight of one.
std::pair<double, double> two_blocks(double mu1, double mu2, double P) {
  if (P <= std::min(mu1, 2 * mu2)) return {0, 0};
  if (mu1 <= 2 * mu2) return {g * (P - mu1), 0};  // the lower one is held by the ground
  const double common = P / 2 - mu2;              // if they stick together
  if (common <= mu1 - 2 * mu2) return {g * common, g * common};
  return {g * (P - mu1), g * (mu1 - 2 * mu2)};
}

TEST(TwoBlocks, EveryRegime) {
  int regimes[4] = {};
  for (const double mu1 : {0.0, 0.1, 0.45, 0.8, 1.3})
    for (const double mu2 : {0.0, 0.1, 0.3, 0.7})
      for (const double P : {0.05, 0.33, 0.52, 0.83, 1.51, 4.0}) {
        ContactProblem p = scene("two-blocks-rest");
        p.laws[0].mu = mu1;
        p.laws[1].mu = mu2;
        p.q[1] = g * P;  // contact 0: of the upper on the lower; contact 1: of the lower on ground
        const auto [upper, lower] = two_blocks(mu1, mu2, P);
        expect_near(solved(p).velocities, vec({0, upper - lower, 0, lower}), 10 * g);
        ++regimes[upper == 0 ? 0 : lower == 0 ? 1 : upper == lower ? 2 : 3];
      }
  for (const int seen : regimes) EXPECT_GE(seen, 5);
}

TEST(TwoBlocks, ShippedScenes) {
  for (const auto& [name, P] :
       {std::pair("rest", 0.5), std::pair("together", 0.8), std::pair("apart", 1.5)}) {
    const auto [upper, lower] = two_blocks(0.8, 0.3, P);
    expect_near(solved(scene(std::string("two-blocks-") + name)).velocities,
                vec({0, upper - lower, 0, lower}));
  }
}

// --- A ladder against a wall --------------------------------------------------------------------

// Balance of a uniform ladder at 60° (c = cot 60°, weight w): with F the wall's friction, upwards,
// the wall pushes with (w/2 − F)c, the ground with w − F and friction (w/2 − F)c.
constexpr double w = 0.00981;
Eigen::VectorXd ladder(double F) {
  const double c = 1 / std::sqrt(3);
  return vec({w - F, (w / 2 - F) * c, (w / 2 - F) * c, F});
}

// The friction cones leave F in [low, high]; with c > μ the ground limits it from below too.
std::pair<double, double> ladder_interval(double mu) {
  const double c = 1 / std::sqrt(3), high = w / 2 * mu * c / (1 + mu * c);
  double low = -w / 2 * mu * c / (1 - mu * c);
  if (mu < c) low = std::max(low, w * (c / 2 - mu) / (c - mu));
  return {low, high};
}

TEST(Ladder, StandsFromTheTangentOfHalfItsLeanOn) {
  const double least = std::tan(15 * pi / 180);  // (90° − 60°)/2
  EXPECT_NEAR(ladder_interval(least).first, ladder_interval(least).second, 1e-15);
  for (const double mu : {0.05, 0.2, 0.999 * least, 1.001 * least, 0.3, 0.5, 0.55}) {
    ContactProblem p = scene("ladder");
    for (Law& law : p.laws) law.mu = mu;
    const Enumeration all = enumerate(p);
    ASSERT_TRUE(all.complete);
    ASSERT_EQ(all.solutions.size(), 1U) << mu;
    const EnumeratedSolution& found = all.solutions[0];
    if (mu < least) {
      EXPECT_EQ(found.modes, (std::vector{Mode::slip, Mode::slip})) << mu;
      EXPECT_GT(found.velocities.norm(), 1e-6 * w) << mu;
      continue;
    }
    EXPECT_EQ(found.modes, (std::vector{Mode::stick, Mode::stick})) << mu;
    EXPECT_EQ(found.dimension, 1) << mu;
    const auto [low, high] = ladder_interval(mu);
    expect_near(found.reactions, ladder(found.reactions[3]), w);
    EXPECT_GT(found.reactions[3], low) << mu;
    EXPECT_LT(found.reactions[3], high) << mu;
    // All of the interval solves, and nothing beyond it.
    for (const double t : {0.0, 0.3, 1.0})
      EXPECT_TRUE(certify(p, ladder(low + t * (high - low))).within(1e-13)) << mu;
    for (const double F : {low - 1e-3 * w, high + 1e-3 * w})
      EXPECT_FALSE(certify(p, ladder(F)).within(1e-6)) << mu;
  }
}

// --- The sliding rod ----------------------------------------------------------------------------

// A uniform rod of mass 1 and half length 1 at angle a slides tip first: W = [[1+3c², 3cs],
// [3cs, 1+3s²]], det W = 4.  Sliding, a_n = b + p f_n with p = 1 + 3c² − 3μcs, which is negative
// for μ > (t² + 4)/(3t), t = tan a.
ContactProblem rod(double a, double mu, double q_n, double slip) {
  const double c = std::cos(a), s = std::sin(a);
  ContactProblem p = scene("rod-fast");
  Eigen::Matrix2d W;
  W << 1 + 3 * c * c, 3 * c * s, 3 * c * s, 1 + 3 * s * s;
  p.W = block_matrix(Eigen::MatrixXd(W), 2);
  p.q = Vec2(q_n, slip);
  p.laws[0].mu = mu;
  return p;
}

TEST(Rod, ShippedScenesAreTheRodAt60Degrees) {
  for (const auto& [name, sign] : {std::pair("rod-fast", 1.0), std::pair("rod-slow", -1.0)}) {
    const ContactProblem shipped = scene(name), made = rod(pi / 3, 2, sign * 0.00981, 1);
    EXPECT_EQ(shipped.laws, made.laws);
    EXPECT_LE((Eigen::MatrixXd(to_sparse(shipped.W)) - to_sparse(made.W)).norm(), 1e-15);
    EXPECT_LE((shipped.q - made.q).norm(), 1e-17);
  }
}

// With forces alone the rod has two answers or none beyond μ_jam, one before.
TEST(Rod, CountOfForcesByRegime) {
  for (int degrees = 5; degrees < 90; degrees += 5)
    for (const double mu : {0.3, 1.0, 1.4, 2.0, 5.0})
      for (const double b : {-1.0, 1.0}) {
        const double t = std::tan(degrees * pi / 180), c = 1 / std::sqrt(1 + t * t), s = c * t;
        const double p = 1 + 3 * c * c - 3 * mu * c * s;
        EXPECT_EQ(p<0, mu>(t * t + 4) / (3 * t));
        ContactProblem scalar = scene("painleve");
        Eigen::Matrix2d W;
        W << p, 0, 0, 1;
        scalar.W = block_matrix(Eigen::MatrixXd(W), 2);
        scalar.q = Vec2(b, 0);
        const Enumeration all = enumerate(scalar);
        EXPECT_TRUE(all.complete);
        EXPECT_EQ(all.solutions.size(), p > 0 ? 1U : b > 0 ? 2U : 0U) << degrees << ' ' << mu;
        for (const EnumeratedSolution& one : all.solutions)
          EXPECT_NEAR(one.reactions[0], one.modes[0] == Mode::open ? 0 : -b / p,
                      1e-12 / std::abs(p));
      }
  EXPECT_EQ(enumerate(scene("painleve")).solutions.size(), 2U);
  EXPECT_EQ(enumerate(scene("painleve-one")).solutions.size(), 1U);
  EXPECT_EQ(enumerate(scene("painleve-none")).solutions.size(), 0U);
}

// With impulses there is always one.  The slip is so fast that the step's weight hardly matters:
// stopping it takes (3cs, −(1+3c²))·slip/4, in the cone from the same μ_jam on.  That is the impact
// without collision, the only answer where forces have none and the third where they have two.
TEST(Rod, ImpulsesAddTheImpactWithoutCollision) {
  for (int degrees = 30; degrees < 90; degrees += 5)
    for (const double mu : {0.6, 1.4, 2.0})
      for (const double q_n : {-1e-6, 1e-6}) {
        const double a = degrees * pi / 180, c = std::cos(a), s = std::sin(a);
        const double p = 1 + 3 * c * c - 3 * mu * c * s;
        if (std::abs(p) < 1e-3) continue;
        const ContactProblem problem = rod(a, mu, q_n, 1);
        const Enumeration all = enumerate(problem);
        EXPECT_TRUE(all.complete);
        ASSERT_EQ(all.solutions.size(), p > 0 || q_n < 0 ? 1U : 3U) << degrees << ' ' << mu;
        for (const EnumeratedSolution& one : all.solutions) {
          if (one.modes[0] == Mode::open) {
            EXPECT_GT(q_n, 0);
          } else if (one.modes[0] == Mode::slip) {
            expect_near(one.reactions, -q_n / p * vec({1, -mu}), 1e-3);
          } else {
            EXPECT_LT(p, 0);
            // u = 0: r = −W⁻¹q, with det W = 4.
            const Vec2 stop(-(1 + 3 * s * s) * q_n + 3 * c * s, 3 * c * s * q_n - (1 + 3 * c * c));
            expect_near(one.reactions, stop / 4, 1);
            EXPECT_NEAR(one.reactions[0], 3 * c * s / 4, 1e-5);
            EXPECT_NEAR(one.reactions[1], -(1 + 3 * c * c) / 4, 1e-5);
          }
        }
      }
}

}  // namespace
}  // namespace stiction::testing
