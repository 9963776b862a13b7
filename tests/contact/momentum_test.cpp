// SPDX-License-Identifier: Apache-2.0
//
// The proximal point method on ½ Σ λ_i x_i²: from the centre c it comes to x_i = c_i α/(α + λ_i).
#include "contact/methods/momentum.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// Moves until |x| is a thousandth of what it was.
int moves(const Eigen::VectorXd& lambda, double alpha, bool with_momentum) {
  Eigen::VectorXd centre = Eigen::VectorXd::Ones(lambda.size());
  const double wanted = 1e-3 * centre.norm();
  Momentum momentum;
  momentum.resize(lambda.size());
  for (int k = 1; k < 1000000; ++k) {
    Eigen::VectorXd x = (centre.array() * alpha / (alpha + lambda.array())).matrix();
    if (x.norm() <= wanted) return k;
    if (with_momentum) momentum.advance(centre, x);
    centre = x;
  }
  return 1000000;
}

// Without momentum x shrinks by 1 − λ/α or so: ln 1000 α/λ moves for λ ≪ α.  With it the value is
// at most 2 |x|² α/(k + 1)², with which k ~ √(α/λ) are enough a factor; it passes zero no sooner
// than by a quarter turn of √(λ/α) k.
TEST(Momentum, NeedsTheRootOfTheMoves) {
  const Eigen::VectorXd one = Eigen::VectorXd::Constant(1, 1e-4);
  EXPECT_NEAR(moves(one, 1, false), std::log(1000) * 1e4, 10);
  EXPECT_LT(moves(one, 1, true), 1000);
  EXPECT_GT(moves(one, 1, true), 100);
}

// Where parts of very different stiffness take part it restarts often, and still gains.
TEST(Momentum, GainsWhereStiffAndSoftAreMixed) {
  const Eigen::VectorXd mixed =
      Eigen::VectorXd::LinSpaced(9, -5, 1).unaryExpr([](double x) { return std::pow(10, x); });
  EXPECT_LT(20 * moves(mixed, 1, true), moves(mixed, 1, false));
}

// The first move has none before it, and the second t = 1, that is none either; the third goes on
// by (t − 1)/t⁺ with t = (1 + √5)/2 and t⁺ = ½ (1 + √(1 + 4 t²)).
TEST(Momentum, GoesOnFromTheThirdMove) {
  Momentum momentum;
  momentum.resize(1);
  Eigen::VectorXd x(1);
  const auto at = [](double value) { return Eigen::VectorXd::Constant(1, value); };
  x = at(1);
  EXPECT_FALSE(momentum.advance(at(0), x));
  EXPECT_EQ(x[0], 1);
  x = at(2);
  EXPECT_FALSE(momentum.advance(at(1), x));
  EXPECT_EQ(x[0], 2);
  x = at(3);
  EXPECT_TRUE(momentum.advance(at(2), x));
  const double t = (1 + std::sqrt(5)) / 2, next = (1 + std::sqrt(1 + 4 * t * t)) / 2;
  EXPECT_NEAR(x[0], 3 + (t - 1) / next, 1e-15);
  // It led from 3 to beyond 3.2, to where the method draws back: it is lost.
  const Eigen::VectorXd beyond = x;
  ASSERT_GT(beyond[0], 3.2);
  x = at(3.2);
  EXPECT_FALSE(momentum.advance(beyond, x));
  EXPECT_EQ(x[0], 3.2);
  momentum.restart();
  x = at(5);
  EXPECT_FALSE(momentum.advance(at(2), x));
  EXPECT_EQ(x[0], 5);
}

}  // namespace
}  // namespace stiction
