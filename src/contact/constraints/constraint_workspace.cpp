// SPDX-License-Identifier: Apache-2.0
#include "contact/constraints/constraint_workspace.h"

#include <cmath>
#include <random>

namespace stiction {

ConstraintWorkspace::ConstraintWorkspace(const ConstraintProblem& problem,
                                         const SolverOptions& given, const Eigen::VectorXd* guess)
    : system(problem),
      one(static_cast<std::size_t>(system.count())),
      options(&given),
      begin(std::chrono::steady_clock::now()),
      deadline(begin, given.max_seconds) {
  for (int i = 0; i < count(); ++i) {
    const auto ii = static_cast<std::size_t>(i);
    one[ii].set(system.laws[ii], system.W.at(system.W.diagonal[ii]));
  }
  r = guess != nullptr ? *guess : Eigen::VectorXd::Zero(problem.q.size());
  best = r;
  best_errors = {.relative = infinity, .scaled = infinity};
}

Eigen::VectorXd ConstraintWorkspace::projected(const Eigen::VectorXd& x) const {
  Eigen::VectorXd inside(x.size());
  for (int i = 0; i < count(); ++i) {
    const auto ii = static_cast<std::size_t>(i);
    inside.segment(system.W.offset[ii], system.W.size(i)) =
        system.laws[ii].project(system.part(x, i));
  }
  return inside;
}

bool ConstraintWorkspace::check(Method method, const Eigen::VectorXd& at, double regularisation) {
  constexpr double near = 1e-4;  // from here on rounding may decide
  const Eigen::VectorXd inside = projected(at);
  errors = system.errors(inside, options->model);
  if (!std::isfinite(errors.worst())) errors.relative = errors.scaled = infinity;
  cancelling = errors.worst() < near && errors.rounding > Errors::usual_rounding;
  if (errors.worst() < best_errors.worst()) {
    best_errors = errors;
    best = inside;
  }
  if (history != nullptr || options->progress) {
    const Iteration line{method,        iterations, errors.relative,
                         errors.scaled, seconds(),  regularisation};
    if (history != nullptr) history->push_back(line);
    if (options->progress && !options->progress(line)) stopped = true;
  }
  if (!solved() && budget_spent()) out_of_time = true;
  return over();
}

void ConstraintWorkspace::restart(int attempt) {
  for (OneConstraint& each : one) each.forget();
  r.setZero();
  if (attempt == 0) return;
  std::mt19937_64 engine(static_cast<unsigned>(attempt));
  const auto uniform = [&] { return 2 * (static_cast<double>(engine() >> 11) * 0x1p-53) - 1; };
  const double size =
      system.norms.rho * (system.norms.q > 0 ? system.norms.q : 1.0) * std::pow(10.0, uniform());
  for (double& x : r) x = size * uniform();
  r = projected(r);
}

}  // namespace stiction
