// SPDX-License-Identifier: Apache-2.0
//
// Supports with an extent.  Each is done in its own frame, about its centre of pressure x0, for a
// normal force of 1:
//
//   s      slip of the centre, v + ω J x0 with J = [0 −1; 1 0]                    [m/s]
//   ξ      place relative to the centre; its slip is s + ω J ξ                    [m]
//   F, M   = ∫ f dp, ∫ ξ×f dp, with dp the share of the pressure                  [-, m]
//
// and then moved to the slider's origin.
#pragma once

#include <array>

#include "slider/supports/support_load.h"

namespace stiction {

// Motion of the support's centre.
struct CentreMotion {
  Vec2 slip = Vec2::Zero();
  double omega = 0;

  Vec2 at(const Vec2& place) const {
    return {slip.x() - omega * place.y(), slip.y() + omega * place.x()};
  }
};

// That of a motion q at a speed near 1, which keeps products in range.
struct CentreMotionAtSpeed {
  CentreMotion motion;
  double speed = 0;  // by which q is faster
};
CentreMotionAtSpeed centre_motion(const PressureMoments& moments, const Vec3& q);

// What a support of unit force adds, about its centre.
struct CentreLoad {
  Vec2 force = Vec2::Zero();
  double moment = 0;
  bool second = false;  // whether the Hessian is wanted
  Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();

  void add(double share, const Vec2& place, const Vec2& f) {
    force += share * f;
    moment += share * cross(place, f);
  }
  // L G Lᵀ, where L takes a force at the place to its load.
  void add_second(const Eigen::Matrix2d& G, const Vec2& place) {
    Eigen::Matrix<double, 3, 2> L;
    L << 1, 0, 0, 1, -place.y(), place.x();
    hessian += L * G * L.transpose();
  }
};

// A convex piece of a support.
struct Cell {
  static constexpr int most = 24;
  int count = 0;
  std::array<Vec2, most> corner;

  void push(const Vec2& p) { corner[static_cast<std::size_t>(count++)] = p; }
  const Vec2& operator[](int i) const { return corner[static_cast<std::size_t>(i)]; }
  const Vec2& next(int i) const {
    return corner[static_cast<std::size_t>(i + 1 < count ? i + 1 : 0)];
  }
  double area() const;
};

struct AreaMoments {
  double area = 0;
  Vec2 first = Vec2::Zero();  // ∫ ξ dA
};
AreaMoments area_moments(const Cell& cell);

// The part of the cell where a function linear in the place, given at the corners, is ≥ 0.
Cell clip(const Cell& cell, const std::array<double, Cell::most>& value);

// Adds the cell under unit pressure.  The rounding error allowed is that of an area of `scale`.
void add_cell(const Cell& cell, const LimitCurve& curve, const CentreMotion& motion, double scale,
              double pressure, CentreLoad& sum);

// The segment from −half to +half.
void add_segment(const Vec2& half, const LimitCurve& curve, const CentreMotion& motion,
                 CentreLoad& sum);

// Disc, ring and annulus.
void add_round(const Support& support, const CentreMotion& motion, CentreLoad& sum);
void add_round_isotropic(const Support& support, const CentreMotion& motion, CentreLoad& sum);

// The cells of a polygon or a grid relative to `centre`, and the pressure on each per normal force.
template <typename F>
void for_each_cell(const Support& support, const Vec2& centre, const F& f) {
  if (support.shape == Support::Shape::polygon) {
    double area = 0;
    for (const auto& tile : support.tiles)
      area += 0.5 * cross(tile[2] - tile[0], tile[3] - tile[1]);
    for (const auto& tile : support.tiles) {
      Cell cell;
      for (const Vec2& corner : tile) cell.push(corner - centre);
      f(cell, 1 / area, area);
    }
    return;
  }
  const double c = support.cell;
  for (Eigen::Index i = 0; i < support.pressures.rows(); ++i)
    for (Eigen::Index j = 0; j < support.pressures.cols(); ++j) {
      const double p = support.pressures(i, j);
      if (p == 0) continue;
      const Vec2 low =
          support.at - centre + c * Vec2(static_cast<double>(j), static_cast<double>(i));
      Cell cell;
      cell.push(low);
      cell.push(low + Vec2(c, 0));
      cell.push(low + Vec2(c, c));
      cell.push(low + Vec2(0, c));
      f(cell, p / support.normal_force, c * c);
    }
}

inline bool is_isotropic(const LimitCurve& curve) {
  return curve.shape() == LimitCurve::Shape::ellipse && curve.ellipse().is_disc();
}

// The curve by the directions of slip to which it answers alike: by one vertex, or along an arc.
// f(first, last, force): slips from `first` to `last`, counter-clockwise, at most half a turn; the
// vertex that answers, or null for the ellipse's own point.  Not for whole ellipses.
template <typename F>
void for_each_wedge(const LimitCurve& curve, const F& f) {
  const auto& pieces = curve.pieces();
  const auto normal_at = [&](const LimitCurve::Piece& piece, const Vec2& place) -> Vec2 {
    return piece.arc ? curve.ellipse().normal(place) : piece.normal;
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const LimitCurve::Piece& piece = pieces[i];
    const LimitCurve::Piece& before = pieces[i > 0 ? i - 1 : pieces.size() - 1];
    const Vec2 first = normal_at(before, piece.from), last = normal_at(piece, piece.from);
    const double turn = cross(first, last), along = first.dot(last);
    if (turn > 0 || along < 0) f(first, last, &piece.from);
    if (!piece.arc) continue;
    // An arc in parts of at most a quarter of a turn.
    const Vec2 end = normal_at(piece, curve.piece_end(i));
    double angle = std::atan2(cross(last, end), last.dot(end));
    if (angle <= 0) angle += 2 * 3.14159265358979323846;
    const int parts = static_cast<int>(std::ceil(angle / 1.5));
    Vec2 from = last;
    for (int k = 1; k <= parts; ++k) {
      const double a = angle * k / parts;
      const Vec2 to = k == parts ? end
                                 : Vec2(std::cos(a) * last.x() - std::sin(a) * last.y(),
                                        std::sin(a) * last.x() + std::cos(a) * last.y());
      f(from, to, static_cast<const Vec2*>(nullptr));
      from = to;
    }
  }
}

// w = T v, with which an ellipse's support is |T v| and its point Tᵀ w / |w|.
inline Eigen::Matrix2d stretch(const Ellipse& e) {
  if (e.is_disc()) return e.a * Eigen::Matrix2d::Identity();
  Eigen::Matrix2d T;
  T << e.a * e.axis.x(), e.a * e.axis.y(), -e.b * e.axis.y(), e.b * e.axis.x();
  return T;
}

// Integrals over the straight line from w1 to w2, as means over it.
struct LineMeans {
  double norm = 0;                                      // of |w|
  Vec2 unit = Vec2::Zero();                             // of w/|w|
  Eigen::Matrix2d curvature = Eigen::Matrix2d::Zero();  // of (1 − ŵŵᵀ)/|w|, if wanted
};
LineMeans line_means(const Vec2& w1, const Vec2& w2, bool curvature);

// Distance of the origin from the line from a to b.
inline double distance_to(const Vec2& a, const Vec2& b) {
  const Vec2 e = b - a;
  const double square = e.squaredNorm();
  const double t = square > 0 ? std::clamp(-a.dot(e) / square, 0.0, 1.0) : 0;
  return (a + t * e).norm();
}

}  // namespace stiction
