// SPDX-License-Identifier: Apache-2.0
//
// Projections on sections and their cones in fifty digits, by brute force: an ellipsoid by
// bisection for its multiplier; a polytope as the nearest of the nearest points of all its
// simplices; a cone by bisection for its normal force, or as the nearest of all its simplicial
// cones.
#pragma once

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <vector>

#include "support/oracle.h"
#include "support/sections.h"

namespace stiction::testing {

using RealVector = std::vector<Real>;

template <class Vector>
RealVector exact_of(const Vector& v) {
  return RealVector(v.begin(), v.end());
}

inline Real dot(const RealVector& a, const RealVector& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

template <class Vector>
double distance(const RealVector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Real difference = a[k] - Real(b[static_cast<Eigen::Index>(k)]);
    sum += difference * difference;
  }
  return static_cast<double>(Real(sqrt(sum)));
}

// p_k = f_k a_k²/(a_k² + t) with Σ (p_k/a_k)² = 1.
inline RealVector exact_on_ellipsoid(const Ellipsoid& e, const RealVector& f) {
  const auto at = [&](const Real& t) {
    RealVector p(f.size());
    for (std::size_t k = 0; k < f.size(); ++k) {
      const Real square = Real(e.axes[k]) * Real(e.axes[k]);
      p[k] = e.axes[k] == 0 ? Real(0) : Real(f[k] * square / (square + t));
    }
    return p;
  };
  const auto level = [&](const Real& t) -> Real {
    const RealVector p = at(t);
    Real sum = -1;
    for (std::size_t k = 0; k < f.size(); ++k)
      if (e.axes[k] != 0) sum += (p[k] / e.axes[k]) * (p[k] / e.axes[k]);
    return sum;
  };
  if (level(0) <= 0) return at(0);
  return at(root_of_decreasing(level));
}

// Solves A x = b by elimination; false where it is singular.
inline bool solve(std::vector<RealVector> A, RealVector b, RealVector& x) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = i;
    for (std::size_t k = i; k < n; ++k)
      if (abs(A[k][i]) > abs(A[best][i])) best = k;
    if (abs(A[best][i]) <= slack() * abs(A[i][i] + 1)) return false;
    std::swap(A[i], A[best]);
    std::swap(b[i], b[best]);
    for (std::size_t k = i + 1; k < n; ++k) {
      const Real factor = A[k][i] / A[i][i];
      for (std::size_t j = i; j < n; ++j) A[k][j] -= factor * A[i][j];
      b[k] -= factor * b[i];
    }
  }
  x.assign(n, 0);
  for (std::size_t i = n; i-- > 0;) {
    Real sum = b[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= A[i][j] * x[j];
    x[i] = sum / A[i][i];
  }
  return true;
}

// The nearest point to x among Σ λ_i g_i, λ ≥ 0, over all sets of at most `most` of the g; with
// Σ λ_i = 1 if `hull`.  Every such point is of the polytope or cone, and the nearest is one of
// them.
inline RealVector exact_of_generators(const std::vector<RealVector>& g, const RealVector& x,
                                      std::size_t most, bool hull) {
  RealVector best(x.size(), 0);
  Real least = hull ? Real("1e1000") : dot(x, x);
  std::vector<std::size_t> chosen;
  const auto consider = [&] {
    const std::size_t n = chosen.size(), free = hull ? n - 1 : n;
    RealVector origin(x.size(), 0), to = x;
    if (hull) origin = g[chosen[0]];
    std::vector<RealVector> D(free);
    for (std::size_t i = 0; i < free; ++i) {
      D[i] = g[chosen[hull ? i + 1 : i]];
      for (std::size_t k = 0; k < x.size(); ++k) D[i][k] -= origin[k];
    }
    for (std::size_t k = 0; k < x.size(); ++k) to[k] -= origin[k];
    std::vector<RealVector> A(free, RealVector(free));
    RealVector b(free), lambda;
    for (std::size_t i = 0; i < free; ++i) {
      const Real scale = sqrt(dot(D[i], D[i]));
      if (scale == 0) return;
      for (Real& entry : D[i]) entry /= scale;
    }
    for (std::size_t i = 0; i < free; ++i) {
      for (std::size_t j = 0; j < free; ++j) A[i][j] = dot(D[i], D[j]);
      b[i] = dot(D[i], to);
    }
    if (!solve(A, b, lambda)) return;
    RealVector p = origin;
    for (std::size_t i = 0; i < free; ++i)
      for (std::size_t k = 0; k < x.size(); ++k) p[k] += lambda[i] * D[i][k];
    // λ in units of the generators, for their sum.
    Real sum = 0;
    for (std::size_t i = 0; i < free; ++i) {
      if (lambda[i] < 0) return;
      RealVector whole = g[chosen[hull ? i + 1 : i]];
      for (std::size_t k = 0; k < x.size(); ++k) whole[k] -= origin[k];
      sum += lambda[i] / sqrt(dot(whole, whole));
    }
    if (hull && sum > 1 + slack()) return;
    Real d = 0;
    for (std::size_t k = 0; k < x.size(); ++k) d += (p[k] - x[k]) * (p[k] - x[k]);
    if (d < least) {
      least = d;
      best = p;
    }
  };
  const auto choose = [&](const auto& self, std::size_t from) -> void {
    if (!chosen.empty()) consider();
    if (chosen.size() == most) return;
    for (std::size_t i = from; i < g.size(); ++i) {
      chosen.push_back(i);
      self(self, i + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  return best;
}

inline RealVector exact_projection(const Section& c, const RealVector& f) {
  switch (c.kind()) {
    case Section::Kind::none:
      return {};
    case Section::Kind::ellipsoid:
      return exact_on_ellipsoid(c.ellipsoid(), f);
    case Section::Kind::curve: {
      const P2 p = Oracle(*c.law()).project({f[0], f[1]});
      return {p.x, p.y};
    }
    case Section::Kind::product: {
      RealVector all;
      std::size_t from = 0;
      for (const Section& part : c.parts()) {
        const auto d = static_cast<std::size_t>(part.dimension());
        const auto begin = f.begin() + static_cast<std::ptrdiff_t>(from);
        for (Real& x :
             exact_projection(part, RealVector(begin, begin + static_cast<std::ptrdiff_t>(d))))
          all.push_back(x);
        from += d;
      }
      return all;
    }
    default: {
      std::vector<RealVector> vertices;
      for (const UpTo6& v : c.polytope().vertices()) vertices.push_back(exact_of(v));
      return exact_of_generators(vertices, f, f.size() + 1, true);
    }
  }
}

// (s, f) nearest to (x, y) with f ∈ sC: s − x − Σ P·(y − sP) vanishes, P the projection of y/s.
inline RealVector exact_on_cone(const Section& c, const RealVector& x) {
  if (c.kind() == Section::Kind::polytope) {
    std::vector<RealVector> rays;
    for (const UpTo6& v : c.polytope().vertices()) {
      rays.push_back({1});
      for (const double f : v) rays.back().push_back(-Real(f));
    }
    return exact_of_generators(rays, x, x.size(), false);
  }
  RealVector y(x.begin() + 1, x.end());
  for (Real& component : y) component = -component;
  const auto section_at = [&](const Real& s) {
    RealVector z = y;
    for (Real& component : z) component /= s;
    return exact_projection(c, z);
  };
  const auto gap = [&](const Real& s) -> Real {  // decreases
    const RealVector P = section_at(s);
    Real power = 0;
    for (std::size_t k = 0; k < y.size(); ++k) power += P[k] * (y[k] - s * P[k]);
    return x[0] + power - s;
  };
  // Between 1e-20 of the input, where the apex counts as reached, and x + h(y).
  static const Real least("1e-20");
  Real size = 0, high = abs(x[0]);
  for (const Real& component : x) size = std::max<Real>(size, abs(component));
  for (const Real& component : y) high += Real(c.reach()) * abs(component);
  RealVector r(x.size(), 0);
  if (gap(least * size) <= 0) return r;
  const auto narrow = [](const Real& a, const Real& b) { return b - a <= Real("1e-40") * b; };
  std::uintmax_t steps = 300;
  const auto [from, to] =
      boost::math::tools::toms748_solve(gap, Real(least * size), Real(2 * high), narrow, steps);
  const Real s = (from + to) / 2;
  const RealVector P = section_at(s);
  r[0] = s;
  for (std::size_t k = 0; k < y.size(); ++k) r[k + 1] = -s * P[k];
  return r;
}

}  // namespace stiction::testing
