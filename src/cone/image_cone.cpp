// SPDX-License-Identifier: Apache-2.0
#include "cone/image_cone.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/plane.h"
#include "stiction/friction_cone.h"

namespace stiction {

namespace {

using Eigen::Matrix3d;

Vec3 ray(const Matrix3d& T, const Vec2& f) { return T * Vec3(-f.x(), -f.y(), 1); }

Vec3 nearest_on_elliptic_cone(const PrincipalAxes& p, const Vec3& x) {
  const Vec3 y = p.axes.transpose() * x;
  const FrictionCone cone(ellipse(p.slopes.x(), p.slopes.y()));
  const Vec3 z = cone.project(Vec3(y.z(), y.x(), y.y()));
  return p.axes * Vec3(z[1], z[2], z[0]);
}

// The facet over a flat of the curve: in the cone inward·x ≥ 0.
struct Facet {
  Facet(const Matrix3d& T, const Matrix3d& inverse, const LimitCurve& curve, std::size_t i)
      : first(ray(T, curve.pieces()[i].from).normalized()),
        last(ray(T, curve.piece_end(i)).normalized()) {
    const LimitCurve::Piece& piece = curve.pieces()[i];
    const Vec3 row(piece.normal.x(), piece.normal.y(), piece.offset);  // of K
    inward = inverse.transpose() * row;
    terms = inverse.transpose().cwiseAbs() * row.cwiseAbs();
  }
  // Beyond rounding.
  bool excludes(const Vec3& x) const { return inward.dot(x) < -rounding * terms.dot(x.cwiseAbs()); }
  // The foot of x, if it is between the two rays.
  std::optional<Vec3> foot(const Vec3& x) const {
    const Vec3 normal = inward.normalized(), p = x - normal.dot(x) * normal;
    if (p.cross(last).dot(normal) < 0 || first.cross(p).dot(normal) < 0) return std::nullopt;
    return p;
  }

  Vec3 first, last, inward, terms;
};

}  // namespace

double image_support(const Matrix3d& T, const LimitCurve& curve, const Vec3& y) {
  const Vec3 w = T.transpose() * y;
  return w[2] + curve.support(-w.head<2>());
}

// P = B J Bᵀ is the inverse of the quadric, with B = T·diag(a, b, 1) in the ellipse's axes and
// J = diag(1, 1, −1).  Its great eigenvalues are those of P, its small ones those of P⁻¹, and the
// middle one follows from the determinant.
PrincipalAxes principal_axes_of_image(const Matrix3d& T, const Matrix3d& inverse,
                                      const Ellipse& ellipse) {
  const Vec2 first = ellipse.axis, second = plane::left(ellipse.axis);
  Matrix3d B = T, C = inverse;  // C = B⁻¹
  for (int i = 0; i < 3; ++i) {
    const Vec2 row(T(i, 0), T(i, 1)), column(inverse(0, i), inverse(1, i));
    B(i, 0) = ellipse.a * row.dot(first);
    B(i, 1) = ellipse.b * row.dot(second);
    C(0, i) = column.dot(first) / ellipse.a;
    C(1, i) = column.dot(second) / ellipse.b;
  }
  const Vec3 J(1, 1, -1);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> great(B * J.asDiagonal() * B.transpose());
  Vec3 values = great.eigenvalues();
  Matrix3d vectors = great.eigenvectors();
  int greatest = 0, least = 0;
  values.cwiseAbs().maxCoeff(&greatest);
  values.cwiseAbs().minCoeff(&least);
  if (std::abs(values[least]) < 1e-4 * std::abs(values[greatest])) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> small(C.transpose() * J.asDiagonal() * C);
    int at = 0;
    small.eigenvalues().cwiseAbs().maxCoeff(&at);
    const Vec3 a = vectors.col(greatest), c = small.eigenvectors().col(at);
    const Vec3 b = c.cross(a).normalized();
    const double det = B.determinant(), pa = values[greatest], pc = 1 / small.eigenvalues()[at];
    values = {pa, -(det / pa) * (det / pc), pc};
    vectors.col(0) = a;
    vectors.col(1) = b;
    vectors.col(2) = a.cross(b);
  }
  int axis = 0;
  values.minCoeff(&axis);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  if (values[i] < values[j]) std::swap(i, j);
  PrincipalAxes p;
  // Of matrices whose condition exceeds 1/rounding signs may be lost, and sizes leave all range.
  const auto slope = [&](double value) {
    const double ratio = std::sqrt(std::abs(value)) / std::sqrt(std::abs(values[axis]));
    return std::isnan(ratio) ? 1.0 : std::clamp(ratio, 1e-90, 1e90);
  };
  p.slopes = {slope(values[i]), slope(values[j])};
  if (p.slopes.x() < p.slopes.y()) {
    std::swap(p.slopes.x(), p.slopes.y());
    std::swap(i, j);
  }
  p.axes.col(0) = vectors.col(i);
  p.axes.col(2) = (vectors.col(axis).dot(T.col(2)) < 0 ? -1.0 : 1.0) * vectors.col(axis);
  p.axes.col(1) = p.axes.col(2).cross(p.axes.col(0));
  return p;
}

Vec3 nearest_in_image(const Matrix3d& T, const Matrix3d& inverse, const LimitCurve& curve,
                      const Vec3& x) {
  const Vec3 impulse = inverse * x;
  if (curve.contains(-impulse.head<2>(), impulse[2])) return x;
  if (image_support(T, curve, x) <= 0) return Vec3::Zero();
  if (curve.shape() == LimitCurve::Shape::point) {
    const Vec3 r = ray(T, Vec2::Zero());
    return r.dot(x) / r.squaredNorm() * r;
  }
  std::vector<Facet> facets;
  for (std::size_t i = 0; i < curve.pieces().size(); ++i)
    if (!curve.pieces()[i].arc) facets.emplace_back(T, inverse, curve, i);
  const auto beyond_a_facet = [&](const Vec3& p) {
    return std::any_of(facets.begin(), facets.end(), [&](const Facet& f) { return f.excludes(p); });
  };
  if (curve.has_arcs()) {
    const Vec3 p =
        nearest_on_elliptic_cone(principal_axes_of_image(T, inverse, curve.ellipse()), x);
    if (!beyond_a_facet(p)) return p;
  } else if (!beyond_a_facet(x)) {
    return x;  // on the boundary
  }
  for (const Facet& facet : facets)
    if (facet.excludes(x))
      if (const auto foot = facet.foot(x)) return *foot;
  Vec3 on_ray = Vec3::Zero();
  double reach = 0;
  for (const LimitCurve::Piece& piece : curve.pieces()) {
    const Vec3 r = ray(T, piece.from).normalized();
    if (r.dot(x) > reach) {
      reach = r.dot(x);
      on_ray = reach * r;
    }
  }
  return on_ray;
}

// The image lies in the range of T: nothing, a line or half of one, or a cone of the plane.  A unit
// vector y of the range is in the polar cone where image_support is ≤ 0; in the plane these y form
// a sector, and the nearest point is x less its component along the y nearest to it.
Vec3 nearest_in_flat_image(const Matrix3d& T, const LimitCurve& curve, const Vec3& x) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(T);
  const double size = std::max(solver.eigenvalues()[2], 0.0);
  const Vec3 u = solver.eigenvectors().col(2), v = solver.eigenvectors().col(1);
  if (size == 0) return Vec3::Zero();
  const auto outside = [&](const Vec3& y) {
    return image_support(T, curve, y) > rounding * size * (1 + curve.circumscribed_radius());
  };
  if (solver.eigenvalues()[1] <= 8 * rounding * size) {
    const double along = u.dot(x);
    return outside(along < 0 ? Vec3(-u) : u) ? Vec3(along * u) : Vec3::Zero();
  }
  const Vec3 in_plane = u.dot(x) * u + v.dot(x) * v;
  const double length = in_plane.norm();
  if (length == 0) return Vec3::Zero();
  const auto at = [&](double angle) -> Vec3 {  // from x
    const Vec3 left = (u.dot(x) * v - v.dot(x) * u) / length;
    return std::cos(angle) * in_plane / length + std::sin(angle) * left;
  };
  if (!outside(at(0))) return Vec3::Zero();
  // The polar vectors nearest to x on either side, if nearer than a right angle.
  constexpr int samples = 256;
  constexpr double right_angle = std::numbers::pi / 2;
  Vec3 best = in_plane;
  double depth = 0;
  for (const double side : {1.0, -1.0}) {
    double before = 0;
    for (int k = 1; k <= samples; ++k) {
      const double angle = right_angle * k / samples;
      if (outside(at(side * angle))) {
        before = angle;
        continue;
      }
      double low = before, high = angle;
      for (int step = 0; step < 60; ++step)
        (outside(at(side * 0.5 * (low + high))) ? low : high) = 0.5 * (low + high);
      const Vec3 y = at(side * high);
      if (y.dot(in_plane) > depth) {
        depth = y.dot(in_plane);
        best = in_plane - depth * y;
      }
      break;
    }
  }
  return best;
}

}  // namespace stiction
