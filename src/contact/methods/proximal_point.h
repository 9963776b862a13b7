// SPDX-License-Identifier: Apache-2.0
//
// The proximal point.  Around a centre c the problem with
//
//   u = W r + q + α S (r − c),   S the size of each contact's own block of W
//
// has a unique nearby solution even where W is singular.  Steps solve it roughly (newton_steps.h),
// and the centre moves there; where it stands still, r = c solves the problem itself.
//
//   moves   to where the steps reached, and with momentum on from there (momentum.h)
//   falls   α, where one step was enough, or where the error creeps: then α holds it
//   rises   α, where no step was accepted, or where there were many
//
// Thresholds: CentreStrategy.
#pragma once

#include "contact/workspace.h"

namespace stiction {

template <int D>
class ProximalPoint {
 public:
  explicit ProximalPoint(Workspace<D>& work)
      : work_(work),
        v_(work.newton),
        error_(work.errors.worst()),
        best_(error_),
        error_before_(work.errors.scaled) {}

  double alpha() const { return alpha_; }
  // The part of the error that the last move left; 1 where the steps failed.
  double rate() const { return rate_; }

  // With another function: α and momentum begin anew.
  void start(double alpha);
  // From an r that is elsewhere, with this error.
  void start_from(double error);

  // c ← r
  void move();
  // r moves on, after steps that reached the solution around the centre.
  void advance(int steps, bool by_gradients);
  // r ← c.
  void draw_back();
  // r draws back where it got worse, and α rises: after steps that did not.
  void retreat();
  // α is so large that the centre would not move.
  bool is_held() const { return alpha_ > strategy.centre.most_alpha; }
  // r was led elsewhere: α as it was at first.
  void release();

  // Moves in a row without gain; α that falls further counts as a gain where `waits`.
  int stale_moves(bool waits);
  void forgive() { stale_ = 0; }

 private:
  void fall(double factor);

  Workspace<D>& work_;
  NewtonVectors<D>& v_;
  double alpha_ = 0, lowest_alpha_ = 0;
  double error_, best_;  // of the centre; the last that was a gain
  double error_before_;  // `scaled`, of the last centre
  double rate_ = 1;
  bool with_momentum_ = true;
  int crept_ = 0;  // moves in a row
  int stale_ = 0;
};

extern template class ProximalPoint<2>;
extern template class ProximalPoint<3>;

}  // namespace stiction
