// SPDX-License-Identifier: Apache-2.0
//
// Loops, points that stick, several contacts, maps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <random>

#include "stiction/free_bodies.h"
#include "stiction/jamming_map.h"

namespace stiction {
namespace {

constexpr double g = standard_gravity;

MultibodyModel shipped(const std::string& file, const ModelOptions& options = {}) {
  return read_model(std::string(STICTION_SOURCE "/scenes/models/") + file, options);
}

Eigen::Matrix3d cross_matrix(const Vec3& r) {
  Eigen::Matrix3d m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

TEST(ContactAxes, AreRightHandedWithXInTheTangentPlane) {
  const Eigen::Matrix3d level = contact_axes({0, 0, 2});
  EXPECT_TRUE(level.isApprox(Eigen::Matrix3d::Identity(), 0));
  const Eigen::Matrix3d wall = contact_axes({-3, 0, 0});
  Eigen::Matrix3d expected;
  expected << 0, 1, 0, 0, 0, -1, -1, 0, 0;
  EXPECT_TRUE(wall.isApprox(expected, 0));
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 n = i % 2 == 0 ? Vec3(normal(random), normal(random), normal(random))
                              : Vec3(1, 1e-9 * normal(random), 1e-9 * normal(random));
    const Eigen::Matrix3d axes = contact_axes(n);
    EXPECT_LE((axes * axes.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_NEAR(axes.determinant(), 1, 1e-14);
    EXPECT_NEAR(axes.row(2).dot(n), n.norm(), 1e-14);
    EXPECT_NEAR(axes(1, 0), 0, 1e-15) << "t2 has no part along x";
    EXPECT_GE(axes(0, 0), 0);
  }
  EXPECT_THROW(contact_axes({0, 0, 0}), InvalidInput);
  EXPECT_THROW(contact_axes({0, std::nan(""), 1}), InvalidInput);
}

// Ground 1, crank a, coupler b, rocker c, all different.  With the crank's angle φ and rates
// k = (1, β′, γ′) per φ̇ of the bars' absolute angles, the closure a e(φ) + b e(β) = 1 + c e(γ)
// gives k, and its derivative gives k′; the inertia is I = Σ m|∂v|² + J k², and d'Alembert's
// principle Σ (m a·∂v + J α k) + ∂V = 0 the acceleration.
TEST(Loops, AnyFourBarIsItsReducedEquation) {
  const double a = 0.4, b = 0.9, c = 0.7, ma = 0.8, mb = 1.1, mc = 1.7;
  const auto bar = [](const char* name, double length, double mass, const std::string& more) {
    const std::string l = text(length), j = text(mass * length * length / 12);
    return std::string("<body name='") + name + "' pos='" + more + "'><joint name='" + name +
           "' axis='0 -1 0'/><inertial pos='" + text(length / 2) + " 0 0' mass='" + text(mass) +
           "' diaginertia='0 " + j + " " + j + "'/>";
  };
  const MultibodyModel model =
      parse_model("<mujoco><compiler angle='radian'/><worldbody>" + bar("crank", a, ma, "0 0 0") +
                      bar("coupler", b, mb, text(a) + " 0 0") + "<site name='end' pos='" + text(b) +
                      " 0 0'/><site name='tip' pos='0.3 0 0.2'/></body></body>" +
                      bar("rocker", c, mc, "1 0 0") + "<site name='top' pos='" + text(c) +
                      " 0 0'/></body></worldbody></mujoco>",
                  "four-bar");
  const Mechanism mechanism{model, {{model.frame("end"), model.frame("top"), false}}};
  MechanismState state(mechanism);
  Eigen::VectorXd q(3);
  q << 0.9, -0.6, 2.0;
  EXPECT_THROW(state.at(q, Eigen::VectorXd::Zero(3), Eigen::VectorXd::Zero(3)), InvalidInput);
  q = close_loops(state, q, {"crank"});
  EXPECT_EQ(q[0], 0.9);
  const double phi = q[0], beta = q[0] + q[1], gamma = q[2], omega = 1.3;
  const auto e = [](double angle) { return Vec2(std::cos(angle), std::sin(angle)); };
  const auto n = [](double angle) { return Vec2(-std::sin(angle), std::cos(angle)); };
  EXPECT_LE((a * e(phi) + b * e(beta) - Vec2(1, 0) - c * e(gamma)).norm(), 1e-14);
  Eigen::Matrix2d closure;
  closure << b * n(beta), -c * n(gamma);
  const Vec2 k = closure.inverse() * (-a * n(phi));
  const Vec2 dk =
      closure.inverse() * (a * e(phi) + b * e(beta) * k[0] * k[0] - c * e(gamma) * k[1] * k[1]);
  // Places and their derivatives once and twice by φ at φ̇ = 1, φ̈ = 0.
  const auto once = [&](double along, double across) {
    return Vec2(a * n(phi) + k[0] * (along * n(beta) - across * e(beta)));
  };
  const auto twice = [&](double along, double across) {
    return Vec2(-a * e(phi) + dk[0] * (along * n(beta) - across * e(beta)) -
                k[0] * k[0] * (along * e(beta) + across * n(beta)));
  };
  const Vec2 va = a / 2 * n(phi), aa = -a / 2 * e(phi), vb = once(b / 2, 0), ab = twice(b / 2, 0);
  const Vec2 vc = c / 2 * n(gamma) * k[1], ac = c / 2 * (n(gamma) * dk[1] - e(gamma) * k[1] * k[1]);
  const double ja = ma * a * a / 12, jb = mb * b * b / 12, jc = mc * c * c / 12;
  const double inertia = ma * va.squaredNorm() + mb * vb.squaredNorm() + mc * vc.squaredNorm() +
                         ja + jb * k[0] * k[0] + jc * k[1] * k[1];
  const double centrifugal =
      ma * va.dot(aa) + mb * vb.dot(ab) + mc * vc.dot(ac) + jb * k[0] * dk[0] + jc * k[1] * dk[1];
  const double weight = g * (ma * va.y() + mb * vb.y() + mc * vc.y());
  const double acceleration = -(centrifugal * omega * omega + weight) / inertia;
  const Vec2 row = once(0.3, 0.2), drift = twice(0.3, 0.2) * omega * omega;

  Eigen::VectorXd v(3);
  v << omega, (k[0] - 1) * omega, k[1] * omega;
  state.at(q, v, Eigen::VectorXd::Zero(3));
  const ContactPoint tip{model.frame("tip")};
  const Vec3 A(row.x(), 0, row.y());
  EXPECT_LE((state.delassus(tip) - A * A.transpose() / inertia).norm(), 1e-12);
  EXPECT_LE((state.velocity(tip) - A * omega).norm(), 1e-13);
  EXPECT_LE((state.acceleration(tip) - (A * acceleration + Vec3(drift.x(), 0, drift.y()))).norm(),
            1e-11);
  v[2] += 0.1;
  EXPECT_THROW(state.at(q, v, Eigen::VectorXd::Zero(3)), InvalidInput);
}

// A box held at one corner turns about it: J' = J + m(r² − r rᵀ) there, W = [d]ᵀ× J'⁻¹ [d]×.
TEST(Sticking, ABoxHeldAtACornerTurnsAboutIt) {
  const MultibodyModel model = shipped("box.xml");
  MechanismState state({model, {}, {model.frame("corner")}});
  state.at(model.neutral());
  const Vec3 r(0.2, 0.15, -0.1), d = Vec3(-0.2, -0.15, -0.1) - r;
  const Eigen::Matrix3d J = Eigen::Matrix3d(Vec3(0.13, 0.2, 0.25).asDiagonal()) / 6 -
                            2 * cross_matrix(r) * cross_matrix(r);
  const Eigen::Matrix3d W = -cross_matrix(d) * J.inverse() * cross_matrix(d);
  EXPECT_LE((state.delassus(ContactPoint{model.frame("corner3")}) - W).norm(), 1e-12 * W.norm());
  EXPECT_LE(state.delassus(ContactPoint{model.frame("corner")}).norm(), 1e-13);
}

// A leg of one or two hinges on a body that floats, a point mass at its foot.
MultibodyModel body_with_leg(double foot, int hinges) {
  return parse_model(
      std::string(
          "<mujoco><compiler angle='radian'/><worldbody><body name='body'>"
          "<freejoint name='free'/><inertial pos='0 0 0' mass='2' diaginertia='0.3 0.4 "
          "0.5'/><body name='leg' pos='0.1 0.2 -0.3'><joint name='hip' axis='0.6 0 0.8'/>") +
          (hinges == 2 ? "<joint name='side' axis='0 1 0'/>" : "") +
          "<inertial pos='0.2 0.1 -0.5' mass='" + text(foot) + "' diaginertia='0 0 0'/>" +
          "<site name='foot' pos='0.2 0.1 -0.5'/></body></body></worldbody></mujoco>",
      "body with leg");
}

// As the foot's mass vanishes: coefficients, what slips jam, and how it falls.
TEST(Massless, AFootWithoutMassIsTheLimitOfLightOnes) {
  for (const int hinges : {1, 2}) {
    const MultibodyModel none = body_with_leg(0, hinges), light = body_with_leg(1e-8, hinges);
    MechanismState without({none}), with({light});
    const ContactPoint foot{none.frame("foot"), Vec3(0.1, -0.2, 1)};
    Eigen::VectorXd q = none.neutral(), v(none.nv());
    for (Eigen::Index i = 0; i < hinges; ++i) q[7 + i] = 0.4 - 0.7 * static_cast<double>(i);
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + static_cast<double>(i));
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(none.nv());
    forces[1] = 3;
    without.at(q, v, forces);
    with.at(q, v, forces);
    EXPECT_THROW(without.delassus(foot), InvalidInput);
    const DelassusLimit W = without.delassus_limit(foot);
    EXPECT_NEAR(W.massless.trace(), hinges, 1e-12);
    EXPECT_TRUE(with.delassus_limit(foot).massless.isZero(0));
    const GeneralizedCone limit = generalized_cone(W, disc(0.7)),
                          near = generalized_cone(with.delassus(foot), 0.7);
    EXPECT_NEAR(limit.mu_crit, near.mu_crit, 1e-6 * near.mu_crit);
    EXPECT_NEAR(limit.mu_jam, near.mu_jam, 1e-6 * near.mu_jam);
    for (int k = 0; k < 36; ++k) {
      const Vec2 slip(std::cos(0.1745 * k), std::sin(0.1745 * k));
      for (const double b : {-1.0, 1.0}) EXPECT_EQ(regime(limit, slip, b), regime(near, slip, b));
    }
    EXPECT_LE((without.acceleration(foot) - with.acceleration(foot)).norm(), 1e-5);
    forces[6] = 0.1;
    without.at(q, v, forces);
    EXPECT_THROW(without.acceleration(foot), InvalidInput) << "a push on nothing";
    const JammingMap map =
        jamming_map({none}, foot, q, {parse_sweep(none.joints()[1].name + ".0=0:1:3", none)},
                    {.curve = disc(0.7)});
    EXPECT_EQ(map.without_answer, 0U);
  }
}

// One contact that slides: as many solutions as its regime says.
TEST(ContactMotions, OfTheRodAreThoseOfItsRegime) {
  const MultibodyModel model = shipped("rod.urdf", {.base = Base::floating});
  const ContactPoint tip{model.frame("tip")};
  const double angle = 1.1;  // μ_jam = 1.335
  Eigen::VectorXd q(7), v(6);
  q << 0, 0, 1, 0, std::sin(angle / 2), 0, std::cos(angle / 2);
  for (const double mu : {0.5, 2.0})
    for (const double omega : {0.0, 8.0}) {
      // The tip slides along x: v = velocity of the centre in the rod's axes, ω about y.
      const Vec3 tip_from_centre(std::cos(angle), 0, -std::sin(angle));
      const Vec3 centre = Vec3(1, 0, 0) - Vec3(0, omega, 0).cross(tip_from_centre);
      const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
      v << R.transpose() * centre, 0, omega, 0;
      MechanismState state({model});
      state.at(q, v, Eigen::VectorXd::Zero(6));
      const double b = state.acceleration(tip).z();
      EXPECT_EQ(b > 0, omega > 0);
      const GeneralizedCone cone = generalized_cone(state.delassus(tip), mu);
      const ContactMotions motions = contact_motions(state, {{tip, parse_law("disc:" + text(mu))}});
      EXPECT_TRUE(motions.found.complete);
      EXPECT_TRUE(motions.slides[0]);
      std::size_t expected = 1;
      const Regime now = regime(cone, Vec2(1, 0), b);
      if (now == Regime::indeterminate) expected = 2;
      if (now == Regime::inconsistent) expected = 0;
      EXPECT_EQ(now, mu < 1 ? (b > 0 ? Regime::separate : Regime::slide)
                            : (b > 0 ? Regime::indeterminate : Regime::inconsistent));
      ASSERT_EQ(motions.found.solutions.size(), expected);
      for (const EnumeratedSolution& solution : motions.found.solutions) {
        EXPECT_TRUE(solution.certificate.within(1e-9));
        // Friction against the slip, and the acceleration of the contact, from W alone.
        const Vec3 r(solution.reactions[1], solution.reactions[2], solution.reactions[0]);
        EXPECT_NEAR(r.x(), -mu * r.z(), 1e-9);
        const double a = (state.delassus(tip) * r).z() + b;
        EXPECT_NEAR(a, solution.velocities[0], 1e-9);
        EXPECT_NEAR(a * r.z(), 0, 1e-9);
        EXPECT_EQ(solution.modes[0], r.z() > 1e-9 ? Mode::slip : Mode::open);
      }
    }
}

// A box that slides on two corners: every combination of open and sliding, by hand from W.
TEST(ContactMotions, OfTwoSlidingCornersAreThoseTriedByHand) {
  const MultibodyModel model = shipped("box.xml");
  const std::array<Vec3, 2> r{Vec3(0.2, 0.15, -0.1), Vec3(-0.2, -0.15, -0.1)};
  const Eigen::Matrix3d inverse = Vec3(6 / 0.13, 6 / 0.2, 6 / 0.25).asDiagonal();
  const auto W = [&](int i, int j) {
    return Eigen::Matrix3d(Eigen::Matrix3d::Identity() / 2 -
                           cross_matrix(r[static_cast<std::size_t>(i)]) * inverse *
                               cross_matrix(r[static_cast<std::size_t>(j)]));
  };
  for (const double mu : {0.2, 0.9, 3.0}) {
    const Vec3 slip(0.6, 0.8, 0), push(-0.6 * mu, -0.8 * mu, 1);
    Eigen::Matrix2d A;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) A(i, j) = (W(i, j) * push).z();
    std::vector<Eigen::Vector2d> by_hand;
    for (const bool first : {false, true})
      for (const bool second : {false, true}) {
        Eigen::Vector2d f = Eigen::Vector2d::Zero();
        if (first && second) f = A.inverse() * Eigen::Vector2d(g, g);
        if (first && !second) f[0] = g / A(0, 0);
        if (!first && second) f[1] = g / A(1, 1);
        const Eigen::Vector2d a = A * f - Eigen::Vector2d(g, g);
        if (f.minCoeff() >= 0 && a.minCoeff() >= -1e-12) by_hand.push_back(f);
      }
    MechanismState state({model});
    Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
    v.head<3>() = slip;
    state.at(model.neutral(), v, Eigen::VectorXd::Zero(6));
    const Law law = parse_law("disc:" + text(mu));
    const ContactMotions motions =
        contact_motions(state, {{{model.frame("corner")}, law}, {{model.frame("corner3")}, law}});
    EXPECT_TRUE(motions.found.complete);
    ASSERT_EQ(motions.found.solutions.size(), by_hand.size()) << mu;
    for (const Eigen::Vector2d& f : by_hand) {
      double nearest = infinity;
      for (const EnumeratedSolution& solution : motions.found.solutions)
        nearest = std::min(nearest,
                           std::hypot(solution.reactions[0] - f[0], solution.reactions[3] - f[1]));
      EXPECT_LE(nearest, 1e-8 * (1 + f.norm()));
    }
  }
}

TEST(ContactMotions, RefusesAnImpactAndLeavesOutWhatMovesOff) {
  const MultibodyModel model = shipped("box.xml");
  MechanismState state({model});
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v[2] = -1;
  state.at(model.neutral(), v, Eigen::VectorXd::Zero(6));
  const TouchingContact corner{{model.frame("corner")}, parse_law("disc:0.5")};
  EXPECT_THROW(contact_motions(state, {corner}), InvalidInput);
  v[2] = 1;
  state.at(model.neutral(), v, Eigen::VectorXd::Zero(6));
  const ContactMotions motions = contact_motions(state, {corner});
  EXPECT_FALSE(motions.touches[0]);
  EXPECT_TRUE(motions.found.complete);
}

// The arm's W on paper, cell by cell, and its least mu_jam against a fine scan.
TEST(JammingMap, OfTheTwoLinkArmIsItsClosedForm) {
  const MultibodyModel model = shipped("two-link-arm.urdf");
  const Mechanism mechanism{model};
  const ContactPoint tip{model.frame("tip")};
  const auto coefficients = [](double q1, double q2) {
    const double c2 = std::cos(q2);
    Eigen::Matrix2d M, A;
    M << 5.0 / 3 + c2, 1.0 / 3 + c2 / 2, 1.0 / 3 + c2 / 2, 1.0 / 3;
    A << -std::sin(q1) - std::sin(q1 + q2), -std::sin(q1 + q2), std::cos(q1) + std::cos(q1 + q2),
        std::cos(q1 + q2);
    const Eigen::Matrix2d W = A * M.inverse() * A.transpose();
    return Vec2(std::abs(W(0, 1)) / W(0, 0), W(1, 1) / std::abs(W(0, 1)));
  };
  const std::vector<Sweep> sweeps{parse_sweep("shoulder=0.2:1.4:23", model),
                                  parse_sweep("elbow=-2.5:-0.3:31", model)};
  int reports = 0;
  MapOptions options;
  options.curve = disc(1.2);
  options.progress = [&](double) {
    ++reports;
    return true;
  };
  const JammingMap map = jamming_map(mechanism, tip, model.neutral(), sweeps, options);
  ASSERT_EQ(map.mu_jam.size(), 23U * 31U);
  std::size_t jamming = 0;
  for (int i = 0; i < 23; ++i)
    for (int j = 0; j < 31; ++j) {
      const Vec2 mu = coefficients(sweeps[0].at(i), sweeps[1].at(j));
      const auto cell = static_cast<std::size_t>(31 * i + j);
      EXPECT_NEAR(map.mu_crit[cell], mu[0], 1e-11 * (1 + mu[0]));
      EXPECT_NEAR(map.mu_jam[cell] / mu[1], 1, 1e-11);
      if (mu[1] < 1.2) ++jamming;
    }
  EXPECT_EQ(map.jamming, jamming);
  EXPECT_EQ(map.without_answer, 0U);
  EXPECT_EQ(reports, 23);
  // Stopped after three rows, it holds those three.
  options.threads = 1;
  options.progress = [rows = 0](double) mutable { return ++rows < 3; };
  const JammingMap part = jamming_map(mechanism, tip, model.neutral(), sweeps, options);
  EXPECT_EQ(part.without_answer, 20U * 31U);
  EXPECT_EQ(part.mu_jam[3 * 31 - 1], map.mu_jam[3 * 31 - 1]);
  EXPECT_TRUE(std::isnan(part.mu_jam[3 * 31]));
  double least = infinity;
  for (int i = 0; i <= 1200; ++i)
    for (int j = 0; j <= 1100; ++j)
      least = std::min(least, coefficients(0.2 + 0.001 * i, -2.5 + 0.002 * j)[1]);
  ASSERT_TRUE(map.least_jam);
  EXPECT_LE(map.least_jam->mu, least + 1e-12);
  EXPECT_GE(map.least_jam->mu, least - 1e-4);
  EXPECT_NEAR(coefficients(map.least_jam->at[0], map.least_jam->at[1])[1], map.least_jam->mu,
              1e-11);
}

TEST(JammingMap, HasTheSameBitsFromAnyNumberOfThreads) {
  const MultibodyModel model = shipped("arm7.urdf");
  Eigen::VectorXd q(7);
  q << 0.1, 0.5, -0.3, 1.0, 0.2, 0.7, 0;
  const auto map = [&](int threads) {
    return jamming_map({model}, {model.frame("fingertip"), Vec3(0.1, 0.2, 1)}, q,
                       {parse_sweep("j4=-1:2:40", model), parse_sweep("j6=-2:2:30", model)},
                       {.threads = threads});
  };
  const JammingMap one = map(1), three = map(3);
  EXPECT_EQ(one.mu_crit, three.mu_crit);
  EXPECT_EQ(one.mu_jam, three.mu_jam);
  EXPECT_EQ(one.least_jam->mu, three.least_jam->mu);
}

// The parallelogram: W = a aᵀ/I with a ∝ (cos φ, sin φ), so mu_jam = |tan φ|.
TEST(JammingMap, FollowsALoop) {
  const MultibodyModel model = shipped("four-bar.xml");
  const JammingMap map = jamming_map({model}, {model.frame("tip")}, model.neutral(),
                                     {parse_sweep("crank=-1.2:1.2:49", model)});
  for (int i = 0; i < 49; ++i) {
    const double phi = map.sweeps[0].at(i);
    if (std::abs(phi) < 1e-9) continue;
    EXPECT_NEAR(map.mu_jam[static_cast<std::size_t>(i)] / std::abs(std::tan(phi)), 1, 1e-8) << phi;
  }
}

TEST(JammingMap, RefusesSweepsThatAreNone) {
  const MultibodyModel arm = shipped("arm7.urdf"), box = shipped("box.xml");
  for (const char* wrong : {"j1", "j1=0:1", "j1=0:1:0", "j1=0:1:2.5", "j1=a:1:2", "j9=0:1:2",
                            "=0:1:2", "j1.1=0:1:2", "j1=0:1:99999999"})
    try {
      parse_sweep(wrong, arm, "sweeps[1]");
      FAIL() << wrong;
    } catch (const InvalidInput& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find("--"), std::string::npos) << message;
      EXPECT_TRUE(message.starts_with("sweeps[1]") || message.find("joint") != std::string::npos)
          << message;
    }
  EXPECT_THROW(parse_sweep("free=0:1:2", box), InvalidInput);
  EXPECT_THROW(parse_sweep("free.3=0:1:2", box), InvalidInput);
  EXPECT_EQ(parse_sweep("free.2=0:1:2", box).coordinate, 2);
  const Sweep j1 = parse_sweep("j1=0:1:5000", arm), j2 = parse_sweep("j2=0:1:5000", arm);
  const ContactPoint tip{arm.frame("fingertip")};
  EXPECT_THROW(jamming_map({arm}, tip, arm.neutral(), {}), InvalidInput);
  EXPECT_THROW(jamming_map({arm}, tip, arm.neutral(), {j1, j1}), InvalidInput);
  EXPECT_THROW(jamming_map({arm}, tip, arm.neutral(), {j1, j2}), InvalidInput);
}

}  // namespace
}  // namespace stiction
