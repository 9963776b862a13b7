// SPDX-License-Identifier: Apache-2.0
//
// Newton steps around a centre c.  With u = W r + q + α S (r − c) a step solves
//
//   [A (W + α S) + B] dr = −F(r, u),   A = ∂F/∂u,  B = ∂F/∂r
//
// F of each contact is the function of Alart and Curnier (alart_curnier.h), or in a convex problem
// the natural map of its cone (held_shift.h).  A step is halved until ‖F‖ falls; steps end where
// ‖F‖ is half of what it was at the centre, since that moves anyway.
//
//   ρ_n = f/D_nn,  ρ_t = f (d−1)/tr D_tt,  f ∝ α^(−½)
//
// where D is the contact's own block of W: this coupling of F with α is what solves piles of low
// rank.  The systems are solved by factors (newton_system.h), in convex problems that do not
// factorise by conjugate gradients (held_shift_system.h).
//
// Thresholds: StepStrategy.
#pragma once

#include "contact/one/alart_curnier.h"
#include "contact/workspace.h"

namespace stiction {

template <int D>
class NewtonSteps {
 public:
  explicit NewtonSteps(Workspace<D>& work)
      : work_(work), W_(*work.W), n_(work.contacts()), v_(work.newton) {}

  // With the F of this variant, and with ρ by this α.
  void choose(const NewtonVariant& variant, double alpha);
  // Velocities with twice the digits from now on.
  void take_exact_velocities();
  bool has_exact_velocities() const { return exact_; }
  // Whether systems are solved by conjugate gradients.
  bool by_gradients() const { return convex_ && !work_.system.factorises(); }

  // Moves r by steps around v.centre.  Reached where they ended as they were to; not where no step
  // was accepted, or too many were used.
  struct Result {
    bool reached = false;
    int steps = 0;
  };
  Result run();
  // One step whose rounding the reactions make up for; false if the system has no answer.
  bool step_by_rounding();
  // With factors of a larger α from now on, where they are lost to rounding; false where they are
  // not, or were before.
  bool stabilise();

 private:
  // F, A and C = αSA + B at r; returns ½‖F‖².  `velocity` is W r + q there, or becomes it.
  double evaluate(const Eigen::VectorXd& r, Eigen::VectorXd& velocity, bool known);
  Linearised<D> linearise(int i, const Part<D>& r, Part<D> u) const;
  double store(int i, const Linearised<D>& l);
  // v.direction ← the step.
  bool solve();

  Workspace<D>& work_;
  const BlockMatrix& W_;
  int n_;
  NewtonVectors<D>& v_;
  NewtonVariant variant_;
  bool convex_ = false;
  double alpha_ = 0;
  bool stabilised_ = false;
  bool exact_ = false;
};

extern template class NewtonSteps<2>;
extern template class NewtonSteps<3>;

}  // namespace stiction
