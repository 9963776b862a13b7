// SPDX-License-Identifier: Apache-2.0
//
// Scenes that tests, benchmarks, the report and `stiction scene` share: rigid bodies at rest under
// gravity, touching each other and the ground, of any size and the same for the same seed.
//
//   tower     boxes one on another, four contacts an interface
//   pile      a heap of balls on the ground, each dropped and rolled until it rests on three others
//   granular  the same in a box with walls
//   chain     links that hang between two hooks, one contact a joint
//   arch      a viaduct: round arches of 24 voussoirs, four contacts a joint, on shared piers
#pragma once

#include <string>
#include <vector>

#include "stiction/contact_problem.h"

namespace stiction::scenes {

inline constexpr int ground = -1;

struct Body {
  double mass = 1;                                        // [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  // about the centre, world axes
  Vec3 centre = Vec3::Zero();                             // [m]
};

struct Touch {
  int a = 0, b = ground;        // bodies
  Vec3 at = Vec3::Zero();       // [m]
  Vec3 normal = Vec3::UnitZ();  // the way b pushes a
  double mu = 0.5;
};

struct Scene {
  std::vector<Body> bodies;
  std::vector<Touch> contacts;
  Vec3 gravity{0, 0, -9.81};  // [m/s²]
  double step = 0.01;         // [s]: the problem is that of one time step from rest
};

// About `contacts` contacts.  Throws InvalidInput for a family not listed above, or a size outside
// 4 … 10⁷.
Scene make_scene(const std::string& family, int contacts, unsigned seed);
const std::vector<std::string>& families();

GlobalProblem global_problem(const Scene& scene);
ContactProblem contact_problem(const Scene& scene);  // W assembled from the pairs that share a body

// The impulse of the ground on all bodies, and what it should be for bodies that stay at rest.
Vec3 ground_impulse(const Scene& scene, const Eigen::VectorXd& reactions);
Vec3 weight_impulse(const Scene& scene);

}  // namespace stiction::scenes
