// SPDX-License-Identifier: Apache-2.0
//
// Is there a solution at all?  The one policy of when that is asked, and by what:
//
//   after a first search that failed   normal forces, in the convex model all cones, by linear
//                                      programming: a direction that separates; then every mode,
//                                      where that is quick.  What proves emptiness ends the search,
//                                      what solves too.
//   in the end, where nothing solves   every mode, where that fits in what time is left; all cones
//   of
//                                      problems of up to forty contacts, which proves less.
//   beside a solution                  all cones of up to a dozen contacts (`look_beside`).
#pragma once

#include <functional>

#include "stiction/enumerate.h"
#include "stiction/separation.h"

namespace stiction {

struct Existence {
  bool none = false;  // proven
  std::optional<Separation> separation;
};

// `problem` as it was given; `in_units` the same as it is solved, whose reactions `try_reactions`
// takes, and says whether they solve.  `seconds` are those left.
using TryReactions = std::function<bool(const Eigen::VectorXd& reactions)>;
void ask_early(const ContactProblem& problem, const ContactProblem& in_units, Model model,
               double seconds, const TryReactions& try_reactions, Existence& existence);
void ask_late(const ContactProblem& problem, const ContactProblem& in_units, Model model,
              double seconds, const TryReactions& try_reactions, Existence& existence);

}  // namespace stiction
