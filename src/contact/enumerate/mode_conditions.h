// SPDX-License-Identifier: Apache-2.0
//
// The modes of a contact on a polygon, or in 2-D, as linear conditions: see stiction/enumerate.h.
#pragma once

#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

// One way a contact can be: linear forms of its r and u that vanish, and others that are ≥ 0.
struct Form {
  Eigen::VectorXd of_r, of_u;
};
struct Piece {
  std::vector<Form> zero, nonnegative;
};

// The interval that a curve is in 2-D, as a curve along the first axis.
LimitCurve section(const LimitCurve& curve);

// The first of them is open.
std::vector<Piece> pieces_of(const LimitCurve& curve, int dimension);

}  // namespace stiction
