// SPDX-License-Identifier: Apache-2.0
//
// Loads of any law on any support in 80 digits, in polar coordinates about the rotation centre c.
// On the ray at the angle θ from c, along e, every slip is along d = ±(−sin θ, cos θ), and so there
// is one force f(d):
//
//   F = ∫ f A dθ,   M = ∫ (c×f A + e×f B) dθ,   A = ∫ p r dr,   B = ∫ p r² dr
//
// Lines (ring and segment) are integrated along themselves.  The integrals are broken wherever the
// integrand is not smooth, and each part is done by the tanh–sinh rule, twice: with every node and
// with every other one, which shows the error.
#pragma once

#include <algorithm>
#include <functional>

#include "slider/exact_area.h"

namespace stiction::testing {

struct ExactVec {
  Exact x = 0, y = 0;

  friend ExactVec operator+(const ExactVec& a, const ExactVec& b) { return {a.x + b.x, a.y + b.y}; }
  friend ExactVec operator-(const ExactVec& a, const ExactVec& b) { return {a.x - b.x, a.y - b.y}; }
  friend ExactVec operator*(const Exact& s, const ExactVec& a) { return {s * a.x, s * a.y}; }
};
inline ExactVec exact(const Vec2& v) { return {Exact(v.x()), Exact(v.y())}; }
inline Exact dot(const ExactVec& a, const ExactVec& b) { return a.x * b.x + a.y * b.y; }
inline Exact cross(const ExactVec& a, const ExactVec& b) { return a.x * b.y - a.y * b.x; }
inline Exact norm(const ExactVec& a) { return sqrt(dot(a, a)); }
inline ExactVec left(const ExactVec& a) { return {-a.y, a.x}; }
inline ExactVec unit(const Exact& angle) { return {cos(angle), sin(angle)}; }

struct ExactLaw {
  const char* name;
  LimitCurve curve;
  std::function<ExactVec(const ExactVec&)> force;  // of a slip of any length
  std::vector<ExactVec> bends;                     // slips at which it is not smooth
};

inline std::vector<ExactLaw> exact_laws() {
  const auto sign = [](const Exact& x) { return Exact(x < 0 ? -1 : x > 0 ? 1 : 0); };
  std::vector<ExactLaw> laws;
  laws.push_back(
      {"disc", disc(0.7), [](const ExactVec& v) { return Exact(0.7) / norm(v) * v; }, {}});
  for (const double thin : {0.3, 0.01}) {
    const ExactVec a = unit(Exact(0.4)), b = left(a);
    laws.push_back({"ellipse",
                    ellipse(0.9, thin, 0.4),
                    [=](const ExactVec& v) {
                      const Exact p = Exact(0.9) * dot(a, v), q = Exact(thin) * dot(b, v);
                      const Exact h = sqrt(p * p + q * q);
                      return Exact(0.9) * p / h * a + Exact(thin) * q / h * b;
                    },
                    {a, b, Exact(-1) * a, Exact(-1) * b}});
  }
  {
    const ExactVec roll = unit(Exact(0.3)), axle = left(roll);
    laws.push_back({"wheel",
                    wheel(0.8, 0.3),
                    [=](const ExactVec& v) { return Exact(0.8) * sign(dot(axle, v)) * axle; },
                    {roll, Exact(-1) * roll}});
  }
  {
    // Where the disc's own force is beyond the bearing, the corner of disc and strip.
    const ExactVec roll = unit(Exact(-0.5)), axle = left(roll);
    const Exact mu = 0.8, b = 0.2, rest = sqrt(mu * mu - b * b);
    ExactLaw law{"rusty wheel",
                 rusty_wheel(0.8, 0.2, -0.5),
                 [=](const ExactVec& v) {
                   const ExactVec f = mu / norm(v) * v;
                   if (abs(dot(f, roll)) <= b) return f;
                   return b * sign(dot(v, roll)) * roll + rest * sign(dot(v, axle)) * axle;
                 },
                 {roll, Exact(-1) * roll}};
    for (const int p : {-1, 1})
      for (const int q : {-1, 1}) law.bends.push_back(p * b * roll + q * rest * axle);
    laws.push_back(law);
  }
  {
    const ExactVec roll = unit(Exact(1.2)), axle = left(roll);
    laws.push_back({"ratchet",
                    ratchet(0.6, 1.2),
                    [=](const ExactVec& v) {
                      if (dot(v, roll) <= 0) return Exact(0.6) / norm(v) * v;
                      return Exact(0.6) * sign(dot(v, axle)) * axle;
                    },
                    {roll, axle, Exact(-1) * axle}});
  }
  {
    const ExactVec roll = unit(Exact(2)), axle = left(roll);
    laws.push_back(
        {"free ratchet",
         ratchet_free(0.5, 2.0),
         [=](const ExactVec& v) { return dot(v, roll) < 0 ? Exact(-0.5) * roll : ExactVec{}; },
         {axle, Exact(-1) * axle}});
  }
  {
    const std::vector<Vec2> corners{{1, 0}, {0, 0.5}, {-0.2, -0.4}, {0.3, -0.6}};
    ExactLaw law{"polygon",
                 polygon(corners),
                 [=](const ExactVec& v) {
                   return exact(*std::max_element(corners.begin(), corners.end(),
                                                  [&](const Vec2& a, const Vec2& b) {
                                                    return dot(exact(a), v) < dot(exact(b), v);
                                                  }));
                 },
                 {}};
    for (std::size_t i = 0; i < corners.size(); ++i)
      law.bends.push_back(Exact(-1) *
                          left(exact(corners[(i + 1) % corners.size()]) - exact(corners[i])));
    laws.push_back(law);
  }
  return laws;
}

struct ExactResult {
  ExactLoad load{0, 0, 0};
  double error = 0;  // of the quadrature, as far as it shows
};

// ∫ f over [low, high] broken at the given places.
inline ExactResult exact_integral(const Exact& low, const Exact& high, std::vector<Exact> breaks,
                                  const std::function<ExactLoad(const Exact&)>& f) {
  struct Node {
    Exact x, weight;  // on [0, 1], from the nearer end
    bool coarse;
  };
  static const std::vector<Node> nodes = [] {
    std::vector<Node> list;
    const Exact h = Exact(1) / 16, pi = boost::math::constants::pi<Exact>();
    for (int k = 0; k <= 70; ++k) {
      const Exact t = h * k, s = pi / 2 * sinh(t), c = cosh(s);
      list.push_back({exp(-s) / (2 * c), h * pi / 4 * cosh(t) / (c * c), k % 2 == 0});
    }
    return list;
  }();
  breaks.push_back(low);
  breaks.push_back(high);
  std::sort(breaks.begin(), breaks.end());
  ExactLoad fine{0, 0, 0}, coarse{0, 0, 0};
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const Exact a = breaks[i], b = breaks[i + 1];
    if (a < low || b > high || b - a < Exact("1e-60")) continue;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (const bool mirrored : {false, true}) {
        if (mirrored && k == 0) continue;
        const Exact at = mirrored ? b - (b - a) * nodes[k].x : a + (b - a) * nodes[k].x;
        const ExactLoad value = f(at);
        for (std::size_t c = 0; c < 3; ++c) {
          const Exact part = (b - a) * nodes[k].weight * value[c];
          fine[c] += part;
          if (nodes[k].coarse) coarse[c] += 2 * part;
        }
      }
  }
  Exact error = 0;
  for (std::size_t c = 0; c < 3; ++c) error = std::max(error, Exact(abs(fine[c] - coarse[c])));
  // The rule doubles its digits when its nodes double.
  return {fine, static_cast<double>(error * error)};
}

// Round supports are about the origin.
class ExactSlider {
 public:
  ExactSlider(const Support& support, const ExactLaw& law) : support_(support), law_(law) {}

  // Of Q = (v, ω) with ω ≠ 0.
  ExactResult load(const Motion& q) const {
    const Exact w = q.omega;
    const ExactVec v{Exact(q.vx), Exact(q.vy)}, c{-v.y / w, v.x / w};
    switch (support_.shape) {
      case Support::Shape::ring:
        return ring(v, w, c);
      case Support::Shape::segment:
        return segment(v, w);
      default:
        return rays(w, c);
    }
  }

 private:
  struct Part {
    Exact A = 0, B = 0;
  };

  ExactResult rays(const Exact& w, const ExactVec& c) const {
    const Exact pi = boost::math::constants::pi<Exact>(), D = norm(c);
    const Exact inwards = D > 0 ? Exact(atan2(-c.y, -c.x)) : Exact(0);
    const bool round = support_.shape != Support::Shape::polygon;
    const Exact R = support_.radius;
    const bool outside = round && D >= R;
    const Exact half = outside ? Exact(asin(R / D)) : pi;
    std::vector<Exact> breaks{inwards};
    const auto add = [&](const Exact& angle) {
      for (int turn = -2; turn <= 2; ++turn) breaks.push_back(angle + turn * 2 * pi);
    };
    add(inwards + pi / 2);
    add(inwards - pi / 2);
    if (const Exact r = support_.inner_radius; r > 0 && D > r) {
      add(inwards + asin(r / D));
      add(inwards - asin(r / D));
    }
    for (const Vec2& vertex : support_.vertices)
      if (const ExactVec to = exact(vertex) - c; norm(to) > 0) add(atan2(to.y, to.x));
    // The slip is ±left(e).
    const Exact sign = w < 0 ? -1 : 1;
    for (const ExactVec& bend : law_.bends) add(atan2(-sign * bend.x, sign * bend.y));
    return exact_integral(
        inwards - half, inwards + half, breaks, [&](const Exact& angle) -> ExactLoad {
          const ExactVec e = unit(angle), f = law_.force(sign * left(e));
          const Part part = round ? round_part(c, e) : polygon_part(c, e);
          return {f.x * part.A, f.y * part.A, cross(c, f) * part.A + cross(e, f) * part.B};
        });
  }

  // τ along the ray from the foot of the centre; the distance from c is r = τ − g.
  Part round_part(const ExactVec& c, const ExactVec& e) const {
    const Exact R = support_.radius, r = support_.inner_radius, b = cross(c, e), g = dot(c, e);
    const Part whole = disc_part(R, b, g);
    if (!(r > 0)) return whole;
    const Part hole = disc_part(r, b, g);
    const Exact share = 1 / ((R - r) * (R + r));
    return {share * (R * R * whole.A - r * r * hole.A), share * (R * R * whole.B - r * r * hole.B)};
  }
  Part disc_part(const Exact& R, const Exact& b, const Exact& g) const {
    if (abs(b) >= R) return {};
    const Exact pi = boost::math::constants::pi<Exact>(), l2 = (R - b) * (R + b), l = sqrt(l2);
    const Exact from = std::max(g, Exact(-l)), to = l;
    if (!(to > from)) return {};
    // Antiderivatives of p, pτ and pτ².
    const auto powers = [&](const Exact& tau) -> std::array<Exact, 3> {
      const Exact w = sqrt(std::max(Exact(l2 - tau * tau), Exact(0)));
      switch (support_.pressure) {
        case Support::Pressure::uniform: {
          const Exact p = 1 / (pi * R * R);
          return {p * tau, p * tau * tau / 2, p * tau * tau * tau / 3};
        }
        case Support::Pressure::hertz: {
          const Exact p = 3 / (2 * pi * R * R * R), W0 = (tau * w + l2 * asin(tau / l)) / 2;
          return {p * W0, -p * w * w * w / 3, p * (-tau * w * w * w + l2 * W0) / 4};
        }
        case Support::Pressure::boussinesq: {
          const Exact p = 1 / (2 * pi * R), angle = asin(tau / l);
          return {p * angle, -p * w, p * (l2 * angle - tau * w) / 2};
        }
      }
      return {};
    };
    const auto high = powers(to), low = powers(from);
    const Exact m0 = high[0] - low[0], m1 = high[1] - low[1], m2 = high[2] - low[2];
    return {m1 - g * m0, m2 - 2 * g * m1 + g * g * m0};
  }

  // Convex, counter-clockwise.
  Part polygon_part(const ExactVec& c, const ExactVec& e) const {
    const auto& v = support_.vertices;
    Exact from = 0, to = Exact("1e30"), area = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const ExactVec a = exact(v[i]), edge = exact(v[(i + 1) % v.size()]) - a;
      area += cross(a, a + edge) / 2;
      const Exact depth = cross(edge, c - a), slope = cross(edge, e);  // depth + r slope ≥ 0
      if (slope > 0) from = std::max(from, Exact(-depth / slope));
      if (slope < 0) to = std::min(to, Exact(-depth / slope));
      if (slope == 0 && depth < 0) return {};
    }
    if (!(to > from)) return {};
    return {(to * to - from * from) / (2 * area), (to * to * to - from * from * from) / (3 * area)};
  }

  ExactResult ring(const ExactVec& v, const Exact& w, const ExactVec& c) const {
    const Exact pi = boost::math::constants::pi<Exact>(), R = support_.radius;
    std::vector<Exact> breaks;
    const auto add = [&](const Exact& angle) {
      for (int turn = -2; turn <= 2; ++turn) breaks.push_back(angle + turn * 2 * pi);
    };
    if (norm(c) > 0) {
      add(atan2(c.y, c.x));
      add(atan2(-c.y, -c.x));
    }
    for (const ExactVec& bend : law_.bends) {
      // Not tangential: where the line through c across the bend cuts the circle.  Tangential: the
      // bend (m_x, m_y) is along m_x t − m_y n, and cross(that, v + wRt) = 0 is linear in n.
      Exact A, B, C;  // A cos φ + B sin φ = C
      if (support_.tangential) {
        A = -bend.x * v.x - bend.y * v.y;
        B = bend.y * v.x - bend.x * v.y;
        C = bend.y * w * R;
      } else {
        A = bend.x, B = bend.y, C = dot(bend, c) / R;
      }
      const Exact size = sqrt(A * A + B * B);
      if (size == 0) continue;
      const Exact middle = atan2(B, A);
      add(middle);  // where it comes near without meeting
      add(middle + pi);
      if (abs(C) > size) continue;
      const Exact half = acos(C / size);
      add(middle + half);
      add(middle - half);
    }
    return exact_integral(-pi, pi, breaks, [&](const Exact& phi) -> ExactLoad {
      const ExactVec n = unit(phi), t = left(n), slip = v + w * R * t;
      ExactVec f;
      if (support_.tangential) {
        const ExactVec seen = law_.force({dot(slip, t), -dot(slip, n)});
        f = seen.x * t - seen.y * n;
      } else {
        f = law_.force(slip);
      }
      return {f.x / (2 * pi), f.y / (2 * pi), R * cross(n, f) / (2 * pi)};
    });
  }

  ExactResult segment(const ExactVec& v, const Exact& w) const {
    const ExactVec a = exact(support_.at), edge = exact(support_.to) - a;
    const ExactVec start = v + w * left(a), change = w * left(edge);  // slip = start + s change
    std::vector<Exact> breaks{-dot(start, change) / dot(change, change)};
    for (const ExactVec& bend : law_.bends)
      if (const Exact slope = cross(bend, change); slope != 0)
        breaks.push_back(-cross(bend, start) / slope);
    return exact_integral(Exact(0), Exact(1), breaks, [&](const Exact& s) -> ExactLoad {
      const ExactVec place = a + s * edge, f = law_.force(start + s * change);
      return {f.x, f.y, cross(place, f)};
    });
  }

  const Support& support_;
  const ExactLaw& law_;
};

}  // namespace stiction::testing
