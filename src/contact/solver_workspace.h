// SPDX-License-Identifier: Apache-2.0
//
// What a ContactSolver keeps from one problem to the next.
#pragma once

#include "contact/bodies/solve_bodies.h"
#include "contact/workspace.h"
#include "stiction/solver.h"

namespace stiction {

struct ContactSolver::Workspace {
  stiction::Workspace<2> plane;
  stiction::Workspace<3> space;
  bodies::BodySolver bodies;
  Solution solution;
};

}  // namespace stiction
