// SPDX-License-Identifier: Apache-2.0
#include "stiction/certificate.h"

#include <algorithm>
#include <cmath>

#include "contact/residual.h"

namespace stiction {

namespace {

// ‖x‖ of vectors that come one after another, without overflow or underflow: squares of what is too
// large or too small for it are summed apart, scaled.
class StableNorm {
 public:
  template <class Vector>
  void add(const Vector& x) {
    const double square = x.squaredNorm();
    if (square > low && square < high)
      usual_ += square;
    else if (square != 0 || !x.isZero(0))
      add_unusual(x.data(), x.size());
  }
  double value() const {
    if (large_ > 0) return high * std::sqrt(large_ + usual_ * low * low);
    if (usual_ != 0) return std::sqrt(usual_ + small_ * low * low);  // or not a number
    return low * std::sqrt(small_);
  }

 private:
  static constexpr double low = 0x1p-500, high = 0x1p500;

  void add_unusual(const double* x, Eigen::Index size) {
    for (Eigen::Index i = 0; i < size; ++i)
      if (const double a = std::abs(x[i]); a > high)
        large_ += (a * low) * (a * low);
      else if (a < low)
        small_ += (a * high) * (a * high);
      else
        usual_ += a * a;
  }

  double large_ = 0, usual_ = 0, small_ = 0;
};

template <class Vector>
double stable_norm(const Vector& x) {
  StableNorm norm;
  norm.add(x);
  return norm.value();
}

}  // namespace

Norms problem_norms(const BlockMatrix& W, const Eigen::VectorXd& q) {
  Norms norms;
  norms.q = stable_norm(q);
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

template <int D>
Certificate certificate_from(const ContactLaws<D>& laws, const Norms& norms,
                             const Eigen::VectorXd& r, const Eigen::VectorXd& u, Model model) {
  Certificate c;
  StableNorm natural, scaled;
  for (int i = 0; D * i < static_cast<int>(r.size()); ++i) {
    const Part<D> r_i = r.segment<D>(D * i), u_i = u.segment<D>(D * i);
    const Part<D> shifted_u = shifted<D>(laws[i], u_i, model);
    natural.add(natural_map<D>(laws[i], r_i, shifted_u, 1));
    scaled.add(natural_map<D>(laws[i], r_i, shifted_u, norms.rho));
    const double power = -r_i.template tail<D - 1>().dot(u_i.template tail<D - 1>());
    c.cone_violation = std::max(c.cone_violation, stable_norm(Part<D>(r_i - laws[i].project(r_i))));
    c.penetration = std::max(c.penetration, -u_i[0]);
    c.complementarity = std::max(c.complementarity, std::abs(r_i[0] * u_i[0]));
    c.slip_alignment = std::max(c.slip_alignment, r_i[0] * laws[i].support(u_i) - power);
    c.dissipation += power;
  }
  c.natural_map = natural.value();
  c.relative = norms.q > 0 ? c.natural_map / norms.q : c.natural_map;
  const double error = scaled.value();
  c.scaled = error == 0 ? 0 : error / std::max(stable_norm(r), norms.rho * norms.q);
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
