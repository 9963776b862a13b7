// SPDX-License-Identifier: Apache-2.0
//
// The segment support: the slip is linear along it, so its means over the parts where one vertex or
// the ellipse answers have closed forms; far from the rotation centre, where the moment would
// cancel, Gauss's rule.
#include "slider/supports/area.h"
#include "slider/supports/quadrature.h"

namespace stiction {

namespace {

// The part from s1 to s2 of the places s·half, −1 ≤ s ≤ 1, on which the ellipse answers.
void add_smooth(const Vec2& half, double s1, double s2, const Eigen::Matrix2d& T,
                const CentreMotion& motion, CentreLoad& sum) {
  const double share = 0.5 * (s2 - s1);
  const Vec2 w1 = T * motion.at(s1 * half), w2 = T * motion.at(s2 * half);
  const double distance = distance_to(w1, w2), length = (w2 - w1).norm();
  if (distance >= 0.5 * length) {
    const GaussRule& rule = gauss_rule(nodes_for(distance, length));
    for (std::size_t i = 0; i < static_cast<std::size_t>(rule.count); ++i) {
      const Vec2 place = (s1 + rule.node[i] * (s2 - s1)) * half, w = T * motion.at(place);
      const double norm = w.norm();
      if (!(norm > 0)) continue;
      const Vec2 f = T.transpose() * w / norm;
      sum.add(share * rule.weight[i], place, f);
      if (sum.second)
        sum.add_second(share * rule.weight[i] / norm * (T.transpose() * T - f * f.transpose()),
                       place);
    }
    return;
  }
  const LineMeans means = line_means(w1, w2, sum.second);
  const Vec2 place = 0.5 * (s1 + s2) * half, s = motion.at(place);
  const Vec2 force = T.transpose() * means.unit;
  sum.force += share * force;
  sum.moment += share * ((means.norm - force.dot(s)) / motion.omega + cross(place, force));
  if (!sum.second) return;
  const Eigen::Matrix2d G = share * T.transpose() * means.curvature * T;
  const Vec2 Gs = G * s / motion.omega;
  Eigen::Matrix3d about;
  about << G, -Gs, -Gs.transpose(), s.dot(Gs) / motion.omega;
  Eigen::Matrix3d shift = Eigen::Matrix3d::Identity();
  shift(2, 0) = -place.y();
  shift(2, 1) = place.x();
  sum.hessian += shift * about * shift.transpose();
}

// Narrows [s1, s2] to where a function linear in s, given at −1 and +1, is ≥ 0.
void narrow(double low, double high, double& s1, double& s2) {
  if (low < 0 && high < 0) s2 = s1;
  if ((low < 0) == (high < 0)) return;
  const double at = -1 + 2 * low / (low - high);
  if (low < 0)
    s1 = std::max(s1, at);
  else
    s2 = std::min(s2, at);
}

}  // namespace

void add_segment(const Vec2& half, const LimitCurve& curve, const CentreMotion& motion,
                 CentreLoad& sum) {
  const Eigen::Matrix2d T = curve.has_arcs() ? stretch(curve.ellipse()) : Eigen::Matrix2d::Zero();
  const Vec2 low = motion.at(-half), high = motion.at(half);
  if (curve.shape() == LimitCurve::Shape::ellipse) return add_smooth(half, -1, 1, T, motion, sum);
  // On a line through the rotation centre the slip has one direction and its opposite.
  const double size = std::max(low.norm(), high.norm());
  const bool through = std::abs(cross(low, high)) <= rounding * size * size;
  if (through) {
    // Every slip is along `along`; it changes sign at s0 if at all.
    const Vec2 along = low.norm() > high.norm() ? low : high;
    const double a = low.dot(along), b = high.dot(along);
    const double s0 = a == b ? 1 : std::clamp(-1 + 2 * a / (a - b), -1.0, 1.0);
    const bool turns = (a < 0) != (b < 0);
    const auto add_part = [&](double s1, double s2, const Vec2& slip) {
      if (!(s2 > s1)) return;
      const Face face = curve.face(slip);
      sum.add(0.5 * (s2 - s1), 0.5 * (s1 + s2) * half, 0.5 * (face.first + face.last));
    };
    if (turns) {
      add_part(-1, s0, low);
      add_part(s0, 1, high);
      return;
    }
    if (!sum.second) return add_part(-1, 1, along);
  }
  for_each_wedge(curve, [&](const Vec2& first, const Vec2& last, const Vec2* force) {
    double s1 = -1, s2 = 1;
    const double low_end = cross(low, last), high_end = cross(high, last);
    if (low_end == 0 && high_end == 0) return;  // the border of two wedges, left to the next
    narrow(cross(first, low), cross(first, high), s1, s2);
    narrow(low_end, high_end, s1, s2);
    if (!(s2 > s1)) return;
    if (force == nullptr) return add_smooth(half, s1, s2, T, motion, sum);
    sum.add(0.5 * (s2 - s1), 0.5 * (s1 + s2) * half, *force);
  });
  if (!sum.second) return;
  // The force jumps where the slip is normal to a flat: ∫ δ(t·v) ds = 1/|t·dv/ds|.
  const auto& pieces = curve.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].arc) continue;
    const Vec2 n = pieces[i].normal, t(-n.y(), n.x());
    const double a = t.dot(low), b = t.dot(high);
    if ((a >= 0) == (b >= 0)) continue;
    const Vec2 place = (-1 + 2 * a / (a - b)) * half;
    if (n.dot(motion.at(place)) <= 0) continue;
    const double jump = (curve.piece_end(i) - pieces[i].from).norm();
    sum.add_second(jump / std::abs(b - a) * t * t.transpose(), place);
  }
}

}  // namespace stiction
