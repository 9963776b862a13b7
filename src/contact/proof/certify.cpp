// SPDX-License-Identifier: Apache-2.0
//
// The certificate as anybody asks for it: of reactions that may be wrong in size, for contacts of
// two or three rows, or of five.
#include "contact/proof/residual.h"
#include "stiction/constraint_problem.h"

namespace stiction {

namespace {

void require_solvable(const ContactProblem& problem, const Eigen::VectorXd& r) {
  if (problem.dimension != 2 && problem.dimension != 3 && problem.dimension != 5)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2, 3 or 5");
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
  if (problem.dimension == 5) return certify(written_out(problem), reactions, model);
  const Certificate c = certify_any_size(problem, reactions, model);
  if (!is_finite(c))
    throw InvalidInput("reactions is up to " + text(reactions.cwiseAbs().maxCoeff()) +
                       ", expected a size whose velocities W r + q and powers a double can hold");
  return c;
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
