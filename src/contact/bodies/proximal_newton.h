// SPDX-License-Identifier: Apache-2.0
//
// The proximal Newton method in the space of the bodies: the second phase, which finishes what the
// interior point began and which, unlike it, converges to rounding.
//
// Around a centre c' the problem with U = u' + α (r' − c') has a solution nearby even where W is
// singular.  It is solved roughly by Newton's method on the function F of Alart and Curnier, with
// ρ = f/w and f = factor/√α; then the centre moves there, and α is lowered.  With A = ∂F/∂U and
// B = ∂F/∂r' at each contact and 𝒦 = (α A + B)⁻¹ a step is
//
//   (M + Hᵀ P 𝒦 A P H) dv = −Hᵀ P 𝒦 F,   dr' = −𝒦 F − 𝒦 A P H dv,
//
// where 𝒦 has a closed form for open, sticking and slipping contacts.  Along the step u moves by
// t H dv, so that a line search costs no product.  Tangential components are measured with τ²,
// α τ² w and ρ/(τ² w): as if they were not scaled by T.
//
// In the convex model F is the natural map r' − P(r' − ρ U).
//
// References: those of one/alart_curnier.h; R. T. Rockafellar, "Monotone operators and the proximal
// point algorithm", SIAM J. Control Optim. 14 (1976).
#pragma once

#include "contact/bodies/body_system.h"
#include "contact/bodies/settings.h"

namespace stiction::bodies {

class ProximalNewton {
 public:
  // From r'; true if `watch(errors)`, asked at each move of the centre, said so.
  template <class Watch>
  bool run(const BodySystem& system, const ProximalSettings& settings, const Numbers& from,
           const Watch& watch) {
    begin(system, settings, from);
    if (watch(errors_)) return true;
    while (steps_ < settings_.most_steps) {
      const bool reached = inner();
      measure();
      if (watch(errors_)) return true;
      if (!move(reached)) return false;
    }
    return false;
  }

  int steps() const { return steps_; }  // factorisations
  double alpha() const { return alpha_; }
  const Errors& errors() const { return errors_; }                // of reactions()
  const Numbers& scaled_reactions() const { return projected_; }  // r' projected on its cones
  const Numbers& reactions() const { return true_r_; }            // r = P r' of those
  const Numbers& response() const { return true_u_; }             // their u

 private:
  void begin(const BodySystem& system, const ProximalSettings& settings, const Numbers& from);
  void evaluate_velocity();
  void measure();
  bool inner();
  bool move(bool reached);

  const BodySystem* system_ = nullptr;
  ProximalSettings settings_;
  Proximal arrays_;
  double alpha_ = 0, centre_error_ = 0, best_ = 0, first_ = 0;
  int steps_ = 0, inner_steps_ = 0, stale_ = 0;
  Numbers r_, u_, centre_, centre_u_, dr_, z_, trial_r_, trial_u_, KA_, KF_, D_, dv_, v_;
  Numbers projected_, true_r_, true_u_;
  std::vector<unsigned char> active_;
  Errors errors_;
};

}  // namespace stiction::bodies
