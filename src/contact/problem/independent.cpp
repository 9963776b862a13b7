// SPDX-License-Identifier: Apache-2.0
#include "contact/problem/independent.h"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {

namespace {

// Beside the length of a row.  Rounding of the data leaves 1e-16 to 1e-13 of a dependent one, and a
// constraint made of rounding would lock the mechanism.
constexpr double vanishing = 1e-11;
constexpr double negligible = 1e-14;  // not kept
// Rows that depend on each other agree where they miss b by less, beside the largest of b.
constexpr double agreeing = 1e-9;
constexpr double weak = 0.01;      // a pivot beside the largest entry of its row
constexpr double uneven = 0x1p10;  // the largest row beside the smallest, where rows are scaled

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

// The power of two next to 1/x; 1 for 0.
double inverse_size(double x) { return x > 0 ? std::ldexp(1.0, -std::ilogb(x)) : 1; }

template <class Work>
void each_entry(const Eigen::SparseMatrix<double>& A, const Work& work) {
  for (int c = 0; c < A.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, c); it; ++it)
      work(static_cast<int>(it.row()), c, it.value());
}

struct Sizes {
  Eigen::VectorXd row, col;
};

// Factors that bring all rows and columns to about unit size, whatever the units of either: both
// are divided by the roots of their largest entries, in turn.
Sizes inverse_sizes(const Eigen::SparseMatrix<double>& A) {
  Sizes inverse{Eigen::VectorXd::Ones(A.rows()), Eigen::VectorXd::Ones(A.cols())};
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(A.rows()), col = Eigen::VectorXd::Zero(A.cols());
    each_entry(A, [&](int r, int c, double x) {
      const double size = std::abs(x) * inverse.row[r] * inverse.col[c];
      row[r] = std::max(row[r], size);
      col[c] = std::max(col[c], size);
    });
    for (Eigen::Index r = 0; r < A.rows(); ++r) inverse.row[r] *= inverse_size(std::sqrt(row[r]));
    for (Eigen::Index c = 0; c < A.cols(); ++c) inverse.col[c] *= inverse_size(std::sqrt(col[c]));
  }
  return inverse;
}

}  // namespace

// What is left of the rows while they leave one by one.
class Independent::Elimination {
 public:
  Elimination(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& row_factor,
              const Eigen::VectorXd& row_size, const Eigen::VectorXd& column_factor)
      : row_size_(row_size),
        column_factor_(column_factor),
        rows_(at(A.rows())),
        row_is_there_(rows_.size(), 1),
        seen_(rows_.size(), -1),
        rows_of_(at(A.cols())),
        place_(rows_of_.size(), -1) {
    each_entry(A, [&](int r, int c, double entry) {
      const double x = entry * row_factor[r] * column_factor[c];
      if (std::abs(x) <= negligible * row_size_[r]) return;
      rows_[at(r)].emplace_back(c, x);
      rows_of_[at(c)].push_back(r);
    });
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::COLAMDOrdering<int>()(A, order);
    order_ = order.inverse().eval().indices();  // of the columns, not of their places
  }

  void run(Independent& found) {
    for (int r = 0; r < static_cast<int>(rows_.size()); ++r)
      if (rows_[at(r)].empty()) vanish(r, found);
    for (const int column : order_)
      while (!eliminate(column, found)) {
      }
    std::sort(found.dependent_.begin(), found.dependent_.end());
    found.R_.resize(static_cast<Eigen::Index>(found.independent_.size()), column_factor_.size());
    found.R_.setFromTriplets(R_.begin(), R_.end());
  }

 private:
  // The rows of a column, as a dense matrix over all columns that they reach.
  struct Front {
    std::vector<int> rows, columns;
    Eigen::MatrixXd part;
    Eigen::Index column = 0;  // the place of the one to be eliminated
  };

  void vanish(int row, Independent& found) {
    row_is_there_[at(row)] = 0;
    found.dependent_.push_back(row);
  }

  void leave(int row, const Front& front, Eigen::Index index, Independent& found) {
    row_is_there_[at(row)] = 0;
    const int k = static_cast<int>(found.independent_.size());
    found.independent_.push_back(row);
    for (std::size_t c = 0; c < front.columns.size(); ++c)
      if (const double x = front.part(index, static_cast<Eigen::Index>(c)); x != 0)
        R_.emplace_back(k, front.columns[c], x / column_factor_[front.columns[c]]);
  }

  Front front_of(int column) {
    Front front;
    ++stamp_;
    for (const int r : rows_of_[at(column)]) {
      if (row_is_there_[at(r)] == 0 || seen_[at(r)] == stamp_) continue;
      const auto& row = rows_[at(r)];
      const auto entry =
          std::lower_bound(row.begin(), row.end(), std::make_pair(column, -HUGE_VAL));
      if (entry == row.end() || entry->first != column) continue;
      seen_[at(r)] = stamp_;
      front.rows.push_back(r);
    }
    std::sort(front.rows.begin(), front.rows.end());
    rows_of_[at(column)] = front.rows;
    for (const int r : front.rows)
      for (const auto& [c, x] : rows_[at(r)])
        if (place_[at(c)] < 0) {
          place_[at(c)] = 0;
          front.columns.push_back(c);
        }
    std::sort(front.columns.begin(), front.columns.end());
    for (int k = 0; k < static_cast<int>(front.columns.size()); ++k)
      place_[at(front.columns[at(k)])] = k;
    front.part = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(front.rows.size()),
                                       static_cast<Eigen::Index>(front.columns.size()));
    for (std::size_t i = 0; i < front.rows.size(); ++i)
      for (const auto& [c, x] : rows_[at(front.rows[i])])
        front.part(static_cast<Eigen::Index>(i), place_[at(c)]) = x;
    front.column = place_[at(column)];
    for (const int c : front.columns) place_[at(c)] = -1;
    return front;
  }

  // The column itself, or one that holds the larger part of the row it would leave with.
  Front strong_front_of(int column) {
    while (true) {
      Front front = front_of(column);
      if (front.rows.empty()) return front;
      const auto x = front.part.col(front.column);
      Eigen::Index largest = 0;
      const double most = (x.transpose() * front.part).cwiseAbs().maxCoeff(&largest);
      if (most * weak <= x.squaredNorm()) return front;
      column = front.columns[static_cast<std::size_t>(largest)];
    }
  }

  bool is_nothing(const Front& front) const {
    for (std::size_t i = 0; i < front.rows.size(); ++i)
      if (std::abs(front.part(static_cast<Eigen::Index>(i), front.column)) >
          vanishing * row_size_[front.rows[i]])
        return false;
    return true;
  }

  // True once nothing of the column is left.
  bool eliminate(int column, Independent& found) {
    Front front = strong_front_of(column);
    if (front.rows.empty()) return true;
    const int chosen = front.columns[static_cast<std::size_t>(front.column)];
    Eigen::VectorXd v = front.part.col(front.column);
    const double size = v.norm();
    Eigen::Index leaving = -1;
    if (is_nothing(front)) {
      front.part.col(front.column).setZero();
    } else {
      v.cwiseAbs().maxCoeff(&leaving);
      if (v.size() > 1) {
        v[leaving] += std::copysign(size, v[leaving]);
        const double beta = 2 / v.squaredNorm();
        const double left = -std::copysign(size, front.part(leaving, front.column));
        front.part -= (beta * v) * (v.transpose() * front.part).eval();
        front.part.col(front.column).setZero();
        front.part(leaving, front.column) = left;
        found.reflections_.push_back({front.rows, v, beta});
      }
    }
    put_back(front, leaving, found);
    return chosen == column;
  }

  void put_back(const Front& front, Eigen::Index leaving, Independent& found) {
    for (std::size_t i = 0; i < front.rows.size(); ++i) {
      const int r = front.rows[i];
      const auto index = static_cast<Eigen::Index>(i);
      const bool leaves = index == leaving;
      const bool ends =
          leaves || front.part.row(index).cwiseAbs().maxCoeff() <= vanishing * row_size_[r];
      std::vector<std::pair<int, double>> left;
      std::size_t old = 0;
      auto& row = rows_[at(r)];
      for (std::size_t k = 0; k < front.columns.size(); ++k) {
        const int c = front.columns[k];
        const double x = front.part(index, static_cast<Eigen::Index>(k));
        while (old < row.size() && row[old].first < c) ++old;
        const bool had = old < row.size() && row[old].first == c;
        const bool has = !ends && std::abs(x) > negligible * row_size_[r];
        if (has) left.emplace_back(c, x);
        if (has && !had) rows_of_[at(c)].push_back(r);
      }
      row = std::move(left);
      if (leaves)
        leave(r, front, index, found);
      else if (ends || row.empty())
        vanish(r, found);
    }
  }

  const Eigen::VectorXd &row_size_, &column_factor_;
  std::vector<Eigen::Triplet<double>> R_;
  std::vector<std::vector<std::pair<int, double>>> rows_;  // by column
  std::vector<char> row_is_there_;
  std::vector<int> seen_;
  std::vector<std::vector<int>> rows_of_;  // of each column, old ones among them
  std::vector<int> place_;
  Eigen::VectorXi order_;
  int stamp_ = 0;
};

Independent::Independent(const Eigen::SparseMatrix<double>& A) {
  const auto [row_factor, column_factor] = inverse_sizes(A);
  even_ = A.rows() == 0 || row_factor.maxCoeff() <= uneven * row_factor.minCoeff();
  D_ = even_ ? Eigen::VectorXd::Ones(A.rows()).eval() : row_factor;
  row_size_ = D_.cwiseQuotient(row_factor);
  Elimination(A, D_, row_size_, column_factor).run(*this);
}

namespace {

void apply(const std::vector<int>& rows, const Eigen::VectorXd& v, double beta,
           Eigen::Ref<Eigen::MatrixXd> Y) {
  Eigen::RowVectorXd along = Eigen::RowVectorXd::Zero(Y.cols());
  for (std::size_t k = 0; k < rows.size(); ++k)
    along += v[static_cast<Eigen::Index>(k)] * Y.row(rows[k]);
  along *= beta;
  for (std::size_t k = 0; k < rows.size(); ++k)
    Y.row(rows[k]) -= v[static_cast<Eigen::Index>(k)] * along;
}

}  // namespace

void Independent::reflect(Eigen::Ref<Eigen::MatrixXd> Y) const {
  for (const auto& [rows, v, beta] : reflections_) apply(rows, v, beta, Y);
}

void Independent::reflect_back(Eigen::Ref<Eigen::MatrixXd> Y) const {
  for (auto one = reflections_.rbegin(); one != reflections_.rend(); ++one)
    apply(one->rows, one->v, one->beta, Y);
}

void Independent::turn(Eigen::Ref<Eigen::MatrixXd> Y) const {
  if (!even_) Y.array().colwise() *= D_.array();
  reflect(Y);
}

void Independent::turn_back(Eigen::Ref<Eigen::MatrixXd> Y) const {
  reflect_back(Y);
  if (!even_) Y.array().colwise() *= D_.array();
}

Eigen::MatrixXd Independent::null_space() const {
  Eigen::MatrixXd N =
      Eigen::MatrixXd::Zero(D_.size(), static_cast<Eigen::Index>(dependent_.size()));
  for (Eigen::Index k = 0; k < N.cols(); ++k) N(dependent_[at(k)], k) = 1;
  turn_back(N);
  return N;
}

void Independent::make_least(Eigen::Ref<Eigen::MatrixXd> Y) const {
  if (even_ || dependent_.empty()) return;
  Eigen::MatrixXd N = null_space();
  N.colwise().normalize();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(N);
  N = qr.householderQ() * Eigen::MatrixXd::Identity(N.rows(), N.cols());
  for (int twice = 0; twice < 2; ++twice) Y -= N * (N.transpose() * Y).eval();
}

std::optional<Independent::Contradiction> Independent::contradiction(
    const Eigen::VectorXd& b) const {
  if (dependent_.empty()) return std::nullopt;
  const Eigen::VectorXd scaled = D_.cwiseProduct(b);
  const double bound = agreeing * scaled.cwiseQuotient(row_size_).cwiseAbs().maxCoeff();
  Eigen::MatrixXd missed = scaled;
  reflect(missed);
  bool agree = true;
  for (const int row : dependent_)
    agree = agree && !(std::abs(missed(row)) > bound * row_size_[row]);
  if (agree) return std::nullopt;
  // What D b has in the null space is missed, with an orthonormal basis n.  Without row i the
  // squares of that are less by missed²/Σn_i².
  Eigen::VectorXd left = Eigen::VectorXd::Zero(b.size()), share = left;
  for (const int row : dependent_) {
    Eigen::MatrixXd n = Eigen::VectorXd::Unit(b.size(), row);
    reflect_back(n);
    left += missed(row) * n;
    share += n.cwiseAbs2();
  }
  Contradiction worst;
  double most = 0;
  for (int i = 0; i < b.size(); ++i) {
    constexpr double none = 1e-20, equal = 1e-9;  // of equals the last
    const double gain = share[i] > none ? left[i] * left[i] / share[i] : -1;
    if (gain < most * (1 - equal)) continue;
    most = std::max(most, gain);
    worst = {i, left[i] / share[i] / D_[i]};
  }
  return worst;
}

}  // namespace stiction
