// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace stiction {

// Groups of indices that the pattern of a square matrix connects, each in increasing order.
std::vector<std::vector<int>> groups_of(const Eigen::SparseMatrix<double>& matrix);

}  // namespace stiction
