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

// W in units of its own, D W D with d > 0 and the largest entry of each row and column about 1, so
// that nothing depends on how the sizes of contacts compare.
struct Equilibrated {
  Eigen::SparseMatrix<double> W;
  Eigen::VectorXd d;
};

Equilibrated equilibrated(const BlockMatrix& blocks) {
  Equilibrated e{to_sparse(blocks), Eigen::VectorXd::Ones(blocks.rows() * blocks.block)};
  // Each time the ratio of two rows falls to its root.
  for (int k = 0; k < 20; ++k) {
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(e.d.size());
    for (int j = 0; j < e.W.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(e.W, j); it; ++it)
        for (const Eigen::Index i : {it.row(), it.col()})
          largest[i] = std::max(largest[i], std::abs(it.value()));
    const Eigen::VectorXd factor =
        largest.unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 1.0; });
    e.W = factor.asDiagonal() * e.W * factor.asDiagonal();
    e.d = e.d.cwiseProduct(factor);
  }
  return e;
}

// In the null space of Wᵀ, s = D Z y with |y_k| ≤ 1, there is a cone of candidates: the one with
// the least q·s, or if that is zero one with q·s ≤ 0 and some normal force.
std::vector<Eigen::VectorXd> candidates(const ContactProblem& problem, const Equilibrated& e,
                                        bool normal_only) {
  const int d = problem.dimension;
  const Eigen::Index size = e.d.size();
  Eigen::MatrixXd conditions = e.W.transpose();
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
  const Eigen::MatrixXd cones = cone_rows(problem, normal_only) * e.d.asDiagonal();
  const Eigen::MatrixXd rows = cones.rowwise().normalized() * Z;
  const Eigen::Index k = Z.cols(), m = rows.rows();
  const Eigen::VectorXd q = problem.q.cwiseProduct(e.d);
  const Eigen::RowVectorXd along = q.transpose() * Z / std::max(q.norm(), 1e-300);
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
    const Eigen::VectorXd scaled = Z * lp.x;
    if (!(scaled.norm() > 1e-6)) continue;
    const Eigen::VectorXd s = scaled.cwiseProduct(e.d);
    found.emplace_back(s.stableNormalized());
  }
  return found;
}

bool verify(const ContactProblem& problem, const Equilibrated& e, const Separation& separation,
            Model model, double tolerance) {
  const int d = problem.dimension;
  const Eigen::VectorXd& s = separation.direction;
  const Eigen::VectorXd scaled = s.cwiseQuotient(e.d);
  const double length = scaled.norm();
  if (!(length > 0 && length < infinity)) return false;
  if ((e.W.transpose() * scaled).norm() > tolerance * e.W.norm() * length) return false;
  // Of numbers that are zero but for rounding, s is as good as its largest.
  constexpr double rounding = 1e-14;
  bool normal_only = true;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Vec3 s_i(s[d * i], s[d * i + 1], d == 3 ? s[d * i + 2] : 0.0);
    const double noise = rounding * length * e.d.segment(d * i, d).maxCoeff(),
                 bound = tolerance * s_i.norm() + noise;
    if (FrictionCone(curve_of(problem, i)).distance(s_i) > bound) return false;
    normal_only = normal_only && s_i.tail<2>().norm() <= bound;
  }
  const double along = problem.q.dot(s),
               size = tolerance * problem.q.cwiseProduct(s).cwiseAbs().sum() +
                      rounding * problem.q.cwiseProduct(e.d).norm() * length;
  if (separation.proves == Separation::Proves::existence_not_guaranteed) return along <= size;
  return (model == Model::convex || normal_only) && along < -size;
}

}  // namespace

bool verify_separation(const ContactProblem& problem, const Separation& separation, Model model,
                       double tolerance) {
  const Eigen::VectorXd& s = separation.direction;
  if (s.size() != static_cast<Eigen::Index>(problem.dimension) * problem.contacts() ||
      !s.allFinite() || s.isZero(0))
    return false;
  return verify(problem, equilibrated(problem.W), separation, model, tolerance);
}

std::optional<Separation> find_separation(const ContactProblem& problem, Model model) {
  if (problem.contacts() == 0) return std::nullopt;
  const Equilibrated e = equilibrated(problem.W);
  std::vector<Eigen::VectorXd> found = candidates(problem, e, true);
  for (Eigen::VectorXd& s : candidates(problem, e, false)) found.push_back(std::move(s));
  for (const auto proves :
       {Separation::Proves::no_solution, Separation::Proves::existence_not_guaranteed})
    for (const Eigen::VectorXd& s : found) {
      const Separation candidate{s, proves};
      if (verify(problem, e, candidate, model, separation_tolerance)) return candidate;
    }
  return std::nullopt;
}

}  // namespace stiction
