// SPDX-License-Identifier: Apache-2.0
//
// What can be asked of a limit curve.  How curves are made is in limit_curve_make.cpp.
#include "stiction/limit_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"

namespace stiction {

using plane::dot_terms;

int NormalCone::directions() const {
  switch (kind) {
    case Kind::none:
    case Kind::all:
      return 0;
    case Kind::ray:
      return 1;
    case Kind::wedge:
    case Kind::line:
    case Kind::halfplane:
      return 2;
  }
  return 0;
}

namespace {

constexpr double huge = 0x1p600;  // forces above this are scaled down before they are multiplied

// n·f against b, zero where the two agree to rounding; `terms` is the size of what b was summed
// from.
double excess(const Vec2& n, const Vec2& f, double b, double terms) {
  const double e = n.dot(f) - b;
  return std::abs(e) <= rounding * (dot_terms(n, f) + terms) ? 0 : e;
}
double excess(const Vec2& n, const Vec2& f, double b) { return excess(n, f, b, std::abs(b)); }

bool same_point(const Vec2& f, const Vec2& p) {
  return plane::max_abs(f - p) <= rounding * plane::max_abs(p);
}

}  // namespace

bool LimitCurve::beyond_a_flat(const Vec2& force) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return !piece.arc && piece.normal.dot(force) > piece.offset;
  });
}

double LimitCurve::support(const Vec2& slip) const {
  if (shape_ == Shape::point) return 0;
  const auto [v, exponent] = plane::scaled(slip);
  double h = 0;  // 0 ∈ C
  if (has_arcs()) {
    if (pieces_.empty()) return std::ldexp(ellipse_.support(v), exponent);
    if (!v.isZero(0) && !beyond_a_flat(ellipse_.point(v)))
      return std::ldexp(ellipse_.support(v), exponent);
  }
  for (const Piece& piece : pieces_) h = std::max(h, piece.from.dot(v));
  return std::ldexp(h, exponent);
}

// The flat to which v is normal: both its ends attain the support to rounding.
std::optional<std::size_t> LimitCurve::flat_facing(const Vec2& v) const {
  std::optional<std::size_t> best;
  double best_tilt = infinity;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.arc || piece.normal.dot(v) <= 0) continue;
    const Vec2& to = piece_end(i);
    const double tilt = std::abs(to.dot(v) - piece.from.dot(v));
    if (tilt <= rounding * (dot_terms(to, v) + dot_terms(piece.from, v)) && tilt < best_tilt) {
      best_tilt = tilt;
      best = i;
    }
  }
  return best;
}

Face LimitCurve::face(const Vec2& slip) const {
  if (shape_ == Shape::point) return {};
  if (slip.isZero(0)) return {.kind = Face::Kind::whole};
  const Vec2 v = plane::scaled(slip).v;
  if (const auto i = flat_facing(v))
    return {.kind = Face::Kind::segment, .first = pieces_[*i].from, .last = piece_end(*i)};
  Vec2 f = Vec2::Zero();
  if (has_arcs()) f = ellipse_.point(v);
  if (!has_arcs() || (!pieces_.empty() && beyond_a_flat(f))) {
    const auto by_power = [&](const Piece& a, const Piece& b) {
      return a.from.dot(v) < b.from.dot(v);
    };
    f = std::max_element(pieces_.begin(), pieces_.end(), by_power)->from;
  }
  return {.kind = Face::Kind::point, .first = f, .last = f};
}

bool LimitCurve::segment_contains(const Vec2& force, double normal_force) const {
  const Vec2& n = pieces_[0].normal;
  if (std::abs(n.dot(force)) > rounding * dot_terms(n, force)) return false;
  const Vec2 along = plane::left(n);  // the segment runs from pieces_[0].from along this
  return excess(along, force, normal_force * along.dot(pieces_[1].from)) <= 0 &&
         excess(-along, force, -normal_force * along.dot(pieces_[0].from)) <= 0;
}

bool LimitCurve::contains(const Vec2& force, double normal_force) const {
  if (normal_force < 0 || !force.allFinite()) return false;
  if (plane::max_abs(force) > huge) return contains(force / huge, normal_force / huge);
  if (shape_ == Shape::point || normal_force == 0) return force.isZero(0);
  if (shape_ == Shape::segment) return segment_contains(force, normal_force);
  if (has_arcs() && ellipse_.gauge(force) > normal_force + ellipse_.gauge_rounding(force))
    return false;
  return std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.arc || excess(piece.normal, force, normal_force * piece.offset,
                               normal_force * piece.terms) <= 0;
  });
}

double LimitCurve::gauge(const Vec2& force) const {
  if (!force.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  if (force.isZero(0)) return 0;
  if (shape_ == Shape::point) return infinity;
  if (plane::max_abs(force) > huge) return gauge(force / huge) * huge;
  // n·f ≤ t b for the least t; a flat through the origin bounds no t, only a side.
  const auto reach = [&](const Vec2& n, double b) {
    if (b > 0) return std::max(0.0, n.dot(force) / b);
    return excess(n, force, 0) > 0 ? infinity : 0.0;
  };
  double t = has_arcs() ? ellipse_.gauge(force) : 0;
  for (const Piece& piece : pieces_)
    if (!piece.arc) t = std::max(t, reach(piece.normal, piece.offset));
  if (shape_ == Shape::segment) {
    const Vec2 along = plane::left(pieces_[0].normal);
    t = std::max(
        {t, reach(along, along.dot(pieces_[1].from)), reach(-along, -along.dot(pieces_[0].from))});
  }
  return t;
}

Vec2 LimitCurve::project(const Vec2& force) const {
  if (!force.allFinite()) return Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
  if (shape_ == Shape::point) return Vec2::Zero();
  if (has_arcs() && pieces_.empty()) return ellipse_.project(force);
  if (plane::max_abs(force) > huge) return project(force / 0x1p100);  // the direction decides
  if (contains(force)) return force;
  if (has_arcs()) {
    const Vec2 f = ellipse_.project(force);
    if (!beyond_a_flat(f)) return f;
  }
  // A point is nearest to a flat if its foot lies on it, a test of signs; distances would tie.
  // Otherwise it is nearest to the vertex p with the least ½‖f − p‖², that is the greatest
  // f·p − ½‖p‖², which does not lose p beside a large f.
  const Vec2* nearest = nullptr;
  double best = -infinity;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (!piece.arc && piece.normal.dot(force) > piece.offset) {
      const Vec2 along = plane::left(piece.normal);
      const double from = along.dot(piece.from), to = along.dot(piece_end(i));
      const double foot = along.dot(force);
      if (from <= foot && foot <= to) return piece.offset * piece.normal + foot * along;
    }
    const double closeness = force.dot(piece.from) - piece.from.squaredNorm() / 2;
    if (closeness > best || nearest == nullptr) {
      best = closeness;
      nearest = &piece.from;
    }
  }
  return *nearest;
}

// Inside, the identity; beside a flat, the projector on it; beyond a vertex, zero.  Beside an arc
// with normal n, tangent e and radius of curvature R there, a point at distance δ moves by R/(R +
// δ) along e.
LimitCurve::Projected LimitCurve::project_with_derivative(const Vec2& force) const {
  Projected result{project(force), Eigen::Matrix2d::Zero()};
  const Vec2& p = result.point;
  const Vec2 away = force - p;
  const double distance = plane::norm(away);
  if (shape_ == Shape::point) return result;
  if (distance == 0) {
    if (shape_ != Shape::segment) {
      result.derivative.setIdentity();
    } else {
      const Vec2 e = plane::left(pieces_[0].normal);
      result.derivative = e * e.transpose();
    }
    return result;
  }
  for (const Piece& piece : pieces_)
    if (same_point(p, piece.from)) return result;
  const Vec2 e = plane::left(away / distance);
  double shrink = 1;
  if (has_arcs() && std::abs(ellipse_.gauge(p) - 1) <= 1e-12) {
    // R = a²b² ((x/a²)² + (y/b²)²)^{3/2} at (x, y) on the ellipse.
    const Vec2 w = ellipse_.to_axes(p);
    const double a = ellipse_.a, b = ellipse_.b;
    const double slope = std::hypot(w.x() * (b / a), w.y() * (a / b));
    const double radius = slope * slope * slope / (a * b);
    shrink = radius / (radius + distance);
  }
  result.derivative = shrink * (e * e.transpose());
  return result;
}

std::optional<NormalCone> LimitCurve::normals(const Vec2& force) const {
  using Kind = NormalCone::Kind;
  if (!contains(force)) return std::nullopt;
  if (shape_ == Shape::point) return NormalCone{.kind = Kind::all};
  const auto n_pieces = pieces_.size();
  for (std::size_t i = 0; i < n_pieces; ++i) {
    if (!same_point(force, pieces_[i].from)) continue;
    const Piece& after = pieces_[i];
    const Piece& before = pieces_[(i + n_pieces - 1) % n_pieces];
    NormalCone cone{.kind = shape_ == Shape::segment ? Kind::halfplane : Kind::wedge};
    cone.first = before.arc ? ellipse_.normal(after.from) : before.normal;
    cone.last = after.arc ? ellipse_.normal(after.from) : after.normal;
    return cone;
  }
  if (shape_ == Shape::segment)
    return NormalCone{.kind = Kind::line, .first = pieces_[0].normal, .last = pieces_[1].normal};
  const Piece* on = nullptr;
  double least = infinity;
  for (const Piece& piece : pieces_) {
    if (piece.arc || excess(piece.normal, force, piece.offset, piece.terms) != 0) continue;
    const double gap = std::abs(piece.normal.dot(force) - piece.offset);
    if (gap < least) {
      least = gap;
      on = &piece;
    }
  }
  if (on != nullptr) return NormalCone{.kind = Kind::ray, .first = on->normal, .last = on->normal};
  if (has_arcs() && std::abs(ellipse_.gauge(force) - 1) <= ellipse_.gauge_rounding(force)) {
    const Vec2 n = ellipse_.normal(force);
    return NormalCone{.kind = Kind::ray, .first = n, .last = n};
  }
  return NormalCone{};
}

// In the ellipse's own coordinates, where it is the unit disc: ½ Σ from × to over flats, half the
// angle over arcs; times ab.
double LimitCurve::area() const {
  if (shape_ == Shape::point || shape_ == Shape::segment) return 0;
  const auto unit = [&](const Vec2& f) -> Vec2 {
    if (!has_arcs()) return f;
    const Vec2 w = ellipse_.to_axes(f);
    return {w.x() / ellipse_.a, w.y() / ellipse_.b};
  };
  const double scale = has_arcs() ? ellipse_.a * ellipse_.b : 1;
  if (pieces_.empty()) return scale * std::numbers::pi;
  double twice = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Vec2 from = unit(pieces_[i].from), to = unit(piece_end(i));
    if (pieces_[i].arc) {
      const double angle = std::atan2(cross(from, to), from.dot(to));
      twice += angle > 0 ? angle : angle + 2 * std::numbers::pi;
    } else {
      twice += cross(from, to);
    }
  }
  return scale * twice / 2;
}

// Vertices, feet of the origin on flats, and ends of the ellipse's axes where they are on an arc.
std::vector<Vec2> LimitCurve::extreme_points() const {
  std::vector<Vec2> points = vertices();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.arc) continue;
    const Vec2 along = plane::left(piece.normal);
    if (along.dot(piece.from) <= 0 && along.dot(piece_end(i)) >= 0)
      points.push_back(piece.normal * piece.offset);
  }
  if (has_arcs()) {
    for (const Vec2& end : {Vec2(ellipse_.a, 0), Vec2(0, ellipse_.b)}) {
      const Vec2 f = ellipse_.from_axes(end);
      if (!beyond_a_flat(f)) points.push_back(f);
      if (!beyond_a_flat(-f)) points.emplace_back(-f);
    }
  }
  return points;
}

double LimitCurve::inscribed_radius() const {
  double radius = infinity;
  for (const Vec2& f : extreme_points()) radius = std::min(radius, plane::norm(f));
  return radius;
}

double LimitCurve::circumscribed_radius() const {
  double radius = 0;
  for (const Vec2& f : extreme_points()) radius = std::max(radius, plane::norm(f));
  return radius;
}

std::vector<Vec2> LimitCurve::vertices() const {
  if (shape_ == Shape::point) return {Vec2::Zero()};
  std::vector<Vec2> result;
  result.reserve(pieces_.size());
  for (const Piece& piece : pieces_) result.push_back(piece.from);
  return result;
}

std::vector<HalfPlane> LimitCurve::half_planes() const {
  if (!is_polygonal())
    throw InvalidInput("the limit curve has arcs, expected a polygon to list its half planes");
  if (shape_ == Shape::point)
    return {{Vec2(1, 0), 0}, {Vec2(0, 1), 0}, {Vec2(-1, 0), 0}, {Vec2(0, -1), 0}};
  std::vector<HalfPlane> result;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    result.push_back({pieces_[i].normal, pieces_[i].offset});
    if (shape_ == Shape::segment) {  // the bound at the end this side runs to
      const Vec2 along = plane::left(pieces_[i].normal);
      result.push_back({along, along.dot(piece_end(i)) + 0.0});
    }
  }
  return result;
}

std::vector<Vec2> outline(const LimitCurve& curve, double step) {
  const Ellipse& e = curve.ellipse();
  std::vector<Vec2> points;
  const auto add_arc = [&](double from, double angle) {
    const int count = std::max(1, static_cast<int>(std::ceil(angle / step)));
    for (int k = 0; k < count; ++k) {
      const double t = from + angle * k / count;
      points.push_back(e.from_axes({e.a * std::cos(t), e.b * std::sin(t)}));
    }
  };
  const auto eccentric_angle = [&](const Vec2& f) {
    const Vec2 w = e.to_axes(f);
    return std::atan2(w.y() / e.b, w.x() / e.a);
  };
  const auto& pieces = curve.pieces();
  if (pieces.empty() && curve.has_arcs()) add_arc(0, 2 * std::numbers::pi);
  if (pieces.empty() && !curve.has_arcs()) points.emplace_back(Vec2::Zero());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].arc) {
      points.push_back(pieces[i].from);
      continue;
    }
    const double from = eccentric_angle(pieces[i].from);
    double angle = eccentric_angle(curve.piece_end(i)) - from;
    if (angle <= 0) angle += 2 * std::numbers::pi;
    add_arc(from, angle);
  }
  return points;
}

void support(const LimitCurve& curve, const Eigen::Ref<const Rows2>& slips,
             Eigen::Ref<Eigen::VectorXd> powers) {
  if (powers.size() != slips.rows())
    throw InvalidInput("powers has " + std::to_string(powers.size()) + " rows, expected " +
                       std::to_string(slips.rows()));
  for (Eigen::Index i = 0; i < slips.rows(); ++i)
    powers[i] = curve.support(slips.row(i).transpose());
}

void face(const LimitCurve& curve, const Eigen::Ref<const Rows2>& slips, std::span<Face> faces) {
  if (static_cast<Eigen::Index>(faces.size()) != slips.rows())
    throw InvalidInput("faces has " + std::to_string(faces.size()) + " rows, expected " +
                       std::to_string(slips.rows()));
  for (Eigen::Index i = 0; i < slips.rows(); ++i)
    faces[static_cast<std::size_t>(i)] = curve.face(slips.row(i).transpose());
}

}  // namespace stiction
