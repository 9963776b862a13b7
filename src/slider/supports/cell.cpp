// SPDX-License-Identifier: Apache-2.0
//
// A convex cell under unit pressure, for any law.
//
// Lines through the rotation centre c cut the cell into parts: on some one vertex of the curve
// answers, the same force everywhere; on the others the ellipse does, f = Tᵀw/|w| with w = T·slip
// linear in the place.  About c the power density |w| is homogeneous of degree 1 and f of degree 0,
// so that their integrals go to the boundary, edge by edge, with k the cross product of the edge's
// ends as seen from c:
//
//   ∫ |w| dA = Σ ⅓ k mean|w|,   ∫ f dA = Σ ½ k mean f,   ∫ ∂f/∂v dA = (1/ω) Σ (mean f) edgeᵀ
//
// and the means over an edge have closed forms.  The sums cancel where c is far: |k| adds up to
// more than the area.  There f is smooth and Gauss's product rule takes over; long cells beside c
// are halved until one of the two holds.
#include <algorithm>

#include "slider/supports/area.h"
#include "slider/supports/quadrature.h"

namespace stiction {

double Cell::area() const {
  double twice = 0;
  for (int i = 1; i + 1 < count; ++i)
    twice += cross((*this)[i] - (*this)[0], (*this)[i + 1] - (*this)[0]);
  return 0.5 * twice;
}

AreaMoments area_moments(const Cell& cell) {
  AreaMoments m;
  for (int i = 1; i + 1 < cell.count; ++i) {
    const double area = 0.5 * cross(cell[i] - cell[0], cell[i + 1] - cell[0]);
    m.area += area;
    m.first += area / 3 * (cell[0] + cell[i] + cell[i + 1]);
  }
  return m;
}

Cell clip(const Cell& cell, const std::array<double, Cell::most>& value) {
  Cell part;
  for (int i = 0; i < cell.count && part.count + 2 <= Cell::most; ++i) {
    const int j = i + 1 < cell.count ? i + 1 : 0;
    const double a = value[static_cast<std::size_t>(i)], b = value[static_cast<std::size_t>(j)];
    if (a >= 0) part.push(cell[i]);
    // The cut of an edge from its end of positive value, so that both neighbours find the same.
    if (a > 0 && b < 0) part.push(cell[i] + a / (a - b) * (cell[j] - cell[i]));
    if (a < 0 && b > 0) part.push(cell[j] + b / (b - a) * (cell[i] - cell[j]));
  }
  return part;
}

// With the line's distance d from 0, coordinates t along it from its foot and r = √(t² + d²):
// ∫ r = ½ [t r + d² asinh(t/d)], ∫ t/r = [r], ∫ d/r = [d asinh(t/d)].  Each difference is formed so
// that ends on the same side of the foot do not cancel.
LineMeans line_means(const Vec2& w1, const Vec2& w2, bool curvature) {
  LineMeans means;
  const Vec2 e = w2 - w1;
  const double L = e.norm(), r1 = w1.norm(), r2 = w2.norm();
  if (L <= 1e-150 || L <= 1e-9 * std::max(r1, r2)) {
    const Vec2 w = 0.5 * (w1 + w2);
    means.norm = w.norm();
    if (means.norm > 0) means.unit = w / means.norm;
    if (curvature && means.norm > 0)
      means.curvature =
          (Eigen::Matrix2d::Identity() - means.unit * means.unit.transpose()) / means.norm;
    return means;
  }
  const Vec2 tau = e / L, nu(-tau.y(), tau.x());
  const double d = cross(tau, r1 < r2 ? w1 : w2), t1 = w1.dot(tau), t2 = w2.dot(tau);
  const bool astride = (t1 < 0) != (t2 < 0) || t1 == 0 || t2 == 0;
  double logarithm = 0;  // asinh(t2/|d|) − asinh(t1/|d|)
  double areas;          // (t2 r2 − t1 r1)/L
  if (astride) {
    if (d != 0) logarithm = std::asinh(t2 / std::abs(d)) - std::asinh(t1 / std::abs(d));
    areas = (t2 * r2 - t1 * r1) / L;
  } else {
    logarithm = std::asinh(L * (t1 + t2) / (t2 * r1 + t1 * r2));
    areas = (t1 + t2) * (t1 * t1 + t2 * t2 + d * d) / (t2 * r2 + t1 * r1);
  }
  means.norm = 0.5 * (areas + d * d * logarithm / L);
  means.unit = (t1 + t2) / (r1 + r2) * tau + d * logarithm / L * nu;
  if (curvature) {
    if (d == 0 && astride) logarithm = 75;  // infinite; what a distance of 2⁻⁵² of the ends gives
    const double tt = (t2 / r2 - t1 / r1) / L, dt = d * (1 / r2 - 1 / r1) / L;
    means.curvature = (r1 > 0 && r2 > 0 ? tt : 1 / L) * tau * tau.transpose();
    if (r1 > 0 && r2 > 0) {
      means.curvature += dt * (tau * nu.transpose() + nu * tau.transpose());
      means.curvature += (logarithm / L - tt) * nu * nu.transpose();
    } else {
      means.curvature = logarithm / L * nu * nu.transpose();
    }
  }
  return means;
}

namespace {

using Corners = std::array<Vec2, Cell::most>;

// One part of a cell on which the ellipse answers.
struct SmoothPart {
  const Eigen::Matrix2d& T;
  const CentreMotion& motion;
  double scale, pressure;
  CentreLoad& sum;

  void add_point(const Vec2& place, double share) const {
    const Vec2 w = T * motion.at(place);
    const double norm = w.norm();
    if (!(norm > 0)) return;
    const Vec2 unit = w / norm, f = T.transpose() * unit;
    sum.add(share, place, f);
    if (sum.second) sum.add_second(share / norm * (T.transpose() * T - f * f.transpose()), place);
  }

  // Gauss's product rule on the image of a square under (1−u)(1−v)a + u(1−v)b + uv c + (1−u)v d.
  void add_quadrilateral(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d,
                         const GaussRule& rule) const {
    const Vec2 du = b - a, dv = d - a, twist = (c - b) - (d - a);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rule.count); ++i)
      for (std::size_t j = 0; j < static_cast<std::size_t>(rule.count); ++j) {
        const double u = rule.node[i], v = rule.node[j];
        const double jacobian = cross(du + v * twist, dv + u * twist);
        add_point(a + u * du + v * dv + u * v * twist,
                  pressure * rule.weight[i] * rule.weight[j] * jacobian);
      }
  }

  void add_far(const Cell& cell, const GaussRule& rule) const {
    for (int i = 1; i + 1 < cell.count; i += 2) {
      const bool last = i + 2 >= cell.count;
      add_quadrilateral(cell[0], cell[i], cell[i + 1], last ? cell[0] : cell[i + 2], rule);
    }
  }

  void add_closed(const Cell& cell, const Corners& slip, const Corners& w) const {
    const double omega = motion.omega;
    Vec2 force = Vec2::Zero();
    double power = 0;
    Eigen::Matrix2d G = Eigen::Matrix2d::Zero();
    for (int i = 0; i < cell.count; ++i) {
      const std::size_t k = static_cast<std::size_t>(i),
                        l = static_cast<std::size_t>(i + 1 < cell.count ? i + 1 : 0);
      const double area = 0.5 * cross(slip[k] / omega, slip[l] / omega);
      if (area == 0 && !sum.second) continue;
      const LineMeans means = line_means(w[k], w[l], false);
      const Vec2 f = T.transpose() * means.unit;
      force += area * f;
      power += 2.0 / 3 * area * means.norm;
      if (sum.second) G += f / omega * (cell[static_cast<int>(l)] - cell[i]).transpose();
    }
    // The moment about the rotation centre is power/ω; about a place p of slip s_p it is less by
    // F·s_p/ω.
    const Vec2 place = 0.5 * (cell[0] + cell[cell.count / 2]);
    const Vec2 s = motion.at(place);
    sum.force += pressure * force;
    sum.moment += pressure * ((power - force.dot(s)) / omega + cross(place, force));
    if (sum.second) {
      // ∂f/∂v·slip = 0 at every place: ∫ ∂f/∂v J(ξ − p) = −G s_p/ω.
      G = 0.5 * pressure * (G + G.transpose().eval());
      const Vec2 Gs = G * s / omega;
      Eigen::Matrix3d about;
      about << G, -Gs, -Gs.transpose(), s.dot(Gs) / omega;
      Eigen::Matrix3d shift = Eigen::Matrix3d::Identity();
      shift(2, 0) = -place.y();
      shift(2, 1) = place.x();
      sum.hessian += shift * about * shift.transpose();
    }
  }

  void add(const Cell& cell, int depth = 60) const {
    if (cell.count < 3) return;
    Corners slip, w;
    for (int i = 0; i < cell.count; ++i) {
      slip[static_cast<std::size_t>(i)] = motion.at(cell[i]);
      w[static_cast<std::size_t>(i)] = T * slip[static_cast<std::size_t>(i)];
    }
    double diameter = 0;  // of the part in w, squared
    std::size_t from = 0, to = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cell.count); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const double square = (w[i] - w[j]).squaredNorm(); square > diameter)
          diameter = square, from = j, to = i;
    diameter = std::sqrt(diameter);
    // The distance of w = 0 from the boundary; and whether it is inside, as far as it is not
    // farther than the part is long.
    double distance = infinity, span = 0;
    bool inside = true;
    for (int i = 0; i < cell.count; ++i) {
      const std::size_t k = static_cast<std::size_t>(i),
                        l = static_cast<std::size_t>(i + 1 < cell.count ? i + 1 : 0);
      distance = std::min(distance, distance_to(w[k], w[l]));
      const double area = cross(slip[k], slip[l]);
      inside = inside && area >= 0;
      span += std::abs(area);
    }
    // Beyond this, slips at the corners are too much alike to tell areas by them.
    if (distance < 1000 * diameter) {
      inside = inside && distance <= diameter;
      span *= 0.5 / (motion.omega * motion.omega);
      if (inside || depth == 0 || cell.count + 2 > Cell::most || span <= 3 * scale ||
          span <= 30 * cell.area())
        return add_closed(cell, slip, w);
    }
    if (distance >= diameter) return add_far(cell, gauss_rule(nodes_for(distance, diameter)));
    // Halve it across its length.
    const Vec2 along = w[to] - w[from];
    const Vec2 middle = 0.5 * (w[to] + w[from]);
    std::array<double, Cell::most> side{};
    for (int i = 0; i < cell.count; ++i)
      side[static_cast<std::size_t>(i)] = along.dot(w[static_cast<std::size_t>(i)] - middle);
    add(clip(cell, side), depth - 1);
    for (double& value : side) value = -value;
    add(clip(cell, side), depth - 1);
  }
};

// Across the line where the slip is normal to a flat the force jumps along it, from one end to the
// other: ∂f/∂v = |Δf| t tᵀ δ(t·v), and ∫ δ(t·v) dA is the line's length in the cell over |ω|.
void add_jumps(const Cell& cell, const LimitCurve& curve, const CentreMotion& motion,
               double pressure, CentreLoad& sum) {
  if (motion.omega == 0) return;
  const auto& pieces = curve.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].arc) continue;
    const Vec2 jump = curve.piece_end(i) - pieces[i].from, n = pieces[i].normal;
    const Vec2 t(-n.y(), n.x());
    std::array<Vec2, 2> end;
    int ends = 0;
    for (int k = 0; k < cell.count && ends < 2; ++k) {
      const Vec2 a = motion.at(cell[k]), b = motion.at(cell.next(k));
      const double ta = t.dot(a), tb = t.dot(b);
      if ((ta >= 0) == (tb >= 0)) continue;
      end[static_cast<std::size_t>(ends++)] = cell[k] + ta / (ta - tb) * (cell.next(k) - cell[k]);
    }
    if (ends < 2) continue;
    // Only where the slip is along +n: from the rotation centre on one side.
    const double na = n.dot(motion.at(end[0])), nb = n.dot(motion.at(end[1]));
    if (na <= 0 && nb <= 0) continue;
    if (na < 0) end[0] += na / (na - nb) * (end[1] - end[0]);
    if (nb < 0) end[1] += nb / (nb - na) * (end[0] - end[1]);
    const double size = pressure * (end[1] - end[0]).norm() * jump.norm() / std::abs(motion.omega);
    const Eigen::Matrix2d G = size * t * t.transpose();
    sum.add_second(G / 6, end[0]);
    sum.add_second(4 * G / 6, 0.5 * (end[0] + end[1]));
    sum.add_second(G / 6, end[1]);
  }
}

// Where the slips of a cell are: cross(border, slip) from the least to the most.
struct Sides {
  double least = 0, most = 0;
};
class CornerSlips {
 public:
  CornerSlips(const Cell& cell, const CentreMotion& motion) : count_(cell.count) {
    double reach = 0;
    for (int i = 0; i < count_; ++i) {
      slip_[static_cast<std::size_t>(i)] = motion.at(cell[i]);
      reach = std::max(reach, cell[i].cwiseAbs().maxCoeff());
    }
    noise_ = 4 * rounding * (motion.slip.cwiseAbs().maxCoeff() + std::abs(motion.omega) * reach);
  }
  // A cell that is on the border but for rounding is on one side of it, whole: its corners would
  // cut it in parts that overlap.
  Sides sides(const Vec2& border) const {
    Sides s{infinity, -infinity};
    double sum = 0;
    for (int i = 0; i < count_; ++i) {
      const double side = cross(border, slip_[static_cast<std::size_t>(i)]);
      s.least = std::min(s.least, side);
      s.most = std::max(s.most, side);
      sum += side;
    }
    return std::max(-s.least, s.most) <= noise_ ? Sides{sum, sum} : s;
  }

 private:
  int count_;
  double noise_ = 0;
  Corners slip_;
};

// The part of the cell whose slips are counter-clockwise of a border.
Cell clip_slips(const Cell& cell, const CentreMotion& motion, const Vec2& border) {
  std::array<double, Cell::most> side{};
  for (int i = 0; i < cell.count; ++i)
    side[static_cast<std::size_t>(i)] = cross(border, motion.at(cell[i]));
  return clip(cell, side);
}

}  // namespace

void add_cell(const Cell& cell, const LimitCurve& curve, const CentreMotion& motion, double scale,
              double pressure, CentreLoad& sum) {
  const Eigen::Matrix2d T = curve.has_arcs() ? stretch(curve.ellipse()) : Eigen::Matrix2d::Zero();
  const SmoothPart smooth{T, motion, scale, pressure, sum};
  if (curve.shape() == LimitCurve::Shape::ellipse) return smooth.add(cell);
  const CornerSlips slips(cell, motion);
  for_each_wedge(curve, [&](const Vec2& first, const Vec2& last, const Vec2* force) {
    // A border is the last of one wedge and the first of the next: what is on it goes to the next.
    const Sides from = slips.sides(first), to = slips.sides(last);
    if (from.most < 0 || to.least >= 0) return;
    Cell part = cell;
    if (from.least < 0) part = clip_slips(part, motion, first);
    if (to.most > 0) part = clip_slips(part, motion, -last);
    if (part.count < 3) return;
    if (force == nullptr) return smooth.add(part);
    const AreaMoments m = area_moments(part);
    sum.force += pressure * m.area * *force;
    sum.moment += pressure * cross(m.first, *force);
  });
  if (sum.second) add_jumps(cell, curve, motion, pressure, sum);
}

}  // namespace stiction
