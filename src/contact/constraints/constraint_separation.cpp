// SPDX-License-Identifier: Apache-2.0
//
// Found as in proof/separation.cpp, with rays of one row.
#include "stiction/constraint_separation.h"

#include <Eigen/LU>
#include <cmath>

#include "cone/compensated.h"
#include "contact/constraints/constraint_workspace.h"
#include "contact/proof/separation_program.h"

namespace stiction {

namespace {

using Kind = Constraint::Kind;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double unit_rounding = 0x1p-53;
// Zero means: entries that differ by so many roundings, each on its own, make it zero exactly.
constexpr double roundings = 32;
// q·s < 0: over Σ|q_k s_k|.  Less than the solver's tolerance can tell from zero proves nothing.
constexpr double against = 1e-8;
// Where the rows of s have a solution of their own at this condition, nothing is proven.
constexpr double regular = 1e-13;
constexpr Eigen::Index most_dense = 1000;  // rows of s for which that is asked

// W + R and q + b.
struct Whole {
  explicit Whole(const ConstraintProblem& problem) : A(problem.W), q(problem.q) {
    const std::vector<int> starts = row_starts(problem.constraints);
    Sparse more(A.rows(), A.cols());
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
      const Constraint& constraint = problem.constraints[i];
      for (int k = 0; k < constraint.rows(); ++k) {
        const int row = starts[i] + k;
        const auto kk = static_cast<std::size_t>(k);
        if (!constraint.compliance.empty())
          entries.emplace_back(row, row, constraint.compliance[kk]);
        if (!constraint.bias.empty()) q[row] += constraint.bias[kk];
      }
      if (constraint.kind == Kind::fixed) continue;
      const bool all = constraint.kind == Kind::bilateral;
      for (int k = 0; k < (all ? constraint.rows() : 1); ++k) {
        used.push_back(starts[i] + k);
        free.push_back(all);
      }
    }
    more.setFromTriplets(entries.begin(), entries.end());
    A += more;
  }

  Sparse A;
  Eigen::VectorXd q;
  std::vector<int> used;   // rows in which s may differ from zero
  std::vector<bool> free;  // of these: any sign
};

// Whether Aᵀ s is zero but for rounding of the entries of A.
bool vanishes(const Sparse& A, const Eigen::VectorXd& s) {
  for (int j = 0; j < A.outerSize(); ++j) {
    Twofold sum;
    double squares = 0;
    for (Sparse::InnerIterator it(A, j); it; ++it) {
      if (s[it.row()] == 0) continue;
      sum = sum + Twofold::product(it.value(), s[it.row()]);
      squares += it.value() * s[it.row()] * it.value() * s[it.row()];
    }
    if (std::abs(sum.value()) > roundings * unit_rounding * std::sqrt(squares)) return false;
  }
  return true;
}

// Forces along s may yet solve where Aᵀ s is a few roundings.
bool may_solve_along(const Sparse& A, const Eigen::VectorXd& s) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < s.size(); ++k)
    if (s[k] != 0) rows.push_back(k);
  const auto n = static_cast<Eigen::Index>(rows.size());
  if (n > most_dense) return true;
  Eigen::MatrixXd part(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::VectorXd column = A.col(static_cast<int>(rows[static_cast<std::size_t>(j)]));
    for (Eigen::Index i = 0; i < n; ++i) part(i, j) = column[rows[static_cast<std::size_t>(i)]];
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(part);
  return lu.rcond() > regular;
}

bool verify(const Whole& whole, const Eigen::VectorXd& s) {
  if (!s.allFinite() || s.isZero(0)) return false;
  Eigen::VectorXd rest = s;
  for (std::size_t k = 0; k < whole.used.size(); ++k) {
    if (!whole.free[k] && s[whole.used[k]] < 0) return false;
    rest[whole.used[k]] = 0;
  }
  if (!rest.isZero(0) || !vanishes(whole.A, s)) return false;
  const double along = whole.q.dot(s), size = whole.q.cwiseProduct(s).cwiseAbs().sum();
  return along < -against * size && !may_solve_along(whole.A, s);
}

}  // namespace

std::optional<Separation> find_separation(const ConstraintProblem& problem,
                                          const Progress& progress) {
  const Whole whole(problem);
  const auto n = static_cast<Eigen::Index>(whole.used.size());
  if (n == 0) return std::nullopt;
  std::vector<Eigen::Triplet<double>> choice;
  Eigen::VectorXd q(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int row = whole.used[static_cast<std::size_t>(k)];
    choice.emplace_back(static_cast<int>(k), row, 1.0);
    q[k] = whole.q[row];
  }
  Sparse chosen(n, whole.A.rows());
  chosen.setFromTriplets(choice.begin(), choice.end());
  const Sparse part = chosen * whole.A;
  Sparse P = part * Sparse(part.transpose());
  const double largest = P.coeffs().size() > 0 ? P.coeffs().abs().maxCoeff() : 0;
  if (largest > 0) P /= largest;
  if (const double size = q.cwiseAbs().maxCoeff(); size > 0) q /= size;
  std::vector<SeparationProgram::Block> blocks;
  for (Eigen::Index k = 0; k < n; ++k) {
    const bool any_sign = whole.free[static_cast<std::size_t>(k)];
    SeparationProgram::Block block{k, Eigen::MatrixXd::Ones(1, any_sign ? 2 : 1)};
    if (any_sign) block.rays(0, 1) = -1;
    blocks.push_back(std::move(block));
  }
  SeparationProgram program(P, q, blocks);
  const auto pull = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    return part * (part.transpose() * x) / (largest > 0 ? largest : 1);
  };
  constexpr int most_steps = 80;
  constexpr double first_gap = 1e-4, last_gap = 1e-15, next_gap = 1e-2;
  double next = first_gap;
  for (int k = 0; k < most_steps; ++k) {
    if (progress && !progress(static_cast<double>(k) / most_steps)) return std::nullopt;
    if (!program.step() || program.only_zero()) return std::nullopt;
    if (program.gap() > next) continue;
    const Eigen::VectorXd x = program.clean(pull);
    Eigen::VectorXd s = Eigen::VectorXd::Zero(whole.A.rows());
    for (Eigen::Index i = 0; i < n; ++i) s[whole.used[static_cast<std::size_t>(i)]] = x[i];
    if (s.allFinite() && !s.isZero(0)) {
      s = s.stableNormalized();
      if (verify(whole, s)) return Separation{s, Separation::Proves::no_solution};
    }
    if (program.gap() < last_gap) return std::nullopt;
    next = next_gap * program.gap();
  }
  return std::nullopt;
}

bool verify_separation(const ConstraintProblem& problem, const Separation& separation) {
  validate(problem);
  return separation.direction.size() == problem.q.size() &&
         separation.proves == Separation::Proves::no_solution &&
         verify(Whole(problem), separation.direction);
}

}  // namespace stiction
