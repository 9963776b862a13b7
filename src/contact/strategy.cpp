// SPDX-License-Identifier: Apache-2.0
#include "contact/strategy.h"

#include "contact/bodies/solve_bodies.h"
#include "contact/methods/matrix_free.h"
#include "contact/problem/units.h"
#include "contact/problem/validate.h"

namespace stiction {

namespace {

// Whether the bodies have so many contacts in common that W would be nearly singular.
bool is_crowded(const GlobalProblem& problem) {
  const GlobalStrategy& at = strategy.global;
  return problem.contacts() >= at.handful &&
         3 * problem.contacts() > at.crowded * static_cast<double>(problem.M.rows());
}

// Whether the factors are so sparse that nothing else is faster.
bool factors_pay(double products, int contacts) {
  const GlobalStrategy& at = strategy.global;
  return products <= std::max(at.few_products, at.few_products_each * contacts);
}

bool bodies_solve(const GlobalProblem& problem, Method method, bodies::BodySolver& bodies) {
  const bool automatic = method == Method::automatic;
  if (!automatic && method != Method::bodies) return false;
  if (automatic && !is_crowded(problem)) return false;
  if (!bodies::BodySystem::takes(problem)) return false;
  const double products = bodies.analyse(problem);
  return !automatic || factors_pay(products, problem.contacts());
}

}  // namespace

Plan plan(const ContactProblem& problem, Method method) {
  Plan plan;
  plan.reordered = is_large(problem.contacts());
  if (method != Method::automatic)
    plan.stages = when_asked;
  else if (problem.contacts() <= strategy.sizes.asked_early)
    plan.stages = ladder_of_few;
  else
    plan.stages = ladder_of_many;
  return plan;
}

Space plan(const GlobalProblem& problem, Method method, bodies::BodySolver& bodies) {
  if (problem.dimension > 3 || !is_usual(problem)) return Space::contacts;
  if (bodies_solve(problem, method, bodies)) return Space::bodies;
  const bool possible = !problem.joints && falls_apart(problem);
  const bool wanted = method == Method::matrix_free || method == Method::automatic;
  if (possible && wanted && (method == Method::matrix_free || matrix_free_pays(problem)))
    return Space::sweeps_without_W;
  return Space::contacts;
}

bool bodies_pay(const GlobalProblem& problem) {
  validate(problem);
  bodies::BodySolver bodies;
  return plan(problem, Method::automatic, bodies) == Space::bodies;
}

bool matrix_free_pays(const GlobalProblem& problem) {
  if (problem.joints || problem.contacts() == 0 || problem.dimension > 3) return false;
  return blocks_of_W(problem) >= strategy.global.blocks_without_W * problem.contacts();
}

int first_variant(const Variants& asked, int contacts, Model model, bool guessed, bool thin) {
  constexpr int held = 1, own = 2;  // the first with a held shift; the first that need not hurry
  if (model == Model::convex) return asked.first < own ? own : asked.first;
  // A guess, as of the time step before, is near, and factors are cheap.
  const bool begins_near = guessed && thin;
  return asked.first == 0 && is_many(contacts) && !begins_near ? held : asked.first;
}

double first_alpha(int variant, int contacts, bool thin) {
  const CentreStrategy& at = strategy.centre;
  if (variant == 0 && is_few(contacts)) return at.alpha_of_few;
  if (newton_variants[variant].holds_shift && is_many(contacts) && thin) return at.alpha_of_towers;
  return at.alpha;
}

int gradients_patience(int contacts, bool guessed) {
  const CentreStrategy& at = strategy.centre;
  return is_large(contacts) ? at.patience_by_gradients_large
         : guessed          ? at.patience_by_gradients_guessed
                            : at.patience_by_gradients;
}

}  // namespace stiction
