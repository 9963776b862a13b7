// SPDX-License-Identifier: Apache-2.0
//
// Disc, ring and annulus under any law.
//
// On a line through the rotation centre all slips have one direction d, at an angle δ from the slip
// of the disc's centre, and so one force f(d).  What is left is an integral over these lines.
// Lengths are over the radius, x = ωR/|s|, and a line passes the disc's centre at the distance
// sin ψ, so that sin δ = x sin ψ:
//
//   |x| ≤ 1, rotation centre outside: a chord with pressure integrals k0, k2 (of 1 and t²)
//     dF = f k0 cos ψ dψ,   dM = [sin ψ (d×f) k0 + (d·f) k2 x / cos δ] cos ψ dψ
//   |x| ≥ 1, inside, ε = 1/|x|: the ray from it to the rim
//     dF = f I1 dδ,   dM = [±ε sin δ (d×f) I1 ± (d·f) I2] dδ,   I1 = ∫ p u dτ, I2 = ∫ p τ u dτ,
//     τ from −ε cos δ to √(1 − ε² sin² δ);  u = τ + ε cos δ, the distance from the rotation centre
//
// The force is smooth in δ between the normals of flats and the ends of arcs: the integral is cut
// there, and an adaptive rule does each part.  A ring is integrated over its own angle.
#include <Eigen/Geometry>

#include "slider/supports/round.h"

namespace stiction {

namespace {

using std::numbers::pi;

struct Chord {
  double k0 = 0, k2 = 0;
};
Chord chord(Support::Pressure pressure, double c) {
  switch (pressure) {
    case Support::Pressure::uniform:
      return {2 * c / pi, 2 * c * c * c / (3 * pi)};
    case Support::Pressure::hertz:
      return {0.75 * c * c, 0.1875 * c * c * c * c};
    case Support::Pressure::boussinesq:
      return {0.5, 0.25 * c * c};
  }
  return {};
}

struct Ray {
  double I1 = 0, I2 = 0;
};
// g = ε cos δ, l2 = ℓ², rest = ℓ² − g² = 1 − ε².
Ray ray(Support::Pressure pressure, double g, double l2, double rest) {
  const double l = std::sqrt(l2), s = std::sqrt(rest), angle = pi / 2 + std::atan2(g, s);
  switch (pressure) {
    case Support::Pressure::uniform: {
      const double u = l + g > 0 ? l + g : 0;
      return {0.5 * u * u / pi, u * u * (2 * l - g) / (6 * pi)};
    }
    case Support::Pressure::hertz: {
      const double J0 = 0.5 * (l2 * angle + g * s), J1 = s * rest / 3;
      const double J2 = (l2 * l2 * angle + g * (2 * g * g - l2) * s) / 8;
      return {1.5 / pi * (J1 + g * J0), 1.5 / pi * (J2 + g * J1)};
    }
    case Support::Pressure::boussinesq: {
      const double J0 = angle, J1 = s, J2 = 0.5 * (l2 * angle - g * s);
      return {0.5 / pi * (J1 + g * J0), 0.5 / pi * (J2 + g * J1)};
    }
  }
  return {};
}

Value disc_load(double R, Support::Pressure pressure, const LimitCurve& curve,
                const CentreMotion& motion) {
  Answer answer(curve);
  const double speed = motion.slip.norm(), w = motion.omega * R;
  const Vec2 along = speed > 0 ? Vec2(motion.slip / speed) : Vec2::UnitX();
  Value sum;
  if (std::abs(w) <= speed) {
    const double x = w / speed;
    Breaks breaks(-pi / 2, pi / 2);
    breaks.add(0);
    for_each_bend(curve, [&](const Vec2& n) {
      // sin ψ = sin δ / x; the line lies in the disc if that is below 1.
      const double sine = cross(along, n), cosine = along.dot(n);
      if (cosine > 0 && std::abs(sine) < std::abs(x) * n.norm())
        breaks.add(std::asin(std::clamp(sine / (x * n.norm()), -1.0, 1.0)));
    });
    sum = breaks.integrate(
        answer,
        [&](double psi) -> Vec2 {
          return turned(along, cosine_of(x, std::cos(psi)), x * std::sin(psi));
        },
        [&](double psi, const Vec2& d, const Vec2& f) -> Value {
          const double cosine = std::cos(psi), cd = cosine_of(x, cosine);
          const auto [k0, k2] = chord(pressure, cosine);
          return cosine *
                 Value(k0 * f.x(), k0 * f.y(),
                       std::sin(psi) * k0 * cross(d, f) + (cd > 0 ? k2 * x / cd : 0) * d.dot(f));
        });
  } else {
    const double sign = w < 0 ? -1 : 1, e = speed / std::abs(w);
    const double rest = (1 - e) * (1 + e);
    Breaks breaks(-pi, pi);
    for (const double angle : {-pi / 2, 0.0, pi / 2}) breaks.add(angle);
    // Beside the rim the ray's length turns from short to long within a narrow angle.
    breaks.add_around(-pi / 2, std::sqrt(rest));
    breaks.add_around(pi / 2, std::sqrt(rest));
    for_each_bend(
        curve, [&](const Vec2& n) { breaks.add_angle(std::atan2(cross(along, n), along.dot(n))); });
    sum = breaks.integrate(
        answer,
        [&](double delta) -> Vec2 { return turned(along, std::cos(delta), std::sin(delta)); },
        [&](double delta, const Vec2& d, const Vec2& f) -> Value {
          const double g = e * std::cos(delta);
          const auto [I1, I2] = ray(pressure, g, rest + g * g, rest);
          return Value(I1 * f.x(), I1 * f.y(),
                       sign * (e * std::sin(delta) * I1 * cross(d, f) + I2 * d.dot(f)));
        });
  }
  sum *= answer.size();
  sum[2] *= R;
  return sum;
}

// At the angle φ of the ring, with the outward normal n, the slip is s + ωR Jn; of a tangential one
// the law sees it along (Jn, −n).
Value ring_load(double R, bool tangential, const LimitCurve& curve, const CentreMotion& motion) {
  Answer answer(curve);
  const Vec2 s = motion.slip;
  const double w = motion.omega * R;
  Breaks breaks(-pi, pi);
  // Where the ring passes the rotation centre nearest: n along −J s/ω … and opposite.
  const double nearest = std::atan2(s.x() * (w < 0 ? -1 : 1), -s.y() * (w < 0 ? -1 : 1));
  breaks.add_angle(nearest);
  breaks.add_angle(nearest + pi);
  for_each_bend(curve, [&](const Vec2& direction) {
    // n_k × slip = 0: A cos φ + B sin φ + C = 0.
    const Vec2 m = direction;
    double A, B, C;
    if (tangential) {
      A = -m.x() * s.x() - m.y() * s.y();
      B = -m.x() * s.y() + m.y() * s.x();
      C = -m.y() * w;
    } else {
      A = m.x() * w;
      B = m.y() * w;
      C = cross(m, s);
    }
    const double size = std::hypot(A, B);
    if (size == 0 || std::abs(C) > size) return;
    const double centre = std::atan2(B, A);
    // The angle whose cosine is −C/size, without loss near its ends.
    const double half = std::atan2(std::sqrt(std::max(0.0, (size - C) * (size + C))), -C);
    breaks.add_angle(centre + half);
    breaks.add_angle(centre - half);
  });
  Value sum = breaks.integrate(
      answer,
      [&](double phi) -> Vec2 {
        const Vec2 n(std::cos(phi), std::sin(phi)), t(-n.y(), n.x());
        // ω does not slip across the ring, rounding included: beside pure rotation that decides.
        return tangential ? Vec2(s.dot(t) + w, -s.dot(n)) : Vec2(s + w * t);
      },
      [&](double phi, const Vec2&, const Vec2& seen) -> Value {
        const Vec2 n(std::cos(phi), std::sin(phi)), t(-n.y(), n.x());
        const Vec2 f = tangential ? Vec2(seen.x() * t - seen.y() * n) : seen;
        return Value(f.x(), f.y(), cross(n, f)) / (2 * pi);
      });
  sum *= answer.size();
  sum[2] *= R;
  return sum;
}

Value round_load(const Support& support, const CentreMotion& motion) {
  const double R = support.radius, r = support.inner_radius;
  if (support.shape == Support::Shape::ring)
    return ring_load(R, support.tangential, support.curve, motion);
  if (r >= 0.9 * R) return thin_annulus_load(R, r, support.curve, motion);
  const Value whole = disc_load(R, support.pressure, support.curve, motion);
  if (support.shape == Support::Shape::disc) return whole;
  const Value hole = disc_load(r, support.pressure, support.curve, motion);
  return (R / (R - r)) * (R / (R + r)) * whole - (r / (R - r)) * (r / (R + r)) * hole;
}

}  // namespace

void add_round(const Support& support, const CentreMotion& motion, CentreLoad& sum) {
  if (is_isotropic(support.curve)) return add_round_isotropic(support, motion, sum);
  const Value load = round_load(support, motion);
  sum.force += load.head<2>().matrix();
  sum.moment += load[2];
  if (!sum.second) return;
  // Central differences in Q = (s, ωR), with a step that balances rounding, and what is known of
  // the derivative imposed on them: it is symmetric and takes Q to zero.
  const double R = support.radius;
  const Vec3 q(motion.slip.x(), motion.slip.y(), motion.omega * R), unit = q.normalized();
  const double step = 1e-5 * q.norm();
  Eigen::Matrix<double, 3, 2> across, change;
  across << unit.unitOrthogonal(), Vec3::Zero();
  across.col(1) = unit.cross(across.col(0));
  for (int c = 0; c < 2; ++c) {
    const Vec3 up = q + step * across.col(c), down = q - step * across.col(c);
    change.col(c) = (round_load(support, {up.head<2>(), up[2] / R}) -
                     round_load(support, {down.head<2>(), down[2] / R}))
                        .matrix() /
                    (2 * step);
  }
  change.row(2) /= R;
  const Eigen::Matrix2d hessian = across.transpose() * change;
  const Eigen::Vector3d units(1, 1, R);
  sum.hessian += units.asDiagonal() *
                 (across * (0.5 * (hessian + hessian.transpose())) * across.transpose()).eval() *
                 units.asDiagonal();
}

}  // namespace stiction
