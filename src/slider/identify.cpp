// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_identify.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/part_of.h"
#include "slider/supports/support_load.h"

namespace stiction {

namespace {

// Of a and b whose squares are numbers.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                              const Progress& progress) {
  const Eigen::Index n = a.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> free;
  std::vector<char> is_free(static_cast<std::size_t>(n), 0);
  // Gradients within this of zero are rounding of the products they were summed from.
  const Eigen::VectorXd zero = 1e-13 * b.norm() * a.colwise().norm().transpose();
  for (Eigen::Index rounds = 0; rounds < 3 * n; ++rounds) {
    if (progress && !progress(std::min(1.0, static_cast<double>(rounds) / static_cast<double>(n))))
      break;
    const Eigen::VectorXd slope = a.transpose() * (b - a * x);
    Eigen::Index enters = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (is_free[static_cast<std::size_t>(i)] == 0 && slope[i] > zero[i] &&
          (enters < 0 || slope[i] > slope[enters]))
        enters = i;
    if (enters < 0) break;
    free.push_back(enters);
    is_free[static_cast<std::size_t>(enters)] = 1;
    while (!free.empty()) {
      const auto count = static_cast<Eigen::Index>(free.size());
      Eigen::MatrixXd part(a.rows(), count);
      for (Eigen::Index k = 0; k < count; ++k)
        part.col(k) = a.col(free[static_cast<std::size_t>(k)]);
      const Eigen::VectorXd y = part.colPivHouseholderQr().solve(b);
      // As far towards y as all stay non-negative; those that reach zero leave.
      double step = 1;
      for (Eigen::Index k = 0; k < count; ++k) {
        const double now = x[free[static_cast<std::size_t>(k)]];
        if (y[k] <= 0) step = std::min(step, now > 0 ? now / (now - y[k]) : 0);
      }
      std::vector<Eigen::Index> stay;
      for (Eigen::Index k = 0; k < count; ++k) {
        const Eigen::Index i = free[static_cast<std::size_t>(k)];
        x[i] += step * (y[k] - x[i]);
        if (step < 1 && y[k] <= 0 && x[i] <= 1e-15 * std::abs(y[k])) {
          x[i] = 0;
          is_free[static_cast<std::size_t>(i)] = 0;
        } else {
          stay.push_back(i);
        }
      }
      free = std::move(stay);
      if (step == 1) break;
    }
  }
  return x;
}

// The power of two of its largest entry.
int exponent(const Eigen::Ref<const Eigen::MatrixXd>& m) {
  const double largest = m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0;
  return largest > 0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
}

}  // namespace

Eigen::VectorXd non_negative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                           const Progress& progress) {
  const int of_a = exponent(a), of_b = exponent(b);
  Eigen::VectorXd x =
      least_squares(a * std::ldexp(1.0, -of_a), b * std::ldexp(1.0, -of_b), progress);
  for (double& each : x) each = std::ldexp(each, of_b - of_a);
  return x;
}

Identified identify(const std::vector<Support>& candidates, std::span<const MeasuredPush> pushes,
                    double length_scale, const Progress& progress) {
  if (candidates.empty()) throw InvalidInput("candidates is empty, expected at least one support");
  if (pushes.empty()) throw InvalidInput("no pushes to identify from");
  if (!(std::isfinite(length_scale) && length_scale > 0))
    throw InvalidInput("length_scale is " + text(length_scale) + ", expected a positive number");
  if (length_scale < 1e-60 || length_scale > 1e60)
    throw InvalidInput("length_scale is " + text(length_scale) +
                       ", expected a length from 1e-60 to 1e60");
  const auto rows = 3 * static_cast<Eigen::Index>(pushes.size());
  Eigen::MatrixXd a(rows, static_cast<Eigen::Index>(candidates.size()));
  Eigen::VectorXd b(rows);
  const auto scaled = [&](Vec3 p) {
    p[2] /= length_scale;
    return p;
  };
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    if (progress && !progress(0.5 * static_cast<double>(k) / static_cast<double>(pushes.size())))
      throw Stopped("stopped after " + std::to_string(k) + " of " + std::to_string(pushes.size()) +
                    " pushes were looked at");
    const Vec3 q = pushes[k].motion.vector(), p = pushes[k].load.vector();
    if (!q.allFinite() || !p.allFinite())
      throw InvalidInput("push " + std::to_string(k) + " is not finite");
    const auto row = 3 * static_cast<Eigen::Index>(k);
    b.segment<3>(row) = scaled(p);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      PowerDerivatives sum;
      const auto add = candidates[i].shape == Support::Shape::point ? add_point : add_area;
      add(candidates[i], static_cast<int>(i), q, false, sum, nullptr);
      a.block<3, 1>(row, static_cast<Eigen::Index>(i)) = scaled(sum.load);
    }
  }
  Identified result;
  result.strengths = non_negative_least_squares(a, b, part_of(progress, 0.5, 1));
  const double size = b.norm();
  result.misfit = size > 0 ? (a * result.strengths - b).norm() / size : 0;
  return result;
}

}  // namespace stiction
