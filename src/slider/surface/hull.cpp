// SPDX-License-Identifier: Apache-2.0
#include "slider/surface/hull.h"

#include <cmath>

namespace stiction {

namespace {

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__ needs it
using Place = std::array<std::int64_t, 3>;
using Cross = std::array<Wide, 3>;

Cross cross(const Place& a, const Place& b, const Place& c) {
  const std::int64_t x1 = b[0] - a[0], y1 = b[1] - a[1], z1 = b[2] - a[2];
  const std::int64_t x2 = c[0] - a[0], y2 = c[1] - a[1], z2 = c[2] - a[2];
  return {Wide{y1} * z2 - Wide{z1} * y2, Wide{z1} * x2 - Wide{x1} * z2,
          Wide{x1} * y2 - Wide{y1} * x2};
}

// Positive where p is on the side that the triangle a, b, c faces.
Wide side(const Place& a, const Place& b, const Place& c, const Place& p) {
  const Cross n = cross(a, b, c);
  return n[0] * (p[0] - a[0]) + n[1] * (p[1] - a[1]) + n[2] * (p[2] - a[2]);
}

}  // namespace

Hull::Place Hull::placed(const Vec3& point) {
  return {std::llround(point[0] / grid), std::llround(point[1] / grid),
          std::llround(point[2] / grid)};
}

Vec3 Hull::vertex(int index) const {
  const Place& p = places_[static_cast<std::size_t>(index)];
  return grid *
         Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
}

bool Hull::sees(const Place& place, const Triangle& t) const {
  const auto at = [&](int k) -> const Place& {
    return places_[static_cast<std::size_t>(t.vertex[static_cast<std::size_t>(k)])];
  };
  return side(at(0), at(1), at(2), place) > 0;
}

bool Hull::sees(const Vec3& point, int triangle) const {
  return sees(placed(point), triangles_[static_cast<std::size_t>(triangle)]);
}

Vec3 Hull::normal(int triangle) const {
  const auto& v = triangles_[static_cast<std::size_t>(triangle)].vertex;
  const Cross n =
      cross(places_[static_cast<std::size_t>(v[0])], places_[static_cast<std::size_t>(v[1])],
            places_[static_cast<std::size_t>(v[2])]);
  return Vec3(static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2]))
      .normalized();
}

bool Hull::start(const std::array<Vec3, 4>& points) {
  places_.clear();
  for (const Vec3& point : points) places_.push_back(placed(point));
  const Wide volume = side(places_[0], places_[1], places_[2], places_[3]);
  if (volume == 0) return false;
  // The first triangle must not face the fourth point.  Across each edge of it lies a triangle
  // through that point; the other edges of those are shared in turn.
  const int a = volume > 0 ? 1 : 0, b = 1 - a;
  triangles_ = {{{a, b, 2}, {1, 2, 3}},
                {{b, a, 3}, {0, 3, 2}},
                {{2, b, 3}, {0, 1, 3}},
                {{a, 2, 3}, {0, 2, 1}}};
  latest_ = {0, 1, 2, 3};
  mark_.assign(4, 0);
  at_vertex_.assign(4, -1);
  return true;
}

int Hull::insert(const Vec3& point) {
  const Place place = placed(point);
  for (std::size_t t = triangles_.size(); t-- > 0;)  // the latest are the likeliest
    if (triangles_[t].alive && sees(place, triangles_[t])) return add(place, static_cast<int>(t));
  return -1;
}

int Hull::insert(const Vec3& point, int seen) {
  const Place place = placed(point);
  return sees(place, triangles_[static_cast<std::size_t>(seen)]) ? add(place, seen) : -1;
}

// The triangles that the point is outside of form one patch; a fan from the patch's border to the
// point takes its place.
int Hull::add(const Place& place, int seen) {
  const auto triangle = [&](int t) -> Triangle& { return triangles_[static_cast<std::size_t>(t)]; };
  const int index = static_cast<int>(places_.size());
  places_.push_back(place);
  at_vertex_.push_back(-1);
  ++round_;
  const auto mark = [&](int t) -> int& { return mark_[static_cast<std::size_t>(t)]; };
  visible_ = {seen};
  mark(seen) = round_;
  latest_.clear();
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    const int from = visible_[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const int to = triangle(from).neighbour[k];
      if (mark(to) == round_) continue;
      if (sees(place, triangle(to))) {
        mark(to) = round_;
        visible_.push_back(to);
        continue;
      }
      const int a = triangle(from).vertex[k], b = triangle(from).vertex[(k + 1) % 3];
      const int fresh = static_cast<int>(triangles_.size());
      triangles_.push_back({{a, b, index}, {to, -1, -1}});
      mark_.push_back(0);
      latest_.push_back(fresh);
      at_vertex_[static_cast<std::size_t>(a)] = fresh;
      for (std::size_t j = 0; j < 3; ++j)
        if (triangle(to).vertex[j] == b && triangle(to).vertex[(j + 1) % 3] == a)
          triangle(to).neighbour[j] = fresh;
    }
  }
  // The border is one loop: the fan's triangle that ends at b neighbours the one that starts there.
  for (const int t : latest_) {
    const int next = at_vertex_[static_cast<std::size_t>(triangle(t).vertex[1])];
    triangle(t).neighbour[1] = next;
    triangle(next).neighbour[2] = t;
  }
  for (const int t : visible_) triangle(t).alive = false;
  return index;
}

}  // namespace stiction
