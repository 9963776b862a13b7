// SPDX-License-Identifier: Apache-2.0
//
// Exact friction by convex problems.  With a shift s held, a number a contact,
//
//   K* ∋ u + s e_n ⟂ r ∈ K,   F = r − P_K(r − ρ (u + s e_n))
//
// is convex: F is the natural map of the cone, and Newton's method on it hardly ever fails.  At a
// fixed point of s ← h(u_t) that is exact friction.  Where nothing slips in the end, s = 0 is right
// from the start; the convex model has s = 0 for ever.
//
// Where the error hardly falls, and the problem with s held is solved ten times better than the one
// without, s is what is wrong, and is renewed.  While the error falls well the contacts may yet
// come to rest, and a shift for slips that end would only hold them up.  So would a shift for slips
// not far above what the held problem errs by: W does not resist reactions in its null space, and
// the smallest shift drives them a long way.  A slip once believed is followed until it ends,
// whatever the held problem errs by: what slips off grows from shift to shift, and would start anew
// each time it is lost.
//
// Thresholds: ShiftStrategy.
#pragma once

#include "contact/one/alart_curnier.h"
#include "contact/workspace.h"

namespace stiction {

// F of one contact and its derivatives, but A over ρ: P_K' = A, B = I − A.  u is shifted already.
template <int D>
Linearised<D> shifted_natural_map(const ContactLaw<D>& law, const Part<D>& r, const Part<D>& u,
                                  double rho) {
  Linearised<D> l;
  l.F = r - law.project(Part<D>(r - rho * u), l.A);
  l.open = l.A.isZero(0);
  l.B = Block<D>::Identity() - l.A;
  return l;
}

template <int D>
class HeldShift {
 public:
  explicit HeldShift(Workspace<D>& work) : work_(work), v_(work.newton) {}

  // The shift to start with: 0, or the slips of a guess that stand out of what it errs by.
  void start();
  // Whether the shift is renewed is for a move of the centre to say, which left `rate` of the
  // error.
  void update(double rate);
  // From now on smaller slips are believed too; false if they were before.
  bool believe_what_moves();

 private:
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
  NewtonVectors<D>& v_;
  double over_noise_ = strategy.shift.over_noise;
};

extern template class HeldShift<2>;
extern template class HeldShift<3>;

}  // namespace stiction
