// SPDX-License-Identifier: Apache-2.0
//
// Supports with an extent: slips are linear in the place, so that the corners of a convex part
// stand for all of it.
#include "slider/motion/motion_cone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"
#include "slider/supports/area.h"

namespace stiction {

bool add_cone(const Vec2& at, const NormalCone& cone, Conditions& all) {
  const auto row = [&](const Vec2& u) -> Vec3 { return load_of(at, u).normalized(); };
  switch (cone.kind) {
    case NormalCone::Kind::none:
      return false;
    case NormalCone::Kind::ray:
      all.least.push_back(row(cone.first));
      all.rests.push_back(at);
      return all.add_equal(row(plane::left(cone.first)));
    case NormalCone::Kind::line:
      return all.add_equal(row(plane::left(cone.first)));
    case NormalCone::Kind::halfplane:
      all.least.push_back(row(plane::left(cone.first)));
      break;
    case NormalCone::Kind::wedge:
      all.least.push_back(row(plane::left(cone.first)));
      all.least.push_back(row(plane::right(cone.last)));
      all.rests.push_back(at);
      break;
    case NormalCone::Kind::all:
      break;
  }
  return true;
}

namespace {

using Places = std::vector<Vec2>;

// Of a curve that is a segment, slips both ways across it have the same forces.
bool either_way(const LimitCurve& curve) { return curve.shape() == LimitCurve::Shape::segment; }

// f(corners) for each convex part, in the support's own frame; of a disc many of its places, those
// farthest along a slip at which the answer changes among them.
template <typename F>
bool for_each_part(const Support& support, const F& f) {
  bool all = true;
  switch (support.shape) {
    case Support::Shape::point:
      return true;
    case Support::Shape::segment:
      return f(Places{support.at, support.to});
    case Support::Shape::polygon:
    case Support::Shape::grid:
      for_each_cell(support, Vec2::Zero(), [&](const Cell& cell, double, double) {
        all = all && f(Places(cell.corner.begin(), cell.corner.begin() + cell.count));
      });
      return all;
    case Support::Shape::disc:
    case Support::Shape::ring:
    case Support::Shape::annulus:
      break;
  }
  std::vector<double> angles;
  for (int k = 0; k < 64; ++k) angles.push_back(2 * std::numbers::pi * k / 64);
  for_each_wedge(support.curve, [&](const Vec2& first, const Vec2& last, const Vec2*) {
    for (const Vec2& u : {first, last})
      for (const double sign : {1.0, -1.0})
        angles.push_back(std::atan2(sign * u.y(), sign * u.x()));
  });
  for (double& angle : angles) angle = std::remainder(angle, 2 * std::numbers::pi);
  std::sort(angles.begin(), angles.end());
  Places places;
  for (const double angle : angles)
    places.emplace_back(support.at + support.radius * Vec2(std::cos(angle), std::sin(angle)));
  return f(places);
}

// The slips of a ring whose law turns with it: at the angle φ the law sees them along the tangent t
// and −n.  Their greatest and least along a direction u of the law are where u, so turned, is along
// the velocity of the centre; u is normal to a flat or along it where cones of slips end.  Slips
// that all stay in one cone leave a round cone of motions about the turn on the spot; where that
// counts for a little less, the planes of neighbouring angles meet on it.
bool add_turned(const ScaledSlider& scaled, const Support& ring, const Vec3& q, Conditions& all) {
  const LimitCurve& curve = ring.curve;
  const Vec2 centre = scaled.scaled(ring.at), velocity = slip_at(centre, q);
  const double start = std::atan2(velocity.y(), velocity.x());
  constexpr int count = 64;
  const double inside = std::cos(std::numbers::pi / count);
  std::vector<double> angles;
  for (int k = 0; k < count; ++k) angles.push_back(start + 2 * std::numbers::pi * k / count);
  for (const LimitCurve::Piece& piece : curve.pieces())
    for (int k = 0; k < 4 && !piece.arc; ++k)
      angles.push_back(start - std::atan2(piece.normal.y(), piece.normal.x()) +
                       k * std::numbers::pi / 2);
  for (const double angle : angles) {
    const Vec2 n(std::cos(angle), std::sin(angle)), t = plane::left(n);
    const Vec2 at = scaled.scaled(Vec2(ring.at + ring.radius * n)), slip = slip_at(at, q);
    const auto turned = [&](const Vec2& u) -> Vec2 { return u.x() * t - u.y() * n; };
    const Vec2 seen(slip.dot(t), -slip.dot(n));
    const double slack = 4 * scaled.slip_slack(at, q);
    if (seen.norm() <= slack) continue;  // what its neighbours allow leaves it open
    std::optional<NormalCone> cone;
    if (const auto flat = flat_facing(curve, seen, slack))
      cone = {.kind = either_way(curve) ? NormalCone::Kind::line : NormalCone::Kind::ray,
              .first = curve.pieces()[*flat].normal,
              .last = curve.pieces()[*flat].normal};
    else
      cone = curve.normals(curve.face(seen).first);
    if (!cone) return false;
    cone->first = turned(cone->first);
    cone->last = turned(cone->last);
    const std::size_t before = all.least.size();
    if (!add_cone(at, *cone, all)) return false;
    for (std::size_t k = before; k < all.least.size(); ++k) {
      Vec3 row = all.least[k];
      row[2] = inside * row[2] + (1 - inside) * cross(centre, Vec2(row.head<2>()));
      all.round.push_back({all.least[k], row});
    }
    all.least.resize(before);
  }
  return true;
}

// Is any of the slips, which fill a convex polygon, answered by an arc?
bool meets_arcs(const LimitCurve& curve, const Places& slips, double slack) {
  bool meets = false;
  Places left, kept;
  for_each_wedge(curve, [&](const Vec2& first, const Vec2& last, const Vec2* vertex) {
    if (vertex != nullptr || meets) return;
    left = slips;
    for (const Vec2& inward : {plane::left(first), plane::right(last)}) {
      kept.clear();
      for (std::size_t k = 0; k < left.size(); ++k) {
        const Vec2 &a = left[k], &b = left[(k + 1) % left.size()];
        const double x = inward.dot(a) - slack, y = inward.dot(b) - slack;
        if (x > 0) kept.push_back(a);
        if ((x > 0) != (y > 0)) kept.emplace_back(a + (b - a) * (x / (x - y)));
      }
      left.swap(kept);
    }
    meets = !left.empty();
  });
  return meets;
}

// A convex part under a law with flats.  Slips normal to a flat m are those of places on a line
// across m; where it parts the pressure, the load tells where it is.  Elsewhere the slips of the
// corners stay in the cones of their vertices.
bool add_part(const ScaledSlider& scaled, const Support& support, Places places, const Vec3& q,
              double depth, Conditions& all) {
  const LimitCurve& curve = support.curve;
  Vec2 middle = Vec2::Zero();
  double size = 0;
  for (Vec2& place : places) {
    place = scaled.scaled(place);
    middle += place / static_cast<double>(places.size());
  }
  for (const Vec2& place : places) size = std::max(size, (place - middle).norm());
  const double slack = std::max(4 * scaled.slip_slack(middle, q), depth * size * q.norm());
  Places slips;
  for (const Vec2& place : places) slips.push_back(slip_at(place, q));
  const bool wide = support.shape != Support::Shape::segment;
  if (curve.has_arcs() && meets_arcs(curve, slips, slack)) {
    all.unique = wide;
    return false;
  }
  for (const Vec2& place : places) {
    // A little inside: a corner at rest or on a crease bounds what is beside it.
    const Vec2 slip = slip_at(place + 4 * std::max(depth, 1e-9) * (middle - place), q);
    if (slip.isZero(0)) return false;
    const auto cone = curve.normals(curve.pieces()[farthest_vertex(curve, slip)].from);
    if (!cone || !add_cone(place, *cone, all)) return false;
  }
  for (const LimitCurve::Piece& piece : curve.pieces()) {
    if (piece.arc) continue;
    const Vec2& m = piece.normal;
    const auto off = [&](const Vec2& place) { return cross(m, slip_at(place, q)); };
    Vec2 first = Vec2::Zero(), last = Vec2::Zero();  // where the line enters and leaves
    double least = infinity, most = -infinity;
    for (const Vec2& a : places)
      for (const Vec2& b : places) {
        const double x = off(a), y = off(b);
        if (!(x < -slack && y > slack)) continue;
        const Vec2 at = a + (b - a) * (x / (x - y));
        const double along = cross(m, at);
        if (along < least) first = at;
        if (along > most) last = at;
        least = std::min(least, along);
        most = std::max(most, along);
      }
    if (least > most) continue;
    if (support.radius > 0) {
      const Vec2 centre = scaled.scaled(support.at);
      const double radius = (places.back() - centre).norm(), height = m.dot(first - centre);
      const double half = std::sqrt(std::max(0.0, (radius - height) * (radius + height)));
      first = centre + height * m - half * plane::left(m);
      last = centre + height * m + half * plane::left(m);
    }
    const bool faces_first = m.dot(slip_at(first, q)) > slack,
               faces_last = m.dot(slip_at(last, q)) > slack;
    // One that answers both ways alike, wheels turned about their middle among them, faces anyway.
    if (!faces_first && !faces_last && !either_way(curve)) continue;
    if (!all.add_equal(load_of(first, plane::left(m)).normalized())) {
      all.unique = wide;
      return false;
    }
    if (either_way(curve)) continue;
    if (faces_first) all.least.push_back(load_of(first, m).normalized());
    if (faces_last) all.least.push_back(load_of(last, m).normalized());
  }
  return true;
}

// The cells of a grid.  Most are in blocks that one vertex answers, whose slips are to be on one
// side of a border of its cone.  They are at all corners if they are at the two farthest along the
// border and against it: cross(border, slip) = cross(border, v) + ω border·place.
class GridSlips {
 public:
  GridSlips(const ScaledSlider& scaled, const Support& grid, const Vec3& q, double depth,
            Conditions& all)
      : scaled_(scaled), grid_(grid), q_(q), depth_(depth), all_(all) {
    for (const LimitCurve::Piece& piece : grid.curve.pieces())
      vertices_.emplace_back().cone = grid.curve.normals(piece.from).value_or(NormalCone{});
  }

  bool add() {
    if (!add_block(0, grid_.pressures.rows(), 0, grid_.pressures.cols())) return false;
    for (const Vertex& vertex : vertices_)
      for (const Farthest& far : vertex.farthest)
        if (far.side > -infinity && !add_cone(far.at, vertex.cone, all_)) return false;
    return true;
  }

 private:
  struct Farthest {
    double side = -infinity;
    Vec2 at = Vec2::Zero();
  };
  struct Vertex {
    NormalCone cone;
    Farthest farthest[4];  // along cone.first, against it, along cone.last, against it
  };

  Vec2 corner(Eigen::Index row, Eigen::Index column) const {
    return scaled_.scaled(
        Vec2(grid_.at + grid_.cell * Vec2(static_cast<double>(column), static_cast<double>(row))));
  }

  void take(Vertex& vertex, const Vec2& place) {
    const double first = vertex.cone.first.dot(place), last = vertex.cone.last.dot(place);
    const double sides[] = {first, -first, last, -last};
    for (int k = 0; k < 4; ++k)
      if (sides[k] > vertex.farthest[k].side) vertex.farthest[k] = {sides[k], place};
  }

  // Rows and columns from the first to before the last.
  bool add_block(Eigen::Index row, Eigen::Index rows, Eigen::Index column, Eigen::Index columns) {
    const Vec2 places[] = {corner(row, column), corner(row, columns), corner(rows, columns),
                           corner(rows, column)};
    if (rows - row == 1 && columns - column == 1)
      return grid_.pressures(row, column) == 0 || add_cell(row, column);
    const Vec2 slip = slip_at(0.5 * (places[0] + places[2]), q_);
    Vertex& vertex = vertices_[farthest_vertex(grid_.curve, slip)];
    const NormalCone& cone = vertex.cone;
    const bool one_border = cone.kind == NormalCone::Kind::halfplane;
    if ((one_border || cone.kind == NormalCone::Kind::wedge) &&
        std::all_of(std::begin(places), std::end(places), [&](const Vec2& place) {
          const Vec2 s = slip_at(place, q_);
          return cross(cone.first, s) > 0 && (one_border || cross(s, cone.last) > 0);
        })) {
      for (Eigen::Index i = row; i < rows; ++i) {
        Eigen::Index from = column, to = columns;
        while (from < to && grid_.pressures(i, from) == 0) ++from;
        while (from < to && grid_.pressures(i, to - 1) == 0) --to;
        if (from == to) continue;
        for (const Eigen::Index j : {from, to}) {
          take(vertex, corner(i, j));
          take(vertex, corner(i + 1, j));
        }
      }
      return true;
    }
    const Eigen::Index i = (row + rows) / 2, j = (column + columns) / 2;
    if (rows - row > columns - column)
      return add_block(row, i, column, columns) && add_block(i, rows, column, columns);
    return add_block(row, rows, column, j) && add_block(row, rows, j, columns);
  }

  bool add_cell(Eigen::Index row, Eigen::Index column) {
    const Vec2 low =
        grid_.at + grid_.cell * Vec2(static_cast<double>(column), static_cast<double>(row));
    const double c = grid_.cell;
    return add_part(scaled_, grid_, {low, low + Vec2(c, 0), low + Vec2(c, c), low + Vec2(0, c)}, q_,
                    depth_, all_);
  }

  const ScaledSlider& scaled_;
  const Support& grid_;
  const Vec3& q_;
  double depth_;
  Conditions& all_;
  std::vector<Vertex> vertices_;
};

// A segment whose slips all have one direction, fixed by an arc or a flat: its rotation centre is
// on its line, anywhere beyond its ends; or anywhere, where the law answers both ways alike.
bool add_line(const ScaledSlider& scaled, const Support& support, const Vec3& q, Conditions& all) {
  const LimitCurve& curve = support.curve;
  // The direction of both ends' slips is that of the faster: one of them may be at rest.
  const Vec2 a = slip_at(scaled.scaled(support.at), q), b = slip_at(scaled.scaled(support.to), q);
  const Vec2& slip = a.norm() > b.norm() ? a : b;
  for (const Vec2& end : {support.at, support.to}) {
    const Vec2 at = scaled.scaled(end);
    const double slack = scaled.slip_slack(at, q);
    if (slip.norm() <= slack) return false;
    const auto flat = flat_facing(curve, slip, slack);
    const Vec2 n = flat ? curve.pieces()[*flat].normal : Vec2(slip.normalized());
    const auto kind = either_way(curve) ? NormalCone::Kind::line : NormalCone::Kind::ray;
    if (!add_cone(at, {.kind = kind, .first = n, .last = n}, all)) return false;
  }
  return true;
}

}  // namespace

bool add_slips(const ScaledSlider& scaled, const Support& support, const Vec3& q, double depth,
               Conditions& all) {
  if (support.tangential) return add_turned(scaled, support, q, all);
  const LimitCurve& curve = support.curve;
  if (support.shape == Support::Shape::segment) {
    const Vec2 a = scaled.scaled(support.at), b = scaled.scaled(support.to);
    const Vec2 u = slip_at(a, q), v = slip_at(b, q);
    const double slack =
        scaled.slip_slack(a, q) + scaled.slip_slack(b, q) + depth * (b - a).norm() * q.norm();
    const bool rests = std::min(u.norm(), v.norm()) <= slack;
    const bool one_way = (rests || u.dot(v) > 0 || either_way(curve)) &&
                         std::abs(cross(u, v)) <= slack * (u.norm() + v.norm());
    const Vec2& slip = u.norm() > v.norm() ? u : v;
    if (one_way && depth <= 1e-6 &&
        (curve.pieces().empty() || flat_facing(curve, slip, slack).has_value() ||
         (curve.has_arcs() && meets_arcs(curve, {u, v}, 0))))
      return add_line(scaled, support, q, all);
  }
  if (curve.pieces().empty()) return false;
  if (support.shape == Support::Shape::grid) return GridSlips(scaled, support, q, depth, all).add();
  return for_each_part(support, [&](const Places& places) {
    return add_part(scaled, support, places, q, depth, all);
  });
}

}  // namespace stiction
