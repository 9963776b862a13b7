// SPDX-License-Identifier: Apache-2.0
//
// A direction that shows that a problem of constraints has no solution: s ≥ 0 along contacts'
// normals and limits, of any sign on bilateral rows, 0 on all others, with
//
//   (W + R)ᵀ s = 0,  (q + b)·s < 0.
//
// It leaves s·u = (q + b)·s < 0 whatever the forces are, where every solution has s·u ≥ 0, of exact
// friction and of the convex model.
#pragma once

#include "stiction/separation.h"

namespace stiction {

// None if none is found, or `progress` says so.
std::optional<Separation> find_separation(const ConstraintProblem& problem,
                                          const Progress& progress = {});

// Recomputed from the problem alone, as of contacts.
bool verify_separation(const ConstraintProblem& problem, const Separation& separation);

}  // namespace stiction
