// SPDX-License-Identifier: Apache-2.0
//
// Proximal semismooth Newton.  Around a centre c the problem with
//
//   u = W r + q + α (r − c)
//
// has a unique nearby solution even where W is singular; it is solved roughly by Newton's method on
// the function F of Alart and Curnier (alart_curnier.h), the centre moves there, and α is lowered.
//
// With A = ∂F/∂u and B = ∂F/∂r a step solves [A (W + αI) + B] dr = −F.  On the disc the derivative
// in slip may be replaced by that of Hüeber, Stadler and Wohlmuth, which is bounded where the exact
// one is not.  ρ_n = f/D_nn and ρ_t = f (d−1)/tr D_tt, where f grows like α^(−½) as α falls: this
// coupling is what solves rank-deficient piles.
//
// The convex relaxation has no shift and one cone: there F is the natural map r − P_K(r − ρ u), and
// the method hardly ever fails.  So exact friction may go by convex problems: u_n + s in place of
// u_n, with s = h(u_t) held until the problem with s held is all but solved.  Where nothing slips
// in the end, s = 0 is right from the start.
//
// How it was tuned, and what lost against it: docs/theory/contact-solver.md.
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "contact/methods/rounding.h"
#include "contact/one/alart_curnier.h"
#include "contact/workspace.h"

namespace stiction {

namespace {

struct Variant {
  Derivative derivative;
  double factor;
  int patience;  // moves of the centre without a gain of 20 %
};
constexpr Variant variants[newton_variants] = {
    {Derivative::hueber, 1.0, 12},           {Derivative::shifted, 1.0, 10},
    {Derivative::hueber, 1.0, 150},          {Derivative::exact, 5.0, 150},
    {Derivative::reaction_radius, 5.0, 150}, {Derivative::exact, 0.3, 150}};
// From this many contacts on the shifted problem comes first: what is large mostly stands still,
// and then it needs some twenty steps where the others need hundreds.
constexpr int many = 1000;
// A handful of contacts is mostly regular, and then a small α saves half the steps.
constexpr int few = 4;
constexpr double alpha_start_few = 1e-6;
// α to start with, over the size of a contact's block; and for the shifted problem where systems
// are factorised, since in a tower of k boxes the ground is felt at the top for α < 1/k² only.
constexpr double alpha_start = 3e-3, alpha_start_shifted = 1e-7;
// Below this α the factors of a long chain are lost to rounding: a null vector of W that is one to
// rounding ε leaves ε/α beside the α it should.
constexpr double alpha_factors = 2e-8;
// And below this one the rounding of single precision is felt where W is singular.
constexpr double alpha_single = 1e-6;
// What an error exceeds of the one before where the centre creeps.
constexpr double creeping = 0.5;
// Where so many moves in a row change the error by factors between these, α holds it, and falls
// though Newton's method needs more than one step: stacks of boxes with masses in a geometric
// series.
constexpr int most_crept = 3;
constexpr double crept_low = 0.8, crept_high = 1.05;
// How much better than the exact problem the one with the shift held is solved, squared, before the
// shift is renewed.
constexpr double held_better = 100;
// How far a slip stands out of what the problem with the shift held errs by, to be believed, in a
// heap that comes to rest, and, where that led nowhere, in one that moves; and the part of it below
// which the slip is given up.
constexpr double slip_over_noise = 10, slip_over_noise_moving = 0.3, slip_lost = 0.01;
// How exactly conjugate gradients solve Newton's systems while the error is large, and from which
// error on better: near the end an error of the step along a null vector of W, where α alone holds,
// throws back what was reached.
constexpr double rough = 1e-2, fine = 1e-4, fine_from = 1e-4;
// Moves of the centre without a gain of 20 % that conjugate gradients have, where factors would do,
// where these would be done soon from a guess, and where they take seconds: a few balls that roll
// off a heap take dozens of shifts of some five moves each.  And those after which the centre moves
// without momentum.
constexpr int patience_with_gradients = 50, patience_with_gradients_guessed = 15,
              patience_with_gradients_large = 200;
constexpr int patience_with_momentum = 15;
// With momentum one step is soon enough, which says little of α: it falls where the error has
// fallen by this too.
constexpr double fallen = 0.7;

template <int D>
class Newton {
 public:
  Newton(Workspace<D>& work, Variants asked)
      : work_(work), W_(*work.W), n_(work.contacts()), asked_(asked), v_(work.newton) {
    v_.resize(n_);
  }

  void run();

 private:
  void set_rho(double factor);
  // F, A and C = αA + B at r; returns ½‖F‖².  `velocity` is W r + q there, or becomes it.
  double evaluate(const Eigen::VectorXd& r, Eigen::VectorXd& velocity, bool known);
  // The same of contact i, u its velocity; returns its ‖F‖².
  double linearise(const Part<D>& r, Part<D> u, int i);
  double store(int i, const Linearised<D>& l);
  bool inner(double& steps);
  // Newton steps in which rounding is chosen (rounding.h).  True if the run is over.
  template <class Check>
  bool round_well(const Check& check);
  bool by_gradients() const {
    return !work_.system.factorises() &&
           (derivative_ == Derivative::shifted || work_.options->model == Model::convex);
  }
  void project(const Eigen::VectorXd& r, Eigen::VectorXd& inside) const;
  // Where the error hardly falls, and the problem with the shift held is solved ten times better
  // than the one without, the shift is what is wrong, and is renewed.  While the error falls well
  // the contacts may yet come to rest, and a shift for slips that end would only hold them up.  So
  // would a shift for slips not far above what the held problem errs by: W does not resist
  // reactions in its null space, and the smallest shift drives them a long way.  A slip once
  // believed is followed until it ends, whatever the held problem errs by: what slips off grows
  // from shift to shift, and would start anew each time it is lost.
  void update_shift(double rate);
  // The shift to start with: 0, or the slips of a guess that stand out of what it errs by.
  void guess_shift();
  // The sums of the squared natural maps at v_.trial, of the problem with the shift held and of the
  // exact one; the slips there become v_.new_shift.
  struct Squares {
    double held = 0, exact = 0;
  };
  Squares squares();
  // v_.new_shift becomes the shift, but for slips below the noise, or where there was a shift below
  // a part of it.
  void believe(double noise, double lost);

  Workspace<D>& work_;
  const BlockMatrix& W_;
  int n_;
  Variants asked_;
  double alpha_ = 0;
  double believed_ = slip_over_noise;
  Derivative derivative_ = Derivative::hueber;
  bool stabilised_ = false;      // factors with at least alpha_factors
  bool velocity_known_ = false;  // of work_.r
  bool exact_ = false;           // velocities with twice the digits
  NewtonVectors<D>& v_;
};

template <int D>
void Newton<D>::set_rho(double factor) {
  const double md = work_.mean_diagonal;
  const double f = factor * std::min(1e6, 1 / std::sqrt(alpha_));
  for_chunks(*work_.team, n_, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const auto ii = static_cast<std::size_t>(i);
      const double* block = W_.at(work_.diagonal[ii]);
      double trace = 0;
      for (int c = 1; c < D; ++c) trace += block[D * c + c];
      const double nn = block[0];
      const double mean = (std::abs(nn) + std::abs(trace)) / D;
      v_.size[ii] = mean > 1e-12 * md ? mean : md;
      v_.alphas[ii] = alpha_ * v_.size[ii];
      v_.more[ii] = (alpha_factors - alpha_) * v_.size[ii];
      v_.rho_n[ii] = f / (nn > 1e-12 * md ? nn : md);
      v_.rho_t[ii] = f / (trace > 1e-12 * md ? trace / (D - 1) : md);
    }
  });
}

template <int D>
void Newton<D>::project(const Eigen::VectorXd& r, Eigen::VectorXd& inside) const {
  for_chunks(*work_.team, n_, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const Part<D> r_i = r.segment<D>(D * i);
      inside.segment<D>(D * i) = work_.laws[i].project(r_i);
    }
  });
}

template <int D>
double Newton<D>::store(int i, const Linearised<D>& l) {
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
double Newton<D>::evaluate(const Eigen::VectorXd& r, Eigen::VectorXd& velocity, bool known) {
  return sum_chunks(*work_.team, n_, work_.parts,
                    [&](int first, int last) {
                      double sum = 0;
                      for (int i = first; i < last; ++i) {
                        auto u = velocity.segment<D>(D * i);
                        if (!known)
                          u = exact_ ? exact_velocity_at<D>(W_, work_.q->data(), r.data(), i)
                                     : velocity_at<D>(W_, work_.q->data(), r.data(), i);
                        sum += linearise(r.segment<D>(D * i), u, i);
                      }
                      return sum;
                    }) /
         2;
}

template <int D>
double Newton<D>::linearise(const Part<D>& r_i, Part<D> u, int i) {
  const auto ii = static_cast<std::size_t>(i);
  u += alpha_ * v_.size[ii] * (r_i - v_.centre.template segment<D>(D * i));
  if (work_.options->model == Model::convex || derivative_ == Derivative::shifted) {
    // F = r − P_K(r − ρ u): the natural map of the cone, with one ρ for all components.
    const double rho = v_.rho_t[ii];
    if (derivative_ == Derivative::shifted) u[0] += v_.shift[ii];
    Linearised<D> l;
    Block<D> J;
    l.F = r_i - work_.laws[i].project(Part<D>(r_i - rho * u), J);
    l.open = J.isZero(0);
    l.A = by_gradients() ? J : Block<D>(rho * J);
    l.B = Block<D>::Identity() - J;
    return store(i, l);
  }
  return store(i, alart_curnier<D>(work_.laws[i], r_i, u, v_.rho_n[ii], v_.rho_t[ii], derivative_));
}

// Newton steps from r around the centre; false if no step was accepted or ten were used.
template <int D>
bool Newton<D>::inner(double& steps) {
  double merit = evaluate(work_.r, v_.velocity, std::exchange(velocity_known_, true));
  const double target = 0.25 * merit;  // ‖F‖ ≤ ½ ‖F at the centre‖
  double recent[4] = {merit, merit, merit, merit};
  for (steps = 0; steps < 10;) {
    v_.direction = -v_.F;
    if (by_gradients()
            ? !work_.convex_system.solve(
                  W_, work_.diagonal, v_.A, v_.rho_t, v_.alphas,
                  alpha_ < alpha_single ? Precision::full : Precision::single, v_.direction,
                  work_.errors.worst() > fine_from ? rough : fine, *work_.team)
            : !work_.system.solve(W_, v_.A, v_.C, v_.open, v_.direction, 0.01, *work_.team,
                                  stabilised_ && alpha_ < alpha_factors ? &v_.more : nullptr))
      return false;
    ++work_.iterations;
    const double reference = *std::max_element(recent, recent + 4);
    double t = 1;
    bool accepted = false;
    for (int halving = 0; halving <= 5; ++halving, t /= 2) {
      v_.trial = work_.r + t * v_.direction;
      merit = evaluate(v_.trial, v_.trial_velocity, false);
      if (merit <= (1 - 1e-4 * t) * reference) {
        accepted = true;
        break;
      }
    }
    if (!accepted) return false;
    work_.r.swap(v_.trial);
    v_.velocity.swap(v_.trial_velocity);
    recent[static_cast<int>(steps) % 4] = merit;
    steps += 1;
    if (merit <= target) return true;
    if (work_.budget_spent()) return false;
  }
  return false;
}

template <int D>
template <class Check>
bool Newton<D>::round_well(const Check& check) {
  if (!work_.system.factorises()) return false;
  constexpr int tries = 40, to_the_limit = 3;  // the first ones go straight
  constexpr double aside = 1e-10;              // of r, so that another try rounds otherwise
  std::mt19937_64 engine(1);
  velocity_known_ = false;
  for (int k = 0; k < tries; ++k) {
    work_.rounding_checks = 0;  // these are not in vain
    if (k >= to_the_limit)
      for (double& x : work_.r) x *= 1 + aside * (static_cast<double>(engine() >> 11) * 0x1p-53);
    v_.centre = work_.r;
    evaluate(work_.r, v_.velocity, false);
    v_.direction = -v_.F;
    if (!work_.system.solve(W_, v_.A, v_.C, v_.open, v_.direction, 0, *work_.team, nullptr,
                            &work_.r))
      return false;
    ++work_.iterations;
    work_.r += v_.direction;
    if (check()) return true;
    if (k + 1 < to_the_limit) continue;
    move_by_units<D>(work_, v_.A, v_.F);
    if (check()) return true;
  }
  work_.rounding_checks = Workspace<D>::most_rounding_checks / 2;  // twice is enough
  return false;
}

template <int D>
auto Newton<D>::squares() -> Squares {
  std::vector<double>& parts = work_.parts;
  parts.resize(2 * static_cast<std::size_t>(chunks(n_)));
  for_chunks(*work_.team, n_, [&](int first, int last, int) {
    double held = 0, exact = 0;
    for (int i = first; i < last; ++i) {
      const auto ii = static_cast<std::size_t>(i);
      const ContactLaw<D>& law = work_.laws[i];
      const Part<D> r = v_.trial.template segment<D>(D * i);
      const Part<D> u = velocity_at<D>(W_, work_.q->data(), v_.trial.data(), i);
      Part<D> as_held = u, as_is = u;
      v_.new_shift[ii] = law.support(u);
      as_held[0] += v_.shift[ii];
      as_is[0] += v_.new_shift[ii];
      held += natural_map<D>(law, r, as_held, work_.norms.rho).squaredNorm();
      exact += natural_map<D>(law, r, as_is, work_.norms.rho).squaredNorm();
    }
    double* sums = parts.data() + 2 * (first / chunk);
    sums[0] = held;
    sums[1] = exact;
  });
  Squares sum;
  for (std::size_t k = 0; k < parts.size(); k += 2) {
    sum.held += parts[k];
    sum.exact += parts[k + 1];
  }
  return sum;
}

template <int D>
void Newton<D>::believe(double noise, double lost) {
  for (std::size_t i = 0; i < v_.shift.size(); ++i)
    if (v_.new_shift[i] < (v_.shift[i] > 0 ? lost : 1) * noise) v_.new_shift[i] = 0;
  v_.shift.swap(v_.new_shift);
}

template <int D>
void Newton<D>::update_shift(double rate) {
  if (!(rate > creeping)) return;
  project(work_.r, v_.trial);
  const Squares sum = squares();
  if (held_better * sum.held > sum.exact) return;
  believe(believed_ * std::sqrt(sum.held) / work_.norms.rho, slip_lost);
}

template <int D>
void Newton<D>::guess_shift() {
  std::fill(v_.shift.begin(), v_.shift.end(), 0.0);
  if (!work_.guessed) return;
  project(work_.r, v_.trial);
  believe(std::sqrt(squares().exact) / work_.norms.rho, 1);
}

bool is_symmetric(const BlockMatrix& W) {
  const int d = W.block;
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      const int j = W.column[static_cast<std::size_t>(k)];
      const auto first = W.column.begin() + W.start[static_cast<std::size_t>(j)],
                 last = W.column.begin() + W.start[static_cast<std::size_t>(j) + 1];
      const auto found = std::lower_bound(first, last, i);
      if (found == last || *found != i) return false;
      const Eigen::Map<const Eigen::MatrixXd> here(W.at(k), d, d),
          there(W.at(static_cast<int>(found - W.column.begin())), d, d);
      if ((here - there.transpose()).cwiseAbs().maxCoeff() > 1e-10 * here.cwiseAbs().maxCoeff())
        return false;
    }
  return true;
}

template <int D>
void Newton<D>::run() {
  work_.system.analyse(W_);
  const bool convex = work_.options->model == Model::convex;
  const bool thin = work_.system.factorises();  // little fill, as in towers and chains
  if (!thin) work_.convex_system.analyse(W_);
  const bool symmetric = thin || is_symmetric(W_);
  int variant = asked_.first, stale = 0;
  if (convex && variant < 2)
    variant = 2;
  else if (variant == 0 && n_ >= many && !(work_.guessed && thin))
    variant = 1;
  double centre_error = work_.errors.worst(), best = centre_error;
  bool with_momentum = true;
  double lowest_alpha = infinity;
  const auto start_variant = [&] {
    stale = 0;
    with_momentum = true;
    v_.momentum.restart();
    lowest_alpha = alpha_ = n_ <= few && variant == 0 ? alpha_start_few : alpha_start;
    // Conjugate gradients are for the convex problems.
    if (!work_.system.factorises() &&
        (!symmetric || !(convex || variants[variant].derivative == Derivative::shifted)))
      work_.system.insist(W_);
    if (variants[variant].derivative == Derivative::shifted) {
      if (n_ >= many && thin) alpha_ = alpha_start_shifted;
      if (work_.guessed)
        work_.r = work_.best;
      else
        work_.r.setZero();
      velocity_known_ = false;
      guess_shift();
      centre_error = best = infinity;
    } else if (variant > asked_.first) {
      work_.r = work_.best;
      velocity_known_ = false;
      centre_error = best = work_.best_errors.worst();
    }
  };
  start_variant();
  // A chain of k contacts may err in its forces k² times as much as its residual says.  Where
  // little is asked, a few steps more cost little.
  const double tolerance = work_.options->tolerance;
  const int patience = n_ >= large     ? patience_with_gradients_large
                       : work_.guessed ? patience_with_gradients_guessed
                                       : patience_with_gradients;
  int polishing = 3;
  double rounded_at = infinity;
  int crept = 0;    // moves in a row
  double rate = 1;  // by which a move of the centre lowers the error
  // A solution lies in K: the errors are those of the projected point, the iteration goes on from
  // the point itself.
  const auto check = [&] {
    project(work_.r, v_.trial);
    work_.r.swap(v_.trial);
    const bool over = work_.check(Method::newton, alpha_);
    work_.r.swap(v_.trial);
    return over;
  };
  while (true) {
    derivative_ = variants[variant].derivative;
    set_rho(variants[variant].factor);
    v_.centre = work_.r;
    if (!exact_ && work_.is_cancelling()) {
      exact_ = true;
      velocity_known_ = false;
    }
    if (derivative_ == Derivative::shifted) update_shift(rate);
    const double error = work_.errors.scaled;
    double steps = 0;
    const bool reached = inner(steps);
    if (check() && !(work_.solved() && thin && n_ >= many && polishing-- > 0 &&
                     work_.errors.worst() > 1e-2 * tolerance && tolerance > 1e-7))
      return;
    if (exact_ && work_.is_cancelling() && work_.errors.worst() < 0.1 * rounded_at) {
      rounded_at = work_.errors.worst();
      if (round_well(check)) return;
    }
    rate = reached ? work_.errors.scaled / error : 1;
    if (reached) {
      if (stale >= patience_with_momentum || !by_gradients()) with_momentum = false;
      if (steps <= 1 && (!with_momentum || rate < fallen))
        alpha_ = std::max((by_gradients() ? 0.5 : 0.3) * alpha_, 1e-12);
      if (steps >= 4 && by_gradients()) alpha_ *= 3;
      crept = rate > crept_low && rate < crept_high ? crept + 1 : 0;
      if (crept >= most_crept && steps > 1 && !by_gradients()) {
        alpha_ = std::max(0.3 * alpha_, 1e-12);
        crept = 0;
      }
      centre_error = work_.errors.worst();
      if (with_momentum) {
        if (v_.momentum.advance(v_.centre, work_.r)) velocity_known_ = false;
      }
    } else if (thin && n_ >= many && alpha_ < alpha_factors && !stabilised_) {
      stabilised_ = true;
      work_.r = v_.centre;
      velocity_known_ = false;
    } else {
      if (work_.errors.worst() < centre_error) {
        centre_error = work_.errors.worst();
      } else {
        work_.r = v_.centre;
        velocity_known_ = false;
      }
      alpha_ *= 10;
      v_.momentum.restart();
    }
    if (alpha_ > 1e3) {
      gauss_seidel<D>(work_, false, 20);
      velocity_known_ = false;
      if (work_.over()) return;
      alpha_ = alpha_start;
      centre_error = work_.errors.worst();
    }
    if (work_.errors.worst() < 0.8 * best) {
      best = work_.errors.worst();
      stale = 0;
    } else if (variant == 0 && alpha_ < lowest_alpha) {
      // Under a heavy body the error waits for α to get as small as the ratio of masses.
      lowest_alpha = alpha_;
    } else if (++stale >=
               std::max(asked_.patience > 0 ? asked_.patience : variants[variant].patience,
                        by_gradients() ? patience : 0)) {
      if (by_gradients() && !convex && believed_ == slip_over_noise) {
        believed_ = slip_over_noise_moving;
        stale = 0;
      } else {
        if (++variant >= asked_.last) return;
        start_variant();
      }
    }
  }
}

}  // namespace

template <int D>
void proximal_newton(Workspace<D>& work, Variants asked) {
  Newton<D>(work, asked).run();
}

template void proximal_newton<2>(Workspace<2>&, Variants);
template void proximal_newton<3>(Workspace<3>&, Variants);

}  // namespace stiction
