// SPDX-License-Identifier: Apache-2.0
#include "contact/methods/proximal_point.h"

#include <algorithm>

namespace stiction {

namespace {

constexpr const CentreStrategy& at = strategy.centre;

}  // namespace

template <int D>
void ProximalPoint<D>::start(double alpha) {
  lowest_alpha_ = alpha_ = alpha;
  stale_ = 0;
  with_momentum_ = true;
  v_.momentum.restart();
}

template <int D>
void ProximalPoint<D>::start_from(double error) {
  v_.velocity_known = false;
  error_ = best_ = error;
}

template <int D>
void ProximalPoint<D>::move() {
  v_.centre = work_.r;
  error_before_ = work_.errors.scaled;
}

template <int D>
void ProximalPoint<D>::draw_back() {
  work_.r = v_.centre;
  v_.velocity_known = false;
  rate_ = 1;
}

template <int D>
void ProximalPoint<D>::fall(double factor) {
  alpha_ = std::max(factor * alpha_, at.least_alpha);
}

template <int D>
void ProximalPoint<D>::advance(int steps, bool by_gradients) {
  rate_ = work_.errors.scaled / error_before_;
  if (stale_ >= at.patience_with_momentum || !by_gradients) with_momentum_ = false;
  // With momentum one step is soon enough, which says little of α.
  if (steps <= 1 && (!with_momentum_ || rate_ < at.fallen))
    fall(by_gradients ? at.fall_by_gradients : at.fall);
  if (steps >= at.many_steps && by_gradients) alpha_ *= at.rise_by_gradients;
  crept_ = rate_ > at.crept_low && rate_ < at.crept_high ? crept_ + 1 : 0;
  if (crept_ >= at.most_crept && steps > 1 && !by_gradients) {
    fall(at.fall);
    crept_ = 0;
  }
  error_ = work_.errors.worst();
  if (with_momentum_ && v_.momentum.advance(v_.centre, work_.r)) v_.velocity_known = false;
}

template <int D>
void ProximalPoint<D>::retreat() {
  rate_ = 1;
  if (work_.errors.worst() < error_)
    error_ = work_.errors.worst();
  else
    draw_back();
  alpha_ *= at.rise;
  v_.momentum.restart();
}

template <int D>
void ProximalPoint<D>::release() {
  v_.velocity_known = false;
  alpha_ = at.alpha;
  error_ = work_.errors.worst();
}

template <int D>
int ProximalPoint<D>::stale_moves(bool waits) {
  if (work_.errors.worst() < at.gain * best_) {
    best_ = work_.errors.worst();
    stale_ = 0;
  } else if (waits && alpha_ < lowest_alpha_) {
    // Under a heavy body the error waits for α to get as small as the ratio of masses.
    lowest_alpha_ = alpha_;
  } else {
    ++stale_;
  }
  return stale_;
}

template class ProximalPoint<2>;
template class ProximalPoint<3>;

}  // namespace stiction
