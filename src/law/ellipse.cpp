// SPDX-License-Identifier: Apache-2.0
//
// The ellipse (f1/a)² + (f2/b)² ≤ 1 in its own axes: support function, boundary, projection.
#include <algorithm>
#include <cmath>

#include "base/plane.h"
#include "stiction/limit_curve.h"

namespace stiction {

// A disc has no axes to turn to, and is spared the rounding of turning.
Vec2 Ellipse::to_axes(const Vec2& f) const {
  return is_disc() ? f : Vec2(axis.dot(f), cross(axis, f));
}
Vec2 Ellipse::from_axes(const Vec2& f) const {
  return is_disc() ? f : Vec2(axis * f.x() + plane::left(axis) * f.y());
}

// h(v) = ‖(a v1, b v2)‖
double Ellipse::support(const Vec2& v) const {
  if (is_disc()) return a * plane::norm(v);
  const Vec2 w = to_axes(v);
  return std::hypot(a * w.x(), b * w.y());
}

// ∇h(v) = (a² v1, b² v2) / h(v), ordered so that nothing overflows.
Vec2 Ellipse::point(const Vec2& v) const {
  const Vec2 w = to_axes(plane::scaled(v).v);
  const double h = std::hypot(a * w.x(), b * w.y());
  if (h == 0) return Vec2::Zero();
  return from_axes({a * (a * w.x() / h), b * (b * w.y() / h)});
}

double Ellipse::gauge(const Vec2& f) const {
  if (is_disc()) return plane::norm(f) / a;
  const Vec2 w = to_axes(f);
  return std::hypot(w.x() / a, w.y() / b);
}

// Turning to the axes sums terms that the short axis magnifies.
double Ellipse::gauge_rounding(const Vec2& f) const {
  if (is_disc()) return rounding * gauge(f);
  return rounding * (plane::dot_terms(axis, f) / a + plane::cross_terms(axis, f) / b);
}

Vec2 Ellipse::normal(const Vec2& f) const {
  const Vec2 w = to_axes(f);
  const Vec2 g = plane::scaled({w.x() * (b / a), w.y() * (a / b)}).v;  // ∝ (f1/a², f2/b²)
  return from_axes(g / plane::norm(g));
}

// The nearest point is x_i / (1 + t/a_i²) with t ≥ 0 such that it lies on the ellipse.  With
// q = b/a, τ = t/(ab) and z_i = x_i/a_i:
//
//   N(τ) = ‖(z1/(1 + τq), z2/(1 + τ/q))‖ = 1
//
// 1/N is concave and increasing, so Newton's method on 1/N = 1 from the left rises monotonically to
// the root; for a disc it is linear and one step is exact.
Vec2 Ellipse::project(const Vec2& f) const {
  const double g = gauge(f);
  if (g <= 1) return f;
  if (is_disc()) {
    const Vec2 s = plane::scaled(f).v;
    return s * (a / plane::norm(s));
  }
  const Vec2 x = to_axes(f);
  const double q = b / a;
  const double z1 = x.x() / a, z2 = x.y() / b;
  double tau = std::max({0.0, (std::abs(z1) - 1) / q, (std::abs(z2) - 1) * q});
  for (int i = 0; i < 100; ++i) {
    const double d1 = 1 + tau * q, d2 = 1 + tau / q;
    const double w1 = z1 / d1, w2 = z2 / d2;
    const double n = std::hypot(w1, w2);
    const double slope = (w1 / n) * (w1 * q / d1) + (w2 / n) * (w2 / q / d2);  // −N′
    const double step = n * (n - 1) / slope;
    if (!std::isfinite(step)) return point(f);  // |f| over 1e300 times the ellipse
    tau += step;
    if (step <= 2 * std::numeric_limits<double>::epsilon() * tau) break;
  }
  return from_axes({x.x() / (1 + tau * q), x.y() / (1 + tau / q)});
}

}  // namespace stiction
