// SPDX-License-Identifier: Apache-2.0
#include "contact/problem/group_solve.h"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "base/part_of.h"
#include "contact/problem/components.h"
#include "contact/problem/dense_solve.h"
#include "contact/problem/independent.h"
#include "contact/strategy.h"
#include "stiction/types.h"

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

Sparse gathered(const Triplets& entries, Eigen::Index rows, Eigen::Index cols) {
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

bool is_dense(double entries, Eigen::Index rows, Eigen::Index cols) {
  return entries >=
         strategy.condensing.dense_share * static_cast<double>(rows) * static_cast<double>(cols);
}

void tell(const Progress& progress, double share) {
  if (progress && !progress(share)) throw Stopped("stopped before the problem was condensed");
}

[[noreturn]] void refuse_singular(const char* name) {
  throw InvalidInput(std::string(name) + " is singular, expected a matrix that can be inverted");
}

// What is to be solved: the first unknowns are those that must be unique, and where there are
// others, forces that may be ten digits larger, the solution is refined.
struct System {
  const Eigen::MatrixXd& B;
  Eigen::Index unique;
  const char* name;
};

// Refined, every row holds to the rounding of its own terms and of the largest of B, which in these
// units is what nothing but masses would move by; not only to that of the largest force.
template <class Factors, class Matrix>
Eigen::MatrixXd solved(const Factors& factors, const Matrix& K, const Eigen::MatrixXd& B,
                       bool refine) {
  Eigen::MatrixXd X = factors.solve(B);
  constexpr int steps = 10;
  constexpr double rounding = 4e-15;  // of the terms of a row
  double last = 1;
  for (int step = 0; refine && step < steps; ++step) {
    const Eigen::MatrixXd missed = B - K * X;
    Eigen::MatrixXd terms = K.cwiseAbs() * X.cwiseAbs();
    terms.rowwise() += B.cwiseAbs().colwise().maxCoeff();
    const double worst = (missed.array().abs() / terms.array().max(1e-300)).maxCoeff();
    if (!(worst > rounding && worst < last)) break;
    last = 0.5 * worst;
    X += factors.solve(missed);
  }
  return X;
}

// Whether a factorisation finds again what K is multiplied with: not where K is singular but for
// rounding, which has some of every vector come back anywhere.
template <class Factors, class Matrix>
bool finds_again(const Factors& factors, const Matrix& K, Eigen::Index unique) {
  constexpr Eigen::Index vectors = 8;
  constexpr double lost = 1e-3;  // of numbers below 1, where 1e-13 of K was rounding
  const Eigen::MatrixXd X =
      Eigen::MatrixXd::NullaryExpr(K.rows(), vectors, [](Eigen::Index i, Eigen::Index c) {
        return std::sin(static_cast<double>(1 + i * vectors + c) * 1.7);
      });
  const Eigen::MatrixXd B = K * X, found = solved(factors, K, B, unique < K.rows());
  return found.allFinite() && (found - X).topRows(unique).cwiseAbs().maxCoeff() <= lost;
}

// X = K⁻¹ B for one group, given densely.
Eigen::MatrixXd solve_densely(const Eigen::MatrixXd& K, const System& system,
                              const Progress& progress) {
  const auto& [B, unique, name] = system;
  if (K.rows() > strategy.condensing.dense_size) {
    if (std::optional<Eigen::MatrixXd> X = solve_dense(K, B, progress)) return *std::move(X);
  } else {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(K);
    if (lu.rcond() > 1e-14 || finds_again(lu, K, unique))
      return solved(lu, K, B, unique < K.rows());
  }
  // A velocity that nothing moves and nothing resists is open: the least-norm solution serves.
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> complete(K);
  const Eigen::MatrixXd X = complete.solve(B);
  const double size = K.cwiseAbs().maxCoeff() * X.cwiseAbs().maxCoeff() + B.cwiseAbs().maxCoeff();
  if (!X.allFinite() || (K * X - B).cwiseAbs().maxCoeff() > 1e-9 * size) refuse_singular(name);
  return X;
}

Eigen::MatrixXd solve_sparsely(const Sparse& K, const System& system, const Progress& progress) {
  const auto& [B, unique, name] = system;
  const Eigen::SparseLU<Sparse> lu(K);
  if (lu.info() != Eigen::Success || !finds_again(lu, K, unique)) refuse_singular(name);
  Eigen::MatrixXd X(B.rows(), B.cols());
  constexpr Eigen::Index piece = 64;
  for (Eigen::Index c = 0; c < B.cols(); c += piece) {
    tell(progress, static_cast<double>(c) / static_cast<double>(B.cols()));
    const Eigen::Index count = std::min(piece, B.cols() - c);
    X.middleCols(c, count) = solved(lu, K, B.middleCols(c, count), unique < K.rows());
  }
  return X;
}

Eigen::MatrixXd solve_group(const Sparse& K, const System& system, const Progress& progress) {
  if (K.rows() > strategy.condensing.dense_size &&
      !is_dense(static_cast<double>(K.nonZeros()), K.rows(), K.cols()))
    return solve_sparsely(K, system, progress);
  return solve_densely(K, system, progress);
}

// 1/√x as a power of two, which rounds nothing; 1 for 0.
double unit_for(double x) { return x > 0 ? std::ldexp(1.0, -std::ilogb(x) / 2) : 1; }

// Units in which the rows of K are about unit size: those before `first` by their diagonal entries,
// the others by their largest then.
Eigen::VectorXd units_of(const Sparse& K, Eigen::Index first) {
  Eigen::VectorXd units(K.rows()), largest = Eigen::VectorXd::Zero(K.rows());
  for (Eigen::Index i = 0; i < first; ++i) units[i] = unit_for(std::abs(K.coeff(i, i)));
  for (Eigen::Index c = 0; c < K.cols(); ++c)
    for (Sparse::InnerIterator it(K, c); it; ++it) {
      const double x = std::abs(it.value()) * (c < first ? units[c] : 1);
      largest[it.row()] = std::max(largest[it.row()], c < first ? x * x : x);
    }
  for (Eigen::Index i = first; i < K.rows(); ++i) units[i] = unit_for(largest[i]);
  return units;
}

// One of the groups that K falls apart into, with the columns of B that reach it.
class Group {
 public:
  // `local` is the place of each row in its group, set here.
  Group(const Sparse& K, const Rows& B, const std::vector<int>& rows, std::vector<int>& local)
      : rows_(rows), size_(static_cast<int>(rows.size())), K_(size_, size_) {
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
    Triplets entries;
    for (int c = 0; c < size_; ++c)
      for (Sparse::InnerIterator it(K, rows[at(c)]); it; ++it)
        if (it.value() != 0)  // a zero connects no groups
          entries.emplace_back(local[at(it.row())], c, it.value());
    K_.setFromTriplets(entries.begin(), entries.end());
  }

  const std::vector<int>& columns() const { return columns_; }

  Eigen::MatrixXd solve(const char* name, const BilateralRows* bilateral,
                        const Progress& progress) const {
    if (bilateral == nullptr || rows_.back() < bilateral->first)
      return solve_group(K_, {right_, size_, name}, progress);
    const auto first =
        std::lower_bound(rows_.begin(), rows_.end(), bilateral->first) - rows_.begin();
    if (first == 0) return solve_bilateral(*bilateral, name, progress);
    const Independent rows(K_.bottomLeftCorner(size_ - first, first));
    if (rows.all_rows()) return solve_system(K_, right_, first, name, progress);
    require_agreement(rows, first, *bilateral);
    Eigen::MatrixXd X = solve_joined(rows, right_, first, name, progress);
    // To make λ the least may cancel most of what rows of very different sizes had.
    for (int twice = 0; twice < 2 && !rows.is_even(); ++twice)
      X += solve_joined(rows, right_ - K_ * X, first, name, progress);
    return X;
  }

  // Whether Bᵀ X is a product of large dense matrices.
  bool has_dense_product() const {
    return right_.size() > 10000 && is_dense(right_entries_, right_.rows(), right_.cols());
  }
  Eigen::MatrixXd product(const Eigen::MatrixXd& X, const Progress& progress) const {
    return multiply_dense(right_.transpose(), X, progress);
  }

 private:
  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

  void require_agreement(const Independent& independent, Eigen::Index first,
                         const BilateralRows& bilateral) const {
    for (Eigen::Index c = 0; c < right_.cols(); ++c) {
      const auto wrong = independent.contradiction(right_.col(c).tail(size_ - first));
      if (!wrong) continue;
      const int row = rows_[at(first + wrong->row)] - bilateral.first;
      const double value = bilateral.sign * right_(first + wrong->row, c);
      throw InvalidInput(bilateral.entry(row, columns_[at(c)]) + " is " + text(value) +
                         ", expected " + text(value - bilateral.sign * wrong->amount) + ": row " +
                         std::to_string(row) + " of " + bilateral.matrix +
                         " depends on others, which ask for that");
    }
  }

  // In units of its own.
  static Eigen::MatrixXd solve_system(const Sparse& K, const Eigen::MatrixXd& B, Eigen::Index first,
                                      const char* name, const Progress& progress) {
    if (K.rows() == 0) return B;
    const Eigen::VectorXd units = units_of(K, first);
    const Sparse scaled = units.asDiagonal() * K * units.asDiagonal();
    const Eigen::MatrixXd right = units.asDiagonal() * B;
    return units.asDiagonal() *
           solve_group(scaled, {right, first > 0 ? first : K.rows(), name}, progress);
  }

  // [M −Rᵀ; R 0] (v, μ) = B turned, with the R of G; then λ = D Qᵀ μ, which is the least where
  // D is 1: it lies in the range of G.
  Eigen::MatrixXd solve_joined(const Independent& rows, const Eigen::MatrixXd& right,
                               Eigen::Index first, const char* name,
                               const Progress& progress) const {
    const std::vector<int>& kept = rows.independent_rows();
    const Eigen::Index size = first + static_cast<Eigen::Index>(kept.size());
    const Sparse& R = rows.R();
    Triplets entries;
    for (int c = 0; c < first; ++c) {
      for (Sparse::InnerIterator it(K_, c); it; ++it)
        if (it.row() < first) entries.emplace_back(static_cast<int>(it.row()), c, it.value());
      for (Sparse::InnerIterator it(R, c); it; ++it) {
        const int row = static_cast<int>(first + it.row());
        entries.emplace_back(row, c, it.value());
        entries.emplace_back(c, row, -it.value());
      }
    }
    Sparse K(size, size);
    K.setFromTriplets(entries.begin(), entries.end());
    Eigen::MatrixXd turned = right, B(size, right.cols());
    rows.turn(turned.bottomRows(size_ - first));
    B.topRows(first) = right.topRows(first);
    for (Eigen::Index k = 0; k < R.rows(); ++k) B.row(first + k) = turned.row(first + kept[at(k)]);
    const Eigen::MatrixXd found = solve_system(K, B, first, name, progress);
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(size_, right.cols());
    X.topRows(first) = found.topRows(first);
    for (Eigen::Index k = 0; k < R.rows(); ++k) X.row(first + kept[at(k)]) = found.row(first + k);
    rows.turn_back(X.bottomRows(size_ - first));
    rows.make_least(X.bottomRows(size_ - first));
    return X;
  }

  // R λ = B; where R is singular [R̄; Nᵀ] λ = (B turned, 0), with what is left of R and a basis N of
  // what R takes to zero, of which the least λ has nothing.
  Eigen::MatrixXd solve_bilateral(const BilateralRows& bilateral, const char* name,
                                  const Progress& progress) const {
    const Independent rows(K_);
    if (rows.all_rows()) return solve_system(K_, right_, 0, name, progress);
    const Independent columns(Sparse(K_.transpose()));
    require_agreement(rows, 0, bilateral);
    require_agreement(columns, 0, bilateral);
    const std::vector<int>& kept = rows.independent_rows();
    Triplets entries;
    for (int c = 0; c < size_; ++c)
      for (Sparse::InnerIterator it(rows.R(), c); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), c, it.value());
    const Eigen::MatrixXd N = columns.null_space();
    for (int k = 0; k < N.cols(); ++k)
      for (int i = 0; i < size_; ++i)
        if (N(i, k) != 0) entries.emplace_back(static_cast<int>(kept.size()) + k, i, N(i, k));
    Sparse K(size_, size_);
    K.setFromTriplets(entries.begin(), entries.end());
    Eigen::MatrixXd turned = right_, B = Eigen::MatrixXd::Zero(size_, right_.cols());
    rows.turn(turned);
    for (std::size_t k = 0; k < kept.size(); ++k)
      B.row(static_cast<Eigen::Index>(k)) = turned.row(kept[k]);
    return solve_group(K, {B, size_, name}, progress);
  }

  const std::vector<int>& rows_;
  int size_;
  Sparse K_;
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

}  // namespace

Solved solve_by_groups(const Sparse& K, const Sparse& B, const char* name,
                       const BilateralRows* bilateral, const Progress& progress) {
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
      const Eigen::MatrixXd X = group.solve(name, bilateral, part_of(progress, done, solved));
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

}  // namespace stiction
