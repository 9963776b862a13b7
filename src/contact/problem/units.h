// SPDX-License-Identifier: Apache-2.0
//
// Numbers of any size.  A solver takes numbers of usual size, whose products, squares and quotients
// stay in the range of doubles.  All others are put in other units first, powers of two, which
// round nothing:
//
//   of a problem     q = 2^b q',  W = 2^a W':   u = 2^b u',  r = 2^(b−a) r'      (Scaling)
//   of one contact   x = 2^e x',  max |x'| = 1 to 2:   K is a cone               (InUnit)
//
// What is usual is said here and nowhere else in this room.  Usual numbers are left as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "contact/proof/residual.h"

namespace stiction {

// What the largest number of each may be, or one over it.  W and q: reactions are about q/W, their
// squares stay in range, and products with further factors.  M and H, f and w of a problem in
// global form: W is a product of three.
inline constexpr double usual = 0x1p150, usual_factor = 0x1p60, usual_term = 0x1p120;
// The exponent of W': with q about 1, the squares of W and of the reactions stay far inside.
inline constexpr int greatest_exponent = 350;

constexpr bool is_usual(double x, double bound = usual) { return x >= 1 / bound && x <= bound; }

// Whether the largest of these numbers is usual; all are finite then.
bool are_usual(std::span<const double> numbers);
bool is_usual(const GlobalProblem& problem);

// The exponent of x ≥ 0; 0 where x is usual, or zero.
inline int unit_of(double x) { return x == 0 || is_usual(x) ? 0 : std::ilogb(x); }

// x 2^power
inline double times_power(double x, int power) { return power == 0 ? x : std::ldexp(x, power); }
template <class Vector>
auto times_power(const Vector& x, int power) {
  return x.unaryExpr([=](double value) { return times_power(value, power); });
}

// x = 2^exponent mantissa; usual numbers in their own unit.
template <int D>
struct InUnit {
  explicit InUnit(const Part<D>& x) : mantissa(x), exponent(unit_of(x.cwiseAbs().maxCoeff())) {
    if (exponent != 0) mantissa = times_power(x, -exponent);
  }

  Part<D> mantissa;
  int exponent;
};

class Scaling {
 public:
  Scaling() = default;  // none
  explicit Scaling(const ContactProblem& problem);

  bool is_none() const { return W_ == 0 && q_ == 0; }
  ContactProblem scaled(const ContactProblem& problem) const;
  Eigen::VectorXd scaled_reactions(const Eigen::VectorXd& r) const;
  // Back to the problem's units; the certificate is that of the problem itself.  Throws
  // InvalidInput where doubles cannot hold the answer.
  void back(const ContactProblem& problem, Model model, Eigen::VectorXd& reactions,
            Eigen::VectorXd& velocities, Certificate& certificate) const;

 private:
  int W_ = 0, q_ = 0;  // a and b
};

}  // namespace stiction
