// SPDX-License-Identifier: Apache-2.0
#include "contact/problem/units.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

double largest(const double* value, std::size_t count) {
  double most = 0;
  for (std::size_t k = 0; k < count; ++k) most = std::max(most, std::abs(value[k]));
  return most;
}
double largest(const Eigen::VectorXd& x) {
  return largest(x.data(), static_cast<std::size_t>(x.size()));
}
double largest(const BlockMatrix& W) { return largest(W.value.data(), W.value.size()); }

double largest(const Eigen::SparseMatrix<double>& matrix) {
  double most = 0;
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, c); it; ++it)
      most = std::max(most, std::abs(it.value()));
  return most;
}

// Numbers below this lose digits that count.
constexpr double least_held = 0x1p-1000;

}  // namespace

// Counts without a branch, so that four lanes can.
bool are_usual(std::span<const double> numbers) {
  std::size_t below = 0, felt = 0;
  for (const double x : numbers) {
    below += std::abs(x) <= usual ? 1 : 0;
    felt += std::abs(x) >= 1 / usual ? 1 : 0;
  }
  return below == numbers.size() && (felt > 0 || numbers.empty());
}

bool is_usual(const GlobalProblem& problem) {
  const auto fits = [](double x, double bound) { return x == 0 || is_usual(x, bound); };
  return fits(largest(problem.M), usual_factor) && fits(largest(problem.H), usual_factor) &&
         fits(std::max(largest(problem.f), largest(problem.w)), usual_term);
}

// The error `relative` compares r with u, so that another unit of W changes it: W keeps its own
// wherever it can, and beyond goes no further than needed.  There the smaller of r and u is lost in
// the rounding of the other, with either unit alike.
Scaling::Scaling(const ContactProblem& problem) {
  if (const double q = largest(problem.q); q > 0) q_ = std::ilogb(q);
  if (const double W = largest(problem.W); W > 0) {
    const int exponent = std::ilogb(W);
    W_ = exponent - std::clamp(exponent, -greatest_exponent, greatest_exponent);
  }
}

ContactProblem Scaling::scaled(const ContactProblem& problem) const {
  ContactProblem other;
  other.dimension = problem.dimension;
  other.laws = problem.laws;
  other.origin = problem.origin;
  other.q = times_power(problem.q, -q_);
  other.W = problem.W;
  for (double& x : other.W.value) x = std::ldexp(x, -W_);
  return other;
}

Eigen::VectorXd Scaling::scaled_reactions(const Eigen::VectorXd& r) const {
  return times_power(r, W_ - q_);
}

void Scaling::back(const ContactProblem& problem, Model model, Eigen::VectorXd& reactions,
                   Eigen::VectorXd& velocities, Certificate& certificate) const {
  const bool any = !reactions.isZero(0);
  reactions = times_power(reactions, q_ - W_);
  velocities = times_power(velocities, q_);
  const double q = largest(problem.q);
  bool held = (q == 0 || q >= least_held) && (!any || largest(reactions) >= least_held) &&
              reactions.allFinite() && velocities.allFinite();
  if (held) {
    certificate = certify_any_size(problem, reactions, model);
    held = is_finite(certificate);
  }
  if (!held)
    throw InvalidInput(
        "q is up to " + text(q) + " and W up to " + text(largest(problem.W)) +
        ", expected q and q/W, about the reactions, within 1e-300 to 1e300 and q²/W, about "
        "the powers, below 1e300");
}

}  // namespace stiction
