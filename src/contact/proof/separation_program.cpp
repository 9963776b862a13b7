// SPDX-License-Identifier: Apache-2.0
#include "contact/proof/separation_program.h"

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "contact/strategy.h"

namespace stiction {

namespace {

constexpr const ExistenceStrategy& at = strategy.existence;
constexpr double penalty = at.penalty;              // δ of the steps
constexpr double clean_penalty = at.clean_penalty;  // δ of `clean`

// The longest step, at most 1, that keeps x + step dx positive.
double longest(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) {
  double step = 1;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (dx[i] < 0) step = std::min(step, -at.boundary * x[i] / dx[i]);
  return step;
}

}  // namespace

SeparationProgram::SeparationProgram(const Sparse& P, const Eigen::VectorXd& q,
                                     std::vector<Block> blocks)
    : P_(P), q_(q), blocks_(std::move(blocks)), roots_(blocks_.size()) {
  Eigen::Index count = 0;
  for (const Block& block : blocks_) {
    first_.push_back(count);
    count += block.rays.cols();
  }
  lambda_ = Eigen::VectorXd::Constant(count, 0.5);
  z_ = w_ = Eigen::VectorXd::Ones(count);
  v_ = Eigen::VectorXd::Zero(q.size());
  mu_ = 0.5;
  dense_ = static_cast<double>(P.nonZeros()) > at.dense * static_cast<double>(P.size());
}

Eigen::VectorXd SeparationProgram::times_rays(const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd x(q_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    x.segment(blocks_[b].row, blocks_[b].rays.rows()) =
        blocks_[b].rays * lambda.segment(first_[b], blocks_[b].rays.cols());
  return x;
}
Eigen::VectorXd SeparationProgram::along_rays(const Eigen::VectorXd& velocity) const {
  Eigen::VectorXd along(lambda_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    along.segment(first_[b], blocks_[b].rays.cols()) =
        blocks_[b].rays.transpose() * velocity.segment(blocks_[b].row, blocks_[b].rays.rows());
  return along;
}
Eigen::VectorXd SeparationProgram::times_roots(const Eigen::VectorXd& tau) const {
  Eigen::VectorXd x(tau.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Eigen::Index row = blocks_[b].row, rows = blocks_[b].rays.rows();
    x.segment(row, rows) = roots_[b].C * tau.segment(row, rows);
  }
  return x;
}
Eigen::VectorXd SeparationProgram::along_roots(const Eigen::VectorXd& x) const {
  Eigen::VectorXd tau(x.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Eigen::Index row = blocks_[b].row, rows = blocks_[b].rays.rows();
    tau.segment(row, rows) = roots_[b].C.transpose() * x.segment(row, rows);
  }
  return tau;
}
Eigen::VectorXd SeparationProgram::to_rays(const Eigen::VectorXd& tau) const {
  Eigen::VectorXd lambda(lambda_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    lambda.segment(first_[b], blocks_[b].rays.cols()) =
        roots_[b].Q.transpose() * tau.segment(blocks_[b].row, blocks_[b].rays.rows());
  return lambda;
}
Eigen::VectorXd SeparationProgram::from_rays(const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd tau(q_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    tau.segment(blocks_[b].row, blocks_[b].rays.rows()) =
        roots_[b].Q * lambda.segment(first_[b], blocks_[b].rays.cols());
  return tau;
}

// I + CᵀP C/δ
bool SeparationProgram::factorise(const Eigen::VectorXd& theta, double delta) {
  const Eigen::VectorXd root = theta.cwiseSqrt();
  std::vector<std::size_t> block_of(static_cast<std::size_t>(q_.size()));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Eigen::MatrixXd& rays = blocks_[b].rays;
    const Eigen::Index rows = rays.rows(), cols = rays.cols();
    for (Eigen::Index k = 0; k < rows; ++k)
      block_of[static_cast<std::size_t>(blocks_[b].row + k)] = b;
    if (rows == 1) {
      const Eigen::RowVectorXd F = rays.cwiseProduct(root.segment(first_[b], cols).transpose());
      const double size = F.norm();
      roots_[b].C = Eigen::MatrixXd::Constant(1, 1, size);
      roots_[b].Q = size > 0 ? F / size : F;
      continue;
    }
    // Fᵀ = Qᵀ Cᵀ by Householder; more columns than rows, so that Q has all of its rows.
    Eigen::MatrixXd Ft = Eigen::MatrixXd::Zero(std::max(rows, cols), rows);
    Ft.topRows(cols) = root.segment(first_[b], cols).asDiagonal() * rays.transpose();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(Ft);
    const Eigen::MatrixXd upper = qr.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
    const Eigen::MatrixXd Qt = qr.householderQ() * Eigen::MatrixXd::Identity(Ft.rows(), rows);
    roots_[b].C = upper.transpose();
    roots_[b].Q = Qt.topRows(cols).transpose();
  }
  // Block by block: rows of C reach only their own.
  if (dense_) {
    Eigen::MatrixXd S(P_);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      S.middleCols(blocks_[b].row, blocks_[b].rays.rows()) *= roots_[b].C;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      S.middleRows(blocks_[b].row, blocks_[b].rays.rows()) =
          (roots_[b].C.transpose() * S.middleRows(blocks_[b].row, blocks_[b].rays.rows())).eval();
    S /= delta;
    S.diagonal().array() += 1;
    dense_factor_.compute(S);
    return dense_factor_.info() == Eigen::Success;
  }
  std::vector<Eigen::Triplet<double>> roots;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (Eigen::Index i = 0; i < blocks_[b].rays.rows(); ++i)
      for (Eigen::Index k = 0; k <= i; ++k)
        roots.emplace_back(blocks_[b].row + i, blocks_[b].row + k, roots_[b].C(i, k));
  Sparse C(q_.size(), q_.size());
  C.setFromTriplets(roots.begin(), roots.end());
  scaled_ = Sparse(C.transpose()) * P_ * C / delta;
  Sparse one(q_.size(), q_.size());
  one.setIdentity();
  scaled_ += one;
  if (!analysed_) sparse_factor_.analyzePattern(scaled_);
  analysed_ = true;
  sparse_factor_.factorize(scaled_);
  return sparse_factor_.info() == Eigen::Success;
}

Eigen::VectorXd SeparationProgram::solve(const Eigen::VectorXd& right) const {
  if (dense_) return dense_factor_.solve(right);
  return sparse_factor_.solve(right);
}

// A predictor towards μ = 0, then a corrector towards as much of μ as that left, with the product
// of the predictor's steps: Mehrotra's.
bool SeparationProgram::step() {
  const Eigen::VectorXd above = (1 - lambda_.array()).matrix();
  const Eigen::VectorXd theta =
      (z_.array() / lambda_.array() + w_.array() / above.array()).inverse().matrix();
  if (!factorise(theta, penalty)) return false;
  const Eigen::VectorXd root = theta.cwiseSqrt(), x = times_rays(lambda_), Px = P_ * x;
  const Eigen::VectorXd slope = along_rays(q_ + v_ + Px / penalty);
  Eigen::VectorXd d_lambda, dx, dz, dw, dv;
  const auto towards = [&](const Eigen::VectorXd& low, const Eigen::VectorXd& high) {
    // low and high: what λ z and (1 − λ) w are to become, second order included.
    const Eigen::VectorXd g = slope - low.cwiseQuotient(lambda_) + high.cwiseQuotient(above);
    const Eigen::VectorXd scaled = root.cwiseProduct(g);
    const Eigen::VectorXd tau = solve(-from_rays(scaled));
    const Eigen::VectorXd push = along_roots(P_ * times_roots(tau)) / penalty;  // Cᵀ P C τ/δ
    d_lambda = -root.cwiseProduct(scaled + to_rays(push));
    dx = times_rays(d_lambda);
    dv = (Px + P_ * dx) / penalty;
    dz = (low - lambda_.cwiseProduct(z_) - z_.cwiseProduct(d_lambda)).cwiseQuotient(lambda_);
    dw = (high - above.cwiseProduct(w_) + w_.cwiseProduct(d_lambda)).cwiseQuotient(above);
  };
  const auto steps = [&] {
    return std::pair{std::min(longest(lambda_, d_lambda), longest(above, -d_lambda)),
                     std::min(longest(z_, dz), longest(w_, dw))};
  };
  const Eigen::Index n = lambda_.size();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  towards(zero, zero);
  const auto [p, d] = steps();
  const double left =
      ((lambda_ + p * d_lambda).dot(z_ + d * dz) + (above - p * d_lambda).dot(w_ + d * dw)) /
      (2.0 * static_cast<double>(n));
  const double sigma = std::pow(left / mu_, 3);
  const Eigen::VectorXd aim = Eigen::VectorXd::Constant(n, sigma * mu_);
  towards(aim - d_lambda.cwiseProduct(dz), aim + d_lambda.cwiseProduct(dw));
  const auto [primal, dual] = steps();
  if (!d_lambda.allFinite() || !dz.allFinite() || !dw.allFinite()) return false;
  lambda_ += primal * d_lambda;
  z_ += dual * dz;
  w_ += dual * dw;
  v_ += dual * dv;
  mu_ = (lambda_.dot(z_) + (1 - lambda_.array()).matrix().dot(w_)) / (2.0 * static_cast<double>(n));
  return std::isfinite(mu_) && std::max(primal, dual) > 1e-8;
}

bool SeparationProgram::only_zero() const {
  constexpr double clearly = 1e-7;
  return along_rays(q_ + v_).minCoeff() > clearly;
}

bool SeparationProgram::none_below(double little) const {
  return along_rays(q_ + v_).cwiseMin(0.0).sum() >= -little;
}

Eigen::VectorXd SeparationProgram::clean(
    const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& pull) {
  Eigen::VectorXd lambda = (lambda_.array() > z_.array()).select(lambda_, 0.0);
  const Eigen::VectorXd theta = lambda.cwiseAbs2();
  if (!factorise(theta, clean_penalty)) return times_rays(lambda);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < at.clean_passes; ++k) {
    const Eigen::VectorXd off = pull(times_rays(lambda));
    if (!(off.norm() < 0.5 * before)) break;
    before = off.norm();
    const Eigen::VectorXd tau = solve(-along_roots(off) / clean_penalty);
    lambda = (lambda + theta.cwiseSqrt().cwiseProduct(to_rays(tau))).cwiseMax(0.0);
  }
  return times_rays(lambda);
}

}  // namespace stiction
