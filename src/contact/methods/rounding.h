// SPDX-License-Identifier: Apache-2.0
//
// The last digits under a heavy body on a light one.  There a reaction is so large that a unit of
// its rounding moves u by about the tolerance, and it matters which of the numbers beside the
// solution are taken.
#pragma once

#include <vector>

#include "contact/one/contact_law.h"

namespace stiction {

template <int D>
struct Workspace;

// Of the reactions that stick, each component in turn moves by the whole number of its own units of
// rounding that makes ‖e‖ least, e the natural maps with ρ = 1, until none moves.  W δ is taken as
// if W were symmetric.  J and e are scratch.
template <int D>
void move_by_units(Workspace<D>& work, std::vector<Block<D>>& J, Eigen::VectorXd& e);

}  // namespace stiction
