// SPDX-License-Identifier: Apache-2.0
//
// Proximal semismooth Newton on constraints of any kind: methods/newton.cpp in the scaled rows of
// constraint_law.h.  Around a centre c
//
//   v = T u + α d ∘ (s − c),   u = (W + R) r + q + b,   r = T s
//
// with d the mean diagonal of each part of a block, so that every part is held alike whatever its
// units.  ρ = f/d, where f grows like α^(−½) as α falls.  With A = ∂F/∂v and B = ∂F/∂s a step
// solves
//
//   [A T W + (A α d + B) T⁻¹] dr = −F.
//
// Convex problems, and those whose shift h(u_t) is held, go by the natural map.
#include <algorithm>
#include <cmath>

#include "contact/constraints/constraint_workspace.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Variant {
  bool holds_shift;
  Derivative derivative;
  double factor;
  int patience;  // moves of the centre without a gain of 20 %
};
constexpr Variant variants[constraint_variants] = {
    {false, Derivative::hueber, 1.0, 12}, {false, Derivative::hueber, 1.0, 100},
    {false, Derivative::exact, 5.0, 100}, {false, Derivative::reaction_radius, 5.0, 100},
    {false, Derivative::exact, 0.3, 100}, {true, Derivative::exact, 1.0, 30}};
// α to start with; a handful of constraints is mostly regular, and then a small one saves steps.
constexpr double alpha_start = 3e-3, alpha_start_few = 1e-6, least_alpha = 1e-12, most_alpha = 1e3;
constexpr int few = 4;
constexpr int most_steps = 10;  // around one centre
// A part whose diagonal is less than this beside the mean counts as having none.
constexpr double no_diagonal = 1e-30;
// How much better than the exact problem the one with the shift held is solved, squared, before the
// shift is renewed.
constexpr double held_better = 100;

class Newton {
 public:
  explicit Newton(ConstraintWorkspace& work);
  void run(int first, int last, int patience);

 private:
  double evaluate(const Eigen::VectorXd& r);  // F, A, C at r; returns ½‖F‖²
  bool inner(int& steps);
  void start(int variant);
  void update_shift();
  bool is_natural() const { return holds_shift_ || work_.options->model == Model::convex; }

  ConstraintWorkspace& work_;
  const ConstraintSystem& system_;
  int n_;
  double alpha_ = alpha_start, factor_ = 1;
  Derivative derivative_ = Derivative::hueber;
  bool holds_shift_ = false;
  std::vector<UpTo6> steepness_;
  std::vector<UpTo6x6> A_, C_;
  std::vector<char> open_;
  std::vector<double> shift_;
  Eigen::VectorXd F_, centre_, trial_, direction_;
};

Newton::Newton(ConstraintWorkspace& work)
    : work_(work),
      system_(work.system),
      n_(work.count()),
      steepness_(at(n_)),
      A_(at(n_)),
      C_(at(n_)),
      open_(at(n_)),
      shift_(at(n_)),
      F_(system_.q.size()) {
  const double mean = 1 / system_.norms.rho;
  for (int i = 0; i < n_; ++i) {
    steepness_[at(i)] = work_.one[at(i)].steepness();
    for (double& x : steepness_[at(i)])
      if (!(x > no_diagonal * mean)) x = mean;
  }
  if (!work_.lu.analysed()) work_.lu.analyse(system_.W);
}

double Newton::evaluate(const Eigen::VectorXd& r) {
  const double f = factor_ * std::min(1e6, 1 / std::sqrt(alpha_));
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    const ConstraintLaw& law = system_.laws[at(i)];
    const UpTo6 &T = law.scale(), &d = steepness_[at(i)];
    const UpTo6 s = system_.part(r, i).cwiseQuotient(T);
    UpTo6 u = system_.velocity(r, i, work_.cancelling);
    const bool natural = is_natural();
    if (natural) u[0] += shift_[at(i)];  // none in the convex model
    const UpTo6 away = s - system_.part(centre_, i).cwiseQuotient(T);
    const UpTo6 v = T.cwiseProduct(u) + alpha_ * d.cwiseProduct(away);
    const LinearisedConstraint l = natural
                                       ? law.natural(s, v, f / d.mean())
                                       : law.alart_curnier(s, v, f * d.cwiseInverse(), derivative_);
    F_.segment(system_.W.offset[at(i)], system_.W.size(i)) = l.F;
    open_[at(i)] = l.open && T.isOnes(0) ? 1 : 0;
    if (open_[at(i)] == 0) {
      A_[at(i)] = l.A * T.asDiagonal();
      C_[at(i)] = (l.A * (alpha_ * d).asDiagonal() + l.B) * T.cwiseInverse().asDiagonal();
    }
    sum += l.F.squaredNorm();
  }
  return sum / 2;
}

// Newton steps around the centre; false if no step was accepted or too many were used.
bool Newton::inner(int& steps) {
  double merit = evaluate(work_.r);
  const double target = 0.25 * merit;  // ‖F‖ ≤ ½ ‖F at the centre‖
  double recent[4] = {merit, merit, merit, merit};
  for (steps = 0; steps < most_steps;) {
    if (!work_.lu.factorise(system_.W, A_, C_, open_, work_.deadline)) return false;
    direction_ = -F_;
    work_.lu.solve(direction_);
    if (!direction_.allFinite()) return false;
    ++work_.iterations;
    const double reference = *std::max_element(recent, recent + 4);
    bool accepted = false;
    double t = 1;
    for (int halving = 0; halving <= 5 && !accepted; ++halving, t /= 2) {
      trial_ = work_.r + t * direction_;
      merit = evaluate(trial_);
      accepted = merit <= (1 - 1e-4 * t) * reference;
    }
    if (!accepted) return false;
    work_.r.swap(trial_);
    recent[steps % 4] = merit;
    ++steps;
    if (merit <= target) return true;
    if (work_.budget_spent()) return false;
  }
  return false;
}

// Where the problem with the shift held is solved much better than the exact one, the shift is what
// is wrong.
void Newton::update_shift() {
  const Eigen::VectorXd inside = work_.projected(work_.r);
  const double rho = system_.norms.rho;
  double held = 0, exact = 0;
  std::vector<double> fresh(at(n_));
  for (int i = 0; i < n_; ++i) {
    const ConstraintLaw& law = system_.laws[at(i)];
    if (law.kind() == ConstraintLaw::Kind::bilateral) continue;
    const UpTo6 r = system_.part(inside, i), u = system_.velocity(inside, i, work_.cancelling);
    UpTo6 as_held = u, as_is = u;
    if (law.kind() == ConstraintLaw::Kind::contact) {
      fresh[at(i)] = law.support(u);
      as_held[0] += shift_[at(i)];
      as_is[0] += fresh[at(i)];
    }
    held += (r - law.project(r - rho * as_held)).squaredNorm();
    exact += (r - law.project(r - rho * as_is)).squaredNorm();
  }
  if (held_better * held <= exact) shift_ = std::move(fresh);
}

void Newton::start(int variant) {
  derivative_ = variants[variant].derivative;
  holds_shift_ = variants[variant].holds_shift;
  factor_ = variants[variant].factor;
  alpha_ = n_ <= few && variant == 0 ? alpha_start_few : alpha_start;
  std::fill(shift_.begin(), shift_.end(), 0.0);
}

void Newton::run(int first, int last, int patience) {
  for (int variant = first; variant < last; ++variant) {
    start(variant);
    if (variant > first) work_.r = work_.best;
    double centre_error = infinity, best = infinity;
    for (int stale = 0; stale < (patience > 0 ? patience : variants[variant].patience);) {
      if (is_natural() && work_.options->model == Model::coulomb) update_shift();
      centre_ = work_.r;
      int steps = 0;
      const bool reached = inner(steps);
      if (work_.check(Method::newton, work_.r, alpha_)) return;
      const double error = work_.errors.worst();
      if (reached) {
        if (steps <= 1) alpha_ = std::max(0.3 * alpha_, least_alpha);
        centre_error = error;
      } else {
        if (error < centre_error)
          centre_error = error;
        else
          work_.r = centre_;
        alpha_ *= 10;
      }
      if (alpha_ > most_alpha) {
        gauss_seidel(work_, false, 20);
        if (work_.over()) return;
        alpha_ = alpha_start;
        centre_error = work_.errors.worst();
      }
      ++stale;
      if (work_.errors.worst() < 0.8 * best) {
        best = work_.errors.worst();
        stale = 0;
      }
    }
  }
}

}  // namespace

void proximal_newton(ConstraintWorkspace& work, int first, int last, int patience) {
  Newton(work).run(first, last, patience);
}

}  // namespace stiction
