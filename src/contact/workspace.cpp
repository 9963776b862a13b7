// SPDX-License-Identifier: Apache-2.0
#include "contact/workspace.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace stiction {

template <int D>
void Workspace<D>::start(const ContactProblem& problem, const SolverOptions& given,
                         const Eigen::VectorXd* guess) {
  W = &problem.W;
  q = &problem.q;
  options = &given;
  deadline = Deadline(begin, given.max_seconds);
  system.give_up_at(deadline);
  convex_system.give_up_at(deadline);
  laws.assign(problem.laws);
  norms = problem_norms(*W, *q);
  mean_diagonal = 1 / norms.rho;
  const auto n = static_cast<std::size_t>(contacts());
  pivots.resize(n);
  diagonal.resize(n);
  for (int i = 0; i < contacts(); ++i) {
    const auto ii = static_cast<std::size_t>(i);
    const auto first = W->column.begin() + W->start[ii],
               last = W->column.begin() + W->start[ii + 1];
    diagonal[ii] = static_cast<int>(std::lower_bound(first, last, i) - W->column.begin());
    pivots[ii].set(W->at(diagonal[ii]), laws[i]);
  }
  const int threads = !is_large(contacts()) ? 1 : thread_count(options->threads);
  if (team == nullptr || team->threads() != threads) team = std::make_unique<Team>(threads);
  if (!is_large(contacts())) {
    colours.start.resize(1);
  } else if (colours.size() == 0 || W->start != pattern_start || W->column != pattern) {
    colours = stiction::colours(ContactGraph(*W));
    pattern_start = W->start;
    pattern = W->column;
  }
  beta.assign(n, 0.0);
  if (guess != nullptr)
    r = *guess;
  else
    r.setZero(D * contacts());
  best = r;  // where no error is finite
  best_errors = {.relative = infinity, .scaled = infinity};
  iterations = 0;
  guessed = guess != nullptr;
  out_of_time = stopped = false;
  existence = {};
  rounding_checks = 0;
}

template <int D>
void Workspace<D>::restart(int attempt) {
  std::fill(beta.begin(), beta.end(), 0.0);
  guessed = false;
  if (attempt == 0) {
    r.setZero();
    return;
  }
  std::mt19937_64 engine(static_cast<unsigned>(attempt));
  const auto uniform = [&] { return 2 * (static_cast<double>(engine() >> 11) * 0x1p-53) - 1; };
  const double size = norms.rho * (norms.q > 0 ? norms.q : 1.0) * std::pow(10.0, uniform());
  for (int i = 0; i < contacts(); ++i) {
    Part<D> x;
    for (int c = 0; c < D; ++c) x[c] = size * uniform();
    r.template segment<D>(D * i) = laws[i].project(x);
  }
}

template <int D>
void Workspace<D>::project(const Eigen::VectorXd& point, Eigen::VectorXd& inside) const {
  for_chunks(*team, contacts(), [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const Part<D> x = point.segment<D>(D * i);
      inside.segment<D>(D * i) = laws[i].project(x);
    }
  });
}

template <int D>
Errors Workspace<D>::errors_at_r(Twice twice) {
  parts.resize(3 * static_cast<std::size_t>(chunks(contacts())));
  for_chunks(*team, contacts(), [&](int first, int last, int) {
    residual_sums<D>(*W, *q, laws, r, norms, options->model, twice, first, last,
                     parts.data() + 3 * (first / chunk));
  });
  double sums[3] = {0, 0, 0};
  for (std::size_t k = 0; k < parts.size(); ++k) sums[k % 3] += parts[k];
  return errors_from(sums[0], sums[1], sums[2], norms);
}

template <int D>
bool Workspace<D>::check(Method method, double regularisation) {
  errors = errors_at_r(Twice::nothing);
  // What looks solved may be lost in rounding, and what is solved hidden by it.
  if (!(errors.worst() > strategy.rounding.felt_below)) {
    const double product = rounding_of_product<D>(*W, r, norms),
                 beside_r = errors.rounding * norms.rho;
    if (product > Errors::usual_rounding) {
      errors = errors_at_r(Twice::velocities);
      errors.rounding = product;
    } else if (beside_r > Errors::usual_rounding) {
      errors = errors_at_r(Twice::map);
    }
  }
  if (errors.worst() < best_errors.worst()) {
    best_errors = errors;
    best = r;
  }
  if (history != nullptr || options->progress) {
    const Iteration line{method,        iterations, errors.relative,
                         errors.scaled, seconds(),  regularisation};
    if (history != nullptr) history->push_back(line);
    if (options->progress && !options->progress(line)) stopped = true;
  }
  if (!solved()) {
    if (errors.is_rounding() && rounding_checks < strategy.rounding.most_checks) ++rounding_checks;
    if (budget_spent()) out_of_time = true;
  }
  return over();
}

template struct Workspace<2>;
template struct Workspace<3>;

}  // namespace stiction
