// SPDX-License-Identifier: Apache-2.0
//
// Three problems where friction decides what happens, made of rigid bodies in one step of 10 ms:
//
//   plate   a plate thrown over 64 balls that lie on the ground: what slips, what rolls
//   tower   ten crates, the fourth of them struck sideways: which slip, how far
//   pile    a pyramid of 56 balls on ground that tilts by 25°
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "stiction/contact_problem.h"

namespace stiction::bench {

struct Scene {
  std::string name;
  ContactProblem problem;  // all laws are discs
};

// Bodies, and contacts between two of them or one and the ground (b = −1); the normal points to a.
class Assembly {
 public:
  int add(double mass, const Vec3& inertia, const Vec3& centre, const Vec3& velocity,
          const Vec3& spin = Vec3::Zero()) {
    bodies_.push_back({mass, inertia, centre, velocity, spin});
    return static_cast<int>(bodies_.size()) - 1;
  }
  void touch(int a, int b, const Vec3& point, const Vec3& normal) {
    contacts_.push_back({a, b, point, normal});
  }

  // W = H M⁻¹ Hᵀ, q = H (v + Δt g)
  Scene scene(const std::string& name, double mu, const Vec3& gravity, double step = 0.01) const {
    const auto rows = static_cast<Eigen::Index>(3 * contacts_.size()),
               freedoms = static_cast<Eigen::Index>(6 * bodies_.size());
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(rows, freedoms);
    Eigen::VectorXd inverse(freedoms), v(freedoms);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const Body& body = bodies_[k];
      const auto at = static_cast<Eigen::Index>(6 * k);
      inverse.segment<3>(at).setConstant(1 / body.mass);
      inverse.segment<3>(at + 3) = body.inertia.cwiseInverse();
      v.segment<3>(at) = body.velocity + step * gravity;
      v.segment<3>(at + 3) = body.spin;
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& contact = contacts_[i];
      const Vec3 n = contact.normal.normalized();
      const Vec3 helper = std::abs(n.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
      const Vec3 t1 = (helper - n.dot(helper) * n).normalized(), t2 = n.cross(t1);
      for (const int body : {contact.a, contact.b}) {
        if (body < 0) continue;
        const Vec3 arm = contact.point - bodies_[static_cast<std::size_t>(body)].centre;
        const double sign = body == contact.a ? 1 : -1;
        Eigen::Index row = static_cast<Eigen::Index>(3 * i);
        for (const Vec3& axis : {n, t1, t2}) {
          H.block<1, 3>(row, 6 * body) = sign * axis.transpose();
          H.block<1, 3>(row++, 6 * body + 3) = sign * arm.cross(axis).transpose();
        }
      }
    }
    Scene scene;
    scene.name = name;
    scene.problem.W = block_matrix(Eigen::MatrixXd(H * inverse.asDiagonal() * H.transpose()), 3);
    scene.problem.q = H * v;
    scene.problem.laws.resize(contacts_.size());
    for (Law& law : scene.problem.laws) law.mu = mu;
    return scene;
  }

 private:
  struct Body {
    double mass;
    Vec3 inertia, centre, velocity, spin;
  };
  struct Contact {
    int a, b;
    Vec3 point, normal;
  };
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

inline const Vec3 earth(0, 0, -9.81);

inline Scene plate_on_balls() {
  Assembly all;
  const double ball = 0.05, mass = 0.5, inertia = 0.4 * mass * ball * ball;
  const double angle = 0.35;  // 20° from the first axis
  const int plate =
      all.add(20, {2, 2, 4}, {0, 0, 0.12}, {std::cos(angle), std::sin(angle), 0}, {0, 0, 1.5});
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const double x = 0.14 * (i - 3.5), y = 0.14 * (j - 3.5);
      const int k = all.add(mass, Vec3::Constant(inertia), {x, y, ball}, Vec3::Zero());
      all.touch(k, -1, {x, y, 0}, Vec3::UnitZ());
      all.touch(plate, k, {x, y, 2 * ball}, Vec3::UnitZ());
    }
  return all.scene("plate", 0.3, earth);
}

inline Scene struck_tower() {
  Assembly all;
  const double half = 0.25, mass = 8, inertia = mass * half * half * 2 / 3;
  for (int k = 0; k < 10; ++k) {
    const Vec3 velocity = k == 3 ? Vec3(1.2, 0.6, 0) : Vec3(0, 0, 0);
    const int crate = all.add(mass, Vec3::Constant(inertia), {0, 0, half * (2 * k + 1)}, velocity);
    for (const double x : {-half, half})
      for (const double y : {-half, half})
        all.touch(crate, crate - 1, {x, y, 2 * half * k}, Vec3::UnitZ());
  }
  return all.scene("tower", 0.5, earth);
}

inline Scene tilted_pile() {
  Assembly all;
  const double r = 0.1, mass = 1, inertia = 0.4 * mass * r * r;
  std::vector<Vec3> centres;
  const int layers = 6;
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < layers - layer; ++i)
      for (int j = 0; i + j < layers - layer; ++j)  // a triangle of balls in every layer
        centres.emplace_back(r * (2 * i + j + layer), r * (std::sqrt(3) * j + layer / std::sqrt(3)),
                             r * (1 + layer * std::sqrt(8.0 / 3)));
  for (const Vec3& centre : centres) all.add(mass, Vec3::Constant(inertia), centre, Vec3::Zero());
  for (int a = 0; a < static_cast<int>(centres.size()); ++a) {
    const Vec3& c = centres[static_cast<std::size_t>(a)];
    if (c.z() < 1.01 * r) all.touch(a, -1, c - r * Vec3::UnitZ(), Vec3::UnitZ());
    for (int b = 0; b < a; ++b) {
      const Vec3 between = c - centres[static_cast<std::size_t>(b)];
      if (between.norm() < 2.001 * r) all.touch(a, b, c - between / 2, between);
    }
  }
  const double tilt = 25 * 3.14159265358979 / 180, along = 0.3;
  return all.scene("pile", 0.4,
                   9.81 * Vec3(std::sin(tilt) * std::cos(along), std::sin(tilt) * std::sin(along),
                               -std::cos(tilt)));
}

inline std::vector<Scene> three_scenes() {
  return {plate_on_balls(), struck_tower(), tilted_pile()};
}

}  // namespace stiction::bench
