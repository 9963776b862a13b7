// SPDX-License-Identifier: Apache-2.0
//
// Mechanisms whose equations fit on paper, derived here without the model reader.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "stiction/free_bodies.h"
#include "stiction/multibody.h"

namespace stiction {
namespace {

constexpr double g = standard_gravity;

MultibodyModel shipped(const std::string& file, const ModelOptions& options = {}) {
  return read_model(std::string(STICTION_SOURCE "/scenes/models/") + file, options);
}

Eigen::VectorXd list(std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(),
                                           static_cast<Eigen::Index>(values.size()));
}

// A mechanism in the plane of x and z on paper: M, the rows x and z of its tip, the acceleration of
// the tip for v̇ = 0, and the forces τ − c.
struct OnPaper {
  Eigen::Matrix2d M;
  Eigen::RowVector2d x, z;
  double x_drift = 0, z_drift = 0;
  Eigen::Vector2d force;
};

void expect_as_on_paper(const MultibodyModel& model, const OnPaper& paper, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& v) {
  MechanismState state({model});
  state.at(q, v, Eigen::VectorXd::Zero(2));
  const ContactPoint tip{model.frame("tip")};
  Eigen::Matrix<double, 3, 2> A;
  A << paper.x, 0, 0, paper.z;
  const Eigen::Matrix2d inverse = paper.M.inverse();
  const double size = inverse.norm();
  EXPECT_LE((state.mass() - paper.M).norm(), 1e-14 * paper.M.norm());
  EXPECT_LE((state.jacobian(tip) - A).norm(), 1e-14 * (1 + A.norm()));
  EXPECT_LE((state.delassus(tip) - A * inverse * A.transpose()).norm(),
            1e-13 * size * A.squaredNorm());
  const Vec3 a = A * inverse * paper.force + Vec3(paper.x_drift, 0, paper.z_drift);
  EXPECT_LE((state.acceleration(tip) - a).norm(),
            1e-13 * (size * A.norm() * (paper.force.norm() + 1)));
  EXPECT_LE((state.velocity(tip) - A * v).norm(), 1e-14 * (1 + A.norm() * v.norm()));
}

// Uniform bars, m = l = 1: T = ½[(5/3 + c₂)v₁² + (2/3 + c₂)v₁v₂ + ⅓v₂²],
// V = g(3/2 s₁ + ½ s₁₂).
TEST(ClosedForm, PlanarTwoLinkArm) {
  const MultibodyModel model = shipped("two-link-arm.urdf");
  ASSERT_EQ(model.nq(), 2);
  for (const auto& [q1, q2, v1, v2] :
       {std::array{0.3, 0.9, 0.0, 0.0}, std::array{-1.2, 2.2, 0.7, -1.9},
        std::array{2.9, -0.4, -3.0, 1.0}, std::array{0.0, 1.5707963267948966, 2.0, 2.0}}) {
    const double s1 = std::sin(q1), c1 = std::cos(q1), s2 = std::sin(q2), c2 = std::cos(q2);
    const double s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2), w = v1 + v2;
    OnPaper paper;
    paper.M << 5.0 / 3 + c2, 1.0 / 3 + c2 / 2, 1.0 / 3 + c2 / 2, 1.0 / 3;
    paper.x << -s1 - s12, -s12;
    paper.z << c1 + c12, c12;
    paper.x_drift = -c1 * v1 * v1 - c12 * w * w;
    paper.z_drift = -s1 * v1 * v1 - s12 * w * w;
    paper.force << s2 / 2 * (2 * v1 * v2 + v2 * v2) - g * (1.5 * c1 + c12 / 2),
        -s2 / 2 * v1 * v1 - g * c12 / 2;
    expect_as_on_paper(model, paper, list({q1, q2}), list({v1, v2}));
  }
}

// Point masses m₁, m₂ on bars l₁, l₂, angles from the vertical.
TEST(ClosedForm, DoublePendulumWithATipContact) {
  const MultibodyModel model = shipped("double-pendulum.xml");
  const double m1 = 2, m2 = 1, l1 = 0.6, l2 = 0.4;
  for (const auto& [q1, q2, v1, v2] :
       {std::array{0.4, -1.1, 0.0, 0.0}, std::array{-0.8, 2.0, 1.0, 3.0},
        std::array{0.2, 0.1, -2.0, 0.5}}) {
    const double s1 = std::sin(q1), c1 = std::cos(q1), s2 = std::sin(q2), c2 = std::cos(q2);
    const double s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2), w = v1 + v2, k = m2 * l1 * l2;
    OnPaper paper;
    paper.M << m1 * l1 * l1 + m2 * (l1 * l1 + l2 * l2) + 2 * k * c2, m2 * l2 * l2 + k * c2,
        m2 * l2 * l2 + k * c2, m2 * l2 * l2;
    paper.x << l1 * c1 + l2 * c12, l2 * c12;
    paper.z << l1 * s1 + l2 * s12, l2 * s12;
    paper.x_drift = -l1 * s1 * v1 * v1 - l2 * s12 * w * w;
    paper.z_drift = l1 * c1 * v1 * v1 + l2 * c12 * w * w;
    paper.force << k * s2 * (2 * v1 * v2 + v2 * v2) - g * ((m1 + m2) * l1 * s1 + m2 * l2 * s12),
        -k * s2 * v1 * v1 - g * m2 * l2 * s12;
    expect_as_on_paper(model, paper, list({q1, q2}), list({v1, v2}));
  }
}

// Cart of 3 kg, rod of 1 kg and 1 m: T = ½[4v² + v θ̇ cos θ + ⅓θ̇²], V = −½ g cos θ.
TEST(ClosedForm, CartWithARod) {
  const MultibodyModel model = shipped("cart-rod.urdf");
  for (const auto& [x, angle, v, omega] :
       {std::array{0.0, 0.7, 0.0, 0.0}, std::array{1.3, -0.4, 2.0, 1.5},
        std::array{-2.0, 2.5, -1.0, 4.0}}) {
    const double s = std::sin(angle), c = std::cos(angle);
    OnPaper paper;
    paper.M << 4, c / 2, c / 2, 1.0 / 3;
    paper.x << 1, c;
    paper.z << 0, s;
    paper.x_drift = -s * omega * omega;
    paper.z_drift = c * omega * omega;
    paper.force << s / 2 * omega * omega, -g / 2 * s;
    expect_as_on_paper(model, paper, list({x, angle}), list({v, omega}));
  }
}

// A free box turned anyhow: W = 1/m + [r]ᵀ× J⁻¹ [r]× in the world, and Euler's equations.
TEST(ClosedForm, FreeBox) {
  const MultibodyModel model = shipped("box.xml");
  ASSERT_EQ(model.nq(), 7);
  const double m = 2, a = 0.4, b = 0.3, c = 0.2;
  const Eigen::Matrix3d J =
      Vec3(b * b + c * c, a * a + c * c, a * a + b * b).asDiagonal() * (m / 12);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.7, -0.3, 0.5, 0.2).normalized();
  const Eigen::Matrix3d R = turn.toRotationMatrix();
  const Vec3 r = R * Vec3(0.2, 0.15, -0.1), omega(0.4, -1.1, 2.0), linear(0.3, 0.2, -0.7);
  Eigen::VectorXd q(7), v(6);
  q << 0.1, -0.2, 0.9, turn.coeffs();
  v << R.transpose() * linear, R.transpose() * omega;
  MechanismState state({model});
  state.at(q, v, Eigen::VectorXd::Zero(6));
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 2, -2), Vec3(-3, 0, 0)}) {
    const ContactPoint corner{model.frame("corner"), normal};
    const Eigen::Matrix3d axes = contact_axes(normal);
    Eigen::Matrix3d cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    const Eigen::Matrix3d inverse = R * J.inverse() * R.transpose();
    const Eigen::Matrix3d W =
        axes * (Eigen::Matrix3d::Identity() / m - cross * inverse * cross) * axes.transpose();
    EXPECT_LE((state.delassus(corner) - W).norm(), 1e-13 * W.norm());
    const Vec3 alpha = -inverse * omega.cross(R * J * R.transpose() * omega);
    const Vec3 acceleration = Vec3(0, 0, -g) + alpha.cross(r) + omega.cross(omega.cross(r));
    EXPECT_LE((state.acceleration(corner) - axes * acceleration).norm(),
              1e-12 * acceleration.norm());
    EXPECT_LE((state.velocity(corner) - axes * (linear + omega.cross(r))).norm(), 1e-13);
  }
}

// The thin rod turns about its own axis without inertia: M is singular, and the limit is the rod's
// W.
TEST(ClosedForm, RodOnAFloatingBaseIsTheBuiltInRod) {
  const MultibodyModel model = shipped("rod.urdf", {.base = Base::floating});
  MechanismState state({model});
  for (const double degrees : {1.0, 20.0, 45.0, 63.4349488, 80.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    state.at(list({3, -2, 5, 0, std::sin(angle / 2), 0, std::cos(angle / 2)}),
             Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6));
    const Eigen::Matrix3d W = rod_delassus(degrees);
    const ContactPoint tip{model.frame("tip")};
    EXPECT_LE((state.delassus(tip) - W).norm(), 1e-13 * W.norm()) << degrees;
    EXPECT_NEAR(state.acceleration(tip).z(), -g, 1e-12);
    const double t = std::tan(angle);
    EXPECT_NEAR(mu_crit(state.delassus(tip)), 3 * t / (1 + 4 * t * t), 1e-13);
    EXPECT_NEAR(mu_jam(state.delassus(tip)) * 3 * t / (t * t + 4), 1, 1e-13);
  }
}

// Two free bars held together by the five rows of a hinge, in the coordinates of free bodies:
// P = M⁻¹ − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹GM⁻¹.  Bars get an inertia of 0.01 about themselves to be regular.
TEST(ClosedForm, FloatingTwoLinkArmIsTwoBarsAndAHinge) {
  const std::string path = ::testing::TempDir() + "floating.urdf";
  std::string text =
      R"(<robot name="two"><link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.08" izz="0.09" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="b"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.16" izz="0.18" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tip"/>
    <joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/>
    <axis xyz="0 -1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
    <joint name="end" type="fixed"><parent link="b"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>)";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  const MultibodyModel model = read_model(path, {.base = Base::floating});
  ASSERT_EQ(model.nv(), 7);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.2, -0.3, 0.4).normalized();
  const double elbow = 0.8;
  Eigen::VectorXd q(8);
  q << 0.5, 0.6, 0.7, turn.coeffs(), elbow;
  MechanismState state({model});
  state.at(q);

  const Eigen::Matrix3d Ra = turn.toRotationMatrix();
  const Eigen::Matrix3d Rb = Ra * Eigen::AngleAxisd(elbow, -Vec3::UnitY()).toRotationMatrix();
  Eigen::Matrix<double, 12, 12> inverse = Eigen::Matrix<double, 12, 12>::Zero();
  inverse.block<3, 3>(0, 0).setIdentity();
  inverse.block<3, 3>(3, 3) = Ra * Vec3(100, 12.5, 1 / 0.09).asDiagonal() * Ra.transpose();
  inverse.block<3, 3>(6, 6) = Eigen::Matrix3d::Identity() / 2;
  inverse.block<3, 3>(9, 9) = Rb * Vec3(50, 6.25, 1 / 0.18).asDiagonal() * Rb.transpose();
  const auto cross = [](const Vec3& r) {
    Eigen::Matrix3d m;
    m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return m;
  };
  Eigen::Matrix<double, 5, 12> G = Eigen::Matrix<double, 5, 12>::Zero();
  G.block<3, 3>(0, 0).setIdentity();
  G.block<3, 3>(0, 3) = -cross(Ra.col(0) / 2);
  G.block<3, 3>(0, 6) = -Eigen::Matrix3d::Identity();
  G.block<3, 3>(0, 9) = cross(-Rb.col(0) / 2);
  for (int k = 0; k < 2; ++k) {
    G.block<1, 3>(3 + k, 3) = Ra.col(2 * k).transpose();
    G.block<1, 3>(3 + k, 9) = -Ra.col(2 * k).transpose();
  }
  Eigen::Matrix<double, 3, 12> A = Eigen::Matrix<double, 3, 12>::Zero();
  A.block<3, 3>(0, 6).setIdentity();
  A.block<3, 3>(0, 9) = -cross(Rb.col(0) / 2);
  const Eigen::Matrix<double, 12, 12> P =
      inverse - inverse * G.transpose() * (G * inverse * G.transpose()).inverse() * G * inverse;
  const Eigen::Matrix3d W = A * P * A.transpose();
  EXPECT_LE((state.delassus(ContactPoint{model.frame("tip")}) - W).norm(), 1e-12 * W.norm());
}

// The parallelogram has one degree of freedom: both cranks turn by φ, the coupler stays level.
//   I = 2·⅓·½·¼ + ¼ = ⅓,  I φ̈ = ¾ g sin φ,  tip: v = ½(−cos φ, −sin φ) φ̇.
TEST(ClosedForm, FourBarIsItsReducedEquation) {
  const MultibodyModel model = shipped("four-bar.xml");
  ASSERT_EQ(model.loops().size(), 1U);
  MechanismState state({model});
  const ContactPoint tip{model.frame("tip")};
  for (const auto& [phi, omega] :
       {std::pair{0.0, 0.0}, std::pair{0.6, 0.0}, std::pair{-1.1, 2.0}}) {
    const double s = std::sin(phi), c = std::cos(phi), inertia = 1.0 / 3;
    state.at(list({phi, -phi, phi}), list({omega, -omega, omega}), Eigen::VectorXd::Zero(3));
    EXPECT_LE(state.loop_gap(), 1e-15);
    const Vec3 row(-c / 2, 0, -s / 2);
    EXPECT_LE((state.delassus(tip) - row * row.transpose() / inertia).norm(), 1e-13);
    const double acceleration = 0.75 * g * s / inertia;
    const Vec3 a = row * acceleration + Vec3(s, 0, -c) / 2 * omega * omega;
    EXPECT_LE((state.acceleration(tip) - a).norm(), 1e-12);
    EXPECT_LE((state.velocity(tip) - row * omega).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace stiction
