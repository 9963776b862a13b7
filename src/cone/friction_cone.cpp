// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the cone over any limit curve.  With y = −x_t, K becomes {(s, f) : f ∈ sC} and
// the nearest point is x itself, or 0 for x in the polar cone, or lies on
//
//   the cone over the ellipse that C's arcs belong to, if that point is in K,
//   a facet, over a flat of C,
//   or a ray, over a vertex of C.
//
// Which of them is decided by signs, never by comparing distances: near a ray, points of the facet
// √ε apart are equally far to all digits.
#include "stiction/friction_cone.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/plane.h"
#include "base/vectorised.h"
#include "cone/disc_cone.h"

namespace stiction {

namespace {

struct Point {  // (s, f) in the cone {f ∈ sC}, that is r = (s, −f)
  double s = 0;
  Vec2 f = Vec2::Zero();
};

// The nearest point and what it lies on: the inside, the apex, the cone over an arc, the facet over
// a flat, or the ray over a vertex.
struct Nearest {
  enum class On { inside, apex, arc, facet, ray };
  Point point;
  On on = On::apex;
  std::size_t piece = 0;  // of the facet
};

// The cone over an ellipse, (f1/a)² + (f2/b)² ≤ s²; x is outside it and outside its polar cone.
// Stationarity of the distance gives, with a multiplier λ > 0,
//
//   f_i = y_i a_i²/(a_i² + λ),   s = ‖f_i/a_i‖ = σ(λ),   s (1 − λ) = x_n,
//
// so λ is the root of ψ(λ) = 1 − λ − x_n/σ(λ).  1/σ is concave and nearly linear (linear for a
// disc), and bounding a_i by the lesser and the greater axis brackets the root.
Point project_on_ellipse_cone(const Ellipse& ellipse, double x_n, const Vec2& y) {
  const Vec2 w = ellipse.to_axes(y);
  const double a2 = ellipse.a * ellipse.a, b2 = ellipse.b * ellipse.b;
  const double u = ellipse.a * w.x(), v = ellipse.b * w.y();
  const double h = std::hypot(u, v), kappa = x_n / h;
  const auto bound = [&](double axis2) { return (1 - kappa * axis2) / (1 + kappa); };
  double low = std::max(0.0, std::min(bound(a2), bound(b2)));
  double high = std::max(bound(a2), bound(b2));
  if (!(high < infinity)) high = std::numeric_limits<double>::max();
  double lambda = low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 2;
  for (int i = 0; i < 200; ++i) {
    const double p = u / (a2 + lambda), q = v / (b2 + lambda);
    const double sigma = std::hypot(p, q);
    const double psi = 1 - lambda - x_n / sigma;
    // (1/σ)′ = (p²/(a²+λ) + q²/(b²+λ)) / σ³
    const double growth =
        ((p / sigma) * (p / sigma) / (a2 + lambda) + (q / sigma) * (q / sigma) / (b2 + lambda)) /
        sigma;
    (psi > 0 ? low : high) = lambda;
    double next = lambda + psi / (1 + x_n * growth);
    if (!(next > low && next < high)) next = low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 2;
    const double change = std::abs(next - lambda);
    lambda = next;
    if (change <= 2 * std::numeric_limits<double>::epsilon() * lambda || lambda == 0) break;
  }
  const double p = u / (a2 + lambda), q = v / (b2 + lambda);
  return {std::hypot(p, q), ellipse.from_axes({ellipse.a * p, ellipse.b * q})};
}

Nearest nearest_on_cone(const LimitCurve& curve, double x_n, const Vec2& y) {
  if (curve.contains(y, x_n)) return {{x_n, y}, Nearest::On::inside};
  if (curve.support(y) <= -x_n) return {};
  const auto beyond_a_flat = [&](const Point& p) {
    return std::any_of(curve.pieces().begin(), curve.pieces().end(), [&](const auto& piece) {
      return !piece.arc && piece.normal.dot(p.f) > piece.offset * p.s;
    });
  };
  if (curve.has_arcs()) {
    const Ellipse& e = curve.ellipse();
    if (e.gauge(y) > x_n && e.support(y) > -x_n) {
      const Point p = project_on_ellipse_cone(e, x_n, y);
      if (curve.pieces().empty() || !beyond_a_flat(p)) return {p, Nearest::On::arc};
    }
  }
  Point on_ray;
  double reach = 0;
  for (std::size_t i = 0; i < curve.pieces().size(); ++i) {
    const auto& piece = curve.pieces()[i];
    if (!piece.arc) {
      // The facet over n·f = b s: its direction of steepest descent is (c, s n), tan = b.
      const double length = std::hypot(1.0, piece.offset);
      const double c = 1 / length, s = piece.offset / length;
      const double up = c * x_n + s * piece.normal.dot(y);
      const Vec2 along = plane::left(piece.normal);
      const double t = along.dot(y), level = up * c;
      if (up > 0 && piece.normal.dot(y) > piece.offset * x_n &&
          level * along.dot(piece.from) <= t && t <= level * along.dot(curve.piece_end(i)))
        return {{level, up * s * piece.normal + t * along}, Nearest::On::facet, i};
    }
    const double length = std::hypot(1.0, plane::norm(piece.from));
    const double up = x_n / length + (piece.from / length).dot(y);
    if (up > reach) {
      reach = up;
      on_ray = {up / length, up * (piece.from / length)};
    }
  }
  if (curve.shape() == LimitCurve::Shape::point)
    return {{std::max(x_n, 0.0), Vec2::Zero()}, x_n > 0 ? Nearest::On::ray : Nearest::On::apex};
  return {on_ray, reach > 0 ? Nearest::On::ray : Nearest::On::apex};
}

// The derivative of the projection, which is symmetric: along the ray through the nearest point p
// it is 1; across a facet 0, along it 1; along the tangent τ of a curved cone 1/(1 + λ τ·Qτ), with
// Q the quadric −s² + (f1/a)² + (f2/b)² and x − p = λ Qp.
Eigen::Matrix3d derivative_at(const LimitCurve& curve, const Nearest& nearest, const Vec3& x) {
  const Vec3 p(nearest.point.s, nearest.point.f.x(), nearest.point.f.y());
  const auto plane_along = [&](const Vec2& n, double b) -> Eigen::Matrix3d {
    const Vec3 normal = Vec3(-b, n.x(), n.y()) / std::hypot(1.0, b);
    return Eigen::Matrix3d::Identity() - normal * normal.transpose();
  };
  switch (nearest.on) {
    case Nearest::On::apex:
      return Eigen::Matrix3d::Zero();
    case Nearest::On::inside:
      if (curve.shape() == LimitCurve::Shape::segment)
        return plane_along(curve.pieces()[0].normal, 0);
      return Eigen::Matrix3d::Identity();
    case Nearest::On::facet: {
      const auto& piece = curve.pieces()[nearest.piece];
      return plane_along(piece.normal, piece.offset);
    }
    case Nearest::On::ray: {
      const Vec3 g = p.normalized();
      return g * g.transpose();
    }
    case Nearest::On::arc:
      break;
  }
  const Ellipse& e = curve.ellipse();
  const auto turn = [&](const Vec3& v) -> Vec3 {
    const Vec2 w = e.to_axes({v[1], v[2]});
    return {v[0], w.x(), w.y()};
  };
  const Vec3 Q(-1, 1 / (e.a * e.a), 1 / (e.b * e.b));
  const Vec3 p_axes = turn(p), normal = Q.cwiseProduct(p_axes), g = p_axes.normalized();
  const double lambda = (turn(x) - p_axes).dot(normal) / normal.squaredNorm();
  const Vec3 tau = normal.cross(g).normalized();
  const double shrink = 1 / (1 + lambda * tau.dot(Q.cwiseProduct(tau)));
  const Eigen::Matrix3d J = g * g.transpose() + shrink * (tau * tau.transpose());
  if (e.is_disc()) return J;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  // from the ellipse's axes
  R.block<2, 1>(1, 1) = e.axis;
  R.block<2, 1>(1, 2) = plane::left(e.axis);
  return R * J * R.transpose();
}

// x / 2^exponent, of order one where squares would overflow or underflow.
int scale_to_order_one(Vec3& x) {
  const double m = x.cwiseAbs().maxCoeff();
  if ((m >= least_plain && m <= greatest_plain) || m == 0) return 0;
  const int e = std::ilogb(m);
  for (double& component : x) component = std::ldexp(component, -e);
  return e;
}

// Points of plain size, four at a time; returns how many it has done, a multiple of four up to the
// first four that hold a point to be scaled.  Three vectors of four numbers hold four points, and
// blends bring their n, t1 and t2 together in the order 0, 3, 2, 1.
STICTION_VECTORISED
Eigen::Index project_plain_points(double c, double s, const double* in, double* out,
                                  Eigen::Index count) {
  Eigen::Index done = 0;
  for (; done + 4 <= count; done += 4, in += 12, out += 12) {
    __builtin_prefetch(in + 384);
    __builtin_prefetch(out + 384, 1);
    Four p, q, r;
    std::memcpy(&p, in, sizeof p);
    std::memcpy(&q, in + 4, sizeof q);
    std::memcpy(&r, in + 8, sizeof r);
    Four n = __builtin_shufflevector(__builtin_shufflevector(p, q, 0, 1, 6, 3), r, 0, 5, 2, 3);
    Four t1 = __builtin_shufflevector(__builtin_shufflevector(p, q, 4, 1, 2, 7), r, 0, 1, 6, 3);
    Four t2 = __builtin_shufflevector(__builtin_shufflevector(p, q, 0, 5, 2, 3), r, 4, 1, 2, 7);
    t1 = __builtin_shufflevector(t1, t1, 1, 2, 3, 0);
    t2 = __builtin_shufflevector(t2, t2, 2, 3, 0, 1);
    const Four square = n * n + (t1 * t1 + t2 * t2);
    const auto plain =
        (square >= least_plain * least_plain) & (square <= greatest_plain * greatest_plain);
    if ((plain[0] & plain[1] & plain[2] & plain[3]) == 0) return done;
    project_on_disc_cone(c, s, n, t1, t2);
    t1 = __builtin_shufflevector(t1, t1, 3, 0, 1, 2);
    t2 = __builtin_shufflevector(t2, t2, 2, 3, 0, 1);
    p = __builtin_shufflevector(__builtin_shufflevector(n, t1, 0, 5, 2, 3), t2, 0, 1, 6, 3);
    q = __builtin_shufflevector(__builtin_shufflevector(t1, t2, 0, 5, 2, 3), n, 0, 1, 6, 3);
    r = __builtin_shufflevector(__builtin_shufflevector(t2, n, 0, 5, 2, 3), t1, 0, 1, 6, 3);
    std::memcpy(out, &p, sizeof p);
    std::memcpy(out + 4, &q, sizeof q);
    std::memcpy(out + 8, &r, sizeof r);
  }
  return done;
}

}  // namespace

FrictionCone::FrictionCone(LimitCurve curve)
    : curve_(std::move(curve)), reach_(curve_.circumscribed_radius()) {
  is_disc_ = curve_.shape() == LimitCurve::Shape::ellipse && curve_.ellipse().is_disc();
  if (is_disc_) {
    const double mu = curve_.ellipse().a, length = std::hypot(1.0, mu);
    cosine_ = 1 / length;
    sine_ = mu / length;
  }
}

bool FrictionCone::contains(const Vec3& r) const { return curve_.contains(-r.tail<2>(), r[0]); }

bool FrictionCone::contains_dual(const Vec3& u) const {
  const double h = curve_.support(u.tail<2>());
  // h is a difference of terms where it is small beside them.
  return u[0] >= h - rounding * (std::abs(u[0]) + reach_ * plane::norm(u.tail<2>()));
}

Vec3 FrictionCone::project(const Vec3& point) const {
  Vec3 x = point;
  const int exponent = scale_to_order_one(x);
  if (is_disc_) {
    project_on_disc_cone(cosine_, sine_, x[0], x[1], x[2]);
  } else {
    const auto [s, f] = nearest_on_cone(curve_, x[0], -x.tail<2>()).point;
    x = {s, -f.x(), -f.y()};
  }
  if (exponent != 0)
    for (double& component : x) component = std::ldexp(component, exponent);
  return x;
}

FrictionCone::Projected FrictionCone::project_with_derivative(const Vec3& point) const {
  Vec3 x = point;
  const int exponent = scale_to_order_one(x);
  const Vec3 flipped(x[0], -x[1], -x[2]);  // in (s, f)
  const Nearest nearest = nearest_on_cone(curve_, x[0], -x.tail<2>());
  Projected result;
  result.derivative = derivative_at(curve_, nearest, flipped);
  result.derivative.row(0).tail<2>() *= -1;  // back to r = (s, −f)
  result.derivative.col(0).tail<2>() *= -1;
  const auto& [s, f] = nearest.point;
  result.point = Vec3(s, -f.x(), -f.y());
  if (exponent != 0)
    for (double& component : result.point) component = std::ldexp(component, exponent);
  return result;
}

Vec3 FrictionCone::project_dual(const Vec3& x) const {
  if (contains_dual(x)) return x;
  Vec3 nearest = x + project(-x);
  // What is left of a difference may lie outside by the rounding of x.
  nearest[0] = std::max(nearest[0], curve_.support(nearest.tail<2>()));
  return nearest;
}

double FrictionCone::distance(const Vec3& x) const { return (x - project(x)).stableNorm(); }

double FrictionCone::distance_dual(const Vec3& x) const { return project(-x).stableNorm(); }

Vec3 FrictionCone::shift(const Vec3& u) const {
  return {u[0] + curve_.support(u.tail<2>()), u[1], u[2]};
}

std::vector<Vec3> FrictionCone::rows() const {
  std::vector<Vec3> rows;
  if (curve_.shape() == LimitCurve::Shape::point) rows.emplace_back(-1, 0, 0);  // r_n ≥ 0
  for (const HalfPlane& half : curve_.half_planes())  // −n·r_t ≤ b r_n
    rows.emplace_back(-half.offset + 0.0, -half.normal.x() + 0.0, -half.normal.y() + 0.0);
  return rows;
}

std::vector<Vec3> FrictionCone::rays() const {
  if (!curve_.is_polygonal())
    throw InvalidInput("the cone is curved, expected a polygonal limit curve to list its rays");
  std::vector<Vec3> rays;
  for (const Vec2& f : curve_.vertices()) rays.emplace_back(1, -f.x() + 0.0, -f.y() + 0.0);
  return rays;
}

void FrictionCone::project(const Eigen::Ref<const Rows3>& points,
                           Eigen::Ref<Rows3> projected) const {
  if (projected.rows() != points.rows())
    throw InvalidInput("projected has " + std::to_string(projected.rows()) + " rows, expected " +
                       std::to_string(points.rows()));
  const bool contiguous = points.outerStride() == 3 && projected.outerStride() == 3;
  const Eigen::Index count = points.rows();
  for (Eigen::Index done = 0; done < count;) {
    if (is_disc_ && contiguous)
      done += project_plain_points(cosine_, sine_, points.data() + 3 * done,
                                   projected.data() + 3 * done, count - done);
    const Eigen::Index end = std::min(count, done + 4);
    for (; done < end; ++done)
      projected.row(done) = project(Vec3(points.row(done).transpose())).transpose();
  }
}

}  // namespace stiction
