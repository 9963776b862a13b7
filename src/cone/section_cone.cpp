// SPDX-License-Identifier: Apache-2.0
#include "stiction/section_cone.h"

#include <algorithm>
#include <cmath>

#include "cone/disc_cone.h"
#include "law/ellipsoid.h"

namespace stiction {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// x / 2^exponent, of order one where squares would overflow or underflow.
int scale_to_order_one(UpTo6& x) {
  const double m = x.cwiseAbs().maxCoeff();
  if ((m >= 0x1p-60 && m <= 0x1p60) || m == 0) return 0;
  const int e = std::ilogb(m);
  for (double& component : x) component = std::ldexp(component, -e);
  return e;
}

void scale_back(UpTo6& x, int exponent) {
  if (exponent == 0) return;
  for (double& component : x) component = std::ldexp(component, exponent);
}

// Where the nearest point of {(s, f) : f ∈ sC} to (x, y) is, and the projection on C there.
struct OnCone {
  enum class At { apex, inside, boundary };
  At at = At::apex;
  double s = 0;
  SectionProjection section;  // of y/s; inside and at the apex, nothing
};

// G(s) = s − x − h(v) increases, by 1 + P·(P − DP) at s, between max(x, 0) and x + h(y): h(v) is
// greatest at s = 0, where v is y.
OnCone solve_scale(const Section& section, double x, const UpTo6& y) {
  using At = OnCone::At;
  const double h = section.support(y);
  if (!(h > -x)) return {};
  double low = std::max(x, 0.0), high = x + h;
  // The ray through the force that answers y is in K: a start that is exact for vertices.
  const UpTo6 p = section.point(y);
  double s = std::clamp(high / (1 + p.squaredNorm()), low, high);
  if (!(s > 0)) return {};
  OnCone found;
  found.at = At::boundary;
  for (int i = 0; i < 200; ++i) {
    found.section = section.project_with_derivative(y / s);
    found.s = s;
    const UpTo6& P = found.section.point;
    const UpTo6 v = y - s * P;
    const double power = P.dot(v), gap = s - x - power;
    const double terms = s + std::abs(x) + P.cwiseAbs().dot(v.cwiseAbs());
    (gap < 0 ? low : high) = s;
    if (std::abs(gap) <= eps * terms) break;
    double next = s - gap / (1 + P.dot(P - found.section.derivative * P));
    if (!(next > low && next < high)) {
      if (std::abs(gap) <= 4 * eps * terms) break;
      next = low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 2;
    }
    if (std::abs(next - s) <= eps * s) break;
    s = next;
  }
  return found;
}

// From (s, f) to r = (s, −f).
UpTo6 reaction(double s, const UpTo6& f) {
  UpTo6 r(1 + f.size());
  r[0] = s;
  r.tail(f.size()) = -f;
  return r;
}

// With c = (I − D)P and γ = 1 + P·c the derivative in (s, f) is [1, cᵀ; c, γD + ccᵀ]/γ.
UpTo6x6 derivative_of(const SectionProjection& at) {
  const Eigen::Index d = at.point.size();
  const UpTo6 c = at.point - at.derivative * at.point;
  const double scale = 1 / (1 + at.point.dot(c));
  UpTo6x6 J(1 + d, 1 + d);
  J(0, 0) = scale;
  J.row(0).tail(d) = -scale * c.transpose();
  J.col(0).tail(d) = -scale * c;
  J.bottomRightCorner(d, d) = at.derivative + scale * c * c.transpose();
  return J;
}

}  // namespace

SectionCone::SectionCone(Section section) : section_(std::move(section)), reach_(section_.reach()) {
  if (section_.kind() == Section::Kind::curve) curve_.emplace_back(section_.curve());
  int from = 0;
  bool all = true;
  const auto add = [&](const Section& part) {
    Ball ball{.from = from, .dimension = part.dimension()};
    if (part.kind() == Section::Kind::ellipsoid) {
      ball.radius = part.ellipsoid().axes[0];
      for (int k = 1; k < ball.dimension; ++k)
        all = all && part.ellipsoid().axes[static_cast<std::size_t>(k)] == ball.radius;
    } else if (part.kind() == Section::Kind::curve) {
      ball.radius = part.curve().ellipse().a;
      all = all && part.curve().shape() == LimitCurve::Shape::ellipse &&
            part.curve().ellipse().is_disc();
    } else {
      all = all && part.kind() == Section::Kind::none;
    }
    // Their squares are summed.
    all = all && (ball.radius == 0 || (ball.radius > 1e-60 && ball.radius < 1e60));
    from += ball.dimension;
    balls_.push_back(ball);
  };
  if (section_.kind() == Section::Kind::product)
    for (const Section& part : section_.parts()) add(part);
  else
    add(section_);
  if (!all) balls_.clear();
}

bool SectionCone::contains(const UpTo6& r) const {
  return section_.contains(-r.tail(section_.dimension()), r[0]);
}

bool SectionCone::contains_dual(const UpTo6& u) const {
  const auto u_t = u.tail(section_.dimension());
  const double h = section_.support(u_t);
  // h is a difference of terms where it is small beside them.
  return u[0] >= h - rounding * (std::abs(u[0]) + reach_ * u_t.stableNorm());
}

// s = (x + Σ μ_j ‖y_j‖)/(1 + Σ μ_j²) over the balls that y is outside of: from all that are so at
// s = max(x, 0) on, s grows and one after another is left behind.
void SectionCone::project_on_balls(double x, const double* y, double& s, double* f) const {
  std::array<double, 5> sizes{};
  double above = x;
  for (std::size_t j = 0; j < balls_.size(); ++j) {
    const Ball& ball = balls_[j];
    double square = 0;
    for (int k = 0; k < ball.dimension; ++k) square += y[ball.from + k] * y[ball.from + k];
    sizes[j] = std::sqrt(square);
    above += ball.radius * sizes[j];
  }
  s = std::max(x, 0.0);
  if (above > 0) {
    for (std::size_t round = 0; round <= balls_.size(); ++round) {
      double up = x, weight = 1;
      bool any = false;
      for (std::size_t j = 0; j < balls_.size(); ++j)
        if (const double radius = balls_[j].radius; sizes[j] > s * radius) {
          up += radius * sizes[j];
          weight += radius * radius;
          any = true;
        }
      const double next = any ? up / weight : s;
      if (!(next > s)) break;
      s = next;
    }
  } else {
    s = 0;
  }
  for (std::size_t j = 0; j < balls_.size(); ++j) {
    const Ball& ball = balls_[j];
    const double most = s * ball.radius;
    const double shrink = sizes[j] <= most ? 1 : most / sizes[j];
    for (int k = 0; k < ball.dimension; ++k) f[ball.from + k] = shrink * y[ball.from + k];
  }
}

UpTo6 SectionCone::project(const UpTo6& given) const {
  if (!curve_.empty()) return curve_[0].project(Vec3(given));
  const int d = section_.dimension();
  UpTo6 x = given;
  const int exponent = scale_to_order_one(x);
  const UpTo6 y = -x.tail(d);
  if (!balls_.empty() || d == 0) {
    double s = 0;
    UpTo6 f(d);
    project_on_balls(x[0], y.data(), s, f.data());
    x = reaction(s, f);
  } else if (section_.kind() == Section::Kind::ellipsoid) {
    const double* axes = section_.ellipsoid().axes.data();
    UpTo6 f(d);
    double s = 0;
    ellipsoid::with_dimension(d, [&](auto dimension) {
      ellipsoid::project_on_cone<dimension()>(axes, x[0], y.data(), s, f.data());
    });
    x = reaction(s, f);
  } else if (!section_.contains(y, x[0])) {
    const OnCone found = solve_scale(section_, x[0], y);
    if (found.at == OnCone::At::apex)
      x.setZero();
    else
      x = reaction(found.s, found.s * found.section.point);
  }
  scale_back(x, exponent);
  return x;
}

ConeProjection SectionCone::project_with_derivative(const UpTo6& given) const {
  if (!curve_.empty()) {
    const auto at = curve_[0].project_with_derivative(Vec3(given));
    return {at.point, at.derivative};
  }
  const int d = section_.dimension();
  UpTo6 x = given;
  const int exponent = scale_to_order_one(x);
  const UpTo6 y = -x.tail(d);
  ConeProjection result{.point = x, .derivative = UpTo6x6::Zero(1 + d, 1 + d)};
  const auto finish = [&](const UpTo6& point) {
    result.point = point;
    scale_back(result.point, exponent);
    return result;
  };
  if (section_.kind() == Section::Kind::ellipsoid) {
    const double* axes = section_.ellipsoid().axes.data();
    SectionProjection at{UpTo6(d), UpTo6x6(d, d)};
    double s = 0;
    ellipsoid::with_dimension(d, [&](auto dimension) {
      const double lambda =
          ellipsoid::project_on_cone<dimension()>(axes, x[0], y.data(), s, at.point.data());
      if (!(s > 0)) return;
      const double largest = section_.ellipsoid().largest();
      ellipsoid::Multiplier multiplier{.t = lambda / largest / largest};
      for (int k = 0; k < d; ++k) {
        at.point[k] /= s;
        if (axes[k] == 0) continue;
        const double ratio = axes[k] / largest, w = at.point[k] / axes[k];
        multiplier.slope += w * w / (ratio * ratio + multiplier.t);
      }
      ellipsoid::derivative<dimension()>(axes, multiplier, at.point.data(), at.derivative);
    });
    if (s > 0) result.derivative = derivative_of(at);
    return finish(reaction(s, s * at.point));
  }
  if (section_.contains(y, x[0])) {
    if (d > 0 && x[0] > 0) {
      const SectionProjection at = section_.project_with_derivative(y / x[0]);
      result.derivative.bottomRightCorner(d, d) = at.derivative;
    }
    result.derivative(0, 0) = x[0] > 0 ? 1 : 0;
    return finish(x);
  }
  const OnCone found = solve_scale(section_, x[0], y);
  if (found.at == OnCone::At::apex) return finish(UpTo6::Zero(1 + d));
  result.derivative = derivative_of(found.section);
  return finish(reaction(found.s, found.s * found.section.point));
}

UpTo6 SectionCone::project_dual(const UpTo6& x) const {
  if (contains_dual(x)) return x;
  UpTo6 nearest = x + project(-x);
  // What is left of a difference may lie outside by the rounding of x.
  nearest[0] = std::max(nearest[0], section_.support(nearest.tail(section_.dimension())));
  return nearest;
}

double SectionCone::distance(const UpTo6& x) const { return (x - project(x)).stableNorm(); }

double SectionCone::distance_dual(const UpTo6& x) const { return project(-x).stableNorm(); }

UpTo6 SectionCone::shift(const UpTo6& u) const {
  UpTo6 shifted = u;
  shifted[0] += section_.support(u.tail(section_.dimension()));
  return shifted;
}

std::vector<UpTo6> SectionCone::rows() const {
  const int d = section_.dimension();
  std::vector<UpTo6> rows;
  bool bounds_normal = false;
  for (const HalfSpace& half : section_.half_spaces()) {  // −n·r_t ≤ b r_n
    UpTo6 row(1 + d);
    row[0] = -half.offset + 0.0;
    row.tail(d) = -half.normal;
    for (double& entry : row) entry += 0.0;
    bounds_normal = bounds_normal || half.offset > 0;
    rows.push_back(row);
  }
  // Where no half space has an offset, none of them says that r_n ≥ 0.
  if (!bounds_normal) rows.push_back(-UpTo6::Unit(1 + d, 0) + UpTo6::Zero(1 + d));
  return rows;
}

std::vector<UpTo6> SectionCone::rays() const {
  std::vector<UpTo6> rays;
  for (const UpTo6& f : section_.vertices()) {
    rays.push_back(reaction(1, f));
    for (double& entry : rays.back()) entry += 0.0;
  }
  return rays;
}

SectionProjection FixedSet::project_with_derivative(const UpTo6& x) const {
  SectionProjection at = section_.project_with_derivative(-x);
  at.point = -at.point;
  return at;
}

}  // namespace stiction
