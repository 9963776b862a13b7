// SPDX-License-Identifier: Apache-2.0
//
// Quartic forms of three variables, p(x) = T(x, x, x, x) with a symmetric tensor T, and a proof of
// their convexity.
//
// On the unit sphere the Hessian 12 T(x, x, ·, ·) has eigenvalues of size G at most, and between
// two places it changes by 12 T(x − x', x + x', ·, ·), no more than 2 G |x − x'|.  So its value at
// the middle of a cell bounds it on the cell, and cells are halved until the bound is positive or
// the middle of one is not.
#pragma once

#include <array>

#include "stiction/types.h"

namespace stiction {

class Quartic {
 public:
  // In order of falling exponents: x⁴, x³y, x³z, x²y², x²yz, x²z², …, z⁴.
  using Coefficients = Eigen::Matrix<double, 15, 1>;
  explicit Quartic(const Coefficients& coefficients);

  Coefficients coefficients() const;
  Quartic substituted(const Eigen::Matrix3d& A) const;  // p(A x)
  Eigen::Matrix3d hessian(const Vec3& x) const;

  struct Convexity {
    bool proven = false;
    double least = 0;     // eigenvalue of the Hessian on the sphere, a bound from below if proven,
    double greatest = 0;  // and from above
  };
  // Proven where every eigenvalue is above `margin` of the greatest by more than rounding; nothing
  // is said of the others.
  Convexity convexity(double margin = 1e-2) const;

 private:
  void prepare_hessian();
  double& at(int i, int j, int k, int l) {
    return t_[static_cast<std::size_t>(27 * i + 9 * j + 3 * k + l)];
  }
  double at(int i, int j, int k, int l) const {
    return t_[static_cast<std::size_t>(27 * i + 9 * j + 3 * k + l)];
  }
  std::array<double, 81> t_{};
  // The Hessian's entries xx, yy, zz, xy, xz, yz by the products of two variables, in that order.
  Eigen::Matrix<double, 6, 6> hessian_ = Eigen::Matrix<double, 6, 6>::Zero();
};

}  // namespace stiction
