// SPDX-License-Identifier: Apache-2.0
//
// Disc, ring and annulus under isotropic friction.
//
//   u      speed of the centre                                    [m/s]
//   w      = |ω|R, speed of the rim about it                      [m/s]
//   ε      = u/w = 1/x
//   H(u,w) power for unit force and unit friction; F = ∂H/∂u, T = ∂H/∂w (the moment over R)
//   m_k    = ⟨(r/R)^{2k}⟩, the moments of the pressure
//   h_k    = ((−½)_k / k!)², with which a ring has H = Σ h_k ε^{2k}, ε ≤ 1
//
// Far out, x < 0.8, H = u Σ h_k m_k x^{2k} for every pressure.  Far in, ε < 0.8, ring and uniform
// disc have such series too.  Between, they have complete elliptic integrals; the sums do not
// cancel there.  Hertz and Boussinesq pressures are simpler: ΔH is the potential of the pressure,
// a polynomial inside, so H is a polynomial of ε² for ε ≤ 1 and elementary beyond.
#include <numbers>

#include "slider/supports/area.h"
#include "slider/supports/quadrature.h"

namespace stiction {

namespace {

using std::numbers::pi;

constexpr double far = 0.8;
constexpr int most_terms = 200;

// F, T, and the second derivative that stays finite: F'(ε) inside, T'(x) outside; the others
// follow, as H is homogeneous.
struct Profile {
  double F = 0, T = 0, second = 0;
  double F_over_epsilon = 0;  // inside
};

struct Elliptic {
  double K = 0, E = 0;
};
// Complete elliptic integrals of parameter m = 1 − m1, by the arithmetic-geometric mean.
Elliptic elliptic(double m1) {
  double a = 1, b = std::sqrt(std::max(m1, 1e-40)), sum = 0.5 * (1 - m1), power = 0.5;
  for (int i = 0; i < 40 && std::abs(a - b) > 1e-17 * a; ++i) {
    const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
    power *= 2;
    sum += power * c * c;
    if (std::abs(c) < 1e-9 * a) break;
  }
  const double K = pi / (2 * a);
  return {K, m1 == 0 ? 1 : K * (1 - sum)};
}

// The ratio m_k / m_{k−1} of a pressure's moments.
double moment_ratio(Support::Shape shape, Support::Pressure pressure, int k) {
  if (shape == Support::Shape::ring) return 1;
  switch (pressure) {
    case Support::Pressure::uniform:
      return k / (k + 1.0);
    case Support::Pressure::hertz:
      return k / (k + 1.5);
    case Support::Pressure::boussinesq:
      return k / (k + 0.5);
  }
  return 0;
}

Profile outer_series(Support::Shape shape, Support::Pressure pressure, double x) {
  Profile p{.F = 1};
  double term = 1;  // h_k m_k x^{2k−2}
  for (int k = 1; k < most_terms; ++k) {
    const double step = (k - 1.5) / k;
    term *= step * step * moment_ratio(shape, pressure, k) * (k > 1 ? x * x : 1);
    p.F += (1 - 2 * k) * term * x * x;
    p.T += 2 * k * term * x;
    p.second += 2 * k * (2 * k - 1) * term;
    if (4 * k * k * term * x * x < 1e-18) break;
  }
  return p;
}

Profile ring_inner_series(double e) {
  Profile p{.T = 1};
  double term = 1;  // h_k ε^{2k−2}
  for (int k = 1; k < most_terms; ++k) {
    const double step = (k - 1.5) / k;
    term *= step * step * (k > 1 ? e * e : 1);
    p.F_over_epsilon += 2 * k * term;
    p.T += (1 - 2 * k) * term * e * e;
    p.second += 2 * k * (2 * k - 1) * term;
    if (4 * k * k * term * e * e < 1e-18) break;
  }
  p.F = e * p.F_over_epsilon;
  return p;
}

// F = ε ₂F₁(½,−½;2;ε²), T = ⅔ ₂F₁(½,−3/2;1;ε²).
Profile disc_inner_series(double e) {
  Profile p;
  double f = 1, t = 2.0 / 3;
  for (int k = 0; k < most_terms; ++k) {
    p.F_over_epsilon += f;
    p.T += t;
    p.second += (2 * k + 1) * f;
    f *= (k + 0.5) * (k - 0.5) / ((k + 2.0) * (k + 1.0)) * e * e;
    t *= (k + 0.5) * (k - 1.5) / ((k + 1.0) * (k + 1.0)) * e * e;
    if (4 * k * std::abs(f) + std::abs(t) < 1e-18) break;
  }
  p.F = e * p.F_over_epsilon;
  return p;
}

// Near the rim, with the potential Φ = ΔH: F'(ε) = Φ − F/ε.
Profile ring_elliptic(double e) {
  const double difference = (1 - e) / (1 + e);
  const auto [K, E] = elliptic(difference * difference);
  Profile p;
  p.F = ((1 + e) * E - (1 - e) * K) / (pi * e);
  p.T = 2 / pi * (1 + e) * E - e * p.F;
  p.second = 2 / pi * K / (1 + e) - p.F / e;
  return p;
}
Profile disc_elliptic(double e) {
  Profile p;
  if (e <= 1) {
    const double m1 = (1 - e) * (1 + e);
    const auto [K, E] = elliptic(m1);
    p.F = 4 / (3 * pi * e) * ((e * e + 1) * E - m1 * K);
    p.T = 4 / (9 * pi) * ((4 - 2 * e * e) * E - m1 * K);
    p.second = 4 / pi * E - p.F / e;
  } else {
    const double m1 = (e - 1) * (e + 1);  // ε² − 1
    const auto [K, E] = elliptic(m1 / (e * e));
    p.F = 4 / (3 * pi) * ((e * e + 1) * E - m1 * K);
    p.T = 4 * e / (9 * pi) * ((4 - 2 * e * e) * E + m1 * (2 - 3 / (e * e)) * K);
    p.second = 4 / pi * (e * E - m1 / e * K) - p.F / e;
  }
  return p;
}

// Outside: ε F = ½[ε² α + u] (Boussinesq), ¾[(ε² − ε⁴/4) α + ¾u + ¼u³] (Hertz), where α =
// asin(1/ε), u = √(ε² − 1); T = −∫ ε F' from the rim.
Profile hertz(double e) {
  Profile p;
  const double q = e * e;
  if (e <= 1) {
    p.F_over_epsilon = 3 * pi / 32 * (4 - q);
    p.F = e * p.F_over_epsilon;
    p.T = 3 * pi / 128 * (8 - 8 * q + 3 * q * q);
    p.second = 3 * pi / 32 * (4 - 3 * q);
    return p;
  }
  const double u = std::sqrt((e - 1) * (e + 1)), alpha = std::atan2(1, u);
  p.F = 0.75 / e * ((q - q * q / 4) * alpha + 0.75 * u + 0.25 * u * u * u);
  p.second = 0.75 * ((2 - q) * alpha + u) - p.F / e;
  p.T = 3.0 / 64 * ((8 - 8 * q + 3 * q * q) * alpha + u * (6 - 3 * q));
  return p;
}
Profile boussinesq(double e) {
  Profile p;
  const double q = e * e;
  if (e <= 1) {
    p.F_over_epsilon = pi / 4;
    p.F = e * p.F_over_epsilon;
    p.T = pi / 8 * (2 - q);
    p.second = pi / 4;
    return p;
  }
  const double u = std::sqrt((e - 1) * (e + 1)), alpha = std::atan2(1, u);
  p.F = 0.5 * (e * alpha + u / e);
  p.T = 0.25 * ((2 - q) * alpha + u);
  p.second = 0.5 * (alpha - u / q);
  return p;
}

// Adds the derivatives of `share`·H for a disc or ring of radius R, about its centre: F, T, H_uu,
// H_uω, H_ωω, F/u.
using Derivatives = Eigen::Array<double, 6, 1>;
Derivatives derivatives(Support::Shape shape, Support::Pressure pressure, double R, double u,
                        double omega) {
  const double w = omega * R;
  const bool is_ring = shape == Support::Shape::ring;
  const bool uniform = pressure == Support::Pressure::uniform;
  const auto near = [&](double e) {
    if (is_ring) return ring_elliptic(e);
    if (uniform) return disc_elliptic(e);
    return pressure == Support::Pressure::hertz ? hertz(e) : boussinesq(e);
  };
  Derivatives d;
  if (u <= w) {
    const double e = u / w;
    Profile p;
    if (e >= far || !(is_ring || uniform)) {
      p = near(e);
      if (is_ring || uniform) p.F_over_epsilon = p.F / e;
    } else {
      p = is_ring ? ring_inner_series(e) : disc_inner_series(e);
    }
    const double Huu = p.second / w;
    d << p.F, R * p.T, Huu, -e * R * Huu, e * e * R * R * Huu, p.F_over_epsilon / w;
  } else {
    const double x = w / u;
    Profile p;
    if (x <= far) {
      p = outer_series(shape, pressure, x);
    } else {
      p = near(1 / x);
      p.second /= x * x * x;  // T'(x) = ε³ F'(ε)
    }
    const double Hww = p.second / u;
    d << p.F, R * p.T, x * x * Hww, -x * R * Hww, R * R * Hww, p.F / u;
  }
  return d;
}

Derivatives annulus_derivatives(double R, double r, double u, double omega) {
  const auto uniform = Support::Pressure::uniform;
  if (r < 0.9 * R) {
    const double outer = R * R / ((R - r) * (R + r)), inner = r * r / ((R - r) * (R + r));
    return outer * derivatives(Support::Shape::disc, uniform, R, u, omega) -
           inner * derivatives(Support::Shape::disc, uniform, r, u, omega);
  }
  // A thin one would cancel: the sum of its rings, with a logarithm where one meets the rotation
  // centre.  The variable is the distance inwards, which keeps its digits.
  Derivatives sum = Derivatives::Zero();
  const double width = R - r, place = omega > 0 ? std::min((R * omega - u) / omega, 2 * R) : -R;
  add_graded(
      0.0, width, place,
      [&](double inwards) -> Derivatives {
        const double radius = R - inwards;
        return 2 * radius / ((R - r) * (R + r)) *
               derivatives(Support::Shape::ring, uniform, radius, u, omega);
      },
      sum);
  return sum;
}

}  // namespace

void add_round_isotropic(const Support& support, const CentreMotion& motion, CentreLoad& sum) {
  const double mu = support.curve.ellipse().a;
  const double u = motion.slip.norm(), omega = std::abs(motion.omega);
  const double sign = motion.omega < 0 ? -1 : 1;
  const Derivatives d =
      mu * (support.shape == Support::Shape::annulus
                ? annulus_derivatives(support.radius, support.inner_radius, u, omega)
                : derivatives(support.shape, support.pressure, support.radius, u, omega));
  const Vec2 along = u > 0 ? Vec2(motion.slip / u) : Vec2::UnitX();
  const Vec2 across(-along.y(), along.x());
  sum.force += d[0] * along;
  sum.moment += sign * d[1];
  if (!sum.second) return;
  sum.hessian.topLeftCorner<2, 2>() +=
      d[2] * along * along.transpose() + d[5] * across * across.transpose();
  sum.hessian.topRightCorner<2, 1>() += sign * d[3] * along;
  sum.hessian.bottomLeftCorner<1, 2>() += sign * d[3] * along.transpose();
  sum.hessian(2, 2) += d[4];
}

}  // namespace stiction
