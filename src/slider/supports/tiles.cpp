// SPDX-License-Identifier: Apache-2.0
//
// A sweep over the heights of the vertices.  Between two heights the edges that cross do not
// meet, and the polygon lies between the first and the second, the third and the fourth, and so on;
// a trapezium goes on upwards for as long as the same two edges bound it.
#include "slider/supports/tiles.h"

#include <algorithm>
#include <utility>

namespace stiction {

namespace {

struct Edge {
  Vec2 low, high;

  double at(double y) const {
    if (y <= low.y()) return low.x();
    if (y >= high.y()) return high.x();
    // From the nearer end.
    const double slope = (high.x() - low.x()) / (high.y() - low.y());
    return y - low.y() < high.y() - y ? low.x() + slope * (y - low.y())
                                      : high.x() - slope * (high.y() - y);
  }
};

struct Open {
  std::size_t left = 0, right = 0;
  double from = 0;
};

}  // namespace

std::vector<std::array<Vec2, 4>> tiles(const std::vector<Vec2>& vertices,
                                       const std::vector<std::vector<Vec2>>& holes) {
  std::vector<Edge> edges;
  std::vector<double> heights;
  const auto add_loop = [&](const std::vector<Vec2>& loop) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 &a = loop[i], &b = loop[i + 1 < loop.size() ? i + 1 : 0];
      heights.push_back(a.y());
      if (a.y() < b.y()) edges.push_back({a, b});
      if (a.y() > b.y()) edges.push_back({b, a});
    }
  };
  add_loop(vertices);
  for (const auto& hole : holes) add_loop(hole);
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  std::vector<std::size_t> by_start(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) by_start[i] = i;
  std::sort(by_start.begin(), by_start.end(),
            [&](std::size_t a, std::size_t b) { return edges[a].low.y() < edges[b].low.y(); });

  std::vector<std::array<Vec2, 4>> result;
  const auto close = [&](const Open& open, double to) {
    const Edge &left = edges[open.left], &right = edges[open.right];
    const std::array<Vec2, 4> tile{Vec2(left.at(open.from), open.from),
                                   Vec2(right.at(open.from), open.from), Vec2(right.at(to), to),
                                   Vec2(left.at(to), to)};
    if (cross(tile[2] - tile[0], tile[3] - tile[1]) > 0) result.push_back(tile);
  };
  std::vector<std::size_t> active;  // the edges that cross, from left to right
  std::vector<double> x(edges.size());
  std::vector<Open> open, next;
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> right_before(edges.size(), none), right_now(edges.size(), none);
  std::vector<double> from(edges.size());  // of the trapezium to the right of an edge
  std::size_t started = 0;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    const double low = heights[k], high = heights[k + 1], middle = low + 0.5 * (high - low);
    std::erase_if(active, [&](std::size_t i) { return edges[i].high.y() <= low; });
    while (started < by_start.size() && edges[by_start[started]].low.y() <= low)
      active.push_back(by_start[started++]);
    for (const std::size_t i : active) x[i] = edges[i].at(middle);
    const auto is_left = [&](std::size_t a, std::size_t b) {
      if (x[a] != x[b]) return x[a] < x[b];
      return edges[a].at(low) + edges[a].at(high) < edges[b].at(low) + edges[b].at(high);
    };
    // All but the new ones are in order already.
    for (std::size_t i = 1; i < active.size(); ++i)
      for (std::size_t j = i; j > 0 && is_left(active[j], active[j - 1]); --j)
        std::swap(active[j], active[j - 1]);
    next.clear();
    for (std::size_t i = 0; i + 1 < active.size(); i += 2) {
      const std::size_t left = active[i], right = active[i + 1];
      if (right_before[left] != right) from[left] = low;
      right_now[left] = right;
      next.push_back({left, right, from[left]});
    }
    for (const Open& before : open) {
      if (right_now[before.left] != before.right) close(before, low);
      right_before[before.left] = none;
    }
    for (const Open& trapezium : next)
      right_before[trapezium.left] = std::exchange(right_now[trapezium.left], none);
    std::swap(open, next);
  }
  for (const Open& last : open) close(last, heights.back());
  return result;
}

}  // namespace stiction
