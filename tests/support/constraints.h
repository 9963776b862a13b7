// SPDX-License-Identifier: Apache-2.0
//
// Problems of constraints of any kind with a solution that is known, and the laws by their
// definition.
#pragma once

#include <gtest/gtest.h>

#include "stiction/solver.h"
#include "support/sections.h"

namespace stiction::testing {

struct PlantedConstraints {
  ConstraintProblem problem;
  Eigen::VectorXd reactions, velocities;
};

struct Planting {
  int constraints = 3, bodies = 3;
  int section = -1;            // a kind of random_section, or any
  double from = -1.3, to = 0;  // sizes of sections, in decades
  double compliance = 0;       // the largest, over the mean diagonal of W
  bool only_contacts = false;
};

// A constraint of a random kind.
inline Constraint random_constraint(Random& random, const Planting& planting) {
  const int kind = planting.only_contacts ? 0 : random.integer(0, 9);
  const int section =
      planting.section >= 0 ? planting.section : random.integer(0, section_kinds - 1);
  if (kind == 8) return limit_constraint();
  if (kind == 9) return bilateral_constraint(random.integer(1, 3));
  Section set = random_section(random, section, planting.from, planting.to);
  if (kind < 6) return contact_constraint(std::move(set));
  return set.dimension() > 0 ? fixed_constraint(std::move(set))
                             : fixed_constraint(interval_section(1));
}

// r and u that obey the law, in a random mode.
inline void plant_one(Random& random, const Constraint& constraint, Eigen::Ref<Eigen::VectorXd> r,
                      Eigen::Ref<Eigen::VectorXd> u) {
  r.setZero();
  u.setZero();
  const int mode = random.integer(0, 2);
  const double force = random.uniform(0.2, 2), speed = random.uniform(0.2, 2);
  if (constraint.kind == Constraint::Kind::bilateral) {
    for (double& x : r) x = random.normal();
    return;
  }
  if (constraint.kind == Constraint::Kind::limit) {
    (mode == 0 ? u : r)[0] = force;
    return;
  }
  const Section& section = constraint.section;
  const int d = section.dimension(), t = constraint.kind == Constraint::Kind::contact ? 1 : 0;
  const UpTo6 v = d > 0 ? UpTo6(speed * direction_of(random, d)) : UpTo6(0);
  const UpTo6 f = section.point(v);
  if (t == 1 && mode == 0) {
    u[0] = force;
    u.tail(d) = v;
    return;
  }
  const double normal = t == 1 ? force : 1;
  if (t == 1) r[0] = normal;
  const double inside = random.uniform(0.1, 0.9);
  r.tail(d) = -(mode == 1 ? inside : 1.0) * normal * f;
  if (mode != 1) u.tail(d) = v;
}

// Each constraint acts between two of the bodies, of six freedoms each, or a body and the ground.
inline PlantedConstraints plant(Random& random, const Planting& planting) {
  PlantedConstraints planted;
  ConstraintProblem& problem = planted.problem;
  for (int i = 0; i < planting.constraints; ++i)
    problem.constraints.push_back(random_constraint(random, planting));
  const std::vector<int> starts = row_starts(problem.constraints);
  const int rows = starts.back();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < planting.constraints; ++i) {
    const int a = random.integer(0, planting.bodies - 1);
    const int b = std::min(a + random.integer(0, 3), planting.bodies);  // the last is the ground
    for (const int body : a == b ? std::vector<int>{a} : std::vector<int>{a, b}) {
      if (body == planting.bodies) continue;
      for (int row = starts[static_cast<std::size_t>(i)];
           row < starts[static_cast<std::size_t>(i) + 1]; ++row)
        for (int k = 0; k < 6; ++k) entries.emplace_back(row, 6 * body + k, random.normal());
    }
  }
  Eigen::SparseMatrix<double> H(rows, 6 * planting.bodies);
  H.setFromTriplets(entries.begin(), entries.end());
  problem.W = H * Eigen::SparseMatrix<double>(H.transpose());
  const double mean = problem.W.diagonal().mean();
  planted.reactions.resize(rows);
  planted.velocities.resize(rows);
  Eigen::VectorXd more = Eigen::VectorXd::Zero(rows), bias = more;
  for (int i = 0; i < planting.constraints; ++i) {
    Constraint& constraint = problem.constraints[static_cast<std::size_t>(i)];
    const int from = starts[static_cast<std::size_t>(i)], size = constraint.rows();
    plant_one(random, constraint, planted.reactions.segment(from, size),
              planted.velocities.segment(from, size));
    if (planting.compliance > 0 && random.integer(0, 1) == 0)
      for (int k = 0; k < size; ++k) {
        constraint.compliance.push_back(random.uniform(0, planting.compliance * mean));
        constraint.bias.push_back(random.normal());
        more[from + k] = constraint.compliance.back();
        bias[from + k] = constraint.bias.back();
      }
  }
  problem.q = planted.velocities - problem.W * planted.reactions -
              more.cwiseProduct(planted.reactions) - bias;
  return planted;
}

// The law by its definition, sampled: −r_t·v ≤ r_n h(v) for many v, and no force of the section
// takes more power.
inline void expect_law(Random& random, const Constraint& constraint, const UpTo6& r, const UpTo6& u,
                       double force, double speed) {
  const double power = force * u.norm() + speed * r.norm() + force * speed;
  if (constraint.kind == Constraint::Kind::bilateral) {
    EXPECT_LE(u.norm(), speed);
    return;
  }
  double normal = 1;
  Eigen::Index t = 0;
  if (constraint.kind != Constraint::Kind::fixed) {
    normal = r[0];
    t = 1;
    EXPECT_GE(r[0], -force);
    EXPECT_GE(u[0], -speed);
    EXPECT_LE(std::abs(r[0] * u[0]), power);
  }
  const Eigen::Index d = r.size() - t;
  if (constraint.kind == Constraint::Kind::limit || d == 0) return;
  const UpTo6 f = -r.tail(d), v = u.tail(d);
  const double reach = 1 + constraint.section.reach();
  for (int k = 0; k < 200; ++k) {
    const UpTo6 w = direction_of(random, static_cast<int>(d));
    EXPECT_LE(f.dot(w), std::max(normal, 0.0) * constraint.section.support(w) + reach * force);
    const UpTo6 other = normal * constraint.section.point(w);
    EXPECT_LE(other.dot(v), f.dot(v) + reach * power);
  }
}

}  // namespace stiction::testing
