// SPDX-License-Identifier: Apache-2.0
#include "stiction/separation.h"

#include <Eigen/Dense>
#include <cmath>

#include "contact/cone_program.h"
#include "part_of.h"
#include "stiction/friction_cone.h"

namespace stiction {

namespace {

// A polygon inside the curve: itself, or sixteen of its boundary points; of an ellipse those of the
// disc it is an image of, so that it is as near to both.
LimitCurve polygon_inside(const LimitCurve& curve) {
  if (curve.is_polygonal()) return curve;
  const bool ellipse = curve.shape() == LimitCurve::Shape::ellipse;
  std::vector<Vec2> points{Vec2::Zero()};
  for (long k = 0; k < 16; ++k) {
    const Vec2 u = Direction::turn(k, 16).unit();
    if (ellipse)
      points.push_back(
          curve.ellipse().from_axes({curve.ellipse().a * u.x(), curve.ellipse().b * u.y()}));
    else
      points.push_back(curve.face(u).first);
  }
  return polygon(points);
}

LimitCurve curve_of(const ContactProblem& problem, int contact) {
  const LimitCurve curve = limit_curve(problem.laws[static_cast<std::size_t>(contact)]);
  return problem.dimension == 2 ? with_bearing(curve, Direction::degrees(90)) : curve;
}

// Rows a·s ≤ 0 of all contacts' cones and q·s ≤ 0, for s = D x, each of unit length in x.
SparseRows cone_rows(const ContactProblem& problem, const Eigen::VectorXd& D, bool normal_only) {
  const int d = problem.dimension;
  std::vector<Eigen::Triplet<double>> entries;
  int count = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const LimitCurve curve = normal_only ? free_curve() : polygon_inside(curve_of(problem, i));
    for (const Vec3& a : FrictionCone(curve).rows()) {
      if (d == 2 && a[0] == 0 && a[1] == 0) continue;
      const Eigen::VectorXd row = a.head(d).cwiseProduct(D.segment(d * i, d)).stableNormalized();
      for (int c = 0; c < d; ++c) entries.emplace_back(count, d * i + c, row[c]);
      ++count;
    }
  }
  const Eigen::VectorXd q = problem.q.cwiseProduct(D).stableNormalized();
  for (Eigen::Index c = 0; c < q.size(); ++c)
    entries.emplace_back(count, static_cast<int>(c), q[c]);
  SparseRows rows(count + 1, D.size());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
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
    if ((factor.array() - 1).abs().maxCoeff() < 1e-3) break;
    for (int j = 0; j < e.W.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(e.W, j); it; ++it)
        it.valueRef() *= factor[it.row()] * factor[it.col()];
    e.d = e.d.cwiseProduct(factor);
  }
  return e;
}

// Orthonormal columns that span the complement of the range of A, by Householder's QR with column
// pivoting: A P = Q R, and where the rows of R end those of Q's columns begin that A does not
// reach.
Eigen::MatrixXd complement_of_range(Eigen::MatrixXd A, const Progress& progress) {
  constexpr double threshold = 1e-9;  // of the largest pivot
  const Eigen::Index n = A.rows(), most = std::min(n, A.cols());
  Eigen::VectorXd tau(most), row(A.cols());
  // Of the columns, what is left of their length, squared, and what it was when last computed.
  Eigen::RowVectorXd left = A.colwise().squaredNorm(), fresh = left;
  double largest = 0;
  Eigen::Index rank = 0;
  const auto tell = [&](double share) {
    if (progress && !progress(share)) throw Stopped("stopped before a direction was found");
  };
  for (; rank < most; ++rank) {
    tell(0.5 * static_cast<double>(rank) / static_cast<double>(most));
    const Eigen::Index below = n - rank, right = A.cols() - rank - 1;
    Eigen::Index pivot = 0;
    left.tail(right + 1).maxCoeff(&pivot);
    pivot += rank;
    A.col(rank).swap(A.col(pivot));
    std::swap(left[rank], left[pivot]);
    std::swap(fresh[rank], fresh[pivot]);
    auto column = A.col(rank).tail(below);
    double beta = 0;
    column.makeHouseholderInPlace(tau[rank], beta);
    if (rank == 0) largest = std::abs(beta);
    if (!(std::abs(beta) > threshold * largest)) break;
    A.bottomRightCorner(below, right)
        .applyHouseholderOnTheLeft(column.tail(below - 1), tau[rank], row.data());
    for (Eigen::Index j = rank + 1; j < A.cols(); ++j) {
      left[j] -= A(rank, j) * A(rank, j);
      // The difference is all rounding: anew.
      if (left[j] <= 1e-8 * fresh[j]) left[j] = fresh[j] = A.col(j).tail(below - 1).squaredNorm();
    }
  }
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(n, n - rank);
  if (rank == n) return Q;
  Q.bottomRows(n - rank).setIdentity();
  row.resize(n - rank);
  for (Eigen::Index k = rank - 1; k >= 0; --k) {
    tell(1 - 0.5 * static_cast<double>(k + 1) / static_cast<double>(rank));
    Q.bottomRows(n - k).applyHouseholderOnTheLeft(A.col(k).tail(n - k - 1), tau[k], row.data());
  }
  return Q;
}

// Orthonormal columns that span the s = D Z y with Wᵀ s = 0, of normal forces alone if so asked.
Eigen::MatrixXd null_space(const ContactProblem& problem, const Equilibrated& e, bool normal_only,
                           const Progress& progress) {
  if (!normal_only) return complement_of_range(e.W, progress);
  const auto some = Eigen::seqN(0, problem.contacts(), problem.dimension);
  const Eigen::MatrixXd all = e.W;
  const Eigen::MatrixXd Q = complement_of_range(all(some, Eigen::all), progress);
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(e.d.size(), Q.cols());
  Z(some, Eigen::all) = Q;
  return Z;
}

// The nearest s in K, for one that is beside it by rounding.
Eigen::VectorXd in_cones(const ContactProblem& problem, Eigen::VectorXd s, bool normal_only) {
  const int d = problem.dimension;
  for (int i = 0; i < problem.contacts(); ++i) {
    const LimitCurve curve = normal_only ? free_curve() : curve_of(problem, i);
    const Vec3 s_i(s[d * i], s[d * i + 1], d == 3 ? s[d * i + 2] : 0.0);
    s.segment(d * i, d) = FrictionCone(curve).project(s_i).head(d);
  }
  return s;
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

// In the null space there is a cone of candidates: the one with the least q·s, or if that is zero
// one with q·s ≤ 0 and some normal force.  Each is as good as it verifies.
std::optional<Separation> find_separation(const ContactProblem& problem, Model model,
                                          const Progress& progress) {
  using Proves = Separation::Proves;
  if (problem.contacts() == 0) return std::nullopt;
  const Equilibrated e = equilibrated(problem.W);
  Eigen::VectorXd normal = Eigen::VectorXd::Zero(e.d.size());
  for (int i = 0; i < problem.contacts(); ++i) normal[problem.dimension * i] = 1;
  std::optional<Separation> weaker;
  double begun = 0;
  try {
    for (const bool normal_only : {true, false}) {
      const Eigen::MatrixXd Z =
          null_space(problem, e, normal_only, part_of(progress, begun, begun + 0.2));
      begun += 0.2;
      const SparseRows rows = cone_rows(problem, e.d, normal_only);
      const Eigen::VectorXd along = Z.transpose() * rows.row(rows.rows() - 1).transpose();
      for (const Eigen::VectorXd& aim :
           {Eigen::VectorXd(-along), Eigen::VectorXd(Z.transpose() * normal)}) {
        const auto y = farthest_in_cone(aim, rows, Z, part_of(progress, begun, begun + 0.15));
        begun += 0.15;
        if (!y || !((Z * *y).norm() > 1e-6)) continue;
        // Beside the cones by rounding: put into them and back into the null space until it holds.
        Eigen::VectorXd x = Z * *y;
        for (int k = 0; k < 4; ++k) {
          const Eigen::VectorXd s =
              in_cones(problem, x.cwiseProduct(e.d), normal_only).stableNormalized();
          const auto holds = [&](Proves proves) {
            return verify(problem, e, {s, proves}, model, separation_tolerance);
          };
          if (holds(Proves::no_solution)) return Separation{s, Proves::no_solution};
          if (!weaker && holds(Proves::existence_not_guaranteed))
            weaker = {s, Proves::existence_not_guaranteed};
          x = Z * (Z.transpose() * s.cwiseQuotient(e.d)).eval();
        }
      }
    }
  } catch (const Stopped&) {
    if (!weaker) throw;
  }
  return weaker;
}

}  // namespace stiction
