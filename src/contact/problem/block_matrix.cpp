// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "stiction/contact_problem.h"

namespace stiction {

BlockMatrix block_matrix(const Eigen::SparseMatrix<double>& matrix, int block) {
  if (matrix.rows() != matrix.cols() || block < 1 || matrix.rows() % block != 0)
    throw InvalidInput("W is " + std::to_string(matrix.rows()) + "×" +
                       std::to_string(matrix.cols()) + ", expected a square matrix of " +
                       std::to_string(block) + "×" + std::to_string(block) + " blocks");
  const int n = static_cast<int>(matrix.rows()) / block;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(matrix);
  BlockMatrix result;
  result.block = block;
  result.start.assign(static_cast<std::size_t>(n) + 1, 0);
  std::vector<int> place(static_cast<std::size_t>(n), -1);  // block of a column in the current row
  for (int i = 0; i < n; ++i) {
    const auto first = result.column.size();
    result.column.push_back(i);
    place[static_cast<std::size_t>(i)] = 0;
    for (int row = block * i; row < block * (i + 1); ++row)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows, row); it; ++it) {
        const int j = static_cast<int>(it.col()) / block;
        if (it.value() == 0 || place[static_cast<std::size_t>(j)] >= 0) continue;
        place[static_cast<std::size_t>(j)] = 0;
        result.column.push_back(j);
      }
    std::sort(result.column.begin() + static_cast<std::ptrdiff_t>(first), result.column.end());
    for (std::size_t k = first; k < result.column.size(); ++k)
      place[static_cast<std::size_t>(result.column[k])] = static_cast<int>(k);
    result.value.resize(result.column.size() * static_cast<std::size_t>(block * block), 0.0);
    for (int row = block * i; row < block * (i + 1); ++row)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows, row); it; ++it) {
        const int j = static_cast<int>(it.col()) / block, k = place[static_cast<std::size_t>(j)];
        if (k >= 0)
          result.at(k)[block * (static_cast<int>(it.col()) - block * j) + row - block * i] +=
              it.value();
      }
    for (std::size_t k = first; k < result.column.size(); ++k)
      place[static_cast<std::size_t>(result.column[k])] = -1;
    result.start[static_cast<std::size_t>(i) + 1] = static_cast<int>(result.column.size());
  }
  return result;
}

BlockMatrix block_matrix(const Eigen::MatrixXd& matrix, int block) {
  return block_matrix(Eigen::SparseMatrix<double>(matrix.sparseView(0, 0)), block);
}

Eigen::SparseMatrix<double> to_sparse(const BlockMatrix& matrix) {
  const int d = matrix.block;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(matrix.value.size());
  for (int i = 0; i < matrix.rows(); ++i)
    for (int k = matrix.start[static_cast<std::size_t>(i)];
         k < matrix.start[static_cast<std::size_t>(i) + 1]; ++k)
      for (int c = 0; c < d; ++c)
        for (int row = 0; row < d; ++row)
          if (const double x = matrix.at(k)[d * c + row]; x != 0)
            entries.emplace_back(d * i + row, d * matrix.column[static_cast<std::size_t>(k)] + c,
                                 x);
  Eigen::SparseMatrix<double> result(d * matrix.rows(), d * matrix.rows());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

void multiply(const BlockMatrix& W, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  const int d = W.block;
  y.setZero(d * W.rows());
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k)
      for (int c = 0; c < d; ++c)
        for (int row = 0; row < d; ++row)
          y[d * i + row] += W.at(k)[d * c + row] * x[d * W.column[static_cast<std::size_t>(k)] + c];
}

}  // namespace stiction
