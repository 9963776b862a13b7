// SPDX-License-Identifier: Apache-2.0
//
// From the global to the local form: W = H M⁻¹ Hᵀ, q = w + H M⁻¹ f, with joints included by
//
//   [M −Gᵀ; G 0] (v, λ) = (f + Hᵀ r, −b).
//
// The matrix falls apart into the bodies, or groups of bodies joined to each other; each group is
// factorised by itself, so that a thousand free bodies cost a thousand small inversions and W comes
// out as sparse as it is.  A local problem's bilateral rows are eliminated in the same way.
//
// Where rows of G depend on each other, as in every closed loop of hinges, λ is open and v is not.
// Dependent rows are left out, which leaves v as it is, and λ then becomes the least of those with
// the same Gᵀ λ.
#include <string>

#include "contact/problem/group_solve.h"
#include "stiction/contact_problem.h"

namespace stiction {

using Sparse = Eigen::SparseMatrix<double>;

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Sparse gathered(const Triplets& entries, Eigen::Index rows, Eigen::Index cols) {
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

template <class Work>
void each_entry(const Sparse& matrix, const Work& work) {
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it)
      work(static_cast<int>(it.row()), c, it.value());
}

void require_finite(const Sparse& matrix, const char* name) {
  if (!matrix.coeffs().isFinite().all())
    throw InvalidInput(std::string(name) +
                       " overflows, expected masses and lengths of ordinary size");
}

// [M −Gᵀ; G 0]
Sparse joined(const Sparse& M, const Sparse& G) {
  const int n = static_cast<int>(M.rows());
  Triplets entries;
  each_entry(M, [&](int i, int j, double x) { entries.emplace_back(i, j, x); });
  each_entry(G, [&](int i, int j, double x) {
    entries.emplace_back(n + i, j, x);
    entries.emplace_back(j, n + i, -x);
  });
  return gathered(entries, n + G.rows(), n + G.rows());
}

// [A c] with the column c, as far as it is not zero.
Sparse with_column(const Sparse& A, const Eigen::VectorXd& c) {
  Triplets entries;
  each_entry(A, [&](int i, int j, double x) { entries.emplace_back(i, j, x); });
  for (int i = 0; i < c.size(); ++i)
    if (c[i] != 0) entries.emplace_back(i, static_cast<int>(A.cols()), c[i]);
  return gathered(entries, c.size(), A.cols() + 1);
}

}  // namespace

Condensed::Condensed(const GlobalProblem& problem, const Progress& progress) {
  validate(problem);
  const Eigen::Index n = problem.M.rows(), size = problem.H.rows();
  const Eigen::Index joints = problem.joints ? problem.joints->first.rows() : 0;
  Eigen::VectorXd applied = problem.f;
  if (problem.joints) {
    applied.conservativeResize(n + joints);
    applied.tail(joints) = -problem.joints->second;
  }
  const Sparse B = with_column(problem.H.transpose(), applied);
  const BilateralRows rows{static_cast<int>(n), "G",
                           [](int row, int) { return "b[" + std::to_string(row) + "]"; }, -1};
  const auto [X, product] = problem.joints
                                ? solve_by_groups(joined(problem.M, problem.joints->first), B,
                                                  "M with the joints", &rows, progress)
                                : solve_by_groups(problem.M, B, "M", nullptr, progress);
  response_ = X.topLeftCorner(n, size);
  free_ = Eigen::VectorXd(X.col(size)).head(n);
  bilateral_response_ = X.bottomLeftCorner(joints, size);
  bilateral_free_ = Eigen::VectorXd(X.col(size)).tail(joints);

  local_.dimension = problem.dimension;
  local_.laws = problem.laws;
  local_.mu_rolling = problem.mu_rolling;
  local_.places = problem.places;
  local_.q = problem.w + problem.H * free_;
  const Sparse W = product.topLeftCorner(size, size);
  require_finite(W, "H M⁻¹ Hᵀ");
  local_.W = block_matrix(W, problem.dimension);
  local_.origin = std::make_shared<const Origin>(Origin{problem.H, problem.w, problem.joints});
}

Condensed::Condensed(const ContactProblem& problem, const Progress& progress) : local_(problem) {
  validate(problem);
  if (!problem.bilateral) return;
  // Vᵀ r + R λ + s = 0 and u = W r + q + V λ.
  const auto& [V, R, s] = *problem.bilateral;
  const Eigen::Index size = V.rows();
  const BilateralRows rows{0, "R", [&](int row, int column) {
                             const std::string end = "[" + std::to_string(row) + "]";
                             return column == size ? "s" + end
                                                   : "V[" + std::to_string(column) + "]" + end;
                           }};
  const auto [X, product] = solve_by_groups(R, with_column(V.transpose(), s), "R", &rows, progress);
  bilateral_response_ = -X.leftCols(size);
  bilateral_free_ = -Eigen::VectorXd(X.col(size));
  local_.q += V * bilateral_free_;
  const Sparse W = to_sparse(problem.W) - Sparse(product.topLeftCorner(size, size));
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
