// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <string>

#include "stiction/progress.h"

namespace stiction {

struct Solved {
  Eigen::SparseMatrix<double> X, product;  // K⁻¹ B and Bᵀ K⁻¹ B
};

// The rows of K and B from `first` on, to which forces of any sign belong.  They may depend on each
// other: in the rows before `first` or, where there are none, in K.  Those forces are then the
// least.
struct BilateralRows {
  int first = 0;
  std::string matrix;  // that they are rows of
  // What B holds in a row, counted from `first`, and a column, and the sign it holds it with.
  std::function<std::string(int row, int column)> entry;
  double sign = 1;
};

// Group by group of what K connects, each densely or sparsely.  Throws InvalidInput, with `name`,
// where K is singular, or with the entry of B that contradicts the other bilateral rows; Stopped.
Solved solve_by_groups(const Eigen::SparseMatrix<double>& K, const Eigen::SparseMatrix<double>& B,
                       const char* name, const BilateralRows* bilateral, const Progress& progress);

}  // namespace stiction
