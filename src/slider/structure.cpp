// SPDX-License-Identifier: Apache-2.0
//
// Vertices: two motions have one load if every slip of theirs has one force.  Where the law is
// curved the slips must be parallel; at more than one place, for all motions about places on the
// line through them, and no others.  So the curved supports are on a line, and a walk along it
// shows where the load stays.  With fewer curved supports there are edges: a continuum of such
// loads.
#include "slider/structure.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "part_of.h"

namespace stiction {

namespace {

using Shape = LimitCurve::Shape;

// The dimension that vectors span with Σ v vᵀ, those beyond `least` of the largest counted.
Eigen::Index rank(const Eigen::Matrix3d& sum, double least) {
  const Vec3 squares = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvalues();
  return (squares.array() > least * squares[2]).count();
}

class Surface {
 public:
  // Scaled by a load that no motion of interest is across.
  explicit Surface(const Slider& slider)
      : slider_(slider), scaled_(slider, {.fx = 0, .fy = 0, .moment = 1}) {}

  // Nothing where it was stopped.
  std::optional<bool> has_volume(const Progress& progress) const {
    if (!(scaled_.strength() > 0)) return false;
    Eigen::Matrix3d differences = Eigen::Matrix3d::Zero();
    const Vec3 first = load_at(Vec3(0.36, 0.48, 0.8));
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y) {
        if (progress && !progress((5 * (x + 2) + y + 2) / 25.0)) return {};
        for (int z = -2; z <= 2; ++z)
          if (x != 0 || y != 0 || z != 0) {
            const Vec3 d = load_at(Vec3(x + 0.1, y + 0.2, z + 0.3)) - first;
            differences += d * d.transpose();
            if (rank(differences, 1e-6) == 3) return true;  // beyond doubt, with those so far
          }
      }
    return rank(differences, 1e-15) == 3;
  }

  OrReason<std::vector<Facet>> facets(const Progress& progress) const {
    return surface_facets(slider_, scaled_, progress);
  }
  OrReason<std::vector<Vertex>> vertices() const;

 private:
  Vec3 load_at(const Vec3& q) const {
    return scaled_.scaled(load(slider_, scaled_.motion(q)).load.vector());
  }
  Vec3 row(const Vec2& place, const Vec2& along) const {
    return scaled_.scaled(load_of(place, along)).normalized();
  }

  const Slider& slider_;
  ScaledSlider scaled_;
};

// Where the curved laws press: places on one line, or all over.
struct Curved {
  std::vector<Vec2> places;  // points, and both ends of segments
  bool spread = false;       // over an area
};

OrReason<std::vector<Vertex>> Surface::vertices() const {
  const std::string continuum = "a continuum of loads has more than one motion each";
  Curved curved;
  for (const Support& s : slider_.supports()) {
    if (!carries(s)) continue;
    if (s.curve.shape() == Shape::clipped || (s.tangential && s.curve.shape() != Shape::ellipse))
      return {.value = {}, .reason = continuum};
    if (s.curve.shape() != Shape::ellipse) continue;
    curved.places.push_back(s.at);
    if (s.shape == Support::Shape::segment)
      curved.places.push_back(s.to);
    else if (s.shape != Support::Shape::point)
      curved.spread = true;
  }
  if (curved.spread) return {.value = std::vector<Vertex>{}, .reason = ""};
  // The farthest place from the first, and whether all are on the line to it.
  const double tolerance = 1e-12 * slider_.reach();
  Vec2 along = Vec2::Zero();
  for (const Vec2& place : curved.places)
    if ((place - curved.places[0]).norm() > along.norm()) along = place - curved.places[0];
  if (along.norm() <= tolerance) return {.value = {}, .reason = continuum};
  for (const Vec2& place : curved.places)
    if (std::abs(cross(along, place - curved.places[0])) > tolerance * along.norm())
      return {.value = std::vector<Vertex>{}, .reason = ""};

  // Motions about places on the line: a circle, cut where a support rests or a slip meets a flat.
  const Vec2 unit = along.normalized();
  const Vec3 e = row(curved.places[0], unit);
  const Vec3 x = e.unitOrthogonal(), y = e.cross(x);
  std::vector<double> cuts;
  const auto add_cut = [&](const Vec3& q) {
    cuts.push_back(std::atan2(y.dot(q), x.dot(q)));
    cuts.push_back(std::atan2(-y.dot(q), -x.dot(q)));
  };
  for (const Vec2& place : curved.places) add_cut(scaled_.about(scaled_.scaled(place)));
  for (const Support& s : slider_.supports()) {
    if (!carries(s) || s.curve.shape() == Shape::ellipse) continue;
    if (s.shape != Support::Shape::point)
      return {.value = {}, .reason = "not computed for a flat law under a spread pressure"};
    for (const LimitCurve::Piece& piece : s.curve.pieces()) {
      const Vec3 q = e.cross(row(s.at, Vec2(-piece.normal.y(), piece.normal.x())));
      if (q.norm() > 1e-9) add_cut(q.normalized());
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(
      std::unique(cuts.begin(), cuts.end(), [](double a, double b) { return b - a <= 1e-9; }),
      cuts.end());
  if (cuts.size() > 1 && cuts.front() + 2 * std::numbers::pi - cuts.back() <= 1e-9) cuts.pop_back();

  std::vector<Vertex> found;
  std::vector<Vec3> loads;
  const auto at = [&](double angle) -> Vec3 { return std::cos(angle) * x + std::sin(angle) * y; };
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const double from = cuts[k];
    const double to = k + 1 < cuts.size() ? cuts[k + 1] : cuts[0] + 2 * std::numbers::pi;
    // Within a segment the load changes with the centre.
    const Vec3 near = load_at(at(from + 0.25 * (to - from))),
               far = load_at(at(to - 0.25 * (to - from)));
    if ((near - far).norm() > 1e-11) continue;
    const auto bound = [&](double angle) { return normalised(slider_, scaled_.motion(at(angle))); };
    if (!loads.empty() && (loads.back() - near).norm() <= 1e-11) {  // a cut that nothing meets
      found.back().wedge[1] = bound(to);
      continue;
    }
    if (k + 1 == cuts.size() && !loads.empty() && (loads.front() - near).norm() <= 1e-11) {
      found.front().wedge[0] = bound(from);
      continue;
    }
    loads.push_back(near);
    found.push_back(
        {load(slider_, scaled_.motion(at(0.5 * (from + to)))).load, {bound(from), bound(to)}});
  }
  return {.value = found, .reason = ""};
}

}  // namespace

Structure surface_structure(const Slider& slider, const Progress& progress) {
  const Surface surface(slider);
  Structure structure;
  const std::optional<bool> volume = surface.has_volume(part_of(progress, 0, 0.25));
  if (!volume.value_or(false)) {
    structure.facets.reason = structure.vertices.reason =
        volume ? "the surface encloses no volume" : stopped;
    return structure;
  }
  structure.facets = surface.facets(part_of(progress, 0.25, 1));
  if (structure.facets.value)
    structure.vertices = surface.vertices();
  else
    structure.vertices.reason = stopped;
  return structure;
}

}  // namespace stiction
