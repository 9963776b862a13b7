// SPDX-License-Identifier: Apache-2.0
#include "cone/slip_regions.h"

#include <cmath>
#include <numbers>

namespace stiction {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;

// From a to b counter-clockwise, in [0, 2π).
double turn(const Vec2& a, const Vec2& b) {
  const double angle = std::atan2(cross(a, b), a.dot(b));
  return angle < 0 ? angle + full_turn : angle;
}

}  // namespace

bool SlipRegion::bounded() const { return width < full_turn; }

bool SlipRegion::holds(const Vec2& direction) const {
  return !bounded() || turn(first, direction) <= width;
}

double SlipRegion::ahead(const Vec2& direction, bool left) const {
  double at = turn(first, direction);
  if (at > 0.5 * (width + full_turn)) at -= full_turn;
  return left ? width - at : at;
}

std::vector<SlipRegion> slip_regions(const LimitCurve& curve) {
  using Kind = SlipRegion::Kind;
  const auto& pieces = curve.pieces();
  std::vector<SlipRegion> regions;
  if (pieces.empty()) {
    SlipRegion all;
    all.kind = curve.has_arcs() ? Kind::arc : Kind::vertex;
    all.width = full_turn;
    return {all};
  }
  const auto begins = [&](std::size_t i) {
    return pieces[i].arc ? curve.ellipse().normal(pieces[i].from) : pieces[i].normal;
  };
  const auto ends = [&](std::size_t i) {
    return pieces[i].arc ? curve.ellipse().normal(curve.piece_end(i)) : pieces[i].normal;
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t before = i > 0 ? i - 1 : pieces.size() - 1;
    const Vec2 first = ends(before), last = begins(i);
    const double width = turn(first, last);
    if (width > rounding && width < full_turn - rounding)
      regions.push_back({Kind::vertex, first, last, width, pieces[i].from, pieces[i].from});
    const Kind kind = pieces[i].arc ? Kind::arc : Kind::flat;
    regions.push_back({kind, begins(i), ends(i), pieces[i].arc ? turn(begins(i), ends(i)) : 0.0,
                       pieces[i].from, curve.piece_end(i)});
  }
  return regions;
}

std::size_t region_of(const std::vector<SlipRegion>& regions, const Vec2& direction) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].kind == SlipRegion::Kind::flat &&
        std::abs(cross(regions[i].first, direction)) <= rounding &&
        regions[i].first.dot(direction) > 0)
      return i;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].kind != SlipRegion::Kind::flat && regions[i].holds(direction)) return i;
  // Between two regions, by rounding: the one whose beginning is nearest.
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < regions.size(); ++i)
    if (regions[i].first.dot(direction) > regions[nearest].first.dot(direction)) nearest = i;
  return nearest;
}

}  // namespace stiction
