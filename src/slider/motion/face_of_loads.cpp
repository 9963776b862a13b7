// SPDX-License-Identifier: Apache-2.0
#include "slider/motion/face_of_loads.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/plane.h"

namespace stiction {

namespace {

constexpr double near_rim = 1e-9;  // the most that a load next to the rim is off it

}  // namespace

LoadFace::LoadFace(const ScaledSlider& scaled, const Vec3& q) : scaled_(&scaled), q_(q) {
  scaled.tell();
  const Vec3 motion = scaled.motion(q).vector();
  for (const Support* area : scaled.areas()) {
    const PressureMoments moments = pressure_moments(*area);
    CentreMotion centre = centre_motion(moments, motion).motion;
    const Vec2 place = scaled.scaled(moments.centre), slip = slip_at(place, q);
    const double slack = scaled.slip_slack(place, q);
    // A ring whose law turns with it has a face where its centre rests.  A segment along a flat has
    // one where no slip is along it.
    if (area->tangential && slip.norm() <= slack) centre.slip.setZero();
    put_across_segment(*area, slip, slack, centre);
    const auto flat =
        area->curve.pieces().empty() ? std::nullopt : flat_face(*area, moments, centre);
    if (!flat) {
      PowerDerivatives sum;
      add_area(*area, 0, motion, false, sum, nullptr);
      centre_ += scaled.scaled(sum.load);
      continue;
    }
    centre_ += scaled.scaled(load_of_flat(*area, moments, *flat));
    terms_.push_back({.moments = moments, .flat = *flat});
    if (!spans_plane(*area, moments, *flat))
      terms_.back().line = {place, flat->kind == FlatFace::Kind::uniform
                                       ? plane::left(q.head<2>()).normalized()
                                       : flat->half.normalized()};
    if (flat->kind == FlatFace::Kind::uniform) {
      terms_.back().flat_area = area;
    } else {
      FaceTerm term = flat_term(*area, 0, moments, *flat);
      for (Vec3& point : term.points) point = scaled.scaled(point);
      terms_.back().area = std::move(term);
    }
  }
  const auto& points = scaled.points();
  forces_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const LimitCurve& curve = points[i].curve();
    const Vec2 slip = slip_at(points[i].at, q);
    const double slack = scaled.slip_slack(points[i].at, q);
    if (slip.norm() <= slack) {
      terms_.push_back({.point = i, .rests = true});
      if (curve.shape() == LimitCurve::Shape::segment)
        terms_.back().line = {points[i].at, plane::left(curve.pieces()[0].normal)};
      continue;
    }
    const auto& pieces = curve.pieces();
    if (const auto k = flat_facing(curve, slip, slack)) {
      forces_[i] = 0.5 * (curve.piece_end(*k) + pieces[*k].from);
      terms_.push_back({.line = {{points[i].at, plane::left(pieces[*k].normal)}},
                        .point = i,
                        .middle = forces_[i],
                        .half = 0.5 * (curve.piece_end(*k) - pieces[*k].from)});
    } else {
      forces_[i] = force_at(curve, slip).force;
    }
    centre_ += points[i].load(forces_[i]);
  }
}

Vec2 LoadFace::farthest(const Term& term, const Vec3& d) const {
  const ScaledPoint& point = scaled_->points()[term.point];
  const Vec2 slip = slip_at(point.at, d);
  if (!term.rests) return term.half.dot(slip) < 0 ? Vec2(-term.half) : term.half;
  const LimitCurve& curve = point.curve();
  if (curve.has_arcs() || slip.isZero(0)) return curve.face(slip).first;
  return curve.pieces()[farthest_vertex(curve, slip)].from;
}

Vec3 LoadFace::farthest(const Vec3& d) const {
  Vec3 sum = centre_;
  for (const Term& term : terms_) {
    const auto& points = term.area.points;
    if (term.flat_area != nullptr) {
      const Vec3 driving = scaled_->motion(d).vector();
      sum += scaled_->scaled(farthest_of_flat(*term.flat_area, term.moments, term.flat, driving));
    } else if (points.empty()) {
      sum += scaled_->points()[term.point].load(farthest(term, d));
    } else if (term.area.kind == FaceTerm::Kind::ellipse) {
      const double a = points[0].dot(d), b = points[1].dot(d);
      const double size = std::hypot(a, b);
      if (size > 0) sum += (a * points[0] + b * points[1]) / size;
    } else if (term.area.kind == FaceTerm::Kind::segment) {
      sum += points[0].dot(d) < 0 ? Vec3(-points[0]) : points[0];
    } else {
      sum += *std::max_element(points.begin(), points.end(),
                               [&](const Vec3& x, const Vec3& y) { return x.dot(d) < y.dot(d); });
    }
  }
  return sum;
}

// By the terms' own lines: a face may be as narrow as you like, and the farthest loads along a few
// given directions are then the same two corners.
Eigen::Index LoadFace::dimension() const {
  if (terms_.empty()) return 0;
  const auto& first = terms_.front().line;
  for (const Term& term : terms_) {
    if (!term.line) return 2;
    const double slack =
        rounding * (1 + first->at.norm() + term.line->at.norm() + 2 * scaled_->far());
    const Vec3 across =
        load_of(first->at, first->along).cross(load_of(term.line->at, term.line->along));
    if (across.norm() > slack) return 2;
  }
  return 1;
}

LoadFace::ToRim LoadFace::to_rim(const Vec3& target) const {
  const Vec3 n = q_.normalized(), a = n.unitOrthogonal(), b = n.cross(a);
  ToRim best;
  const auto look = [&](double angle) {
    const Vec3 d = std::cos(angle) * a + std::sin(angle) * b;
    const double depth = (farthest(d) - target).dot(d);
    if (depth < best.depth) best = {d, depth};
    return depth;
  };
  constexpr double step = std::numbers::pi / 32;
  double middle = 0, least = infinity;
  for (int k = 0; k < 64; ++k)
    if (const double depth = look(k * step); depth < least) least = depth, middle = k * step;
  for (double reach = step / 2; reach > 1e-4; reach /= 2) {
    const double low = look(middle - reach), high = look(middle + reach);
    if (std::min(low, high) >= least) continue;
    least = std::min(low, high);
    middle += low < high ? -reach : reach;
  }
  return best;
}

// The point of least norm of the face less the target, in the plane across q: the set is met by its
// farthest points along −x, x the least-norm point of their triangle so far.
Vec3 LoadFace::nearest(const Vec3& target) {
  depth_ = 0;
  if (terms_.empty()) return centre_ - target;
  const Vec3 n = q_.normalized();
  const auto seen = [&](const Vec3& load) -> Vec3 {
    const Vec3 r = load - target;
    return r - n * n.dot(r);
  };
  struct Corner {
    Vec3 towards, at;
    double share = 1;
  };
  const auto corner_towards = [&](const Vec3& d) -> Corner { return {d, seen(farthest(d))}; };
  const Vec3 start = seen(centre_);
  Corner corner[3] = {corner_towards(start.isZero(0) ? Vec3(n.unitOrthogonal()) : Vec3(-start))};
  int corners = 1;
  Vec3 x = corner[0].at;
  for (int k = 0; k < 200; ++k) {
    const double size = x.norm();
    if (size <= 4 * eps) break;
    const Corner next = corner_towards(-x);
    if (x.dot(x) - x.dot(next.at) <= 4 * eps * size) break;
    corner[corners++] = next;
    if (corners == 3) {
      const double a = n.dot(corner[0].at.cross(corner[1].at)),
                   b = n.dot(corner[1].at.cross(corner[2].at)),
                   c = n.dot(corner[2].at.cross(corner[0].at));
      const double sum = a + b + c;
      if (sum != 0 && a / sum >= 0 && b / sum >= 0 && c / sum >= 0) {  // the triangle holds it
        corner[0].share = b / sum;
        corner[1].share = c / sum;
        corner[2].share = a / sum;
        x.setZero();
        depth_ = std::min({std::abs(a) / (corner[1].at - corner[0].at).norm(),
                           std::abs(b) / (corner[2].at - corner[1].at).norm(),
                           std::abs(c) / (corner[0].at - corner[2].at).norm()});
        break;
      }
    }
    // The nearest point of the corners' edges.
    double best = size;
    Corner ends[2] = {corner[0], corner[1]};
    bool better = false;
    for (int i = 0; i < corners; ++i)
      for (int j = i + 1; j < corners; ++j) {
        const Vec3 edge = corner[j].at - corner[i].at;
        const double length = edge.squaredNorm();
        const double t = length > 0 ? std::clamp(-corner[i].at.dot(edge) / length, 0.0, 1.0) : 0.0;
        const Vec3 y = corner[i].at + t * edge;
        if (y.norm() >= best) continue;
        better = true;
        best = y.norm();
        x = y;
        ends[0] = corner[i];
        ends[1] = corner[j];
        ends[0].share = 1 - t;
        ends[1].share = t;
      }
    if (!better) {
      --corners;  // the shares are those of the corners before
      break;
    }
    corner[0] = ends[0];
    corner[1] = ends[1];
    corners = 2;
  }
  if (corners == 2 && x.norm() <= 4 * eps) {
    // Between two loads: inside if there are others on both sides of them.
    const Vec3 edge = corner[1].at - corner[0].at;
    const Vec3 side = n.cross(edge).normalized();
    const Vec3 left = corner_towards(side).at, right = corner_towards(-side).at;
    depth_ = infinity;
    const Vec3 around[] = {corner[0].at, right, corner[1].at, left, corner[0].at};
    for (int k = 0; k < 4; ++k)
      depth_ = std::min(depth_,
                        n.dot(around[k].cross(around[k + 1])) / (around[k + 1] - around[k]).norm());
    if (!(depth_ > 0)) depth_ = 0;
  }
  towards_ = std::max_element(corner, corner + corners, [](const Corner& a, const Corner& b) {
               return a.share < b.share;
             })->towards;
  for (const Term& term : terms_) {
    if (!is_point(term)) continue;
    Vec2 share = Vec2::Zero();
    for (int k = 0; k < corners; ++k)
      if (corner[k].share != 0) share += corner[k].share * farthest(term, corner[k].towards);
    forces_[term.point] = term.middle + share;
  }
  // Round the corners come together slowly.
  if (x.norm() > 16 * eps && x.norm() <= near_rim) {
    OnRim rim = on_rim(target);
    if (rim.left.norm() < x.norm()) {
      x = -rim.left;
      forces_ = std::move(rim.forces);
    }
  }
  return x + n * n.dot(centre_ - target);
}

// The angle, from a to b in the plane across q, of the normal of the face at a load on its rim; in
// the middle of its normals at a corner.  There the farthest load passes the one sought; the depth
// itself is level, and would tell half of the digits.
double LoadFace::normal_angle(const Vec3& target, const Vec3& a, const Vec3& b) const {
  const double zero = 16 * eps * (1 + target.norm());
  const auto passed = [&](double angle) {
    const double x = std::cos(angle), y = std::sin(angle);
    return (farthest(x * a + y * b) - target).dot(x * b - y * a);
  };
  const Vec3 towards = to_rim(target).towards;
  const double start = std::atan2(towards.dot(b), towards.dot(a));
  const auto last = [&](const auto& before) {
    constexpr double quarter = std::numbers::pi / 2;
    double low = start, high = start;
    for (double step = 1e-3; !before(low) && low > start - quarter; step *= 4) low -= step;
    for (double step = 1e-3; before(high) && high < start + quarter; step *= 4) high += step;
    while (high - low > 2 * eps) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      (before(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  return 0.5 * (last([&](double angle) { return passed(angle) < -zero; }) +
                last([&](double angle) { return passed(angle) <= zero; }));
}

std::optional<LoadFace::Flat> LoadFace::farthest_flat(const Term& term, const Vec3& d) const {
  const ScaledPoint& point = scaled_->points()[term.point];
  const Vec2 slip = slip_at(point.at, d);
  // Twice, for `farthest` takes slips for normal to a flat too.
  const double slack = 2 * scaled_->slip_slack(point.at, d);
  if (!term.rests) {
    if (std::abs(term.half.dot(slip)) > slack * term.half.norm()) return std::nullopt;
    return Flat{-term.half, term.half};
  }
  const auto k = flat_facing(point.curve(), slip, slack);
  if (!k) return std::nullopt;
  return Flat{point.curve().pieces()[*k].from, point.curve().piece_end(*k)};
}

// Each support carries the force farthest along the normal.  Flats across the normal leave a range:
// all supports on one take the same share of it.
LoadFace::OnRim LoadFace::on_rim(const Vec3& target) const {
  const Vec3 n = q_.normalized(), a = n.unitOrthogonal(), b = n.cross(a);
  const double angle = normal_angle(target, a, b);
  const Vec3 towards = std::cos(angle) * a + std::sin(angle) * b,
             along = std::cos(angle) * b - std::sin(angle) * a;
  OnRim rim{.left = target - farthest(towards), .forces = forces_};
  Vec3 way = Vec3::Zero();
  struct Edge {
    std::size_t point;
    Vec2 edge;
  };
  std::vector<Edge> edges;
  for (const Term& term : terms_) {
    if (!is_point(term)) continue;
    const ScaledPoint& point = scaled_->points()[term.point];
    Vec2 force = farthest(term, towards);
    if (std::optional<Flat> flat = farthest_flat(term, towards)) {
      if (point.load(flat->to - flat->from).dot(along) < 0) std::swap(flat->from, flat->to);
      rim.left += point.load(force - flat->from);
      way += point.load(flat->to - flat->from);
      edges.push_back({term.point, flat->to - flat->from});
      force = flat->from;
    }
    rim.forces[term.point] = term.middle + force;
  }
  if (const double length = way.dot(along); length > 0) {
    const double part = std::clamp(rim.left.dot(along) / length, 0.0, 1.0);
    for (const Edge& edge : edges) rim.forces[edge.point] += part * edge.edge;
    rim.left -= part * way;
  }
  rim.left -= n * n.dot(rim.left);
  return rim;
}

std::vector<Vec2> LoadFace::shares(const Vec3& target) {
  nearest(target);
  if (terms_.size() < 2 || depth_ > near_rim) return forces_;
  OnRim rim = on_rim(target);
  if (rim.left.norm() > near_rim) return forces_;  // areas take part
  // Little is left, but it separates corners from their neighbourhood.
  double at_rest = 0;
  for (const Term& term : terms_)
    if (term.rests) at_rest += scaled_->points()[term.point].strength;
  for (const Term& term : terms_)
    if (term.rests) rim.forces[term.point] += rim.left.head<2>() / at_rest;
  return rim.forces;
}

}  // namespace stiction
