// SPDX-License-Identifier: Apache-2.0
#include "contact/problem/validate.h"

#include <cmath>
#include <limits>

#include "contact/problem/units.h"

namespace stiction {

namespace {

InvalidInput wrong(const std::string& name, const std::string& is, const std::string& expected) {
  return InvalidInput(name + " is " + is + ", expected " + expected);
}

std::string size_of(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

void require_dimension(int dimension) {
  if (dimension < 2 || dimension > 5) throw wrong("dimension", std::to_string(dimension), "2 to 5");
}

// Counts without a branch, so that four lanes can.
bool all_finite(const double* value, std::size_t count) {
  std::size_t finite = 0;
  for (std::size_t k = 0; k < count; ++k)
    finite += std::abs(value[k]) <= std::numeric_limits<double>::max() ? 1 : 0;
  return finite == count;
}

void require_matrix(const Eigen::SparseMatrix<double>& matrix, Eigen::Index rows, Eigen::Index cols,
                    const std::string& name) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw wrong(name, size_of(matrix.rows(), matrix.cols()), size_of(rows, cols));
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, c); it; ++it)
      if (!std::isfinite(it.value()))
        throw wrong(name + "[" + std::to_string(it.row()) + "][" + std::to_string(it.col()) + "]",
                    text(it.value()), "a finite number");
}

void require_laws(const std::vector<Law>& laws) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (i > 0 && laws[i] == laws[i - 1]) continue;
    try {
      validate(laws[i]);
    } catch (const InvalidInput& error) {
      throw InvalidInput("law[" + std::to_string(i) + "]: " + error.what());
    }
  }
}

void require_rolling(const std::vector<double>& mu, int dimension) {
  if (!mu.empty() && dimension != 5)
    throw wrong("dimension", std::to_string(dimension), "5, as mu_rolling is given");
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (!(mu[i] >= 0) || !std::isfinite(mu[i]))
      throw wrong("mu_rolling[" + std::to_string(i) + "]", text(mu[i]), "a finite number ≥ 0");
}

void require_per_contact(std::size_t count, std::size_t contacts, const char* name) {
  if (count != 0 && count != contacts)
    throw InvalidInput(std::string(name) + " has " + std::to_string(count) + " entries, expected " +
                       std::to_string(contacts));
}

}  // namespace

void require_vector(const Eigen::VectorXd& vector, Eigen::Index size, const char* name) {
  if (vector.size() != size)
    throw InvalidInput(std::string(name) + " has " + std::to_string(vector.size()) +
                       " numbers, expected " + std::to_string(size));
  if (all_finite(vector.data(), static_cast<std::size_t>(size))) return;
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(vector[i]))
      throw wrong(std::string(name) + "[" + std::to_string(i) + "]", text(vector[i]),
                  "a finite number");
}

bool validate_numbers(const ContactProblem& problem) {
  const Eigen::Index size = static_cast<Eigen::Index>(problem.dimension) * problem.contacts();
  const BlockMatrix& W = problem.W;
  if (W.start.empty() || W.start[0] != 0)
    throw InvalidInput("W has no start, expected block rows that start at 0");
  if (W.rows() != problem.contacts() || (W.rows() > 0 && W.block != problem.dimension))
    throw wrong("W", std::to_string(W.rows()) + " block rows of " + std::to_string(W.block),
                std::to_string(problem.contacts()) + " of " + std::to_string(problem.dimension));
  for (int i = 0; i < W.rows(); ++i)
    if (W.start[static_cast<std::size_t>(i) + 1] < W.start[static_cast<std::size_t>(i)])
      throw wrong("the end of W's block row " + std::to_string(i),
                  std::to_string(W.start[static_cast<std::size_t>(i) + 1]),
                  "at least " + std::to_string(W.start[static_cast<std::size_t>(i)]));
  const auto blocks = static_cast<std::size_t>(W.start.back());
  if (W.column.size() != blocks ||
      W.value.size() != blocks * static_cast<std::size_t>(W.block * W.block))
    throw InvalidInput("W counts " + std::to_string(blocks) + " blocks but holds " +
                       std::to_string(W.column.size()));
  for (int i = 0; i < W.rows(); ++i) {
    bool diagonal = false;
    int last = -1;
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      const int j = W.column[static_cast<std::size_t>(k)];
      if (j <= last || j >= W.rows())
        throw wrong("a column of W's block row " + std::to_string(i), std::to_string(j),
                    "increasing columns below " + std::to_string(W.rows()));
      last = j;
      diagonal = diagonal || j == i;
    }
    if (!diagonal)
      throw InvalidInput("W's block row " + std::to_string(i) + " lacks its diagonal block");
  }
  const bool usual_W = are_usual({W.value.data(), W.value.size()});
  if (!usual_W && !all_finite(W.value.data(), W.value.size()))
    for (const double x : W.value)
      if (!std::isfinite(x)) throw wrong("an entry of W", text(x), "a finite number");
  const bool usual_q =
      problem.q.size() == size && are_usual({problem.q.data(), static_cast<std::size_t>(size)});
  if (!usual_q) require_vector(problem.q, size, "q");
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    if (const Law& law = problem.laws[i]; law.curve == Law::Curve::disc) {
      if (const bool fits = law.mu == 0 || (law.mu >= 1e-100 && law.mu <= 1e100); !fits)
        throw wrong("law[" + std::to_string(i) + "]: mu", text(law.mu), "0 or 1e-100 to 1e100");
    }
  return usual_W && usual_q;
}

void validate(const ContactProblem& problem) {
  require_dimension(problem.dimension);
  validate_numbers(problem);
  const Eigen::Index size = static_cast<Eigen::Index>(problem.dimension) * problem.contacts();
  require_laws(problem.laws);
  require_per_contact(problem.mu_rolling.size(), problem.laws.size(), "mu_rolling");
  require_rolling(problem.mu_rolling, problem.dimension);
  require_per_contact(problem.places.size(), problem.laws.size(), "places");
  if (problem.bilateral) {
    const Eigen::Index rows = problem.bilateral->R.rows();
    require_matrix(problem.bilateral->V, size, rows, "V");
    require_matrix(problem.bilateral->R, rows, rows, "R");
    require_vector(problem.bilateral->s, rows, "s");
  }
}

void validate(const GlobalProblem& problem) {
  require_dimension(problem.dimension);
  const Eigen::Index size = static_cast<Eigen::Index>(problem.dimension) * problem.contacts();
  const Eigen::Index n = problem.M.rows();
  require_matrix(problem.M, n, n, "M");
  require_matrix(problem.H, size, n, "H");
  require_vector(problem.f, n, "f");
  require_vector(problem.w, size, "w");
  require_laws(problem.laws);
  require_per_contact(problem.mu_rolling.size(), problem.laws.size(), "mu_rolling");
  require_rolling(problem.mu_rolling, problem.dimension);
  require_per_contact(problem.places.size(), problem.laws.size(), "places");
  if (problem.joints) {
    require_matrix(problem.joints->first, problem.joints->first.rows(), n, "G");
    require_vector(problem.joints->second, problem.joints->first.rows(), "b");
  }
}

}  // namespace stiction
