// SPDX-License-Identifier: Apache-2.0
//
// Roots and minima of functions of one variable, from values alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {

// Two places between which a function changes its sign, and the last place looked at.
struct Bracket {
  double low = 0, high = 0;
  double at = 0;
};

// Closes in on a sign change of f between `low` and `high` by false position.  An end that stays
// counts half (the Illinois rule); the bracket is halved where three values have not done so, and
// where a value is infinite.  f returns 0 where it is zero to rounding: then all three are that
// place.  The search also ends where the bracket is `width` times its larger end, or after `most`
// values.
template <class F>
Bracket sign_change(const F& f, double low, double f_low, double high, double f_high, double width,
                    int most) {
  Bracket found{low, high, high};
  int stays = 0;               // an end: the higher one (< 0), the lower one (> 0)
  double before = high - low;  // how wide the bracket was three values ago
  for (int k = 1; k <= most && found.high - found.low > width * std::abs(found.high); ++k) {
    const double middle = 0.5 * (found.low + found.high);
    const double now = found.high - found.low;
    const bool slow = k % 3 == 0 && now > 0.5 * std::exchange(before, now);
    const bool by_halves = slow || !std::isfinite(f_low) || !std::isfinite(f_high);
    const double secant = found.low + (found.high - found.low) * (f_low / (f_low - f_high));
    found.at = !by_halves && secant > found.low && secant < found.high ? secant : middle;
    const double value = f(found.at);
    if (value == 0) {
      found.low = found.high = found.at;
      break;
    }
    if ((value < 0) == (f_low < 0)) {
      found.low = found.at;
      f_low = value;
      if (stays < 0) f_high /= 2;
      stays = -1;
    } else {
      found.high = found.at;
      f_high = value;
      if (stays > 0) f_low /= 2;
      stays = 1;
    }
  }
  return found;
}

struct Minimum {
  double at = 0, value = 0;
};

// The least of a function that falls and then rises on [from, to], by golden sections: each step
// leaves 0.618 of the interval.
template <class F>
Minimum golden_minimum(const F& f, double from, double to, int steps) {
  constexpr double golden = 0.6180339887498949;
  double x1 = to - golden * (to - from), x2 = from + golden * (to - from);
  double f1 = f(x1), f2 = f(x2);
  for (int k = 0; k < steps; ++k)
    if (f1 < f2) {
      to = x2, x2 = x1, f2 = f1;
      f1 = f(x1 = to - golden * (to - from));
    } else {
      from = x1, x1 = x2, f1 = f2;
      f2 = f(x2 = from + golden * (to - from));
    }
  return f1 < f2 ? Minimum{x1, f1} : Minimum{x2, f2};
}

}  // namespace stiction
