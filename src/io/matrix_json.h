// SPDX-License-Identifier: Apache-2.0
//
// Vectors and matrices as JSON: dense rows, {"rows", "cols", "entries": [[i, j, x], …]}, or blocks
// {"row", "col", "values"}.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "io/json.h"
#include "stiction/contact_problem.h"

namespace stiction::io {

// All throw InvalidInput, naming the field, and Stopped.
Eigen::VectorXd read_vector(const Field& field);
// Dense rows of so many columns, or of as many as the first if that is −1; or entries.
Eigen::SparseMatrix<double> read_matrix(const Field& field, int columns,
                                        const Progress& progress = {});
// Blocks of a square matrix whose block rows start at these rows; the last one is the end.
Eigen::SparseMatrix<double> read_blocks(const Field& blocks, const std::vector<int>& starts,
                                        const Progress& progress = {});

// Text of numbers, written as the library writes them, but without a value of JSON for each.
class Writer {
 public:
  Writer(std::string& out, const Progress& progress, std::size_t entries)
      : out_(out), progress_(progress), all_(entries) {}

  void vector(const char* name, const Eigen::VectorXd& values);
  void matrix(const char* name, const Eigen::SparseMatrix<double>& values);
  void blocks(const char* name, const BlockMatrix& W);

 private:
  void key(const char* name) { ((out_ += ",\"") += name) += "\":"; }
  void number(double value);
  void integer(long value);
  void tell();  // throws Stopped

  std::string& out_;
  const Progress& progress_;
  std::size_t all_, done_ = 0;  // entries and blocks
};

}  // namespace stiction::io
