// SPDX-License-Identifier: Apache-2.0
#include "contact/newton_system.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int most_products = 200;  // of GMRES
constexpr int most_gradients = 2000;

}  // namespace

template <int D>
bool NewtonSystem<D>::solve(const BlockMatrix& W, const std::vector<Block<D>>& A,
                            const std::vector<Block<D>>& C, const std::vector<char>& open,
                            Eigen::VectorXd& x, double tolerance, Team& team,
                            const std::vector<double>* more) {
  if (more != nullptr) {
    stabilised_.resize(C.size());
    for_chunks(team, W.rows(), [&](int first, int last, int) {
      for (int i = first; i < last; ++i)
        if (open[at(i)] == 0) stabilised_[at(i)] = C[at(i)] + (*more)[at(i)] * A[at(i)];
    });
  }
  if (!lu_.factorise(W, A, more != nullptr ? stabilised_ : C, open, team)) return false;
  if (lu_.complete() && more == nullptr) {
    lu_.solve(x, team);
    return x.allFinite();
  }
  right_ = x;
  zero_.setZero(x.size());
  const auto apply = [&](const Eigen::VectorXd& v, auto& y) {
    for_chunks(team, W.rows(), [&](int first, int last, int) {
      for (int i = first; i < last; ++i) {
        const Part<D> v_i = v.template segment<D>(D * i);
        if (open[at(i)] != 0)
          y.template segment<D>(D * i) = v_i;
        else
          y.template segment<D>(D * i) =
              A[at(i)] * velocity_at<D>(W, zero_.data(), v.data(), i) + C[at(i)] * v_i;
      }
    });
  };
  gmres_.solve(
      apply, [&](Eigen::VectorXd& v) { lu_.solve(v, team); }, right_, x, tolerance, most_products,
      team);
  return x.allFinite();
}

template <int D>
bool NewtonSystem<D>::solve_convex(const BlockMatrix& W, const std::vector<Block<D>>& P,
                                   const std::vector<double>& rho, const std::vector<double>& alpha,
                                   Eigen::VectorXd& x, double tolerance, Team& team) {
  const int n = W.rows();
  zero_.setZero(x.size());
  right_.resize(x.size());
  product_.resize(x.size());
  scaled_.resize(x.size());
  direction_.resize(x.size());
  projectors_.resize(at(n));
  // x becomes the part of b that is fixed, right_ the other, over ρλ.
  for_chunks(team, n, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      Projector& e = projectors_[at(i)];
      const Part<D> b = x.template segment<D>(D * i);
      Part<D> free = Part<D>::Zero();
      e.range.setZero();
      e.stiffness.setZero();
      if (P[at(i)].isIdentity(0)) {
        e.range.setIdentity();
        free = b / rho[at(i)];
        x.template segment<D>(D * i).setZero();
      } else if (!P[at(i)].isZero(0)) {
        Eigen::SelfAdjointEigenSolver<Block<D>> eigen;
        eigen.computeDirect(P[at(i)]);
        Part<D> fixed = b;
        for (int k = 0; k < D; ++k) {
          const double lambda = std::min(eigen.eigenvalues()[k], 1.0);
          if (lambda < 1e-9) continue;
          const Part<D> v = eigen.eigenvectors().col(k);
          e.range += v * v.transpose();
          e.stiffness += (1 - lambda) / (rho[at(i)] * lambda) * v * v.transpose();
          free += v.dot(b) / (rho[at(i)] * lambda) * v;
          fixed -= v.dot(b) * v;
        }
        x.template segment<D>(D * i) = fixed;
      }
      right_.template segment<D>(D * i) = free;
    }
  });
  const auto apply = [&](const Eigen::VectorXd& v, int i) {
    return Part<D>(velocity_at<D>(W, zero_.data(), v.data(), i) +
                   alpha[at(i)] * v.template segment<D>(D * i));
  };
  // The residual, and the preconditioned one.
  double size2 = sum_chunks(team, n, sums_, [&](int first, int last) {
    double sum = 0;
    for (int i = first; i < last; ++i) {
      Projector& e = projectors_[at(i)];
      const Part<D> right = right_.template segment<D>(D * i) - e.range * apply(x, i);
      right_.template segment<D>(D * i) = right;
      const int row = W.start[at(i)];
      const int k = static_cast<int>(
          std::lower_bound(W.column.begin() + row, W.column.begin() + W.start[at(i) + 1], i) -
          W.column.begin());
      const Block<D> own =
          Eigen::Map<const Block<D>>(W.at(k)) + alpha[at(i)] * Block<D>::Identity();
      const Block<D> rest = Block<D>::Identity() - e.range;
      e.inverse = (e.range * own * e.range + e.stiffness + rest).inverse() - rest;
      const Part<D> z = e.inverse * right;
      direction_.template segment<D>(D * i) = z;
      sum += right.dot(z);
    }
    return sum;
  });
  const double target2 = tolerance * tolerance * size2;
  for (int used = 0; used < most_gradients && size2 > target2; ++used) {
    const double curvature = sum_chunks(team, n, sums_, [&](int first, int last) {
      double sum = 0;
      for (int i = first; i < last; ++i) {
        const Projector& e = projectors_[at(i)];
        const Part<D> d = direction_.template segment<D>(D * i);
        const Part<D> y = e.range * apply(direction_, i) + e.stiffness * d;
        product_.template segment<D>(D * i) = y;
        sum += d.dot(y);
      }
      return sum;
    });
    if (!(curvature > 0)) break;
    const double step = size2 / curvature;
    const double next2 = sum_chunks(team, n, sums_, [&](int first, int last) {
      double sum = 0;
      for (int i = first; i < last; ++i) {
        auto right = right_.template segment<D>(D * i);
        x.template segment<D>(D * i) += step * direction_.template segment<D>(D * i);
        right -= step * product_.template segment<D>(D * i);
        const Part<D> z = projectors_[at(i)].inverse * right;
        scaled_.template segment<D>(D * i) = z;
        sum += right.dot(z);
      }
      return sum;
    });
    const double beta = next2 / size2;
    size2 = next2;
    for_chunks(team, D * n, [&](int first, int last, int) {
      direction_.segment(first, last - first) =
          scaled_.segment(first, last - first) + beta * direction_.segment(first, last - first);
    });
  }
  return x.allFinite();
}

template class NewtonSystem<2>;
template class NewtonSystem<3>;

}  // namespace stiction
