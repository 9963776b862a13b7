// SPDX-License-Identifier: Apache-2.0
#include "contact/cone_program.h"

#include <Eigen/LU>
#include <cmath>
#include <vector>

namespace stiction {

namespace {

// Rows 0 … m−1 are those of C Z, then y_k ≤ 1, then −y_k ≤ 1.  The basis B holds k of them, active
// at y: B y = b, with c = Bᵀ λ.
class DualSimplex {
 public:
  DualSimplex(const Eigen::VectorXd& c, const SparseRows& C, const Eigen::MatrixXd& Z)
      : C_(C), Z_(Z), m_(C.rows()), k_(Z.cols()), c_(c) {
    // No two λ reach zero together, but by chance.
    constexpr double golden = 0.6180339887498949;
    const double little = 1e-9 * c.cwiseAbs().maxCoeff();
    slack_ = 0.1 * little;
    for (Eigen::Index i = 0; i < k_; ++i) {
      const double part = static_cast<double>(i) * golden;
      c_[i] += std::copysign(little * (0.5 + part - std::floor(part)), c[i]);
    }
    for (Eigen::Index i = 0; i < k_; ++i) basis_.push_back(c_[i] > 0 ? m_ + i : m_ + k_ + i);
    y_ = c_.cwiseSign();
    inverse_ = y_.asDiagonal();
    lambda_ = c_.cwiseAbs();
    excess_.resize(m_ + k_);
    basic_.resize(static_cast<std::size_t>(m_), 0);
    basic_.resize(static_cast<std::size_t>(m_ + k_), 1);
    weight_ = Eigen::VectorXd::Ones(m_ + k_);
    look();
  }

  std::optional<Eigen::VectorXd> run(const Progress& progress) {
    const Eigen::Index most = 100 * (k_ + 10);
    for (Eigen::Index step = 0; step < most; ++step) {
      // The share is a guess: most programs take a few steps for each variable.
      const double done = static_cast<double>(step) / static_cast<double>(step + 2 * k_);
      if (progress && !progress(done)) throw Stopped("stopped before a direction was found");
      const Eigen::Index enter = most_violated();
      if (enter < 0 && age_ == 0) return y_;
      if (enter >= 0)
        pivot(enter);
      else if (!refresh())
        return {};
    }
    return {};
  }

 private:
  static constexpr double least_pivot = 1e-9;

  // How much the rows are violated at y: those of C Z, then those of the box by the sign of y.
  void look() {
    excess_.head(m_) = (C_ * (Z_ * y_)).array() - cone_slack;
    excess_.tail(k_) = y_.cwiseAbs().array() - 1;
  }
  // The row whose violation is largest measured along its edge, as far as that is known: Forrest
  // and Goldfarb's Devex weights.
  Eigen::Index most_violated() const {
    const double zero = age_ < 50 ? 1e-13 : 1e-9;  // rounding adds up
    Eigen::Index most = -1;
    double best = 0;
    for (Eigen::Index j = 0; j < m_ + k_; ++j)
      if (excess_[j] > zero && basic_[static_cast<std::size_t>(j)] == 0 &&
          excess_[j] * excess_[j] > best * weight_[j]) {
        best = excess_[j] * excess_[j] / weight_[j];
        most = j;
      }
    return most < m_ || y_[most - m_] > 0 ? most : most + k_;
  }
  Eigen::VectorXd row(Eigen::Index j) const {
    if (j < m_) return Z_.transpose() * C_.row(j).transpose();
    return (j < m_ + k_ ? 1.0 : -1.0) * Eigen::VectorXd::Unit(k_, (j - m_) % k_);
  }
  double bound(Eigen::Index j) const { return j < m_ ? cone_slack : 1; }
  Eigen::Index shared(Eigen::Index j) const { return j < m_ + k_ ? j : j - k_; }

  void pivot(Eigen::Index enter) {
    const Eigen::VectorXd a = row(enter), alpha = inverse_.transpose() * a;
    // The first λ that reaches zero; of those about there the one of the largest pivot.
    double least = HUGE_VAL;
    for (Eigen::Index i = 0; i < k_; ++i)
      if (alpha[i] > least_pivot) least = std::min(least, (lambda_[i] + slack_) / alpha[i]);
    Eigen::Index leave = -1;
    for (Eigen::Index i = 0; i < k_; ++i)
      if (alpha[i] > least_pivot && lambda_[i] <= least * alpha[i] &&
          (leave < 0 || alpha[i] > alpha[leave]))
        leave = i;
    if (leave < 0) {  // a row of rounding alone
      basic_[static_cast<std::size_t>(shared(enter))] = 1;
      return;
    }
    const double theta = std::max(0.0, lambda_[leave]) / alpha[leave];
    lambda_ -= theta * alpha;
    lambda_[leave] = theta;
    const Eigen::VectorXd column = inverse_.col(leave) / alpha[leave];
    const double violation = a.dot(y_) - bound(enter);
    Eigen::VectorXd change(m_ + k_);  // of a·y for each row a, a unit of violation
    change << C_ * (Z_ * column), column;
    y_ -= violation * column;
    excess_.head(m_) -= violation * change.head(m_);
    excess_.tail(k_) = y_.cwiseAbs().array() - 1;
    const Eigen::Index leaving = shared(basis_[static_cast<std::size_t>(leave)]);
    const double reference = weight_[shared(enter)];
    weight_ = weight_.cwiseMax(reference * change.cwiseAbs2());
    weight_[leaving] = std::max(1.0, reference / (alpha[leave] * alpha[leave]));
    if (weight_.maxCoeff() > 1e6) weight_.setOnes();  // they are of a start too long ago
    basic_[static_cast<std::size_t>(leaving)] = 0;
    basic_[static_cast<std::size_t>(shared(enter))] = 1;
    inverse_.noalias() -= column * alpha.transpose();
    inverse_.col(leave) = column;
    basis_[static_cast<std::size_t>(leave)] = enter;
    ++age_;
  }

  // Inverse, λ and y of this basis anew.
  bool refresh() {
    Eigen::MatrixXd B(k_, k_);
    Eigen::VectorXd b(k_);
    for (Eigen::Index i = 0; i < k_; ++i) {
      const Eigen::Index j = basis_[static_cast<std::size_t>(i)];
      B.row(i) = row(j);
      b[i] = bound(j);
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(B);
    inverse_ = lu.inverse();
    y_ = lu.solve(b);
    y_ += lu.solve(b - B * y_);
    lambda_ = inverse_.transpose() * c_;
    look();
    age_ = 0;
    return y_.allFinite() && lambda_.allFinite();
  }

  const SparseRows& C_;
  const Eigen::MatrixXd& Z_;
  Eigen::Index m_, k_;
  Eigen::VectorXd c_;
  std::vector<Eigen::Index> basis_;
  std::vector<char> basic_;  // whether a row, or either of a pair of the box, is in it
  Eigen::MatrixXd inverse_;  // of B: B y = b
  Eigen::VectorXd lambda_, y_, excess_, weight_;
  Eigen::Index age_ = 0;  // steps since all was computed anew
  double slack_ = 0;      // λ below zero by less counts as zero
};

}  // namespace

std::optional<Eigen::VectorXd> farthest_in_cone(const Eigen::VectorXd& c, const SparseRows& C,
                                                const Eigen::MatrixXd& Z,
                                                const Progress& progress) {
  if (Z.cols() == 0 || !(c.cwiseAbs().maxCoeff() > 1e-11)) return Eigen::VectorXd::Zero(Z.cols());
  return DualSimplex(c, C, Z).run(progress);
}

}  // namespace stiction
