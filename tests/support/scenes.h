// SPDX-License-Identifier: Apache-2.0
//
// Contact problems with a solution that is known because it was chosen first: reactions and
// velocities that obey the law at every contact, then q = u − W r.
#pragma once

#include <Eigen/Geometry>

#include "stiction/contact_problem.h"
#include "stiction/enumerate.h"
#include "support/random.h"

namespace stiction::testing {

struct Planted {
  ContactProblem problem;
  Eigen::VectorXd reactions, velocities;
};

// H M^(−½) of rigid bodies with contacts at random points of their surfaces, each with its
// neighbour or the ground.
inline Eigen::SparseMatrix<double> random_jacobian(Random& random, int contacts, int dimension,
                                                   int bodies) {
  const int freedoms = dimension == 3 ? 6 : 3;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < contacts; ++i) {
    const int a = random.integer(0, bodies - 1),
              b = a + 1 < bodies && random.integer(0, 2) > 0 ? a + 1 : -1;
    Vec3 normal = random.direction3();
    if (dimension == 2) {
      const Vec2 e = random.direction();
      normal = Vec3(e.x(), e.y(), 0);
    }
    const Vec3 helper = std::abs(normal.z()) < 0.7 ? Vec3::UnitZ() : Vec3::UnitX();
    const Vec3 t1 = normal.cross(helper).normalized(), t2 = normal.cross(t1);
    for (const int body : {a, b}) {
      if (body < 0) continue;
      const double sign = body == a ? 1 : -1;
      Vec3 arm = 0.7 * random.direction3();
      if (dimension == 2) arm.z() = 0;
      for (int c = 0; c < dimension; ++c) {
        const Vec3 axis = c == 0 ? normal : c == 1 ? t1 : t2;
        const Vec3 moment = arm.cross(axis);
        const auto add = [&](int freedom, double value) {
          entries.emplace_back(dimension * i + c, freedoms * body + freedom, sign * value);
        };
        for (int k = 0; k < dimension; ++k) add(k, axis[k]);
        if (dimension == 2) add(2, moment.z());
        for (int k = 0; k < 3 && dimension == 3; ++k) add(3 + k, moment[k]);
      }
    }
  }
  Eigen::SparseMatrix<double> H(dimension * contacts, freedoms * bodies);
  H.setFromTriplets(entries.begin(), entries.end());
  return H;
}

// W = H M⁻¹ Hᵀ.  With few bodies it is singular.
inline Eigen::MatrixXd random_delassus(Random& random, int contacts, int dimension, int bodies) {
  const Eigen::MatrixXd H = random_jacobian(random, contacts, dimension, bodies);
  return H * H.transpose();
}

// A third of the contacts each is open, sticks and slips.
inline Planted plant_modes(Random& random, int contacts, int dimension,
                           const std::vector<Law>& laws) {
  Planted planted;
  const int size = dimension * contacts;
  planted.reactions.setZero(size);
  planted.velocities.setZero(size);
  for (int i = 0; i < contacts; ++i) {
    const LimitCurve curve = limit_curve(laws[static_cast<std::size_t>(i)]);
    auto r = planted.reactions.segment(dimension * i, dimension);
    auto u = planted.velocities.segment(dimension * i, dimension);
    const Vec2 direction = dimension == 3 ? random.direction() : Vec2(random.uniform(-1, 1), 0);
    const int mode = random.integer(0, 2);
    if (mode == 0) {  // open
      u[0] = random.uniform(0, 1);
      u.tail(dimension - 1) = direction.head(dimension - 1);
      continue;
    }
    r[0] = random.uniform(0.1, 1);
    Vec2 f;
    if (mode == 1) {  // stick
      const double gauge = curve.gauge(direction);
      f = gauge < infinity ? Vec2(random.uniform(0, 0.9) / gauge * direction) : Vec2(0, 0);
    } else if (dimension == 3) {
      f = curve.face(direction).first;
      u.tail(2) = direction;
    } else {
      const double sign = direction.x() < 0 ? -1 : 1, gauge = curve.gauge({sign, 0});
      f = {gauge < infinity ? sign / gauge : 0.0, 0};
      u[1] = direction.x();
    }
    r.tail(dimension - 1) = -r[0] * f.head(dimension - 1);
  }
  planted.problem.dimension = dimension;
  planted.problem.laws = laws;
  return planted;
}

inline Planted plant(Random& random, int contacts, int dimension, int bodies,
                     const std::vector<Law>& laws) {
  Planted planted = plant_modes(random, contacts, dimension, laws);
  const Eigen::MatrixXd W = random_delassus(random, contacts, dimension, bodies);
  planted.problem.W = block_matrix(W, dimension);
  planted.problem.q = planted.velocities - W * planted.reactions;
  return planted;
}

// The same in 3-D for many contacts: W is never dense.
inline Planted plant_sparse(Random& random, int contacts, int bodies,
                            const std::vector<Law>& laws) {
  Planted planted = plant_modes(random, contacts, 3, laws);
  const Eigen::SparseMatrix<double> H = random_jacobian(random, contacts, 3, bodies),
                                    W = H * H.transpose();
  planted.problem.W = block_matrix(W, 3);
  planted.problem.q = planted.velocities - W * planted.reactions;
  return planted;
}

inline std::vector<Law> discs(Random& random, int contacts, double low = 0.1, double high = 1) {
  std::vector<Law> laws(static_cast<std::size_t>(contacts));
  for (Law& law : laws) law.mu = random.uniform(low, high);
  return laws;
}

inline std::vector<Law> mixed_laws(Random& random, int contacts) {
  std::vector<Law> laws;
  for (int i = 0; i < contacts; ++i)
    laws.push_back(parse_law(to_text(random.law(random.integer(0, law_kinds - 1), -1, 0))));
  return laws;
}

inline ContactProblem one_contact(const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                                  const char* law) {
  ContactProblem p;
  p.dimension = static_cast<int>(q.size());
  p.W = block_matrix(W, p.dimension);
  p.q = q;
  p.laws = {parse_law(law)};
  return p;
}

inline bool holds(const Enumeration& e, const Eigen::VectorXd& r) {
  return std::any_of(e.solutions.begin(), e.solutions.end(), [&](const EnumeratedSolution& s) {
    return s.dimension > 0 || (s.reactions - r).norm() <= 1e-6 * (1 + r.norm());
  });
}

// W unsymmetric by a few percent, masses a million apart, the planted answer kept.
inline void spoil(Planted& p, Random& random) {
  const int contacts = p.problem.contacts();
  Eigen::MatrixXd W = to_sparse(p.problem.W);
  for (double& x : W.reshaped()) x *= 1 + 0.03 * random.uniform(-1, 1);
  Eigen::VectorXd scale(3 * contacts);
  for (int k = 0; k < contacts; ++k) scale.segment<3>(3 * k).setConstant(k % 2 == 0 ? 1 : 1e-3);
  W = scale.asDiagonal() * W * scale.asDiagonal();
  p.problem.W = block_matrix(W, 3);
  p.problem.q = p.velocities - W * p.reactions;
}

}  // namespace stiction::testing
