// SPDX-License-Identifier: Apache-2.0
//
// The convex hull of points in up to five dimensions.
//
//   project    Wolfe's method: the nearest point y of the hull of a few points, then the point that
//              is farthest along x − y joins them, until none is farther than y
//   gauge      min { Σ λ_i : Σ λ_i p_i = f, λ ≥ 0 } by the simplex method, with a basis of d points
//   facets     double description: the cone of all (n, b) with n·p_i ≤ b, cut by one point after
//              another
//
// None of them needs points in general position.  Reference: P. Wolfe, "Finding the nearest point
// in a polytope", Mathematical Programming 11 (1976).
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "law/double_description.h"
#include "law/nearest_point.h"
#include "stiction/section.h"

namespace stiction {

namespace {

double largest(const UpTo6& v) { return v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff(); }

// Σ|a_i b_i|, what the rounding of a dot product is measured by.
double dot_terms(const UpTo6& a, const UpTo6& b) { return a.cwiseAbs().dot(b.cwiseAbs()); }

// The farthest of the points along v.
std::size_t farthest(const std::vector<UpTo6>& points, const UpTo6& v) {
  std::size_t best = 0;
  double most = -infinity;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const double power = points[i].dot(v); power > most) {
      most = power;
      best = i;
    }
  return best;
}

// Along v divided by its size, so that nothing overflows.
UpTo6 of_order_one(const UpTo6& v) {
  const double m = largest(v);
  return m > 0 ? UpTo6(v / m) : v;
}

void require_points(const std::vector<UpTo6>& points) {
  if (points.empty()) throw InvalidInput("points is empty, expected at least one");
  if (points.size() > 1000)
    throw InvalidInput("points are " + std::to_string(points.size()) + ", expected at most 1000");
  const Eigen::Index d = points[0].size();
  if (d < 1) throw InvalidInput("points[0] has no coordinates, expected 1 to 5");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string name = "points[" + std::to_string(i) + "]";
    if (points[i].size() != d)
      throw InvalidInput(name + " has " + std::to_string(points[i].size()) +
                         " coordinates, expected " + std::to_string(d));
    for (Eigen::Index k = 0; k < d; ++k)
      if (const double x = std::abs(points[i][k]); !(x == 0 || (x >= 1e-150 && x <= 1e150)))
        throw InvalidInput(name + "[" + std::to_string(k) + "] is " + text(points[i][k]) +
                           ", expected zero or a number from 1e-150 to 1e150 in size");
  }
}

// Points that are in the hull of the others to rounding of the largest drop out, the first of equal
// ones stays.
std::vector<UpTo6> corners_of(std::vector<UpTo6> points, double size) {
  for (std::size_t i = points.size(); i-- > 0 && points.size() > 1;) {
    const UpTo6 point = points[i];
    std::vector<UpTo6> others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const UpTo6 nearest = nearest_of(others, UpTo6(point / size), 1 / size).point;
    if (largest(point / size - nearest) <= rounding) points = std::move(others);
  }
  return points;
}

}  // namespace

Polytope::Polytope(const std::vector<UpTo6>& points) {
  require_points(points);
  dimension_ = static_cast<int>(points[0].size());
  for (const UpTo6& point : points) size_ = std::max(size_, largest(point));
  if (size_ == 0) {
    size_ = 1;
    vertices_ = {points[0]};
    return;
  }
  vertices_ = corners_of(points, size_);
  const UpTo6 origin = UpTo6::Zero(dimension_);
  if (const UpTo6 nearest = nearest_of(vertices_, origin, 1 / size_).point;
      largest(nearest) > rounding)
    throw InvalidInput("points do not surround the origin, which is " +
                       text(size_ * nearest.norm()) + " from them, expected it among them");
}

double Polytope::support(const UpTo6& v) const {
  double h = 0;  // 0 ∈ C
  for (const UpTo6& point : vertices_) h = std::max(h, point.dot(v));
  return h;
}

SectionFace Polytope::face(const UpTo6& slip) const {
  const UpTo6 v = of_order_one(slip);
  const UpTo6& best = vertices_[farthest(vertices_, v)];
  SectionFace face{.point = best, .whole = v.isZero(0), .hull = {}};
  for (const UpTo6& point : vertices_)
    if (best.dot(v) - point.dot(v) <= rounding * (dot_terms(best, v) + dot_terms(point, v)))
      face.hull.push_back(point);
  face.unique = face.hull.size() <= 1;
  if (face.unique) face.hull.clear();
  return face;
}

// Around the origin the projection is homogeneous, wherever the face that it ends on passes through
// the origin or f is inside: there that of a small f is found for a large one, so that it is as
// exact as f and not only as the points.
Polytope::Nearest Polytope::nearest(const UpTo6& f) const {
  // Beyond 2^60 times the polytope the direction alone decides.
  UpTo6 scaled = f / size_;
  if (const double far = largest(scaled); far > 0x1p60)
    scaled = far < infinity ? UpTo6(scaled * (0x1p60 / far)) : UpTo6(of_order_one(f) * 0x1p60);
  const auto inside = [&](const UpTo6& x, const NearestPoint& at) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return at.along.cols() == dimension_ || largest(x - at.point) <= 4 * eps * largest(x);
  };
  if (const double small = largest(f) / size_; small < 0.25 && small > 0) {
    const UpTo6 large = 0.25 * of_order_one(f);
    const NearestPoint at = nearest_of(vertices_, large, 1 / size_);
    if (inside(large, at)) return {f, at.along};
    if (at.through_origin) return {at.along * (at.along.transpose() * f), at.along};
  }
  const NearestPoint at = nearest_of(vertices_, scaled, 1 / size_);
  if (at.kept == 1) return {vertices_[index_of(vertices_, at.point, 1 / size_)], at.along};
  if (inside(scaled, at)) return {f, at.along};
  return {size_ * at.point, at.along};
}

SectionProjection Polytope::project_with_derivative(const UpTo6& f) const {
  const Nearest at = nearest(f);
  return {at.point, at.along * at.along.transpose()};
}

namespace {

// min { Σ λ_i : Σ λ_i p_i = f, λ ≥ 0 } by the simplex method.  The basis starts with unit vectors
// that stand for no point.  A first round, in which they alone cost, drives them out; those that
// cannot leave (a flat polytope) must end at zero, and stay there in the second.
class GaugeProgram {
 public:
  GaugeProgram(const std::vector<UpTo6>& points, double size, const Eigen::VectorXd& f)
      : points_(points), size_(size), f_(f), d_(f.size()), B_(Eigen::MatrixXd::Zero(d_, d_)) {
    for (Eigen::Index k = 0; k < d_; ++k) {
      B_(k, k) = f[k] < 0 ? -1 : 1;
      basis_[static_cast<std::size_t>(k)] = no_point;
    }
  }

  // Σ λ_i for points divided by their size; infinite where no λ gives f.
  double solve() {
    for (const bool second : {false, true}) {
      for (int steps = 0; steps < most_steps && step(second); ++steps) {
      }
      const Eigen::MatrixXd inverse = B_.inverse();
      const Eigen::VectorXd level = inverse * f_;
      const Eigen::VectorXd terms = inverse.cwiseAbs() * f_.cwiseAbs();
      double left = 0, allowed = 0, sum = 0;
      for (Eigen::Index k = 0; k < d_; ++k) {
        allowed += rounding * (1 + terms[k]);
        (is_point(k) ? sum : left) += std::abs(level[k]);
      }
      if (left > allowed) return infinity;
      if (second) return sum;
    }
    return infinity;
  }

 private:
  static constexpr int no_point = -1, most_steps = 10000;
  // A number that should be zero is one to this part of the terms that it is summed from: the
  // inverse of the basis may have lost half the digits.
  static constexpr double noise = 1e-9;

  bool is_point(Eigen::Index k) const { return basis_[static_cast<std::size_t>(k)] != no_point; }

  // One point enters the basis and another leaves.  Bland's rule: the first that gains, and of
  // those that leave at once the first.  False where none gains.
  bool step(bool second) {
    const Eigen::MatrixXd inverse = B_.inverse();
    Eigen::VectorXd price(d_);
    for (Eigen::Index k = 0; k < d_; ++k) price[k] = is_point(k) == second ? 1 : 0;
    const Eigen::VectorXd dual = inverse.transpose() * price, level = inverse * f_;
    const double cost = second ? 1 : 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (std::find(basis_.begin(), basis_.begin() + d_, static_cast<int>(i)) !=
          basis_.begin() + d_)
        continue;
      const Eigen::VectorXd p = points_[i] / size_;
      if (!(dual.dot(p) - cost > rounding * (dual.cwiseAbs().dot(p.cwiseAbs()) + cost))) continue;
      const Eigen::VectorXd change = inverse * p;
      const Eigen::VectorXd terms = inverse.cwiseAbs() * p.cwiseAbs();
      const Eigen::Index leaves = leaving(level, change, terms, second);
      if (leaves < 0) continue;  // a gain by rounding: the sum of λ has an end, as 0 ∈ C
      B_.col(leaves) = p;
      basis_[static_cast<std::size_t>(leaves)] = static_cast<int>(i);
      return true;
    }
    return false;
  }

  Eigen::Index leaving(const Eigen::VectorXd& level, const Eigen::VectorXd& change,
                       const Eigen::VectorXd& terms, bool second) const {
    Eigen::Index leaves = -1;
    double least = infinity;
    for (Eigen::Index k = 0; k < d_; ++k) {
      const bool held = second && !is_point(k) && std::abs(change[k]) > noise * terms[k];
      if (!held && !(change[k] > noise * terms[k])) continue;
      const double ratio = held ? 0 : std::max(0.0, level[k]) / change[k];
      const bool first =
          leaves >= 0 && ratio == least &&
          basis_[static_cast<std::size_t>(k)] < basis_[static_cast<std::size_t>(leaves)];
      if (ratio < least || first) {
        least = ratio;
        leaves = k;
      }
    }
    return leaves;
  }

  const std::vector<UpTo6>& points_;
  double size_;
  const Eigen::VectorXd& f_;
  Eigen::Index d_;
  Eigen::MatrixXd B_;
  std::array<int, 5> basis_{};  // index of the point
};

}  // namespace

double Polytope::gauge(const UpTo6& force) const {
  const double m = largest(force);
  if (m == 0) return 0;
  const Eigen::VectorXd f = force / m;
  return GaugeProgram(vertices_, size_, f).solve() * (m / size_);
}

std::vector<HalfSpace> Polytope::half_spaces() const {
  std::vector<UpTo6> scaled;
  for (const UpTo6& point : vertices_) scaled.push_back(point / size_);
  std::vector<HalfSpace> result;
  for (HalfSpace& half : facets_of(scaled, dimension_)) {
    half.offset = support(half.normal);  // exact for the points as they are
    result.push_back(std::move(half));
  }
  return result;
}

}  // namespace stiction
