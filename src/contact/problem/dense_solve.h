// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>

#include "stiction/progress.h"

namespace stiction {

// X = K⁻¹ B for a square K of hundreds or thousands of rows, shared between the machine's threads;
// the answer has the same bits for any number of them.  Nothing where K is singular but for
// rounding.  Throws Stopped.
std::optional<Eigen::MatrixXd> solve_dense(const Eigen::MatrixXd& K, const Eigen::MatrixXd& B,
                                           const Progress& progress = {});

// A B, likewise.
Eigen::MatrixXd multiply_dense(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                               const Progress& progress = {});

}  // namespace stiction
