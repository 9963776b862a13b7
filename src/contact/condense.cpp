// SPDX-License-Identifier: Apache-2.0
//
// From the global to the local form: W = H M⁻¹ Hᵀ, q = w + H M⁻¹ f, with joints included by
//
//   [M −Gᵀ; G 0] (v, λ) = (f + Hᵀ r, −b).
//
// The matrix falls apart into the bodies, or groups of bodies joined to each other; each group is
// factorised by itself, so that a thousand free bodies cost a thousand small inversions and W comes
// out as sparse as it is.  A local problem's bilateral rows are eliminated in the same way.
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/groups.h"
#include "stiction/contact_problem.h"

namespace stiction {

using Sparse = Eigen::SparseMatrix<double>;

std::vector<std::vector<int>> groups_of(const Sparse& matrix) {
  const int n = static_cast<int>(matrix.rows());
  std::vector<int> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i) {
      int& p = parent[static_cast<std::size_t>(i)];
      p = parent[static_cast<std::size_t>(p)];
      i = p;
    }
    return i;
  };
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it)
      if (it.value() != 0)
        parent[static_cast<std::size_t>(find(static_cast<int>(it.row())))] = find(c);
  std::vector<std::vector<int>> groups;
  std::vector<int> group_at(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n; ++i) {
    int& group = group_at[static_cast<std::size_t>(find(i))];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(group)].push_back(i);
  }
  return groups;
}

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr int dense_size = 400;  // groups up to this size are factorised densely

// X = K⁻¹ B for one group, whose columns of B are given densely.
Eigen::MatrixXd solve_dense(const Eigen::MatrixXd& K, const Eigen::MatrixXd& B, const char* name) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(K);
  if (lu.rcond() > 1e-14) return lu.solve(B);
  // Redundant joints leave λ open but not v: the least-norm solution serves, if there is one.
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> complete(K);
  const Eigen::MatrixXd X = complete.solve(B);
  const double size = K.cwiseAbs().maxCoeff() * X.cwiseAbs().maxCoeff() + B.cwiseAbs().maxCoeff();
  if (!X.allFinite() || (K * X - B).cwiseAbs().maxCoeff() > 1e-9 * size)
    throw InvalidInput(std::string(name) + " is singular, expected a matrix that can be inverted");
  return X;
}

// The sparse matrix K⁻¹ B, group by group.
Sparse solve_by_groups(const Sparse& K, const Sparse& B, const char* name) {
  Triplets entries;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(B);
  std::vector<int> local(static_cast<std::size_t>(K.rows()), -1);
  for (const std::vector<int>& group : groups_of(K)) {
    const int size = static_cast<int>(group.size());
    for (int i = 0; i < size; ++i)
      local[static_cast<std::size_t>(group[static_cast<std::size_t>(i)])] = i;
    std::vector<int> columns;
    for (const int i : group)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows, i); it; ++it)
        columns.push_back(static_cast<int>(it.col()));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    if (columns.empty()) continue;
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(columns.size()));
    for (int i = 0; i < size; ++i)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(
               rows, group[static_cast<std::size_t>(i)]);
           it; ++it)
        right(i, std::lower_bound(columns.begin(), columns.end(), static_cast<int>(it.col())) -
                     columns.begin()) += it.value();
    Eigen::MatrixXd X;
    if (size <= dense_size) {
      Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
      for (int c = 0; c < size; ++c)
        for (Sparse::InnerIterator it(K, group[static_cast<std::size_t>(c)]); it; ++it)
          dense(local[static_cast<std::size_t>(it.row())], c) += it.value();
      X = solve_dense(dense, right, name);
    } else {
      Triplets part;
      for (int c = 0; c < size; ++c)
        for (Sparse::InnerIterator it(K, group[static_cast<std::size_t>(c)]); it; ++it)
          part.emplace_back(local[static_cast<std::size_t>(it.row())], c, it.value());
      Sparse group_matrix(size, size);
      group_matrix.setFromTriplets(part.begin(), part.end());
      Eigen::SparseLU<Sparse> lu(group_matrix);
      if (lu.info() != Eigen::Success)
        throw InvalidInput(std::string(name) +
                           " is singular, expected a matrix that can be inverted");
      X = lu.solve(right);
    }
    for (int i = 0; i < size; ++i)
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (const double x = X(i, static_cast<Eigen::Index>(c)); x != 0)
          entries.emplace_back(group[static_cast<std::size_t>(i)], columns[c], x);
  }
  Sparse result(K.rows(), B.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

void add(Triplets& entries, const Sparse& matrix, int row, int col, double factor,
         bool transposed) {
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it) {
      const int i = static_cast<int>(it.row());
      entries.emplace_back(row + (transposed ? c : i), col + (transposed ? i : c),
                           factor * it.value());
    }
}

void require_finite(const Sparse& matrix, const char* name) {
  if (!matrix.coeffs().isFinite().all())
    throw InvalidInput(std::string(name) +
                       " overflows, expected masses and lengths of ordinary size");
}

}  // namespace

Condensed::Condensed(const GlobalProblem& problem) {
  validate(problem);
  const int n = static_cast<int>(problem.M.rows());
  const int joints = problem.joints ? static_cast<int>(problem.joints->first.rows()) : 0;
  const int size = static_cast<int>(problem.H.rows());
  Sparse K(n + joints, n + joints), right(n + joints, size + 1);
  Triplets left_entries, right_entries;
  add(left_entries, problem.M, 0, 0, 1, false);
  add(right_entries, problem.H, 0, 0, 1, true);
  for (int i = 0; i < n; ++i)
    if (problem.f[i] != 0) right_entries.emplace_back(i, size, problem.f[i]);
  if (problem.joints) {
    const auto& [G, b] = *problem.joints;
    add(left_entries, G, n, 0, 1, false);
    add(left_entries, G, 0, n, -1, true);
    for (int i = 0; i < joints; ++i)
      if (b[i] != 0) right_entries.emplace_back(n + i, size, -b[i]);
  }
  K.setFromTriplets(left_entries.begin(), left_entries.end());
  right.setFromTriplets(right_entries.begin(), right_entries.end());
  const Sparse X = solve_by_groups(K, right, problem.joints ? "M with the joints" : "M");
  response_ = X.topLeftCorner(n, size);
  free_ = Eigen::VectorXd(X.col(size)).head(n);
  bilateral_response_ = X.bottomLeftCorner(joints, size);
  bilateral_free_ = Eigen::VectorXd(X.col(size)).tail(joints);

  local_.dimension = problem.dimension;
  local_.laws = problem.laws;
  local_.mu_rolling = problem.mu_rolling;
  local_.places = problem.places;
  local_.q = problem.w + problem.H * free_;
  const Sparse W = problem.H * response_;
  require_finite(W, "H M⁻¹ Hᵀ");
  local_.W = block_matrix(W, problem.dimension);
}

Condensed::Condensed(const ContactProblem& problem) : local_(problem) {
  validate(problem);
  if (!problem.bilateral) return;
  // Vᵀ r + R λ + s = 0 and u = W r + q + V λ.
  const auto& [V, R, s] = *problem.bilateral;
  const int rows = static_cast<int>(R.rows()), size = static_cast<int>(V.rows());
  Triplets entries;
  add(entries, V, 0, 0, 1, true);
  for (int i = 0; i < rows; ++i)
    if (s[i] != 0) entries.emplace_back(i, size, s[i]);
  Sparse right(rows, size + 1);
  right.setFromTriplets(entries.begin(), entries.end());
  const Sparse X = solve_by_groups(R, right, "R");
  bilateral_response_ = -X.leftCols(size);
  bilateral_free_ = -Eigen::VectorXd(X.col(size));
  local_.q += V * bilateral_free_;
  const Sparse W = to_sparse(problem.W) - Sparse(V * X.leftCols(size));
  require_finite(W, "W − V R⁻¹ Vᵀ");
  local_.W = block_matrix(W, problem.dimension);
  local_.bilateral.reset();
}

Eigen::VectorXd Condensed::generalized_velocities(const Eigen::VectorXd& reactions) const {
  if (free_.size() == 0) return {};
  return free_ + response_ * reactions;
}

Eigen::VectorXd Condensed::bilateral_forces(const Eigen::VectorXd& reactions) const {
  if (bilateral_free_.size() == 0) return {};
  return bilateral_free_ + bilateral_response_ * reactions;
}

}  // namespace stiction
