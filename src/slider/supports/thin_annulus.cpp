// SPDX-License-Identifier: Apache-2.0
//
// A thin annulus under any law, where whole disc less hole would cancel.
//
// As in round.cpp the integral is over lines or rays through the rotation centre, here with the
// parts of the line that are in the annulus.  With lengths over the outer radius, the hole's radius
// r, k = 1 − r², the line's distance h from the centre, and half chords ℓ = √(1 − h²) and
// λ = √(r² − h²):
//
//   ℓ − λ = k/(ℓ + λ)
//
// and likewise for all powers, so that nothing cancels when they are divided by k, the area over π.
#include "slider/supports/round.h"

namespace stiction {

namespace {

using std::numbers::pi;

// Rotation centre on the outer rim or beyond: lines at the distance y, sin δ = x y.
Value from_outside(double r, double k, double x, const Vec2& along, Answer& answer,
                   const LimitCurve& curve) {
  const double root = std::sqrt(k);
  const auto slip_of = [&](double y, double c) -> Vec2 {  // c = √(1 − y²)
    return turned(along, cosine_of(x, c), x * y);
  };
  // A chord's share k0 and ∫ t² over it, k2.
  const auto value = [&](double y, double c, double k0, double k2, const Vec2& d,
                         const Vec2& f) -> Value {
    const double cd = cosine_of(x, c);
    return Value(k0 * f.x(), k0 * f.y(),
                 y * k0 * cross(d, f) + (cd > 0 ? k2 * x / cd : 0) * d.dot(f));
  };
  // Through the hole: y = r sin θ.
  Breaks across(-pi / 2, pi / 2);
  across.add(0);
  across.add_around(-pi / 2, root);
  across.add_around(pi / 2, root);
  // Beside it: y = ±√(1 − c²), c = √k s.
  Breaks left(0, 1), right(0, 1);
  for_each_bend(curve, [&](const Vec2& n) {
    const double sine = cross(along, n), cosine = along.dot(n);
    if (!(cosine > 0 && std::abs(sine) < std::abs(x) * n.norm())) return;
    const double y = sine / (x * n.norm());
    if (std::abs(y) < r) return across.add(std::asin(y / r));
    (y > 0 ? right : left).add(std::sqrt((1 - std::abs(y)) * (1 + std::abs(y))) / root);
  });
  const auto chord_at = [&](double theta) {
    const double inner = r * std::cos(theta);
    return std::pair(inner, std::sqrt(k + inner * inner));
  };
  Value sum = across.integrate(
      answer, [&](double theta) { return slip_of(r * std::sin(theta), chord_at(theta).second); },
      [&](double theta, const Vec2& d, const Vec2& f) -> Value {
        const auto [inner, outer] = chord_at(theta);
        const double k0 = 2 / pi * inner / (outer + inner);
        const double k2 = k0 / 3 * (outer * outer + outer * inner + inner * inner);
        return value(r * std::sin(theta), outer, k0, k2, d, f);
      });
  for (const double side : {-1.0, 1.0})
    sum += (side > 0 ? right : left)
               .integrate(
                   answer,
                   [&](double s) { return slip_of(side * std::sqrt(1 - k * s * s), root * s); },
                   [&](double s, const Vec2& d, const Vec2& f) -> Value {
                     const double c = root * s, y = std::sqrt(1 - c * c);
                     const double k0 = 2 / pi * c * s / y;
                     return value(side * y, c, k0, k0 * c * c / 3, d, f);
                   });
  return sum;
}

// Rotation centre at e < 1 from the middle: rays at the angle δ, g = e cos δ.
Value from_inside(double r, double k, double e, double sign, const Vec2& along, Answer& answer,
                  const LimitCurve& curve) {
  const double rest = (1 - e) * (1 + e), gap = (r - e) * (r + e);
  Breaks breaks(-pi, pi);
  breaks.add(0);
  for (const double angle : {-pi / 2, pi / 2}) {
    breaks.add(angle);
    breaks.add_around(angle, std::sqrt(rest));
    breaks.add_around(angle, std::sqrt(std::abs(gap)));
  }
  if (gap < 0) {  // rays that touch the hole
    const double touch = std::atan2(r, std::sqrt(-gap));
    breaks.add(touch);
    breaks.add(-touch);
  }
  for_each_bend(
      curve, [&](const Vec2& n) { breaks.add_angle(std::atan2(cross(along, n), along.dot(n))); });
  return breaks.integrate(
      answer, [&](double delta) { return turned(along, std::cos(delta), std::sin(delta)); },
      [&](double delta, const Vec2& d, const Vec2& f) -> Value {
        const double g = e * std::cos(delta), l = std::sqrt(rest + g * g);
        const double to_rim = g < 0 ? rest / (l - g) : l + g;
        const double square = gap + g * g;  // λ²
        double I1, I2;                      // ∫ u, ∫ τ u over the ray, over k
        if (gap < 0 && !(g > 0 && square > 0)) {
          I1 = to_rim / k * to_rim / 2;
          I2 = I1 * (2 * l - g) / 3;
        } else {
          // From the hole to the rim, and before the hole where the centre is not in it.
          const double inner = std::sqrt(square);
          const double to_hole = gap >= 0 && g < 0 ? gap / (inner - g) : inner + g;
          I1 = 0.5 * (to_rim + to_hole) / (l + inner);
          I2 = (l * l + l * inner + inner * inner) / (3 * (l + inner)) + 0.5 * g;
          if (gap < 0) {
            const double before = -gap / (g + inner), part = before / k * before;
            I1 += 0.5 * part;
            I2 += part * (before / 3 - 0.5 * g);
          }
        }
        return Value(I1 * f.x(), I1 * f.y(),
                     sign * (e * std::sin(delta) * I1 * cross(d, f) + I2 * d.dot(f))) /
               pi;
      });
}

}  // namespace

Value thin_annulus_load(double R, double r, const LimitCurve& curve, const CentreMotion& motion) {
  Answer answer(curve);
  const double speed = motion.slip.norm(), w = motion.omega * R;
  const Vec2 along = speed > 0 ? Vec2(motion.slip / speed) : Vec2::UnitX();
  const double k = (R - r) / R * ((R + r) / R);
  Value sum = std::abs(w) <= speed ? from_outside(r / R, k, w / speed, along, answer, curve)
                                   : from_inside(r / R, k, speed / std::abs(w), w < 0 ? -1 : 1,
                                                 along, answer, curve);
  sum *= answer.size();
  sum[2] *= R;
  return sum;
}

}  // namespace stiction
