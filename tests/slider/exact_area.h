// SPDX-License-Identifier: Apache-2.0
//
// Loads of supports with an extent in 50 digits and more, by the plain formulas: with this many
// digits they survive their cancellation.
#pragma once

#include <array>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

#include "stiction/slider.h"

namespace stiction::testing {

using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>,
                                            boost::multiprecision::et_off>;
using ExactLoad = std::array<Exact, 3>;

// The error of a load over the exact one, in the norm of (F, M/ρ).
inline double error(const Slider& slider, const Motion& q, const ExactLoad& exact) {
  const Vec3 p = load(slider, q).load.vector();
  const Exact rho = slider.length_scale();
  const Exact dx = Exact(p[0]) - exact[0], dy = Exact(p[1]) - exact[1];
  const Exact dm = (Exact(p[2]) - exact[2]) / rho, m = exact[2] / rho;
  const Exact size = sqrt(exact[0] * exact[0] + exact[1] * exact[1] + m * m);
  if (size == 0) return p.isZero(0) ? 0 : infinity;
  return static_cast<double>(sqrt(dx * dx + dy * dy + dm * dm) / size);
}

// A uniform polygon under isotropic friction of strength 1, ω ≠ 0.  Per edge, seen from the
// rotation centre: M_c·area = Σ ⅙[d(t2r2 − t1r1) + d³A], ∫ρ/|ρ| = Σ n ½[(t2r2 − t1r1) + d²A].
inline ExactLoad exact_polygon(const std::vector<std::vector<Vec2>>& loops, const Motion& q) {
  const Exact w = q.omega, cx = -Exact(q.vy) / w, cy = Exact(q.vx) / w;
  Exact area = 0, moment = 0, gx = 0, gy = 0;
  for (const auto& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 &p = loop[i], &s = loop[(i + 1) % loop.size()];
      const Exact ax = Exact(p.x()) - cx, ay = Exact(p.y()) - cy;
      const Exact bx = Exact(s.x()) - cx, by = Exact(s.y()) - cy;
      const Exact ex = bx - ax, ey = by - ay, L = sqrt(ex * ex + ey * ey);
      const Exact tx = ex / L, ty = ey / L, nx = ty, ny = -tx;
      const Exact d = ax * nx + ay * ny, t1 = ax * tx + ay * ty, t2 = bx * tx + by * ty;
      const Exact r1 = sqrt(ax * ax + ay * ay), r2 = sqrt(bx * bx + by * by);
      area += (Exact(p.x()) * Exact(s.y()) - Exact(p.y()) * Exact(s.x())) / 2;
      Exact A = 0;
      if (abs(d) > Exact("1e-60") * L) A = asinh(t2 / abs(d)) - asinh(t1 / abs(d));
      moment += (d * (t2 * r2 - t1 * r1) + d * d * d * A) / 6;
      gx += nx * (t2 * r2 - t1 * r1 + d * d * A) / 2;
      gy += ny * (t2 * r2 - t1 * r1 + d * d * A) / 2;
    }
  // f = sign(ω) J ρ/|ρ|, M = M_c + c × F.
  const Exact sign = q.omega > 0 ? 1 : -1;
  const Exact fx = -sign * gy / area, fy = sign * gx / area;
  return {fx, fy, sign * moment / area + cx * fy - cy * fx};
}

// A segment, by the antiderivatives of ρ/|ρ| and |ρ|.
inline ExactLoad exact_segment(const Vec2& from, const Vec2& to, const Motion& q) {
  const Exact w = q.omega, cx = -Exact(q.vy) / w, cy = Exact(q.vx) / w;
  const Exact ax = Exact(from.x()) - cx, ay = Exact(from.y()) - cy;
  const Exact bx = Exact(to.x()) - cx, by = Exact(to.y()) - cy;
  const Exact ex = bx - ax, ey = by - ay, L = sqrt(ex * ex + ey * ey);
  const Exact tx = ex / L, ty = ey / L, nx = ty, ny = -tx;
  const Exact d = ax * nx + ay * ny, t1 = ax * tx + ay * ty, t2 = bx * tx + by * ty;
  const Exact r1 = sqrt(ax * ax + ay * ay), r2 = sqrt(bx * bx + by * by);
  Exact A = 0;
  if (abs(d) > Exact("1e-60") * L) A = asinh(t2 / abs(d)) - asinh(t1 / abs(d));
  const Exact gx = (tx * (r2 - r1) + nx * d * A) / L, gy = (ty * (r2 - r1) + ny * d * A) / L;
  const Exact sign = q.omega > 0 ? 1 : -1, fx = -sign * gy, fy = sign * gx;
  const Exact moment = (t2 * r2 - t1 * r1 + d * d * A) / (2 * L);
  return {fx, fy, sign * moment + cx * fy - cy * fx};
}

struct ExactProfile {
  Exact F, T;  // force, moment over the radius
};

inline ExactProfile exact_ring(const Exact& e) {
  using std::sqrt;
  const Exact pi = boost::math::constants::pi<Exact>();
  if (e == 0) return {0, 1};
  const Exact k = 2 * sqrt(e) / (1 + e);
  const Exact E = boost::math::ellint_2(k), K = k >= 1 ? Exact(0) : boost::math::ellint_1(k);
  const Exact F = ((1 + e) * E - (1 - e) * K) / (pi * e);
  return {F, 2 / pi * (1 + e) * E - e * F};
}

inline ExactProfile exact_disc(const Exact& e) {
  const Exact pi = boost::math::constants::pi<Exact>(), q = e * e;
  if (e == 0) return {0, Exact(2) / 3};
  if (e <= 1) {
    const Exact E = boost::math::ellint_2(e), K = e == 1 ? Exact(0) : boost::math::ellint_1(e);
    return {4 / (3 * pi * e) * ((q + 1) * E + (q - 1) * K),
            4 / (9 * pi) * ((4 - 2 * q) * E + (q - 1) * K)};
  }
  const Exact k = 1 / e, E = boost::math::ellint_2(k), K = boost::math::ellint_1(k);
  return {4 / (3 * pi) * ((q + 1) * E - (q - 1) * K),
          4 * e / (9 * pi) * ((4 - 2 * q) * E + (2 * q - 5 + 3 / q) * K)};
}

// A disc of pressure p(s) by its rings, with s = sin α: F = ∫ F_ring weight(α) dα, T = ∫ s T_ring
// weight(α) dα, where weight(α) dα = 2πs p ds.
template <typename Weight>
ExactProfile exact_pressure(const Exact& e, const Weight& weight) {
  static boost::math::quadrature::tanh_sinh<Exact> rule(10);
  const Exact end = boost::math::constants::half_pi<Exact>();
  const auto over = [&](bool moment) {
    const auto f = [&](const Exact& alpha) {
      const Exact s = sin(alpha);
      if (s <= 0) return Exact(0);
      const ExactProfile ring = exact_ring(e / s);
      return Exact((moment ? s * ring.T : ring.F) * weight(alpha));
    };
    const Exact tolerance("1e-14");  // the rule doubles its digits a step
    if (e >= 1 || e == 0) return rule.integrate(f, Exact(0), end, tolerance);
    const Exact at = asin(e);
    return Exact(rule.integrate(f, Exact(0), at, tolerance) +
                 rule.integrate(f, at, end, tolerance));
  };
  return {over(false), over(true)};
}

}  // namespace stiction::testing
