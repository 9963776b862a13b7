// SPDX-License-Identifier: Apache-2.0
//
// Boxes on each other under gravity, at one step from rest or moving: whatever their masses, a
// solution exists, since boxes that rise ever faster upwards leave every contact open.
#pragma once

#include "stiction/contact_problem.h"
#include "support/random.h"

namespace stiction::testing {

// One box a mass, from the ground up; `corners` is 1 or 4 contacts an interface.
inline ContactProblem stack(Random& random, const std::vector<double>& masses, int corners,
                            const std::vector<Law>& laws, bool moving) {
  const auto n = static_cast<int>(masses.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<Vec3> half{{3, 3, 0}};  // the ground, then the boxes
  for (int i = 0; i < n; ++i)
    half.emplace_back(random.uniform(0.4, 0.6), random.uniform(0.4, 0.6), random.uniform(0.3, 0.6));
  // The columns of H are over the root of their mass, so that W = H Hᵀ.
  std::vector<Vec3> inertia;
  for (int i = 0; i < n; ++i) {
    const Vec3 square = half[at(i) + 1].cwiseAbs2();
    inertia.emplace_back(masses[at(i)] / 3 *
                         Vec3(square[1] + square[2], square[0] + square[2], square[0] + square[1]));
  }
  std::vector<Eigen::Triplet<double>> entries;
  const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};  // n, t1, t2
  int contact = 0;
  for (int above = 1; above <= n; ++above)
    for (int k = 0; k < corners; ++k, ++contact) {
      const Vec3 reach = half[at(above)].cwiseMin(half[at(above) - 1]);
      const Vec3 place = corners == 1
                             ? Vec3(0, 0, 0)
                             : Vec3(k % 2 ? reach[0] : -reach[0], k / 2 ? reach[1] : -reach[1], 0);
      for (const int body : {above, above - 1}) {
        if (body == 0) continue;
        const double sign = body == above ? 1 : -1;
        const Vec3 arm = place - Vec3(0, 0, sign * half[at(body)][2]);
        for (int c = 0; c < 3; ++c) {
          const Vec3 moment = arm.cross(axes[c]);
          for (int e = 0; e < 3; ++e) {
            const int row = 3 * contact + c, column = 6 * (body - 1) + e;
            entries.emplace_back(row, column, sign * axes[c][e] / std::sqrt(masses[at(body) - 1]));
            entries.emplace_back(row, column + 3,
                                 sign * moment[e] / std::sqrt(inertia[at(body) - 1][e]));
          }
        }
      }
    }
  Eigen::SparseMatrix<double> H(3 * contact, 6 * n);
  H.setFromTriplets(entries.begin(), entries.end());
  H.prune(0.0);
  Eigen::VectorXd velocity(6 * n);
  for (int i = 0; i < n; ++i) {
    Vec3 v(0, 0, -0.0981), spin = Vec3::Zero();
    if (moving) {
      v += 0.1 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      spin = 0.1 * random.direction3();
    }
    velocity.segment<3>(6 * i) = v * std::sqrt(masses[at(i)]);
    velocity.segment<3>(6 * i + 3) = spin.cwiseProduct(inertia[at(i)].cwiseSqrt());
  }
  ContactProblem problem;
  problem.W = block_matrix(Eigen::SparseMatrix<double>(H * H.transpose()), 3);
  problem.q = H * velocity;
  problem.laws = laws;
  problem.laws.resize(at(contact), laws.back());
  return problem;
}

// Masses from 1 to the ratio, in a geometric series upwards or downwards, at random, with one heavy
// box on top, or light and heavy by turns.
inline std::vector<double> stack_masses(Random& random, int boxes, double ratio) {
  const int order = random.integer(0, 4);
  std::vector<double> masses;
  for (int i = 0; i < boxes; ++i) {
    const double up = boxes > 1 ? static_cast<double>(i) / (boxes - 1) : 0;
    const double share[] = {up, 1 - up, random.uniform(0, 1), i == boxes - 1 ? 1.0 : 0.0,
                            i % 2 == 1 ? 1.0 : 0.0};
    masses.push_back(std::pow(ratio, share[order]));
  }
  return masses;
}

}  // namespace stiction::testing
