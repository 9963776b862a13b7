// SPDX-License-Identifier: Apache-2.0
//
// Several contacts between forces and accelerations.  A contact that slides along d carries
//   −r_t = r_n (f₀ + s),  s in the face of the limit curve at d less f₀, one of its ends;
// with r = S r′, S = [1 0; −f₀ 1], its law is that of the segment of such s, and W becomes W S.
#include <cmath>

#include "stiction/multibody.h"

namespace stiction {

namespace {

// From the order t1, t2, n to n, t1, t2.
Vec3 normal_first(const Vec3& v) { return {v[2], v[0], v[1]}; }

Law segment_law(const Face& face) {
  Law law;
  law.curve = Law::Curve::free;
  const Vec2 along = face.last - face.first;
  if (face.kind == Face::Kind::point || along.isZero(0)) return law;
  law.curve = Law::Curve::polygon;
  law.vertices = {Vec2::Zero(), along};
  return law;
}

}  // namespace

ContactMotions contact_motions(MechanismState& state,
                               const std::vector<TouchingContact>& contacts) {
  ContactMotions motions;
  motions.touches.assign(contacts.size(), false);
  motions.slides.assign(contacts.size(), false);
  std::vector<ContactPoint> points;
  std::vector<Eigen::Matrix3d> shears;
  std::vector<bool> sliding;
  ContactProblem& problem = motions.problem;
  std::vector<double> q;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 u = state.velocity(contacts[i].point);
    const Vec3 terms = state.jacobian(contacts[i].point).cwiseAbs() * state.speeds();
    const bool rests_n = std::abs(u[2]) <= 1e-9 * terms.maxCoeff();
    if (!rests_n && u[2] < 0)
      throw InvalidInput("contact " + std::to_string(i) + " moves into the ground at " +
                         text(-u[2]) + " m/s: that is an impact");
    motions.touches[i] = rests_n;
    if (!rests_n) continue;
    points.push_back(contacts[i].point);
    Eigen::Matrix3d S = Eigen::Matrix3d::Identity();
    Law law = contacts[i].law;
    const Vec2 slip = u.head<2>();
    const bool slides = slip.norm() > 1e-9 * terms.maxCoeff();
    if (slides) {
      const Face face = limit_curve(law).face(slip);
      S.block<2, 1>(1, 0) = -face.first;
      law = segment_law(face);
    }
    motions.slides[i] = slides;
    sliding.push_back(slides);
    shears.push_back(S);
    problem.laws.push_back(law);
    const Vec3 a = normal_first(state.acceleration(contacts[i].point));
    q.insert(q.end(), a.begin(), a.end());
  }
  if (points.empty()) {
    motions.found.complete = true;
    return motions;
  }
  const auto n = static_cast<Eigen::Index>(points.size());
  const Eigen::MatrixXd ours = state.delassus(points);
  Eigen::MatrixXd W(3 * n, 3 * n), sheared(3 * n, 3 * n);
  const auto order = [](Eigen::Index i) { return i - i % 3 + (i % 3 + 2) % 3; };
  for (Eigen::Index i = 0; i < 3 * n; ++i)
    for (Eigen::Index j = 0; j < 3 * n; ++j) W(i, j) = ours(order(i), order(j));
  for (Eigen::Index j = 0; j < n; ++j)
    sheared.middleCols(3 * j, 3) = W.middleCols(3 * j, 3) * shears[static_cast<std::size_t>(j)];
  problem.W = block_matrix(sheared, 3);
  problem.q = Eigen::Map<const Eigen::VectorXd>(q.data(), 3 * n);
  motions.found = enumerate(problem);
  for (EnumeratedSolution& solution : motions.found.solutions)
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      solution.reactions.segment<3>(3 * i) =
          (shears[k] * solution.reactions.segment<3>(3 * i)).eval();
      if (sliding[k] && solution.modes[k] == Mode::stick) solution.modes[k] = Mode::slip;
    }
  return motions;
}

}  // namespace stiction
