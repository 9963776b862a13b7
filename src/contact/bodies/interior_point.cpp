// SPDX-License-Identifier: Apache-2.0
#include "contact/bodies/interior_point.h"

#include <algorithm>
#include <cmath>

namespace stiction::bodies {

void InteriorPoint::start(const BodySystem& system, const InteriorSettings& settings,
                          const Numbers* guess) {
  system_ = &system;
  settings_ = settings;
  steps_ = held_ = short_ = 0;
  errors_ = {};
  const auto batches = static_cast<std::size_t>(system.batches());
  for (Numbers* three :
       {&y_, &r_, &u_, &target_, &infeasibility_, &force_, &z_, &dy_, &dr_, &true_r_, &true_u_})
    three->assign(24 * batches);
  scaling_.assign(64 * batches);
  slip_.assign(16 * batches);
  D_.assign(72 * batches);
  for (Numbers* node : {&v_, &dv_, &true_v_})
    node->assign(static_cast<std::size_t>(node_size * system.nodes()));
  const double velocity = system.norms().q / std::sqrt(3.0 * std::max(system.contacts(), 1));
  const double reaction = velocity * system.norms().rho;
  if (guess != nullptr) r_ = *guess;
  system.kernels().transform(system.batches(), system.transform(), r_.data(), true_r_.data());
  system.response(true_r_, v_, u_);
  const double more_r =
      (guess != nullptr ? settings.warm_reaction : settings.start_reaction) * reaction;
  const double more_y =
      (guess != nullptr ? settings.warm_velocity : settings.start_velocity) * velocity;
  if (guess != nullptr)
    system.kernels().transform(system.batches(), system.transform(), u_.data(), y_.data());
  for (std::size_t i = 0; i < y_.size(); i += 24)
    for (std::size_t k = i; k < i + 8; ++k) {
      r_[k] += more_r;
      y_[k] = std::max(y_[k], 0.0) + std::hypot(y_[k + 8], y_[k + 16]) + more_y;
    }
}

Interior InteriorPoint::arrays() {
  return {.batches = system_->batches(),
          .present = system_->present(),
          .transform = system_->transform(),
          .size = system_->size(),
          .y = y_.data(),
          .r = r_.data(),
          .u = u_.data(),
          .target = target_.data(),
          .infeasibility = infeasibility_.data(),
          .scaling = scaling_.data(),
          .slip = slip_.data(),
          .D = D_.data(),
          .force = force_.data(),
          .z = z_.data(),
          .dy = dy_.data(),
          .dr = dr_.data(),
          .alpha = settings_.regularisation,
          .shift = system_->model() == Model::coulomb,
          .slope = held_ == 0};
}

// K dv = M (v_f − v) + Hᵀ force, z = H dv
void InteriorPoint::solve() {
  const Numbers& free = system_->free_velocity();
  for (std::size_t k = 0; k < v_.size(); ++k) true_v_[k] = free[k] - v_[k];
  system_->mass_times(true_v_.data(), dv_.data());
  system_->forces(force_.data(), dv_.data());
  system_->solve(dv_.data());
  system_->velocities(dv_.data(), z_.data());
}

bool InteriorPoint::step() {
  const Interior a = arrays();
  const Kernels& kernels = system_->kernels();
  const double gap = kernels.interior_scale(a);
  if (!system_->factorise(D_.data(), nullptr)) return false;
  ++steps_;
  solve();
  const Reach affine = kernels.interior_reach(a);
  const double t_affine = std::min(1.0, affine.step);
  const double fallen = (gap + t_affine * (affine.first + t_affine * affine.second)) / gap;
  double sigma = std::clamp(fallen * fallen * fallen, settings_.least_centring, 1.0);
  if (held_ > 0) sigma = 1;
  kernels.interior_correct(a, sigma * gap / system_->contacts());
  solve();
  const double t = std::min(1.0, settings_.boundary * kernels.interior_reach(a).step);
  if (!(t > 0)) return false;
  kernels.interior_advance(a, t);
  for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += t * dv_[k];
  if (held_ > 0) {
    --held_;
  } else {
    short_ = t < settings_.short_step ? short_ + 1 : 0;
    if (short_ >= settings_.short_steps) {
      held_ = settings_.held_steps;
      short_ = 0;
    }
  }
  return true;
}

void InteriorPoint::measure() {
  system_->kernels().transform(system_->batches(), system_->transform(), r_.data(), true_r_.data());
  system_->response(true_r_, true_v_, true_u_);
  errors_ = system_->errors(true_r_, true_u_);
  if (!std::isfinite(errors_.worst())) errors_.relative = errors_.scaled = infinity;
}

}  // namespace stiction::bodies
