// SPDX-License-Identifier: Apache-2.0
#include "contact/constraints/one_constraint.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "contact/constraints/block_rows.h"

namespace stiction {

namespace {

// Where μ‖D_nt‖ is of the size of D_nn one contact may have several solutions.
constexpr double nearly_wedged = 0.9;
// A part whose diagonal is this much less than the block's counts as having none.
constexpr double no_diagonal = 1e-14;

// Gauss elimination without pivots, for matrices whose symmetric part is positive definite.
template <int d>
struct Factors {
  double a[d][d];
  bool regular = true;

  Factors(const UpTo6x6& S, double beta) {
    for (int i = 0; i < d; ++i) {
      for (int k = 0; k < d; ++k) a[i][k] = S(i, k);
      a[i][i] += beta;
    }
    for (int i = 0; i < d; ++i) {
      regular = regular && a[i][i] > 0;
      a[i][i] = 1 / a[i][i];
      for (int k = i + 1; k < d; ++k) {
        const double l = a[k][i] *= a[i][i];
        for (int m = i + 1; m < d; ++m) a[k][m] -= l * a[i][m];
      }
    }
  }
  void solve(double* x) const {
    for (int i = 1; i < d; ++i)
      for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    for (int i = d - 1; i >= 0; --i) {
      for (int k = i + 1; k < d; ++k) x[i] -= a[i][k] * x[k];
      x[i] *= a[i][i];
    }
  }
};

template <int d>
double dot(const double* x, const double* y) {
  double sum = 0;
  for (int k = 0; k < d; ++k) sum += x[k] * y[k];
  return sum;
}

}  // namespace

void OneConstraint::set(const ConstraintLaw& law, const double* block) {
  const int n = law.rows(), t = law.tangent();
  D_ = Eigen::Map<const Eigen::MatrixXd>(block, n, n);
  D_ = law.scale().asDiagonal() * D_ * law.scale().asDiagonal();
  for (int k = 0; k < n; ++k)
    if (law.is_dead(k)) {
      D_.row(k).setZero();
      D_.col(k).setZero();
    }
  bound_ = D_.cwiseAbs().rowwise().sum().maxCoeff();
  double whole = 0;
  for (int k = 0; k < n; ++k) whole = std::max(whole, std::abs(D_(k, k)));
  steepness_ = UpTo6::Constant(n, whole);
  const auto settle = [&](int from, int size) {
    double sum = 0;
    int alive = 0;
    for (int k = from; k < from + size; ++k)
      if (!law.is_dead(k)) {
        sum += std::abs(D_(k, k));
        ++alive;
      }
    if (alive > 0 && sum > no_diagonal * whole)
      steepness_.segment(from, size).setConstant(sum / alive);
  };
  if (t == 1 || law.kind() == ConstraintLaw::Kind::limit) settle(0, 1);
  if (law.kind() != ConstraintLaw::Kind::limit)
    for (const ConstraintLaw::Part& part : law.parts()) settle(part.from, part.size);
  beta_ = 0;
  if (law.kind() == ConstraintLaw::Kind::bilateral) {
    inverse_ = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(D_).pseudoInverse();
    return;
  }
  nn_ = D_(0, 0);
  one_ball_ = law.is_balls() && law.parts().size() <= 1 && law.kind() != ConstraintLaw::Kind::limit;
  if (t == 1) {
    double push = 0;
    if (law.is_balls())
      for (const ConstraintLaw::Part& part : law.parts())
        push += D_.row(0).segment(part.from, part.size).norm();
    else
      push = law.section().support(D_.row(0).tail(n - 1)) +
             law.section().support(-D_.row(0).tail(n - 1));
    wedged_ = push >= nearly_wedged * nn_;
  }
  S_ = D_.bottomRightCorner(n - t, n - t);
  if (t == 1 && nn_ > 0) S_ -= D_.col(0).tail(n - 1) * D_.row(0).tail(n - 1) / nn_;
  trace_ = S_.trace();
  for (int k = 0; k < n - t; ++k)
    if (law.is_dead(k + t)) S_(k, k) = 1;
}

bool OneConstraint::solve(const ConstraintLaw& law, Model model, const double* b, double* r) {
  const int n = law.rows();
  if (law.kind() == ConstraintLaw::Kind::limit) {
    r[0] = b[0] >= 0 ? 0 : nn_ > 0 ? -b[0] / nn_ : 0;
    return b[0] >= 0 || nn_ > 0;
  }
  const Eigen::Map<const Eigen::VectorXd> given(b, n);
  Eigen::Map<Eigen::VectorXd> reaction(r, n);
  if (law.kind() == ConstraintLaw::Kind::bilateral) {
    const UpTo6 u = given + D_ * reaction;
    reaction -= inverse_ * u;
    return true;
  }
  UpTo6 scaled = given.cwiseProduct(law.scale());
  for (int k = 0; k < n; ++k)
    if (law.is_dead(k)) scaled[k] = 0;
  UpTo6 s = UpTo6::Zero(n);
  s = reaction.cwiseQuotient(law.scale());
  const bool contact = law.kind() == ConstraintLaw::Kind::contact;
  bool found = false;
  if (contact && model == Model::coulomb && b[0] >= 0 && !(wedged_ && s[0] > 0)) {
    s.setZero();
    found = true;
  } else if (contact && n == 1) {
    s[0] = nn_ > 0 ? -b[0] / nn_ : 0;
    found = nn_ > 0;
  } else if (one_ball_ && (!contact || (model == Model::coulomb && nn_ > 0 && b[0] < 0))) {
    found = with_rows(n - law.tangent(), [&](auto d) { return solve_ball<d()>(law, scaled, s); });
  }
  if (!found) found = solve_any(law, model, scaled, s);
  reaction = s.cwiseProduct(law.scale());
  return found;
}

template <int d>
bool OneConstraint::solve_ball(const ConstraintLaw& law, const UpTo6& b, UpTo6& s) {
  const int t = law.tangent();
  const double nu = t == 1 ? -b[0] / nn_ : 1, inverse = t == 1 ? 1 / nn_ : 0;
  double c[d], nt[d], x[d], y[d];
  for (int k = 0; k < d; ++k) {
    const bool dead = law.is_dead(k + t);
    c[k] = dead ? 0 : b[k + t] + (t == 1 ? D_(k + 1, 0) * nu : 0);
    nt[k] = t == 1 && !dead ? D_(0, k + 1) : 0;
  }
  const auto force_at = [&](double beta) {  // x = s(β); whether that is one
    const Factors<d> factors(S_, beta);
    for (int k = 0; k < d; ++k) x[k] = -c[k];
    factors.solve(x);
    for (int k = 0; k < d; ++k) y[k] = -x[k];
    factors.solve(y);  // ds/dβ
    return factors.regular;
  };
  const auto normal = [&] { return nu - dot<d>(nt, x) * inverse; };
  const auto take = [&](double n, double fit) {
    if (t == 1) s[0] = n;
    for (int k = 0; k < d; ++k) s[k + t] = fit * x[k];
    return true;
  };
  if (force_at(0)) {
    const double n = normal();
    if (n >= 0 && dot<d>(x, x) <= n * n) return take(n, 1);
  }
  // Newton on n/‖s‖ − 1, which is nearly linear in β, as in one/one_contact.h.
  double low = 0, high = infinity;
  const int most = beta_ > 0 ? 3 : 60;
  double beta =
      beta_ > 0 ? beta_ : std::max(std::sqrt(dot<d>(c, c)) / nu - trace_ / d, 1e-8 * trace_);
  double n = 0, length = 0;
  for (int i = 0; i < most; ++i) {
    const bool regular = force_at(beta);
    n = normal();
    const double square = dot<d>(x, x);
    length = std::sqrt(square);
    const double g = n - length;
    (!regular || g < 0 ? low : high) = beta;
    double next = infinity;
    if (regular && length > 0) {
      const double slope = -dot<d>(nt, y) * inverse;
      next = beta - g * square / (slope * square - n * dot<d>(x, y));
      if (std::abs(g) <= 1e-15 * (std::abs(n) + length)) break;
      if (std::abs(next - beta) <= 4e-16 * beta) break;
    }
    if (!(next > low && next < high))
      next = high < infinity ? 0.5 * (low + high) : 2 * beta + std::abs(trace_);
    if (i + 1 < most) beta = next;
  }
  const bool good = n > 0 && length > 0 && std::isfinite(length) && std::isfinite(beta);
  beta_ = good ? beta : 0;
  return good && take(n, n / length);
}

bool OneConstraint::solve_any(const ConstraintLaw& law, Model model, const UpTo6& b,
                              UpTo6& s) const {
  if (!(bound_ > 0)) return false;
  constexpr int most = 40, halvings = 8;
  const bool natural = model == Model::convex && law.kind() == ConstraintLaw::Kind::contact;
  const UpTo6 rho = steepness_.cwiseInverse();
  const auto at = [&](const UpTo6& x) {
    const UpTo6 v = D_ * x + b;
    return natural ? law.natural(x, v, 1 / bound_)
                   : law.alart_curnier(x, v, rho, Derivative::hueber);
  };
  UpTo6 x = s;
  LinearisedConstraint l = at(x);
  double error = l.F.norm();
  for (int k = 0; k < most; ++k) {
    // The function itself is exact to some units of rounding of its terms.
    const UpTo6 terms = D_.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    const double little = 4e-16 * (x.norm() + rho.cwiseProduct(terms).norm());
    if (error <= little) break;
    const UpTo6x6 J = l.A * D_ + l.B;
    const UpTo6 step = -Eigen::PartialPivLU<UpTo6x6>(J).solve(l.F);
    if (!step.allFinite()) break;
    double t = 1;
    bool accepted = false;
    for (int h = 0; h < halvings && !accepted; ++h, t /= 2) {
      const UpTo6 trial = x + t * step;
      LinearisedConstraint there = at(trial);
      const double norm = there.F.norm();
      accepted = norm < error;
      if (accepted) {
        x = trial;
        l = std::move(there);
        error = norm;
      }
    }
    if (!accepted) {
      if (error <= 1e3 * little) break;
      // Downhill no step helps: the next piece may be better.
      if (k + 1 == most || k % 4 == 3) break;
      x += step;
      l = at(x);
      error = l.F.norm();
    }
  }
  const UpTo6 terms = D_.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  if (error <= 1e-12 * (x.norm() + rho.cwiseProduct(terms).norm())) {
    s = law.project_scaled(x);
    return true;
  }
  UpTo6 v = D_ * s + b;
  if (model == Model::coulomb && law.kind() == ConstraintLaw::Kind::contact) {
    // In the scaled rows h is the sum of the parts' lengths.
    if (law.is_balls())
      for (const ConstraintLaw::Part& part : law.parts())
        v[0] += v.segment(part.from, part.size).norm();
    else
      v[0] += law.section().support(v.tail(law.rows() - 1));
  }
  s = law.project_scaled(s - v / bound_);
  return false;
}

}  // namespace stiction
