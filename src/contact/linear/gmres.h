// SPDX-License-Identifier: Apache-2.0
//
// GMRES, restarted and preconditioned from the right, for Newton's systems that are too large to
// factorise.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "base/deadline.h"
#include "base/team.h"
#include "contact/strategy.h"

namespace stiction {

class Gmres {
 public:
  // Solves J x = b to ‖b − J x‖ ≤ tolerance ‖b‖, `most` products or the deadline; returns the
  // products used.
  //   apply(x, y)       y = J x
  //   precondition(x)   x ← P⁻¹ x
  template <class Apply, class Precondition>
  int solve(const Apply& apply, const Precondition& precondition, const Eigen::VectorXd& b,
            Eigen::VectorXd& x, double tolerance, int most, Team& team, const Deadline& deadline);

 private:
  static constexpr int restart = strategy.factors.gmres_restart;

  double dot(const double* x, const double* y, int size, Team& team) {
    return sum_chunks(team, size, parts_, [&](int first, int last) {
      return Eigen::Map<const Eigen::VectorXd>(x + first, last - first)
          .dot(Eigen::Map<const Eigen::VectorXd>(y + first, last - first));
    });
  }

  Eigen::MatrixXd basis_;
  Eigen::VectorXd z_;
  std::vector<double> parts_;
};

template <class Apply, class Precondition>
int Gmres::solve(const Apply& apply, const Precondition& precondition, const Eigen::VectorXd& b,
                 Eigen::VectorXd& x, double tolerance, int most, Team& team,
                 const Deadline& deadline) {
  const int size = static_cast<int>(b.size());
  basis_.resize(size, restart + 1);
  z_.resize(size);
  x.setZero(size);
  const double target = tolerance * std::sqrt(dot(b.data(), b.data(), size, team));
  Eigen::Matrix<double, restart + 1, restart> H;  // upper triangle, rotated column by column
  Eigen::Matrix<double, restart, 1> cosine, sine;
  Eigen::Matrix<double, restart + 1, 1> g;
  int used = 0;
  while (used < most && !deadline.passed()) {
    if (used == 0) {
      basis_.col(0) = b;
    } else {
      apply(x, z_);
      basis_.col(0) = b - z_;
    }
    double beta = std::sqrt(dot(basis_.data(), basis_.data(), size, team));
    if (!(beta > target)) return used;
    basis_.col(0) /= beta;
    g.setZero();
    g[0] = beta;
    int k = 0;
    for (; k < restart && used < most && !deadline.passed() && std::abs(g[k]) > target;
         ++k, ++used) {
      z_ = basis_.col(k);
      precondition(z_);
      // The product goes straight into the next column.
      Eigen::Map<Eigen::VectorXd> next(basis_.col(k + 1).data(), size);
      apply(z_, next);
      for (int j = 0; j <= k; ++j) {
        H(j, k) = dot(basis_.col(j).data(), next.data(), size, team);
        for_chunks(team, size, [&](int first, int last, int) {
          next.segment(first, last - first) -= H(j, k) * basis_.col(j).segment(first, last - first);
        });
      }
      const double length = std::sqrt(dot(next.data(), next.data(), size, team));
      if (length > 0) next /= length;
      for (int j = 0; j < k; ++j) {
        const double above = H(j, k);
        H(j, k) = cosine[j] * above + sine[j] * H(j + 1, k);
        H(j + 1, k) = cosine[j] * H(j + 1, k) - sine[j] * above;
      }
      const double radius = std::hypot(H(k, k), length);
      cosine[k] = radius > 0 ? H(k, k) / radius : 1;
      sine[k] = radius > 0 ? length / radius : 0;
      H(k, k) = radius;
      g[k + 1] = -sine[k] * g[k];
      g[k] *= cosine[k];
      if (!(radius > 0)) break;
    }
    // Back substitution, then x += P⁻¹ V y.
    for (int j = k - 1; j >= 0; --j) {
      for (int i = j + 1; i < k; ++i) g[j] -= H(j, i) * g[i];
      g[j] /= H(j, j);
    }
    z_.setZero();
    for (int j = 0; j < k; ++j) z_ += g[j] * basis_.col(j);
    precondition(z_);
    x += z_;
    if (k == 0) return used;
  }
  return used;
}

}  // namespace stiction
