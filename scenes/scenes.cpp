// SPDX-License-Identifier: Apache-2.0
#include "scenes.h"

#include <Eigen/Dense>
#include <algorithm>

namespace stiction::scenes {

namespace {

using Jacobian = Eigen::Matrix<double, 3, 6>;

// Rows n, t1, t2.
Eigen::Matrix3d frame_of(const Vec3& normal) {
  const Vec3 helper = std::abs(normal.z()) < 0.7 ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 t1 = normal.cross(helper).normalized();
  Eigen::Matrix3d frame;
  frame << normal.transpose(), t1.transpose(), normal.cross(t1).transpose();
  return frame;
}

// The velocity of body a at the contact, or minus that of body b, in the contact's frame.
Jacobian jacobian(const Scene& scene, const Touch& touch, int body) {
  const Eigen::Matrix3d frame = frame_of(touch.normal) * (body == touch.a ? 1.0 : -1.0);
  const Vec3 arm = touch.at - scene.bodies[static_cast<std::size_t>(body)].centre;
  Jacobian J;
  for (int c = 0; c < 3; ++c)
    J.row(c) << frame.row(c), arm.cross(Vec3(frame.row(c).transpose())).transpose();
  return J;
}

template <class Problem>
void add_contacts(const Scene& scene, Problem& problem) {
  problem.dimension = 3;
  for (const Touch& touch : scene.contacts) {
    Law law;
    law.mu = touch.mu;
    problem.laws.push_back(law);
    ContactPlace place;
    place.position = touch.at;
    place.frame = frame_of(touch.normal);
    place.bodies = std::pair(touch.a, touch.b);
    problem.places.push_back(place);
  }
}

}  // namespace

GlobalProblem global_problem(const Scene& scene) {
  GlobalProblem problem;
  add_contacts(scene, problem);
  const int n = static_cast<int>(6 * scene.bodies.size());
  const int m = static_cast<int>(3 * scene.contacts.size());
  std::vector<Eigen::Triplet<double>> mass, rows;
  problem.f.setZero(n);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Body& body = scene.bodies[k];
    const int at = static_cast<int>(6 * k);
    for (int i = 0; i < 3; ++i) {
      mass.emplace_back(at + i, at + i, body.mass);
      for (int j = 0; j < 3; ++j)
        if (body.inertia(i, j) != 0) mass.emplace_back(at + 3 + i, at + 3 + j, body.inertia(i, j));
    }
    problem.f.segment<3>(at) = body.mass * scene.step * scene.gravity;
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i)
    for (const int body : {scene.contacts[i].a, scene.contacts[i].b}) {
      if (body == ground) continue;
      const Jacobian J = jacobian(scene, scene.contacts[i], body);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 6; ++c)
          rows.emplace_back(static_cast<int>(3 * i) + r, 6 * body + c, J(r, c));
    }
  problem.M.resize(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.resize(m, n);
  problem.H.setFromTriplets(rows.begin(), rows.end());
  problem.w.setZero(m);
  return problem;
}

ContactProblem contact_problem(const Scene& scene) {
  ContactProblem problem;
  add_contacts(scene, problem);
  const std::size_t n = scene.contacts.size();

  struct Side {
    int contact;
    Jacobian J, response;  // response = J M⁻¹
  };
  std::vector<std::vector<Side>> sides(scene.bodies.size());
  problem.q.setZero(static_cast<int>(3 * n));
  for (std::size_t i = 0; i < n; ++i)
    for (const int body : {scene.contacts[i].a, scene.contacts[i].b}) {
      if (body == ground) continue;
      const Body& b = scene.bodies[static_cast<std::size_t>(body)];
      Side side{static_cast<int>(i), jacobian(scene, scene.contacts[i], body), {}};
      side.response.leftCols<3>() = side.J.leftCols<3>() / b.mass;
      side.response.rightCols<3>() =
          b.inertia.ldlt().solve(side.J.rightCols<3>().transpose()).transpose();
      problem.q.segment<3>(3 * side.contact) += side.J.leftCols<3>() * (scene.step * scene.gravity);
      sides[static_cast<std::size_t>(body)].push_back(side);
    }

  BlockMatrix& W = problem.W;
  W.block = 3;
  std::vector<std::pair<int, Eigen::Matrix3d>> row;
  for (std::size_t i = 0; i < n; ++i) {
    row.clear();
    for (const int body : {scene.contacts[i].a, scene.contacts[i].b}) {
      if (body == ground) continue;
      const auto& here = sides[static_cast<std::size_t>(body)];
      const auto own = std::find_if(here.begin(), here.end(), [&](const Side& s) {
        return s.contact == static_cast<int>(i);
      });
      for (const Side& other : here)
        row.emplace_back(other.contact, own->response * other.J.transpose());
    }
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool again = k > 0 && row[k].first == row[k - 1].first;
      if (!again) {
        W.column.push_back(row[k].first);
        W.value.resize(W.value.size() + 9, 0.0);
      }
      Eigen::Map<Eigen::Matrix3d>(W.value.data() + W.value.size() - 9) += row[k].second;
    }
    W.start.push_back(static_cast<int>(W.column.size()));
  }
  return problem;
}

Vec3 ground_impulse(const Scene& scene, const Eigen::VectorXd& reactions) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < scene.contacts.size(); ++i)
    if (scene.contacts[i].b == ground)
      sum += frame_of(scene.contacts[i].normal).transpose() *
             reactions.segment<3>(static_cast<int>(3 * i));
  return sum;
}

Vec3 weight_impulse(const Scene& scene) {
  double mass = 0;
  for (const Body& body : scene.bodies) mass += body.mass;
  return -mass * scene.step * scene.gravity;
}

}  // namespace stiction::scenes
