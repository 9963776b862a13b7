// SPDX-License-Identifier: Apache-2.0
//
// Built-in bodies against clouds of particles: masses at many points, whose impulse response and
// free motion are summed and integrated without any formula for an inertia.
#include "stiction/free_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <numbers>

#include "stiction/generalized_cone.h"

namespace stiction::testing {
namespace {

using Eigen::Matrix3d;

struct Particle {
  double mass;
  Vec3 at;  // from the contact
};

// The velocity that a unit impulse at the contact, the origin, gives to the body there: of all
// rigid motions v + ω×x the one with the momenta of that impulse.
Matrix3d response(const std::vector<Particle>& cloud) {
  Eigen::Matrix<double, 6, 6> inertia = Eigen::Matrix<double, 6, 6>::Zero();
  for (const Particle& p : cloud) {
    Eigen::Matrix<double, 3, 6> velocity;  // of the particle, from v and ω
    velocity.leftCols<3>().setIdentity();
    for (int k = 0; k < 3; ++k) velocity.col(3 + k) = Vec3::Unit(k).cross(p.at);
    inertia += p.mass * velocity.transpose() * velocity;
  }
  return inertia.inverse().topLeftCorner<3, 3>();
}

double total(const std::vector<Particle>& cloud) {
  double mass = 0;
  for (const Particle& p : cloud) mass += p.mass;
  return mass;
}

constexpr double degree = std::numbers::pi / 180;

// Midpoints of n³ cells: the inertia of a box is short of the exact one by the fraction 1/n².
TEST(BoxOnEdge, AnswersAnImpulseAsItsParticlesDo) {
  for (const double tilt : {0.0, 20.0, 45.0, 80.0}) {
    const double length = 1.2, depth = 0.5, height = 0.8, mass = 3;
    const double c = std::cos(tilt * degree), s = std::sin(tilt * degree);
    const int n = 60;
    std::vector<Particle> cloud;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const double back = length * (i + 0.5) / n, across = depth * ((j + 0.5) / n - 0.5),
                       up = height * (k + 0.5) / n;
          cloud.push_back({mass / (n * n * n), {-c * back + s * up, across, s * back + c * up}});
        }
    const Matrix3d W = delassus(box_on_edge(length, depth, height, tilt * degree, mass));
    EXPECT_LE((W - response(cloud)).norm(), 3.0 / (n * n) * W.norm()) << tilt;
  }
}

TEST(WheelWithBar, AnswersAnImpulseAsItsParticlesDo) {
  for (const double angle : {0.0, 60.0, 90.0, 200.0}) {
    const double radius = 0.4, mass = 2, length = 0.7, bar = 1.5;
    const Vec3 hub(0, 0, radius), along(std::cos(angle * degree), 0, std::sin(angle * degree));
    std::vector<Particle> cloud;
    const int n = 200;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {  // rings of equal mass, points on each
        const double r = radius * std::sqrt((i + 0.5) / n), a = 2 * std::numbers::pi * j / n;
        cloud.push_back({mass / (n * n), hub + r * Vec3(std::cos(a), 0, std::sin(a))});
      }
    for (int i = 0; i < n; ++i) cloud.push_back({bar / n, hub + length * (i + 0.5) / n * along});
    EXPECT_NEAR(total(cloud), mass + bar, 1e-9);
    const Matrix3d W = delassus(wheel_with_bar(radius, mass, length, bar, angle * degree));
    EXPECT_LE((W - response(cloud)).norm(), 3.0 / (n * n) * W.norm()) << angle;
  }
  // Without its bar it is a disc: 1/m + r²/I = 3/m along the ground, 1/m upwards, no coupling.
  const Matrix3d W = delassus(wheel_with_bar(0.4, 2, 0.7, 0, 0.3));
  EXPECT_NEAR(W(0, 0), 1.5, 1e-14);
  EXPECT_NEAR(W(2, 2), 0.5, 1e-14);
  EXPECT_NEAR(mu_crit(W), 0, 1e-14);
}

// Free motion by J ω̇ = −ω×Jω with J turned along; the contact's height by differences.
TEST(FreeBody, NormalAccelerationIsThatOfFreeMotion) {
  const Vec3 omega(0.7, -1.3, 2.1);
  for (const FreeBody& body :
       {rod(1.0, 2, 0.5), box_on_edge(1, 0.3, 0.6, 0.4, 2), wheel_with_bar(0.4, 2, 0.7, 1, 1.2)}) {
    const auto height = [&](double t) {
      Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
      Vec3 w = omega;
      const int steps = 40;
      const double dt = t / steps;
      const auto rate = [&](const Eigen::Quaterniond& at, const Vec3& v) -> Vec3 {
        const Matrix3d R = at.toRotationMatrix(), J = R * body.inertia * R.transpose(),
                       inverse = R * body.inertia_inverse * R.transpose();
        return -(inverse * v.cross(J * v));
      };
      const auto turned = [](const Eigen::Quaterniond& at, const Vec3& by) {
        const double angle = by.norm();
        return angle == 0 ? at : Eigen::Quaterniond(Eigen::AngleAxisd(angle, by / angle)) * at;
      };
      for (int i = 0; i < steps; ++i) {  // the midpoint rule
        const Vec3 half = w + 0.5 * dt * rate(q, w);
        const Eigen::Quaterniond middle = turned(q, 0.5 * dt * w);
        w += dt * rate(middle, half);
        q = turned(q, dt * half);
      }
      return (q * body.to_contact).z() - 0.5 * 10.0 * t * t;
    };
    const double t = 1e-2;
    const double b = (height(t) - 2 * height(0) + height(-t)) / (t * t);
    EXPECT_NEAR(normal_acceleration(body, omega, 10.0), b, 2e-3);
  }
  // A rod that turns in its plane: b = ω² l sin θ − g.
  EXPECT_NEAR(normal_acceleration(rod(Direction::degrees(30), 1, 2), {0, 3, 0}, 9), 9 * 2 * 0.5 - 9,
              1e-13);
}

TEST(FreeBody, RefusesWhatIsNoBody) {
  EXPECT_THROW(rod(1.0, 0), InvalidInput);
  EXPECT_THROW(rod(1.0, 1, -1), InvalidInput);
  EXPECT_THROW(rod_delassus(181), InvalidInput);
  EXPECT_THROW(rod_delassus(std::nan("")), InvalidInput);
  EXPECT_THROW(box_on_edge(1, 0, 1, 0.1), InvalidInput);
  EXPECT_THROW(wheel_with_bar(1, 1, 1, -1, 0.1), InvalidInput);
  EXPECT_THROW(wheel_with_bar(1, infinity, 1, 1, 0.1), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
