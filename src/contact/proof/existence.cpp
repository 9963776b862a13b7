// SPDX-License-Identifier: Apache-2.0
#include "contact/proof/existence.h"

#include <chrono>
#include <cmath>

#include "contact/enumerate/list_solutions.h"
#include "contact/enumerate/mode_conditions.h"
#include "contact/strategy.h"
#include "stiction/solver.h"

namespace stiction {

namespace {

constexpr const ExistenceStrategy& at = strategy.existence;

// What is left of so many seconds.
Progress within(double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  return [=](double) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
           seconds;
  };
}

void look(const ContactProblem& problem, Model model, double seconds, Among among,
          Existence& existence) {
  try {
    const auto found = find_separation(problem, model, within(seconds), among);
    if (!found || (existence.separation && found->proves != Separation::Proves::no_solution))
      return;
    existence.separation = found;
    existence.none = found->proves == Separation::Proves::no_solution;
  } catch (const Stopped&) {
  }
}

// Seconds that trying all modes takes, infinite where it cannot.
double cost_of_modes(const ContactProblem& problem) {
  const int n = problem.contacts(), d = problem.dimension;
  if (n == 0 || n > strategy.sizes.asked_beside) return infinity;
  double combinations = 1;
  for (const Law& law : problem.laws) {
    LimitCurve curve = limit_curve(law);
    if (n == 1 && d == 3 && curve.shape() == LimitCurve::Shape::ellipse) return at.combination;
    if (d == 2) curve = section(curve);
    if (!curve.is_polygonal()) return infinity;
    combinations *= static_cast<double>(pieces_of(curve, d).size());
  }
  return combinations * (at.combination + at.cube * std::pow(d * n, 3));
}

void try_modes(const ContactProblem& in_units, double seconds, const TryReactions& try_reactions,
               Existence& existence) {
  const Enumeration all = list_solutions(in_units, seconds);
  for (const EnumeratedSolution& one : all.solutions)
    if (try_reactions(one.reactions)) return;
  existence.none = all.proves_none;
}

}  // namespace

void ask_early(const ContactProblem& problem, const ContactProblem& in_units, Model model,
               double seconds, const TryReactions& try_reactions, Existence& existence) {
  look(problem, model, at.patient * seconds,
       model == Model::convex ? Among::cones : Among::normal_forces, existence);
  if (!existence.none && model == Model::coulomb && cost_of_modes(in_units) <= at.quick * seconds)
    try_modes(in_units, at.patient * seconds, try_reactions, existence);
}

void ask_late(const ContactProblem& problem, const ContactProblem& in_units, Model model,
              double seconds, const TryReactions& try_reactions, Existence& existence) {
  const double cost = model == Model::coulomb ? cost_of_modes(in_units) : infinity;
  if (cost > at.quick * seconds && cost <= at.patient * seconds)
    try_modes(in_units, seconds, try_reactions, existence);
  if (!existence.none && !existence.separation && problem.contacts() <= strategy.sizes.asked_late &&
      model == Model::coulomb)
    look(problem, model, seconds, Among::cones, existence);
}

void look_beside(const ContactProblem& problem, Model model, Solution& solution) {
  if (solution.status != Status::solved || problem.contacts() > strategy.sizes.asked_beside ||
      problem.dimension > 3)
    return;
  Existence existence;
  look(problem, model, infinity, Among::cones, existence);
  solution.separation = existence.separation;
  // What solves refutes a proof that nothing does; that rounding cannot tell is left.
  if (solution.separation)
    solution.separation->proves = Separation::Proves::existence_not_guaranteed;
}

}  // namespace stiction
