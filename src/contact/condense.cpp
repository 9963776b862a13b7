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

#include "contact/dense_solve.h"
#include "contact/groups.h"
#include "part_of.h"
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

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr int dense_size = 400;      // groups up to this size are factorised densely
constexpr double dense_share = 0.1;  // larger ones where they hold this share of all entries

bool is_dense(double entries, Eigen::Index rows, Eigen::Index cols) {
  return entries >= dense_share * static_cast<double>(rows) * static_cast<double>(cols);
}

void tell(const Progress& progress, double share) {
  if (progress && !progress(share)) throw Stopped("stopped before the problem was condensed");
}

[[noreturn]] void refuse_singular(const char* name) {
  throw InvalidInput(std::string(name) + " is singular, expected a matrix that can be inverted");
}

// X = K⁻¹ B for one group, given densely.
Eigen::MatrixXd solve_densely(const Eigen::MatrixXd& K, const Eigen::MatrixXd& B, const char* name,
                              const Progress& progress) {
  if (K.rows() > dense_size) {
    if (std::optional<Eigen::MatrixXd> X = solve_dense(K, B, progress)) return *std::move(X);
  } else {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(K);
    if (lu.rcond() > 1e-14) return lu.solve(B);
  }
  // Redundant joints leave λ open but not v: the least-norm solution serves, if there is one.
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> complete(K);
  const Eigen::MatrixXd X = complete.solve(B);
  const double size = K.cwiseAbs().maxCoeff() * X.cwiseAbs().maxCoeff() + B.cwiseAbs().maxCoeff();
  if (!X.allFinite() || (K * X - B).cwiseAbs().maxCoeff() > 1e-9 * size) refuse_singular(name);
  return X;
}

Eigen::MatrixXd solve_sparsely(const Sparse& K, const Eigen::MatrixXd& B, const char* name,
                               const Progress& progress) {
  const Eigen::SparseLU<Sparse> lu(K);
  if (lu.info() != Eigen::Success) refuse_singular(name);
  Eigen::MatrixXd X(B.rows(), B.cols());
  constexpr Eigen::Index piece = 64;
  for (Eigen::Index c = 0; c < B.cols(); c += piece) {
    tell(progress, static_cast<double>(c) / static_cast<double>(B.cols()));
    const Eigen::Index count = std::min(piece, B.cols() - c);
    X.middleCols(c, count) = lu.solve(B.middleCols(c, count));
  }
  return X;
}

// One of the groups that K falls apart into, with the columns of B that reach it.
class Group {
 public:
  // `local` is the place of each row in its group, set here.
  Group(const Sparse& K, const Rows& B, const std::vector<int>& rows, std::vector<int>& local)
      : K_(K), rows_(rows), local_(local), size_(static_cast<int>(rows.size())) {
    for (int i = 0; i < size_; ++i) local[at(rows[at(i)])] = i;
    for (const int i : rows)
      for (Rows::InnerIterator it(B, i); it; ++it) columns_.push_back(static_cast<int>(it.col()));
    right_entries_ = static_cast<double>(columns_.size());
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    right_ = Eigen::MatrixXd::Zero(size_, static_cast<Eigen::Index>(columns_.size()));
    for (int i = 0; i < size_; ++i)
      for (Rows::InnerIterator it(B, rows[at(i)]); it; ++it)
        right_(i, std::lower_bound(columns_.begin(), columns_.end(), static_cast<int>(it.col())) -
                      columns_.begin()) += it.value();
  }

  const std::vector<int>& columns() const { return columns_; }

  Eigen::MatrixXd solve(const char* name, const Progress& progress) const {
    double entries = 0;
    for (const int c : rows_) entries += static_cast<double>(K_.col(c).nonZeros());
    if (size_ > dense_size && !is_dense(entries, size_, size_)) {
      Triplets part;
      each_entry([&](int i, int j, double x) { part.emplace_back(i, j, x); });
      Sparse K(size_, size_);
      K.setFromTriplets(part.begin(), part.end());
      return solve_sparsely(K, right_, name, progress);
    }
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size_, size_);
    each_entry([&](int i, int j, double x) { K(i, j) += x; });
    return solve_densely(K, right_, name, progress);
  }

  // Whether Bᵀ X is a product of large dense matrices.
  bool has_dense_product() const {
    return right_.size() > 10000 && is_dense(right_entries_, right_.rows(), right_.cols());
  }
  Eigen::MatrixXd product(const Eigen::MatrixXd& X, const Progress& progress) const {
    return multiply_dense(right_.transpose(), X, progress);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  template <class Work>
  void each_entry(const Work& work) const {
    for (int c = 0; c < size_; ++c)
      for (Sparse::InnerIterator it(K_, rows_[at(c)]); it; ++it)
        work(local_[at(static_cast<int>(it.row()))], c, it.value());
  }

  const Sparse& K_;
  const std::vector<int>&rows_, &local_;
  int size_;
  std::vector<int> columns_;
  Eigen::MatrixXd right_;
  double right_entries_ = 0;
};

void scatter(Triplets& entries, const Eigen::MatrixXd& part, const std::vector<int>& rows,
             const std::vector<int>& columns) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (const double x = part(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)); x != 0)
        entries.emplace_back(rows[i], columns[c], x);
}

Sparse gathered(const Triplets& entries, Eigen::Index rows, Eigen::Index cols) {
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// K⁻¹ B and Bᵀ K⁻¹ B, group by group.
struct Solved {
  Sparse X, product;
};

Solved solve_by_groups(const Sparse& K, const Sparse& B, const char* name,
                       const Progress& progress) {
  Triplets small, large, products;  // of X, apart by how they are multiplied
  const Rows rows(B);
  std::vector<int> local(static_cast<std::size_t>(K.rows()), -1);
  const std::vector<std::vector<int>> groups = groups_of(K);
  const auto work = [](const std::vector<int>& group) {  // about
    const auto size = static_cast<double>(group.size());
    return size * size * size;
  };
  double all = 0, done = 0;
  for (const std::vector<int>& group : groups) all += work(group);
  for (const std::vector<int>& members : groups) {
    tell(progress, done);
    const double share = work(members) / all, solved = done + 0.7 * share;
    const Group group(K, rows, members, local);
    if (!group.columns().empty()) {
      const Eigen::MatrixXd X = group.solve(name, part_of(progress, done, solved));
      const bool is_large = group.has_dense_product();
      scatter(is_large ? large : small, X, members, group.columns());
      if (is_large)
        scatter(products, group.product(X, part_of(progress, solved, std::min(1.0, done + share))),
                group.columns(), group.columns());
    }
    done = std::min(1.0, done + share);
  }
  Solved solved{gathered(small, K.rows(), B.cols()), Sparse(B.cols(), B.cols())};
  if (!small.empty()) solved.product = B.transpose() * solved.X;
  if (!large.empty()) {
    solved.X += gathered(large, K.rows(), B.cols());
    solved.product += gathered(products, B.cols(), B.cols());
  }
  return solved;
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

Condensed::Condensed(const GlobalProblem& problem, const Progress& progress) {
  validate(problem);
  const int n = static_cast<int>(problem.M.rows());
  const int joints = problem.joints ? static_cast<int>(problem.joints->first.rows()) : 0;
  const int size = static_cast<int>(problem.H.rows());
  Sparse joined, right(n + joints, size + 1);
  Triplets left_entries, right_entries;
  add(right_entries, problem.H, 0, 0, 1, true);
  for (int i = 0; i < n; ++i)
    if (problem.f[i] != 0) right_entries.emplace_back(i, size, problem.f[i]);
  if (problem.joints) {
    const auto& [G, b] = *problem.joints;
    add(left_entries, problem.M, 0, 0, 1, false);
    add(left_entries, G, n, 0, 1, false);
    add(left_entries, G, 0, n, -1, true);
    for (int i = 0; i < joints; ++i)
      if (b[i] != 0) right_entries.emplace_back(n + i, size, -b[i]);
    joined = gathered(left_entries, n + joints, n + joints);
  }
  const Sparse& K = problem.joints ? joined : problem.M;
  right.setFromTriplets(right_entries.begin(), right_entries.end());
  const auto [X, product] =
      solve_by_groups(K, right, problem.joints ? "M with the joints" : "M", progress);
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
}

Condensed::Condensed(const ContactProblem& problem, const Progress& progress) : local_(problem) {
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
  const auto [X, product] = solve_by_groups(R, right, "R", progress);
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
