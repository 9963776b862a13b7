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

// Found by linear programming, discs as 16-gons inside them: what is found is a separation, what is
// not found may still be one.  Dense: for problems of up to some hundreds of contacts.  Stopped, it
// gives one that proves less, if it has that, and throws Stopped otherwise.
std::optional<Separation> find_separation(const ContactProblem& problem,
                                          Model model = Model::coulomb,
                                          const Progress& progress = {});

// Recomputed from the problem alone: is s what it claims to be?  The tolerance is relative, in
// units in which the entries of W are about 1 in every row.
inline constexpr double separation_tolerance = 1e-8;
bool verify_separation(const ContactProblem& problem, const Separation& separation,
                       Model model = Model::coulomb, double tolerance = separation_tolerance);

}  // namespace stiction
