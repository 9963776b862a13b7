// SPDX-License-Identifier: Apache-2.0
//
// One contact, solved exactly: u = D r + b with K* ∋ û ⟂ r ∈ K, D possibly unsymmetric.
//
//   open    b_n ≥ 0: r = 0
//   stick   u = 0: r = −D⁻¹ b, if that is in K
//   slip    u_n = 0 eliminates r_n = ν − D_nt r_t/D_nn with ν = −b_n/D_nn and leaves
//           u_t = S r_t + c,  S = D_tt − D_tn D_nt/D_nn,  c = b_t + D_tn ν.
//           On the disc u_t = −β r_t with β > 0, so r_t(β) = −(S + βI)⁻¹ c, and β is the root of
//           ‖r_t(β)‖ = μ r_n(β).
//
// Where μ‖D_nt‖ is of the size of D_nn the contact alone can have several solutions (a wedged, or
// Painlevé, contact); a contact that sticks is then kept sticking if it can.
#pragma once

#include "contact/one/contact_law.h"

namespace stiction {

// What depends on D alone, made once a problem.
template <int D>
struct ContactPivot;

template <>
struct ContactPivot<2> {
  double nn = 0, nt = 0, tn = 0, tt = 0;
  double inverse = 0;        // 1/D_nn, 0 where there is none
  double inverse_schur = 0;  // 1/S, likewise
  bool wedged = false;

  void set(const double* block, const ContactLaw<2>& law) {
    nn = block[0];
    tn = block[1];
    nt = block[2];
    tt = block[3];
    inverse = nn != 0 ? 1 / nn : 0;
    const double schur = nn != 0 ? tt - tn * nt / nn : 0;
    inverse_schur = schur != 0 ? 1 / schur : 0;
    wedged = std::max(law.high, -law.low) * std::abs(nt) >= 0.9 * nn;
  }
};

template <>
struct ContactPivot<3> {
  double nn = 0;
  Vec2 nt = Vec2::Zero(), tn = Vec2::Zero();
  double s11 = 0, s12 = 0, s21 = 0, s22 = 0;  // S
  double inverse = 0;                         // 1/D_nn, 0 where there is none
  double inverse_det = 0;                     // 1/det S, 0 where det S ≤ 0
  bool wedged = false;

  void set(const double* block, const ContactLaw<3>& law) {
    nn = block[0];
    tn = {block[1], block[2]};
    nt = {block[3], block[6]};
    inverse = nn != 0 ? 1 / nn : 0;
    s11 = block[4] - tn[0] * nt[0] * inverse;
    s21 = block[5] - tn[1] * nt[0] * inverse;
    s12 = block[7] - tn[0] * nt[1] * inverse;
    s22 = block[8] - tn[1] * nt[1] * inverse;
    const double det = s11 * s22 - s12 * s21;
    inverse_det = det > 0 ? 1 / det : 0;
    wedged = law.mu * std::sqrt(nt.squaredNorm()) >= 0.9 * nn;
  }
};

// Solves for r, from the r and (in 3-D) the β of the last time.  False if it found no solution: r
// is then the projection of one gradient step, which lets an iteration go on.
inline bool solve_one_contact(const ContactPivot<2>& p, const ContactLaw<2>& law,
                              const Eigen::Vector2d& b, Eigen::Vector2d& r, double& /*beta*/) {
  const auto stick = [&](Eigen::Vector2d& s) {
    if (p.nn <= 0 || p.inverse_schur == 0) return false;
    const double nu = -b[0] * p.inverse, c = b[1] + p.tn * nu;
    s[1] = -c * p.inverse_schur;
    s[0] = nu - p.nt * s[1] * p.inverse;
    return s[0] >= 0 && law.low * s[0] <= -s[1] && -s[1] <= law.high * s[0];
  };
  if (b[0] >= 0) {
    Eigen::Vector2d s;
    if (p.wedged && r[0] > 0 && stick(s))
      r = s;
    else
      r.setZero();
    return true;
  }
  Eigen::Vector2d s;
  if (stick(s)) {
    r = s;
    return true;
  }
  if (p.nn > 0) {
    // Slip towards +t has −r_t = high r_n, towards −t low r_n; the sign of c says which.
    const double c = b[1] - p.tn * b[0] * p.inverse;
    for (const double f : {c > 0 ? law.high : law.low, c > 0 ? law.low : law.high}) {
      const double pivot = p.nn - f * p.nt;
      if (pivot <= 0) continue;
      const double rn = -b[0] / pivot;
      const double u = b[1] + (p.tn - f * p.tt) * rn;
      if ((f == law.high && u >= 0) || (f == law.low && u <= 0)) {
        r = {rn, -f * rn};
        return true;
      }
    }
  }
  const double step = 1 / std::max(std::abs(p.nn), std::abs(p.tt));
  if (!std::isfinite(step)) {
    r.setZero();
    return false;
  }
  Eigen::Vector2d u(b[0] + p.nn * r[0] + p.nt * r[1], b[1] + p.tn * r[0] + p.tt * r[1]);
  u[0] += law.support(u);
  r = law.project(r - step * u);
  return false;
}

bool solve_one_contact_any_curve(const ContactPivot<3>& p, const FrictionCone& cone, const Vec3& b,
                                 Vec3& r);

// Slip on the disc: the root β of μ r_n(β) = ‖r_t(β)‖, from ν and c = (c1, c2).
inline bool slip_on_disc(const ContactPivot<3>& p, double mu, double nu, double c1, double c2,
                         Vec3& r, double& beta);

inline bool solve_one_contact(const ContactPivot<3>& p, const ContactLaw<3>& law, const Vec3& b,
                              Vec3& r, double& beta) {
  if (law.other != nullptr) return solve_one_contact_any_curve(p, *law.other, b, r);
  if (b[0] >= 0 && !(p.wedged && r[0] > 0)) {
    r.setZero();
    return true;
  }
  if (!(p.nn > 0)) {
    r.setZero();
    return b[0] >= 0;
  }
  const double inverse = p.inverse;
  const double nu = -b[0] * inverse;
  const double c1 = b[1] + p.tn[0] * nu, c2 = b[2] + p.tn[1] * nu;
  // r_t(β) = −adj(S + βI) c / det(S + βI)
  if (p.inverse_det > 0) {
    const double t1 = -(p.s22 * c1 - p.s12 * c2) * p.inverse_det,
                 t2 = -(p.s11 * c2 - p.s21 * c1) * p.inverse_det;
    const double n = nu - (p.nt[0] * t1 + p.nt[1] * t2) * inverse;
    if (n >= 0 && t1 * t1 + t2 * t2 <= law.mu * law.mu * n * n) {
      r = {n, t1, t2};
      return true;
    }
  }
  if (b[0] >= 0) {
    r.setZero();
    return true;
  }
  if (law.mu == 0) {
    r = {nu, 0, 0};
    return true;
  }
  return slip_on_disc(p, law.mu, nu, c1, c2, r, beta);
}

inline bool slip_on_disc(const ContactPivot<3>& p, double mu, double nu, double c1, double c2,
                         Vec3& r, double& beta) {
  // Newton on g(β) = μ r_n/‖r_t‖ − 1, which is nearly linear in β; g < 0 at the left of the root.
  const double inverse = p.inverse, trace = p.s11 + p.s22;
  const double size = std::sqrt(c1 * c1 + c2 * c2);
  double low = 0, high = infinity;
  // From the β of the last sweep two steps are enough: the sweeps to come repeat them.
  const int most = beta > 0 ? 2 : 60;
  if (!(beta > 0)) beta = std::fmax(size / (mu * nu) - trace / 2, 1e-8 * std::fabs(trace));
  double n = 0, t1 = 0, t2 = 0;
  for (int i = 0; i < most; ++i) {
    const double a11 = p.s11 + beta, a22 = p.s22 + beta;
    const double d = a11 * a22 - p.s12 * p.s21, inv = 1 / d;
    t1 = -(a22 * c1 - p.s12 * c2) * inv;
    t2 = -(a11 * c2 - p.s21 * c1) * inv;
    n = nu - (p.nt[0] * t1 + p.nt[1] * t2) * inverse;
    const double length2 = t1 * t1 + t2 * t2, length = std::sqrt(length2);
    const double g = mu * n - length;  // same sign as the Newton function
    if (!(d > 0) || g < 0)
      low = beta;
    else
      high = beta;
    double next;
    if (d > 0 && length > 0) {
      // dr_t/dβ = −(S + βI)⁻¹ r_t
      const double e1 = -(a22 * t1 - p.s12 * t2) * inv, e2 = -(a11 * t2 - p.s21 * t1) * inv;
      const double dn = -(p.nt[0] * e1 + p.nt[1] * e2) * inverse;
      // The Newton function over its slope, μ (dn ‖r_t‖² − n r_t·dr_t)/‖r_t‖³, in one division.
      next = beta - g * length2 / (mu * (dn * length2 - n * (t1 * e1 + t2 * e2)));
      if (std::fabs(g) <= 1e-15 * (mu * std::fabs(n) + length)) break;
      if (std::fabs(next - beta) <= 4e-16 * beta) {
        beta = next > 0 ? next : beta;
        break;
      }
    } else {
      next = infinity;
    }
    if (!(next > low && next < high))
      next = high < infinity ? 0.5 * (low + high) : 2 * beta + std::fabs(trace);
    beta = next;
  }
  const double length = std::sqrt(t1 * t1 + t2 * t2);
  if (!(n > 0) || !(length > 0) || !std::isfinite(length)) {
    beta = 0;
    r.setZero();
    return false;
  }
  const double fit = mu * n / length;
  r = {n, fit * t1, fit * t2};
  return true;
}

// The convex model: a few projected gradient steps on ½ rᵀD r + bᵀr over K, with a step below
// 1/‖D‖.
template <int D>
void relax_one_contact(const Block<D>& block, const ContactLaw<D>& law, const Part<D>& b,
                       Part<D>& r) {
  const double bound = block.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(bound > 0)) {
    r.setZero();
    return;
  }
  for (int i = 0; i < 4; ++i) r = law.project(Part<D>(r - (block * r + b) / bound));
}

}  // namespace stiction
