// SPDX-License-Identifier: Apache-2.0
//
// The least and the greatest of g(w) = h(w/a) over unit vectors w.  Of a product of sections C_j
// with g_j from t_j to T_j it is Σ g_j ‖w_j‖, which is at least min t_j ‖w‖ and at most √(Σ T_j²),
// for ‖w_j‖ in proportion to T_j.
#include "stiction/section_quality.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

// Slips are tried every 1/grid of a quarter turn.  The best are polished, no two of them closer
// than `apart`, by steps in `ways` directions that end at `least_step`.
constexpr int grid = 24, most_polished = 24, ways = 8;
constexpr double apart = 0.2, least_step = 1e-15;   // [rad]
constexpr double golden_angle = 2.399963229728653;  // so that no direction comes twice

struct Extreme {
  double value = 0;
  UpTo6 at;  // a slip, with ‖(a_k v_k)‖ = 1
};
struct Extremes {
  Extreme least, greatest;
  bool exact = true;
};

// The axes along which a section carries anything.
std::vector<Eigen::Index> used(const UpTo6& axes) {
  std::vector<Eigen::Index> list;
  for (Eigen::Index k = 0; k < axes.size(); ++k)
    if (axes[k] > 0) list.push_back(k);
  return list;
}

UpTo6 over_axes(const UpTo6& f, const UpTo6& axes) {
  UpTo6 scaled = UpTo6::Zero(f.size());
  for (const Eigen::Index k : used(axes)) scaled[k] = f[k] / axes[k];
  return scaled;
}

UpTo6 extents(const Section& c) {
  UpTo6 axes(c.dimension());
  for (int k = 0; k < c.dimension(); ++k) {
    const UpTo6 e = UpTo6::Unit(c.dimension(), k);
    axes[k] = std::max(c.support(e), c.support(-e));
    if (axes[k] <= rounding * c.reach()) axes[k] = 0;
  }
  return axes;
}

// Unit vectors of one to three of the axes.
std::vector<UpTo6> directions(const UpTo6& axes) {
  const auto list = used(axes);
  std::vector<UpTo6> all;
  const auto add = [&](double x, double y, double z) {
    UpTo6 w = UpTo6::Zero(axes.size());
    const double components[] = {x, y, z};
    for (std::size_t i = 0; i < list.size(); ++i) w[list[i]] = components[i];
    all.push_back(w);
  };
  if (list.size() == 1) {
    add(1, 0, 0);
    add(-1, 0, 0);
    return all;
  }
  const double step = std::numbers::pi / (2 * grid);
  const int rows = list.size() == 2 ? 0 : grid;
  for (int j = -rows; j <= rows; ++j)
    for (int i = 0; i < (std::abs(j) == grid ? 1 : 4 * grid); ++i) {
      const double r = std::cos(j * step);
      add(r * std::cos(i * step), r * std::sin(i * step), std::sin(j * step));
    }
  return all;
}

// To where no step is better.
template <class Better>
void polish(Extreme& best, UpTo6& w, const UpTo6& axes, const Section& c, const Better& better) {
  const auto list = used(axes);
  double turn = 0;
  for (double step = std::numbers::pi / (2 * grid); step > least_step;) {
    bool moved = false;
    for (int i = 0; i < ways && !moved; ++i) {
      turn += golden_angle;
      // Two directions across w: from fixed ones, turned.
      UpTo6 d = UpTo6::Zero(axes.size());
      const double along[] = {std::cos(turn), std::sin(turn), std::cos(turn * golden_angle)};
      for (std::size_t k = 0; k < list.size(); ++k) d[list[k]] = along[k];
      d -= w * w.dot(d);
      if (d.isZero(0)) continue;
      const UpTo6 next = (w + step / d.norm() * d).normalized();
      const double value = c.support(over_axes(next, axes));
      if (!better(value, best.value)) continue;
      best = {value, over_axes(next, axes)};
      w = next;
      moved = true;
    }
    if (!moved) step /= 2;
  }
}

template <class Better>
Extreme search(const Section& c, const UpTo6& axes, const Better& better) {
  std::vector<std::pair<double, UpTo6>> tried;
  for (const UpTo6& w : directions(axes)) tried.emplace_back(c.support(over_axes(w, axes)), w);
  std::stable_sort(tried.begin(), tried.end(),
                   [&](const auto& a, const auto& b) { return better(a.first, b.first); });
  std::vector<UpTo6> starts;
  Extreme best{tried[0].first, over_axes(tried[0].second, axes)};
  for (const auto& [value, w] : tried) {
    if (starts.size() == most_polished) break;
    if (std::any_of(starts.begin(), starts.end(),
                    [&](const UpTo6& other) { return (other - w).norm() < apart; }))
      continue;
    starts.push_back(w);
    Extreme found{value, over_axes(w, axes)};
    UpTo6 at = w;
    if (used(axes).size() > 1) polish(found, at, axes, c, better);
    if (better(found.value, best.value)) best = found;
  }
  return best;
}

Extremes extremes(const Section& c, const UpTo6& axes);

Extremes of_product(const Section& c, const UpTo6& axes) {
  Extremes all{.least = {infinity, UpTo6::Zero(axes.size())},
               .greatest = {0, UpTo6::Zero(axes.size())}};
  Eigen::Index from = 0;
  for (const Section& part : c.parts()) {
    const Eigen::Index d = part.dimension();
    const UpTo6 some = axes.segment(from, d);
    if (d > 0 && some.maxCoeff() > 0) {
      const Extremes one = extremes(part, some);
      all.exact = all.exact && one.exact;
      if (one.least.value < all.least.value) {
        all.least = {one.least.value, UpTo6::Zero(axes.size())};
        all.least.at.segment(from, d) = one.least.at;
      }
      all.greatest.value = std::hypot(all.greatest.value, one.greatest.value);
      all.greatest.at.segment(from, d) = one.greatest.value * one.greatest.at;
    }
    from += d;
  }
  all.greatest.at /= all.greatest.value;
  return all;
}

// Its least is at a facet, its greatest at a vertex.
Extremes of_polytope(const Section& c, const UpTo6& axes) {
  Extremes all{.least = {infinity, UpTo6::Zero(axes.size())},
               .greatest = {0, UpTo6::Zero(axes.size())}};
  for (const HalfSpace& half : c.half_spaces()) {
    const double size = half.normal.cwiseProduct(axes).norm();  // zero across a flat section
    if (size <= rounding * axes.maxCoeff() || half.offset / size >= all.least.value) continue;
    UpTo6 at = half.normal / size;
    for (Eigen::Index k = 0; k < at.size(); ++k)
      if (axes[k] == 0) at[k] = 0;
    all.least = {half.offset / size, at};
  }
  for (const UpTo6& f : c.vertices())
    if (const UpTo6 w = over_axes(f, axes); w.norm() > all.greatest.value)
      all.greatest = {w.norm(), over_axes(w.normalized(), axes)};
  return all;
}

Extremes extremes(const Section& c, const UpTo6& axes) {
  if (c.kind() == Section::Kind::ellipsoid) {
    const Eigen::Index first = used(axes)[0];
    const Extreme one{1, over_axes(UpTo6::Unit(axes.size(), first), axes)};
    return {.least = one, .greatest = one};
  }
  if (c.kind() == Section::Kind::product) return of_product(c, axes);
  if (c.is_polyhedral()) return of_polytope(c, axes);
  if (c.kind() == Section::Kind::curve && c.curve().shape() == LimitCurve::Shape::ellipse &&
      c.curve().ellipse().is_disc())
    return extremes(ellipsoid_section({c.curve().ellipse().a, c.curve().ellipse().a}), axes);
  return {.least = search(c, axes, std::less<>()),
          .greatest = search(c, axes, std::greater<>()),
          .exact = false};
}

}  // namespace

SectionQuality section_quality(const Section& section) {
  const UpTo6 axes = extents(section);
  if (used(axes).empty())
    throw InvalidInput("the section carries nothing, expected one to compare with an ellipsoid");
  const Extremes found = extremes(section, axes);
  SectionQuality quality{.axes = axes,
                         .inner = found.least.value,
                         .outer = found.greatest.value,
                         .inner_at = found.least.at,
                         .outer_at = found.greatest.at,
                         .exact = found.exact};
  if (quality.inner < 1 - rounding) quality.under = 1 - quality.inner;
  if (quality.outer > 1 + rounding) quality.over = quality.outer - 1;
  return quality;
}

}  // namespace stiction
