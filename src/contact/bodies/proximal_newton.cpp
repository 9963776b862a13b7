// SPDX-License-Identifier: Apache-2.0
#include "contact/bodies/proximal_newton.h"

#include <algorithm>
#include <cmath>

namespace stiction::bodies {

void ProximalNewton::begin(const BodySystem& system, const ProximalSettings& settings,
                           const Numbers& from) {
  system_ = &system;
  settings_ = settings;
  const auto batches = static_cast<std::size_t>(system.batches());
  for (Numbers* three : {&u_, &centre_, &centre_u_, &dr_, &z_, &trial_r_, &trial_u_, &KF_,
                         &projected_, &true_r_, &true_u_})
    three->assign(24 * batches);
  for (Numbers* nine : {&KA_, &D_}) nine->assign(72 * batches);
  for (Numbers* node : {&dv_, &v_})
    node->assign(static_cast<std::size_t>(node_size * system.nodes()));
  active_.assign(8 * batches, 0);
  r_ = from;
  alpha_ = settings.alpha;
  steps_ = stale_ = 0;
  evaluate_velocity();
  measure();
  centre_error_ = best_ = first_ = errors_.worst();
}

// u at r'
void ProximalNewton::evaluate_velocity() {
  system_->kernels().transform(system_->batches(), system_->transform(), r_.data(), true_r_.data());
  system_->response(true_r_, v_, u_);
}

// The errors of r' projected on its cones.
void ProximalNewton::measure() {
  const Kernels& kernels = system_->kernels();
  kernels.project(system_->batches(), r_.data(), projected_.data());
  kernels.transform(system_->batches(), system_->transform(), projected_.data(), true_r_.data());
  system_->response(true_r_, v_, true_u_);
  errors_ = system_->errors(true_r_, true_u_);
  if (!std::isfinite(errors_.worst())) errors_.relative = errors_.scaled = infinity;
}

// Newton steps from the centre; false if no step was accepted or too many were taken.
bool ProximalNewton::inner() {
  const Kernels& kernels = system_->kernels();
  centre_ = r_;
  centre_u_ = u_;
  arrays_ = {.batches = system_->batches(),
             .present = system_->present(),
             .transform = system_->transform(),
             .size = system_->size(),
             .tangent = system_->tangent(),
             .centre = centre_.data(),
             .KA = KA_.data(),
             .KF = KF_.data(),
             .D = D_.data(),
             .active = active_.data(),
             .alpha = alpha_,
             .factor = settings_.factor * std::min(settings_.most_factor, 1 / std::sqrt(alpha_)),
             .bounded = settings_.bounded,
             .convex = system_->model() == Model::convex};
  dr_.zero();
  z_.zero();
  const auto evaluate = [&](double t) {
    return kernels.proximal_evaluate(arrays_, r_.data(), dr_.data(), u_.data(), z_.data(), t,
                                     trial_r_.data(), trial_u_.data());
  };
  double merit = evaluate(0);
  const double target = settings_.enough * settings_.enough * merit;
  double recent[4] = {merit, merit, merit, merit};
  for (inner_steps_ = 0; inner_steps_ < settings_.inner_steps && steps_ < settings_.most_steps;) {
    if (!system_->factorise(D_.data(), active_.data())) return false;
    ++steps_;
    kernels.transform(system_->batches(), system_->transform(), KF_.data(), true_r_.data());
    dv_.zero();
    system_->forces(true_r_.data(), dv_.data());
    for (std::size_t k = 0; k < dv_.size(); ++k) dv_[k] = -dv_[k];
    system_->solve(dv_.data());
    system_->velocities(dv_.data(), z_.data());
    kernels.proximal_direction(arrays_, z_.data(), dr_.data());
    const double reference = *std::max_element(recent, recent + 4);
    double t = 1;
    int halving = 0;
    for (;; t /= 2) {
      merit = evaluate(t);
      if (merit <= (1 - settings_.descent * t) * reference) break;
      if (++halving > settings_.halvings) return false;
    }
    r_.swap(trial_r_);
    u_.swap(trial_u_);
    recent[inner_steps_++ % 4] = merit;
    if (merit <= target) return true;
  }
  return false;
}

// The centre moves to where the inner loop came, or stays; false where it is given up.
bool ProximalNewton::move(bool reached) {
  const double error = errors_.worst();
  const bool better = error < centre_error_;
  if (reached || better) {
    centre_error_ = error;
    evaluate_velocity();
  } else {
    r_.swap(centre_);
    u_.swap(centre_u_);
  }
  if (!reached)
    alpha_ *= settings_.rise;
  else if (inner_steps_ == 1)
    alpha_ = std::max(settings_.least_alpha, settings_.fall * alpha_);
  if (alpha_ > settings_.most_alpha) return false;
  if (settings_.halving > 0 && error > first_ * std::pow(settings_.halving, steps_)) return false;
  if (centre_error_ < settings_.gain * best_) {
    best_ = centre_error_;
    stale_ = 0;
  } else if (++stale_ > settings_.patience) {
    return false;
  }
  return true;
}

}  // namespace stiction::bodies
