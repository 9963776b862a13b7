// SPDX-License-Identifier: Apache-2.0
#include "contact/constraints/constraint_law.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A section's semi-axes and parts where it is an ellipsoid, or a product of such; false elsewhere.
bool find_balls(const Section& section, int from, UpTo6& scale, unsigned& dead,
                std::vector<ConstraintLaw::Part>& parts) {
  switch (section.kind()) {
    case Section::Kind::none:
      return true;
    case Section::Kind::product: {
      for (const Section& part : section.parts()) {
        if (!find_balls(part, from, scale, dead, parts)) return false;
        from += part.dimension();
      }
      return true;
    }
    case Section::Kind::ellipsoid: {
      const Ellipsoid& e = section.ellipsoid();
      for (int k = 0; k < e.dimension; ++k) {
        const double a = e.axes[static_cast<std::size_t>(k)];
        if (a > 0)
          scale[from + k] = a;
        else
          dead |= 1u << (from + k);
      }
      parts.push_back({from, e.dimension});
      return true;
    }
    case Section::Kind::curve: {
      const LimitCurve& curve = section.curve();
      if (curve.shape() != LimitCurve::Shape::ellipse || !curve.ellipse().is_disc()) return false;
      const double a = curve.ellipse().a;
      for (int k = 0; k < 2; ++k)
        if (a > 0)
          scale[from + k] = a;
        else
          dead |= 1u << (from + k);
      parts.push_back({from, 2});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

ConstraintLaw::ConstraintLaw(const Constraint& constraint)
    : kind_(constraint.kind), rows_(constraint.rows()), section_(constraint.section) {
  scale_ = UpTo6::Ones(rows_);
  if (kind_ == Kind::limit || kind_ == Kind::bilateral) {
    parts_.push_back({0, rows_});
    return;
  }
  balls_ = find_balls(section_, tangent(), scale_, dead_, parts_);
  if (!balls_) {
    scale_.setOnes();
    dead_ = 0;
    parts_ = {{tangent(), section_.dimension()}};
  }
  if (kind_ == Kind::contact) cone_.emplace(section_);
}

const SectionCone& ConstraintLaw::scaled_cone() const {
  if (scaled_cone_) return *scaled_cone_;
  if (!balls_) return *cone_;
  std::vector<Section> balls;
  for (const Part& part : parts_) {
    std::vector<double> axes;
    for (int k = 0; k < part.size; ++k) axes.push_back(is_dead(part.from + k) ? 0 : 1);
    balls.push_back(ellipsoid_section(axes));
  }
  scaled_cone_.emplace(balls.size() == 1 ? balls[0] : product_section(balls));
  return *scaled_cone_;
}

double ConstraintLaw::support(const UpTo6& u) const {
  if (kind_ == Kind::contact) return section_.support(u.tail(rows_ - 1));
  return kind_ == Kind::fixed ? section_.support(u) : 0;
}

UpTo6 ConstraintLaw::shifted(const UpTo6& u, Model model) const {
  if (kind_ != Kind::contact || model == Model::convex) return u;
  UpTo6 shifted = u;
  shifted[0] += section_.support(u.tail(rows_ - 1));
  return shifted;
}

UpTo6 ConstraintLaw::project(const UpTo6& x) const {
  switch (kind_) {
    case Kind::contact:
      return cone_->project(x);
    case Kind::fixed:
      return -section_.project(-x);
    case Kind::limit:
      return x.cwiseMax(0.0);
    case Kind::bilateral:
      break;
  }
  return x;
}

ConeProjection ConstraintLaw::project_with_derivative(const UpTo6& x) const {
  switch (kind_) {
    case Kind::contact:
      return cone_->project_with_derivative(x);
    case Kind::fixed: {
      const SectionProjection at = section_.project_with_derivative(-x);
      return {-at.point, at.derivative};
    }
    case Kind::limit:
      return {x.cwiseMax(0.0), UpTo6x6::Constant(1, 1, x[0] > 0 ? 1 : 0)};
    case Kind::bilateral:
      break;
  }
  return {x, UpTo6x6::Identity(rows_, rows_)};
}

UpTo6 ConstraintLaw::project_scaled(const UpTo6& s) const {
  if (kind_ == Kind::contact) return scaled_cone().project(s);
  if (kind_ != Kind::fixed || !balls_) return project(s);
  UpTo6 inside = s;
  for (const Part& part : parts_) {
    auto ball = inside.segment(part.from, part.size);
    for (int k = 0; k < part.size; ++k)
      if (is_dead(part.from + k)) ball[k] = 0;
    if (const double length = ball.norm(); length > 1) ball /= length;
  }
  return inside;
}

// The rows along the section: F_t = s_t + R P_C(−z_t/R), where R depends on z_n by `from`:
// ∂R/∂s_n and ∂R/∂v_n.  Fixed sets have R = 1.
void ConstraintLaw::friction(const UpTo6& s, const UpTo6& z, const UpTo6& rho, double radius,
                             const double* from, Derivative derivative,
                             LinearisedConstraint& out) const {
  const bool contact = kind_ == Kind::contact;
  if (!balls_) {
    const int t = tangent(), d = rows_ - t;
    const UpTo6 y = -z.tail(d);
    const double R = std::max({radius, 1e-100 * y.norm(), 1e-300});
    const SectionProjection at = section_.project_with_derivative(y / R);
    const UpTo6 g = at.point - at.derivative * (y / R);
    out.F.tail(d) = s.tail(d) + R * at.point;
    out.B.bottomRightCorner(d, d) = UpTo6x6::Identity(d, d) - at.derivative;
    out.A.bottomRightCorner(d, d) = at.derivative * rho.tail(d).asDiagonal();
    if (contact) {
      out.B.col(0).tail(d) = g * from[0];
      out.A.col(0).tail(d) = g * from[1];
    }
    return;
  }
  for (const Part& part : parts_) {
    double square = 0, force = 0;
    int alive = 0;
    for (int k = part.from; k < part.from + part.size; ++k)
      if (!is_dead(k)) {
        square += z[k] * z[k];
        force += s[k] * s[k];
        ++alive;
      }
    const double length = std::sqrt(square);
    const bool sticks = length <= radius;
    // Q = R/‖z‖ (1 − g eᵀ): g = e, or, so that it stays bounded, s/max(R, ‖s‖).
    const bool bounded = derivative == Derivative::hueber && alive > 1;
    const double bound = bounded ? std::max(radius, std::sqrt(force)) : 0;
    for (int k = part.from; k < part.from + part.size; ++k) {
      if (is_dead(k)) {
        out.F[k] = s[k];
        out.B(k, k) = 1;
      } else if (sticks) {
        out.F[k] = s[k] - z[k];
        out.A(k, k) = rho[k];
      } else {
        const double e = z[k] / length, shrink = radius / length;
        out.F[k] = s[k] - radius * e;
        const double g = !bounded ? e : bound > 0 ? s[k] / bound : 0;
        for (int m = part.from; m < part.from + part.size; ++m) {
          if (is_dead(m)) continue;
          const double Q = shrink * ((k == m ? 1 : 0) - g * (z[m] / length));
          out.B(k, m) = (k == m ? 1 : 0) - Q;
          out.A(k, m) = rho[m] * Q;
        }
        if (contact) {
          out.B(k, 0) = -e * from[0];
          out.A(k, 0) = -e * from[1];
        }
      }
    }
  }
}

LinearisedConstraint ConstraintLaw::alart_curnier(const UpTo6& s, const UpTo6& v, const UpTo6& rho,
                                                  Derivative derivative) const {
  LinearisedConstraint l{UpTo6(rows_), UpTo6x6::Zero(rows_, rows_), UpTo6x6::Zero(rows_, rows_)};
  if (kind_ == Kind::bilateral) {
    l.F = rho.cwiseProduct(v);
    l.A = rho.asDiagonal();
    return l;
  }
  const UpTo6 z = s - rho.cwiseProduct(v);
  if (kind_ == Kind::fixed) {
    friction(s, z, rho, 1, nullptr, derivative, l);
    l.open = l.A.isZero(0);
    if (l.open) l.B.setIdentity();
    return l;
  }
  l.open = z[0] <= 0;
  if (l.open) {
    l.F = s;
    l.B.setIdentity();
    return l;
  }
  l.F[0] = rho[0] * v[0];
  l.A(0, 0) = rho[0];
  if (rows_ == 1) return l;
  const bool by_reaction = derivative == Derivative::reaction_radius;
  const double from[2] = {by_reaction ? (s[0] > 0 ? 1.0 : 0.0) : 1.0, by_reaction ? 0 : -rho[0]};
  friction(s, z, rho, by_reaction ? std::max(s[0], 0.0) : z[0], from, derivative, l);
  return l;
}

LinearisedConstraint ConstraintLaw::natural(const UpTo6& s, const UpTo6& v, double rho) const {
  if (kind_ != Kind::contact)
    return alart_curnier(s, v, UpTo6::Constant(rows_, rho), Derivative::exact);
  const ConeProjection at = scaled_cone().project_with_derivative(s - rho * v);
  LinearisedConstraint l{s - at.point, rho * at.derivative,
                         UpTo6x6::Identity(rows_, rows_) - at.derivative};
  l.open = at.derivative.isZero(0);
  return l;
}

}  // namespace stiction
