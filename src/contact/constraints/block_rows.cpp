// SPDX-License-Identifier: Apache-2.0
#include "contact/constraints/block_rows.h"

#include <algorithm>

#include "cone/compensated.h"

namespace stiction {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void BlockRows::assign(const std::vector<int>& offsets, const Eigen::SparseMatrix<double>& A,
                       const Eigen::VectorXd& more) {
  offset = offsets;
  const int n = count();
  std::vector<int> owner(index(rows()));
  for (int i = 0; i < n; ++i) std::fill_n(owner.begin() + offset[index(i)], size(i), i);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> byRow(A);
  using Iterator = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  start.assign(1, 0);
  column.clear();
  first.clear();
  diagonal.clear();
  std::vector<int> place(index(n), -1);
  std::size_t total = 0;
  const auto each = [&](int i, auto&& work) {
    for (int row = offset[index(i)]; row < offset[index(i) + 1]; ++row)
      for (Iterator it(byRow, row); it; ++it) work(row, static_cast<int>(it.col()), it.value());
  };
  for (int i = 0; i < n; ++i) {
    const auto from = column.size();
    column.push_back(i);
    place[index(i)] = i;
    each(i, [&](int, int col, double) {
      const int j = owner[index(col)];
      if (place[index(j)] == i) return;
      place[index(j)] = i;
      column.push_back(j);
    });
    std::sort(column.begin() + static_cast<std::ptrdiff_t>(from), column.end());
    for (std::size_t k = from; k < column.size(); ++k) {
      if (column[k] == i) diagonal.push_back(static_cast<int>(k));
      first.push_back(total);
      total += index(size(i)) * index(size(column[k]));
    }
    start.push_back(static_cast<int>(column.size()));
  }
  value.assign(total, 0.0);
  for (int i = 0; i < n; ++i) {
    for (int k = start[index(i)]; k < start[index(i) + 1]; ++k) place[index(column[index(k)])] = k;
    each(i, [&](int row, int col, double x) {
      const int j = owner[index(col)];
      const auto within = index((col - offset[index(j)]) * size(i) + row - offset[index(i)]);
      value[first[index(place[index(j)])] + within] += x;
    });
    for (int c = 0; c < size(i); ++c)
      value[first[index(diagonal[index(i)])] + index(c * (size(i) + 1))] +=
          more[offset[index(i)] + c];
  }
}

BlockMatrix BlockRows::pattern() const {
  BlockMatrix pattern;
  pattern.start = start;
  pattern.column = column;
  return pattern;
}

void BlockRows::add_row_times(int i, const double* r, double* u) const {
  with_rows(size(i), [&](auto d) {
    double sum[d()];
    for (int c = 0; c < d(); ++c) sum[c] = u[c];
    const double* block = at(start[index(i)]);
    for (int k = start[index(i)]; k < start[index(i) + 1]; ++k) {
      const int j = column[index(k)], last = offset[index(j) + 1];
      for (int m = offset[index(j)]; m < last; ++m, block += d())
        for (int c = 0; c < d(); ++c) sum[c] += block[c] * r[m];
    }
    for (int c = 0; c < d(); ++c) u[c] = sum[c];
  });
}

void BlockRows::exact_row_times(int i, const double* begin, const double* r, double* u) const {
  const int d = size(i);
  Twofold sum[most_rows];
  for (int c = 0; c < d; ++c) sum[c].high = begin[c];
  const double* block = at(start[index(i)]);
  for (int k = start[index(i)]; k < start[index(i) + 1]; ++k) {
    const int j = column[index(k)], last = offset[index(j) + 1];
    for (int m = offset[index(j)]; m < last; ++m, block += d)
      for (int c = 0; c < d; ++c) sum[c] = sum[c] + Twofold::product(block[c], r[m]);
  }
  for (int c = 0; c < d; ++c) u[c] = sum[c].value();
}

}  // namespace stiction
