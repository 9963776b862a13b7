// SPDX-License-Identifier: Apache-2.0
//
// The proximal Newton method: a centre that moves (proximal_point.h), Newton steps around it
// (newton_steps.h), and for what is large convex problems whose shift is held (held_shift.h).  It
// goes through its variants (strategy.h) until one solves.
//
// How it was tuned, and what lost against it: docs/notes/contact-solver.md.
#include <algorithm>
#include <random>

#include "contact/methods/held_shift.h"
#include "contact/methods/methods.h"
#include "contact/methods/newton_steps.h"
#include "contact/methods/proximal_point.h"
#include "contact/methods/rounding.h"

namespace stiction {

namespace {

template <int D>
class Newton {
 public:
  Newton(Workspace<D>& work, Variants asked)
      : work_(work), v_(prepared(work)), asked_(asked), centre_(work), steps_(work), shift_(work) {}

  void run();

 private:
  static NewtonVectors<D>& prepared(Workspace<D>& work) {
    work.newton.resize(work.contacts());
    work.newton.velocity_known = false;
    return work.newton;
  }

  void analyse();
  void start_variant();
  void move_centre();
  void solve_around_centre();
  bool checked_enough();
  bool rounded_well();
  void adapt_alpha();
  bool led_elsewhere();
  bool no_gain();
  bool next_variant();

  const NewtonVariant& variant() const { return newton_variants[variant_]; }
  bool is_convex() const { return work_.options->model == Model::convex; }
  bool check();
  bool wants_polish();

  Workspace<D>& work_;
  NewtonVectors<D>& v_;
  Variants asked_;
  ProximalPoint<D> centre_;
  NewtonSteps<D> steps_;
  HeldShift<D> shift_;
  int variant_ = 0;
  bool thin_ = false, symmetric_ = false;
  typename NewtonSteps<D>::Result last_;
  int polishing_ = strategy.centre.polishing;
  double rounded_at_ = infinity;  // the error of the last tries of rounding
};

template <int D>
void Newton<D>::run() {
  analyse();
  start_variant();
  while (true) {
    move_centre();
    solve_around_centre();
    if (checked_enough() || rounded_well()) return;
    adapt_alpha();
    if (led_elsewhere()) return;
    if (no_gain() && !next_variant()) return;
  }
}

template <int D>
void Newton<D>::analyse() {
  work_.system.analyse(*work_.W);
  thin_ = work_.system.factorises();
  if (!thin_) work_.convex_system.analyse(*work_.W);
  symmetric_ = thin_ || is_symmetric(*work_.W);
  variant_ = first_variant(asked_, work_.contacts(), work_.options->model, work_.guessed, thin_);
}

template <int D>
void Newton<D>::start_variant() {
  // Conjugate gradients are for convex problems with a symmetric W.
  const bool convex = is_convex() || variant().holds_shift;
  if (!work_.system.factorises() && !(symmetric_ && convex)) work_.system.insist(*work_.W);
  centre_.start(first_alpha(variant_, work_.contacts(), thin_));
  if (variant().holds_shift) {
    if (work_.guessed)
      work_.r = work_.best;
    else
      work_.r.setZero();
    shift_.start();
    centre_.start_from(infinity);
  } else if (variant_ > asked_.first) {
    work_.r = work_.best;
    centre_.start_from(work_.best_errors.worst());
  }
}

template <int D>
void Newton<D>::move_centre() {
  if (!steps_.has_exact_velocities() && work_.is_cancelling()) steps_.take_exact_velocities();
  if (variant().holds_shift) shift_.update(centre_.rate());
  centre_.move();
}

template <int D>
void Newton<D>::solve_around_centre() {
  steps_.choose(variant(), centre_.alpha());
  last_ = steps_.run();
}

// A solution lies in K: the errors are those of the projected point, the iteration goes on from the
// point itself.
template <int D>
bool Newton<D>::check() {
  work_.project(work_.r, v_.trial);
  work_.r.swap(v_.trial);
  const bool over = work_.check(Method::newton, centre_.alpha());
  work_.r.swap(v_.trial);
  return over;
}

template <int D>
bool Newton<D>::wants_polish() {
  const CentreStrategy& at = strategy.centre;
  const double tolerance = work_.options->tolerance;
  return thin_ && is_many(work_.contacts()) && polishing_-- > 0 &&
         work_.errors.worst() > at.polished * tolerance && tolerance > at.loose;
}

template <int D>
bool Newton<D>::checked_enough() {
  return check() && !(work_.solved() && wants_polish());
}

// Steps in which rounding is chosen, where it decides; true if the run is over.
template <int D>
bool Newton<D>::rounded_well() {
  const RoundingStrategy& at = strategy.rounding;
  if (!steps_.has_exact_velocities() || !work_.is_cancelling()) return false;
  if (!(work_.errors.worst() < at.again * rounded_at_)) return false;
  rounded_at_ = work_.errors.worst();
  if (!work_.system.factorises()) return false;
  std::mt19937_64 engine(1);
  v_.velocity_known = false;
  for (int k = 0; k < at.tries; ++k) {
    work_.rounding_checks = 0;  // these are not in vain
    if (k >= at.straight)
      for (double& x : work_.r) x *= 1 + at.aside * (static_cast<double>(engine() >> 11) * 0x1p-53);
    v_.centre = work_.r;
    if (!steps_.step_by_rounding()) return false;
    if (check()) return true;
    if (k + 1 < at.straight) continue;
    move_by_units<D>(work_, v_.A, v_.F);
    if (check()) return true;
  }
  work_.rounding_checks = at.most_checks / 2;  // twice is enough
  return false;
}

template <int D>
void Newton<D>::adapt_alpha() {
  if (last_.reached)
    centre_.advance(last_.steps, steps_.by_gradients());
  else if (thin_ && is_many(work_.contacts()) && steps_.stabilise())
    centre_.draw_back();
  else
    centre_.retreat();
}

// By sweeps, where α is so large that the centre would not move; true if the run is over.
template <int D>
bool Newton<D>::led_elsewhere() {
  if (!centre_.is_held()) return false;
  gauss_seidel<D>(work_, false, strategy.sweeps.elsewhere);
  v_.velocity_known = false;
  if (work_.over()) return true;
  centre_.release();
  return false;
}

template <int D>
bool Newton<D>::no_gain() {
  const int own = asked_.patience > 0 ? asked_.patience : variant().patience;
  const int patience = steps_.by_gradients()
                           ? std::max(own, gradients_patience(work_.contacts(), work_.guessed))
                           : own;
  return centre_.stale_moves(variant_ == 0) >= patience;
}

// Held shifts believe smaller slips first; false where all was tried.
template <int D>
bool Newton<D>::next_variant() {
  if (steps_.by_gradients() && !is_convex() && shift_.believe_what_moves()) {
    centre_.forgive();
    return true;
  }
  if (++variant_ >= asked_.last) return false;
  start_variant();
  return true;
}

}  // namespace

template <int D>
void proximal_newton(Workspace<D>& work, Variants asked) {
  Newton<D>(work, asked).run();
}

template void proximal_newton<2>(Workspace<2>&, Variants);
template void proximal_newton<3>(Workspace<3>&, Variants);

}  // namespace stiction
