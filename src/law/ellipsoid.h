// SPDX-License-Identifier: Apache-2.0
//
// The ellipsoid Σ (f_k/a_k)² ≤ 1 in d dimensions, for arrays of d numbers with d known to the
// compiler.  Axes are zero or from 1e-150 to 1e150; an axis of zero carries nothing, and numbers
// along it are left out of every sum.
//
// Its projection: p_k = f_k a_k²/(a_k² + t), where t > 0 is the root of N(t) = 1,
//
//   N(t) = ‖w‖,   w_k = a_k f_k/(a_k² + t)
//
// 1/N is concave and nearly linear, so that Newton's method on it comes to the root from the left
// without passing it.  Each term of N alone bounds the root from the left: t ≥ a_k |f_k| − a_k².
// An error of rounding in N is one of rounding in p, at any ratio of axes: what a small axis adds
// to the sum is as small as what it asks of t.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/section.h"

namespace stiction::ellipsoid {

inline constexpr double eps = std::numeric_limits<double>::epsilon();
// Squares of numbers in this range lose nothing that counts.
inline constexpr double least_plain = 1e-120, greatest_plain = 1e120;

// Calls work(std::integral_constant<int, d>) for the dimension d, 0 to 5.
template <class Work>
decltype(auto) with_dimension(int dimension, const Work& work) {
  switch (dimension) {
    case 1:
      return work(std::integral_constant<int, 1>());
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    case 4:
      return work(std::integral_constant<int, 4>());
    case 5:
      return work(std::integral_constant<int, 5>());
    default:
      return work(std::integral_constant<int, 0>());
  }
}

template <int d>
double largest(const double* v) {
  double m = 0;
  for (int k = 0; k < d; ++k) m = std::max(m, std::abs(v[k]));
  return m;
}

// ‖v‖ without overflow or underflow.
template <int d>
double norm(const double* v) {
  double sum = 0;
  for (int k = 0; k < d; ++k) sum += v[k] * v[k];
  if (sum > 1e-240 && sum < 1e240) return std::sqrt(sum);
  const double m = largest<d>(v);
  if (m == 0 || !(m < infinity)) return m;
  sum = 0;
  for (int k = 0; k < d; ++k) sum += (v[k] / m) * (v[k] / m);
  return m * std::sqrt(sum);
}

template <int d>
double support(const double* a, const double* v) {
  double w[d > 0 ? d : 1];
  for (int k = 0; k < d; ++k) w[k] = a[k] * v[k];
  return norm<d>(w);
}

// A force that answers v: a_k² v_k / h, and 0 where v asks for nothing.
template <int d>
void point(const double* a, const double* v, double* p) {
  double w[d > 0 ? d : 1];
  const double m = largest<d>(v);
  int e = 0;
  if (m > 0) std::frexp(m, &e);
  for (int k = 0; k < d; ++k) w[k] = a[k] * std::ldexp(v[k], -e);
  const double h = norm<d>(w);
  for (int k = 0; k < d; ++k) p[k] = h > 0 ? a[k] * (w[k] / h) : 0;
}

template <int d>
double gauge(const double* a, const double* f) {
  double w[d > 0 ? d : 1];
  for (int k = 0; k < d; ++k) {
    if (a[k] == 0 && f[k] != 0) return infinity;
    w[k] = a[k] == 0 ? 0 : f[k] / a[k];
  }
  return norm<d>(w);
}

// Axes are zero or one value.
template <int d>
bool is_ball(const double* a) {
  const double m = largest<d>(a);
  for (int k = 0; k < d; ++k)
    if (a[k] != 0 && a[k] != m) return false;
  return true;
}

// Where the projection lies, in units of the largest axis a: the multiplier t/a², and what the
// derivative needs; zero inside.
struct Multiplier {
  double t = 0;
  double slope = 0;  // Σ w_k²/((a_k/a)² + t/a²)
};

template <int d>
Multiplier project(const double* a, const double* f, double* p) {
  const double m = largest<d>(a);
  double g = 0;
  {
    double w[d > 0 ? d : 1];
    for (int k = 0; k < d; ++k) w[k] = a[k] == 0 ? 0 : f[k] / a[k];
    g = norm<d>(w);
  }
  for (int k = 0; k < d; ++k) p[k] = a[k] == 0 ? 0 : f[k];
  if (g <= 1) return {};
  // Beyond 2^400 times the ellipsoid the direction alone decides.
  double far = 1 / m;
  if (const double size = largest<d>(p); size > 0x1p400 * m) far = 0x1p400 / size;
  double u[d > 0 ? d : 1], squares[d > 0 ? d : 1], r[d > 0 ? d : 1];
  double t = 0;
  for (int k = 0; k < d; ++k) {
    const double ratio = a[k] / m;
    squares[k] = ratio * ratio;
    u[k] = ratio * (p[k] * far);
    t = std::max(t, std::abs(u[k]) - squares[k]);
  }
  double slope = 0;
  for (int i = 0; i < 100; ++i) {
    double square = 0;
    slope = 0;
    for (int k = 0; k < d; ++k) {
      // Where both vanish, so does the component.
      const double whole = squares[k] + t;
      r[k] = whole > 0 ? 1 / whole : 0;
      const double w = u[k] * r[k];
      square += w * w;
      slope += w * w * r[k];
    }
    const double n = std::sqrt(square);
    const double step = square * (n - 1) / slope;
    if (!(step > 0)) break;
    t += step;
    if (n - 1 <= 1e-9 || step <= eps * t) break;  // 1/N is so nearly linear that this was the last
  }
  for (int k = 0; k < d; ++k) {
    const double whole = squares[k] + t;
    p[k] = whole > 0 ? m * (a[k] / m) * (u[k] / whole) : 0;
  }
  return {t, slope};
}

// The derivative of the projection at its point p, d × d, symmetric.  Beyond the surface it is
// B − m mᵀ/slope with B_k = a_k²/(a_k² + t), m_k = p_k/(a_k² + t): none along the normal.
template <int d, class Matrix>
void derivative(const double* a, const Multiplier& at, const double* p, Matrix&& D) {
  const double m = largest<d>(a);
  double along[d > 0 ? d : 1];
  for (int i = 0; i < d; ++i) {
    const double ratio = a[i] == 0 ? 0 : a[i] / m, square = ratio * ratio, whole = square + at.t;
    for (int k = 0; k < d; ++k) D(i, k) = 0;
    D(i, i) = a[i] == 0 ? 0 : at.t == 0 ? 1 : square / whole;
    along[i] = a[i] == 0 || at.t == 0 ? 0 : (p[i] / m) / whole;
  }
  if (at.t == 0 || m == 0) return;
  for (int i = 0; i < d; ++i)
    for (int k = 0; k < d; ++k) D(i, k) -= along[i] * (along[k] / at.slope);
}

// The nearest point (s, p) of the cone {(s, f) : f ∈ s·ellipsoid}, from (x, y), all of order one.
// Outside of it and of its polar cone
//
//   p_k = y_k a_k²/(a_k² + λ),   s = σ(λ) = ‖a_k y_k/(a_k² + λ)‖,   s (1 − λ) = x,
//
// so that λ is the root of ψ(λ) = 1 − λ − x/σ(λ).  1/σ is concave and nearly linear: ψ is convex
// for x > 0, where Newton's method comes from the left, and concave for x < 0, where it comes from
// the right.  Returns λ; zero inside, infinity in the polar cone.
template <int d>
double project_on_cone(const double* a, double x, const double* y, double& s, double* p) {
  double u[d > 0 ? d : 1], squares[d > 0 ? d : 1], w[d > 0 ? d : 1];
  const double largest_axis = largest<d>(a);
  bool plain = largest_axis < 1e60;
  for (int k = 0; k < d; ++k) {
    const bool none = a[k] == 0;
    p[k] = none ? 0 : y[k];
    u[k] = a[k] * p[k];
    squares[k] = none ? 1 : a[k] * a[k];  // of a component that is zero
    w[k] = none ? 0 : p[k] / a[k];
    plain = plain && squares[k] > 1e-60;
  }
  const double g = norm<d>(w);
  if (g <= x) {
    s = x;
    return 0;
  }
  const double h = norm<d>(u);
  if (h <= -x) {
    s = 0;
    for (int k = 0; k < d; ++k) p[k] = 0;
    return infinity;
  }
  if (g == 0) {  // y = 0 and x < 0, or no axes
    s = std::max(x, 0.0);
    return x > 0 ? 0 : infinity;
  }
  // Each axis by itself, or all as if they were the largest, bound the root on Newton's side.
  double low = 0, high = std::numeric_limits<double>::max(), lambda = 0;
  if (x >= 0) {
    for (int k = 0; k < d; ++k) {
      const double size = std::abs(u[k]);
      if (size > 0) low = std::max(low, (size - x * squares[k]) / (size + x));
    }
    high = 1;
    lambda = low;
  } else {
    low = 1;
    const double square = largest_axis * largest_axis;
    high = std::min(high, (h - x * square) / (h + x));
    for (int k = 0; k < d; ++k) {
      const double size = std::abs(u[k]);
      if (size > -x) high = std::min(high, (size - x * squares[k]) / (size + x));
    }
    lambda = high;
  }
  double sigma = 0, r[d > 0 ? d : 1];
  const auto evaluate = [&](double at) -> double {  // (1/σ)′
    double sum = 0, weighted = 0;
    for (int k = 0; k < d; ++k) {
      r[k] = 1 / (squares[k] + at);
      w[k] = u[k] * r[k];
      sum += w[k] * w[k];
      weighted += w[k] * w[k] * r[k];
    }
    if (plain && sum > 1e-200 && sum < 1e200) {
      sigma = std::sqrt(sum);
      return weighted / (sum * sigma);
    }
    sigma = norm<d>(w);
    weighted = 0;
    for (int k = 0; k < d; ++k) weighted += (w[k] / sigma) * (w[k] / sigma) * (r[k] / sigma);
    return weighted;
  };
  for (int i = 0; i < 100; ++i) {
    const double growth = evaluate(lambda);
    const double quotient = x / sigma, psi = 1 - lambda - quotient;
    double next = lambda + psi / (1 + x * growth);
    if (!(next >= low)) next = low;
    if (!(next <= high)) next = high;
    const double change = std::abs(next - lambda);
    lambda = next;
    if (change <= 1e-9 * lambda || std::abs(psi) <= 4 * eps * (1 + lambda)) break;
  }
  for (int k = 0; k < d; ++k) w[k] = u[k] / (squares[k] + lambda);
  s = norm<d>(w);
  for (int k = 0; k < d; ++k) p[k] = a[k] * w[k];
  return lambda;
}

}  // namespace stiction::ellipsoid
