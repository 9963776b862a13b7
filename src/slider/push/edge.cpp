// SPDX-License-Identifier: Apache-2.0
//
// A flat edge gives the loads of the cone over four rays: forces along the two edges of the
// friction cone at its two ends.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/roots.h"
#include "slider/supports/support_load.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_push.h"

namespace stiction {

namespace {

// The cone in (F_x, F_y, M/ρ): its rays in order around it, and inward unit normals of its faces.
struct LoadCone {
  std::vector<Vec3> rays, normals;
};

LoadCone load_cone(const Slider& slider, const Edge& edge) {
  if (!edge.from.allFinite() || !edge.to.allFinite() || edge.from == edge.to)
    throw InvalidInput("edge is from " + text(edge.from) + " to " + text(edge.to) +
                       ", expected two different points");
  if (!(std::isfinite(edge.mu) && edge.mu >= 0))
    throw InvalidInput("mu is " + text(edge.mu) + ", expected zero or more");
  const Vec2 a = edge.from - slider.body().reference, b = edge.to - slider.body().reference;
  const Vec2 along = Direction::along(b - a).unit();
  Vec2 n(-along.y(), along.x());
  if (n.dot(slider.centre_of_pressure() - a) < 0) n = -n;
  const Vec2 t(-n.y(), n.x());
  const double rho = slider.length_scale();
  constexpr double same = 1e-12;
  const double mu =
      std::min(edge.mu, 1e11);  // beyond it the rays of one end are a line to rounding
  std::vector<Vec3> rays;
  for (const Vec2& at : {a, b})
    for (const double sign : {1.0, -1.0}) {
      Vec3 ray = load_of(at, n + sign * mu * t);
      ray[2] /= rho;
      ray.normalize();
      const auto known = std::find_if(
          rays.begin(), rays.end(), [&](const Vec3& other) { return (ray - other).norm() < same; });
      if (known == rays.end())
        rays.push_back(ray);
      else
        *known = (*known + ray).normalized();
    }
  if (rays.size() == 1) {
    const Vec3 one = rays[0].unitOrthogonal(), other = rays[0].cross(one);
    return {rays, {rays[0], one, -one, other, -other}};
  }
  // Without friction, and where the edge is a point, two rays are left: a sector of a plane.
  if (rays.size() == 2) {
    const Vec3 across = rays[0].cross(rays[1]).normalized();
    return {rays, {across, -across, across.cross(rays[0]), rays[1].cross(across)}};
  }
  // A face is a pair of rays with all others on one side.
  LoadCone cone;
  std::vector<std::pair<int, int>> faces;
  const int count = static_cast<int>(rays.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      Vec3 normal = rays[static_cast<std::size_t>(i)].cross(rays[static_cast<std::size_t>(j)]);
      normal.normalize();
      double least = 0, most = 0;
      for (const Vec3& ray : rays) {
        least = std::min(least, normal.dot(ray));
        most = std::max(most, normal.dot(ray));
      }
      if (least < -same && most > same) continue;
      cone.normals.push_back(most > same ? normal : Vec3(-normal));
      faces.emplace_back(i, j);
    }
  // Around the cone: from ray to ray along its faces.
  int ray = faces[0].first;
  std::vector<char> used(faces.size(), 0);
  for (std::size_t k = 0; k < faces.size(); ++k)
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (used[f] == 0 && (faces[f].first == ray || faces[f].second == ray)) {
        used[f] = 1;
        cone.rays.push_back(rays[static_cast<std::size_t>(ray)]);
        ray = faces[f].first == ray ? faces[f].second : faces[f].first;
        break;
      }
  return cone;
}

// max over loads P of the face of min over k of n_k·P = min over convex weights of the face's
// support function at Σ λ_k n_k: convex in λ, by a search in each of at most three weights in turn.
double best_margin(const std::vector<Vec3>& normals, const Vec3& centre,
                   const std::vector<std::vector<Vec3>>& flats, const std::vector<char>& round) {
  const auto support = [&](const Vec3& m) {
    double value = centre.dot(m);
    for (std::size_t k = 0; k < flats.size(); ++k) {
      double squares = 0, most = -infinity;
      for (const Vec3& p : flats[k]) {
        squares += p.dot(m) * p.dot(m);
        most = std::max(most, p.dot(m));
      }
      value += round[k] != 0 ? std::sqrt(squares) : most;
    }
    return value;
  };
  const auto search = [&](const auto& self, std::size_t k, const Vec3& sum, double left) -> double {
    if (k + 1 == normals.size()) return support(sum + left * normals[k]);
    const auto at = [&](double part) {
      return self(self, k + 1, sum + part * normals[k], left - part);
    };
    return std::min({golden_minimum(at, 0, left, 40).value, at(0), at(left)});
  };
  if (!flats.empty()) return search(search, 0, Vec3::Zero(), 1);
  double least = infinity;
  for (const Vec3& normal : normals) least = std::min(least, normal.dot(centre));
  return least;
}

}  // namespace

EdgePush push(const Slider& slider, const Edge& edge, const Motion& motion) {
  if (!motion.vector().allFinite() || motion.vector().isZero(0))
    throw InvalidInput("motion is " + text(Vec2(motion.vx, motion.vy)) + " m/s, " +
                       text(motion.omega) + " rad/s, expected a motion");
  const LoadCone cone = load_cone(slider, edge);
  const double rho = slider.length_scale();
  const LoadSet set = load(slider, motion);
  const auto scaled = [&](Vec3 p) {
    p[2] /= rho;
    return p;
  };
  const Vec3 centre = scaled(set.load.vector());
  double size = centre.norm();
  std::vector<std::vector<Vec3>> flats;
  std::vector<char> round;
  for (const FaceTerm& term : set.terms) {
    std::vector<Vec3> points;
    for (const Vec3& p : term.points) points.push_back(scaled(p));
    for (const Vec3& p : points) size = std::max(size, p.norm());
    // A segment's half is an ellipse of one axis.
    round.push_back(term.kind == FaceTerm::Kind::ellipse || term.kind == FaceTerm::Kind::segment);
    flats.push_back(std::move(points));
  }
  EdgePush result;
  result.motion = motion;
  // What slides freely needs no push.
  result.margin = size > 0 ? best_margin(cone.normals, centre, flats, round) / size : 0;
  result.stable = result.margin >= -rounding;
  return result;
}

EdgePush push(const Slider& slider, const Edge& edge, const Vec2& rotation_centre) {
  if (!rotation_centre.allFinite())
    throw InvalidInput("rotation centre is " + text(rotation_centre) +
                       ", expected finite coordinates");
  const Vec2 c = rotation_centre - slider.body().reference;
  const EdgePush left = push(slider, edge, Motion{c.y(), -c.x(), 1}),
                 right = push(slider, edge, Motion{-c.y(), c.x(), -1});
  return right.margin > left.margin ? right : left;
}

std::vector<Motion> stable_push_bounds(const Slider& slider, const Edge& edge, int samples,
                                       const Progress& progress) {
  if (samples < 1)
    throw InvalidInput("samples is " + std::to_string(samples) + ", expected one or more");
  const LoadCone cone = load_cone(slider, edge);
  std::vector<Motion> bounds;
  for (std::size_t k = 0; k < cone.rays.size(); ++k)
    for (int i = 0; i < samples; ++i) {
      const double all = static_cast<double>(cone.rays.size()) * samples;
      if (progress && !progress(static_cast<double>(bounds.size()) / all)) return bounds;
      const double part = i / static_cast<double>(samples);
      Vec3 p = (1 - part) * cone.rays[k] + part * cone.rays[(k + 1) % cone.rays.size()];
      p[2] *= slider.length_scale();
      bounds.push_back(motion(slider, Load::of(p)).motion);
    }
  return bounds;
}

}  // namespace stiction
