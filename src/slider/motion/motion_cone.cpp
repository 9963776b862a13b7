// SPDX-License-Identifier: Apache-2.0
//
// All motions of a load.  With f_i the force of support i in any way the supports share the load,
// Q is a motion of it if every slip_i(Q) is in the normal cone of f_i: half planes and rays, linear
// in Q.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/plane.h"
#include "slider/motion/face_of_loads.h"
#include "slider/motion/motion_cone.h"

namespace stiction {

namespace {

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

bool add_point(const ScaledPoint& point, const Vec2& force, Conditions& all) {
  const auto normals = point.curve().normals(force);
  return normals && add_cone(point.at, *normals, all);
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

// Of the motions across e that the conditions allow, the two at the ends; nothing where one motion
// is left, or none.
std::vector<Vec3> sector(const ScaledSlider& scaled, const Conditions& all, const Vec3& e) {
  const Vec3& p = scaled.p();
  const Vec3 side = e.cross(p);
  if (side.norm() <= 1e-9) return {};
  std::vector<Vec3> rays{side.normalized(), -side.normalized()};
  for (const Vec3& a : all.least)
    for (Vec3& ray : rays) {
      const Vec3 edge = e.cross(a);
      if (a.dot(ray) >= -parallel || edge.norm() <= 1e-7) continue;
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
  // At first all that p drives; the conditions leave nothing that works against it.
  const Vec3& p = scaled.p();
  const auto B = scaled.plane();
  std::vector<Corner> corners, kept;
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 2; ++k) corners.push_back({sign * B.col(k), p});
  for (const Vec3& a : all.least) {
    if (p.dot(a) > 0 && p.cross(a).norm() <= parallel) continue;
    kept.clear();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &from = corners[k].ray, &to = corners[(k + 1) % corners.size()].ray;
      const double x = a.dot(from), y = a.dot(to);
      const bool leaves = x > parallel && y < -parallel, enters = x < -parallel && y > parallel;
      if (x >= -parallel)
        kept.push_back({from, x <= parallel && y < -parallel ? a : corners[k].side});
      if (leaves || enters)
        kept.push_back(
            {(from * std::abs(y) + to * std::abs(x)).normalized(), leaves ? a : corners[k].side});
    }
    // A side of half a turn is by way of its middle, the motion next to p.
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (kept[k].side == a && kept[k].ray.dot(kept[(k + 1) % kept.size()].ray) < -0.9) {
        const Vec3 middle = (p - a * a.dot(p)).normalized();
        kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(k) + 1, {middle, a});
        break;
      }
    corners.swap(kept);
  }
  std::vector<Vec3> rays;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Corner& corner = corners[k];
    const Vec3& before = corners[(k + corners.size() - 1) % corners.size()].side;
    if (before == corner.side && corner.side != p) continue;  // the middle of a side
    // To the last bits: sides may be close to parallel.
    const auto meeting = before.cast<long double>().cross(corner.side.cast<long double>()).eval();
    const Vec3 ray = meeting.norm() > 1e-6 ? Vec3(meeting.normalized().cast<double>()) : corner.ray;
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

// The last motion from `middle` to `ray` that has the load h p: a plane may cut a round cone
// between the places that its rows come from.
Vec3 last_with_load(const ScaledSlider& scaled, const Vec3& middle, const Vec3& ray, double h) {
  const auto has = [&](const Vec3& q) {
    return scaled.power(q, false).h - h * scaled.p().dot(q) <= scaled.noise();
  };
  if (has(ray)) return ray;
  double low = 0, high = 1;
  const auto at = [&](double t) -> Vec3 { return (middle + t * (ray - middle)).normalized(); };
  for (int k = 0; k < 50; ++k) {
    const double t = 0.5 * (low + high);
    (has(at(t)) ? low : high) = t;
  }
  return at(low);
}

// e, or the row of a flat that equals it to rounding: motions across it slip normal to that flat.
// A row of an arc carries the rounding of a force.  A slip that is normal to a flat only to that
// rounding would not count as normal.
Vec3 along_flat(const ScaledSlider& scaled, const Vec3& e) {
  for (const ScaledPoint& point : scaled.points())
    for (const LimitCurve::Piece& piece : point.curve().pieces()) {
      if (piece.arc) continue;
      const Vec3 row = load_of(point.at, plane::left(piece.normal)).normalized();
      if (row.cross(e).norm() <= 64 * scaled.noise()) return row;
    }
  return e;
}

// The motions that the forces of the points and the slips of the areas allow: their bounds, and
// their middle in `at`.  Nothing where one is left; `unique` where areas alone say so.
std::vector<Vec3> bounds_for(const ScaledSlider& scaled, const std::vector<Vec2>& forces,
                             double depth, Minimiser& at, bool& unique, bool polished = false) {
  const Vec3& p = scaled.p();
  Conditions all;
  // Supports that slip come first.  Those at rest have shares of more rounding, and those almost at
  // rest have directions of more rounding.
  constexpr double slow = 1e-4 / rounding;
  std::size_t sure = 0;
  for (const bool rests : {false, true}) {
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const ScaledPoint& point = scaled.points()[i];
      const double slip = slip_at(point.at, at.q).norm();
      if ((slip <= slow * scaled.slip_slack(point.at, at.q)) != rests) continue;
      if (!add_point(point, forces[i], all)) return {};
    }
    if (sure == 0) sure = all.equal.size();
  }
  for (const Support* area : scaled.areas())
    if (!add_slips(scaled, *area, at.q, depth, all)) {
      unique = all.unique && forces.empty();
      return {};
    }
  for (const Conditions::Round& round : all.round)
    all.least.push_back(all.equal.empty() ? round.inside : round.row);
  std::vector<Vec3> rays;
  Vec3 e = Vec3::Zero();
  if (!all.equal.empty()) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < all.equal.size(); ++k) {
      const Vec3 &first = all.equal[0], &other = all.equal[k];
      if (k < sure || sure == 0) sum += first.dot(other) < 0 ? Vec3(-other) : other;
    }
    e = along_flat(scaled, sum.normalized());
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
  // The middle of the cone has the load too; otherwise the forces were not at a vertex.  The load
  // sought has more rounding where p does little work, and where the supports carry much more than
  // that load.
  mean -= e * e.dot(mean);
  mean /= p.dot(mean);
  if (polished && all.round.empty() &&
      (mean - at.q / p.dot(at.q)).norm() <= 1e-9 * mean.norm()) {  // the middle proven before
    at.rests = nullptr;
    return bounds;
  }
  LoadFace face(scaled, mean);
  const double h = scaled.areas().empty() ? scaled.power(mean, false).h : face.power();
  double rounded = std::max({1e-12, 16 * scaled.noise(),
                             std::min(1e-10, scaled.noise() * std::max(mean.norm(), 16 / h))});
  // Points close to each other: their directions have more rounding than the power, which is level.
  if (scaled.areas().empty() &&
      h <= scaled.power(at.q / p.dot(at.q), false).h * (1 + scaled.noise()))
    rounded = std::max(rounded, 5e-11);
  const double off = face.distance(h * p) / h;
  if (!(off <= rounded)) {
    if (polished || scaled.areas().empty() || !(off <= 1e-8)) return {};
    Minimiser better = minimise_by_newton(scaled, mean, false);
    if (!(better.error <= rounded)) return {};
    bounds = bounds_for(scaled, forces, depth, better, unique, true);
    if (!bounds.empty()) at = better;
    return bounds;
  }
  if (!all.round.empty())
    for (Vec3& bound : bounds) bound = last_with_load(scaled, mean.normalized(), bound, h);
  const Minimiser before = at;
  at.q = mean;
  at.rests = nullptr;
  // A motion near the end of a wedge shows an area's crease roughly, one in the middle better.  A
  // thin wedge may be lost there.
  if (!polished && !scaled.areas().empty()) {
    const auto beyond = [&](const std::vector<Vec3>& some) {
      double most = 0;
      for (const Vec3& ray : some)
        most = std::max(most, scaled.power(ray, false).h - h * p.dot(ray));
      return most;
    };
    Minimiser inside = at;
    double least = off;
    if (off > 8 * eps) {
      const Minimiser sharper = minimise_by_newton(scaled, mean, false);
      if (sharper.error < off && (sharper.q - mean).norm() <= 1e-3 * mean.norm()) {
        inside.q = sharper.q;
        least = sharper.error;
      }
    }
    // A wedge has the load as closely as the motion found has it.  Otherwise a part of an area, too
    // small for its slips to count, lies beyond a crease and leaves that motion alone.
    if (least > std::max({4 * before.error, 16 * scaled.noise(), 64 * eps / h})) {
      at = before;
      return {};
    }
    std::vector<Vec3> better = bounds_for(scaled, forces, 0, inside, unique, true);
    const double fine = better.empty() ? infinity : beyond(better);
    const double rough = fine <= rounded ? infinity : beyond(bounds);
    if (std::min(fine, rough) > 1e-8) {  // the bounds too have the load
      at = before;
      return {};
    }
    if (fine <= std::max(rounded, rough)) {
      at = inside;
      return better;
    }
  }
  return bounds;
}

// Do two points slip, beyond doubt, by forces of arcs?  An arc fixes the direction of its slip.
bool arcs_tell(const ScaledSlider& scaled, const Vec3& q) {
  constexpr double sure = 1e-6;
  Vec3 last = Vec3::Zero();
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
    if (last.cross(row).norm() > sure * last.norm() * row.norm()) return true;
    last = row;
  }
  return false;
}

// One way in which the points share the load with the areas.
std::vector<Vec2> shares_at(const ScaledSlider& scaled, const Vec3& q) {
  if (scaled.points().empty()) return {};
  return LoadFace(scaled, q).shares(scaled.power(q, false).h / scaled.p().dot(q) * scaled.p());
}

// Bounds of the motions that have the load.  `unique`: parts of areas leave one motion, and they
// are farther from creases than q is known to.
std::vector<Vec3> bounds_around(const ScaledSlider& scaled, Minimiser& at, bool& unique) {
  const double work = scaled.p().dot(at.q);
  const std::vector<Vec2> shares = shares_at(scaled, at.q);
  // The shares have the rounding of the loads, and more where p does little work: the load sought
  // is h p over that work.  The widest slack counts whose vertex is proven by its middle: the
  // motions there leave less in doubt.
  std::vector<double> slacks;
  for (double more = at.q.norm() / work; more > 1 && more < 1e9; more /= 32)
    slacks.push_back(4 * more * scaled.noise());
  // The error of the load of q may be all in the share of one support.
  slacks.push_back(4 * std::clamp(at.error, scaled.noise(), 64 * scaled.noise()));
  std::sort(slacks.begin(), slacks.end(), std::greater<>());
  // More where supports share almost alike: a vertex a little farther off has the load, if its
  // middle proves it.
  slacks.insert(slacks.end(), {4 * scaled.noise(), 1024 * scaled.noise()});
  std::optional<std::vector<Vec2>> last;
  for (const double slack : slacks) {
    std::vector<Vec2> forces = shares;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const ScaledPoint& point = scaled.points()[i];
      forces[i] =
          on_boundary(point.curve(), forces[i], slack * (forces[i].norm() + 1 / point.strength));
    }
    if (forces == last) continue;
    // The motion found may be beyond a crease of an area by what changes the load by rounding.
    for (const double depth : {2e-3, 1e-4, 1e-6, 0.0}) {
      bool here = false;
      std::vector<Vec3> bounds = bounds_for(scaled, forces, depth, at, here);
      if (!bounds.empty()) return bounds;
      unique = here && depth == 2e-3;
      if (unique) return {};
      if (scaled.areas().empty()) break;
    }
    last = std::move(forces);
  }
  return {};
}

// At the end of a wedge where supports come to rest, their forces are known less than where they
// slip.  Beside it they slip normal to a flat, or others keep the direction of their slip.
std::vector<Vec3> bounds_beside_rest(const ScaledSlider& scaled, Minimiser& at) {
  const Vec3& p = scaled.p();
  const auto& points = scaled.points();
  const auto rests = [&](const ScaledPoint& point) {
    return slip_at(point.at, at.q).norm() <= scaled.slip_slack(point.at, at.q);
  };
  if (std::none_of(points.begin(), points.end(), rests)) return {};
  const std::vector<Vec2> shares = shares_at(scaled, at.q);
  std::vector<Vec3> ways;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScaledPoint& point = points[i];
    if (!rests(point)) {
      const Vec2 across = plane::left(slip_at(point.at, at.q)).normalized();
      for (const double sign : {1.0, -1.0})
        ways.push_back(sign * load_of(point.at, across).cross(p));
      continue;
    }
    const LimitCurve& curve = point.curve();
    const auto cone =
        curve.normals(on_boundary(curve, shares[i], 1e-3 * curve.circumscribed_radius()));
    if (cone && cone->kind == NormalCone::Kind::none)
      return {};  // inside its curve: at rest for all motions of the load
    for (const LimitCurve::Piece& piece : curve.pieces())
      if (!piece.arc) ways.emplace_back(piece.normal.x(), piece.normal.y(), 0);
  }
  const Vec3 q = at.q / p.dot(at.q);
  const double level = rounded_up(scaled, scaled.power(q, false).h, q);
  for (const Vec3& way : ways)
    for (const double step : {0.1, 1e-3}) {
      if (!(way.norm() > 1e-9)) continue;
      Minimiser beside{.q = q + step * q.norm() * way.normalized(), .error = at.error};
      beside.q /= p.dot(beside.q);
      if (!(scaled.drives(beside.q) && scaled.power(beside.q, false).h <= level)) continue;
      bool unique = false;
      std::vector<Vec3> bounds = bounds_around(scaled, beside, unique);
      if (bounds.empty()) continue;
      at = beside;
      return bounds;
    }
  return {};
}

}  // namespace

std::vector<Vec3> minimisers_around(const ScaledSlider& scaled, Minimiser& at) {
  if (arcs_tell(scaled, at.q)) return {};
  const auto& areas = scaled.areas();
  bool unique = false;
  std::vector<Vec3> bounds;
  if (at.tilt.isZero(0) && std::any_of(areas.begin(), areas.end(), [](const Support* area) {
        return flat_along(*area) != nullptr;
      })) {
    LoadFace face(scaled, at.q);
    face.nearest(face.power() / scaled.p().dot(at.q) * scaled.p());
    if (!face.unique()) at.tilt = face.towards();
  }
  if (!at.tilt.isZero(0) && !areas.empty()) {
    // On the rim of an area's facet: the other motions are all to one side of q.
    Minimiser beside =
        minimise_by_newton(scaled, at.q + 0.1 * at.q.norm() * at.tilt.normalized(), false);
    if (beside.error <= 1e-12) bounds = bounds_around(scaled, beside, unique);
    if (!bounds.empty()) {
      at = beside;
      return bounds;
    }
  }
  bounds = bounds_around(scaled, at, unique);
  if (unique) return {};
  if (bounds.empty()) bounds = bounds_beside_rest(scaled, at);
  if (!bounds.empty() || std::all_of(areas.begin(), areas.end(), [](const Support* area) {
        return area->curve.pieces().empty();
      }))
    return bounds;
  // At the end of a wedge, where a crease of an area is at its rim, q says little about the rest.
  // Another motion with the load does, or one half way to it.
  const auto B = scaled.plane();
  const Vec3 q = at.q / scaled.p().dot(at.q);
  if (at.bowl && no_other_level(scaled, q, at.bowl)) return {};
  const ScaledPower power = scaled.power(q);
  const Eigen::Matrix2d K = B.transpose() * power.K * B;
  if (const Bowl bowl = bowl_at(K, power.h, q); bowl && !at.bowl && no_other_level(scaled, q, bowl))
    return {};
  struct Side {  // of a square around q
    Vec3 from, along;
  };
  std::vector<Side> sides;
  for (int k = 0; k < 4; ++k)
    sides.push_back({(k < 2 ? 1.0 : -1.0) * B.col(k % 2), B.col(1 - k % 2)});
  std::optional<Vec3> level;
  for (const double size : {0.1, 1e-3})
    for (const Side& side : sides) {
      const double reach = size * q.norm();
      const std::optional<Vec3> other =
          level_on(scaled, q + reach * side.from, reach * side.along, power.h);
      if (!other) continue;
      if (!level) level = other;
      for (const Vec3& from : {Vec3(0.5 * (q + *other)), *other}) {
        Minimiser middle{.q = from, .error = at.error};
        bounds = bounds_around(scaled, middle, unique);
        if (bounds.empty()) continue;
        at = middle;
        return bounds;
      }
    }
  // So small a part of an area decides between the two that their powers do not tell.
  if (!level) return {};
  const Vec3 along = *level - q;
  const Vec3 low = farthest_level(scaled, q, -along, power.h),
             high = farthest_level(scaled, q, along, power.h);
  const Vec3 middle = 0.5 * (low + high);
  if (LoadFace(scaled, middle).distance(power.h * scaled.p()) <= 1e-10 * power.h) {
    at.q = middle;
    at.rests = nullptr;
  }
  return {low.normalized(), high.normalized()};
}

}  // namespace stiction
