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

// With B the matrix of the system on the ranges, cut into its blocks D on the diagonal, L below and
// U above it within a part of the contacts, and R between parts, the factors D + L and D + U
// precondition: in p = (D + U) t,
//
//   (D + L)⁻¹ B t = t + (D + L)⁻¹ (p + (R − D) t),
//
// so that a step reads W once, as without them, and takes a third of the steps.
template <int D>
bool NewtonSystem<D>::solve_convex(const BlockMatrix& W, const std::vector<Block<D>>& P,
                                   const std::vector<double>& rho, const std::vector<double>& alpha,
                                   Eigen::VectorXd& x, double tolerance, Team& team) {
  const int n = W.rows();
  // The same for any number of threads.
  const int parts = n < large ? 1 : 8, width = (n + parts - 1) / parts;
  zero_.setZero(x.size());
  for (Eigen::VectorXd* v : {&residual_, &direction_, &step_, &product_}) v->setZero(x.size());
  rows_.resize(at(n));
  const auto part = [](auto& v, int i) { return v.template segment<D>(D * i); };
  const auto times = [&](const Eigen::VectorXd& v, int first, int last, Part<D>& sum) {
    add_row_times(W.at(first), W.column.data() + first, last - first, v.data(), sum.data(),
                  std::integral_constant<int, D>{});
  };
  // x becomes the part of b that is fixed, residual_ the other, over ρλ.
  for_chunks(team, n, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      Row& row = rows_[at(i)];
      const Part<D> b = part(x, i);
      Part<D> free = Part<D>::Zero(), fixed = b;
      Block<D> range = Block<D>::Zero(), stiffness = Block<D>::Zero();
      if (P[at(i)].isIdentity(0)) {
        range.setIdentity();
        free = b / rho[at(i)];
        fixed.setZero();
      } else if (!P[at(i)].isZero(0)) {
        Eigen::SelfAdjointEigenSolver<Block<D>> eigen;
        eigen.computeDirect(P[at(i)]);
        for (int k = 0; k < D; ++k) {
          const double lambda = std::min(eigen.eigenvalues()[k], 1.0);
          if (lambda < 1e-9) continue;
          const Part<D> v = eigen.eigenvectors().col(k);
          range += v * v.transpose();
          stiffness += (1 - lambda) / (rho[at(i)] * lambda) * v * v.transpose();
          free += v.dot(b) / (rho[at(i)] * lambda) * v;
          fixed -= v.dot(b) * v;
        }
      }
      part(x, i) = fixed;
      part(residual_, i) = free;
      const int* column = W.column.data();
      const int* begin = column + W.start[at(i)];
      const int* end = column + W.start[at(i) + 1];
      const int own_part = i / width;
      row.first = static_cast<int>(std::lower_bound(begin, end, own_part * width) - column);
      row.diagonal = static_cast<int>(std::lower_bound(begin, end, i) - column);
      row.last = static_cast<int>(std::lower_bound(begin, end, (own_part + 1) * width) - column);
      row.fixed = range.isZero(0);
      const Block<D> own =
          Eigen::Map<const Block<D>>(W.at(row.diagonal)) + alpha[at(i)] * Block<D>::Identity();
      const Block<D> rest = Block<D>::Identity() - range;
      row.own = range * own * range + stiffness;
      row.inverse = (row.own + rest).inverse() - rest;
    }
  });
  // w ← (D + L)⁻¹ s in a part, where s(i) gives s; components off the range fall out.
  const auto forward = [&](int first, int last, Eigen::VectorXd& w, const auto& s) {
    for (int i = first; i < last; ++i) {
      const Row& row = rows_[at(i)];
      if (row.fixed) continue;
      Part<D> sum = Part<D>::Zero();
      times(w, row.first, row.diagonal, sum);
      part(w, i) = row.inverse * (s(i, row) - sum);
    }
  };
  const auto each_part = [&](const auto& body) {
    team.each(parts, [&](int task, int) { body(task * width, std::min((task + 1) * width, n)); });
  };
  // The residual, less what the fixed part gives; then (D + L)⁻¹ of it.
  each_part([&](int first, int last) {
    forward(first, last, product_, [&](int i, const Row&) {
      return Part<D>(part(residual_, i) - velocity_at<D>(W, zero_.data(), x.data(), i) -
                     alpha[at(i)] * part(x, i));
    });
  });
  residual_.swap(product_);
  double size2 = 0, beta = 0, target2 = 0;
  for (int used = 0;; ++used) {
    const double next2 = sum_chunks(team, n, sums_, [&](int first, int last) {
      double sum = 0;
      for (int i = first; i < last; ++i)
        if (const Row& row = rows_[at(i)]; !row.fixed)
          sum += part(residual_, i).dot(row.own * part(residual_, i));
      return sum;
    });
    if (used == 0)
      target2 = tolerance * tolerance * next2;
    else
      beta = next2 / size2;
    size2 = next2;
    if (used == most_gradients || !(size2 > target2)) break;
    each_part([&](int first, int last) {
      for (int i = last - 1; i >= first; --i) {
        const Row& row = rows_[at(i)];
        if (row.fixed) continue;
        const Part<D> p = row.own * part(residual_, i) + beta * part(direction_, i);
        part(direction_, i) = p;
        Part<D> sum = Part<D>::Zero();
        times(step_, row.diagonal + 1, row.last, sum);
        part(step_, i) = row.inverse * (p - sum);
      }
    });
    sums_.assign(at(parts), 0.0);
    each_part([&](int first, int last) {
      forward(first, last, product_, [&](int i, const Row& row) {
        Part<D> between = Part<D>::Zero();
        times(step_, W.start[at(i)], row.first, between);
        times(step_, row.last, W.start[at(i) + 1], between);
        return Part<D>(part(direction_, i) + between - row.own * part(step_, i));
      });
      double sum = 0;
      for (int i = first; i < last; ++i)
        sum += part(direction_, i).dot(part(product_, i) + part(step_, i));
      sums_[at(first / width)] = sum;
    });
    double curvature = 0;
    for (const double sum : sums_) curvature += sum;
    if (!(curvature > 0)) break;
    const double length = size2 / curvature;
    for_chunks(team, D * n, [&](int first, int last, int) {
      x.segment(first, last - first) += length * step_.segment(first, last - first);
      residual_.segment(first, last - first) -=
          length * (product_.segment(first, last - first) + step_.segment(first, last - first));
    });
  }
  return x.allFinite();
}

template class NewtonSystem<2>;
template class NewtonSystem<3>;

}  // namespace stiction
