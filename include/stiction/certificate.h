// SPDX-License-Identifier: Apache-2.0
//
// Is this a solution?  Everything below is recomputed from the problem and the reactions alone, so
// that a stranger can check an answer without trusting the solver that found it.
//
//   u = W r + q            relative velocity at each contact                       [m/s]
//   û = u + h(u_t) e_n     De Saxcé's shift; h is the support function of the limit curve
//   K* ∋ û ⟂ r ∈ K         exact Coulomb friction; with û = u the convex relaxation
//
// The natural map r − proj_K(r − ρ û) vanishes exactly at a solution, for any ρ > 0.  FCLib takes
// ρ = 1, which compares metres per second with newton seconds; `scaled` takes ρ = 1/mean|diag W|
// and does not depend on units.
#pragma once

#include "stiction/constraint_problem.h"

namespace stiction {

enum class Model { coulomb, convex };

std::string to_text(Model model);
// Throws InvalidInput: "WHAT is 'TEXT', expected …".
Model parse_friction_model(const std::string& text, const std::string& what = "model");
std::string model_names();  // "coulomb or convex"

struct Certificate {
  double natural_map = 0;  // ‖r − proj_K(r − û)‖, ρ = 1                                [N s]
  double relative = 0;     // natural_map/‖q‖, FCLib's error; absolute where q = 0
  double scaled = 0;  // ‖r − proj_K(r − ρ û)‖ / max(‖r‖, ρ‖q‖), 0/0 = 0            [-]
  double cone_violation = 0;   // greatest distance of a reaction from K                 [N s]
  double penetration = 0;      // greatest −u_n                                          [m/s]
  double complementarity = 0;  // greatest |r_n u_n|                                     [J]
  double slip_alignment = 0;   // greatest r_n h(u_t) + r_t·u_t, 0 by maximum dissipation [J]
  double dissipation = 0;      // Σ −r_t·u_t, the power taken by friction                [J]
  // Its parts: two slips, spin about the normal, two rollings, fixed sets.
  double slip_dissipation = 0, spin_dissipation = 0, rolling_dissipation = 0, joint_dissipation = 0;

  bool within(double tolerance) const { return relative <= tolerance && scaled <= tolerance; }
};

// For dimensions 2 and 3; bilateral rows are to be condensed away first.  Throws InvalidInput if
// the sizes differ, a reaction is not finite, or a double cannot hold an entry.
Certificate certify(const ContactProblem& problem, const Eigen::VectorXd& reactions,
                    Model model = Model::coulomb);

// Of constraints of any kind, of u with compliance and bias.  `penetration` counts |u| of bilateral
// rows too, `complementarity` |r u| of limits; `slip_alignment` and `dissipation` h(u) + r·u and
// −r·u of fixed sets.
Certificate certify(const ConstraintProblem& problem, const Eigen::VectorXd& reactions,
                    Model model = Model::coulomb);

// Power dissipated by friction at each contact, −r_t·u_t.                              [J]
Eigen::VectorXd dissipated_power(const ContactProblem& problem, const Eigen::VectorXd& reactions);

// What a constraint does.  open: no force; stick: no velocity, as of a limit that is met, and of
// bilateral rows; slip: it moves against friction, or freely where there is none.  undecided: so
// near to two of them that the tolerance cannot tell.
enum class Mode { open, stick, slip, undecided };

std::string to_text(Mode mode);

// Of a solution to this tolerance.
std::vector<Mode> modes_at(const ContactProblem& problem, const Eigen::VectorXd& reactions,
                           const Eigen::VectorXd& velocities, double tolerance = 1e-8);
std::vector<Mode> modes_at(const ConstraintProblem& problem, const Eigen::VectorXd& reactions,
                           const Eigen::VectorXd& velocities, double tolerance = 1e-8);

}  // namespace stiction
