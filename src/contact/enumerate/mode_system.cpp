// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/mode_system.h"

#include <cmath>
#include <limits>

#include "cone/compensated.h"

namespace stiction {

namespace {

constexpr double least_pivot = 1e-11;  // of the largest
constexpr double near_zero = 1e-9;     // of the terms
constexpr double thousand_roundings = 1e3 * std::numeric_limits<double>::epsilon();

}  // namespace

double inverse_size(double size) {
  return size > 0 && std::isfinite(size) ? std::ldexp(1.0, -std::ilogb(size)) : 1.0;
}

ModeSystem::ModeSystem(const Eigen::MatrixXd& A, const Eigen::VectorXd& b)
    : scaled_(A), b_(b), columns_(Eigen::VectorXd::Ones(A.cols())) {
  const auto scale_rows = [&] {
    for (Eigen::Index i = 0; i < scaled_.rows(); ++i) {
      const double factor = inverse_size(scaled_.row(i).cwiseAbs().maxCoeff());
      scaled_.row(i) *= factor;
      b_[i] *= factor;
    }
  };
  scale_rows();
  for (Eigen::Index j = 0; j < scaled_.cols(); ++j) {
    columns_[j] = inverse_size(scaled_.col(j).cwiseAbs().maxCoeff());
    scaled_.col(j) *= columns_[j];
  }
  scale_rows();
  lu_.setThreshold(least_pivot);
  lu_.compute(scaled_);
  x_ = lu_.solve(b_);
  if (regular()) refine();
}

// Under a heavy body on a light one W r nearly cancels: what is left over is summed with twice the
// digits.
void ModeSystem::refine() {
  Eigen::VectorXd off(b_.size());
  for (Eigen::Index i = 0; i < b_.size(); ++i) {
    Twofold sum{b_[i], 0};
    for (Eigen::Index j = 0; j < x_.size(); ++j) sum = sum - Twofold::product(scaled_(i, j), x_[j]);
    off[i] = sum.value();
  }
  const Eigen::VectorXd better = x_ + lu_.solve(off);
  if (better.allFinite()) x_ = better;
}

// |L||U||x|, which with P A Q = L U bounds what elimination sums a row's rounding from.
Eigen::VectorXd ModeSystem::rounding() const {
  const Eigen::MatrixXd factors = lu_.matrixLU().cwiseAbs();
  Eigen::VectorXd x = lu_.permutationQ().inverse() * x_.cwiseAbs();
  x = factors.triangularView<Eigen::Upper>() * x;
  x = factors.triangularView<Eigen::UnitLower>() * x;
  return thousand_roundings * (lu_.permutationP().inverse() * x);
}

bool ModeSystem::clearly_singular() const {
  constexpr double rounding_alone = 2 * std::numeric_limits<double>::epsilon();
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  const Eigen::Index rank = lu_.rank();
  return rank < pivots.size() &&
         pivots.tail(pivots.size() - rank).maxCoeff() <= rounding_alone * lu_.maxPivot();
}

bool ModeSystem::consistent() const {
  const Eigen::VectorXd terms = scaled_.cwiseAbs() * x_.cwiseAbs() + b_.cwiseAbs();
  return ((scaled_ * x_ - b_).cwiseAbs().array() <= (near_zero * terms + rounding()).array()).all();
}

Eigen::VectorXd ModeSystem::error() const {
  const Eigen::VectorXd off = rounding() + thousand_roundings * b_.cwiseAbs();
  return columns_.cwiseProduct(lu_.inverse().cwiseAbs() * off);
}

Eigen::MatrixXd ModeSystem::kernel() const {
  const Eigen::MatrixXd orthonormal =
      lu_.kernel().householderQr().householderQ() *
      Eigen::MatrixXd::Identity(scaled_.cols(), lu_.dimensionOfKernel());
  return columns_.asDiagonal() * orthonormal;
}

}  // namespace stiction
