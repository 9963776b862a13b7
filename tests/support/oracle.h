// SPDX-License-Identifier: Apache-2.0
//
// Limit curves and friction cones in fifty digits, by brute force and from the law's own numbers:
// an ellipse cut by half planes, its vertices found as all pairwise intersections, every nearest
// point found by comparing the distances of all candidates.  Shares no code with the library.
#pragma once

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <optional>
#include <vector>

#include "stiction/law.h"

namespace stiction::testing {

using Real = boost::multiprecision::cpp_bin_float_50;

struct P2 {
  Real x, y;
};
struct P3 {
  Real n, t1, t2;
};
inline P2 exact(const Vec2& v) { return {Real(v.x()), Real(v.y())}; }
inline P3 exact(const Vec3& v) { return {Real(v[0]), Real(v[1]), Real(v[2])}; }
inline Real dot(const P2& a, const P2& b) { return a.x * b.x + a.y * b.y; }
inline P2 operator*(const Real& s, const P2& a) { return {s * a.x, s * a.y}; }
inline P2 operator+(const P2& a, const P2& b) { return {a.x + b.x, a.y + b.y}; }
inline P2 operator-(const P2& a, const P2& b) { return {a.x - b.x, a.y - b.y}; }

class Oracle {
 public:
  explicit Oracle(const Law& law);

  Real support(const P2& v) const;
  Real gauge(const P2& f) const;  // only where no half plane passes through the origin
  Real reach(const P2& d) const;  // the longest multiple of the unit vector d in C
  P2 project(const P2& f) const;
  P3 project_on_cone(const P3& x) const;

 private:
  struct Half {
    P2 n;
    Real b;
  };
  bool feasible(const P2& f, const Real& s) const;  // in s times all half planes
  bool inside_ellipse(const P2& f, const Real& s) const;
  P2 to_axes(const P2& f) const { return {dot(axis_, f), axis_.x * f.y - axis_.y * f.x}; }
  P2 from_axes(const P2& f) const {
    return {axis_.x * f.x - axis_.y * f.y, axis_.y * f.x + axis_.x * f.y};
  }
  void find_vertices();

  bool round_ = false;
  Real a_ = 0, b_ = 0;
  P2 axis_{1, 0};
  std::vector<Half> halves_;
  std::vector<P2> vertices_;
};

// For a decreasing f of one sign change in (2^-1000, 2^1340): bisection for the binary exponent,
// then a bracketing method within the factor of two, to 45 digits.
template <class F>
Real root_of_decreasing(const F& f) {
  int low = -1000, high = 1340;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (f(ldexp(Real(1), middle)) > 0 ? low : high) = middle;
  }
  if (f(ldexp(Real(1), low)) <= 0) return ldexp(Real(1), low);
  static const Real close("1e-45");
  const auto narrow = [](const Real& a, const Real& b) { return b - a <= close * b; };
  std::uintmax_t steps = 200;
  const auto [from, to] = boost::math::tools::toms748_solve(
      f, Real(ldexp(Real(1), low)), Real(ldexp(Real(1), high)), narrow, steps);
  return (from + to) / 2;
}

// What two numbers may differ by and count as equal: far above the rounding of fifty digits, far
// below what a double can see.
inline const Real& slack() {
  static const Real value("1e-30");
  return value;
}

inline P2 direction_at(const Real& degrees) {
  const Real angle = degrees * boost::math::constants::pi<Real>() / 180;
  return {cos(angle), sin(angle)};
}

inline Oracle::Oracle(const Law& law) {
  using Curve = Law::Curve;
  const Real mu(law.mu);
  const P2 roll = direction_at(Real(law.angle_deg)), across{-roll.y, roll.x};
  const auto round = [&](const Real& a, const Real& b, const P2& axis) {
    round_ = true;
    a_ = a;
    b_ = b;
    axis_ = axis;
  };
  const auto cut = [&](const P2& n, const Real& b) { halves_.push_back({n, b}); };
  const auto regular = [&](int sides, const Real& apothem, const Real& first_deg) {
    for (int k = 0; k < sides; ++k) cut(direction_at(first_deg + Real(360 * k) / sides), apothem);
  };
  const auto cosine = [&](int sides) { return direction_at(Real(180) / sides).x; };
  switch (law.curve) {
    case Curve::disc:
      round(mu, mu, {1, 0});
      break;
    case Curve::ellipse:
      round(mu, Real(law.mu2), roll);
      break;
    case Curve::wheel:
    case Curve::rusty_wheel: {
      round(mu, mu, {1, 0});
      const Real b = law.curve == Curve::wheel ? Real(0) : Real(law.bearing);
      cut(roll, b);
      cut({-roll.x, -roll.y}, b);
      break;
    }
    case Curve::ratchet:
      round(mu, mu, {1, 0});
      cut(roll, 0);
      break;
    case Curve::ratchet_free:
      round(mu, mu, {1, 0});
      cut(across, 0);
      cut({-across.x, -across.y}, 0);
      cut(roll, 0);
      break;
    case Curve::free:
      for (const P2& n : {P2{1, 0}, P2{0, 1}, P2{-1, 0}, P2{0, -1}}) cut(n, 0);
      break;
    case Curve::pyramid:
      regular(4, mu * cosine(4), 45);
      break;
    case Curve::box:
      regular(4, mu, 0);
      break;
    case Curve::scaled_box:
      regular(4, mu * cosine(4), 0);
      break;
    case Curve::ngon:
      regular(law.sides, mu * cosine(law.sides), 0);
      break;
    case Curve::ngon_out:
      regular(law.sides, mu, 0);
      break;
    case Curve::polygon:
      // Each pair of points whose line leaves all the others on its left is a side.
      for (const Vec2& p : law.vertices)
        for (const Vec2& q : law.vertices) {
          const P2 e = exact(q) - exact(p), n{e.y, -e.x};
          const Real length = sqrt(dot(n, n));
          if (length == 0) continue;
          bool side = true;
          for (const Vec2& r : law.vertices) side = side && dot(n, exact(r) - exact(p)) <= 0;
          if (side) cut((1 / length) * n, dot(n, exact(p)) / length);
        }
      break;
  }
  find_vertices();
}

inline bool Oracle::feasible(const P2& f, const Real& s) const {
  const Real size = abs(f.x) + abs(f.y), scale = abs(s);
  return std::all_of(halves_.begin(), halves_.end(), [&](const Half& half) {
    const Real over = dot(half.n, f) - half.b * s;
    return over <= 0 || over <= slack() * (size + half.b * scale);
  });
}

inline bool Oracle::inside_ellipse(const P2& f, const Real& s) const {
  if (!round_) return true;
  const P2 w = to_axes(f);
  return s >= 0 && sqrt(w.x * w.x / (a_ * a_) + w.y * w.y / (b_ * b_)) <= s * (1 + slack());
}

inline void Oracle::find_vertices() {
  const auto keep = [&](const P2& f) {
    if (feasible(f, 1) && inside_ellipse(f, 1)) vertices_.push_back(f);
  };
  for (std::size_t i = 0; i < halves_.size(); ++i) {
    const auto& [n, b] = halves_[i];
    if (round_) {
      const P2 w = to_axes(n);
      const P2 m{a_ * w.x, b_ * w.y};
      const Real length = sqrt(dot(m, m)), c = b / length;
      if (c <= 1) {
        const P2 e = (1 / length) * m, l{-e.y, e.x};
        for (const int sign : {-1, 1}) {
          const P2 g = c * e + (sign * sqrt((1 - c) * (1 + c))) * l;
          keep(from_axes({a_ * g.x, b_ * g.y}));
        }
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [m, d] = halves_[j];
      const Real det = n.x * m.y - n.y * m.x;
      if (abs(det) < slack()) continue;
      keep({(b * m.y - d * n.y) / det, (n.x * d - m.x * b) / det});
    }
  }
}

inline Real Oracle::support(const P2& v) const {
  Real h = 0;
  if (round_) {
    const P2 w = to_axes(v);
    const Real he = sqrt(a_ * a_ * w.x * w.x + b_ * b_ * w.y * w.y);
    if (he > 0) {
      const P2 f = from_axes({a_ * a_ * w.x / he, b_ * b_ * w.y / he});
      if (feasible(f, 1)) return he;
    }
  }
  for (const P2& f : vertices_) h = std::max<Real>(h, dot(f, v));
  return h;
}

inline Real Oracle::gauge(const P2& f) const {
  Real t = 0;
  if (round_) {
    const P2 w = to_axes(f);
    t = sqrt(w.x * w.x / (a_ * a_) + w.y * w.y / (b_ * b_));
  }
  for (const Half& half : halves_) t = std::max<Real>(t, dot(half.n, f) / half.b);
  return t;
}

inline Real Oracle::reach(const P2& d) const {
  Real t("1e300");
  if (round_) {
    const P2 w = to_axes(d);
    t = 1 / sqrt(w.x * w.x / (a_ * a_) + w.y * w.y / (b_ * b_));
  }
  for (const Half& half : halves_)
    if (dot(half.n, d) > slack()) t = std::min<Real>(t, half.b / dot(half.n, d));
  return t;
}

inline P2 Oracle::project(const P2& f) const {
  if (feasible(f, 1) && inside_ellipse(f, 1)) return f;
  std::optional<P2> best;
  Real least = 0;
  const auto consider = [&](const P2& p) {
    const Real d = dot(p - f, p - f);
    if (!best || d < least) {
      best = p;
      least = d;
    }
  };
  if (round_ && !inside_ellipse(f, 1)) {
    const P2 w = to_axes(f);
    const auto at = [&](const Real& t) {
      return P2{w.x * a_ * a_ / (a_ * a_ + t), w.y * b_ * b_ / (b_ * b_ + t)};
    };
    const Real t = root_of_decreasing([&](const Real& candidate) -> Real {
      const P2 p = at(candidate);
      return p.x * p.x / (a_ * a_) + p.y * p.y / (b_ * b_) - 1;
    });
    const P2 p = from_axes(at(t));
    if (feasible(p, 1)) consider(p);
  }
  for (const Half& half : halves_) {
    const P2 p = f - (dot(half.n, f) - half.b) * half.n;
    if (feasible(p, 1) && inside_ellipse(p, 1)) consider(p);
  }
  for (const P2& p : vertices_) consider(p);
  return *best;
}

inline P3 Oracle::project_on_cone(const P3& x) const {
  const P2 y{-x.t1, -x.t2};
  const auto reaction = [](const Real& s, const P2& f) { return P3{s, -f.x, -f.y}; };
  if (x.n >= 0 && feasible(y, x.n) && inside_ellipse(y, x.n)) return x;
  P3 best{0, 0, 0};
  Real least = x.n * x.n + dot(y, y);
  const auto consider = [&](const Real& s, const P2& f) {
    if (s < 0) return;
    const Real d = (s - x.n) * (s - x.n) + dot(f - y, f - y);
    if (d < least) {
      best = reaction(s, f);
      least = d;
    }
  };
  if (round_) {
    // s(1 − λ) = x_n with f_i = y_i a_i²/(a_i² + λ), s = ‖f_i/a_i‖; the left side decreases in λ.
    const P2 w = to_axes(y);
    const auto at = [&](const Real& t) {
      return P2{w.x * a_ * a_ / (a_ * a_ + t), w.y * b_ * b_ / (b_ * b_ + t)};
    };
    const auto level = [&](const P2& p) {
      return sqrt(p.x * p.x / (a_ * a_) + p.y * p.y / (b_ * b_));
    };
    const auto gap = [&](const Real& t) -> Real { return level(at(t)) * (1 - t) - x.n; };
    static const Real least_root("1e-300"), greatest_root("1e400");
    if (gap(least_root) > 0 && gap(greatest_root) < 0) {
      const P2 p = at(root_of_decreasing(gap));
      if (feasible(from_axes(p), level(p))) consider(level(p), from_axes(p));
    }
  }
  for (const Half& half : halves_) {
    const Real over = (dot(half.n, y) - half.b * x.n) / (1 + half.b * half.b);
    const Real s = x.n + half.b * over;
    const P2 f = y - over * half.n;
    if (s >= 0 && feasible(f, s) && inside_ellipse(f, s)) consider(s, f);
  }
  for (const P2& p : vertices_) {
    const Real s = (x.n + dot(p, y)) / (1 + dot(p, p));
    consider(s, s * p);
  }
  if (!round_ && vertices_.empty()) consider(x.n, {0, 0});
  return best;
}

}  // namespace stiction::testing
