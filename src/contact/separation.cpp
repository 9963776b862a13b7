// SPDX-License-Identifier: Apache-2.0
#include "stiction/separation.h"

#include <Eigen/Dense>
#include <cmath>

#include "contact/linear_program.h"
#include "stiction/friction_cone.h"

namespace stiction {

namespace {

// A polygon inside the curve: itself, or sixteen of its boundary points.
LimitCurve polygon_inside(const LimitCurve& curve) {
  if (curve.is_polygonal()) return curve;
  std::vector<Vec2> points{Vec2::Zero()};
  for (long k = 0; k < 16; ++k) points.push_back(curve.face(Direction::turn(k, 16).unit()).first);
  return polygon(points);
}

LimitCurve curve_of(const ContactProblem& problem, int contact) {
  const LimitCurve curve = limit_curve(problem.laws[static_cast<std::size_t>(contact)]);
  return problem.dimension == 2 ? with_bearing(curve, Direction::degrees(90)) : curve;
}

// Rows a·s ≤ 0 of all contacts' cones.
Eigen::MatrixXd cone_rows(const ContactProblem& problem, bool normal_only) {
  const int d = problem.dimension;
  std::vector<Eigen::RowVectorXd> rows;
  for (int i = 0; i < problem.contacts(); ++i) {
    const LimitCurve curve = normal_only ? free_curve() : polygon_inside(curve_of(problem, i));
    for (const Vec3& a : FrictionCone(curve).rows()) {
      if (d == 2 && a[0] == 0 && a[1] == 0) continue;
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(d * problem.contacts());
      row.segment(d * i, d) = a.head(d).transpose();
      rows.push_back(row);
    }
  }
  Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()), d * problem.contacts());
  for (std::size_t k = 0; k < rows.size(); ++k) result.row(static_cast<Eigen::Index>(k)) = rows[k];
  return result;
}

// In the null space of Wᵀ, s = Z y with |y_k| ≤ 1, there is a cone of candidates: the one with the
// least q·s, or if that is zero one with q·s ≤ 0 and some normal force.
std::vector<Eigen::VectorXd> candidates(const ContactProblem& problem, const Eigen::MatrixXd& W,
                                        bool normal_only) {
  const int d = problem.dimension;
  const Eigen::Index size = W.rows();
  const double scale = std::max(W.cwiseAbs().maxCoeff(), 1e-300);
  Eigen::MatrixXd conditions = W.transpose() / scale;
  if (normal_only) {
    conditions.conservativeResize(size + (d - 1) * problem.contacts(), Eigen::NoChange);
    conditions.bottomRows((d - 1) * problem.contacts()).setZero();
    for (int i = 0; i < problem.contacts(); ++i)
      for (int c = 1; c < d; ++c) conditions(size + (d - 1) * i + c - 1, d * i + c) = 1;
  }
  Eigen::FullPivLU<Eigen::MatrixXd> lu(conditions);
  lu.setThreshold(1e-9);
  if (lu.dimensionOfKernel() == 0) return {};
  const Eigen::MatrixXd kernel = lu.kernel();
  const Eigen::MatrixXd Z =
      kernel.householderQr().householderQ() * Eigen::MatrixXd::Identity(size, kernel.cols());
  const Eigen::MatrixXd rows = cone_rows(problem, normal_only) * Z;
  const Eigen::Index k = Z.cols(), m = rows.rows();
  const double q_size = std::max(problem.q.norm(), 1e-300);
  const Eigen::RowVectorXd along = problem.q.transpose() * Z / q_size;
  Eigen::MatrixXd A(m + 2 * k + 1, k);
  A << rows, Eigen::MatrixXd::Identity(k, k), -Eigen::MatrixXd::Identity(k, k), along;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  b.segment(m, 2 * k).setOnes();
  Eigen::VectorXd normal = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < problem.contacts(); ++i) normal[d * i] = 1;
  std::vector<Eigen::VectorXd> found;
  for (const Eigen::VectorXd& aim :
       {Eigen::VectorXd(-along.transpose()), Eigen::VectorXd(Z.transpose() * normal)}) {
    const LinearProgram lp = maximise(aim, A, b);
    if (lp.status != LinearProgram::Status::optimal) continue;
    const Eigen::VectorXd s = Z * lp.x;
    if (s.norm() > 1e-6) found.emplace_back(s / s.norm());
  }
  return found;
}

}  // namespace

bool verify_separation(const ContactProblem& problem, const Separation& separation, Model model,
                       double tolerance) {
  const int d = problem.dimension;
  const Eigen::VectorXd& s = separation.direction;
  if (s.size() != static_cast<Eigen::Index>(d) * problem.contacts() || !s.allFinite() ||
      !(s.norm() > 0))
    return false;
  const double length = s.norm();
  const Eigen::SparseMatrix<double> W = to_sparse(problem.W);
  if ((W.transpose() * s).norm() > tolerance * W.norm() * length) return false;
  const double along = problem.q.dot(s), size = problem.q.norm() * length;
  bool normal_only = true;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Vec3 s_i(s[d * i], s[d * i + 1], d == 3 ? s[d * i + 2] : 0.0);
    if (FrictionCone(curve_of(problem, i)).distance(s_i) > tolerance * length) return false;
    normal_only = normal_only && s_i.tail<2>().norm() <= tolerance * length;
  }
  if (separation.proves == Separation::Proves::existence_not_guaranteed)
    return along <= tolerance * size;
  return (model == Model::convex || normal_only) && along < -tolerance * size;
}

std::optional<Separation> find_separation(const ContactProblem& problem, Model model) {
  if (problem.contacts() == 0) return std::nullopt;
  const Eigen::MatrixXd W = to_sparse(problem.W);
  for (const bool normal_only : {true, false})
    for (const Eigen::VectorXd& s : candidates(problem, W, normal_only))
      for (const auto proves :
           {Separation::Proves::no_solution, Separation::Proves::existence_not_guaranteed}) {
        const Separation candidate{s, proves};
        if (verify_separation(problem, candidate, model)) return candidate;
      }
  return std::nullopt;
}

}  // namespace stiction
