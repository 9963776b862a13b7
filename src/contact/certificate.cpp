// SPDX-License-Identifier: Apache-2.0
#include "stiction/certificate.h"

#include <algorithm>
#include <cmath>

#include "contact/residual.h"

namespace stiction {

Norms problem_norms(const BlockMatrix& W, const Eigen::VectorXd& q) {
  Norms norms;
  norms.q = q.stableNorm();
  double sum = 0;
  const int d = W.block;
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k)
      if (W.column[static_cast<std::size_t>(k)] == i)
        for (int c = 0; c < d; ++c) sum += std::abs(W.at(k)[d * c + c]);
  const double mean = W.rows() > 0 ? sum / (d * W.rows()) : 0;
  norms.rho = mean > 0 ? 1 / mean : 1;
  return norms;
}

template <int D>
void residual_sums(const BlockMatrix& W, const Eigen::VectorXd& q, const ContactLaws<D>& laws,
                   const Eigen::VectorXd& r, const Norms& norms, Model model, int first, int last,
                   double* sums) {
  double natural2 = 0, scaled2 = 0, r2 = 0;
  for (int i = first; i < last; ++i) {
    const Part<D> u = velocity_at<D>(W, q.data(), r.data(), i);
    const Part<D> r_i = r.segment<D>(D * i);
    const Part<D> shifted_u = shifted<D>(laws[i], u, model);
    natural2 += natural_map<D>(laws[i], r_i, shifted_u, 1).squaredNorm();
    scaled2 += natural_map<D>(laws[i], r_i, shifted_u, norms.rho).squaredNorm();
    r2 += r_i.squaredNorm();
  }
  sums[0] = natural2;
  sums[1] = scaled2;
  sums[2] = r2;
}

template void residual_sums<2>(const BlockMatrix&, const Eigen::VectorXd&, const ContactLaws<2>&,
                               const Eigen::VectorXd&, const Norms&, Model, int, int, double*);
template void residual_sums<3>(const BlockMatrix&, const Eigen::VectorXd&, const ContactLaws<3>&,
                               const Eigen::VectorXd&, const Norms&, Model, int, int, double*);

namespace {

// ‖x‖ of numbers that come one after another, without overflow or underflow: scale² · sum.
class StableNorm {
 public:
  template <class Vector>
  void add(const Vector& x) {
    for (const double component : x) {
      const double size = std::abs(component);
      if (size > scale_) {
        sum_ = 1 + sum_ * (scale_ / size) * (scale_ / size);
        scale_ = size;
      } else if (size > 0) {
        sum_ += (size / scale_) * (size / scale_);
      }
    }
  }
  double value() const { return scale_ * std::sqrt(sum_); }

 private:
  double scale_ = 0, sum_ = 0;
};

}  // namespace

template <int D>
Certificate certificate_from(const ContactLaws<D>& laws, const Norms& norms,
                             const Eigen::VectorXd& r, const Eigen::VectorXd& u, Model model) {
  Certificate c;
  StableNorm natural, scaled;
  for (int i = 0; D * i < static_cast<int>(r.size()); ++i) {
    const Part<D> r_i = r.segment<D>(D * i), u_i = u.segment<D>(D * i);
    natural.add(natural_map<D>(laws[i], r_i, u_i, 1, model));
    scaled.add(natural_map<D>(laws[i], r_i, u_i, norms.rho, model));
    const double power = -r_i.template tail<D - 1>().dot(u_i.template tail<D - 1>());
    c.cone_violation = std::max(c.cone_violation, (r_i - laws[i].project(r_i)).stableNorm());
    c.penetration = std::max(c.penetration, -u_i[0]);
    c.complementarity = std::max(c.complementarity, std::abs(r_i[0] * u_i[0]));
    c.slip_alignment = std::max(c.slip_alignment, r_i[0] * laws[i].support(u_i) - power);
    c.dissipation += power;
  }
  c.natural_map = natural.value();
  c.relative = norms.q > 0 ? c.natural_map / norms.q : c.natural_map;
  const double error = scaled.value();
  c.scaled = error == 0 ? 0 : error / std::max(r.stableNorm(), norms.rho * norms.q);
  return c;
}

template Certificate certificate_from<2>(const ContactLaws<2>&, const Norms&,
                                         const Eigen::VectorXd&, const Eigen::VectorXd&, Model);
template Certificate certificate_from<3>(const ContactLaws<3>&, const Norms&,
                                         const Eigen::VectorXd&, const Eigen::VectorXd&, Model);

namespace {

template <int D>
Certificate certify_in(const ContactProblem& problem, const Eigen::VectorXd& r, Model model) {
  ContactLaws<D> laws;
  laws.assign(problem.laws);
  Eigen::VectorXd u(r.size());
  for (int i = 0; i < problem.contacts(); ++i)
    u.segment<D>(D * i) = velocity_at<D>(problem.W, problem.q.data(), r.data(), i);
  return certificate_from<D>(laws, problem_norms(problem.W, problem.q), r, u, model);
}

void require_solvable(const ContactProblem& problem, const Eigen::VectorXd& r) {
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2 or 3: rolling and torsional friction cannot be solved yet");
  if (problem.bilateral)
    throw InvalidInput("the problem has bilateral rows, expected them to be condensed");
  const Eigen::Index size = static_cast<Eigen::Index>(problem.dimension) * problem.contacts();
  if (r.size() != size)
    throw InvalidInput("reactions has " + std::to_string(r.size()) + " numbers, expected " +
                       std::to_string(size));
  for (Eigen::Index i = 0; i < r.size(); ++i)
    if (!std::isfinite(r[i]))
      throw InvalidInput("reactions[" + std::to_string(i / problem.dimension) + "] holds " +
                         text(r[i]) + ", expected a finite number");
}

}  // namespace

Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& reactions, Model model) {
  require_solvable(problem, reactions);
  return problem.dimension == 2 ? certify_in<2>(problem, reactions, model)
                                : certify_in<3>(problem, reactions, model);
}

Eigen::VectorXd dissipated_power(const ContactProblem& problem, const Eigen::VectorXd& reactions) {
  require_solvable(problem, reactions);
  const int d = problem.dimension;
  Eigen::VectorXd u = problem.q, power(problem.contacts());
  Eigen::VectorXd Wr;
  multiply(problem.W, reactions, Wr);
  u += Wr;
  for (int i = 0; i < problem.contacts(); ++i)
    power[i] = -reactions.segment(d * i + 1, d - 1).dot(u.segment(d * i + 1, d - 1));
  return power;
}

}  // namespace stiction
