// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the interior point, eight contacts at a time; the letters are those of
// interior_point.h.  Included by kernels_*.cpp alone.
#pragma once

#include "contact/bodies/kernels.h"
#include "contact/bodies/lanes.h"

namespace stiction::bodies {
namespace {

struct Three {
  Lanes n, s, t;  // normal, tangent 1, tangent 2

  static Three load(const double* from) {
    return {Lanes::load(from), Lanes::load(from + 8), Lanes::load(from + 16)};
  }
  void store(double* to) const {
    n.store(to);
    s.store(to + 8);
    t.store(to + 16);
  }
};
inline Three operator+(const Three& a, const Three& b) { return {a.n + b.n, a.s + b.s, a.t + b.t}; }
inline Three operator-(const Three& a, const Three& b) { return {a.n - b.n, a.s - b.s, a.t - b.t}; }
inline Three operator*(const Lanes& f, const Three& a) { return {f * a.n, f * a.s, f * a.t}; }
inline Lanes dot(const Three& a, const Three& b) { return a.n * b.n + a.s * b.s + a.t * b.t; }
inline Lanes tangent_norm(const Three& a) { return sqrt(a.s * a.s + a.t * a.t); }
// √(x_n² − ‖x_t‖²) squared, for x in the cone
inline Lanes determinant(const Three& a) {
  const Lanes length = tangent_norm(a);
  return max((a.n - length) * (a.n + length), Lanes(1e-300));
}

struct Transform {
  Lanes ss, st, tt;

  explicit Transform(const double* from)
      : ss(Lanes::load(from)), st(Lanes::load(from + 8)), tt(Lanes::load(from + 16)) {}
  // P x; P is symmetric
  Three operator*(const Three& x) const { return {x.n, ss * x.s + st * x.t, st * x.s + tt * x.t}; }
};

// A symmetric map with eigenvalues a on (1, d), b on (1, −d), c on (0, d across).
inline Three apply(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& ds, const Lanes& dt,
                   const Three& x) {
  const Lanes half = Lanes(0.5), along = ds * x.s + dt * x.t, across = ds * x.t - dt * x.s;
  const Lanes plus = half * a * (x.n + along), minus = half * b * (x.n - along);
  const Lanes to_along = plus - minus, to_across = c * across;
  return {plus + minus, ds * to_along - dt * to_across, dt * to_along + ds * to_across};
}

// What `interior_scale` keeps of a batch.
struct Scaling {
  Lanes s1, s2, s3, k1, k2, k3, ds, dt;  // eigenvalues of S and of D', direction d

  static Scaling load(const double* from) {
    Scaling x;
    Lanes* const all[] = {&x.s1, &x.s2, &x.s3, &x.k1, &x.k2, &x.k3, &x.ds, &x.dt};
    for (int i = 0; i < 8; ++i) *all[i] = Lanes::load(from + 8 * i);
    return x;
  }
  void store(double* to) const {
    const Lanes* const all[] = {&s1, &s2, &s3, &k1, &k2, &k3, &ds, &dt};
    for (int i = 0; i < 8; ++i) all[i]->store(to + 8 * i);
  }
  Three S(const Three& x) const { return apply(s1, s2, s3, ds, dt, x); }
  Three S_inverse(const Three& x) const {
    const Lanes one(1);
    return apply(one / s1, one / s2, one / s3, ds, dt, x);
  }
  Three D(const Three& x) const { return apply(k1, k2, k3, ds, dt, x); }
};

// S with S r' = S⁻¹ y = λ, and D' = (S² + α w)⁻¹, of y and r' inside the cone.
inline Scaling nesterov_todd(const Three& y, const Three& r, const Lanes& alpha) {
  const Lanes one(1), root_y = sqrt(determinant(y)), root_r = sqrt(determinant(r));
  const Three Y = (one / root_y) * y, R = (one / root_r) * r;
  const Lanes g = sqrt(Lanes(0.5) * (one + dot(Y, R))), half = Lanes(0.5) / g;
  const Lanes ws = (Y.s - R.s) * half, wt = (Y.t - R.t) * half;
  const Lanes length = sqrt(ws * ws + wt * wt);
  const Mask round = length <= Lanes(1e-150);
  const Lanes inverse = one / select(round, one, length);
  Scaling x;
  x.ds = select(round, one, ws * inverse);
  x.dt = select(round, Lanes(0), wt * inverse);
  const Lanes p = sqrt(one + length * length) + length, eta = sqrt(root_y / root_r);
  x.s1 = eta * p;
  x.s2 = eta / p;
  x.s3 = eta;
  x.k1 = one / (x.s1 * x.s1 + alpha);
  x.k2 = one / (x.s2 * x.s2 + alpha);
  x.k3 = one / (x.s3 * x.s3 + alpha);
  return x;
}

// D = P D' E P, E = [1, e_tᵀ; 0, I]
inline void store_derivative(const Scaling& x, const Lanes& es, const Lanes& et, const Transform& P,
                             double* D) {
  const Lanes half(0.5), mean = half * (x.k1 + x.k2), skew = half * (x.k1 - x.k2);
  const Lanes d0s = skew * x.ds, d0t = skew * x.dt, across = mean - x.k3;
  const Lanes dss = x.k3 + across * x.ds * x.ds, dst = across * x.ds * x.dt,
              dtt = x.k3 + across * x.dt * x.dt;
  // Rows of D' E, then P from both sides.
  const Three rows[3] = {{mean, d0s + mean * es, d0t + mean * et},
                         {d0s, dss + d0s * es, dst + d0s * et},
                         {d0t, dst + d0t * es, dtt + d0t * et}};
  const Three n = P * rows[0], s = P * rows[1], t = P * rows[2];
  n.store(D);
  (P.ss * s + P.st * t).store(D + 24);
  (P.st * s + P.tt * t).store(D + 48);
}

double interior_scale(const Interior& a) {
  Lanes gap(0);
  for (int b = 0; b < a.batches; ++b) {
    const Three y = Three::load(a.y + 24 * b), r = Three::load(a.r + 24 * b);
    const Transform P(a.transform + 24 * b);
    Three u = P * Three::load(a.u + 24 * b);
    const Lanes slip = tangent_norm(u);
    if (a.shift) u.n = u.n + slip;
    const Three rp = y - u;  // y − ŷ(u)
    rp.store(a.infeasibility + 24 * b);
    gap = gap + Lanes::load(a.present + 8 * b) * dot(y, r);
    const Scaling x = nesterov_todd(y, r, Lanes(a.alpha) * Lanes::load(a.size + 8 * b));
    x.store(a.scaling + 64 * b);
    const Lanes inverse =
        select(Lanes(0) < slip, Lanes(a.shift && a.slope ? 1 : 0) / slip, Lanes(0));
    const Lanes es = inverse * u.s, et = inverse * u.t;
    es.store(a.slip + 16 * b);
    et.store(a.slip + 16 * b + 8);
    store_derivative(x, es, et, P, a.D + 72 * b);
    const Three T = rp - y;  // the affine step
    T.store(a.target + 24 * b);
    (P * (r + x.D(T))).store(a.force + 24 * b);
  }
  return sum(gap);
}

// The largest t with x + t dx in the cone, infinity where there is none.
inline Lanes longest_step(const Three& x, const Three& dx) {
  const Lanes zero(0), far(1e30);
  const Lanes a = dx.n * dx.n - dx.s * dx.s - dx.t * dx.t;
  const Lanes b = x.n * dx.n - x.s * dx.s - x.t * dx.t;
  const Lanes c = determinant(x), square = b * b - a * c, root = sqrt(max(square, zero));
  // a t² + 2 b t + c = 0, without cancellation
  const Lanes falling =
      select((a < zero), c / (root - b), select(zero < square, c / (root - b), far));
  const Lanes rising = select(a < zero, (b + root) / -a, far);
  const Lanes step = select(b < zero, falling, rising);
  return min(step, select(dx.n < zero, -x.n / dx.n, far));
}

// dy = E z' + α w dr − rp and dr = D' (T − E z') of the step that left z = H dv.
inline void step_of(const Interior& a, int b, Three& dy, Three& dr) {
  const Scaling x = Scaling::load(a.scaling + 64 * b);
  Three z = Transform(a.transform + 24 * b) * Three::load(a.z + 24 * b);
  z.n = z.n + Lanes::load(a.slip + 16 * b) * z.s + Lanes::load(a.slip + 16 * b + 8) * z.t;
  dr = x.D(Three::load(a.target + 24 * b) - z);
  const Lanes alpha = Lanes(a.alpha) * Lanes::load(a.size + 8 * b);
  dy = z + alpha * dr - Three::load(a.infeasibility + 24 * b);
}

Reach interior_reach(const Interior& a) {
  Lanes step(1e30), first(0), second(0);
  for (int b = 0; b < a.batches; ++b) {
    const Three y = Three::load(a.y + 24 * b), r = Three::load(a.r + 24 * b);
    Three dy, dr;
    step_of(a, b, dy, dr);
    dy.store(a.dy + 24 * b);
    dr.store(a.dr + 24 * b);
    const Lanes present = Lanes::load(a.present + 8 * b);
    first = first + present * (dot(y, dr) + dot(r, dy));
    second = second + present * dot(dy, dr);
    const Lanes longest = min(longest_step(y, dy), longest_step(r, dr));
    step = min(step, select(Lanes(0) < present, longest, Lanes(1e30)));
  }
  return {least(step), sum(first), sum(second)};
}

// T = rp + S (−λ + λ⁻¹ ∘ (σm e − (S⁻¹ dy) ∘ (S dr))), with ∘ the product of the cone's algebra.
void interior_correct(const Interior& a, double centre) {
  for (int b = 0; b < a.batches; ++b) {
    const Scaling x = Scaling::load(a.scaling + 64 * b);
    const Three r = Three::load(a.r + 24 * b), l = x.S(r);
    const Three p = x.S_inverse(Three::load(a.dy + 24 * b)), q = x.S(Three::load(a.dr + 24 * b));
    const Three right = {Lanes(centre) - dot(p, q), -(p.n * q.s + q.n * p.s),
                         -(p.n * q.t + q.n * p.t)};
    // λ ∘ x = right
    const Lanes one(1), inverse = one / determinant(l), over = one / l.n;
    const Lanes along = l.s * right.s + l.t * right.t;
    const Lanes f = (along * over - right.n) * inverse;
    const Three solved = {(l.n * right.n - along) * inverse, f * l.s + right.s * over,
                          f * l.t + right.t * over};
    const Three T = Three::load(a.infeasibility + 24 * b) + x.S(solved - l);
    T.store(a.target + 24 * b);
    (Transform(a.transform + 24 * b) * (r + x.D(T))).store(a.force + 24 * b);
  }
}

// The step, then y_n raised by what the shift gained on its tangent: it is convex, so y stays in
// the cone, and only the error of linearising is added.
void interior_advance(const Interior& a, double length) {
  const Lanes t(length);
  for (int b = 0; b < a.batches; ++b) {
    const Transform P(a.transform + 24 * b);
    const Three before = Three::load(a.u + 24 * b), z = Three::load(a.z + 24 * b);
    const Three after = before + t * z;
    after.store(a.u + 24 * b);
    Three y = Three::load(a.y + 24 * b) + t * Three::load(a.dy + 24 * b);
    if (a.shift && a.slope) {
      const Three step = P * z;
      const Lanes slope =
          Lanes::load(a.slip + 16 * b) * step.s + Lanes::load(a.slip + 16 * b + 8) * step.t;
      const Lanes gained = tangent_norm(P * after) - tangent_norm(P * before) - t * slope;
      y.n = y.n + max(gained, Lanes(0));
    }
    y.store(a.y + 24 * b);
    (Three::load(a.r + 24 * b) + t * Three::load(a.dr + 24 * b)).store(a.r + 24 * b);
  }
}

}  // namespace
}  // namespace stiction::bodies
