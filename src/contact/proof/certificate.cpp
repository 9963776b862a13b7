// SPDX-License-Identifier: Apache-2.0
#include "stiction/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cone/compensated.h"
#include "contact/problem/units.h"
#include "contact/proof/residual.h"

namespace stiction {

namespace {

constexpr double greatest = std::numeric_limits<double>::max();

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
    if (large_ > 0) return up * std::sqrt(large_ + usual_ * down * down);
    if (usual_ != 0) return std::sqrt(usual_ + small_ * down * down);  // or not a number
    return down * std::sqrt(small_);
  }

 private:
  static constexpr double low = 0x1p-500, high = 0x1p500;
  // Squares of any number beyond low and high times these are in range.
  static constexpr double down = 0x1p-600, up = 0x1p600;

  void add_unusual(const double* x, Eigen::Index size) {
    for (Eigen::Index i = 0; i < size; ++i)
      if (const double a = std::abs(x[i]); a > high)
        large_ += (a * down) * (a * down);
      else if (a < low)
        small_ += (a * up) * (a * up);
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
  const int d = W.block;
  const auto sum = [&](double factor) {
    double total = 0;
    for (int i = 0; i < W.rows(); ++i)
      for (int k = W.start[static_cast<std::size_t>(i)];
           k < W.start[static_cast<std::size_t>(i) + 1]; ++k)
        if (W.column[static_cast<std::size_t>(k)] == i)
          for (int c = 0; c < d; ++c) total += std::abs(factor * W.at(k)[d * c + c]);
    return total;
  };
  double mean = W.rows() > 0 ? sum(1) / (d * W.rows()) : 0;
  if (!std::isfinite(mean)) mean = sum(1.0 / (d * W.rows()));
  norms.rho = mean > 0 ? 1 / mean : 1;
  // Beyond the range of doubles: the nearest inside it.
  norms.rho = std::clamp(norms.rho, 1 / greatest, greatest);
  return norms;
}

template <int D>
Part<D> exact_velocity_at(const BlockMatrix& W, const double* q, const double* r, int i) {
  Twofold u[D];
  for (int c = 0; c < D; ++c) u[c].high = q[D * i + c];
  const auto ii = static_cast<std::size_t>(i);
  for (int k = W.start[ii]; k < W.start[ii + 1]; ++k) {
    const double* block = W.at(k);
    const double* x = r + D * W.column[static_cast<std::size_t>(k)];
    for (int b = 0; b < D; ++b)
      for (int c = 0; c < D; ++c) u[c] = u[c] + Twofold::product(block[D * b + c], x[b]);
  }
  Part<D> rounded;
  for (int c = 0; c < D; ++c) rounded[c] = u[c].value();
  return rounded;
}

template Part<2> exact_velocity_at<2>(const BlockMatrix&, const double*, const double*, int);
template Part<3> exact_velocity_at<3>(const BlockMatrix&, const double*, const double*, int);

template <int D>
double rounding_of_product(const BlockMatrix& W, const Eigen::VectorXd& r, const Norms& norms) {
  StableNorm velocity;
  for (int i = 0; i < W.rows(); ++i) {
    const auto ii = static_cast<std::size_t>(i);
    const auto first = W.column.begin() + W.start[ii], last = W.column.begin() + W.start[ii + 1];
    const double* block =
        W.at(static_cast<int>(std::lower_bound(first, last, i) - W.column.begin()));
    Part<D> u;
    for (int c = 0; c < D; ++c) u[c] = block[(D + 1) * c] * r[D * i + c];
    velocity.add(u);
  }
  return rounding_of(velocity.value(), norms);
}

template double rounding_of_product<2>(const BlockMatrix&, const Eigen::VectorXd&, const Norms&);
template double rounding_of_product<3>(const BlockMatrix&, const Eigen::VectorXd&, const Norms&);

template <int D>
void residual_sums(const BlockMatrix& W, const Eigen::VectorXd& q, const ContactLaws<D>& laws,
                   const Eigen::VectorXd& r, const Norms& norms, Model model, Twice twice,
                   int first, int last, double* sums) {
  double natural2 = 0, scaled2 = 0, r2 = 0;
  for (int i = first; i < last; ++i) {
    const Part<D> r_i = r.segment<D>(D * i);
    if (twice != Twice::nothing) {
      const Part<D> u = twice == Twice::velocities ? exact_velocity_at<D>(W, q.data(), r.data(), i)
                                                   : velocity_at<D>(W, q.data(), r.data(), i);
      const Part<D> shifted_u = shifted<D>(laws[i], u, model);
      natural2 += exact_natural_map<D>(laws[i], r_i, shifted_u, 1).squaredNorm();
      scaled2 += exact_natural_map<D>(laws[i], r_i, shifted_u, norms.rho).squaredNorm();
      r2 += r_i.squaredNorm();
      continue;
    }
    const Part<D> u = velocity_at<D>(W, q.data(), r.data(), i);
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
                               const Eigen::VectorXd&, const Norms&, Model, Twice, int, int,
                               double*);
template void residual_sums<3>(const BlockMatrix&, const Eigen::VectorXd&, const ContactLaws<3>&,
                               const Eigen::VectorXd&, const Norms&, Model, Twice, int, int,
                               double*);

namespace {

// 2^−unit (r − P_K(r − ρ û)) of one contact; K is a cone.
template <int D>
Part<D> natural_map_in(int unit, const ContactLaw<D>& law, const InUnit<D>& r,
                       const InUnit<D>& shifted_u, double rho, bool exact) {
  const int power = unit_of(rho), step = shifted_u.exponent + power;
  const auto map = [&](const Part<D>& a, const Part<D>& b, double c) {
    return exact ? exact_natural_map<D>(law, a, b, c) : natural_map<D>(law, a, b, c);
  };
  if (r.exponent == 0 && shifted_u.exponent == 0 && unit == 0 && power == 0)
    return map(r.mantissa, shifted_u.mantissa, rho);
  const bool no_r = r.mantissa.isZero(0), no_u = shifted_u.mantissa.isZero(0);
  const int own = no_r ? step : no_u ? r.exponent : std::max(r.exponent, step);
  return times_power(map(times_power(r.mantissa, r.exponent - own),
                         times_power(shifted_u.mantissa, step - own), times_power(rho, -power)),
                     own - unit);
}

// The unit of max(‖r‖, ρ‖q‖), and that in this unit.
struct Size {
  Size(double r, const Norms& norms) {
    value = std::max(r, norms.rho * norms.q);
    if (unit_of(r) == 0 && unit_of(norms.q) == 0 && unit_of(norms.rho) == 0) return;
    const int rho = std::ilogb(norms.rho);
    unit = std::max(r > 0 ? std::ilogb(r) : least, norms.q > 0 ? rho + std::ilogb(norms.q) : least);
    if (unit == least) unit = 0;  // both zero
    value = std::max(times_power(r, -unit),
                     times_power(norms.rho, -rho) * times_power(norms.q, rho - unit));
  }

  static constexpr int least = std::numeric_limits<int>::min();
  int unit = 0;
  double value = 0;
};

}  // namespace

bool is_finite(const Certificate& c) {
  for (const double x : {c.natural_map, c.relative, c.scaled, c.cone_violation, c.penetration,
                         c.complementarity, c.slip_alignment, c.dissipation})
    if (!std::isfinite(x)) return false;
  return true;
}

template <int D>
Certificate certificate_from(const ContactLaws<D>& laws, const Norms& norms,
                             const Eigen::VectorXd& r, const Eigen::VectorXd& u, Model model,
                             bool exact) {
  exact = exact || rounding_of(stable_norm(r), norms) > Errors::usual_rounding;
  Certificate c;
  if (!u.allFinite() || !std::isfinite(norms.q)) {
    c.natural_map = c.relative = c.scaled = infinity;
    return c;
  }
  const Size size(std::min(stable_norm(r), greatest), norms);
  const int of_q = unit_of(norms.q);
  const int of_power =
      r.size() == 0 ? 0 : unit_of(r.cwiseAbs().maxCoeff()) + unit_of(u.cwiseAbs().maxCoeff());
  StableNorm natural, scaled;
  for (int i = 0; D * i < static_cast<int>(r.size()); ++i) {
    const InUnit<D> r_i(Part<D>(r.segment<D>(D * i))), u_i(Part<D>(u.segment<D>(D * i)));
    const Part<D>&a = r_i.mantissa, &b = u_i.mantissa;
    InUnit<D> shifted_u(shifted<D>(laws[i], b, model));
    shifted_u.exponent += u_i.exponent;
    natural.add(natural_map_in<D>(of_q, laws[i], r_i, shifted_u, 1, exact));
    scaled.add(natural_map_in<D>(size.unit, laws[i], r_i, shifted_u, norms.rho, exact));
    const auto held = [&](double power) {
      return times_power(power, r_i.exponent + u_i.exponent - of_power);
    };
    const double power = held(-a.template tail<D - 1>().dot(b.template tail<D - 1>()));
    c.cone_violation = std::max(
        c.cone_violation, times_power(stable_norm(Part<D>(a - laws[i].project(a))), r_i.exponent));
    c.penetration = std::max(c.penetration, -u[D * i]);
    c.complementarity = std::max(c.complementarity, held(std::abs(a[0] * b[0])));
    c.slip_alignment = std::max(c.slip_alignment, held(a[0] * laws[i].support(b)) - power);
    c.dissipation += power;
  }
  c.natural_map = times_power(natural.value(), of_q);
  c.relative = norms.q > 0 ? natural.value() / times_power(norms.q, -of_q) : c.natural_map;
  const double error = scaled.value();
  c.scaled = error == 0 ? 0 : error / size.value;
  for (double* power : {&c.complementarity, &c.slip_alignment, &c.dissipation})
    *power = times_power(*power, of_power);
  c.slip_dissipation = c.dissipation;
  return c;
}

template Certificate certificate_from<2>(const ContactLaws<2>&, const Norms&,
                                         const Eigen::VectorXd&, const Eigen::VectorXd&, Model,
                                         bool);
template Certificate certificate_from<3>(const ContactLaws<3>&, const Norms&,
                                         const Eigen::VectorXd&, const Eigen::VectorXd&, Model,
                                         bool);

template <int D>
Certificate certificate_at(const BlockMatrix& W, const Eigen::VectorXd& q,
                           const ContactLaws<D>& laws, const Norms& norms, const Eigen::VectorXd& r,
                           Model model, Eigen::VectorXd& u) {
  const bool exact = rounding_of_product<D>(W, r, norms) > Errors::usual_rounding;
  u.resize(r.size());
  for (int i = 0; i < W.rows(); ++i)
    u.segment<D>(D * i) = exact ? exact_velocity_at<D>(W, q.data(), r.data(), i)
                                : velocity_at<D>(W, q.data(), r.data(), i);
  return certificate_from<D>(laws, norms, r, u, model, exact);
}

template Certificate certificate_at<2>(const BlockMatrix&, const Eigen::VectorXd&,
                                       const ContactLaws<2>&, const Norms&, const Eigen::VectorXd&,
                                       Model, Eigen::VectorXd&);
template Certificate certificate_at<3>(const BlockMatrix&, const Eigen::VectorXd&,
                                       const ContactLaws<3>&, const Norms&, const Eigen::VectorXd&,
                                       Model, Eigen::VectorXd&);

namespace {

template <int D>
Certificate certify_in(const ContactProblem& problem, const Eigen::VectorXd& r, Model model) {
  ContactLaws<D> laws;
  laws.assign(problem.laws);
  Eigen::VectorXd u;
  return certificate_at<D>(problem.W, problem.q, laws, problem_norms(problem.W, problem.q), r,
                           model, u);
}

}  // namespace

Certificate certify_any_size(const ContactProblem& problem, const Eigen::VectorXd& r, Model model) {
  return problem.dimension == 2 ? certify_in<2>(problem, r, model)
                                : certify_in<3>(problem, r, model);
}

}  // namespace stiction
