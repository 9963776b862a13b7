// SPDX-License-Identifier: Apache-2.0
//
// Sums of products with nearly twice the digits, for determinants of ill-conditioned matrices.
//
// References: T. J. Dekker, "A floating-point technique for extending the available precision",
// Numerische Mathematik 18 (1971); W. Kahan's difference of products.
#pragma once

#include <cmath>

namespace stiction {

// ab − cd to about one unit of rounding, whatever cancels.
inline double difference_of_products(double a, double b, double c, double d) {
  const double cd = c * d, error = std::fma(-c, d, cd);
  return std::fma(a, b, -cd) + error;
}

// A number high + low with |low| at most half a unit of rounding of high.
struct Twofold {
  double high = 0, low = 0;

  static Twofold sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  static Twofold product(double a, double b) {
    const double p = a * b;
    return {p, std::fma(a, b, -p)};
  }
  Twofold operator-() const { return {-high, -low}; }
  double value() const { return high + low; }
};

inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold s = Twofold::sum(a.high, b.high), t = Twofold::sum(a.low, b.low);
  const Twofold u = Twofold::sum(s.high, s.low + t.high);
  return Twofold::sum(u.high, u.low + t.low);
}
inline Twofold operator-(const Twofold& a, const Twofold& b) { return a + (-b); }
inline Twofold operator*(const Twofold& a, double b) {
  const Twofold p = Twofold::product(a.high, b);
  return Twofold::sum(p.high, p.low + a.low * b);
}

}  // namespace stiction
