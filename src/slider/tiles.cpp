// SPDX-License-Identifier: Apache-2.0
//
// A sweep over the heights of the vertices.  Between two heights the edges that cross do not
// meet, and the polygon lies between the first and the second, the third and the fourth, and so on;
// a trapezium goes on upwards for as long as the same two edges bound it.
#include "slider/tiles.h"

#include <algorithm>

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
  std::vector<std::size_t> active;
  std::vector<Open> open, next;
  std::size_t started = 0;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    const double low = heights[k], high = heights[k + 1], middle = low + 0.5 * (high - low);
    std::erase_if(active, [&](std::size_t i) { return edges[i].high.y() <= low; });
    while (started < by_start.size() && edges[by_start[started]].low.y() <= low)
      active.push_back(by_start[started++]);
    std::sort(active.begin(), active.end(), [&](std::size_t a, std::size_t b) {
      const double xa = edges[a].at(middle), xb = edges[b].at(middle);
      if (xa != xb) return xa < xb;
      return edges[a].at(low) + edges[a].at(high) < edges[b].at(low) + edges[b].at(high);
    });
    next.clear();
    for (std::size_t i = 0; i + 1 < active.size(); i += 2) {
      Open trapezium{active[i], active[i + 1], low};
      for (const Open& before : open)
        if (before.left == active[i] && before.right == active[i + 1]) trapezium.from = before.from;
      next.push_back(trapezium);
    }
    for (const Open& before : open) {
      const bool goes_on = std::any_of(next.begin(), next.end(), [&](const Open& trapezium) {
        return trapezium.left == before.left && trapezium.right == before.right;
      });
      if (!goes_on) close(before, low);
    }
    std::swap(open, next);
  }
  for (const Open& last : open) close(last, heights.back());
  return result;
}

}  // namespace stiction
