// SPDX-License-Identifier: Apache-2.0
//
// The point of a polyhedral cone, cut by a box, that is farthest along c:
//
//   maximise c·y subject to C Z y ≤ ε, |y_k| ≤ 1,
//
// with a slack ε for the rounding of Z, which could close a cone that is thin.  Every vertex but
// those on the box is the apex, or close to it: the simplex method on y would turn round on it
// without gain.  Its dual has no such corner,
//
//   minimise b·λ subject to Aᵀ λ = c, λ ≥ 0, for the rows A y ≤ b of C Z and of the box,
//
// once c is moved a little, which moves no constraint on y; and the box's rows with the signs of c
// are a vertex of it to start from.
#pragma once

#include <Eigen/SparseCore>
#include <optional>

#include "stiction/progress.h"

namespace stiction {

inline constexpr double cone_slack = 1e-12;  // ε

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// Rows of C have unit length, columns of Z are orthonormal.  Zero where c is, to rounding, and
// nothing where rounding keeps it from an answer.  Throws Stopped.
std::optional<Eigen::VectorXd> farthest_in_cone(const Eigen::VectorXd& c, const SparseRows& C,
                                                const Eigen::MatrixXd& Z,
                                                const Progress& progress = {});

}  // namespace stiction
