// SPDX-License-Identifier: Apache-2.0
#include "slider/supports/area.h"

#include "slider/supports/flat_face.h"

namespace stiction {

namespace {

void add_shape(const Support& support, const Vec2& centre, const CentreMotion& motion,
               CentreLoad& sum) {
  switch (support.shape) {
    case Support::Shape::point:
      return;
    case Support::Shape::segment:
      return add_segment(0.5 * (support.to - support.at), support.curve, motion, sum);
    case Support::Shape::disc:
    case Support::Shape::ring:
    case Support::Shape::annulus:
      return add_round(support, motion, sum);
    case Support::Shape::polygon:
    case Support::Shape::grid:
      break;
  }
  // In parts, for thousands of cells one by one leave more rounding than any of them.
  CentreLoad part;
  part.second = sum.second;
  const auto end_part = [&] {
    sum.force += part.force;
    sum.moment += part.moment;
    sum.hessian += part.hessian;
    part.force.setZero();
    part.moment = 0;
    part.hessian.setZero();
  };
  int cells = 0;
  for_each_cell(support, centre, [&](const Cell& cell, double pressure, double scale) {
    add_cell(cell, support.curve, motion, scale, pressure, part);
    if (++cells % 64 == 0) end_part();
  });
  end_part();
}

}  // namespace

CentreMotionAtSpeed centre_motion(const PressureMoments& moments, const Vec3& q) {
  const double extent = std::sqrt(moments.square);
  CentreMotion motion{rounded_slip_at(moments.centre, q), q[2]};
  const double speed = std::max(motion.slip.cwiseAbs().maxCoeff(), std::abs(motion.omega) * extent);
  if (speed > 0) {
    motion.slip /= speed;
    motion.omega /= speed;
  }
  return {motion, speed};
}

void add_area(const Support& support, int index, const Vec3& q, bool second, PowerDerivatives& sum,
              std::vector<FaceTerm>* terms) {
  const double N = support.normal_force;
  if (N == 0 || support.curve.shape() == LimitCurve::Shape::point || q.isZero(0)) return;
  const PressureMoments moments = pressure_moments(support);
  const Vec2& x0 = moments.centre;
  auto [motion, speed] = centre_motion(moments, q);
  if (!(speed > 0)) return;
  put_across_segment(support, slip_at(x0, q), slip_slack(x0, q), motion);

  CentreLoad own;
  own.second = second;
  if (const auto flat = flat_face(support, moments, motion)) {
    own.force = flat->force;
    own.moment = flat->moment;
    if (terms != nullptr) terms->push_back(flat_term(support, index, moments, *flat));
  } else if (motion.omega == 0 && !second && !support.tangential) {
    own.force = force_at(support.curve, motion.slip).force;  // the same everywhere
  } else {
    add_shape(support, x0, motion, own);
  }
  Eigen::Matrix3d shift = Eigen::Matrix3d::Identity();
  shift(2, 0) = -x0.y();
  shift(2, 1) = x0.x();
  const Vec3 load(own.force.x(), own.force.y(), own.moment);
  sum.power += N * speed * (own.force.dot(motion.slip) + own.moment * motion.omega);
  sum.load += N * (shift * load);
  if (second) sum.hessian += N / speed * (shift * own.hessian * shift.transpose());
}

}  // namespace stiction
