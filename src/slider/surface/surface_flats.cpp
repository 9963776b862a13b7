// SPDX-License-Identifier: Apache-2.0
//
// Where the limit surface is flat or has corners.
//
//   facets            as they are listed for the slider, whatever causes them
//   all on one line   motions whose slips are all normal to the line: one load for a wedge of
//                     motions, a corner
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "slider/surface/structure.h"
#include "slider/surface/surface_frame.h"

namespace stiction {

namespace {

bool is_point(const Support& support) { return support.shape == Support::Shape::point; }

// The ends of point and segment supports, if all are on one line.
std::vector<Vec2> on_one_line(const Slider& slider) {
  std::vector<Vec2> places;
  for (const Support& support : slider.supports()) {
    if (!is_point(support) && support.shape != Support::Shape::segment) return {};
    if (!(support.normal_force > 0)) continue;
    places.push_back(support.at);
    if (!is_point(support)) places.push_back(support.to);
  }
  if (places.empty()) return {};
  const auto farther = [&](const Vec2& from) {
    return [from](const Vec2& a, const Vec2& b) { return (a - from).norm() < (b - from).norm(); };
  };
  const Vec2 end = *std::ranges::max_element(places, farther(places[0]));
  const Vec2 other = *std::ranges::max_element(places, farther(end));
  const Vec2 along = other - end;
  if (!(along.norm() > 0)) return {};
  for (const Vec2& place : places) {
    const double terms = (place.norm() + end.norm()) * along.norm();
    if (std::abs(cross(place - end, along)) > rounding * terms) return {};
  }
  std::ranges::sort(places,
                    [&](const Vec2& a, const Vec2& b) { return a.dot(along) < b.dot(along); });
  return places;
}

// A convex set of loads about the face's centre, flattened into the face's plane.
struct FlatTerm {
  bool ellipse = false;
  std::vector<Vec3> loads;
  std::vector<Vec2> points;

  Vec3 farthest(const Vec2& d) const {
    if (ellipse) {
      const double a = points[0].dot(d), b = points[1].dot(d), size = std::hypot(a, b);
      if (!(size > 0)) return Vec3::Zero();
      return (a * loads[0] + b * loads[1]) / size;
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
      if (points[k].dot(d) > points[best].dot(d)) best = k;
    return loads[best];
  }
};

FlatTerm flattened(const FaceTerm& term, const SurfaceFrame& frame, const Vec3& u, const Vec3& w) {
  FlatTerm flat;
  flat.ellipse = term.kind == FaceTerm::Kind::ellipse;
  flat.loads = term.points;
  if (term.kind == FaceTerm::Kind::segment) flat.loads.push_back(-term.points[0]);
  for (const Vec3& load : flat.loads) {
    const Vec3 p = frame.point(load);
    flat.points.emplace_back(p.dot(u), p.dot(w));
  }
  return flat;
}

double angle(const Vec2& d) { return std::atan2(d.y(), d.x()); }

}  // namespace

std::vector<Vec3> special_motions(const Slider& slider, const Progress& progress) {
  std::vector<Vec3> motions;
  const auto both = [&](const Vec3& q) {
    motions.push_back(q);
    motions.push_back(-q);
  };
  const auto turn_about = [](const Vec2& at) { return Vec3(at.y(), -at.x(), 1); };
  const std::vector<Vec2> line = on_one_line(slider);
  if (!line.empty()) {
    const Vec2 along = line.back() - line.front();
    both({-along.y(), along.x(), 0});
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      if (line[i] != line[i + 1]) both(turn_about(0.5 * (line[i] + line[i + 1])));
  }
  const ScaledSlider scaled(slider, {.fx = 0, .fy = 0, .moment = 1});
  const OrReason<std::vector<Facet>> facets = surface_facets(slider, scaled, progress);
  if (!facets.value) return motions;
  std::vector<std::pair<double, std::size_t>> sizes;
  for (std::size_t k = 0; k < facets.value->size(); ++k) {
    double size = 0;
    for (const FaceTerm& term : (*facets.value)[k].loads.terms) {
      double radius = 0;
      for (const Vec3& load : term.points) radius = std::max(radius, scaled.scaled(load).norm());
      size += radius;
    }
    sizes.emplace_back(-size, k);
  }
  std::ranges::sort(sizes);
  for (const auto& [size, k] : sizes) motions.push_back((*facets.value)[k].motion.vector());
  return motions;
}

// In direction d of the face's plane the farthest load is the sum of the terms' farthest.  Between
// the normals of two successive edges of segments and polygons that sum moves along ellipses only.
Rim rim(const LoadSet& set, const Vec3& motion, const SurfaceFrame& frame, double tolerance) {
  Rim rim;
  const Vec3 m = frame.normal(motion).normalized();
  const Vec3 u = m.unitOrthogonal(), w = m.cross(u);
  std::vector<FlatTerm> terms;
  std::vector<double> angles;
  const FlatTerm* ellipse = nullptr;
  double curved = 0;
  terms.reserve(set.terms.size());
  for (const FaceTerm& term : set.terms) {
    terms.push_back(flattened(term, frame, u, w));
    const std::vector<Vec2>& p = terms.back().points;
    double radius = 0;
    for (const Vec2& point : p) radius = std::max(radius, point.norm());
    rim.radius += radius;
    if (terms.back().ellipse) {
      curved += radius;
      if (ellipse == nullptr) ellipse = &terms.back();
      continue;
    }
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Vec2 edge = p[(k + 1) % p.size()] - p[k];
      if (edge.isZero(0)) continue;
      const Vec2 right(edge.y(), -edge.x());
      const bool outward = p.size() == 2 || right.dot(p[k]) >= 0;
      angles.push_back(angle(outward ? right : -right));
    }
  }
  if (ellipse != nullptr) {
    const Vec2 &a = ellipse->points[0], &b = ellipse->points[1];
    const double area = cross(a, b);
    const double step = std::acos(std::max(0.0, 1 - tolerance / curved));
    const int n = 4 * std::max(2, static_cast<int>(std::ceil(std::numbers::pi / step / 4)));
    for (int k = 0; k < n; ++k) {  // normal at a cos t + b sin t
      const Vec2 t = Direction::turn(k, n).unit();
      const Vec2 along = -t.y() * a + t.x() * b;
      angles.push_back(angle((area > 0 ? 1 : -1) * Vec2(along.y(), -along.x())));
    }
  }
  std::ranges::sort(angles);
  const Vec3 centre = set.load.vector();
  std::vector<Vec2> outline;
  const auto emit = [&](double at, double between) {
    Vec3 load = centre;
    for (const FlatTerm& term : terms) {
      const double t = term.ellipse ? at : between;
      load += term.farthest({std::cos(t), std::sin(t)});
    }
    const Vec3 p = frame.point(load);
    const Vec2 flat(p.dot(u), p.dot(w));
    if (!outline.empty() && (flat - outline.back()).norm() <= 1e-9 * rim.radius) return;
    if (outline.size() > 1 && (flat - outline.front()).norm() <= 1e-9 * rim.radius) return;
    outline.push_back(flat);
    rim.loads.push_back(load);
  };
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const double from = angles[k];
    const double to = k + 1 < angles.size() ? angles[k + 1] : angles[0] + 2 * std::numbers::pi;
    if (to - from <= 1e-12) continue;
    emit(from, 0.5 * (from + to));
    if (ellipse != nullptr) emit(to, 0.5 * (from + to));
  }
  double area = 0;
  for (std::size_t k = 0; k < outline.size(); ++k)
    area += cross(outline[k] - outline[0], outline[(k + 1) % outline.size()] - outline[0]) / 2;
  rim.flat = outline.size() > 2 && area > 1e-9 * rim.radius * rim.radius;
  return rim;
}

}  // namespace stiction
