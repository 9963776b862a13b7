// SPDX-License-Identifier: Apache-2.0
//
// Towers, chains and arches; heaps of balls are in packing.cpp.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "packing.h"
#include "uniform.h"

namespace stiction::scenes {

namespace {

Eigen::Matrix3d box_inertia(double mass, const Vec3& size) {
  const Vec3 s = size.cwiseProduct(size);
  return Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() * (mass / 12);
}

// Boxes 1 m wide and 0.5 m high, each a little off the axis.
Scene tower(int contacts, unsigned seed) {
  Uniform random(seed);
  Scene scene;
  const Vec3 size(1, 1, 0.5);
  for (int k = 0; k < std::max(contacts / 4, 1); ++k) {
    Body box;
    box.mass = random(0.5, 2);
    box.inertia = box_inertia(box.mass, size);
    box.centre = Vec3(random(-0.02, 0.02), random(-0.02, 0.02), (k + 0.5) * size.z());
    const Vec3 below = k > 0 ? scene.bodies.back().centre : box.centre;
    for (const double x : {-0.45, 0.45})
      for (const double y : {-0.45, 0.45}) {
        Touch touch;
        touch.a = k;
        touch.b = k > 0 ? k - 1 : ground;
        touch.at = (box.centre + below) / 2 + Vec3(x, y, 0);
        touch.at.z() = k * size.z();
        touch.mu = 0.5;
        scene.contacts.push_back(touch);
      }
    scene.bodies.push_back(box);
  }
  return scene;
}

// Links of equal weight hang in the shape that needs no friction: the tension at joint i is
// (T, (i − n/2) w), a link lies along the mean of the tensions at its ends, and a joint's normal
// lies along its tension.
Scene chain(int contacts, unsigned seed) {
  Uniform random(seed);
  Scene scene;
  const int links = std::max(contacts - 1, 1);
  const double length = 0.1, mass = 0.05;
  const auto tension = [&](int joint) {
    return Vec3(0.25 * links, 0, joint - 0.5 * links).normalized();
  };
  Vec3 joint_at = Vec3::Zero();
  for (int k = 0; k <= links; ++k) {
    Touch touch;
    touch.at = joint_at;
    touch.mu = random(0.1, 0.4);
    touch.a = k < links ? k : links - 1;
    touch.b = k > 0 && k < links ? k - 1 : ground;
    touch.normal = k < links ? Vec3(-tension(k)) : tension(k);
    scene.contacts.push_back(touch);
    if (k == links) break;
    const Vec3 mean = Vec3(0.25 * links, 0, k + 0.5 - 0.5 * links).normalized();
    Body link;
    link.mass = mass;
    link.centre = joint_at + 0.5 * length * mean;
    const Eigen::Matrix3d along = mean * mean.transpose();
    const Vec3 thin(0.06, 0.06, 0.06);
    link.inertia = mass / 12 *
                   (length * length * (Eigen::Matrix3d::Identity() - along) +
                    thin.squaredNorm() / 3 * Eigen::Matrix3d::Identity());
    scene.bodies.push_back(link);
    joint_at += length * mean;
  }
  return scene;
}

// Half rings of inner radius 1 m, 0.25 m thick and 0.5 m wide; the ends stand on the ground,
// between arches on piers.
Scene arch(int contacts, unsigned seed) {
  constexpr int voussoirs = 24;
  constexpr double inner = 1, outer = 1.25, width = 0.5, density = 2400, pier_height = 0.4;
  Uniform random(seed);
  Scene scene;
  const int spans = std::max((contacts + 54) / 108, 1);
  const double pitch = 2 * outer;
  const auto add_joint = [&](int a, int b, const Vec3& first, const Vec3& second,
                             const Vec3& normal) {
    for (const Vec3& end : {first, second})
      for (const double y : {-0.5 * width, 0.5 * width})
        scene.contacts.push_back({a, b, end + Vec3(0, y, 0), normal, random(0.6, 0.8)});
  };
  int left = ground;  // what the next arch stands on
  for (int s = 0; s < spans; ++s) {
    const Vec3 centre(s * pitch, 0, 0);
    const auto point = [&](double radius, int joint) {
      const double angle = std::numbers::pi * (1 - double(joint) / voussoirs);
      return Vec3(centre + radius * Vec3(std::cos(angle), 0, std::sin(angle)));
    };
    int right = ground;
    const int first = static_cast<int>(scene.bodies.size());
    for (int k = 0; k < voussoirs; ++k) {
      Body block;
      const double angle = std::numbers::pi / voussoirs;
      const double area = 0.5 * angle * (outer * outer - inner * inner);
      block.mass = density * width * area;
      const double middle = std::numbers::pi * (1 - (k + 0.5) / voussoirs);
      // The centroid of a sector of a ring.
      const double reach = 2.0 / 3 * std::sin(angle / 2) / (angle / 2) *
                           (std::pow(outer, 3) - std::pow(inner, 3)) /
                           (outer * outer - inner * inner);
      block.centre = centre + reach * Vec3(std::cos(middle), 0, std::sin(middle));
      const Vec3 size(outer - inner, width, angle * 0.5 * (inner + outer));
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(-middle, Vec3::UnitY()).toRotationMatrix();
      block.inertia = turn * box_inertia(block.mass, size) * turn.transpose();
      scene.bodies.push_back(block);
    }
    if (s + 1 < spans) {
      Body pier;
      const Vec3 size(2 * (outer - inner), width, pier_height);
      pier.mass = density * size.prod();
      pier.inertia = box_inertia(pier.mass, size);
      pier.centre = centre + Vec3(outer, 0, -0.5 * pier_height);
      right = static_cast<int>(scene.bodies.size());
      scene.bodies.push_back(pier);
      const Vec3 foot = pier.centre - Vec3(0, 0, 0.5 * pier_height);
      add_joint(right, ground, foot - Vec3(outer - inner, 0, 0), foot + Vec3(outer - inner, 0, 0),
                Vec3::UnitZ());
    }
    for (int k = 0; k <= voussoirs; ++k) {
      const double angle = std::numbers::pi * (1 - double(k) / voussoirs);
      const Vec3 along(std::sin(angle), 0, -std::cos(angle));  // from the left end to the right
      const int before = k > 0 ? first + k - 1 : left, after = k < voussoirs ? first + k : right;
      if (k < voussoirs)
        add_joint(after, before, point(inner, k), point(outer, k), along);
      else
        add_joint(before, after, point(inner, k), point(outer, k), -along);
    }
    left = right;
  }
  return scene;
}

}  // namespace

const std::vector<std::string>& families() {
  static const std::vector<std::string> names{"tower", "pile", "granular", "chain", "arch"};
  return names;
}

Scene make_scene(const std::string& family, int contacts, unsigned seed) {
  if (contacts < 4 || contacts > 10'000'000)
    throw InvalidInput("contacts is " + std::to_string(contacts) + ", expected 4 to 10000000");
  if (family == "tower") return tower(contacts, seed);
  if (family == "pile") return pile(contacts, seed);
  if (family == "granular") return granular(contacts, seed);
  if (family == "chain") return chain(contacts, seed);
  if (family == "arch") return arch(contacts, seed);
  throw InvalidInput("no family of scenes is called '" + family +
                     "', expected tower, pile, granular, chain or arch");
}

}  // namespace stiction::scenes
