// SPDX-License-Identifier: Apache-2.0
//
// One step of a throw: the direction on the sphere and the logarithm of the speed by the embedded
// Runge–Kutta pair of Dormand and Prince (orders 5 and 4).  A direction that is drawn to a place
// beside a tip is drawn there fast: then by linearly implicit Euler steps, extrapolated to order 8.
#pragma once

#include <cmath>

#include "slider/throw/kinks.h"

namespace stiction::thrown {

// Direction (3) in the starting axes, ln speed, time, path of the centre of mass (2), angle,
// dissipated energy; all in the body's units.  In axes that do not turn the direction of a body
// changes by friction alone: slowly, however fast it spins, and where it is alike all around not
// with the angle at all.
using State = Eigen::Matrix<double, 9, 1>;
enum { log_speed = 3, time_ = 4, path = 5, angle_ = 7, work = 8 };

inline Vec3 turned(const Vec3& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
}
// The direction in the body's axes.
inline Vec3 in_body(const State& y) { return turned(y.head<3>(), -y[angle_]); }
inline void set_in_body(State& y, const Vec3& d) { y.head<3>() = turned(d, y[angle_]); }

class Flow {
 public:
  Flow(const ThrownBody& body, double turns) : body_(body), turns_(turns) {}

  // How fast the body turns.
  double spin(const State& y) const { return turns_ * std::exp(2 * y[log_speed]) * y[2]; }

  // One step; `error` is the largest difference between two orders.
  State advance(const State& y, double h, const Locks& locks, bool stiff,
                double* error = nullptr) const;

 private:
  // With `along` the direction of y is in the body's axes, else in the starting ones.
  State derivative(const State& y, const Locks& locks, bool along) const;
  // (1 − h J)(y⁺ − y) = h f(y) with J of the direction alone, in 1, 2, …, 8 equal steps; an error
  // in J costs no order.
  State implicit(const State& y, double h, const Locks& locks, double* error) const;
  State explicit_(const State& y, double h, const Locks& locks, bool along, double* error) const;

  const ThrownBody& body_;
  double turns_;  // how far the body turns, in radians, while it goes its braking distance once
};

}  // namespace stiction::thrown
