// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the proximal Newton method, eight contacts at a time; the letters are those of
// proximal_newton.h.  Included by kernels_*.cpp alone.
#pragma once

#include "contact/bodies/interior_kernels.h"

namespace stiction::bodies {
namespace {

// F of a batch, K A by rows and K F.
struct Linear {
  Three F, KF, KA[3];
  Mask active;
};

inline Three select(const Mask& m, const Three& a, const Three& b) {
  return {select(m, a.n, b.n), select(m, a.s, b.s), select(m, a.t, b.t)};
}

// The function of Alart and Curnier for the cone ‖r'_t‖ ≤ r'_n.
inline Linear alart_curnier(const Three& r, const Three& U, const Lanes& w, const Lanes& tau2,
                            double alpha, double factor, bool bounded) {
  const Lanes zero(0), one(1), product(alpha * factor);  // α ρ, the same for all components
  const Lanes rho_n = Lanes(factor) / w, rho_t = rho_n / tau2;
  const Lanes loose_n = one / (Lanes(alpha) * w), loose_t = loose_n / tau2;  // 1/α
  const Three z = {r.n - rho_n * U.n, r.s - rho_t * U.s, r.t - rho_t * U.t};
  const Lanes length = tangent_norm(z), R = z.n;
  const Mask open = R <= zero, stick = length <= R;
  // Slip: e, g and Q = (R/‖z_t‖) (I − g eᵀ)
  const Lanes inverse = one / max(length, Lanes(1e-300)), es = z.s * inverse, et = z.t * inverse;
  const Lanes bound = one / max(max(R, tangent_norm(r)), Lanes(1e-300));
  const Lanes gs = bounded ? r.s * bound : es, gt = bounded ? r.t * bound : et;
  const Lanes k = R * inverse;
  const Lanes qss = k * (one - gs * es), qst = -k * gs * et, qts = -k * gt * es,
              qtt = k * (one - gt * et);
  // C = I − (1 − α ρ) Q, inverted
  const Lanes rest = one - product;
  const Lanes css = one - rest * qss, cst = -rest * qst, cts = -rest * qts, ctt = one - rest * qtt;
  const Lanes det = one / (css * ctt - cst * cts);
  const auto solve = [&](const Lanes& s, const Lanes& t, Lanes& xs, Lanes& xt) {
    xs = (ctt * s - cst * t) * det;
    xt = (css * t - cts * s) * det;
  };
  Linear l;
  l.active = zero < R;
  const Three slip = {rho_n * U.n, r.s - R * es, r.t - R * et};
  const Three hold = {rho_n * U.n, rho_t * U.s, rho_t * U.t};
  l.F = select(open, r, select(stick, hold, slip));
  Three KF = {loose_n * U.n, zero, zero};
  solve(slip.s - (product - one) * es * KF.n, slip.t - (product - one) * et * KF.n, KF.s, KF.t);
  const Three stuck = {loose_n * U.n, loose_t * U.s, loose_t * U.t};
  l.KF = select(open, r, select(stick, stuck, KF));
  Three column_n, column_s, column_t;  // of K A below its first row
  solve(es * loose_n, et * loose_n, column_n.s, column_n.t);
  solve(rho_t * qss, rho_t * qts, column_s.s, column_s.t);
  solve(rho_t * qst, rho_t * qtt, column_t.s, column_t.t);
  const Three none = {zero, zero, zero};
  const auto choose = [&](const Three& held, const Three& slipping) {
    return select(open, none, select(stick, held, slipping));
  };
  l.KA[0] = choose({loose_n, zero, zero}, {loose_n, zero, zero});
  l.KA[1] = choose({zero, loose_t, zero}, {column_n.s, column_s.s, column_t.s});
  l.KA[2] = choose({zero, zero, loose_t}, {column_n.t, column_s.t, column_t.t});
  return l;
}

// F = r' − P(r' − ρ U), the natural map, whose derivative has eigenvalues 1, 1, 1 inside the cone,
// 0, 0, 0 inside its polar, and otherwise 1 on g = (1, e)/√2, 0 across, λ on τ.
inline Linear natural(const Three& r, const Three& U, const Lanes& w, double alpha, double factor) {
  const Lanes zero(0), one(1), half(0.5);
  const Lanes rho = Lanes(factor) / w, alphas = Lanes(alpha) * w;
  const Three z = r - rho * U;
  const Lanes length = tangent_norm(z), inverse = one / max(length, Lanes(1e-300));
  const Lanes es = z.s * inverse, et = z.t * inverse;
  const Lanes a = half * (z.n + length);
  const Mask inside = length <= z.n, open = a <= zero;
  const Three point = select(open, {zero, zero, zero}, select(inside, z, {a, a * es, a * et}));
  Linear l;
  l.active = zero < a;
  l.F = r - point;
  // K A = ρ λ/(α ρ λ + 1 − λ) and K F = F/(α ρ λ + 1 − λ), eigenvector by eigenvector
  const Lanes across = select(open, zero, select(inside, one, min(a * inverse, one)));
  const auto inverse_of = [&](const Lanes& value) {
    return one / (alphas * rho * value + one - value);
  };
  const Lanes kg = select(open, one, inverse_of(one));    // on (1, e)
  const Lanes kp = select(inside, inverse_of(one), one);  // on (1, −e)
  const Lanes kt = inverse_of(across);                    // on τ
  const Lanes ag = select(open, zero, rho * kg), ap = select(inside, rho * kp, zero),
              at = rho * across * kt;
  l.KF = apply(kg, kp, kt, es, et, l.F);
  const Lanes mean = half * (ag + ap), skew = half * (ag - ap), turn = mean - at;
  l.KA[0] = {mean, skew * es, skew * et};
  l.KA[1] = {skew * es, at + turn * es * es, turn * es * et};
  l.KA[2] = {skew * et, turn * es * et, at + turn * et * et};
  return l;
}

double proximal_evaluate(const Proximal& a, const double* r, const double* dr, const double* u,
                         const double* z, double t, double* r_to, double* u_to) {
  Lanes squares(0);
  for (int b = 0; b < a.batches; ++b) {
    const Transform P(a.transform + 24 * b);
    const Lanes step(t), w = Lanes::load(a.size + 8 * b), present = Lanes::load(a.present + 8 * b);
    const Lanes tau2 = a.convex ? Lanes(1) : Lanes::load(a.tangent + 8 * b);
    const Three at = Three::load(r + 24 * b) + step * Three::load(dr + 24 * b);
    const Three velocity = Three::load(u + 24 * b) + step * Three::load(z + 24 * b);
    at.store(r_to + 24 * b);
    velocity.store(u_to + 24 * b);
    // U = u' + α (r' − c')
    const Three moved = (Lanes(a.alpha) * w) * (at - Three::load(a.centre + 24 * b));
    Three U = P * velocity;
    U = {U.n + moved.n, U.s + tau2 * moved.s, U.t + tau2 * moved.t};
    const Linear l = a.convex ? natural(at, U, w, a.alpha, a.factor)
                              : alart_curnier(at, U, w, tau2, a.alpha, a.factor, a.bounded);
    squares = squares + present * (l.F.n * l.F.n + tau2 * (l.F.s * l.F.s + l.F.t * l.F.t));
    l.KF.store(a.KF + 24 * b);
    for (int i = 0; i < 3; ++i) l.KA[i].store(a.KA + 72 * b + 24 * i);
    const Three s = P * l.KA[1], v = P * l.KA[2];
    (P * l.KA[0]).store(a.D + 72 * b);
    (P.ss * s + P.st * v).store(a.D + 72 * b + 24);
    (P.st * s + P.tt * v).store(a.D + 72 * b + 48);
    alignas(64) double active[8];
    select(l.active, Lanes(1), Lanes(0)).store(active);
    for (int i = 0; i < 8; ++i) a.active[8 * b + i] = active[i] != 0;
  }
  return sum(squares);
}

// dr = −K F − K A z'
void proximal_direction(const Proximal& a, const double* z, double* dr) {
  for (int b = 0; b < a.batches; ++b) {
    const Three x = Transform(a.transform + 24 * b) * Three::load(z + 24 * b);
    const double* KA = a.KA + 72 * b;
    const Three F = Three::load(a.KF + 24 * b);
    const Three step = {-F.n - dot(Three::load(KA), x), -F.s - dot(Three::load(KA + 24), x),
                        -F.t - dot(Three::load(KA + 48), x)};
    step.store(dr + 24 * b);
  }
}

void project(int batches, const double* r, double* projected) {
  for (int b = 0; b < batches; ++b) {
    const Three x = Three::load(r + 24 * b);
    const Lanes zero(0), length = tangent_norm(x), a = Lanes(0.5) * (x.n + length);
    const Lanes f = a / max(length, Lanes(1e-300));
    const Three edge = {a, f * x.s, f * x.t}, none = {zero, zero, zero};
    select(length <= x.n, x, select(a <= zero, none, edge)).store(projected + 24 * b);
  }
}

void transform(int batches, const double* by, const double* x, double* y) {
  for (int b = 0; b < batches; ++b)
    (Transform(by + 24 * b) * Three::load(x + 24 * b)).store(y + 24 * b);
}

// ‖r − P_K(r − ρ û)‖² of discs
inline Lanes natural_map(const Three& r, const Three& u, const Lanes& mu, const Lanes& rho) {
  const Lanes zero(0);
  const Three x = r - rho * u;
  const Lanes length = tangent_norm(x), polar = x.n + mu * length;
  const Lanes a = polar / (Lanes(1) + mu * mu), f = mu * a / max(length, Lanes(1e-300));
  const Three edge = {a, f * x.s, f * x.t}, none = {zero, zero, zero};
  const Three p = select(length <= mu * x.n, x, select(polar <= zero, none, edge));
  return dot(r - p, r - p);
}

ErrorSums errors(int batches, const double* disc, const double* mu, const double* r,
                 const double* u, double rho, bool shift) {
  Lanes natural(0), scaled(0), reactions(0);
  for (int b = 0; b < batches; ++b) {
    const Lanes weight = Lanes::load(disc + 8 * b), m = Lanes::load(mu + 8 * b);
    const Three R = Three::load(r + 24 * b);
    Three U = Three::load(u + 24 * b);
    if (shift) U.n = U.n + m * tangent_norm(U);
    natural = natural + weight * natural_map(R, U, m, Lanes(1));
    scaled = scaled + weight * natural_map(R, U, m, Lanes(rho));
    reactions = reactions + weight * dot(R, R);
  }
  return {sum(natural), sum(scaled), sum(reactions)};
}

}  // namespace
}  // namespace stiction::bodies
