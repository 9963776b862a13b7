// SPDX-License-Identifier: Apache-2.0
//
// One constraint, solved to rounding with all others held: u = D r + b, D possibly unsymmetric.
//
//   limit      r = max(0, −b/D)
//   bilateral  r = −D⁺ b, the least change of r where D is singular
//   one ball   in the scaled rows of constraint_law.h.  Contact: open where b_n ≥ 0; else r_n = ν −
//              D_nt s/D_nn with ν = −b_n/D_nn leaves v = S s + c, S = D_tt − D_tn D_nt/D_nn.  It
//              sticks with s = −S⁻¹c if ‖s‖ ≤ r_n, and slips with s(β) = −(S + βI)⁻¹c, where β > 0
//              is the root of ‖s(β)‖ = r_n(β).  A fixed set: the same with r_n = 1.
//   any other  Newton's method on the function of Alart and Curnier, at most six unknowns
#pragma once

#include "contact/constraints/constraint_law.h"

namespace stiction {

class OneConstraint {
 public:
  // What depends on the diagonal block alone.
  void set(const ConstraintLaw& law, const double* block);

  // Solves for r, from the r and the β of the last time.  False if it found no solution: r is then
  // the projection of one gradient step, which lets an iteration go on.
  bool solve(const ConstraintLaw& law, Model model, const double* b, double* r);

  void forget() { beta_ = 0; }
  const UpTo6& steepness() const {
    return steepness_;
  }  // of each row: the mean diagonal of its part

 private:
  template <int d>
  bool solve_ball(const ConstraintLaw& law, const UpTo6& b, UpTo6& s);
  bool solve_any(const ConstraintLaw& law, Model model, const UpTo6& b, UpTo6& s) const;

  UpTo6x6 D_, S_;
  UpTo6x6 inverse_;  // of a bilateral block
  UpTo6 steepness_;
  double nn_ = 0, trace_ = 0;
  double bound_ = 0;  // ≥ ‖D‖
  bool wedged_ = false, one_ball_ = false;
  double beta_ = 0;
};

}  // namespace stiction
