// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace stiction::io {

using Sparse = Eigen::SparseMatrix<double>;

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void tell(const Progress& progress, std::size_t done, std::size_t all) {
  if (progress && done % 65536 == 0 &&
      !progress(static_cast<double>(done) / static_cast<double>(all)))
    throw Stopped("stopped before all was read");
}

// Numbers without a path to them; false where one of them is something else.
bool quick_numbers(const Json& list, double* out) {
  for (const Json& each : list) {
    if (!each.is_number()) return false;
    *out = each.get<double>();
    if (!std::isfinite(*out++)) return false;
  }
  return true;
}

// The first entry, if any, whose row and column were given before.
std::optional<std::size_t> repeated(const Triplets& entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t k) { return std::pair(entries[k].col(), entries[k].row()); };
  // Files that are written here are sorted already.
  const auto less = [&](std::size_t a, std::size_t b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), less))
    std::sort(order.begin(), order.end(), less);
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (place(order[i - 1]) == place(order[i]))
      first = std::min(first.value_or(order[i]), order[i]);
  return first;
}

// {"rows": r, "cols": c, "entries": [[i, j, x], …]}, what is written for sparse matrices of M and
// H.
Sparse read_entries(const Field& field, const Progress& progress) {
  const int rows = field.at("rows").integer(0, 1000000000);
  const int cols = field.at("cols").integer(0, 1000000000);
  const Field list = field.at("entries");
  // A column costs memory even where it is empty.
  const auto held = static_cast<double>(list.size());
  if (rows > 1000 + 100 * held || cols > 1000 + 100 * held)
    throw InvalidInput(field.path() + " is " + std::to_string(rows) + "×" + std::to_string(cols) +
                       " with " + std::to_string(list.size()) + " entries, more than it can need");
  Triplets entries;
  entries.reserve(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    tell(progress, k, list.size());
    const Json& plain = list.value()[k];
    double found[3];
    if (plain.is_array() && plain.size() == 3 && quick_numbers(plain, found) && found[0] >= 0 &&
        found[0] < rows && found[1] >= 0 && found[1] < cols && found[0] == std::floor(found[0]) &&
        found[1] == std::floor(found[1])) {
      entries.emplace_back(static_cast<int>(found[0]), static_cast<int>(found[1]), found[2]);
      continue;
    }
    const Field entry = list.at(k);  // what is wrong with it
    if (entry.size() != 3) throw entry.error("a row, a column and a number");
    const int i = entry.at(std::size_t{0}).integer(0, rows - 1);
    const int j = entry.at(std::size_t{1}).integer(0, cols - 1);
    entries.emplace_back(i, j, entry.at(std::size_t{2}).number());
  }
  if (const auto k = repeated(entries))
    throw list.at(*k).error("an entry that was not given before");
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

Eigen::VectorXd read_vector(const Field& field) {
  Eigen::VectorXd vector(static_cast<Eigen::Index>(field.size()));
  field.numbers(vector.data());
  return vector;
}

Sparse read_matrix(const Field& field, int columns, const Progress& progress) {
  if (field.value().is_object()) return read_entries(field, progress);
  Triplets entries;
  std::vector<double> numbers;
  const std::size_t rows = field.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const Field row = field.at(i);
    if (columns < 0) columns = static_cast<int>(row.size());
    if (row.size() != static_cast<std::size_t>(columns))
      throw InvalidInput(row.path() + " has " + std::to_string(row.size()) + " numbers, expected " +
                         std::to_string(columns));
    if (progress && !progress(static_cast<double>(i) / static_cast<double>(rows)))
      throw Stopped("stopped before all was read");
    numbers.resize(row.size());
    row.numbers(numbers.data());
    for (std::size_t j = 0; j < numbers.size(); ++j)
      if (numbers[j] != 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), numbers[j]);
  }
  Sparse matrix(static_cast<int>(rows), std::max(columns, 0));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse read_blocks(const Field& blocks, const std::vector<int>& starts, const Progress& progress) {
  const auto count = static_cast<int>(starts.size()) - 1;
  const auto start = [&](int i) { return starts[static_cast<std::size_t>(i)]; };
  Triplets entries, places;
  std::vector<double> numbers;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    tell(progress, k, blocks.size());
    const Field block = blocks.at(k);
    const int row = block.at("row").integer(0, count - 1);
    const int col = block.at("col").integer(0, count - 1);
    const int rows = start(row + 1) - start(row), cols = start(col + 1) - start(col);
    places.emplace_back(row, col, 0.0);
    const Field values = block.at("values");
    if (values.size() != static_cast<std::size_t>(rows * cols))
      throw InvalidInput(values.path() + " has " + std::to_string(values.size()) +
                         " numbers, expected " + std::to_string(rows * cols));
    numbers.resize(values.size());
    values.numbers(numbers.data());
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        if (const double x = numbers[static_cast<std::size_t>(cols * i + j)]; x != 0)
          entries.emplace_back(start(row) + i, start(col) + j, x);
  }
  if (const auto k = repeated(places))
    throw InvalidInput(blocks.at(*k).path() + " repeats row " + std::to_string(places[*k].row()) +
                       ", column " + std::to_string(places[*k].col()) +
                       ", expected each block once");
  Sparse matrix(starts.back(), starts.back());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void Writer::number(double value) {
  if (!std::isfinite(value)) {
    out_ += "null";
    return;
  }
  char buffer[40];
  char* end = std::to_chars(buffer, buffer + 32, value + 0.0).ptr;
  if (std::all_of(buffer, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); })) {
    *end++ = '.';
    *end++ = '0';
  }
  out_.append(buffer, end);
}

void Writer::integer(long value) {
  char buffer[24];
  out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void Writer::vector(const char* name, const Eigen::VectorXd& values) {
  key(name);
  out_ += '[';
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ',';
    number(values[i]);
  }
  out_ += ']';
}

void Writer::matrix(const char* name, const Sparse& values) {
  key(name);
  out_ += "{\"rows\":";
  integer(values.rows());
  out_ += ",\"cols\":";
  integer(values.cols());
  out_ += ",\"entries\":[";
  const char* comma = "";
  for (int c = 0; c < values.outerSize(); ++c)
    for (Sparse::InnerIterator it(values, c); it; ++it) {
      (out_ += comma) += '[';
      integer(it.row());
      out_ += ',';
      integer(it.col());
      out_ += ',';
      number(it.value());
      out_ += ']';
      comma = ",";
      tell();
    }
  out_ += "]}";
}

void Writer::blocks(const char* name, const BlockMatrix& W) {
  key(name);
  out_ += "{\"blocks\":[";
  const int d = W.block;
  const char* comma = "";
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      (out_ += comma) += "{\"row\":";
      integer(i);
      out_ += ",\"col\":";
      integer(W.column[static_cast<std::size_t>(k)]);
      out_ += ",\"values\":[";
      for (int e = 0; e < d * d; ++e) {
        if (e > 0) out_ += ',';
        number(W.at(k)[d * (e % d) + e / d]);
      }
      out_ += "]}";
      comma = ",";
      tell();
    }
  out_ += "]}";
}

void Writer::tell() {
  if (progress_ && done_++ % 16384 == 0 &&
      !progress_(static_cast<double>(done_ - 1) / static_cast<double>(all_)))
    throw Stopped("stopped before all was written");
}

}  // namespace stiction::io
