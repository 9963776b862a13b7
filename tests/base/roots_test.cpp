// SPDX-License-Identifier: Apache-2.0
#include "base/roots.h"

#include <gtest/gtest.h>

#include <numbers>

#include "stiction/types.h"

namespace stiction {
namespace {

constexpr double width = 4e-16;

// x³ = 2: the cube root of two to the last bits, whichever way the function goes.
TEST(SignChange, IsTheRootToRounding) {
  for (const double sign : {1.0, -1.0}) {
    const auto f = [&](double x) { return sign * (x * x * x - 2); };
    const Bracket found = sign_change(f, 0, f(0), 100, f(100), width, 200);
    EXPECT_NEAR(found.at, std::cbrt(2.0), 1e-15);
    EXPECT_LE(found.low, found.high);
  }
}

// A step has no root but a place where the sign changes, here π: the bracket closes on it.
TEST(SignChange, IsFoundWhereTheFunctionJumps) {
  const auto f = [](double x) { return x < std::numbers::pi ? -1e-3 : 1e6; };
  const Bracket found = sign_change(f, 0, f(0), 8, f(8), width, 200);
  EXPECT_LT(found.low, std::numbers::pi);
  EXPECT_GE(found.high, std::numbers::pi);
  EXPECT_LE(found.high - found.low, 2e-15);
}

// 1/0 at an end says nothing of where the root is: halves find 1/x = 4 all the same.
TEST(SignChange, IsFoundFromAnInfiniteValue) {
  const auto f = [](double x) { return 4 - 1 / x; };
  const Bracket found = sign_change(f, 0, -infinity, 1, f(1), width, 200);
  EXPECT_NEAR(found.at, 0.25, 1e-15);
}

// A value of zero is believed: the number of values is that up to it.
TEST(SignChange, EndsWhereTheFunctionSaysZero) {
  int values = 0;
  const auto f = [&](double x) {
    ++values;
    return std::abs(x - 1) < 0.1 ? 0.0 : x - 1;
  };
  EXPECT_NEAR(sign_change(f, 0, -1, 3, 2, width, 200).at, 1, 0.1);
  EXPECT_EQ(values, 1);  // the secant of a line is its root
}

// |x − 0.3| + x²/10 has its least where its slope changes sign, at the kink.
TEST(GoldenMinimum, IsFoundAtAKink) {
  const auto f = [](double x) { return std::abs(x - 0.3) + x * x / 10; };
  const Minimum least = golden_minimum(f, -2, 5, 80);
  EXPECT_NEAR(least.at, 0.3, 1e-14);
  EXPECT_NEAR(least.value, 0.009, 1e-14);
}

}  // namespace
}  // namespace stiction
