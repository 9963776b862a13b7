// SPDX-License-Identifier: Apache-2.0
//
// How limit curves are made: the disc, the ellipse and the convex hull, turning, scaling, and the
// cut by a half plane from which every wheel and ratchet is composed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/plane.h"
#include "stiction/limit_curve.h"

namespace stiction {

namespace {

// Products of coefficients and forces must stay in range.
bool in_range(double size) { return size == 0 || (size >= 1e-100 && size <= 1e100); }

void require_coefficient(double mu, const char* name) {
  if (!std::isfinite(mu) || mu < 0)
    throw InvalidInput(std::string(name) + " is " + text(mu) + ", expected a finite number ≥ 0");
  if (!in_range(mu))
    throw InvalidInput(std::string(name) + " is " + text(mu) +
                       ", expected 0 or a number from 1e-100 to 1e100");
}

using Piece = LimitCurve::Piece;

// A flat from p towards q; its normal points to the right of the way.
Piece flat(const Vec2& p, const Vec2& q) {
  const Vec2 n = plane::right(Direction::along(q - p).unit());
  const double b = n.dot(p);
  return {.from = p, .normal = n, .offset = b, .terms = plane::dot_terms(n, p)};
}

}  // namespace

LimitCurve LimitCurve::segment(const Vec2& from, const Vec2& to, const Direction& along) {
  LimitCurve curve;
  if (from.isZero(0) && to.isZero(0)) return curve;
  const Vec2 n = plane::right(along.unit());
  curve.shape_ = Shape::segment;
  curve.pieces_ = {{.from = from, .normal = n}, {.from = to, .normal = -n}};
  return curve;
}

LimitCurve LimitCurve::of(Shape shape, const Ellipse& ellipse, std::vector<Piece> pieces) {
  const auto arcs =
      std::count_if(pieces.begin(), pieces.end(), [](const Piece& p) { return p.arc; });
  const bool counted = shape == Shape::point || shape == Shape::ellipse     ? pieces.empty()
                       : shape == Shape::segment                            ? pieces.size() == 2
                       : shape == Shape::polygon || shape == Shape::clipped ? pieces.size() >= 2
                                                                            : false;
  const bool curved = shape == Shape::ellipse || shape == Shape::clipped;
  const bool sized = !curved || (ellipse.a > 0 && ellipse.b > 0 && std::isfinite(ellipse.a) &&
                                 std::isfinite(ellipse.b) && ellipse.axis.allFinite());
  const bool finite = std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) {
    return p.from.allFinite() && p.normal.allFinite() && std::isfinite(p.offset) &&
           std::isfinite(p.terms);
  });
  if (!counted || !sized || !finite || (arcs > 0) != (shape == Shape::clipped))
    throw InvalidInput("the curve has " + std::to_string(pieces.size()) + " pieces, " +
                       std::to_string(arcs) + " of them arcs of an ellipse of half axes " +
                       text(ellipse.a) + " and " + text(ellipse.b) +
                       ", expected finite ones of its shape");
  LimitCurve curve;
  curve.shape_ = shape;
  curve.ellipse_ = ellipse;
  curve.pieces_ = std::move(pieces);
  return curve;
}

LimitCurve disc(double mu) {
  require_coefficient(mu, "mu");
  return ellipse(mu, mu);
}

LimitCurve ellipse(double mu1, double mu2, const Direction& axis) {
  require_coefficient(mu1, "mu1");
  require_coefficient(mu2, "mu2");
  LimitCurve curve;
  const Vec2& e = axis.unit();
  // A semi-axis that vanishes, or vanishes beside the other one, leaves a segment.
  if (mu1 == 0 || mu2 == 0 || !std::isfinite(mu1 / mu2) || !std::isfinite(mu2 / mu1)) {
    const Direction longer = mu1 >= mu2 ? axis : axis.left();
    const Vec2 end = std::max(mu1, mu2) * longer.unit();
    return LimitCurve::segment(-end, end, longer);
  }
  curve.shape_ = LimitCurve::Shape::ellipse;
  curve.ellipse_ = Ellipse{mu1, mu2, mu1 == mu2 ? Vec2::UnitX() : e};
  return curve;
}

// Andrew's monotone chain.  Points within rounding of the line through their neighbours drop out.
LimitCurve polygon(const std::vector<Vec2>& points) {
  double size = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite())
      throw InvalidInput("polygon vertex " + std::to_string(i) + " is " + text(points[i]) +
                         ", expected finite numbers");
    size = std::max(size, plane::max_abs(points[i]));
  }
  if (!in_range(size))
    throw InvalidInput("polygon has a size of " + text(size) + ", expected 1e-100 to 1e100");
  std::vector<Vec2> sorted = points;
  const auto before = [](const Vec2& p, const Vec2& q) {
    return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
  };
  std::sort(sorted.begin(), sorted.end(), before);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < 2)
    throw InvalidInput("polygon has " + std::to_string(sorted.size()) +
                       " distinct points, expected at least 2 (for none use the law 'free')");

  const double unit = std::ldexp(1.0, std::clamp(-std::ilogb(size), -1000, 1000));
  const auto turns_left = [&](const Vec2& p, const Vec2& q, const Vec2& r) {
    const Vec2 a = (q - p) * unit, b = (r - q) * unit;
    return cross(a, b) > rounding * plane::cross_terms(a, b);
  };
  std::vector<Vec2> hull;
  const auto chain = [&](auto first, auto last) {
    const std::size_t start = hull.size();
    for (auto it = first; it != last; ++it) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), *it))
        hull.pop_back();
      hull.push_back(*it);
    }
    hull.pop_back();  // it starts the other chain
  };
  chain(sorted.begin(), sorted.end());
  chain(sorted.rbegin(), sorted.rend());

  const auto refuse_origin = [] {
    return InvalidInput("polygon does not contain the origin, expected a curve of forces around 0");
  };
  LimitCurve curve;
  if (hull.size() == 2) {
    const Direction along = Direction::along(hull[1] - hull[0]);
    const Vec2 n = plane::right(along.unit());
    const bool on_line = std::abs(n.dot(hull[0])) <= rounding * plane::dot_terms(n, hull[0]);
    const double from = along.unit().dot(hull[0]), to = along.unit().dot(hull[1]);
    if (!on_line || from > 0 || to < 0) throw refuse_origin();
    return LimitCurve::segment(hull[0], hull[1], along);
  }
  curve.shape_ = LimitCurve::Shape::polygon;
  curve.pieces_.reserve(hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) {
    Piece piece = flat(hull[i], hull[(i + 1) % hull.size()]);
    const double terms = plane::dot_terms(piece.normal, piece.from);
    if (piece.offset < -rounding * terms) throw refuse_origin();
    if (piece.offset <= rounding * terms) piece.offset = 0;
    curve.pieces_.push_back(piece);
  }
  return curve;
}

LimitCurve LimitCurve::rotated(const Direction& by) const {
  const Vec2& e = by.unit();
  const auto turn = [&](const Vec2& f) -> Vec2 { return e * f.x() + plane::left(e) * f.y(); };
  LimitCurve curve = *this;
  for (Piece& piece : curve.pieces_) {
    piece.from = turn(piece.from);
    piece.normal = turn(piece.normal);
  }
  if (has_arcs() && !ellipse_.is_disc()) curve.ellipse_.axis = turn(ellipse_.axis);
  return curve;
}

LimitCurve LimitCurve::scaled(double normal_force) const {
  require_coefficient(normal_force, "normal force");
  if (normal_force == 0) return {};
  LimitCurve curve = *this;
  for (Piece& piece : curve.pieces_) {
    piece.from *= normal_force;
    piece.offset *= normal_force;
    piece.terms *= normal_force;
  }
  curve.ellipse_.a *= normal_force;
  curve.ellipse_.b *= normal_force;
  return curve;
}

LimitCurve LimitCurve::clipped(const Direction& normal, double bound) const {
  require_coefficient(bound, "bound");
  const Vec2& n = normal.unit();
  const double reach = support(n);
  if (reach <= bound * (1 + rounding) || reach == 0) return *this;
  if (shape_ == Shape::segment) {
    LimitCurve curve = *this;
    for (Piece& piece : curve.pieces_) {  // at most one end lies beyond
      const double end = n.dot(piece.from);
      if (end > bound) piece.from *= bound / end;
    }
    return curve.pieces_[0].from == curve.pieces_[1].from ? LimitCurve() : curve;
  }
  // C lies on the far side of the line through the origin: what is left is a face of C.
  if (bound == 0 && support(-n) <= rounding * reach) {
    const Face left = face(-n);
    if (left.kind == Face::Kind::point) return {};
    return segment(left.first, left.last, Direction::along(plane::right(n)));
  }
  return cut(n, bound);
}

namespace {

// Both ends of a new flat lie on the line n·f = b to the rounding of that line, not of the
// boundary.
Vec2 on_line(const Vec2& n, double b, const Vec2& p) { return p + n * (b - n.dot(p)); }

struct Chord {
  Vec2 leaves = Vec2::Zero(), returns = Vec2::Zero();
};

// Where the line n·f = b meets the ellipse, if it does.
std::optional<Chord> chord_of(const Ellipse& ellipse, const Vec2& n, double b) {
  if (ellipse.is_disc() && b < ellipse.a) {
    const Vec2 half = plane::left(n) * std::sqrt((ellipse.a - b) * (ellipse.a + b));
    return Chord{n * b - half, n * b + half};
  }
  // In coordinates where the ellipse is the unit circle, n becomes m.
  const Vec2 w = ellipse.to_axes(n);
  const Vec2 m(ellipse.a * w.x(), ellipse.b * w.y());
  const double length = plane::norm(m), c = b / length;
  if (!(c < 1)) return std::nullopt;
  const Vec2 e = m / length;
  const Vec2 half = plane::left(e) * std::sqrt((length - b) * (length + b)) / length;
  const auto back = [&](const Vec2& g) {
    return on_line(n, b, ellipse.from_axes({ellipse.a * g.x(), ellipse.b * g.y()}));
  };
  return Chord{back(e * c - half), back(e * c + half)};
}

}  // namespace

// The line n·f = b crosses the boundary twice: counter-clockwise, the boundary leaves the half
// plane at one point, the new flat runs to the other, and what lies between is dropped.
LimitCurve LimitCurve::cut(const Vec2& n, double b) const {
  const std::optional<Chord> chord = has_arcs() ? chord_of(ellipse_, n, b) : std::nullopt;
  const bool line_meets_ellipse = chord.has_value();
  const auto [leaves, returns] = chord.value_or(Chord{});
  LimitCurve curve;
  curve.ellipse_ = ellipse_;
  curve.shape_ = has_arcs() ? Shape::clipped : Shape::polygon;
  const Piece new_flat{.from = leaves, .normal = n, .offset = b, .terms = b};
  if (pieces_.empty()) {
    curve.pieces_ = {new_flat, {.from = returns, .arc = true}};
    return curve;
  }
  const auto side = [&](const Vec2& p) {
    const double s = n.dot(p) - b;
    return std::abs(s) <= rounding * (plane::dot_terms(n, p) + b) ? 0.0 : s;
  };
  // Is p, a point of the ellipse, on the arc that runs counter-clockwise from `from` to `to`?
  const auto on_arc = [](const Vec2& p, const Vec2& from, const Vec2& to) {
    return cross(to - from, p - from) < 0;
  };
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    const Vec2 &from = piece.from, &to = piece_end(i);
    const double at_from = side(from), at_to = side(to);
    const auto keep = [&](const Vec2& start) {
      Piece kept = piece;
      kept.from = start;
      curve.pieces_.push_back(kept);
    };
    const auto add_flat = [&](const Vec2& start) {
      Piece added = new_flat;
      added.from = start;
      curve.pieces_.push_back(added);
    };
    const bool bulges_out = piece.arc && line_meets_ellipse && at_from <= 0 && at_to <= 0 &&
                            on_arc(ellipse_.point(n), from, to) && side(ellipse_.point(n)) > 0;
    const bool dips_in = piece.arc && line_meets_ellipse && at_from >= 0 && at_to >= 0 &&
                         on_arc(ellipse_.point(-n), from, to);
    const auto crossing = [&](const Vec2& on_ellipse) -> Vec2 {
      return piece.arc ? on_ellipse
                       : on_line(n, b, from + (to - from) * (at_from / (at_from - at_to)));
    };
    if (bulges_out) {
      if (at_from < 0) keep(from);
      add_flat(at_from < 0 ? leaves : from);
      if (at_to < 0) keep(returns);
    } else if (dips_in) {
      keep(at_from > 0 ? returns : from);
      if (at_to > 0) add_flat(leaves);
    } else if (at_from < 0 && at_to > 0) {
      keep(from);
      add_flat(crossing(leaves));
    } else if (at_from == 0 && at_to > 0) {
      add_flat(from);
    } else if (at_from > 0 && at_to < 0) {
      keep(crossing(returns));
    } else if (at_from <= 0 && at_to <= 0) {
      keep(from);
    }
  }
  const bool arcs_left = std::any_of(curve.pieces_.begin(), curve.pieces_.end(),
                                     [](const Piece& piece) { return piece.arc; });
  if (!arcs_left) curve.shape_ = Shape::polygon;
  return curve;
}

LimitCurve with_bearing(const LimitCurve& contact, const Direction& roll, double bearing) {
  require_coefficient(bearing, "bearing");
  return contact.clipped(roll, bearing).clipped(roll.left().left(), bearing);
}

LimitCurve with_ratchet(const LimitCurve& contact, const Direction& roll, double bearing) {
  require_coefficient(bearing, "bearing");
  return contact.clipped(roll, bearing);
}

LimitCurve wheel(double mu, const Direction& roll) { return with_bearing(disc(mu), roll); }

LimitCurve rusty_wheel(double mu, double bearing, const Direction& roll) {
  return with_bearing(disc(mu), roll, bearing);
}

LimitCurve ratchet(double mu, const Direction& roll) { return with_ratchet(disc(mu), roll); }

LimitCurve free_curve() { return {}; }

LimitCurve ratchet_free(double mu, const Direction& roll) {
  return with_ratchet(wheel(mu, roll.left()), roll);
}

LimitCurve pyramid(double mu) {
  require_coefficient(mu, "mu");
  if (mu == 0) return {};
  return polygon({{mu, 0}, {0, mu}, {-mu, 0}, {0, -mu}});
}

LimitCurve box(double mu) {
  require_coefficient(mu, "mu");
  if (mu == 0) return {};
  return polygon({{mu, mu}, {-mu, mu}, {-mu, -mu}, {mu, -mu}});
}

LimitCurve scaled_box(double mu) { return ngon(mu, 4); }

LimitCurve ngon(double mu, int sides) {
  require_coefficient(mu, "mu");
  if (sides < 3 || sides > 100000)
    throw InvalidInput("sides is " + std::to_string(sides) + ", expected 3 to 100000");
  if (mu == 0) return {};
  std::vector<Vec2> vertices;
  for (long k = 0; k < sides; ++k)
    vertices.push_back(mu * Direction::turn(2 * k + 1, 2L * sides).unit());
  return polygon(vertices);
}

LimitCurve ngon_out(double mu, int sides) {
  return ngon(mu, sides).scaled(1 / Direction::turn(1, 2L * std::max(sides, 3)).unit().x());
}

}  // namespace stiction
