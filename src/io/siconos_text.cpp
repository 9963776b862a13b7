// SPDX-License-Identifier: Apache-2.0
//
// Siconos's text format for contact problems: whitespace-separated numbers, line breaks mean
// nothing, except in CSparse matrices.
//
//   local    dimension, contacts, W, q, μ                    u = W r + q
//   global   dimension, contacts, M, H, q, b, μ              M v = q + H r, u = Hᵀ v + b
//   rolling  as either, dimension 5, and μ_rolling
//
// A matrix is `storage rows cols` and
//   0  dense: rows, cols again, then the values column by column
//   1  block CSR: blocks, block rows, block cols; ends of the block rows and of the block columns;
//      counts; row pointers; block columns; of each block its number and its values by columns
//   2  CSparse's printout: origin (1 triplet, 2 CSC, 3 CSR), a banner line, a header line, entries
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>

#include "base/one_line.h"
#include "stiction/problem_io.h"

namespace stiction {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

class Tokens {
 public:
  Tokens(std::string_view text, const Progress& progress) : text_(text), progress_(progress) {}

  std::size_t position() const { return at_; }
  void rewind(std::size_t position) { at_ = position; }
  std::size_t remaining() const { return text_.size() - at_; }

  InvalidInput error(const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(last_), '\n');
    return InvalidInput("line " + std::to_string(line) + ": " + what);
  }

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  std::string_view word(const char* what) {
    skip_space();
    last_ = at_;
    if (at_ >= next_) tell();
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    if (at_ == last_) throw error(std::string("the file ends, expected ") + what);
    return text_.substr(last_, at_ - last_);
  }
  double number(const char* what) {
    const std::string_view token = word(what);
    double value = 0;
    const char* first = token.data() + (token.front() == '+' ? 1 : 0);
    const auto [end, failure] = std::from_chars(first, token.data() + token.size(), value);
    if (failure == std::errc::result_out_of_range && token.find("e-") != std::string_view::npos)
      return 0;  // too small for a double
    if (failure != std::errc() || end != token.data() + token.size() || !std::isfinite(value))
      throw error(shown(token) + ", expected " + what + ", a finite number");
    return value;
  }
  std::int64_t integer(const char* what) {
    const std::string_view token = word(what);
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (failure != std::errc() || end != token.data() + token.size())
      throw error(shown(token) + ", expected " + what + ", a whole number");
    return value;
  }
  // A count of things that take at least `bytes` bytes of text each: what the file cannot hold is
  // refused before memory is taken for it.
  int count(const char* what, std::size_t bytes = 2) {
    const std::int64_t value = integer(what);
    check_count(value, what, bytes);
    return static_cast<int>(value);
  }
  void check_count(std::int64_t value, const char* what, std::size_t bytes = 2) const {
    if (value < 0 || value > 2000000000 ||
        static_cast<std::size_t>(value) > remaining() / bytes + 1)
      throw error(std::string(what) + " is " + std::to_string(value) +
                  ", more than the file can hold");
  }
  void rest_of_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  std::string_view line() {
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    const std::size_t start = at_;
    last_ = start;
    rest_of_line();
    return text_.substr(start, at_ - start);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  static std::string shown(std::string_view token) {
    return "found '" + one_line(token.substr(0, 40)) + "'";
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void tell() {
    next_ = at_ + (1 << 20);
    if (progress_ && !progress_(static_cast<double>(at_) / static_cast<double>(text_.size() + 1)))
      throw Stopped("stopped before all was read");
  }

  std::string_view text_;
  const Progress& progress_;
  std::size_t at_ = 0, last_ = 0, next_ = 0;
};

Eigen::VectorXd read_vector(Tokens& tokens, std::int64_t size, const char* what) {
  tokens.check_count(size, what);
  Eigen::VectorXd values(static_cast<Eigen::Index>(size));
  for (double& value : values) value = tokens.number(what);
  return values;
}

void read_dense(Tokens& tokens, int rows, int cols, Triplets& entries) {
  if (tokens.integer("rows") != rows || tokens.integer("columns") != cols)
    throw tokens.error("a dense matrix repeats other sizes, expected " + std::to_string(rows) +
                       "×" + std::to_string(cols));
  tokens.check_count(std::int64_t{rows} * cols, "the size of a dense matrix");
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r)
      if (const double x = tokens.number("a matrix entry"); x != 0) entries.emplace_back(r, c, x);
}

std::vector<int> read_ends(Tokens& tokens, int count, int size, const char* what) {
  std::vector<int> ends{0};
  for (int i = 0; i < count; ++i) {
    const std::int64_t end = tokens.integer(what);
    if (end <= ends.back() || end > size)
      throw tokens.error(std::string(what) + " is " + std::to_string(end) +
                         ", expected more than " + std::to_string(ends.back()) + " and at most " +
                         std::to_string(size));
    ends.push_back(static_cast<int>(end));
  }
  return ends;
}

void read_block_csr(Tokens& tokens, int rows, int cols, Triplets& entries) {
  const int blocks = tokens.count("number of blocks");
  const int block_rows = tokens.count("number of block rows");
  const int block_cols = tokens.count("number of block columns");
  if (blocks == 0) return;
  const std::vector<int> row_end = read_ends(tokens, block_rows, rows, "end of a block row");
  const std::vector<int> col_end = read_ends(tokens, block_cols, cols, "end of a block column");
  const int filled1 = tokens.count("number of row pointers");
  const int filled2 = tokens.count("number of block columns");
  if (filled1 < 1 || filled1 > block_rows + 1 || filled2 != blocks)
    throw tokens.error("a block matrix counts " + std::to_string(filled1) + " row pointers and " +
                       std::to_string(filled2) + " columns, expected at most " +
                       std::to_string(block_rows + 1) + " and " + std::to_string(blocks));
  std::vector<int> pointer;
  for (int i = 0; i < filled1; ++i) {
    const std::int64_t p = tokens.integer("a row pointer");
    if (p < (pointer.empty() ? 0 : pointer.back()) || p > blocks)
      throw tokens.error("a row pointer is " + std::to_string(p) + ", expected up to " +
                         std::to_string(blocks) + ", not decreasing");
    pointer.push_back(static_cast<int>(p));
  }
  std::vector<int> column(static_cast<std::size_t>(blocks));
  for (int& c : column) {
    const std::int64_t value = tokens.integer("a block column");
    if (value < 0 || value >= block_cols)
      throw tokens.error("a block column is " + std::to_string(value) + ", expected 0 to " +
                         std::to_string(block_cols - 1));
    c = static_cast<int>(value);
  }
  if (pointer.front() != 0 || pointer.back() != blocks)
    throw tokens.error("the row pointers do not cover all blocks");
  for (int i = 0; i + 1 < filled1; ++i)
    for (int k = pointer[static_cast<std::size_t>(i)]; k < pointer[static_cast<std::size_t>(i) + 1];
         ++k) {
      if (tokens.integer("a block's number") != k)
        throw tokens.error("blocks are out of order, expected number " + std::to_string(k));
      const auto j = static_cast<std::size_t>(column[static_cast<std::size_t>(k)]);
      for (int c = col_end[j]; c < col_end[j + 1]; ++c)
        for (int r = row_end[static_cast<std::size_t>(i)];
             r < row_end[static_cast<std::size_t>(i) + 1]; ++r)
          if (const double x = tokens.number("a matrix entry"); x != 0)
            entries.emplace_back(r, c, x);
    }
}

// "col 3 : locations 6 to 9", the names given.
std::int64_t read_locations(Tokens& tokens, std::string_view name, std::int64_t index) {
  const auto expect = [&](std::string_view word) {
    if (tokens.word("a CSparse column") != word)
      throw tokens.error("a CSparse matrix lacks '" + std::string(word) + "'");
  };
  expect(name);
  if (tokens.integer("a column") != index)
    throw tokens.error("a CSparse matrix is out of order, expected " + std::to_string(index));
  expect(":");
  expect("locations");
  const std::int64_t from = tokens.integer("a location");
  expect("to");
  const std::int64_t to = tokens.integer("a location");
  if (to < from - 1) throw tokens.error("a CSparse column ends before it begins");
  return to - from + 1;
}

void read_csparse(Tokens& tokens, int rows, int cols, Triplets& entries) {
  const std::int64_t origin = tokens.integer("the origin of a sparse matrix");
  if (origin < 1 || origin > 3)
    throw tokens.error("the origin of a sparse matrix is " + std::to_string(origin) +
                       ", expected 1, 2 or 3");
  tokens.rest_of_line();
  if (tokens.line().find("CSparse") == std::string_view::npos)
    throw tokens.error("expected CSparse's banner line");
  const std::string_view header = tokens.line();
  const auto entry = [&](std::int64_t row, std::int64_t col, double value) {
    if (row < 0 || row >= rows || col < 0 || col >= cols)
      throw tokens.error("entry (" + std::to_string(row) + ", " + std::to_string(col) +
                         ") is outside the matrix");
    if (value != 0) entries.emplace_back(static_cast<int>(row), static_cast<int>(col), value);
  };
  const auto colon = [&] {
    if (tokens.word("':'") != ":") throw tokens.error("a CSparse entry lacks ':'");
  };
  if (origin == 1) {
    const std::size_t key = header.find("nnz:");
    if (key == std::string_view::npos) throw tokens.error("a CSparse header lacks 'nnz:'");
    std::string_view digits = header.substr(key + 4);
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    std::int64_t count = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    tokens.check_count(count, "the number of entries", 6);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = tokens.integer("a row"), col = tokens.integer("a column");
      colon();
      entry(row, col, tokens.number("a matrix entry"));
    }
    return;
  }
  const bool by_columns = origin == 2;
  for (std::int64_t j = 0; j < (by_columns ? cols : rows); ++j) {
    const std::int64_t count = read_locations(tokens, by_columns ? "col" : "row", j);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t index = tokens.integer("an index");
      colon();
      const double value = tokens.number("a matrix entry");
      if (by_columns)
        entry(index, j, value);
      else
        entry(j, index, value);
    }
  }
}

Sparse read_matrix(Tokens& tokens) {
  const std::int64_t storage = tokens.integer("the storage of a matrix");
  const std::int64_t rows = tokens.integer("rows"), cols = tokens.integer("columns");
  if (storage < 0 || storage > 2)
    throw tokens.error("the storage of a matrix is " + std::to_string(storage) +
                       ", expected 0, 1 or 2");
  // A column of an empty matrix takes no text: its size is bounded by the file's all the same.
  tokens.check_count(rows, "rows", 1);
  tokens.check_count(cols, "columns", 1);
  Triplets entries;
  const int r = static_cast<int>(rows), c = static_cast<int>(cols);
  if (storage == 0) read_dense(tokens, r, c, entries);
  if (storage == 1) read_block_csr(tokens, r, c, entries);
  if (storage == 2) read_csparse(tokens, r, c, entries);
  Sparse matrix(r, c);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::vector<Law> read_laws(Tokens& tokens, int contacts) {
  const Eigen::VectorXd mu = read_vector(tokens, contacts, "a coefficient of friction");
  std::vector<Law> laws(static_cast<std::size_t>(contacts));
  for (int i = 0; i < contacts; ++i) {
    if (mu[i] < 0)
      throw tokens.error("mu[" + std::to_string(i) + "] is " + text(mu[i]) +
                         ", expected a number ≥ 0");
    laws[static_cast<std::size_t>(i)].mu = mu[i];
  }
  return laws;
}

struct Head {
  int dimension, contacts;
  Sparse first;
};

std::vector<double> read_rolling(Tokens& tokens, const Head& head) {
  if (head.dimension != 5) return {};
  const Eigen::VectorXd mu =
      read_vector(tokens, head.contacts, "a coefficient of rolling friction");
  return {mu.begin(), mu.end()};
}

ContactProblem read_local(Tokens& tokens, const Head& head) {
  ContactProblem problem;
  problem.dimension = head.dimension;
  const int size = head.dimension * head.contacts;
  if (head.first.rows() != size || head.first.cols() != size)
    throw tokens.error("W is " + std::to_string(head.first.rows()) + "×" +
                       std::to_string(head.first.cols()) + ", expected " + std::to_string(size) +
                       "×" + std::to_string(size));
  problem.q = read_vector(tokens, size, "q");
  problem.laws = read_laws(tokens, head.contacts);
  problem.mu_rolling = read_rolling(tokens, head);
  problem.W = block_matrix(head.first, head.dimension);
  validate(problem);
  return problem;
}

GlobalProblem read_global(Tokens& tokens, const Head& head) {
  GlobalProblem problem;
  problem.dimension = head.dimension;
  const Eigen::Index n = head.first.rows();
  const int size = head.dimension * head.contacts;
  if (head.first.cols() != n) throw tokens.error("M is not square");
  const Sparse H = read_matrix(tokens);
  if (H.rows() != n || H.cols() != size)
    throw tokens.error("H is " + std::to_string(H.rows()) + "×" + std::to_string(H.cols()) +
                       ", expected " + std::to_string(n) + "×" + std::to_string(size));
  problem.f = read_vector(tokens, n, "q");
  problem.w = read_vector(tokens, size, "b");
  problem.laws = read_laws(tokens, head.contacts);
  problem.mu_rolling = read_rolling(tokens, head);
  problem.M = head.first;
  problem.H = H.transpose();
  validate(problem);
  return problem;
}

}  // namespace

AnyProblem read_siconos_text(std::string_view text, std::optional<ProblemKind> kind,
                             const Progress& progress) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // UTF-8's mark, of some editors
  Tokens tokens(text, progress);
  Head head{};
  const std::int64_t dimension = tokens.integer("the dimension");
  if (dimension < 2 || dimension > 5)
    throw tokens.error("the dimension is " + std::to_string(dimension) + ", expected 2 to 5");
  head.dimension = static_cast<int>(dimension);
  head.contacts = tokens.count("the number of contacts", 2 * static_cast<std::size_t>(dimension));
  head.first = read_matrix(tokens);
  if (kind == ProblemKind::rolling && dimension != 5)
    throw tokens.error("the dimension is " + std::to_string(dimension) +
                       ", expected 5 for rolling");

  const std::size_t after = tokens.position();
  std::optional<AnyProblem> local, global;
  std::optional<InvalidInput> local_error, global_error;
  if (kind != ProblemKind::global) {
    try {
      local = read_local(tokens, head);
    } catch (const InvalidInput& error) {
      local_error = error;
    }
  }
  tokens.rewind(after);
  if (!kind || kind == ProblemKind::global) {
    try {
      global = read_global(tokens, head);
    } catch (const InvalidInput& error) {
      global_error = error;
    }
  }
  if (local && global)
    throw InvalidInput(
        "can be read as a local and as a global problem, expected the kind, local or global");
  if (local) return *local;
  if (global) return *global;
  if (kind == ProblemKind::global) throw *global_error;
  if (kind) throw *local_error;
  // Say what is wrong with the reading that came farther.
  const bool square =
      head.first.rows() == static_cast<Eigen::Index>(head.dimension) * head.contacts;
  throw square ? *local_error : *global_error;
}

}  // namespace stiction
