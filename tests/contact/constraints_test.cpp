// SPDX-License-Identifier: Apache-2.0
//
// Constraints of any kind: planted problems, the laws by their definition, what today's contacts
// give, and motions that have a closed form.
#include <gtest/gtest.h>

#include "stiction/constraint_separation.h"
#include "support/constraints.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

// A solution obeys every law by its definition, and each mode is what forces and velocities say.
void expect_laws(Random& random, const ConstraintProblem& problem, const Solution& solution) {
  const std::vector<int> starts = row_starts(problem.constraints);
  const double rho = static_cast<double>(problem.q.size()) / problem.W.diagonal().cwiseAbs().sum();
  const double force =
      1e-6 * std::max(solution.reactions.norm(), rho * problem.q.norm());  // far above 1e-8
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const int from = starts[i], size = starts[i + 1] - from;
    const UpTo6 r = solution.reactions.segment(from, size);
    const UpTo6 u = solution.velocities.segment(from, size);
    expect_law(random, problem.constraints[i], r, u, force, force / rho);
    if (solution.modes[i] == Mode::open) {
      EXPECT_LE(r.norm(), force);
    }
    if (solution.modes[i] == Mode::stick) {
      EXPECT_LE(u.norm(), force / rho);
    }
  }
}

class EverySection : public ::testing::TestWithParam<int> {};

TEST_P(EverySection, PlantedProblemsAreSolved) {
  Random random(static_cast<unsigned>(GetParam()));
  for (int i = 0; i < 60; ++i) {
    Planting planting;
    planting.constraints = random.integer(1, 6);
    planting.bodies = random.integer(1, 6);
    planting.section = GetParam();
    planting.compliance = i % 3 == 0 ? 1e-2 : 0;
    const PlantedConstraints planted = plant(random, planting);
    EXPECT_TRUE(certify(planted.problem, planted.reactions).within(1e-12));
    const Solution solution = solve(planted.problem);
    EXPECT_EQ(solution.status, Status::solved) << i;
    EXPECT_TRUE(certify(planted.problem, solution.reactions).within(1e-8)) << i;
    EXPECT_GE(solution.certificate.dissipation, -1e-8);
    expect_laws(random, planted.problem, solution);
  }
}

INSTANTIATE_TEST_SUITE_P(Constraints, EverySection, ::testing::Range(0, section_kinds));

TEST(Constraints, PlantedProblemsOfAllKindsAtOnce) {
  Random random(11);
  for (const int constraints : {10, 30, 100}) {
    Planting planting;
    planting.constraints = constraints;
    planting.bodies = constraints / 2;
    planting.compliance = constraints == 30 ? 1e-2 : 0;
    planting.section = constraints == 100 ? 7 : -1;
    const PlantedConstraints planted = plant(random, planting);
    const Solution solution = solve(planted.problem);
    EXPECT_EQ(solution.status, Status::solved) << constraints;
  }
}

TEST(Constraints, AThousand) {
  Random random(12);
  Planting planting{.constraints = 1000, .bodies = 700, .section = 6};
  const PlantedConstraints planted = plant(random, planting);
  EXPECT_EQ(solve(planted.problem).status, Status::solved);
}

// With W definite and friction small the solution is unique: the one planted.
TEST(Constraints, FindsTheOnlySolution) {
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    Planting planting{.constraints = 3, .bodies = 6, .from = -3, .to = -2};
    PlantedConstraints planted = plant(random, planting);
    planted.problem.W.diagonal() += Eigen::VectorXd::Ones(planted.reactions.size());
    planted.problem.q -= planted.reactions;
    const Solution solution = solve(planted.problem, {.tolerance = 1e-12});
    ASSERT_EQ(solution.status, Status::solved) << i;
    const double size = planted.reactions.norm() + 1;
    EXPECT_LE((solution.reactions - planted.reactions).norm(), 1e-8 * size) << i;
  }
}

// The same contacts, solved as today and as constraints.
TEST(Constraints, AgreeWithContactsOfOneDimension) {
  Random random(14);
  for (int i = 0; i < 60; ++i) {
    const int d = 2 + i % 2, contacts = random.integer(1, 5);
    std::vector<Law> laws;
    for (int k = 0; k < contacts; ++k) laws.push_back(random.law(random.integer(0, 12), -3, -2));
    const Planted planted = plant(random, contacts, d, 2 * contacts, laws);
    const Solution today = solve(planted.problem, {.tolerance = 1e-12});
    const ConstraintProblem same = written_out(planted.problem);
    const Solution solution = solve(same, {.tolerance = 1e-12});
    ASSERT_EQ(today.status, Status::solved) << i;
    ASSERT_EQ(solution.status, Status::solved) << i;
    const double size = today.reactions.norm() + 1;
    EXPECT_LE((solution.reactions - today.reactions).norm(), 1e-8 * size) << i;
    for (std::size_t k = 0; k < laws.size(); ++k) {
      // A ratchet's zero is a corner of it, which a section does not see.
      if (today.modes[k] != Mode::undecided) {
        EXPECT_EQ(solution.modes[k], today.modes[k]) << i;
      }
    }
    const Certificate a = certify(planted.problem, today.reactions),
                      b = certify(same, today.reactions);
    EXPECT_NEAR(a.relative, b.relative, 1e-12);
    EXPECT_NEAR(a.scaled, b.scaled, 1e-12);
    EXPECT_NEAR(a.dissipation, b.dissipation, 1e-12 * (1 + a.dissipation));
    EXPECT_NEAR(a.slip_alignment, b.slip_alignment, 1e-12 * (1 + a.dissipation));
  }
}

// The convex model's answer is the least of ½ rᵀ(W + R)r + (q + b)·r over the sets: no step inside
// them goes down.
TEST(Constraints, TheConvexModelFindsTheMinimum) {
  Random random(15);
  for (int i = 0; i < 100; ++i) {
    Planting planting{.constraints = 4, .bodies = 8};
    PlantedConstraints planted = plant(random, planting);
    planted.problem.W.diagonal() += Eigen::VectorXd::Ones(planted.reactions.size());
    const Solution solution = solve(planted.problem, {.tolerance = 1e-10, .model = Model::convex});
    ASSERT_EQ(solution.status, Status::solved) << i;
    const Eigen::VectorXd& r = solution.reactions;
    const auto energy = [&](const Eigen::VectorXd& x) {
      return 0.5 * x.dot(planted.problem.W * x) + planted.problem.q.dot(x);
    };
    const std::vector<int> starts = row_starts(planted.problem.constraints);
    for (int k = 0; k < 50; ++k) {
      Eigen::VectorXd other = r;
      for (double& x : other) x += random.decades(-4, 0) * random.normal();
      for (std::size_t c = 0; c < planted.problem.constraints.size(); ++c) {
        const Constraint& constraint = planted.problem.constraints[c];
        auto part = other.segment(starts[c], constraint.rows());
        if (constraint.kind == Constraint::Kind::contact)
          part = SectionCone(constraint.section).project(part);
        else if (constraint.kind == Constraint::Kind::fixed)
          part = FixedSet(constraint.section).project(part);
        else if (constraint.kind == Constraint::Kind::limit)
          part = part.cwiseMax(0.0);
      }
      EXPECT_GE(energy(other), energy(r) - 1e-8 * (1 + std::abs(energy(r)))) << i;
    }
  }
}

// One row each, by hand: W = 2, q = −1.
TEST(Constraints, EachKindOfOneRow) {
  ConstraintProblem problem;
  problem.W.resize(1, 1);
  problem.W.insert(0, 0) = 2;
  problem.q = Eigen::VectorXd::Constant(1, -1);
  const auto reaction = [&](Constraint constraint) {
    problem.constraints = {std::move(constraint)};
    const Solution solution = solve(problem, {.tolerance = 1e-14});
    EXPECT_EQ(solution.status, Status::solved);
    return solution.reactions[0];
  };
  EXPECT_DOUBLE_EQ(reaction(limit_constraint()), 0.5);      // u = 2r − 1 = 0
  EXPECT_DOUBLE_EQ(reaction(contact_constraint({})), 0.5);  // without friction the same
  EXPECT_DOUBLE_EQ(reaction(bilateral_constraint(1)), 0.5);
  EXPECT_DOUBLE_EQ(reaction(fixed_constraint(interval_section(0.7))), 0.5);  // it holds
  EXPECT_DOUBLE_EQ(reaction(fixed_constraint(interval_section(0.3))), 0.3);  // u = −0.4: slips
  Constraint soft = limit_constraint();
  soft.compliance = {2};
  EXPECT_DOUBLE_EQ(reaction(soft), 0.25);  // (2 + 2) r − 1 = 0
  soft.bias = {3};
  EXPECT_DOUBLE_EQ(reaction(soft), 0);  // 4 r + 2 ≥ 0
  Constraint driven = bilateral_constraint(1);
  driven.bias = {3};
  EXPECT_DOUBLE_EQ(reaction(driven), -1);  // 2 r + 2 = 0
}

TEST(Constraints, ALongBilateralConstraintIsOne) {
  Random random(16);
  Eigen::MatrixXd A(9, 9);
  for (double& x : A.reshaped()) x = random.normal();
  ConstraintProblem problem;
  problem.constraints = {bilateral_constraint(9)};
  const Eigen::MatrixXd W = A * A.transpose();
  problem.W = W.sparseView();
  problem.q = Eigen::VectorXd::Ones(9);
  const Solution solution = solve(problem, {.tolerance = 1e-12});
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_EQ(solution.modes, std::vector<Mode>{Mode::stick});
  EXPECT_LE((problem.W * solution.reactions + problem.q).norm(), 1e-11);
}

// A ball of mass 1 and radius R on a plane, stepped in time: v = (v_x, v_y, v_z, ω_x, ω_y, ω_z).
struct Ball {
  static constexpr double radius = 0.1, gravity = 9.81, step = 1e-3;
  static constexpr double inertia = 0.4 * radius * radius;
  Constraint contact;
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);

  // Slip of the lowest point, v + ω × (−R n), and the rolling rows the section asks for.
  GlobalConstraintProblem problem() const {
    GlobalConstraintProblem p;
    p.constraints = {contact};
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(6, 6),
                    H = Eigen::MatrixXd::Zero(contact.rows(), 6);
    M.bottomRightCorner(3, 3) *= inertia;
    H(0, 2) = H(1, 0) = H(2, 1) = 1;
    H(1, 4) = -radius;
    H(2, 3) = radius;
    int row = 3;
    if (contact.rows() == 6) H(row++, 5) = 1;  // spin
    for (int k = 3; row < contact.rows(); ++row, ++k) H(row, k) = 1;
    p.M = M.sparseView();
    p.H = H.sparseView();
    p.f = M * v;
    p.f[2] -= gravity * step;
    p.w = Eigen::VectorXd::Zero(contact.rows());
    return p;
  }
  Solution advance() {
    Solution solution = solve(problem(), {.tolerance = 1e-13});
    EXPECT_EQ(solution.status, Status::solved);
    v = solution.generalized_velocities;
    return solution;
  }
};

// Thrown at v with backspin ω: friction has no moment about a point of the plane, so that
// m R v − I ω = m R v' + I v'/R, and the ball rolls at v' = (5 v − 2 R ω)/7 after the time
// 2 (v + R ω)/(7 μ g).
TEST(ClosedForm, ABallWithBackspinRollsInTheEnd) {
  const double mu = 0.3, v = 2, spin = 90;
  for (const int rows : {3, 5, 6}) {
    const double rolling[] = {mu, mu, 0, 0, 0};
    Ball ball;
    ball.contact =
        contact_constraint(ellipsoid_section(std::vector<double>(rolling, rolling + (rows - 1))));
    ball.v << v, 0, 0, 0, -spin, 0;
    const double end = (5 * v - 2 * Ball::radius * spin) / 7;
    ASSERT_LT(end, 0);  // it comes back
    const double time = 2 * (v + Ball::radius * spin) / (7 * mu * Ball::gravity);
    const int steps = static_cast<int>(std::ceil(time / Ball::step));
    for (int k = 0; k + 1 < steps; ++k) {
      EXPECT_EQ(ball.advance().modes[0], Mode::slip);
    }
    ball.advance();
    EXPECT_NEAR(ball.v[0], end, 1e-12);
    EXPECT_NEAR(ball.v[0] - Ball::radius * ball.v[4], 0, 1e-12);
  }
}

// Rolling with the moment μ_r N against it slows down by 5 μ_r g/(7 R), and stops.
TEST(ClosedForm, ABallRollsToRest) {
  const double mu_r = 2e-3;
  for (const bool product : {true, false}) {
    Ball ball;
    ball.contact = contact_constraint(
        product ? product_section({ellipsoid_section({0.5, 0.5}), ellipsoid_section({mu_r, mu_r})})
                : ellipsoid_section({1e6, 1e6, 1e6, mu_r, mu_r}));
    ball.v << 0.3, 0.4, 0, -0.4 / Ball::radius, 0.3 / Ball::radius, 0;
    const double slower = 5 * mu_r * Ball::gravity / (7 * Ball::radius) * Ball::step;
    const int steps = static_cast<int>(0.5 / slower);
    for (int k = 1; k <= 20; ++k) {
      const Solution solution = ball.advance();
      // The ellipsoid lets the slip budget, a million times what is used, take part in 1e-12.
      EXPECT_NEAR(ball.v.head(2).norm(), 0.5 - k * slower, product ? 1e-12 : 1e-9);
      EXPECT_NEAR(ball.v[0] / ball.v[1], 0.75, 1e-9);
      EXPECT_GT(solution.certificate.rolling_dissipation, 0);
      EXPECT_NEAR(solution.certificate.rolling_dissipation, solution.certificate.dissipation, 1e-9);
    }
    for (int k = 21; k <= steps + 1; ++k) ball.advance();
    EXPECT_NEAR(ball.v.norm(), 0, 1e-12);
    EXPECT_EQ(ball.advance().modes[0], Mode::stick);
  }
}

// A top of spin ω on a point of spin friction μ_s N: ω falls by μ_s m g/I a second and it does not
// move.
TEST(ClosedForm, SpinDiesAway) {
  const double mu_s = 1e-3;
  Ball ball;
  ball.contact = contact_constraint(ellipsoid_section({0.5, 0.5, mu_s}));
  GlobalConstraintProblem p;
  ball.v << 0, 0, 0, 0, 0, 7;
  const double slower = mu_s * Ball::gravity / Ball::inertia * Ball::step;
  for (int k = 1; k <= 20; ++k) {
    p = ball.problem();
    p.H.coeffRef(3, 3) = 0;  // the fourth row is the spin
    p.H.coeffRef(3, 5) = 1;
    const Solution solution = solve(p, {.tolerance = 1e-13});
    ASSERT_EQ(solution.status, Status::solved);
    ball.v = solution.generalized_velocities;
    EXPECT_NEAR(ball.v[5], 7 - k * slower, 1e-12);
    EXPECT_NEAR(ball.v.head(5).norm(), 0, 1e-12);
    EXPECT_NEAR(solution.certificate.spin_dissipation, solution.certificate.dissipation, 1e-12);
  }
}

// A door of mass m and width a on a hinge: five bilateral rows, dry friction τ about the axis, and
// a stop.  A wind of moment below τ leaves it; above, it turns by (wind − τ) Δt/I a step.
TEST(ClosedForm, ADoorWithHingeFrictionStays) {
  const double m = 20, a = 0.8, friction = 3, step = 0.01, about_hinge = m * a * a / 3;
  const auto solved = [&](double wind, double speed, bool at_stop) {
    GlobalConstraintProblem p;
    p.constraints = {bilateral_constraint(5), fixed_constraint(interval_section(friction * step))};
    if (at_stop) p.constraints.push_back(limit_constraint());
    // The centre is a/2 from the hinge along x; z is up.
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6), H = Eigen::MatrixXd::Zero(at_stop ? 7 : 6, 6);
    M.diagonal() << m, m, m, m * 0.1, m * a * a / 12 + 0.3, m * a * a / 12;
    H(0, 0) = H(1, 1) = H(2, 2) = H(3, 3) = H(4, 4) = 1;
    H(1, 5) = -a / 2;  // the hinge's point: v + ω × (−a/2, 0, 0)
    H(2, 4) = a / 2;
    H(5, 5) = 1;
    if (at_stop) H(6, 5) = 1;
    p.M = M.sparseView();
    p.H = H.sparseView();
    Eigen::VectorXd v(6);
    v << 0, speed * a / 2, 0, 0, 0, speed;
    p.f = M * v;
    p.f[2] -= m * 9.81 * step;
    p.f[5] += wind * step;
    p.w = Eigen::VectorXd::Zero(H.rows());
    const Solution solution = solve(p, {.tolerance = 1e-13});
    EXPECT_EQ(solution.status, Status::solved);
    return solution;
  };
  const Solution still = solved(2.9, 0, false);
  EXPECT_NEAR(still.generalized_velocities.norm(), 0, 1e-14);
  EXPECT_EQ(still.modes, (std::vector<Mode>{Mode::stick, Mode::stick}));
  EXPECT_NEAR(still.reactions[5], -2.9 * step, 1e-13);
  EXPECT_NEAR(still.reactions[2], m * 9.81 * step, 1e-12);  // the hinge carries it
  const Solution turning = solved(3.4, 0, false);
  EXPECT_NEAR(turning.generalized_velocities[5], (3.4 - friction) * step / about_hinge, 1e-14);
  EXPECT_EQ(turning.modes[1], Mode::slip);
  EXPECT_NEAR(turning.certificate.joint_dissipation,
              friction * step * turning.generalized_velocities[5], 1e-14);
  // Blown against its stop it rests there, whatever the friction takes.
  const Solution stopped = solved(-50, -0.2, true);
  EXPECT_NEAR(stopped.generalized_velocities[5], 0, 1e-13);
  EXPECT_EQ(stopped.modes[2], Mode::stick);
}

TEST(Constraints, ADirectionProvesThatThereIsNoSolution) {
  // Two limits back to back on one body of mass 1 whose velocity is r₁ − r₂: r₁ pushes up, r₂ down,
  // and they ask for v ≥ 1 and −v ≥ 1.  s = (1, 1) has Wᵀs = 0 and q·s = −2.
  ConstraintProblem problem;
  problem.constraints = {limit_constraint(),
                         contact_constraint(ellipsoid_section({0.5, 0.5, 0.1}))};
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(5, 5);
  W(0, 1) = W(1, 0) = -1;
  problem.W = W.sparseView();
  problem.q = Eigen::VectorXd::Zero(5);
  problem.q[0] = problem.q[1] = -1;
  for (const Model model : {Model::coulomb, Model::convex}) {
    const Solution solution = solve(problem, {.model = model});
    EXPECT_EQ(solution.status, Status::no_solution);
    ASSERT_TRUE(solution.separation);
    EXPECT_TRUE(verify_separation(problem, *solution.separation));
    EXPECT_NEAR(solution.separation->direction[0], std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(solution.separation->direction[1], std::sqrt(0.5), 1e-12);
  }
  // A little compliance, and there is one.
  problem.constraints[0].compliance = {1e-3};
  EXPECT_EQ(solve(problem).status, Status::solved);
  EXPECT_FALSE(find_separation(problem));
  // Bilateral rows count with any sign.
  problem.constraints[0] = bilateral_constraint(1);
  EXPECT_EQ(solve(problem).status, Status::no_solution);
  problem.q[0] = 1;  // v = −1 is what the contact forbids not
  EXPECT_EQ(solve(problem).status, Status::solved);
  Separation wrong{Eigen::VectorXd::Unit(5, 2), Separation::Proves::no_solution};
  EXPECT_FALSE(verify_separation(problem, wrong));
}

TEST(Constraints, RefusesWithIndexAndField) {
  ConstraintProblem problem;
  problem.constraints = {limit_constraint(), contact_constraint(ellipsoid_section({0.5, 0.5}))};
  problem.W.resize(4, 4);
  problem.W.setIdentity();
  problem.q = Eigen::VectorXd::Ones(4);
  const auto refusal = [](const ConstraintProblem& wrong) -> std::string {
    try {
      solve(wrong);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(problem), "");
  ConstraintProblem wrong = problem;
  wrong.constraints[1].compliance = {1, 2};
  EXPECT_EQ(refusal(wrong), "constraints[1].compliance has 2 numbers, expected 3, one a row");
  wrong.constraints[1].compliance = {1, -2, 0};
  EXPECT_EQ(refusal(wrong), "constraints[1].compliance[1] is -2, expected a number ≥ 0");
  wrong = problem;
  wrong.constraints[0].bias = {infinity};
  EXPECT_NE(refusal(wrong).find("constraints[0].bias[0] is inf"), std::string::npos);
  wrong = problem;
  wrong.q.resize(3);
  EXPECT_NE(refusal(wrong).find("q has 3 numbers, expected 4"), std::string::npos);
  wrong = problem;
  wrong.W.coeffRef(1, 1) = infinity;
  EXPECT_NE(refusal(wrong).find("W[1][1] is inf"), std::string::npos);
  wrong = problem;
  wrong.constraints[0] = bilateral_constraint(0);
  EXPECT_EQ(refusal(wrong), "constraints[0].rows is 0, expected at least 1");
  wrong.constraints[0] = fixed_constraint({});
  EXPECT_NE(refusal(wrong).find("constraints[0].section is none"), std::string::npos);
}

}  // namespace
}  // namespace stiction::testing
