// SPDX-License-Identifier: Apache-2.0
//
// The residual, the certificate and the modes of constraints of any kind: natural maps, each in
// its own set, on W + R and q + b.
#include <algorithm>
#include <cmath>

#include "contact/constraints/constraint_workspace.h"

namespace stiction {

namespace {

using Kind = Constraint::Kind;

// r − P(r − ρ û).  Where û is lost beside r, cones, on which P x = J x, tell what is left.
UpTo6 natural_map(const ConstraintLaw& law, const UpTo6& r, const UpTo6& shifted, double rho,
                  bool exact) {
  if (law.kind() == Kind::bilateral) return rho * shifted;
  if (!exact || law.kind() == Kind::fixed) return r - law.project(r - rho * shifted);
  const UpTo6x6 J = law.project_with_derivative(r - rho * shifted).derivative;
  return r - J * r + rho * (J * shifted);
}

// Whether f lies in `normal` times the section, and would by so much less.
bool is_inside(const Section& section, const UpTo6& f, double normal, double force) {
  const double reach = section.reach();
  return reach > 0 && section.contains(f, normal - force / reach);
}

Mode contact_mode(const ConstraintLaw& law, const UpTo6& r, const UpTo6& u, double force,
                  double speed) {
  const bool pressed = r[0] > force, apart = u[0] > speed;
  if (!pressed) return apart ? Mode::open : Mode::undecided;
  if (apart) return Mode::undecided;
  const Eigen::Index d = r.size() - 1;
  if (d == 0) return Mode::slip;
  if (u.tail(d).norm() > speed) return Mode::slip;
  return is_inside(law.section(), -r.tail(d), r[0], force) ? Mode::stick : Mode::undecided;
}

Mode fixed_mode(const ConstraintLaw& law, const UpTo6& r, const UpTo6& u, double force,
                double speed) {
  if (u.norm() > speed) return Mode::slip;
  return is_inside(law.section(), -r, 1, force) ? Mode::stick : Mode::undecided;
}

void add_parts(const ConstraintLaw& law, const UpTo6& r, const UpTo6& u, Certificate& c) {
  const UpTo6 power = -r.cwiseProduct(u);
  if (law.kind() == Kind::fixed) c.joint_dissipation += power.sum();
  if (law.kind() != Kind::contact) return;
  const Eigen::Index d = r.size() - 1, slips = std::min<Eigen::Index>(d, 2);
  const Eigen::Index spins = d == 3 || d == 5 ? 1 : 0;
  c.slip_dissipation += power.segment(1, slips).sum();
  c.spin_dissipation += power.segment(1 + slips, spins).sum();
  c.rolling_dissipation += power.tail(d - slips - spins).sum();
}

}  // namespace

ConstraintSystem::ConstraintSystem(const ConstraintProblem& problem) : q(problem.q) {
  const auto rows = problem.q.size();
  std::vector<int> offset{0};
  Eigen::VectorXd compliance = Eigen::VectorXd::Zero(rows);
  for (const Constraint& constraint : problem.constraints) {
    const int from = offset.back(), size = constraint.rows();
    for (std::size_t k = 0; k < constraint.compliance.size(); ++k)
      compliance[from + static_cast<int>(k)] = constraint.compliance[k];
    for (std::size_t k = 0; k < constraint.bias.size(); ++k)
      q[from + static_cast<int>(k)] += constraint.bias[k];
    if (constraint.kind != Kind::bilateral || size <= most_rows) {
      laws.emplace_back(constraint);
      continues.push_back(false);
      offset.push_back(from + size);
      continue;
    }
    for (int left = size; left > 0; left -= most_rows) {
      const int piece = std::min(left, most_rows);
      laws.emplace_back(bilateral_constraint(piece));
      continues.push_back(left < size);
      offset.push_back(offset.back() + piece);
    }
  }
  W.assign(offset, problem.W, compliance);
  norms.q = q.stableNorm();
  const double sum = (problem.W.diagonal() + compliance).cwiseAbs().sum();
  norms.rho = sum > 0 ? static_cast<double>(rows) / sum : 1;
}

UpTo6 ConstraintSystem::velocity(const Eigen::VectorXd& r, int i, bool exact) const {
  UpTo6 u = part(q, i);
  if (exact)
    W.exact_row_times(i, q.data() + W.offset[static_cast<std::size_t>(i)], r.data(), u.data());
  else
    W.add_row_times(i, r.data(), u.data());
  return u;
}

double ConstraintSystem::rounding(const Eigen::VectorXd& r) const {
  double sum = 0;
  for (int i = 0; i < count(); ++i) {
    const double* block = W.at(W.diagonal[static_cast<std::size_t>(i)]);
    for (int c = 0; c < W.size(i); ++c) {
      const double u = block[c * (W.size(i) + 1)] * r[W.offset[static_cast<std::size_t>(i)] + c];
      sum += u * u;
    }
  }
  return rounding_of(std::sqrt(sum), norms);
}

Errors ConstraintSystem::errors(const Eigen::VectorXd& r, Model model) const {
  const double product = rounding(r);
  const bool exact = product > Errors::usual_rounding;
  double natural = 0, scaled = 0;
  for (int i = 0; i < count(); ++i) {
    const ConstraintLaw& law = laws[static_cast<std::size_t>(i)];
    const UpTo6 r_i = part(r, i), shifted = law.shifted(velocity(r, i, exact), model);
    natural += natural_map(law, r_i, shifted, 1, exact).squaredNorm();
    scaled += natural_map(law, r_i, shifted, norms.rho, exact).squaredNorm();
  }
  Errors errors = errors_from(natural, scaled, r.squaredNorm(), norms);
  if (exact) errors.rounding = product;
  return errors;
}

Certificate ConstraintSystem::certificate(const Eigen::VectorXd& r, Model model,
                                          Eigen::VectorXd& u) const {
  const bool exact = rounding(r) > Errors::usual_rounding;
  Certificate c;
  u.resize(r.size());
  Eigen::VectorXd natural(r.size()), scaled(r.size());
  for (int i = 0; i < count(); ++i) {
    const ConstraintLaw& law = laws[static_cast<std::size_t>(i)];
    const int from = W.offset[static_cast<std::size_t>(i)], n = W.size(i);
    const UpTo6 r_i = part(r, i), u_i = velocity(r, i, exact);
    u.segment(from, n) = u_i;
    const UpTo6 shifted = law.shifted(u_i, model);
    natural.segment(from, n) = natural_map(law, r_i, shifted, 1, exact);
    scaled.segment(from, n) = natural_map(law, r_i, shifted, norms.rho, exact);
    c.cone_violation = std::max(c.cone_violation, (r_i - law.project(r_i)).stableNorm());
    if (law.kind() == Kind::bilateral) {
      c.penetration = std::max(c.penetration, u_i.cwiseAbs().maxCoeff());
      continue;
    }
    if (law.kind() != Kind::fixed) {
      c.penetration = std::max(c.penetration, -u_i[0]);
      c.complementarity = std::max(c.complementarity, std::abs(r_i[0] * u_i[0]));
    }
    const int t = law.tangent();
    if (law.kind() == Kind::limit || n == t) continue;
    const double power = -r_i.tail(n - t).dot(u_i.tail(n - t));
    c.slip_alignment =
        std::max(c.slip_alignment, (t == 1 ? r_i[0] : 1.0) * law.support(u_i) - power);
    c.dissipation += power;
    add_parts(law, r_i, u_i, c);
  }
  c.natural_map = natural.stableNorm();
  c.relative = norms.q > 0 ? c.natural_map / norms.q : c.natural_map;
  const double error = scaled.stableNorm();
  c.scaled = error == 0 ? 0 : error / std::max(r.stableNorm(), norms.rho * norms.q);
  return c;
}

std::vector<Mode> ConstraintSystem::modes(const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                                          double tolerance) const {
  const double force = undecided_margin * tolerance * std::max(r.stableNorm(), norms.rho * norms.q);
  const double speed = force / norms.rho;
  std::vector<Mode> modes;
  for (int i = 0; i < count(); ++i) {
    if (continues[static_cast<std::size_t>(i)]) continue;
    const ConstraintLaw& law = laws[static_cast<std::size_t>(i)];
    const UpTo6 r_i = part(r, i), u_i = part(u, i);
    switch (law.kind()) {
      case Kind::contact:
        modes.push_back(contact_mode(law, r_i, u_i, force, speed));
        break;
      case Kind::fixed:
        modes.push_back(fixed_mode(law, r_i, u_i, force, speed));
        break;
      case Kind::limit:
        modes.push_back(r_i[0] > force   ? Mode::stick
                        : u_i[0] > speed ? Mode::open
                                         : Mode::undecided);
        break;
      case Kind::bilateral:
        modes.push_back(Mode::stick);
        break;
    }
  }
  return modes;
}

namespace {

void require_reactions(const ConstraintProblem& problem, const Eigen::VectorXd& reactions) {
  if (reactions.size() != problem.q.size())
    throw InvalidInput("reactions has " + std::to_string(reactions.size()) + " numbers, expected " +
                       std::to_string(problem.q.size()));
  for (Eigen::Index i = 0; i < reactions.size(); ++i)
    if (!(std::abs(reactions[i]) <= 0x1p300))
      throw InvalidInput("reactions[" + std::to_string(i) + "] is " + text(reactions[i]) +
                         ", expected a number that the problem's sizes allow");
}

}  // namespace

Certificate certify(const ConstraintProblem& problem, const Eigen::VectorXd& reactions,
                    Model model) {
  validate(problem);
  require_reactions(problem, reactions);
  Eigen::VectorXd u;
  const Certificate c = ConstraintSystem(problem).certificate(reactions, model, u);
  if (!is_finite(c))
    throw InvalidInput("reactions is up to " + text(reactions.cwiseAbs().maxCoeff()) +
                       ", expected a size whose velocities W r + q and powers a double can hold");
  return c;
}

std::vector<Mode> modes_at(const ConstraintProblem& problem, const Eigen::VectorXd& reactions,
                           const Eigen::VectorXd& velocities, double tolerance) {
  validate(problem);
  require_reactions(problem, reactions);
  if (velocities.size() != problem.q.size())
    throw InvalidInput("velocities has " + std::to_string(velocities.size()) +
                       " numbers, expected " + std::to_string(problem.q.size()));
  return ConstraintSystem(problem).modes(reactions, velocities, tolerance);
}

}  // namespace stiction
