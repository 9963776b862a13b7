// SPDX-License-Identifier: Apache-2.0
#include "stiction/constraint_problem.h"

#include <cmath>

#include "base/named.h"
#include "contact/problem/group_solve.h"

namespace stiction {

using Sparse = Eigen::SparseMatrix<double>;

namespace {

constexpr Named<Constraint::Kind> kinds[] = {{Constraint::Kind::contact, "contact"},
                                             {Constraint::Kind::fixed, "fixed"},
                                             {Constraint::Kind::limit, "limit"},
                                             {Constraint::Kind::bilateral, "bilateral"}};

// Beyond these no square or product of a solver would stay in the range of doubles.
constexpr double least = 0x1p-150, greatest = 0x1p150;

InvalidInput wrong(const std::string& name, const std::string& is, const std::string& expected) {
  return InvalidInput(name + " is " + is + ", expected " + expected);
}

void require_number(double x, const std::string& name) {
  if (!(std::abs(x) <= greatest))
    throw wrong(name, text(x), "a number of size up to " + text(greatest));
}

void require_vector(const Eigen::VectorXd& vector, Eigen::Index size, const char* name) {
  if (vector.size() != size)
    throw InvalidInput(std::string(name) + " has " + std::to_string(vector.size()) +
                       " numbers, expected " + std::to_string(size));
  for (Eigen::Index i = 0; i < size; ++i)
    require_number(vector[i], std::string(name) + "[" + std::to_string(i) + "]");
}

void require_matrix(const Sparse& matrix, Eigen::Index rows, Eigen::Index cols, const char* name) {
  const auto size_of = [](Eigen::Index r, Eigen::Index c) {
    return std::to_string(r) + "×" + std::to_string(c);
  };
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw wrong(name, size_of(matrix.rows(), matrix.cols()), size_of(rows, cols));
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it)
      if (!(std::abs(it.value()) <= greatest))
        require_number(it.value(), std::string(name) + "[" + std::to_string(it.row()) + "][" +
                                       std::to_string(it.col()) + "]");
}

void require_largest(double largest, const char* name) {
  if (largest > 0 && largest < least)
    throw wrong(std::string("the largest number of ") + name, text(largest),
                "zero or at least " + text(least));
}

void require_list(const std::vector<double>& list, int rows, const std::string& name) {
  if (!list.empty() && list.size() != static_cast<std::size_t>(rows))
    throw InvalidInput(name + " has " + std::to_string(list.size()) + " numbers, expected " +
                       std::to_string(rows) + ", one a row");
  for (std::size_t k = 0; k < list.size(); ++k)
    require_number(list[k], name + "[" + std::to_string(k) + "]");
}

int validate(const std::vector<Constraint>& constraints) {
  int rows = 0;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Constraint& constraint = constraints[i];
    const std::string name = "constraints[" + std::to_string(i) + "]";
    if (constraint.kind == Constraint::Kind::bilateral && constraint.bilateral_rows < 1)
      throw wrong(name + ".rows", std::to_string(constraint.bilateral_rows), "at least 1");
    if (constraint.kind == Constraint::Kind::fixed && constraint.section.dimension() == 0)
      throw wrong(name + ".section", "none", "one of 1 to 5 dimensions");
    require_list(constraint.compliance, constraint.rows(), name + ".compliance");
    require_list(constraint.bias, constraint.rows(), name + ".bias");
    for (std::size_t k = 0; k < constraint.compliance.size(); ++k)
      if (!(constraint.compliance[k] >= 0))
        throw wrong(name + ".compliance[" + std::to_string(k) + "]", text(constraint.compliance[k]),
                    "a number ≥ 0");
    rows += constraint.rows();
  }
  return rows;
}

}  // namespace

std::string to_text(Constraint::Kind kind) { return name_of(kinds, kind); }

int Constraint::rows() const {
  switch (kind) {
    case Kind::contact:
      return 1 + section.dimension();
    case Kind::fixed:
      return section.dimension();
    case Kind::limit:
      return 1;
    case Kind::bilateral:
      return bilateral_rows;
  }
  return 0;
}

Constraint contact_constraint(Section section) {
  Constraint constraint;
  constraint.section = std::move(section);
  return constraint;
}

Constraint fixed_constraint(Section section) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::fixed;
  constraint.section = std::move(section);
  return constraint;
}

Constraint limit_constraint() {
  Constraint constraint;
  constraint.kind = Constraint::Kind::limit;
  return constraint;
}

Constraint bilateral_constraint(int rows) {
  Constraint constraint;
  constraint.kind = Constraint::Kind::bilateral;
  constraint.bilateral_rows = rows;
  return constraint;
}

std::vector<int> row_starts(const std::vector<Constraint>& constraints) {
  std::vector<int> starts{0};
  for (const Constraint& constraint : constraints)
    starts.push_back(starts.back() + constraint.rows());
  return starts;
}

void validate(const ConstraintProblem& problem) {
  const int rows = validate(problem.constraints);
  require_matrix(problem.W, rows, rows, "W");
  require_vector(problem.q, rows, "q");
  double largest = 0;
  for (int c = 0; c < problem.W.outerSize(); ++c)
    for (Sparse::InnerIterator it(problem.W, c); it; ++it)
      largest = std::max(largest, std::abs(it.value()));
  require_largest(largest, "W");
  if (rows > 0) require_largest(problem.q.cwiseAbs().maxCoeff(), "q");
}

void validate(const GlobalConstraintProblem& problem) {
  const int rows = validate(problem.constraints);
  const Eigen::Index n = problem.M.rows();
  require_matrix(problem.M, n, n, "M");
  require_matrix(problem.H, rows, n, "H");
  require_vector(problem.f, n, "f");
  require_vector(problem.w, rows, "w");
}

Section plane_section(const Law& law) {
  if (law.curve == Law::Curve::disc) return interval_section(law.mu);
  const LimitCurve curve = limit_curve(law);
  const auto reach = [&](double sign) {
    const double gauge = curve.gauge({sign, 0});
    return UpTo6{{gauge < infinity ? sign / gauge : 0.0}};
  };
  const UpTo6 left = reach(-1), right = reach(1);
  return polytope_section({left, right});
}

ConstraintProblem written_out(const ContactProblem& problem) {
  if (problem.dimension == 4)
    throw InvalidInput("dimension is 4, expected 2, 3, or 5 with mu_rolling");
  if (problem.dimension == 5 && problem.mu_rolling.size() != problem.laws.size())
    throw InvalidInput("mu_rolling has " + std::to_string(problem.mu_rolling.size()) +
                       " entries, expected " + std::to_string(problem.laws.size()));
  if (problem.bilateral)
    throw InvalidInput("the problem has bilateral rows, expected them to be condensed");
  ConstraintProblem out;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const Law& law = problem.laws[i];
    const Section slip =
        law.curve == Law::Curve::disc ? ellipsoid_section({law.mu, law.mu}) : curve_section(law);
    if (problem.dimension == 5) {
      const double rolling = problem.mu_rolling[i];
      out.constraints.push_back(
          contact_constraint(product_section({slip, ellipsoid_section({rolling, rolling})})));
    } else if (problem.dimension == 3) {
      out.constraints.push_back(contact_constraint(slip));
    } else {
      out.constraints.push_back(contact_constraint(plane_section(law)));
    }
  }
  out.W = to_sparse(problem.W);
  out.q = problem.q;
  return out;
}

CondensedConstraints::CondensedConstraints(const GlobalConstraintProblem& problem,
                                           const Progress& progress) {
  validate(problem);
  const Eigen::Index n = problem.M.rows(), rows = problem.H.rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < problem.H.outerSize(); ++c)
    for (Sparse::InnerIterator it(problem.H, c); it; ++it)
      entries.emplace_back(c, static_cast<int>(it.row()), it.value());
  for (int i = 0; i < n; ++i)
    if (problem.f[i] != 0) entries.emplace_back(i, static_cast<int>(rows), problem.f[i]);
  Sparse B(n, rows + 1);
  B.setFromTriplets(entries.begin(), entries.end());
  const Solved solved = solve_by_groups(problem.M, B, "M", nullptr, progress);
  response_ = solved.X.leftCols(rows);
  free_ = Eigen::VectorXd(solved.X.col(rows));
  local_.constraints = problem.constraints;
  local_.W = solved.product.topLeftCorner(rows, rows);
  local_.q = problem.w + problem.H * free_;
  if (!local_.W.coeffs().isFinite().all())
    throw InvalidInput("H M⁻¹ Hᵀ overflows, expected masses and lengths of ordinary size");
}

Eigen::VectorXd CondensedConstraints::generalized_velocities(
    const Eigen::VectorXd& reactions) const {
  return free_ + response_ * reactions;
}

}  // namespace stiction
