// SPDX-License-Identifier: Apache-2.0
//
// The function of Alart and Curnier, which vanishes where one contact obeys exact friction:
//
//   z_n = r_n − ρ_n u_n,  z_t = r_t − ρ_t u_t
//   open    z_n ≤ 0:              F = r
//   stick   −z_t ∈ z_n C:         F = (ρ_n u_n, ρ_t u_t)
//   slip    otherwise:            F = (ρ_n u_n, r_t + P(−z_t)), P the projection on z_n C
//
// and its derivatives A = ∂F/∂u and B = ∂F/∂r.  On the disc that of slip may be the bounded one of
// Hüeber, Stadler and Wohlmuth; or the radius μ z_n be μ max(r_n, 0).
//
// References: P. Alart, A. Curnier, "A mixed formulation for frictional contact problems prone to
// Newton like solution methods", Comput. Methods Appl. Mech. Eng. 92 (1991); S. Hüeber, G. Stadler,
// B. Wohlmuth, "A primal-dual active set algorithm for three-dimensional contact problems with
// Coulomb friction", SIAM J. Sci. Comput. 30 (2008).
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/one/contact_law.h"

namespace stiction {

// How slip is differentiated.
enum class Derivative { hueber, exact, reaction_radius };

// F, A and B of one contact.
template <int D>
struct Linearised {
  Part<D> F;
  Block<D> A, B;
  bool open = false;
};

inline void linearise_slip(const ContactLaw<2>& law, const Eigen::Vector2d& r,
                           const Eigen::Vector2d& z, double rho_n, double rho_t, double radius,
                           Derivative derivative, Linearised<2>& out) {
  const double f = -z[1] > 0 ? law.high : law.low;  // P(−z_t) = f · radius
  out.F[1] = r[1] + f * radius;
  out.A(1, 1) = 0;
  out.B(1, 1) = 1;
  if (derivative == Derivative::reaction_radius) {
    out.B(1, 0) = r[0] > 0 ? f : 0;
  } else {
    out.B(1, 0) = f;
    out.A(1, 0) = -rho_n * f;
  }
  (void)rho_t;
}

inline void linearise_slip(const ContactLaw<3>& law, const Vec3& r, const Vec3& z, double rho_n,
                           double rho_t, double radius, Derivative derivative, Linearised<3>& out) {
  if (law.other == nullptr) {
    const double R = law.mu * radius;
    const double length = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    const Vec2 e(z[1] / length, z[2] / length);
    out.F.tail<2>() = r.tail<2>() - R * e;
    Eigen::Matrix2d Q;
    if (derivative == Derivative::hueber) {
      const double bound = std::max(R, std::sqrt(r[1] * r[1] + r[2] * r[2]));
      const Vec2 g = bound > 0 ? Vec2(r.tail<2>() / bound) : Vec2::Zero();
      Q = (R / length) * (Eigen::Matrix2d::Identity() - g * e.transpose());
    } else {
      Q = (R / length) * (Eigen::Matrix2d::Identity() - e * e.transpose());
    }
    out.B.bottomRightCorner<2, 2>() = Eigen::Matrix2d::Identity() - Q;
    out.A.bottomRightCorner<2, 2>() = rho_t * Q;
    if (derivative == Derivative::reaction_radius) {
      out.B.bottomLeftCorner<2, 1>() = r[0] > 0 ? Vec2(-law.mu * e) : Vec2::Zero();
    } else {
      out.B.bottomLeftCorner<2, 1>() = -law.mu * e;
      out.A.bottomLeftCorner<2, 1>() = law.mu * rho_n * e;
    }
    return;
  }
  // p = R P_C(y/R): J = ∂p/∂y and, p being homogeneous in (y, R), ∂p/∂R = (p − J y)/R.
  const LimitCurve& curve = law.other->curve();
  const Vec2 y = -z.tail<2>();
  // y/R stays finite where the radius is zero.
  const double R = std::max({radius, 1e-100 * y.norm(), 1e-300});
  const auto [p, J] = curve.project_with_derivative(y / R);
  out.F.tail<2>() = r.tail<2>() + R * p;
  const Vec2 g = p - J * y / R;
  out.B.bottomRightCorner<2, 2>() = Eigen::Matrix2d::Identity() - J;
  out.A.bottomRightCorner<2, 2>() = rho_t * J;
  if (derivative == Derivative::reaction_radius) {
    out.B.bottomLeftCorner<2, 1>() = r[0] > 0 ? g : Vec2::Zero();
  } else {
    out.B.bottomLeftCorner<2, 1>() = g;
    out.A.bottomLeftCorner<2, 1>() = -rho_n * g;
  }
}

inline bool sticks(const ContactLaw<2>& law, const Eigen::Vector2d& z, double radius) {
  return law.low * radius <= -z[1] && -z[1] <= law.high * radius;
}
inline bool sticks(const ContactLaw<3>& law, const Vec3& z, double radius) {
  if (law.other == nullptr) return z[1] * z[1] + z[2] * z[2] <= law.mu * law.mu * radius * radius;
  return law.other->curve().contains(-z.tail<2>(), radius);
}

// At reaction r and velocity u.
template <int D>
Linearised<D> alart_curnier(const ContactLaw<D>& law, const Part<D>& r, const Part<D>& u,
                            double rho_n, double rho_t, Derivative derivative) {
  Linearised<D> l;
  Part<D> z;
  z[0] = r[0] - rho_n * u[0];
  for (int c = 1; c < D; ++c) z[c] = r[c] - rho_t * u[c];
  l.open = z[0] <= 0;
  if (l.open) {
    l.F = r;
    return l;
  }
  l.A.setZero();
  l.B.setZero();
  l.F[0] = rho_n * u[0];
  l.A(0, 0) = rho_n;
  const double radius = derivative == Derivative::reaction_radius ? std::max(r[0], 0.0) : z[0];
  if (!sticks(law, z, radius)) {
    linearise_slip(law, r, z, rho_n, rho_t, radius, derivative, l);
    return l;
  }
  for (int c = 1; c < D; ++c) {
    l.F[c] = rho_t * u[c];
    l.A(c, c) = rho_t;
  }
  return l;
}

}  // namespace stiction
