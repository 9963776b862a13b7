// SPDX-License-Identifier: Apache-2.0
//
// How supports are made, what is refused, and where their pressure is.
#include <algorithm>
#include <cmath>

#include "slider/supports/area.h"
#include "slider/supports/tiles.h"

namespace stiction {

namespace {

constexpr std::size_t most_vertices = 10'000;
constexpr Eigen::Index most_cells = 4'000'000;
constexpr Eigen::Index most_points = 250'000;          // of a grid whose cells are points
constexpr Eigen::Index most_curve_pieces = 4'000'000;  // of their curves, which each has
constexpr double smallest = 1e-60, largest = 1e60;     // of lengths: their fourth powers are finite

[[noreturn]] void refuse(const std::string& field, const std::string& value,
                         const std::string& expected) {
  throw InvalidInput(field + " is " + value + ", expected " + expected);
}

void require_place(const Vec2& value, const std::string& field) {
  if (!value.allFinite()) refuse(field, text(value), "finite coordinates");
  if (value.cwiseAbs().maxCoeff() > largest) refuse(field, text(value), "coordinates within 1e60");
}
void require_length(double value, const std::string& field) {
  if (!(std::isfinite(value) && value > 0)) refuse(field, text(value), "a positive length");
  if (value < smallest || value > largest)
    refuse(field, text(value), "a length from 1e-60 to 1e60");
}
void require_force(double value) {
  if (!(std::isfinite(value) && value >= 0)) refuse("normal_force", text(value), "zero or more");
}

Support make(Support::Shape shape, double normal_force, const LimitCurve& curve) {
  require_force(normal_force);
  Support support;
  support.shape = shape;
  support.normal_force = normal_force;
  support.curve = curve;
  return support;
}

std::string item(const std::string& field, std::size_t i) {
  return field + "[" + std::to_string(i) + "]";
}

double signed_area(const std::vector<Vec2>& loop) {
  double twice = 0;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    twice += cross(loop[i] - loop[0], loop[i + 1] - loop[0]);
  return 0.5 * twice;
}

// −1, 0, 1: on which side of the line from a to b the point p is; 0 within rounding.
int side(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 e = b - a, d = p - a;
  const double left = e.x() * d.y(), right = e.y() * d.x();
  const double value = left - right;
  if (std::abs(value) <= rounding * (std::abs(left) + std::abs(right))) return 0;
  return value > 0 ? 1 : -1;
}
bool between(const Vec2& a, const Vec2& b, const Vec2& p) {
  return p.x() >= std::min(a.x(), b.x()) && p.x() <= std::max(a.x(), b.x()) &&
         p.y() >= std::min(a.y(), b.y()) && p.y() <= std::max(a.y(), b.y());
}
bool edges_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  if (std::max(a.x(), b.x()) < std::min(c.x(), d.x()) ||
      std::max(c.x(), d.x()) < std::min(a.x(), b.x()) ||
      std::max(a.y(), b.y()) < std::min(c.y(), d.y()) ||
      std::max(c.y(), d.y()) < std::min(a.y(), b.y()))
    return false;
  const int c_side = side(a, b, c), d_side = side(a, b, d);
  const int a_side = side(c, d, a), b_side = side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) ||
         (a_side == 0 && between(c, d, a)) || (b_side == 0 && between(c, d, b));
}

// Every edge of a polygon, sorted by its lowest x, so that only those whose spans overlap are
// compared.
struct Side {
  Vec2 from, to;
  std::size_t loop = 0, edge = 0, loop_size = 0;  // loop 0: the outline; k: hole k − 1
  double low() const { return std::min(from.x(), to.x()); }
  double high() const { return std::max(from.x(), to.x()); }
};

std::string edge_name(const Side& s) {
  return (s.loop == 0 ? std::string("vertices") : item("holes", s.loop - 1)) + ": the edge from " +
         text(s.from) + " to " + text(s.to);
}

void require_simple(const std::vector<Vec2>& vertices,
                    const std::vector<std::vector<Vec2>>& holes) {
  std::vector<Side> sides;
  for (std::size_t k = 0; k <= holes.size(); ++k) {
    const std::vector<Vec2>& loop = k == 0 ? vertices : holes[k - 1];
    for (std::size_t i = 0; i < loop.size(); ++i)
      sides.push_back({loop[i], loop[i + 1 < loop.size() ? i + 1 : 0], k, i, loop.size()});
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.low() < b.low(); });
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t j = i + 1; j < sides.size() && sides[j].low() <= sides[i].high(); ++j) {
      const Side &a = sides[i], &b = sides[j];
      bool wrong;
      const bool follows = a.loop == b.loop && (a.edge + 1) % a.loop_size == b.edge;
      const bool precedes = a.loop == b.loop && (b.edge + 1) % a.loop_size == a.edge;
      if (follows || precedes) {
        // Neighbours share an end; they must not fold back on each other.
        const Side &first = follows ? a : b, &second = follows ? b : a;
        const Vec2 out = second.to - second.from, in = first.to - first.from;
        wrong = side(first.from, first.to, second.to) == 0 && in.dot(out) < 0;
      } else {
        wrong = edges_meet(a.from, a.to, b.from, b.to);
      }
      if (wrong)
        throw InvalidInput(edge_name(a) + " meets the edge from " + text(b.from) + " to " +
                           text(b.to) +
                           (a.loop == b.loop ? ""
                            : b.loop == 0    ? " of the outline"
                                             : " of " + item("holes", b.loop - 1)) +
                           ", expected edges that do not cross");
    }
}

double extent(const std::vector<Vec2>& loop) {
  double size = 0;
  for (const Vec2& p : loop) size = std::max(size, (p - loop[0]).norm());
  return size;
}

void require_loop(const std::vector<Vec2>& loop, const std::string& field) {
  if (loop.size() < 3)
    throw InvalidInput(field + " has " + std::to_string(loop.size()) +
                       " points, expected at least 3");
  for (std::size_t i = 0; i < loop.size(); ++i) require_place(loop[i], item(field, i));
  for (std::size_t i = 0; i < loop.size(); ++i)
    if (loop[i] == loop[i + 1 < loop.size() ? i + 1 : 0])
      refuse(item(field, i), text(loop[i]), "another point than the next");
  // All on a line; those that cross themselves are told so.
  const double size = extent(loop);
  if (size < smallest || std::all_of(loop.begin(), loop.end(), [&](const Vec2& p) {
        return std::abs(cross(loop[1] - loop[0], p - loop[0])) <= rounding * size * size;
      }))
    throw InvalidInput(field + " enclose no area");
}

void require_area(const std::vector<Vec2>& loop, const std::string& field) {
  const double size = extent(loop);
  if (std::abs(signed_area(loop)) <= rounding * size * size)
    throw InvalidInput(field + " enclose no area");
}

bool is_inside(const std::vector<Vec2>& loop, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[i + 1 < loop.size() ? i + 1 : 0];
    if ((a.y() > p.y()) == (b.y() > p.y())) continue;
    if ((side(a, b, p) > 0) == (b.y() > a.y())) inside = !inside;
  }
  return inside;
}

// ∫ |ξ|² over a convex quadrilateral about the origin.
double polar_moment(const std::array<Vec2, 4>& tile) {
  double sum = 0;
  for (const auto& [i, j, k] : {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
    const Vec2 a = tile[i], b = tile[j], c = tile[k];
    const Vec2 total = a + b + c;
    sum += cross(b - a, c - a) / 24 *
           (a.squaredNorm() + b.squaredNorm() + c.squaredNorm() + total.squaredNorm());
  }
  return sum;
}

PressureMoments polygon_moments(const Support& support) {
  PressureMoments m;
  const Vec2 base = support.vertices[0];
  double area = 0;
  for (const auto& tile : support.tiles) {
    for (const auto& [i, j, k] : {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
      const Vec2 a = tile[i] - base, b = tile[j] - base, c = tile[k] - base;
      const double part = 0.5 * cross(b - a, c - a);
      area += part;
      m.centre += part / 3 * (a + b + c);
    }
  }
  m.centre = base + m.centre / area;
  for (auto tile : support.tiles) {
    for (Vec2& corner : tile) corner -= m.centre;
    m.square += polar_moment(tile) / area;
  }
  for (const Vec2& vertex : support.vertices) m.reach = std::max(m.reach, vertex.norm());
  return m;
}

// By the sums of rows and columns; the farthest place is a corner of the first or the last cell of
// a row.
PressureMoments grid_moments(const Support& support) {
  PressureMoments m;
  const double c = support.cell;
  const Eigen::MatrixXd& p = support.pressures;
  const Eigen::VectorXd rows = p.rowwise().sum(), columns = p.colwise().sum().transpose();
  const double total = rows.sum();
  const auto middles = [&](Eigen::Index count) -> Eigen::ArrayXd {
    return c * (Eigen::ArrayXd::LinSpaced(count, 0, static_cast<double>(count - 1)) + 0.5);
  };
  const Eigen::ArrayXd x = middles(p.cols()), y = middles(p.rows());
  const Vec2 centre = Vec2((columns.array() * x).sum(), (rows.array() * y).sum()) / total;
  m.square = ((columns.array() * (x - centre.x()).square()).sum() +
              (rows.array() * (y - centre.y()).square()).sum()) /
                 total +
             c * c / 6;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    Eigen::Index from = 0, to = p.cols();
    while (from < to && p(i, from) == 0) ++from;
    while (from < to && p(i, to - 1) == 0) --to;
    if (from == to) continue;
    for (const Eigen::Index column : {from, to})
      for (const Eigen::Index row : {i, i + 1}) {
        const Vec2 corner(static_cast<double>(column), static_cast<double>(row));
        m.reach = std::max(m.reach, (support.at + c * corner).norm());
      }
  }
  m.centre = support.at + centre;
  return m;
}

}  // namespace

Support point(const Vec2& at, double normal_force, const LimitCurve& curve) {
  if (!at.allFinite()) refuse("at", text(at), "finite coordinates");
  Support support = make(Support::Shape::point, normal_force, curve);
  support.at = at;
  return support;
}

Support segment(const Vec2& from, const Vec2& to, double normal_force, const LimitCurve& curve) {
  require_place(from, "from");
  require_place(to, "to");
  if (from == to) refuse("to", text(to), "another point than `from`");
  if ((to - from).norm() < smallest) refuse("to", text(to), "a point at least 1e-60 from `from`");
  Support support = make(Support::Shape::segment, normal_force, curve);
  support.at = from;
  support.to = to;
  return support;
}

Support polygon_support(const std::vector<Vec2>& vertices,
                        const std::vector<std::vector<Vec2>>& holes, double normal_force,
                        const LimitCurve& curve) {
  Support support = make(Support::Shape::polygon, normal_force, curve);
  std::size_t count = vertices.size();
  for (const auto& hole : holes) count += hole.size();
  if (count > most_vertices)
    throw InvalidInput("vertices and holes have " + std::to_string(count) +
                       " points, expected at most " + std::to_string(most_vertices));
  require_loop(vertices, "vertices");
  for (std::size_t k = 0; k < holes.size(); ++k) require_loop(holes[k], item("holes", k));
  require_simple(vertices, holes);
  require_area(vertices, "vertices");
  for (std::size_t k = 0; k < holes.size(); ++k) {
    require_area(holes[k], item("holes", k));
    if (!is_inside(vertices, holes[k][0]))
      throw InvalidInput(item("holes", k) + " is outside the polygon, expected it inside");
    for (std::size_t l = 0; l < holes.size(); ++l)
      if (l != k && is_inside(holes[l], holes[k][0]))
        throw InvalidInput(item("holes", k) + " is inside " + item("holes", l));
  }
  support.vertices = vertices;
  support.holes = holes;
  if (signed_area(vertices) < 0) std::reverse(support.vertices.begin(), support.vertices.end());
  for (auto& hole : support.holes)
    if (signed_area(hole) > 0) std::reverse(hole.begin(), hole.end());
  support.tiles = tiles(support.vertices, support.holes);
  if (support.tiles.empty()) throw InvalidInput("vertices enclose no area");
  return support;
}

Support disc_support(const Vec2& centre, double radius, double normal_force,
                     const LimitCurve& curve, Support::Pressure pressure) {
  require_place(centre, "centre");
  require_length(radius, "radius");
  Support support = make(Support::Shape::disc, normal_force, curve);
  support.at = centre;
  support.radius = radius;
  support.pressure = pressure;
  return support;
}

Support ring(const Vec2& centre, double radius, double normal_force, const LimitCurve& curve,
             bool tangential) {
  Support support = disc_support(centre, radius, normal_force, curve);
  support.shape = Support::Shape::ring;
  // Turned discs are the same.
  support.tangential = tangential && !is_isotropic(curve);
  return support;
}

Support annulus(const Vec2& centre, double radius, double inner_radius, double normal_force,
                const LimitCurve& curve) {
  Support support = disc_support(centre, radius, normal_force, curve);
  require_length(inner_radius, "inner_radius");
  if (inner_radius >= radius)
    refuse("inner_radius", text(inner_radius), "less than the radius, " + text(radius));
  support.shape = Support::Shape::annulus;
  support.inner_radius = inner_radius;
  return support;
}

Support grid(const Vec2& origin, double cell, const Eigen::MatrixXd& pressures,
             const LimitCurve& curve, Support::Cells cells) {
  require_place(origin, "origin");
  require_length(cell, "cell");
  if (pressures.size() == 0) throw InvalidInput("pressure has no cells, expected at least one");
  if (pressures.size() > most_cells)
    throw InvalidInput("pressure has " + std::to_string(pressures.size()) +
                       " cells, expected at most " + std::to_string(most_cells));
  for (Eigen::Index i = 0; i < pressures.rows(); ++i)
    for (Eigen::Index j = 0; j < pressures.cols(); ++j)
      if (!(std::isfinite(pressures(i, j)) && pressures(i, j) >= 0))
        refuse("pressure[" + std::to_string(i) + "][" + std::to_string(j) + "]",
               text(pressures(i, j)), "zero or more");
  const double total = pressures.sum() * cell * cell;
  if (!(total > 0)) throw InvalidInput("pressure is zero everywhere, expected some pressure");
  if (!std::isfinite(total)) throw InvalidInput("pressure has no finite sum");
  Support support = make(Support::Shape::grid, total, curve);
  support.at = origin;
  support.cell = cell;
  support.pressures = pressures;
  support.cells = cells;
  if (cells == Support::Cells::points) {
    const Eigen::Index count = (pressures.array() > 0).count();
    const auto pieces = static_cast<Eigen::Index>(curve.pieces().size());
    if (count > most_points || count * pieces > most_curve_pieces)
      throw InvalidInput("pressure has " + std::to_string(count) +
                         " cells under pressure, expected at most " +
                         std::to_string(std::min(
                             most_points, most_curve_pieces / std::max<Eigen::Index>(1, pieces))) +
                         " as points under this law");
  }
  return support;
}

std::vector<Support> points_of(const Support& grid) {
  std::vector<Support> points;
  for (Eigen::Index i = 0; i < grid.pressures.rows(); ++i)
    for (Eigen::Index j = 0; j < grid.pressures.cols(); ++j) {
      const double pressure = grid.pressures(i, j);
      if (pressure == 0) continue;
      const Vec2 middle(static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5);
      points.push_back(
          point(grid.at + grid.cell * middle, pressure * grid.cell * grid.cell, grid.curve));
    }
  return points;
}

PressureMoments pressure_moments(const Support& support) {
  const Vec2& at = support.at;
  const double R = support.radius, r = support.inner_radius;
  switch (support.shape) {
    case Support::Shape::point:
      break;
    case Support::Shape::segment:
      return {.centre = 0.5 * (at + support.to),
              .square = (support.to - at).squaredNorm() / 12,
              .reach = std::max(at.norm(), support.to.norm())};
    case Support::Shape::polygon:
      return polygon_moments(support);
    case Support::Shape::disc: {
      const double share = support.pressure == Support::Pressure::uniform ? 1.0 / 2
                           : support.pressure == Support::Pressure::hertz ? 2.0 / 5
                                                                          : 2.0 / 3;
      return {.centre = at, .square = share * R * R, .reach = at.norm() + R};
    }
    case Support::Shape::ring:
      return {.centre = at, .square = R * R, .reach = at.norm() + R};
    case Support::Shape::annulus:
      return {.centre = at, .square = 0.5 * (R * R + r * r), .reach = at.norm() + R};
    case Support::Shape::grid:
      return grid_moments(support);
  }
  return {.centre = at, .reach = at.norm()};
}

}  // namespace stiction
