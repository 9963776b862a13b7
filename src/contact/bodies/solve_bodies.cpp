// SPDX-License-Identifier: Apache-2.0
#include "contact/bodies/solve_bodies.h"

#include <algorithm>

namespace stiction::bodies {

namespace {

// Throws of the dice for chaotic problems, in order; some are from zero.
struct Restart {
  double factor, alpha;
  bool from_zero, bounded;
  double enough;
};
constexpr Restart restarts[] = {{3, 1e-2, false, true, 0.5}, {10, 1e-3, false, true, 0.5},
                                {3, 3e-2, true, true, 0.5},  {1, 1e-3, false, false, 0.5},
                                {10, 1e-2, true, true, 0.5}, {3, 1e-4, false, true, 0.8},
                                {30, 1e-3, false, true, 0.5}};

}  // namespace

// The errors of a point: kept if it is the best; whether it is time to end.
bool BodySolver::watch(const Errors& errors, const Numbers& reactions, const Numbers& scaled,
                       int step, double alpha) {
  if (errors.worst() < best_error_) {
    best_error_ = errors.worst();
    best_ = reactions;
    best_scaled_ = scaled;
    solved_ = errors.within(options_->tolerance);
  }
  const Iteration line{Method::bodies,  solution_->iterations + step,
                       errors.relative, errors.scaled,
                       seconds(),       alpha};
  if (options_->keep_history) solution_->history.push_back(line);
  if (options_->progress && !options_->progress(line)) stopped_ = true;
  const bool spent = options_->max_iterations > 0 && line.iteration >= options_->max_iterations;
  if (!solved_ && (spent || line.seconds > options_->max_seconds)) out_of_time_ = true;
  return solved_ || stopped_ || out_of_time_;
}

// Whether it is time to end.
bool BodySolver::run_interior(double near) {
  const int before = interior_.steps();
  interior_.run(near, [&](const Errors& errors) {
    return watch(errors, interior_.reactions(), interior_.scaled_reactions(),
                 interior_.steps() - before, 0);
  });
  solution_->iterations += interior_.steps() - before;
  return solved_ || stopped_ || out_of_time_;
}

bool BodySolver::run_proximal(ProximalSettings settings, const Numbers& from) {
  if (options_->max_iterations > 0)
    settings.most_steps =
        std::min(settings.most_steps, options_->max_iterations - solution_->iterations);
  const bool over = proximal_.run(system_, settings, from, [&](const Errors& errors) {
    return watch(errors, proximal_.reactions(), proximal_.scaled_reactions(), proximal_.steps(),
                 proximal_.alpha());
  });
  solution_->iterations += proximal_.steps();
  return over;
}

bool BodySolver::try_guess(const Eigen::VectorXd& guess) {
  system_.spread_scaled(guess, scaled_guess_);
  ProximalSettings settings = settings_.proximal;
  settings.most_steps = 0;
  if (run_proximal(settings, scaled_guess_)) return true;
  if (proximal_.errors().worst() > settings_.guess_near) return false;
  settings.alpha = settings_.guess_alpha;
  settings.most_steps = settings_.guess_steps;
  settings.halving = settings_.guess_halving;
  return run_proximal(settings, scaled_guess_);
}

// The ladder of both methods; whether it is time to end.
bool BodySolver::climb(const Numbers* guess) {
  double near = settings_.interior.near;
  ProximalSettings proximal = settings_.proximal;
  interior_.start(system_, settings_.interior, guess);
  while (true) {
    if (run_interior(near)) return true;
    const double error = interior_.errors().worst();
    const bool reached = error <= near;
    if (reached || error < settings_.worth_trying)
      if (run_proximal(proximal, interior_.scaled_reactions())) return true;
    if (!reached || near <= settings_.least_near) return false;
    near = std::max(settings_.least_near, settings_.next_near * std::min(near, error));
    proximal.alpha = std::max(settings_.least_alpha, settings_.next_alpha * proximal.alpha);
  }
}

bool BodySolver::restart() {
  const Numbers best = best_scaled_;
  Numbers zero = best;
  zero.zero();
  for (const Restart& one : restarts) {
    ProximalSettings settings = settings_.proximal;
    settings.factor = one.factor;
    settings.alpha = one.alpha;
    settings.bounded = one.bounded;
    settings.enough = one.enough;
    settings.most_steps = static_cast<int>(std::min<double>(
        settings_.restart_steps, settings_.restart_products / std::max(system_.products(), 1.0)));
    settings.patience = settings_.restart_patience;
    if (run_proximal(settings, one.from_zero ? zero : best)) return true;
  }
  return false;
}

double BodySolver::analyse(const GlobalProblem& problem) {
  begin_ = std::chrono::steady_clock::now();
  system_.set_pattern(problem);
  return system_.products();
}

void BodySolver::solve(const GlobalProblem& problem, const SolverOptions& options,
                       const Eigen::VectorXd* guess, Solution& solution) {
  options_ = &options;
  solution_ = &solution;
  solved_ = out_of_time_ = stopped_ = false;
  best_error_ = infinity;
  solution.iterations = 0;
  solution.separation.reset();
  solution.history.clear();
  system_.set(problem, options.model, *kernels_);
  v_.assign(system_.free_velocity().size());
  best_.assign(static_cast<std::size_t>(24 * system_.batches()));
  u_ = best_scaled_ = best_;
  // r = 0 may be the answer.
  system_.response(best_, v_, u_);
  bool over = watch(system_.errors(best_, u_), best_, best_scaled_, 0, 0);
  if (!over && guess != nullptr) over = try_guess(*guess);
  if (!over) over = climb(guess != nullptr ? &scaled_guess_ : nullptr);
  if (!over) restart();

  solution.method = Method::bodies;
  system_.response(best_, v_, u_);
  system_.gather(best_, solution.reactions);
  system_.gather(u_, solution.velocities);
  system_.gather_nodes(v_, solution.generalized_velocities);
  solution.certificate = certificate_from<3>(system_.laws(), system_.norms(), solution.reactions,
                                             solution.velocities, options.model);
  find_modes<3>(system_.laws(), system_.norms(), solution.reactions, solution.velocities,
                options.tolerance, solution.modes);
  solution.status = solved_ && solution.certificate.within(options.tolerance) ? Status::solved
                    : out_of_time_                                            ? Status::time_limit
                    : stopped_                                                ? Status::stopped
                                                                              : Status::stalled;
  solution.seconds = seconds();
}

}  // namespace stiction::bodies
