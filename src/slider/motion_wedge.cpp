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

// A force within rounding of the boundary or of a vertex is there.
Vec2 on_boundary(const ScaledSlider& scaled, const Support& support, const Vec2& force) {
  const double slack =
      4 * scaled.noise() * (plane::norm(force) + scaled.strength() / support.normal_force);
  for (const LimitCurve::Piece& piece : support.curve.pieces())
    if (plane::norm(piece.from - force) <= slack) return piece.from;
  for (const LimitCurve::Piece& piece : support.curve.pieces())
    if (const double off = piece.normal.dot(force) - piece.offset;
        !piece.arc && std::abs(off) <= slack)
      return force - off * piece.normal;
  const double gauge = support.curve.gauge(force);
  return std::abs(gauge - 1) * plane::norm(force) <= 4 * slack ? Vec2(force / gauge) : force;
}

// The normal cone of the force that answers a slip; nothing where the place does not slip.
std::optional<NormalCone> cone_of(const ScaledSlider& scaled, const Support& support,
                                  const Vec2& slip, const Vec2& terms) {
  const LimitCurve& curve = support.curve;
  if (plane::norm(slip) <= 64 * eps * plane::norm(terms)) return std::nullopt;
  const auto& pieces = curve.pieces();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (pieces[k].arc || pieces[k].normal.dot(slip) <= 0) continue;
    const Vec2 along = curve.piece_end(k) - pieces[k].from;
    const double ends = plane::norm(curve.piece_end(k)) + plane::norm(pieces[k].from);
    if (std::abs(along.dot(slip)) > 64 * eps * ends * plane::norm(terms)) continue;
    return NormalCone{
        .kind = NormalCone::Kind::ray, .first = pieces[k].normal, .last = pieces[k].normal};
  }
  return curve.normals(on_boundary(scaled, support, curve.face(slip).first));
}

// False where the motion is seen to be the only one.
bool add_conditions(const ScaledSlider& scaled, const Support& support, const Minimiser& at,
                    Conditions& all) {
  if (support.normal_force == 0 || support.curve.shape() == LimitCurve::Shape::point) return true;
  if (support.tangential) return false;
  const Vec3 m = scaled.motion(at.q).vector();
  std::optional<Vec2> shared;
  for (const Vec2& place : corners(support)) {
    const Vec2 slip = slip_at(place, m);
    const Vec2 terms(std::abs(m[0]) + std::abs(m[2] * place.y()),
                     std::abs(m[1]) + std::abs(m[2] * place.x()));
    std::optional<NormalCone> cone;
    if (&support == at.resting) {
      cone = support.curve.normals(on_boundary(scaled, support, at.resting_force));
    } else {
      cone = cone_of(scaled, support, slip, terms);
    }
    if (!cone || cone->kind == NormalCone::Kind::none) return false;
    const Vec2 n = cone->first + cone->last;
    if (shared && support.shape != Support::Shape::segment && (n - *shared).norm() > 1e-9)
      return false;
    shared = n;
    const auto row = [&](const Vec2& u) -> Vec3 {
      return scaled.scaled(load_of(place, u)).normalized();
    };
    switch (cone->kind) {
      case NormalCone::Kind::ray:
        all.equal.push_back(row(plane::left(cone->first)));
        all.least.push_back(row(cone->first));
        all.rests.push_back(place);
        break;
      case NormalCone::Kind::line:
        all.equal.push_back(row(plane::left(cone->first)));
        break;
      case NormalCone::Kind::halfplane:
        all.least.push_back(row(plane::left(cone->first)));
        break;
      case NormalCone::Kind::wedge:
        all.least.push_back(row(plane::left(cone->first)));
        all.least.push_back(row(plane::right(cone->last)));
        all.rests.push_back(place);
        break;
      default:
        break;
    }
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

constexpr double slack = 1e-12;

// The two motions across e that bound those the conditions allow; none where they leave no more
// than one.
std::vector<Vec3> sector(const ScaledSlider& scaled, const Conditions& all, const Vec3& e) {
  const Vec3& p = scaled.p();
  const Vec3 side = e.cross(p);
  if (side.norm() <= 1e-9) return {};
  std::vector<Vec3> rays{side.normalized(), -side.normalized()};
  for (const Vec3& a : all.least)
    for (Vec3& ray : rays) {
      if (a.dot(ray) >= -slack) continue;
      const Vec3 edge = e.cross(a);
      if (edge.norm() <= slack) return {};
      ray = (p.dot(edge) < 0 ? Vec3(-edge) : edge).normalized();
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
    if (std::abs(a.dot(line)) > slack) return std::nullopt;
  return line;
}

}  // namespace

std::vector<Vec3> minimisers_around(const ScaledSlider& scaled, Minimiser& at) {
  Conditions all;
  for (const Support& support : scaled.slider().supports())
    if (!add_conditions(scaled, support, at, all)) return {};
  const Vec3& p = scaled.p();
  const auto B = scaled.plane();
  // All motions that p drives, but for a margin; a ray left on the margin is one p does not drive.
  constexpr double margin = 1e-6;
  std::vector<Vec3> rays, kept;
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 2; ++k) rays.push_back((sign * B.col(k) + margin * p).normalized());
  if (!all.equal.empty()) {
    Vec3 e = all.equal[0], sum = Vec3::Zero();
    for (const Vec3& other : all.equal) {
      if (e.cross(other).norm() > 1e-9) return {};
      sum += e.dot(other) < 0 ? Vec3(-other) : other;
    }
    e = sum.normalized();
    rays = sector(scaled, all, e);
    if (rays.empty()) return {};
  } else if (const std::optional<Vec3> line = free_line(all)) {
    rays = sector(scaled, all, *line);
    if (rays.empty()) return {};
    rays = {rays[0], *line, rays[1], -*line};
  } else {
    for (const Vec3& a : all.least) {
      kept.clear();
      for (std::size_t k = 0; k < rays.size(); ++k) {
        const Vec3 &from = rays[k], &to = rays[(k + 1) % rays.size()];
        const double x = a.dot(from), y = a.dot(to);
        if (x >= -slack) kept.push_back(from);
        if ((x < -slack && y > slack) || (x > slack && y < -slack))
          kept.push_back((from * std::abs(y) + to * std::abs(x)).normalized());
      }
      rays.swap(kept);
    }
    for (Vec3& ray : rays)
      if (p.dot(ray) <= 2 * margin) ray = (ray - p * p.dot(ray)).normalized();
  }
  Vec3 mean = Vec3::Zero();
  double size = 0;
  std::vector<Vec3> bounds;
  for (const Vec3& ray : rays) {
    const Vec3 bound = snapped(scaled, all, ray);
    if (!bounds.empty() && (bounds.back() - bound).norm() <= 1e-9) continue;
    if (!bounds.empty()) size = std::max(size, (bounds[0] - bound).norm());
    bounds.push_back(bound);
    mean += bound;
  }
  if (bounds.size() > 2 && (bounds.front() - bounds.back()).norm() <= 1e-9) bounds.pop_back();
  if (bounds.size() < 2 || size <= 1e-9) return {};
  if (p.dot(mean) <= 1e-3) mean += at.q / p.dot(at.q);  // a half plane or more
  // The middle of the cone has the load too, or the forces were not at a vertex after all.
  mean /= p.dot(mean);
  const double h = scaled.power(mean).h;
  if (LoadFace(scaled, mean).distance(h * p) > std::max(1e-12, 16 * scaled.noise()) * h) return {};
  at.q = mean;
  at.resting = nullptr;
  return bounds;
}

}  // namespace stiction
