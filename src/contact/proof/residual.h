// SPDX-License-Identifier: Apache-2.0
//
// The one definition of the residual, used by every solver and by the certificate.
#pragma once

#include <algorithm>
#include <limits>

#include "contact/one/contact_law.h"
#include "stiction/certificate.h"

namespace stiction {

// u += Σ_k block_k r[column_k] over `count` blocks in a row; four lanes at a time where the machine
// can.
void add_row_times(const double* block, const int* column, int count, const double* r, double* u,
                   std::integral_constant<int, 2>);
void add_row_times(const double* block, const int* column, int count, const double* r, double* u,
                   std::integral_constant<int, 3>);

// (W r + q)_i
template <int D>
inline Part<D> velocity_at(const BlockMatrix& W, const double* q, const double* r, int i) {
  const auto ii = static_cast<std::size_t>(i);
  Part<D> u = Eigen::Map<const Part<D>>(q + D * i);
  const int first = W.start[ii];
  add_row_times(W.at(first), W.column.data() + first, W.start[ii + 1] - first, r, u.data(),
                std::integral_constant<int, D>{});
  return u;
}

// The same, summed with twice the digits and rounded once: where W r nearly cancels, as under a
// heavy body on a light one, what is left is right.
template <int D>
Part<D> exact_velocity_at(const BlockMatrix& W, const double* q, const double* r, int i);

// û = u + h(u_t) e_n of one contact; u itself in the convex model.
template <int D>
inline Part<D> shifted(const ContactLaw<D>& law, Part<D> u, Model model) {
  if (model == Model::coulomb) u[0] += law.support(u);
  return u;
}

// r − P_K(r − ρ û) of one contact.
template <int D>
inline Part<D> natural_map(const ContactLaw<D>& law, const Part<D>& r, const Part<D>& shifted_u,
                           double rho) {
  return r - law.project(Part<D>(r - rho * shifted_u));
}
template <int D>
inline Part<D> natural_map(const ContactLaw<D>& law, const Part<D>& r, const Part<D>& u, double rho,
                           Model model) {
  return natural_map<D>(law, r, shifted<D>(law, u, model), rho);
}

// The same where r is so large that û is lost beside it.  The projection is homogeneous, P x = J x
// with J its derivative at x, so that r − P(r − ρ û) = (I − J) r + ρ J û.  A reaction on the cone's
// boundary is so to its own rounding: there the direction of û tells on which side x lies, and
// (I − J) r is zero.
template <int D>
inline Part<D> exact_natural_map(const ContactLaw<D>& law, const Part<D>& r,
                                 const Part<D>& shifted_u, double rho) {
  constexpr double own_rounding = 16 * std::numeric_limits<double>::epsilon();  // of r, over r
  const double unit = own_rounding * r.cwiseAbs().maxCoeff();
  const Part<D> step = rho * shifted_u;
  const double length = step.cwiseAbs().maxCoeff();
  Block<D> J;
  law.project(length < unit && length > 0 ? Part<D>(r - unit * (step / length)) : Part<D>(r - step),
              J);
  const Part<D> off = r - J * r;
  return off.cwiseAbs().maxCoeff() <= 4 * unit ? Part<D>(J * step) : Part<D>(off + J * step);
}

struct Norms {
  double q = 0;    // ‖q‖
  double rho = 1;  // 1/mean|diag W|, 1 where that is 0
};
Norms problem_norms(const BlockMatrix& W, const Eigen::VectorXd& q);

// The two errors that decide.
struct Errors {
  double relative = 0, scaled = 0;
  double rounding = 0;  // unit rounding times ‖r‖ over ρ‖q‖: what the errors cannot see below
  // Where W r or r itself rounds to more than this of q, they are summed with twice the digits:
  // large reactions swallow û in rounding and would look solved.
  static constexpr double usual_rounding = 1e-10;
  bool within(double tolerance) const { return relative <= tolerance && scaled <= tolerance; }
  // Nothing less can be expected.
  bool is_rounding() const { return rounding <= 1e-4 && worst() <= 4 * rounding; }
  double worst() const { return relative > scaled ? relative : scaled; }
};
// What is summed with twice the digits: nothing; r − ρ û, where r swallows û; and W r + q besides,
// where large terms cancel in it.
enum class Twice { nothing, map, velocities };
// The sums of squares of the natural maps with ρ = 1 and with the problem's ρ, and of r, over
// contacts first … last − 1.
template <int D>
void residual_sums(const BlockMatrix& W, const Eigen::VectorXd& q, const ContactLaws<D>& laws,
                   const Eigen::VectorXd& r, const Norms& norms, Model model, Twice twice,
                   int first, int last, double* sums);

// Unit rounding of the terms of W r over ‖q‖, each contact's by its own block.
template <int D>
double rounding_of_product(const BlockMatrix& W, const Eigen::VectorXd& r, const Norms& norms);

// The whole certificate of reactions r, and the velocities u = W r + q, with twice the digits where
// rounding would be felt; never NaN, infinite only where a double cannot hold it.
template <int D>
Certificate certificate_at(const BlockMatrix& W, const Eigen::VectorXd& q,
                           const ContactLaws<D>& laws, const Norms& norms, const Eigen::VectorXd& r,
                           Model model, Eigen::VectorXd& u);
// The same at velocities that are known.
template <int D>
Certificate certificate_from(const ContactLaws<D>& laws, const Norms& norms,
                             const Eigen::VectorXd& r, const Eigen::VectorXd& u, Model model,
                             bool exact = false);

// Within so many times the tolerance of two modes it is open which.
inline constexpr double undecided_margin = 100;
// The modes of a solution to this tolerance.
template <int D>
void find_modes(const ContactLaws<D>& laws, const Norms& norms, const Eigen::VectorXd& r,
                const Eigen::VectorXd& u, double tolerance, std::vector<Mode>& modes);

// What certify() gives, whether finite or not.
Certificate certify_any_size(const ContactProblem& problem, const Eigen::VectorXd& r, Model model);
bool is_finite(const Certificate& certificate);

// Unit rounding of velocities of this size, relative to ‖q‖.
inline double rounding_of(double velocity, const Norms& norms) {
  return norms.q > 0 ? std::numeric_limits<double>::epsilon() * velocity / norms.q : 0;
}

// From the sums of squares of the two natural maps and of r.
inline Errors errors_from(double natural2, double scaled2, double r2, const Norms& norms) {
  Errors e;
  e.relative = std::sqrt(natural2) / (norms.q > 0 ? norms.q : 1.0);
  const double size = std::max(std::sqrt(r2), norms.rho * norms.q);
  e.scaled = scaled2 == 0 ? 0 : std::sqrt(scaled2) / size;
  e.rounding = rounding_of(std::sqrt(r2) / norms.rho, norms);
  return e;
}

}  // namespace stiction
