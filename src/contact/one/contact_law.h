// SPDX-License-Identifier: Apache-2.0
//
// A contact's law as the solvers use it: the support function h and the projection onto K, for the
// disc and the interval in closed form, for any other curve through FrictionCone.  In 2-D the law
// is the interval of tangential forces where C is cut by its first axis.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "cone/disc_cone.h"
#include "stiction/contact_problem.h"
#include "stiction/friction_cone.h"

namespace stiction {

template <int D>
using Block = Eigen::Matrix<double, D, D>;
template <int D>
using Part = Eigen::Matrix<double, D, 1>;

template <int D>
struct ContactLaw;

// Coulomb's disc of radius μ, or any other curve by its cone.
template <>
struct ContactLaw<3> {
  double mu = 0;                        // the disc's; otherwise the circumscribed radius
  double cosine = 1, sine = 0;          // of the disc's half angle
  const FrictionCone* other = nullptr;  // not a disc

  double support(const Vec3& u) const {
    if (other == nullptr) return mu * std::sqrt(u[1] * u[1] + u[2] * u[2]);
    return other->curve().support(u.tail<2>());
  }
  Vec3 project(Vec3 x) const {
    if (other != nullptr) return other->project(x);
    project_on_disc_cone(cosine, sine, x[0], x[1], x[2]);
    return x;
  }
  // With the generator g = (c, s e), e = x_t/‖x_t‖, and a = g·x: P = a g, and its derivative is
  // g gᵀ + (a s/‖x_t‖) τ τᵀ with τ across e.
  Vec3 project(const Vec3& x, Eigen::Matrix3d& J) const {
    if (other != nullptr) {
      const FrictionCone::Projected p = other->project_with_derivative(x);
      J = p.derivative;
      return p.point;
    }
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (cosine * t <= sine * x[0]) {
      J.setIdentity();
      return x;
    }
    const double a = cosine * x[0] + sine * t;
    if (!(a > 0)) {
      J.setZero();
      return Vec3::Zero();
    }
    if (t == 0) {  // no friction: only the normal
      J = Vec3(1, 0, 0).asDiagonal();
      return {x[0], 0, 0};
    }
    const Vec3 g(cosine, sine * x[1] / t, sine * x[2] / t), tau(0, -x[2] / t, x[1] / t);
    J = g * g.transpose() + (a * sine / t) * (tau * tau.transpose());
    return a * g;
  }
};

// −r_t ∈ r_n [low, high]
template <>
struct ContactLaw<2> {
  double low = 0, high = 0;  // low ≤ 0 ≤ high

  double support(const Eigen::Vector2d& u) const { return std::max(high * u[1], low * u[1]); }
  // The wedge between the rays (1, −high) and (1, −low): inside, on one of them, or zero.
  Eigen::Vector2d project(const Eigen::Vector2d& x) const {
    const double f = -x[1];
    if (x[0] >= 0 && low * x[0] <= f && f <= high * x[0]) return x;
    const double slope = f > 0 || (f == 0 && x[0] < 0) ? high : low;
    const double along = (x[0] + slope * f) / (1 + slope * slope);
    if (along <= 0) return Eigen::Vector2d::Zero();
    return {along, -slope * along};
  }
  Eigen::Vector2d project(const Eigen::Vector2d& x, Eigen::Matrix2d& J) const {
    const Eigen::Vector2d p = project(x);
    if (p == x && (low < high || x[1] == 0)) {
      J.setIdentity();
      if (low == high) J(1, 1) = 0;
    } else if (p[0] > 0) {
      J = p * p.transpose() / p.squaredNorm();
    } else {
      J.setZero();
    }
    return p;
  }
};

// The laws of all contacts, made once a problem; equal laws share their cone.
template <int D>
class ContactLaws {
 public:
  void assign(const std::vector<Law>& laws);
  const ContactLaw<D>& operator[](int i) const { return laws_[static_cast<std::size_t>(i)]; }
  bool all_discs() const { return cones_.empty(); }

 private:
  std::vector<ContactLaw<D>> laws_;
  std::vector<std::unique_ptr<FrictionCone>> cones_;
  std::vector<Law> made_from_;  // kept where there are other curves than discs
};

template <>
void ContactLaws<2>::assign(const std::vector<Law>& laws);
template <>
void ContactLaws<3>::assign(const std::vector<Law>& laws);

}  // namespace stiction
