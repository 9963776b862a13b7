// SPDX-License-Identifier: Apache-2.0
//
// An interior point method for exact friction, in the space of the bodies: the first phase.
//
//   M (v − v_f) = Hᵀ P r'       balance
//   y = ŷ(u),  u = H v + w      ŷ(u) = (u_n + ‖u'_t‖, u'_t),  u' = P u:  with De Saxcé's shift
//   y ∘ r' = m e → 0            y and r' in the cone x_n ≥ ‖x_t‖, ∘ its product, e = (1, 0, 0)
//
// The shift makes the problem non-convex.  It is differentiated exactly,
//
//   E = ∂ŷ/∂u' = [1, eₜᵀ; 0, I],  eₜ = u'_t/‖u'_t‖,
//
// which is what makes walls take 5 steps and heaps 12, where a shift that lags takes 20 or never
// ends.  With the scaling S of Nesterov and Todd, S r' = S⁻¹ y = λ, and D' = (S² + α)⁻¹ a step
// solves
//
//   K dv = M (v_f − v) + Hᵀ P (r' + D' T),   K = M + Hᵀ P D' E P H
//   dr' = D' (T − E P H dv),  dy = E P H dv + α dr' − rp,  rp = y − ŷ(u)
//
// once with T = rp − y, which says how far the products can fall, and once with
//
//   T = rp + S (−λ + λ⁻¹ ∘ (σ m e − (S⁻¹ dy) ∘ (S dr'))).
//
// After a step of length t, y_n rises by the error ‖u'_t + t du'_t‖ − ‖u'_t‖ − t eₜ·du'_t ≥ 0 of
// the linearised shift: a contact whose slip turns over is not held up by the kink.  Where steps
// stay short a few are taken without the slope of the shift.
//
// References: Y. Nesterov, M. Todd, "Self-scaled barriers and interior-point methods for convex
// programming", Math. Oper. Res. 22 (1997); S. Mehrotra, SIAM J. Optim. 2 (1992), for σ and the
// corrector; V. Acary, M. Brémond, O. Huber, "On solving contact problems with Coulomb friction",
// 2018, for what others did.
#pragma once

#include "contact/bodies/body_system.h"
#include "contact/bodies/settings.h"

namespace stiction::bodies {

class InteriorPoint {
 public:
  // At rest: from v = v_f, or near the reactions r' of a guess.
  void start(const BodySystem& system, const InteriorSettings& settings,
             const Numbers* guess = nullptr);
  // Steps until the error is at most `near`; `watch(errors)` is asked at each error that is
  // computed, and ends it by true.  False if it stalls.
  template <class Watch>
  bool run(double near, const Watch& watch) {
    while (steps_ < settings_.most_steps) {
      if (!step()) return false;
      measure();
      if (watch(errors_)) return true;
      if (errors_.worst() <= near) return true;
    }
    return false;
  }

  int steps() const { return steps_; }
  const Errors& errors() const { return errors_; }
  const Numbers& scaled_reactions() const { return r_; }  // r'
  const Numbers& reactions() const { return true_r_; }    // r = P r'
  const Numbers& response() const { return true_u_; }     // their u

 private:
  bool step();
  void measure();
  void solve();
  Interior arrays();

  const BodySystem* system_ = nullptr;
  InteriorSettings settings_;
  int steps_ = 0, held_ = 0, short_ = 0;
  Numbers v_, dv_, y_, r_, u_, target_, infeasibility_, scaling_, slip_, D_, force_, z_, dy_, dr_;
  Numbers true_r_, true_v_, true_u_;
  Errors errors_;
};

}  // namespace stiction::bodies
