// SPDX-License-Identifier: Apache-2.0
#include "slider/supports/flat_face.h"

#include <algorithm>
#include <numbers>

#include "base/plane.h"

namespace stiction {

namespace {

using std::numbers::pi;

// The pressure on the side y < τ of a line, where y = m·ξ: its share and ∫ y.
struct Side {
  double share = 0, first = 0;
};

// A disc of radius 1 with the line at sin ψ.
Side round_side(Support::Shape shape, Support::Pressure pressure, double psi) {
  const double s = std::sin(psi), c = std::cos(psi);
  if (shape == Support::Shape::ring) return {0.5 + psi / pi, -c / pi};
  switch (pressure) {
    case Support::Pressure::uniform:
      return {0.5 + (psi + s * c) / pi, -2 * c * c * c / (3 * pi)};
    case Support::Pressure::hertz:
      return {0.5 + 0.75 * (s - s * s * s / 3), -0.1875 * c * c * c * c};
    case Support::Pressure::boussinesq:
      return {0.5 + 0.5 * s, -0.25 * c * c};
  }
  return {};
}

// f(middle, pressure per normal force) for the cells of a grid under pressure.
template <typename F>
void for_each_middle(const Support& grid, const Vec2& centre, const F& f) {
  for (Eigen::Index j = 0; j < grid.pressures.cols(); ++j)
    for (Eigen::Index i = 0; i < grid.pressures.rows(); ++i)
      if (const double pressure = grid.pressures(i, j); pressure != 0)
        f(grid.at - centre +
              grid.cell * Vec2(static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5),
          pressure / grid.normal_force);
}

// Half the width of a cell along m.
double cell_reach(const Support& grid, const Vec2& m) {
  return 0.5 * grid.cell * (std::abs(m.x()) + std::abs(m.y()));
}

// Most cells are whole: only those on the line are cut.
Side grid_side(const Support& grid, const Vec2& centre, const Vec2& m, double tau) {
  Side sum;
  const double c = grid.cell, reach = cell_reach(grid, m);
  for_each_middle(grid, centre, [&](const Vec2& middle, double pressure) {
    const double y = m.dot(middle);
    if (y - reach >= tau) return;
    if (y + reach <= tau) {
      sum.share += pressure * c * c;
      sum.first += pressure * c * c * y;
      return;
    }
    Cell cell;
    std::array<double, Cell::most> value{};
    for (const Vec2& corner : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)}) {
      cell.push(middle + 0.5 * c * corner);
      value[static_cast<std::size_t>(cell.count - 1)] = tau - m.dot(cell[cell.count - 1]);
    }
    const AreaMoments part = area_moments(clip(cell, value));
    sum.share += pressure * part.area;
    sum.first += pressure * m.dot(part.first);
  });
  return sum;
}

Side side_of(const Support& support, const Vec2& centre, const Vec2& m, double tau) {
  const double R = support.radius, r = support.inner_radius;
  const auto angle = [&](double radius) { return std::asin(std::clamp(tau / radius, -1.0, 1.0)); };
  switch (support.shape) {
    case Support::Shape::point:
      return {};
    case Support::Shape::segment: {
      const double e = std::abs(m.dot(support.to - support.at)) / 2;
      const double t = std::clamp(tau / e, -1.0, 1.0);
      return {0.5 * (1 + t), -0.25 * e * (1 - t) * (1 + t)};
    }
    case Support::Shape::disc:
    case Support::Shape::ring: {
      const Side side = round_side(support.shape, support.pressure, angle(R));
      return {side.share, R * side.first};
    }
    case Support::Shape::annulus: {
      const Side outer = round_side(Support::Shape::disc, support.pressure, angle(R));
      const Side inner = round_side(Support::Shape::disc, support.pressure, angle(r));
      const double a = R * R / ((R - r) * (R + r)), b = r * r / ((R - r) * (R + r));
      return {a * outer.share - b * inner.share, a * R * outer.first - b * r * inner.first};
    }
    case Support::Shape::grid:
      return grid_side(support, centre, m, tau);
    case Support::Shape::polygon:
      break;
  }
  Side sum;
  for_each_cell(support, centre, [&](const Cell& cell, double pressure, double) {
    std::array<double, Cell::most> value{};
    for (int i = 0; i < cell.count; ++i) value[static_cast<std::size_t>(i)] = tau - m.dot(cell[i]);
    const AreaMoments part = area_moments(clip(cell, value));
    sum.share += pressure * part.area;
    sum.first += pressure * m.dot(part.first);
  });
  return sum;
}

// Half of the support's width along m, about its centre, from the outermost place.
double reach_along(const Support& support, const Vec2& centre, const Vec2& m) {
  if (support.shape == Support::Shape::segment) return std::abs(m.dot(support.to - support.at)) / 2;
  if (support.radius > 0) return support.radius;
  double reach = 0;
  if (support.shape == Support::Shape::grid) {
    for_each_middle(support, centre, [&](const Vec2& middle, double) {
      reach = std::max(reach, std::abs(m.dot(middle)));
    });
    return reach + cell_reach(support, m);
  }
  for_each_cell(support, centre, [&](const Cell& cell, double, double) {
    for (int i = 0; i < cell.count; ++i) reach = std::max(reach, std::abs(m.dot(cell[i])));
  });
  return reach;
}

}  // namespace

std::optional<FlatFace> flat_face(const Support& support, const PressureMoments& moments,
                                  const CentreMotion& motion) {
  const LimitCurve& curve = support.curve;
  if (curve.shape() == LimitCurve::Shape::ellipse) return std::nullopt;
  const auto middle = [](const Face& face) -> Vec2 { return 0.5 * (face.first + face.last); };
  const auto half = [](const Face& face) -> Vec2 { return 0.5 * (face.last - face.first); };
  if (support.tangential) {
    if (!motion.slip.isZero(0)) return std::nullopt;
    const Face face = curve.face({motion.omega, 0});
    if (face.kind != Face::Kind::segment) return std::nullopt;
    return FlatFace{.kind = FlatFace::Kind::ring,
                    .moment = support.radius * middle(face).x(),
                    .half = {half(face).norm(), 0}};
  }
  if (std::abs(motion.omega) * std::sqrt(moments.square) <= rounding * motion.slip.norm()) {
    const Face face = curve.face(motion.slip);
    if (face.kind != Face::Kind::segment) return std::nullopt;
    return FlatFace{.force = middle(face), .half = half(face)};
  }
  if (support.shape != Support::Shape::segment) return std::nullopt;
  const Vec2 h = 0.5 * (support.to - support.at), low = motion.at(-h), high = motion.at(h);
  const double size = std::max(low.norm(), high.norm());
  if (std::abs(cross(low, high)) > rounding * size * size) return std::nullopt;
  // The slip has one direction on either side of the rotation centre.
  const Vec2 along = low.norm() > high.norm() ? low : high;
  const double a = low.dot(along), b = high.dot(along);
  const double s0 = (a < 0) != (b < 0) ? -1 + 2 * a / (a - b) : 1;
  FlatFace flat{.kind = FlatFace::Kind::line};
  bool any = false;
  const auto add = [&](double s1, double s2, const Vec2& slip) {
    if (!(s2 > s1)) return;
    const Face face = curve.face(slip);
    const double share = 0.5 * (s2 - s1);
    flat.force += share * middle(face);
    flat.moment += share * 0.5 * (s1 + s2) * cross(h, middle(face));
    if (face.kind != Face::Kind::segment) return;
    any = true;
    flat.half += share * half(face).norm() * h.normalized();
  };
  add(-1, s0, a == b || (a < 0) != (b < 0) ? low : along);
  add(s0, 1, high);
  return any ? std::optional(flat) : std::nullopt;
}

Vec3 load_of_flat(const Support& support, const PressureMoments& moments, const FlatFace& face) {
  const double N = support.normal_force;
  return load_of(moments.centre, N * face.force) + Vec3(0, 0, N * face.moment);
}

bool spans_plane(const Support& support, const PressureMoments& moments, const FlatFace& face) {
  if (face.kind != FlatFace::Kind::uniform) return face.kind == FlatFace::Kind::ring;
  if (support.shape != Support::Shape::segment) return true;
  const Vec2 b = face.half.normalized();
  return reach_along(support, moments.centre, plane::left(b)) >
         rounding * std::sqrt(moments.square);
}

const LimitCurve::Piece* flat_along(const Support& support) {
  if (support.shape != Support::Shape::segment) return nullptr;
  const Vec2 along = (support.to - support.at).normalized();
  for (const LimitCurve::Piece& piece : support.curve.pieces())
    if (!piece.arc && std::abs(piece.normal.dot(along)) <= rounding) return &piece;
  return nullptr;
}

void put_across_segment(const Support& support, const Vec2& slip, double slack,
                        CentreMotion& motion) {
  const LimitCurve::Piece* along = flat_along(support);
  if (along != nullptr && std::abs(cross(along->normal, slip)) <= slack)
    motion.slip = along->normal * along->normal.dot(motion.slip);
}

namespace {

// +half beyond the line m·ξ = τ and −half before it.
Vec3 parted_at(const Support& support, const Vec2& x0, const FlatFace& face, const Side& side) {
  const double N = support.normal_force;
  Vec3 load = load_of(x0, N * (1 - 2 * side.share) * face.half);
  load[2] += -2 * N * side.first * face.half.norm();
  return load;
}

}  // namespace

// The force at ξ is along ±half as d drives it: A + d_z m·ξ is positive or not.
Vec3 farthest_of_flat(const Support& support, const PressureMoments& moments, const FlatFace& face,
                      const Vec3& d) {
  const Vec2 &x0 = moments.centre, b = face.half.normalized(), m(b.y(), -b.x());
  const double A = load_of(x0, b).dot(d);
  const double reach = reach_along(support, x0, m);
  if (std::abs(A) >= std::abs(d[2]) * reach)
    return (A < 0 ? -1.0 : 1.0) * parted_at(support, x0, face, {});
  return (d[2] < 0 ? -1.0 : 1.0) * parted_at(support, x0, face, side_of(support, x0, m, -A / d[2]));
}

FaceTerm flat_term(const Support& support, int index, const PressureMoments& moments,
                   const FlatFace& face) {
  const double N = support.normal_force;
  const Vec2& x0 = moments.centre;
  FaceTerm term;
  term.support = index;
  if (face.kind == FlatFace::Kind::ring) {
    // Radial forces ±half at every angle: a disc of radius half·mean|cos|.
    term.kind = FaceTerm::Kind::ellipse;
    const double radius = N * 2 / pi * face.half.x();
    term.points = {load_of(x0, {radius, 0}), load_of(x0, {0, radius})};
    return term;
  }
  const Vec2 b = face.half.normalized(), m(b.y(), -b.x());  // the moment ξ×b = m·ξ
  if (!spans_plane(support, moments, face)) {
    term.points = {load_of(x0, N * face.half)};
    return term;
  }
  const double reach = reach_along(support, x0, m);
  // The boundary: +half on one side of a line along b and −half on the other.
  term.kind = FaceTerm::Kind::curve;
  constexpr int steps = 32;
  for (int i = 0; i < 2 * steps; ++i) {
    const double sign = i < steps ? 1 : -1;
    const Side side = i % steps == 0
                          ? Side{}
                          : side_of(support, x0, m, -reach * std::cos(pi * (i % steps) / steps));
    term.points.push_back(sign * parted_at(support, x0, face, side));
  }
  return term;
}

}  // namespace stiction
