// SPDX-License-Identifier: Apache-2.0
//
// The mesh of the limit surface: a convex hull of loads, refined from outside.
//
// A triangle with outward unit normal m is short of the surface by g(m) = H(m) − m·p, p a corner of
// it, where H(m) is the power of the motion that m stands for.  The triangle with the largest g is
// refined by the load of its motion, until none is above the tolerance.
//
// How far can a load be from the mesh?  The nearest point of the mesh is on the triangles about
// some vertex p, in a direction n within the cone of their normals m_i, so the distance is g(n) =
// H(n) − n·p.  H is convex and homogeneous: with n = Σ λ_i m_i, g(n) ≤ Σ λ_i g(m_i), and n·c ≤ 1
// for any unit vector c bounds Σ λ_i ≤ 1/min m_i·c.  Cones too wide for that are split.
#include "stiction/slider_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <queue>

#include "base/part_of.h"
#include "slider/surface/hull.h"
#include "slider/surface/surface_frame.h"

namespace stiction {

namespace {

constexpr double same = 1e-9;   // points closer than this fraction of the half width are one
constexpr double flat = 1e-10;  // a width below this fraction of another is none

[[noreturn]] void no_volume(const std::string& shape) {
  throw InvalidInput("the limit surface encloses no volume: the loads form " + shape +
                     ", and a mesh needs friction against every motion");
}

SurfaceFrame frame_of(const Slider& slider) {
  SurfaceFrame frame;
  frame.centre = slider.centre_of_pressure();
  const auto half_width = [&](const Vec3& q) {
    return 0.5 * (load(slider, Motion::of(q)).power + load(slider, Motion::of(-q)).power);
  };
  const double force = std::max(half_width(Vec3::UnitX()), half_width(Vec3::UnitY()));
  const double moment = half_width(frame.motion(Vec3::UnitZ()));
  const double reach = std::max(slider.reach(), slider.length_scale());
  if (!(force > 0) && !(moment > 0)) no_volume("a single point");
  if (!(moment > flat * force * reach)) no_volume("a flat region");
  if (!(force * reach > flat * moment)) no_volume("a line");
  frame.force = force;
  frame.moment = moment;
  return frame;
}

// Places, of which those that are one are found by their first coordinate.
class Known {
 public:
  void add(const Vec3& p) { places_.emplace(p[0], p); }
  bool has(const Vec3& p) const {
    for (auto at = places_.lower_bound(p[0] - same);
         at != places_.end() && at->first <= p[0] + same; ++at)
      if ((at->second - p).cwiseAbs().maxCoeff() <= same) return true;
    return false;
  }

 private:
  std::multimap<double, Vec3> places_;
};

class Refinement {
 public:
  Refinement(const Slider& slider, double tolerance, std::size_t most_vertices,
             const Progress& progress)
      : slider_(slider),
        frame_(frame_of(slider)),
        tolerance_(tolerance),
        most_vertices_(most_vertices) {
    start();
    for (const Vec3& q : special_motions(slider, part_of(progress, 0, 0.5))) {
      const double share = static_cast<double>(loads_.size()) / static_cast<double>(most_vertices);
      if (share >= 1 || (progress && !progress(0.5 + 0.5 * share))) break;
      take(q);
    }
    for (int k = 0; k < 26; ++k) {  // the axes, the diagonals and what is between
      const int code = k < 13 ? k : k + 1;
      take(frame_.motion(Vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1).normalized()));
    }
  }

  void refine(const Progress& progress) {
    const std::size_t most = loads_.size() + most_vertices_;
    for (std::size_t t = 0; t < hull_.triangles().size(); ++t)
      if (hull_.triangles()[t].alive) look_at(static_cast<int>(t));
    while (!queue_.empty() && loads_.size() < most) {
      const auto [gap, triangle] = queue_.top();
      queue_.pop();
      if (!hull_.triangles()[static_cast<std::size_t>(triangle)].alive) continue;
      // Gaps shrink like the number of triangles grows: the share of those needed.
      if (progress && !progress(std::min(1.0, tolerance_ / gap))) return;
      take(frame_.motion(hull_.normal(triangle)), triangle);
    }
  }

  SurfaceMesh mesh() const;

 private:
  // Of each load the flats that it is on.
  std::vector<std::vector<int>> loads_on_flats() const;
  LoadSet load_of(const Vec3& q) const { return load(slider_, Motion::of(q)); }
  void start();
  void take(const Vec3& q, int seen = -1);
  void take_point(const Vec3& P, const Vec3& q, int seen, bool may_be_known);
  void look_at(int triangle);

  const Slider& slider_;
  SurfaceFrame frame_;
  double tolerance_;
  std::size_t most_vertices_;  // of flats, and of the rest
  Hull hull_;
  std::vector<Vec3> loads_, motions_;  // of the hull's vertices
  std::vector<Motion> flats_;
  Known known_points_, known_flats_;
  std::priority_queue<std::pair<double, int>> queue_;
};

// Four loads that span a volume.  No width along two directions across a line, or along the normal
// of a plane, means that no load leaves it.
void Refinement::start() {
  const auto apart = [&](const Vec3& m, Vec3& low, Vec3& high) {
    const Vec3 q = frame_.motion(m);
    const LoadSet up = load_of(q), down = load_of(-q);
    high = up.unique ? up.load.vector() : rim(up, q, frame_, tolerance_).loads[0];
    low = down.unique ? down.load.vector() : rim(down, -q, frame_, tolerance_).loads[0];
    return up.power + down.power;
  };
  std::array<Vec3, 4> P;
  std::array<Vec3, 4> p;
  std::array<Vec3, 4> q;
  const auto set = [&](std::size_t k, const Vec3& load, const Vec3& m) {
    P[k] = load;
    p[k] = frame_.point(load);
    q[k] = frame_.motion(m);
  };
  Vec3 low, high;
  const Vec3 z = Vec3::UnitZ();
  apart(z, low, high);
  set(0, high, z);
  set(1, low, -z);
  const Vec3 axis = (p[0] - p[1]).normalized(), across = axis.unitOrthogonal();
  double widest = 0;
  for (const Vec3& m : {across, Vec3(axis.cross(across))}) {
    const double width = apart(m, low, high);
    if (width <= widest) continue;
    widest = width;
    const bool up = m.dot(frame_.point(high) - p[0]) > -m.dot(frame_.point(low) - p[0]);
    set(2, up ? high : low, up ? m : Vec3(-m));
  }
  if (!(widest > flat)) no_volume("a line");
  const Vec3 m = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
  if (!(apart(m, low, high) > flat)) no_volume("a flat region");
  const bool up = m.dot(frame_.point(high) - p[0]) > -m.dot(frame_.point(low) - p[0]);
  set(3, up ? high : low, up ? m : Vec3(-m));
  if (!hull_.start(p)) no_volume("a flat region");
  loads_.assign(P.begin(), P.end());
  motions_.assign(q.begin(), q.end());
  for (const Vec3& point : p) known_points_.add(point);
}

void Refinement::take_point(const Vec3& P, const Vec3& q, int seen, bool may_be_known) {
  const Vec3 p = frame_.point(P);
  if (may_be_known && known_points_.has(p)) return;
  const bool sees =
      seen >= 0 && hull_.triangles()[static_cast<std::size_t>(seen)].alive && hull_.sees(p, seen);
  if ((sees ? hull_.insert(p, seen) : hull_.insert(p)) < 0) return;
  loads_.push_back(P);
  motions_.push_back(q);
  known_points_.add(p);
  if (seen < 0) return;
  for (const int t : hull_.latest()) look_at(t);
}

// The loads of a motion: the load itself, or the border of the face.
void Refinement::take(const Vec3& q, int seen) {
  const LoadSet set = load_of(q);
  if (set.unique) return take_point(set.load.vector(), q, seen, seen < 0);
  const Rim border = rim(set, q, frame_, tolerance_);
  if (border.radius <= tolerance_) return take_point(set.load.vector(), q, seen, seen < 0);
  if (border.flat) {
    const Vec3 m = frame_.normal(q).normalized();
    if (known_flats_.has(m)) return;
    known_flats_.add(m);
    flats_.push_back(Motion::of(q));
  }
  for (const Vec3& P : border.loads) take_point(P, q, seen, true);
}

void Refinement::look_at(int triangle) {
  const Vec3 m = hull_.normal(triangle);
  const int corner = hull_.triangles()[static_cast<std::size_t>(triangle)].vertex[0];
  const double gap = load_of(frame_.motion(m)).power - m.dot(hull_.vertex(corner));
  if (gap > tolerance_) queue_.emplace(gap, triangle);
}

// The largest gap in (F_x, F_y, M/ρ), from the normals about each vertex.
class ErrorBound {
 public:
  explicit ErrorBound(const Slider& slider) : slider_(slider), rho_(slider.length_scale()) {}

  struct Normal {
    Vec3 n;      // unit, in (v_x, v_y, ρω)
    double gap;  // H(n) − n·p
  };
  Normal at(const Vec3& n, const Vec3& P) const {
    const Vec3 q(n[0], n[1], n[2] / rho_);
    return {n, std::max(0.0, load(slider_, Motion::of(q)).power - q.dot(P))};
  }
  Vec3 direction(const Vec3& q) const { return Vec3(q[0], q[1], q[2] * rho_).normalized(); }

  // Of a cone of normals about P, spanned by three of them, no more than 5 % too large or no larger
  // than `least`.
  double over(const Normal& a, const Normal& b, const Normal& c, const Vec3& P, double least,
              int depth = 0) const {
    const std::array<double, 3> cosines{a.n.dot(b.n), b.n.dot(c.n), c.n.dot(a.n)};
    const auto longest = static_cast<int>(std::ranges::min_element(cosines) - cosines.begin());
    const Normal &from = longest == 0   ? a
                         : longest == 1 ? b
                                        : c,
                 &to = longest == 0   ? b
                       : longest == 1 ? c
                                      : a,
                 &third = longest == 0   ? c
                          : longest == 1 ? a
                                         : b;
    const Vec3 sum = from.n + to.n;
    const double largest = std::max({a.gap, b.gap, c.gap}), length = sum.norm();
    if (length < 1e-6 || depth > 20) return largest;  // opposite: the body would have no width
    const Vec3 middle = sum / length;
    const double spread = std::min({a.n.dot(middle), b.n.dot(middle), c.n.dot(middle)});
    if (spread > 0 && (largest <= spread * least || spread > 0.95)) return largest / spread;
    const Normal half = at(middle, P);
    return std::max(over(from, half, third, P, least, depth + 1),
                    over(half, to, third, P, least, depth + 1));
  }

 private:
  const Slider& slider_;
  double rho_;
};

std::vector<std::vector<int>> Refinement::loads_on_flats() const {
  std::vector<std::vector<int>> on_flats(loads_.size());
  for (std::size_t f = 0; f < flats_.size(); ++f) {
    const double size = frame_.normal(flats_[f].vector()).norm();
    const double power = load(slider_, flats_[f]).power;
    for (std::size_t i = 0; i < loads_.size(); ++i)
      if (power - flats_[f].vector().dot(loads_[i]) <= same * size)
        on_flats[i].push_back(static_cast<int>(f));
  }
  return on_flats;
}

SurfaceMesh Refinement::mesh() const {
  SurfaceMesh mesh;
  mesh.length_scale = slider_.length_scale();
  const ErrorBound bound(slider_);
  const std::vector<std::vector<int>> on_flats = loads_on_flats();
  // Triangles that are left, and the vertices that they use.
  std::vector<int> fresh(loads_.size(), -1);
  std::vector<int> number(hull_.triangles().size(), -1);
  std::vector<Vec3> normals;
  for (std::size_t t = 0; t < hull_.triangles().size(); ++t) {
    const Hull::Triangle& triangle = hull_.triangles()[t];
    if (!triangle.alive) continue;
    number[t] = static_cast<int>(mesh.triangles.size());
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto old = static_cast<std::size_t>(triangle.vertex[k]);
      if (fresh[old] < 0) {
        fresh[old] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(loads_[old]);
        const Vec3& q = motions_[old];
        mesh.motions.push_back(q / Vec3(q[0], q[1], q[2] * mesh.length_scale).norm());
      }
      corners[k] = fresh[old];
    }
    int facet = -1;
    for (const int f : on_flats[static_cast<std::size_t>(triangle.vertex[0])]) {
      const auto on = [&](int vertex) {
        return std::ranges::count(on_flats[static_cast<std::size_t>(vertex)], f) > 0;
      };
      if (on(triangle.vertex[1]) && on(triangle.vertex[2])) facet = f;
    }
    mesh.triangles.push_back(corners);
    mesh.facet.push_back(facet);
    normals.push_back(bound.direction(frame_.motion(hull_.normal(static_cast<int>(t)))));
  }
  mesh.facets = flats_;

  std::vector<double> gaps;
  double least = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3& P = mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][0])];
    gaps.push_back(bound.at(normals[t], P).gap);
    least = std::max(least, gaps.back());
  }
  mesh.max_error = least;
  // About each vertex: a fan of cones, each from the first triangle to two that share an edge.
  std::vector<bool> done(mesh.vertices.size(), false);
  for (std::size_t t = 0; t < hull_.triangles().size(); ++t) {
    if (number[t] < 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const int old = hull_.triangles()[t].vertex[k], v = fresh[static_cast<std::size_t>(old)];
      if (done[static_cast<std::size_t>(v)]) continue;
      done[static_cast<std::size_t>(v)] = true;
      const Vec3& P = mesh.vertices[static_cast<std::size_t>(v)];
      const auto normal = [&](int triangle) {
        const auto i = static_cast<std::size_t>(number[static_cast<std::size_t>(triangle)]);
        return ErrorBound::Normal{normals[i], gaps[i]};
      };
      const auto next = [&](int triangle) {  // counter-clockwise about the vertex
        const Hull::Triangle& at = hull_.triangles()[static_cast<std::size_t>(triangle)];
        const auto j =
            static_cast<std::size_t>(std::ranges::find(at.vertex, old) - at.vertex.begin());
        return at.neighbour[(j + 2) % 3];
      };
      const int first = static_cast<int>(t);
      for (int a = next(first), b = next(a); b != first; a = b, b = next(b))
        mesh.max_error = std::max(
            mesh.max_error, bound.over(normal(first), normal(a), normal(b), P, mesh.max_error));
    }
  }
  // What rounding to the hull's grid can hide.
  const double shear = 1 + frame_.centre.norm() / mesh.length_scale;
  mesh.max_error += 2 * Hull::grid * (shear * frame_.force + frame_.moment / mesh.length_scale);
  return mesh;
}

}  // namespace

SurfaceMesh limit_surface(const Slider& slider, const SurfaceOptions& options) {
  const int n = options.resolution;
  if (n < 4 || n > 1000)
    throw InvalidInput("resolution is " + std::to_string(n) + ", expected a number from 4 to 1000");
  const auto most_vertices = static_cast<std::size_t>(4) * static_cast<std::size_t>(n * n) + 1000;
  Refinement refinement(slider, 1 - std::cos(std::numbers::pi / n), most_vertices,
                        part_of(options.progress, 0, 0.1));
  refinement.refine(part_of(options.progress, 0.1, 1));
  return refinement.mesh();
}

double enclosed_volume(const SurfaceMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int i) -> const Vec3& {
      return mesh.vertices[static_cast<std::size_t>(i)];
    };
    volume += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return volume;
}

// The mesh is convex: each triangle that the plane crosses carries the cut on from one of its edges
// to another, counter-clockwise about the normal.
std::vector<Vec3> plane_section(const SurfaceMesh& mesh, const Vec3& normal, const Vec3& through) {
  std::vector<double> height;
  for (const Vec3& P : mesh.vertices) height.push_back(normal.dot(P - through));
  const auto above = [&](int i) { return height[static_cast<std::size_t>(i)] >= 0; };
  std::map<std::pair<int, int>, std::pair<int, int>> next;  // edge (below, above) to the next one
  for (const auto& v : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
      if (above(a) == above(b) || above(a) != above(c)) continue;  // b is alone on its side
      const std::pair ab(above(a) ? b : a, above(a) ? a : b),
          bc(above(c) ? b : c, above(c) ? c : b);
      above(b) ? next.insert({bc, ab}) : next.insert({ab, bc});
    }
  std::vector<Vec3> cut;
  if (next.empty()) return cut;
  const auto first = next.begin()->first;
  auto edge = first;
  do {
    const auto low = static_cast<std::size_t>(edge.first),
               high = static_cast<std::size_t>(edge.second);
    const double t = height[low] / (height[low] - height[high]);
    const Vec3 P = height[high] == 0
                       ? mesh.vertices[high]
                       : Vec3(mesh.vertices[low] + t * (mesh.vertices[high] - mesh.vertices[low]));
    if (cut.empty() || P != cut.back()) cut.push_back(P);
    edge = next.at(edge);
  } while (edge != first);
  if (cut.size() > 1 && cut.front() == cut.back()) cut.pop_back();
  return cut;
}

}  // namespace stiction
