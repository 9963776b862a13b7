// SPDX-License-Identifier: Apache-2.0
#include "slider/throw/integrator.h"

#include <Eigen/LU>
#include <array>
#include <utility>

namespace stiction::thrown {

namespace {

double difference(const State& gap, const State& y) {
  return (gap.array().abs() / y.array().abs().max(1)).maxCoeff();
}

}  // namespace

State Flow::derivative(const State& y, const Locks& locks, bool along) const {
  const Vec3 e = y.head<3>(), d = along ? e : in_body(y);
  const PowerDerivatives here = body_.by_parts(d, locks, false);
  Vec3 change = -here.load;
  if (along) change += turning(d, spin(y));
  change = locks.allowed * change;
  if (!along) change = turned(change, y[angle_]);
  const double speed = std::exp(y[log_speed]);
  State rate;
  rate.head<3>() = change - e * e.dot(change);
  rate[log_speed] = -here.load.dot(d);
  rate[time_] = speed;
  rate.segment<2>(path) = speed * speed * (along ? turned(d, y[angle_]) : e).head<2>();
  rate[angle_] = spin(y);
  rate[work] = speed * speed * here.power;
  return rate;
}

State Flow::advance(const State& y, double h, const Locks& locks, bool stiff, double* error) const {
  // Locks and what draws the direction beside them turn with the body.
  const bool along = stiff || !locks.kinks.empty();
  State from = y;
  if (along) from.head<3>() = in_body(y);
  State next = stiff ? implicit(from, h, locks, error) : explicit_(from, h, locks, along, error);
  if (along)
    set_in_body(next, (locks.allowed * next.head<3>()).normalized());
  else
    next.head<3>().normalize();
  return next;
}

State Flow::implicit(const State& y, double h, const Locks& locks, double* error) const {
  constexpr int stages = 8;
  const Vec3 d = y.head<3>();
  const PowerDerivatives here = body_.by_parts(d, locks, true);
  const Eigen::Matrix3d tangent = locks.allowed - d * d.transpose();
  const Eigen::Matrix3d jacobian = -tangent * here.hessian * tangent + here.load.dot(d) * tangent;
  std::array<State, stages> row;  // of Aitken and Neville's table
  for (int j = 0; j < stages; ++j) {
    const double part = h / (j + 1);
    const Eigen::Matrix3d solve = (Eigen::Matrix3d::Identity() - part * jacobian).inverse();
    State value = y;
    for (int k = 0; k <= j; ++k) {
      State rate = derivative(value, locks, true);
      rate.head<3>() = solve * rate.head<3>();
      value += part * rate;
    }
    for (int k = 0; k < j; ++k) {
      std::swap(value, row[static_cast<std::size_t>(k)]);
      const State& newer = row[static_cast<std::size_t>(k)];
      value = newer + (newer - value) * (j - k) / (k + 1.0);
    }
    row[static_cast<std::size_t>(j)] = value;
  }
  if (error != nullptr) *error = difference(row[stages - 1] - row[stages - 2], y);
  return row[stages - 1];
}

State Flow::explicit_(const State& y, double h, const Locks& locks, bool along,
                      double* error) const {
  const auto f = [&](const State& at) { return derivative(at, locks, along); };
  const State k1 = f(y);
  const State k2 = f(y + h / 5 * k1);
  const State k3 = f(y + h * (3. / 40 * k1 + 9. / 40 * k2));
  const State k4 = f(y + h * (44. / 45 * k1 - 56. / 15 * k2 + 32. / 9 * k3));
  const State k5 =
      f(y + h * (19372. / 6561 * k1 - 25360. / 2187 * k2 + 64448. / 6561 * k3 - 212. / 729 * k4));
  const State k6 = f(y + h * (9017. / 3168 * k1 - 355. / 33 * k2 + 46732. / 5247 * k3 +
                              49. / 176 * k4 - 5103. / 18656 * k5));
  const State next = y + h * (35. / 384 * k1 + 500. / 1113 * k3 + 125. / 192 * k4 -
                              2187. / 6784 * k5 + 11. / 84 * k6);
  if (error != nullptr) {
    const State k7 = f(next);
    const State gap = h * (71. / 57600 * k1 - 71. / 16695 * k3 + 71. / 1920 * k4 -
                           17253. / 339200 * k5 + 22. / 525 * k6 - 1. / 40 * k7);
    *error = difference(gap, y);
  }
  return next;
}

}  // namespace stiction::thrown
