// SPDX-License-Identifier: Apache-2.0
//
// Gauss–Newton on the gaps of the loops, in steps of the least velocity that closes them.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "stiction/multibody.h"

namespace stiction {

namespace {

// q moved for a unit of time by v: a quaternion x, y, z, w turns about the body's own axes.
void move(const MultibodyModel& model, const Eigen::VectorXd& v, Eigen::VectorXd& q) {
  for (const ModelJoint& joint : model.joints()) {
    if (joint.nq == joint.nv) {
      q.segment(joint.q, joint.nq) += v.segment(joint.v, joint.nv);
      continue;
    }
    const bool free = joint.nq == 7 && joint.nv == 6;
    if (!free && !(joint.nq == 4 && joint.nv == 3))
      throw InvalidInput("joint '" + joint.name + "' is of a kind whose loops are not closed");
    const int at = joint.q + (free ? 3 : 0);
    Eigen::Quaterniond turned(q[at + 3], q[at], q[at + 1], q[at + 2]);
    if (free) q.segment(joint.q, 3) += turned * Vec3(v.segment<3>(joint.v));
    const Vec3 omega = v.segment<3>(joint.v + (free ? 3 : 0));
    const double angle = omega.norm();
    if (angle > 0) turned = turned * Eigen::Quaterniond(Eigen::AngleAxisd(angle, omega / angle));
    turned.normalize();
    q.segment<4>(at) = turned.coeffs();
  }
}

}  // namespace

Eigen::VectorXd close_loops(MechanismState& state, const Eigen::VectorXd& q,
                            const std::vector<std::string>& held) {
  const MultibodyModel& model = state.mechanism_.model;
  Eigen::VectorXd closed = q;
  if (state.loops_.empty()) return closed;
  Eigen::VectorXd moves = Eigen::VectorXd::Ones(model.nv());
  for (const std::string& name : held) {
    const ModelJoint& joint = model.joint(name);
    moves.segment(joint.v, joint.nv).setZero();
  }
  const auto loop_rows = [&] { return state.loop_residual().size(); };
  double gap = infinity;
  for (int step = 0; step < 50; ++step) {
    state.kinematics_.at(closed);
    const Eigen::VectorXd gaps = state.loop_residual();
    double size = 1;
    for (const Loop& loop : state.loops_)
      size = std::max(size, state.kinematics_.position(loop.first).norm());
    const double now = gaps.lpNorm<Eigen::Infinity>();
    if (now <= 4 * rounding * size || (now >= gap && now <= 1e-12 * size)) return closed;
    gap = now;
    const Eigen::MatrixXd G = state.constraint_rows().topRows(loop_rows()) * moves.asDiagonal();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(G.rows(), G.cols());
    solver.setThreshold(1e-10);
    solver.compute(G);
    Eigen::VectorXd v = -solver.solve(gaps);
    const double largest = v.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest)) break;
    if (largest > 0.5) v *= 0.5 / largest;  // no jump to another assembly
    move(model, v, closed);
  }
  throw InvalidInput("the loops cannot be closed near this configuration: " + text(gap) +
                     " m stay open");
}

}  // namespace stiction
