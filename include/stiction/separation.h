// SPDX-License-Identifier: Apache-2.0
//
// When a solution need not exist.  A contact problem with W = H M⁻¹ Hᵀ has a solution if some x
// makes W x + q strictly inside K*.  If none does, a direction s separates the two:
//
//   s ∈ K, s ≠ 0, Wᵀ s = 0, q·s ≤ 0.
//
// For the convex model q·s < 0 proves that there is no solution: a solution would give
// 0 ≤ s·u = s·(W r + q) = q·s.  For exact friction it shows only that existence is not guaranteed,
// unless s is normal alone (s_t = 0): then the same sum runs over s_n u_n ≥ 0, and it does prove
// it.
#pragma once

#include <optional>

#include "stiction/certificate.h"
#include "stiction/progress.h"

namespace stiction {

struct Separation {
  enum class Proves { no_solution, existence_not_guaranteed };
  Eigen::VectorXd direction;  // s, of unit length
  Proves proves = Proves::existence_not_guaranteed;
};

std::string to_text(Separation::Proves proves);
Separation::Proves parse_proves(const std::string& text, const std::string& what = "proves");

// Which directions are looked at: those of all friction cones, discs as 16-gons inside them, or
// those of normal forces alone, the only ones that prove anything of exact friction.
enum class Among { cones, normal_forces };

// Found by linear programming with sparse factors: what is found is a separation, what is not found
// may still be one, in the cones beside the 16-gons.  Stopped, it gives one that proves less, if it
// has that, and throws Stopped otherwise.
std::optional<Separation> find_separation(const ContactProblem& problem,
                                          Model model = Model::coulomb,
                                          const Progress& progress = {},
                                          Among among = Among::cones);

// Recomputed from the problem alone: is s what it claims to be?
//
// Wᵀs = 0 means that a W whose entries differ from these by a few roundings makes it zero exactly,
// the terms being summed without any.  A body of 1e12 times the mass of the one below it moves
// little, yet that step is finite, and nothing is proven.  Of a condensed problem Hᵀs = 0 is asked
// instead, whatever the masses.
bool verify_separation(const ContactProblem& problem, const Separation& separation,
                       Model model = Model::coulomb);

}  // namespace stiction
