// SPDX-License-Identifier: Apache-2.0
//
// The centres of the proximal point method, moved on along their last move: from the centre c the
// method comes to x, and goes on not from there but from
//
//   c ← x + (t − 1)/t⁺ (x − x of the last time),  t⁺ = ½ (1 + √(1 + 4 t²)),  t = 1 at first
//
// For a convex problem the value then falls like 1/k² instead of 1/k.  Where momentum led too far,
// and the method draws back from c, (c − x)·(x − x of the last time) > 0, it is lost: t = 1.
//
// References: O. Güler, "New proximal point algorithms for convex minimization", SIAM J. Optim. 2
// (1992); B. O'Donoghue, E. Candès, "Adaptive restart for accelerated gradient schemes", Found.
// Comput. Math. 15 (2015).
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace stiction {

class Momentum {
 public:
  void resize(Eigen::Index size) {
    last_.resize(size);
    next_.resize(size);
  }
  void restart() { moves_ = 0; }

  // From the centre the method came to x; x becomes the next centre.  Whether that is elsewhere.
  bool advance(const Eigen::VectorXd& centre, Eigen::VectorXd& x) {
    if (moves_++ == 0) {
      t_ = 1;
      last_ = x;
      return false;
    }
    if ((centre - x).dot(x - last_) > 0) t_ = 1;
    const double t = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
    const double beyond = (t_ - 1) / t;
    t_ = t;
    next_ = x + beyond * (x - last_);
    last_.swap(x);
    x.swap(next_);
    return beyond > 0;
  }

 private:
  int moves_ = 0;
  double t_ = 1;
  Eigen::VectorXd last_, next_;
};

}  // namespace stiction
