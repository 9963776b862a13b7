// SPDX-License-Identifier: Apache-2.0
//
// All motions of a load.  With f_i the force of support i in any way the supports share the load,
// Q is a motion of it if every slip_i(Q) is in the normal cone of f_i: half planes and rays, linear
// in Q.  Where the pressure is spread, the slips at the corners of its hull say it for the rest.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "law/plane.h"
#include "slider/scaled.h"

namespace stiction {

namespace {

struct Conditions {
  std::vector<Vec3> equal;  // row·q = 0
  std::vector<Vec3> least;  // row·q ≥ 0
  std::vector<Vec2> rests;  // places where a ray of slips ends
};

std::vector<Vec2> corners(const Support& support) {
  switch (support.shape) {
    case Support::Shape::point:
      return {support.at};
    case Support::Shape::segment:
      return {support.at, support.to};
    case Support::Shape::polygon:
      return support.vertices;
    case Support::Shape::grid: {
      const Vec2 size = support.cell * Vec2(static_cast<double>(support.pressures.cols()),
                                            static_cast<double>(support.pressures.rows()));
      return {support.at, support.at + Vec2(size.x(), 0), support.at + size,
              support.at + Vec2(0, size.y())};
    }
    default: {
      std::vector<Vec2> places;
      for (int k = 0; k < 64; ++k) {
        const double angle = 2 * std::numbers::pi * k / 64;
        places.emplace_back(support.at + support.radius * Vec2(std::cos(angle), std::sin(angle)));
      }
      return places;
    }
  }
}

// A force within rounding of the boundary, of a vertex or of zero is there.
Vec2 on_boundary(const LimitCurve& curve, const Vec2& force, double slack) {
  for (const LimitCurve::Piece& piece : curve.pieces())
    if ((piece.from - force).norm() <= slack) return piece.from;
  if (force.norm() <= slack) return Vec2::Zero();  // rounding has no direction
  for (const LimitCurve::Piece& piece : curve.pieces())
    if (const double off = piece.normal.dot(force) - piece.offset;
        !piece.arc && std::abs(off) <= slack)
      return force - off * piece.normal;
  const double gauge = curve.gauge(force);
  return std::abs(gauge - 1) * force.norm() <= 4 * slack ? Vec2(force / gauge) : force;
}

// False where the cone leaves only a motion at rest at the place.
bool add_cone(const Vec2& at, const NormalCone& cone, Conditions& all) {
  const auto row = [&](const Vec2& u) -> Vec3 { return load_of(at, u).normalized(); };
  switch (cone.kind) {
    case NormalCone::Kind::none:
      return false;
    case NormalCone::Kind::ray:
      all.equal.push_back(row(plane::left(cone.first)));
      all.least.push_back(row(cone.first));
      all.rests.push_back(at);
      break;
    case NormalCone::Kind::line:
      all.equal.push_back(row(plane::left(cone.first)));
      break;
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

bool add_point(const ScaledPoint& point, const Vec2& force, Conditions& all) {
  const auto normals = point.curve().normals(force);
  return normals && add_cone(point.at, *normals, all);
}

// The slips of a ring whose law turns with it: at the angle φ the law sees them along the tangent t
// and −n.  Their greatest and least along a direction u of the law are where u, so turned, is along
// the velocity of the centre; u is normal to a flat or along it where cones of slips end.
bool add_turned(const ScaledSlider& scaled, const Support& ring, const Vec3& q, Conditions& all) {
  const LimitCurve& curve = ring.curve;
  const Vec2 velocity = slip_at(scaled.scaled(ring.at), q);
  const double start = std::atan2(velocity.y(), velocity.x());
  std::vector<double> angles;
  for (int k = 0; k < 64; ++k) angles.push_back(start + 2 * std::numbers::pi * k / 64);
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
    for (const LimitCurve::Piece& piece : curve.pieces())
      if (!piece.arc && piece.normal.dot(seen) > 0 && std::abs(cross(piece.normal, seen)) <= slack)
        cone = {.kind = curve.shape() == LimitCurve::Shape::segment ? NormalCone::Kind::line
                                                                    : NormalCone::Kind::ray,
                .first = piece.normal,
                .last = piece.normal};
    if (!cone) cone = curve.normals(curve.face(seen).first);
    if (!cone) return false;
    cone->first = turned(cone->first);
    cone->last = turned(cone->last);
    if (!add_cone(at, *cone, all)) return false;
  }
  return true;
}

// The slips of a spread pressure under a polygonal law.  Slips normal to a flat m are those of
// places on a line across m; where it parts the pressure, the load tells where it is.  Elsewhere
// the slips of the corners stay in the cones of their vertices.
bool add_parted(const ScaledSlider& scaled, const Support& support, const Vec3& q,
                Conditions& all) {
  const LimitCurve& curve = support.curve;
  std::vector<Vec2> places = corners(support);
  const bool round = support.radius > 0;
  for (const LimitCurve::Piece& piece : curve.pieces())
    for (const double side : {1.0, -1.0})
      if (round) places.emplace_back(support.at + side * support.radius * piece.normal);
  Vec2 middle = Vec2::Zero();
  for (Vec2& place : places) {
    place = scaled.scaled(place);
    middle += place / static_cast<double>(places.size());
  }
  const double slack = 4 * scaled.slip_slack(middle, q);
  for (const Vec2& place : places) {
    // A little inside: a corner at rest or on a crease bounds what is beside it.
    const Vec2 slip = slip_at(place + 1e-7 * (middle - place), q);
    const Face face = curve.face(slip);
    if (face.kind != Face::Kind::point) return false;
    const auto cone = curve.normals(face.first);
    if (!cone || !add_cone(place, *cone, all)) return false;
  }
  for (const LimitCurve::Piece& piece : curve.pieces()) {
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
    if (round) {
      const Vec2 centre = scaled.scaled(support.at);
      const double radius = (places.back() - centre).norm(), height = m.dot(first - centre);
      const double half = std::sqrt(std::max(0.0, (radius - height) * (radius + height)));
      first = centre + height * m - half * plane::left(m);
      last = centre + height * m + half * plane::left(m);
    }
    const bool faces_first = m.dot(slip_at(first, q)) > slack,
               faces_last = m.dot(slip_at(last, q)) > slack;
    if (!faces_first && !faces_last) continue;
    all.equal.push_back(load_of(first, plane::left(m)).normalized());
    if (curve.shape() == LimitCurve::Shape::segment) continue;
    if (faces_first) all.least.push_back(load_of(first, m).normalized());
    if (faces_last) all.least.push_back(load_of(last, m).normalized());
  }
  return true;
}

// The slips of a spread pressure, one law at many places.
bool add_area(const ScaledSlider& scaled, const Support& support, const Vec3& q, Conditions& all) {
  if (support.tangential) return add_turned(scaled, support, q, all);
  const LimitCurve& curve = support.curve;
  if (curve.is_polygonal()) return add_parted(scaled, support, q, all);
  std::optional<Vec2> shared;
  for (const Vec2& corner : corners(support)) {
    const Vec2 at = scaled.scaled(corner), slip = slip_at(at, q);
    const double slack = scaled.slip_slack(at, q);
    if (slip.norm() <= slack) return false;
    std::optional<NormalCone> cone;
    for (const LimitCurve::Piece& piece : curve.pieces())
      if (!piece.arc && piece.normal.dot(slip) > 0 && std::abs(cross(piece.normal, slip)) <= slack)
        cone = {.kind = NormalCone::Kind::ray, .first = piece.normal, .last = piece.normal};
    if (!cone) {
      const Vec2 force = curve.face(slip).first;
      cone = curve.normals(on_boundary(curve, force, 4 * rounding * force.norm()));
    }
    if (!cone) return false;
    const Vec2 n = cone->first + cone->last;
    if (shared && support.shape != Support::Shape::segment && (n - *shared).norm() > 1e-9)
      return false;
    shared = n;
    if (!add_cone(at, *cone, all)) return false;
  }
  return true;
}

// Motions about a place that the conditions name are exactly so.
Vec3 snapped(const ScaledSlider& scaled, const Conditions& all, const Vec3& ray) {
  for (const Vec2& place : all.rests) {
    const Vec3 about = scaled.about(place);
    if ((about - ray).norm() <= 1e-9) return about;
  }
  return ray;
}

constexpr double parallel = 1e-12;

// The two motions across e that bound those the conditions allow; none where they leave no more
// than one.
std::vector<Vec3> sector(const ScaledSlider& scaled, const Conditions& all, const Vec3& e) {
  const Vec3& p = scaled.p();
  const Vec3 side = e.cross(p);
  if (side.norm() <= 1e-9) return {};
  std::vector<Vec3> rays{side.normalized(), -side.normalized()};
  for (const Vec3& a : all.least)
    for (Vec3& ray : rays) {
      if (a.dot(ray) >= -parallel) continue;
      const Vec3 edge = e.cross(a);
      if (edge.norm() <= parallel) return {};
      ray = (p.dot(edge) < 0 ? Vec3(-edge) : edge).normalized();
      ray = (ray - e * e.dot(ray)).normalized();  // a may be almost along e
    }
  return rays;
}

// The rays that bound the motions which the conditions allow, where those leave no line.
std::vector<Vec3> cone(const ScaledSlider& scaled, const Conditions& all) {
  // A ray, and the plane in which the cone's side to the next ray is.
  struct Corner {
    Vec3 ray, side;
  };
  // At first all that p drives, but for a margin: a half space has no corners.  The conditions
  // leave nothing that works against p, so what stays on the margin belongs on p·q = 0.
  const Vec3& p = scaled.p();
  const auto B = scaled.plane();
  std::vector<Corner> corners, kept;
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 2; ++k) corners.push_back({(sign * B.col(k) + 1e-6 * p).normalized(), p});
  for (const Vec3& a : all.least) {
    if (p.dot(a) > 0 && p.cross(a).norm() <= parallel) continue;
    kept.clear();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &from = corners[k].ray, &to = corners[(k + 1) % corners.size()].ray;
      const double x = a.dot(from), y = a.dot(to);
      if (x >= -parallel)
        kept.push_back({from, x <= parallel && y < -parallel ? a : corners[k].side});
      if ((x < -parallel && y > parallel) || (x > parallel && y < -parallel))
        kept.push_back(
            {(from * std::abs(y) + to * std::abs(x)).normalized(), x > 0 ? a : corners[k].side});
    }
    corners.swap(kept);
  }
  std::vector<Vec3> rays;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Corner& corner = corners[k];
    const Vec3& before = corners[(k + corners.size() - 1) % corners.size()].side;
    Vec3 ray = before.cross(corner.side);
    if (ray.norm() <= 1e-6)  // two corners of the margin
      ray = corner.side == p ? Vec3(corner.ray - p * p.dot(corner.ray)) : corner.ray;
    rays.push_back((ray.dot(corner.ray) < 0 ? Vec3(-ray) : ray).normalized());
  }
  return rays;
}

// A motion that no condition minds, either way.
std::optional<Vec3> free_line(const Conditions& all) {
  if (all.least.empty()) return std::nullopt;
  Vec3 line = Vec3::Zero();
  for (const Vec3& a : all.least)
    if (const Vec3 l = all.least[0].cross(a); l.norm() > line.norm()) line = l;
  line = line.norm() > 1e-9 ? line.normalized() : all.least[0].unitOrthogonal();
  for (const Vec3& a : all.least)
    if (std::abs(a.dot(line)) > parallel) return std::nullopt;
  return line;
}

// The motions that the forces of the points and the slips of the areas allow, and their middle in
// `at`; none where they leave but one.
std::vector<Vec3> bounds_for(const ScaledSlider& scaled, const std::vector<Vec2>& forces,
                             Minimiser& at) {
  const Vec3& p = scaled.p();
  Conditions all;
  // Supports that slip first: shares of those at rest are rounded more.
  std::size_t sure = 0;
  for (const bool rests : {false, true}) {
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const ScaledPoint& point = scaled.points()[i];
      const double slip = slip_at(point.at, at.q).norm();
      if ((slip <= scaled.slip_slack(point.at, at.q)) != rests) continue;
      if (!add_point(point, forces[i], all)) return {};
    }
    if (sure == 0) sure = all.equal.size();
  }
  for (const Support* area : scaled.areas())
    if (!add_area(scaled, *area, at.q, all)) return {};
  std::vector<Vec3> rays;
  Vec3 e = Vec3::Zero();
  if (!all.equal.empty()) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < all.equal.size(); ++k) {
      const Vec3 &first = all.equal[0], &other = all.equal[k];
      if (first.cross(other).norm() > 1e-9) return {};
      if (k < sure || sure == 0) sum += first.dot(other) < 0 ? Vec3(-other) : other;
    }
    e = sum.normalized();
    rays = sector(scaled, all, e);
    if (rays.empty()) return {};
  } else if (const std::optional<Vec3> line = free_line(all)) {
    rays = sector(scaled, all, *line);
    if (rays.empty()) return {};
    rays = {rays[0], *line, rays[1], -*line};
  } else {
    rays = cone(scaled, all);
  }
  Vec3 mean = Vec3::Zero();
  double size = 0;
  std::vector<Vec3> bounds;
  for (const Vec3& ray : rays) {
    const Vec3 bound = snapped(scaled, all, ray);
    if (!bounds.empty() && (bounds.back() - bound).norm() <= 1e-9) continue;
    if (!bounds.empty()) size = std::max(size, (bounds[0] - bound).norm());
    bounds.push_back(bound);
  }
  if (bounds.size() > 2 && (bounds.front() - bounds.back()).norm() <= 1e-9) bounds.pop_back();
  if (bounds.size() < 2 || size <= 1e-9) return {};
  // The middle of the bounds and of the sides between them, which may be almost opposite.
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    mean += bounds[k];
    const Vec3 side = bounds[k] + bounds[(k + 1) % bounds.size()];
    if (side.norm() > 1e-6) mean += side.normalized();
  }
  if (p.dot(mean) <= 1e-3 * std::max(mean.norm(), 1e-3))
    mean += at.q / p.dot(at.q);  // a half plane or more
  // The middle of the cone has the load too, or the forces were not at a vertex after all.  The
  // load sought is rounded by more where p does little work.
  mean -= e * e.dot(mean);
  mean /= p.dot(mean);
  const double h = scaled.power(mean).h;
  const double rounded =
      std::max({1e-12, 16 * scaled.noise(), std::min(1e-10, scaled.noise() * mean.norm())});
  if (LoadFace(scaled, mean).distance(h * p) > rounded * h) return {};
  at.q = mean;
  at.rests = nullptr;
  return bounds;
}

// Do two points slip, beyond doubt, by forces of arcs?  Each tells the direction of its slip.
bool arcs_tell(const ScaledSlider& scaled, const Vec3& q) {
  constexpr double sure = 1e-6;
  Vec3 told = Vec3::Zero();
  for (const ScaledPoint& point : scaled.points()) {
    if (!point.curve().has_arcs()) continue;
    const Vec2 slip = slip_at(point.at, q);
    if (!(sure * slip.norm() > scaled.slip_slack(point.at, q))) continue;
    const PointForce answer = force_at(point.curve(), slip);
    if (answer.bend.isZero(0)) continue;
    const double size = answer.force.norm();
    const auto& pieces = point.curve().pieces();
    if (std::any_of(pieces.begin(), pieces.end(), [&](const LimitCurve::Piece& piece) {
          return (piece.from - answer.force).norm() <= sure * size;
        }))
      continue;
    const Vec3 row = load_of(point.at, plane::left(slip));
    if (told.cross(row).norm() > sure * told.norm() * row.norm()) return true;
    told = row;
  }
  return false;
}

}  // namespace

std::vector<Vec3> minimisers_around(const ScaledSlider& scaled, Minimiser& at) {
  if (arcs_tell(scaled, at.q)) return {};
  const double work = scaled.p().dot(at.q);
  LoadFace face(scaled, at.q);
  face.nearest(scaled.power(at.q).h / work * scaled.p());
  // Rounding of the shares is that of the loads, and more where p does little work, for the load
  // sought is h p over that work.  The widest slack with a vertex that its middle proves has it:
  // the motions there leave less in doubt.
  std::vector<double> slacks;
  for (double more = at.q.norm() / work; more > 1 && more < 1e9; more /= 32)
    slacks.push_back(4 * more * scaled.noise());
  // And more where supports share almost alike: if there is a vertex a little farther, and its
  // middle proves it, the load is there.
  slacks.insert(slacks.end(), {4 * scaled.noise(), 1024 * scaled.noise()});
  std::optional<std::vector<Vec2>> last;
  for (const double slack : slacks) {
    std::vector<Vec2> forces = face.forces();
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const ScaledPoint& point = scaled.points()[i];
      forces[i] =
          on_boundary(point.curve(), forces[i], slack * (forces[i].norm() + 1 / point.strength));
    }
    if (forces == last) continue;
    std::vector<Vec3> bounds = bounds_for(scaled, forces, at);
    if (!bounds.empty()) return bounds;
    last = std::move(forces);
  }
  return {};
}

}  // namespace stiction
