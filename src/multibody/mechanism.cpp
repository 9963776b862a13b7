// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <cmath>
#include <type_traits>

#include "stiction/multibody.h"

namespace stiction {

namespace {

using Rows3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;

constexpr double same = 1e-10;  // rows of constraints that differ by less repeat each other
constexpr double still = 1e-9;  // of its greatest row: a contact that moves less does not move

// Axes that differ by a rotation: its axis times its angle, in the world.
Vec3 rotation_between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to) {
  const Eigen::AngleAxisd turn(to * from.transpose());
  return turn.angle() * turn.axis();
}

// Calls work with the size as a constant where it is small, so that its loops unroll, and with 0
// where it is not.
template <class Work>
bool of_size(Eigen::Index n, Work&& work) {
  using std::integral_constant;
  switch (n) {
    case 2:
      return work(integral_constant<int, 2>());
    case 6:
      return work(integral_constant<int, 6>());
    case 7:
      return work(integral_constant<int, 7>());
    default:
      return work(integral_constant<int, 0>());
  }
}

// M = RᵀDR by columns, R unit upper, from the upper triangle of M; false where M is singular or
// worse.  R's diagonal is left alone.
template <int Size>
bool cholesky(const double* m, Eigen::Index any, double* r, double* inverse) {
  const Eigen::Index n = Size == 0 ? any : Size;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < j; ++i) r[j * n + i] = m[j * n + i];
    inverse[j] = m[j * n + j];
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    if (!(inverse[k] > static_cast<double>(n) * rounding * m[k * n + k])) return false;
    inverse[k] = 1 / inverse[k];
    for (Eigen::Index j = k + 1; j < n; ++j) {
      const double rest = r[j * n + k];
      for (Eigen::Index i = k + 1; i < j; ++i) r[j * n + i] -= r[i * n + k] * rest;
      r[j * n + k] = rest * inverse[k];
      inverse[j] -= rest * r[j * n + k];
    }
  }
  return true;
}

// X = A R⁻¹ for the three rows of A, column by column.
template <int Size>
void forward(const double* r, const double* rows, Eigen::Index any, double* half) {
  const Eigen::Index n = Size == 0 ? any : Size;
  for (Eigen::Index i = 0; i < 3 * n; ++i) half[i] = rows[i];
  for (Eigen::Index k = 0; k < n; ++k) {
    const double a = half[3 * k], b = half[3 * k + 1], c = half[3 * k + 2];
    for (Eigen::Index i = k + 1; i < n; ++i) {
      half[3 * i] -= r[i * n + k] * a;
      half[3 * i + 1] -= r[i * n + k] * b;
      half[3 * i + 2] -= r[i * n + k] * c;
    }
  }
}

InvalidInput not_positive() {
  return InvalidInput("the mass matrix is not positive: some mass or inertia is negative");
}

}  // namespace

Eigen::Matrix3d contact_axes(const Vec3& normal) {
  const double length = normal.stableNorm();
  if (!std::isfinite(length) || !(length > 0))
    throw InvalidInput("the normal is (" + text(normal.x()) + ", " + text(normal.y()) + ", " +
                       text(normal.z()) + "), expected a direction");
  const Vec3 n = normal / length;
  const bool along_x = std::hypot(n.y(), n.z()) <= rounding;
  const Vec3 reference = along_x ? Vec3::UnitY() : Vec3::UnitX();
  // Once more, for a normal close to the reference.
  Vec3 t1 = (reference - reference.dot(n) * n).normalized();
  t1 = (t1 - t1.dot(n) * n).normalized();
  Eigen::Matrix3d axes;
  axes << t1.transpose(), n.cross(t1).transpose(), n.transpose();
  return axes;
}

MechanismState::MechanismState(Mechanism mechanism)
    : mechanism_(std::move(mechanism)),
      kinematics_(mechanism_.model),
      loops_(mechanism_.model.loops()) {
  loops_.insert(loops_.end(), mechanism_.loops.begin(), mechanism_.loops.end());
  const int n = mechanism_.model.nv();
  factor_.setIdentity(n, n);
  inverse_.setZero(n);
  rows_.setZero(3, n);
  half_.setZero(3, n);
}

// G: for a loop the velocity of its second end less that of its first; for a point its velocity.
Eigen::MatrixXd MechanismState::constraint_rows() {
  Eigen::Index count = 3 * static_cast<Eigen::Index>(mechanism_.sticking.size());
  for (const Loop& loop : loops_) count += loop.rigid ? 6 : 3;
  Eigen::MatrixXd G(count, mechanism_.model.nv());
  Eigen::Index at = 0;
  for (const Loop& loop : loops_) {
    const Eigen::Index rows = loop.rigid ? 6 : 3;
    G.middleRows(at, rows) = kinematics_.jacobian(loop.second).topRows(rows);
    G.middleRows(at, rows) -= kinematics_.jacobian(loop.first).topRows(rows);
    at += rows;
  }
  for (const int frame : mechanism_.sticking) {
    G.middleRows(at, 3) = kinematics_.jacobian(frame).topRows(3);
    at += 3;
  }
  return G;
}

Eigen::VectorXd MechanismState::constraint_drift() const {
  Eigen::VectorXd drift(G_.rows());
  Eigen::Index at = 0;
  for (const Loop& loop : loops_) {
    const Eigen::Index rows = loop.rigid ? 6 : 3;
    drift.segment(at, rows) =
        (kinematics_.drift(loop.second) - kinematics_.drift(loop.first)).head(rows);
    at += rows;
  }
  for (const int frame : mechanism_.sticking) {
    drift.segment(at, 3) = kinematics_.drift(frame).head(3);
    at += 3;
  }
  return drift;
}

Eigen::VectorXd MechanismState::loop_residual() const {
  Eigen::Index count = 0;
  for (const Loop& loop : loops_) count += loop.rigid ? 6 : 3;
  Eigen::VectorXd gaps(count);
  Eigen::Index at = 0;
  for (const Loop& loop : loops_) {
    gaps.segment(at, 3) = kinematics_.position(loop.second) - kinematics_.position(loop.first);
    if (loop.rigid)
      gaps.segment(at + 3, 3) =
          rotation_between(kinematics_.rotation(loop.first), kinematics_.rotation(loop.second));
    at += loop.rigid ? 6 : 3;
  }
  return gaps;
}

double MechanismState::loop_gap() {
  const Eigen::VectorXd gaps = loop_residual();
  return gaps.size() == 0 ? 0.0 : gaps.lpNorm<Eigen::Infinity>();
}

// M = RᵀDR, and the range of Z = U⁻ᵀGᵀ with U = √D R.
void MechanismState::factor() {
  const Eigen::MatrixXd& M = kinematics_.mass();
  const Eigen::Index n = M.rows();
  limit_ = false;
  if (!loops_.empty() || !mechanism_.sticking.empty()) G_ = constraint_rows();
  const bool regular = of_size(
      n, [&](auto size) { return cholesky<size()>(M.data(), n, factor_.data(), inverse_.data()); });
  if (!regular) {
    factor_limit();
    return;
  }
  if (G_.rows() == 0) return;
  const Eigen::MatrixXd U = root();
  Eigen::MatrixXd Z = U.transpose().triangularView<Eigen::Lower>().solve(G_.transpose());
  for (Eigen::Index c = 0; c < Z.cols(); ++c) {
    const double length = Z.col(c).norm();
    if (length > 0) Z.col(c) /= length;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Z.rows(), Z.cols());
  qr.setThreshold(same);
  qr.compute(Z);
  range_ = Eigen::MatrixXd::Identity(n, qr.rank());
  range_.applyOnTheLeft(qr.householderQ());
}

// Velocities that the constraints allow, those that move mass apart from those that do not.
void MechanismState::factor_limit() {
  const Eigen::MatrixXd M = mass();
  const Eigen::Index n = M.rows();
  limit_ = true;
  Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(n, n);
  if (G_.rows() > 0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(n, G_.rows());
    qr.setThreshold(same);
    qr.compute(G_.transpose());
    allowed = (qr.householderQ() * Eigen::MatrixXd::Identity(n, n)).rightCols(n - qr.rank());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(allowed.transpose() * M * allowed);
  const Eigen::VectorXd& values = eigen.eigenvalues();  // ascending
  const double least = 100 * static_cast<double>(n) * rounding * M.cwiseAbs().maxCoeff();
  Eigen::Index zero = 0;
  while (zero < values.size() && values[zero] <= least) {
    if (values[zero] < -least) throw not_positive();
    ++zero;
  }
  const Eigen::Index rank = values.size() - zero;
  massless_ = allowed * eigen.eigenvectors().leftCols(zero);
  basis_ = allowed * eigen.eigenvectors().rightCols(rank) *
           values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

void MechanismState::at(const Eigen::VectorXd& q) {
  kinematics_.at(q);
  factor();
}

void MechanismState::at(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& forces) {
  kinematics_.at(q, v);
  factor();
  v_ = v;
  double size = 1;
  for (const Loop& loop : loops_) size += kinematics_.position(loop.first).norm();
  if (const double gap = loop_gap(); gap > 1e-6 * size)
    throw InvalidInput("a loop is open by " + text(gap) + " m in this configuration");
  if (G_.rows() > 0) {
    const double opening = (G_ * v).lpNorm<Eigen::Infinity>();
    if (opening > 1e-6 * (G_.cwiseAbs() * v.cwiseAbs()).maxCoeff())
      throw InvalidInput("this velocity opens a loop, or moves a point that sticks, by " +
                         text(opening) + " m/s");
  }
  accelerate(forces);
}

// v̇₀ = v̇_p + P(τ − c − M v̇_p) with G v̇_p = −Ġ v.
void MechanismState::accelerate(const Eigen::VectorXd& forces) {
  const Eigen::Index n = factor_.rows();
  Eigen::VectorXd given = Eigen::VectorXd::Zero(n);
  if (G_.rows() > 0) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(G_.rows(), n);
    solver.setThreshold(same);
    solver.compute(G_);
    given = -solver.solve(constraint_drift());
  }
  const Eigen::VectorXd carried = mass() * given, force = forces - kinematics_.bias() - carried;
  pushed_ = force;
  pushes_ = forces.norm() + kinematics_.bias().norm() + carried.norm();
  if (limit_) {
    free_ = given + basis_ * (basis_.transpose() * force);
    return;
  }
  const Eigen::MatrixXd U = root();
  Eigen::VectorXd x = U.transpose().triangularView<Eigen::Lower>().solve(force);
  if (G_.rows() > 0) x -= range_ * (range_.transpose() * x);
  free_ = given + U.triangularView<Eigen::Upper>().solve(x);
}

Eigen::MatrixXd MechanismState::root() const {
  return inverse_.cwiseInverse().cwiseSqrt().asDiagonal() * factor_;
}

Eigen::MatrixXd MechanismState::mass() const {
  return kinematics_.mass().selfadjointView<Eigen::Upper>();
}

void MechanismState::rows_of(const ContactPoint& contact) {
  if (contact.normal != normal_) {
    axes_ = contact_axes(contact.normal);
    normal_ = contact.normal;
  }
  kinematics_.point_rows(contact.frame, axes_, rows_);
}

const Rows3X& MechanismState::jacobian(const ContactPoint& contact) {
  rows_of(contact);
  return rows_;
}

MechanismState::Massless MechanismState::massless() const {
  if (massless_.cols() == 0) return {Eigen::MatrixXd(3, 0), massless_};
  const Eigen::MatrixXd moves = rows_ * massless_;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(moves, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() &&
         svd.singularValues()[rank] > still * rows_.cwiseAbs().maxCoeff())
    ++rank;
  return {svd.matrixU().leftCols(rank), massless_ * svd.matrixV().leftCols(rank)};
}

// X = A U⁻¹, less its part in the range of Z; not scaled, A R⁻¹ alone.
void MechanismState::half_of(const Rows3X& rows, bool scaled) {
  if (limit_) {
    if (massless_.size() > 0 &&
        (rows * massless_).cwiseAbs().maxCoeff() > still * rows.cwiseAbs().maxCoeff())
      throw InvalidInput(
          "the contact can move without moving mass: its Delassus matrix is infinite");
    half_ = rows * basis_;
    return;
  }
  const Eigen::Index n = rows.cols();
  half_.resize(3, n);
  of_size(n, [&](auto size) {
    forward<size()>(factor_.data(), rows.data(), n, half_.data());
    return true;
  });
  if (!scaled) return;
  half_ *= inverse_.cwiseSqrt().asDiagonal();
  if (G_.rows() > 0) half_ -= (half_ * range_) * range_.transpose();
}

Eigen::Matrix3d MechanismState::delassus(const ContactPoint& contact) {
  rows_of(contact);
  const bool plain = !limit_ && G_.rows() == 0;
  half_of(rows_, !plain);
  double aa = 0, ab = 0, ac = 0, bb = 0, bc = 0, cc = 0;
  const double* x = half_.data();
  for (Eigen::Index i = 0; i < half_.cols(); ++i, x += 3) {
    const double weight = plain ? inverse_[i] : 1.0;
    const double a = weight * x[0], b = weight * x[1];
    aa += a * x[0];
    ab += a * x[1];
    ac += a * x[2];
    bb += b * x[1];
    bc += b * x[2];
    cc += weight * x[2] * x[2];
  }
  Eigen::Matrix3d W;
  W << aa, ab, ac, ab, bb, bc, ac, bc, cc;
  return W;
}

DelassusLimit MechanismState::delassus_limit(const ContactPoint& contact) {
  if (!limit_) return {delassus(contact), Eigen::Matrix3d::Zero()};
  rows_of(contact);
  const Eigen::MatrixXd D = massless().directions;
  const Eigen::MatrixXd X = rows_ * basis_;
  Eigen::MatrixXd across = X - D * (D.transpose() * X);
  if (across.norm() <= still * X.norm()) across.setZero();  // blocked, but for rounding
  return {across * across.transpose(), D * D.transpose()};
}

Eigen::MatrixXd MechanismState::delassus(const std::vector<ContactPoint>& contacts) {
  const auto count = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd all;
  for (Eigen::Index i = 0; i < count; ++i) {
    rows_of(contacts[static_cast<std::size_t>(i)]);
    half_of(rows_, true);
    if (i == 0) all.resize(3 * count, half_.cols());
    all.middleRows(3 * i, 3) = half_;
  }
  return all * all.transpose();
}

Vec3 MechanismState::velocity(const ContactPoint& contact) {
  rows_of(contact);
  return rows_ * v_;
}

Vec3 MechanismState::acceleration(const ContactPoint& contact) {
  rows_of(contact);
  const Vec3 a = rows_ * free_ + axes_ * kinematics_.drift(contact.frame).head<3>();
  if (!limit_) return a;
  const Massless massless = this->massless();
  const Eigen::MatrixXd& D = massless.directions;
  if ((massless.motions.transpose() * pushed_).norm() > still * pushes_)
    throw InvalidInput(
        "joint forces push the contact where it moves no mass: its acceleration is infinite");
  return a + D * (D.transpose() * (axes_ * mechanism_.model.gravity() - a));
}

}  // namespace stiction
