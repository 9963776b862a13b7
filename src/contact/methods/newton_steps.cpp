// SPDX-License-Identifier: Apache-2.0
#include "contact/methods/newton_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/methods/held_shift.h"

namespace stiction {

namespace {

constexpr const StepStrategy& at = strategy.steps;

}  // namespace

template <int D>
void NewtonSteps<D>::choose(const NewtonVariant& variant, double alpha) {
  variant_ = variant;
  convex_ = variant.holds_shift || work_.options->model == Model::convex;
  alpha_ = alpha;
  const double md = work_.mean_diagonal, least = at.no_block * md;
  const double f = variant.factor * std::min(at.most_f, 1 / std::sqrt(alpha));
  for_chunks(*work_.team, n_, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const auto ii = static_cast<std::size_t>(i);
      const double* block = W_.at(work_.diagonal[ii]);
      double trace = 0;
      for (int c = 1; c < D; ++c) trace += block[D * c + c];
      const double nn = block[0];
      const double mean = (std::abs(nn) + std::abs(trace)) / D;
      v_.size[ii] = mean > least ? mean : md;
      v_.alphas[ii] = alpha * v_.size[ii];
      v_.more[ii] = (at.alpha_of_factors - alpha) * v_.size[ii];
      v_.rho_n[ii] = f / (nn > least ? nn : md);
      v_.rho_t[ii] = f / (trace > least ? trace / (D - 1) : md);
    }
  });
}

template <int D>
void NewtonSteps<D>::take_exact_velocities() {
  exact_ = true;
  v_.velocity_known = false;
}

template <int D>
Linearised<D> NewtonSteps<D>::linearise(int i, const Part<D>& r, Part<D> u) const {
  const auto ii = static_cast<std::size_t>(i);
  const ContactLaw<D>& law = work_.laws[i];
  u += alpha_ * v_.size[ii] * (r - v_.centre.template segment<D>(D * i));
  if (!convex_) return alart_curnier<D>(law, r, u, v_.rho_n[ii], v_.rho_t[ii], variant_.derivative);
  if (variant_.holds_shift) u[0] += v_.shift[ii];
  const double rho = v_.rho_t[ii];
  Linearised<D> l = shifted_natural_map<D>(law, r, u, rho);
  if (!by_gradients()) l.A *= rho;
  return l;
}

template <int D>
double NewtonSteps<D>::store(int i, const Linearised<D>& l) {
  const auto ii = static_cast<std::size_t>(i);
  v_.F.template segment<D>(D * i) = l.F;
  v_.open[ii] = l.open ? 1 : 0;
  if (by_gradients()) {
    v_.A[ii] = l.A;
  } else if (!l.open) {
    v_.A[ii] = l.A;
    v_.C[ii] = alpha_ * v_.size[ii] * l.A + l.B;
  }
  return l.F.squaredNorm();
}

template <int D>
double NewtonSteps<D>::evaluate(const Eigen::VectorXd& r, Eigen::VectorXd& velocity, bool known) {
  return sum_chunks(*work_.team, n_, work_.parts,
                    [&](int first, int last) {
                      double sum = 0;
                      for (int i = first; i < last; ++i) {
                        auto u = velocity.segment<D>(D * i);
                        if (!known)
                          u = exact_ ? exact_velocity_at<D>(W_, work_.q->data(), r.data(), i)
                                     : velocity_at<D>(W_, work_.q->data(), r.data(), i);
                        sum += store(i, linearise(i, r.segment<D>(D * i), u));
                      }
                      return sum;
                    }) /
         2;
}

template <int D>
bool NewtonSteps<D>::solve() {
  v_.direction = -v_.F;
  if (by_gradients())
    return work_.convex_system.solve(
        W_, work_.diagonal, v_.A, v_.rho_t, v_.alphas,
        alpha_ < at.alpha_of_single ? Precision::full : Precision::single, v_.direction,
        work_.errors.worst() > at.fine_from ? at.rough : at.fine, *work_.team);
  const bool doubtful = stabilised_ && alpha_ < at.alpha_of_factors;
  return work_.system.solve(W_, v_.A, v_.C, v_.open, v_.direction, at.gmres, *work_.team,
                            doubtful ? &v_.more : nullptr);
}

template <int D>
auto NewtonSteps<D>::run() -> Result {
  double merit = evaluate(work_.r, v_.velocity, std::exchange(v_.velocity_known, true));
  const double target = at.enough * merit;
  double recent[4] = {merit, merit, merit, merit};
  for (int steps = 0; steps < at.most;) {
    if (!solve()) return {false, steps};
    ++work_.iterations;
    const double reference = *std::max_element(recent, recent + 4);
    double t = 1;
    bool accepted = false;
    for (int halving = 0; halving <= at.halvings && !accepted; ++halving) {
      v_.trial = work_.r + t * v_.direction;
      merit = evaluate(v_.trial, v_.trial_velocity, false);
      accepted = merit <= (1 - at.descent * t) * reference;
      t /= 2;
    }
    if (!accepted) return {false, steps};
    work_.r.swap(v_.trial);
    v_.velocity.swap(v_.trial_velocity);
    recent[steps % 4] = merit;
    ++steps;
    if (merit <= target) return {true, steps};
    if (work_.budget_spent()) return {false, steps};
  }
  return {false, at.most};
}

template <int D>
bool NewtonSteps<D>::step_by_rounding() {
  evaluate(work_.r, v_.velocity, false);
  v_.velocity_known = false;
  v_.direction = -v_.F;
  if (!work_.system.solve(W_, v_.A, v_.C, v_.open, v_.direction, 0, *work_.team, nullptr, &work_.r))
    return false;
  ++work_.iterations;
  work_.r += v_.direction;
  return true;
}

template <int D>
bool NewtonSteps<D>::stabilise() {
  if (stabilised_ || !(alpha_ < at.alpha_of_factors)) return false;
  stabilised_ = true;
  return true;
}

template class NewtonSteps<2>;
template class NewtonSteps<3>;

}  // namespace stiction
