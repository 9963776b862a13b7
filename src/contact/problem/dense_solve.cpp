// SPDX-License-Identifier: Apache-2.0
//
// Gauss elimination of [K B] with partial pivoting, a panel of columns at a time:
//
//   P [K11 K12; K21 K22] = [L11 0; L21 1] [U11 U12; 0 K22 − L21 U12]
//
// The panel [K11; K21] is factorised column by column; the columns beyond it, those of B among
// them, then follow by products of matrices, which is where the time goes.
#include "contact/problem/dense_solve.h"

#include <algorithm>
#include <vector>

#include "base/team.h"

namespace stiction {

namespace {

constexpr Eigen::Index panel = 64, piece = 128;  // columns

void tell(const Progress& progress, double share) {
  if (progress && !progress(share)) throw Stopped("stopped before the matrix was inverted");
}

// work(first, count) for the columns from `first` to `end`, in pieces.
template <class Work>
void each_piece(Team& team, Eigen::Index first, Eigen::Index end, const Work& work) {
  team.each(static_cast<int>((end - first + piece - 1) / piece), [&](int task, int) {
    const Eigen::Index from = first + task * piece;
    work(from, std::min(piece, end - from));
  });
}

// L and U of a panel in its place; `swapped` is the row that each of its rows was exchanged with.
void factorise_panel(Eigen::Ref<Eigen::MatrixXd> A, std::vector<Eigen::Index>& swapped) {
  swapped.clear();
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    const Eigen::Index below = A.rows() - k - 1, right = A.cols() - k - 1;
    Eigen::Index pivot = 0;
    const double largest = A.col(k).tail(below + 1).cwiseAbs().maxCoeff(&pivot);
    swapped.push_back(k + pivot);
    if (pivot != 0) A.row(k).swap(A.row(k + pivot));
    if (!(largest > 0)) continue;
    A.col(k).tail(below) /= A(k, k);
    A.bottomRightCorner(below, right).noalias() -= A.col(k).tail(below) * A.row(k).tail(right);
  }
}

}  // namespace

std::optional<Eigen::MatrixXd> solve_dense(const Eigen::MatrixXd& K, const Eigen::MatrixXd& B,
                                           const Progress& progress) {
  const Eigen::Index n = K.rows(), columns = n + B.cols();
  const auto cubed = [](Eigen::Index k) {
    return static_cast<double>(k) * static_cast<double>(k) * static_cast<double>(k);
  };
  // Of the multiplications, those of the factors and of each way through them.
  const double factors = cubed(n) / 3,
               way = static_cast<double>(n) * static_cast<double>(n) *
                     static_cast<double>(B.cols()) / 2,
               all = factors + 2 * way;
  Eigen::MatrixXd A(n, columns);
  A << K, B;
  Team team(thread_count(0));
  std::vector<Eigen::Index> swapped;
  for (Eigen::Index k = 0; k < n; k += panel) {
    const Eigen::Index width = std::min(panel, n - k), below = n - k - width;
    tell(progress, (factors + way) / all * (1 - cubed(n - k) / cubed(n)));
    factorise_panel(A.block(k, k, n - k, width), swapped);
    each_piece(team, k + width, columns, [&](Eigen::Index first, Eigen::Index count) {
      auto part = A.middleCols(first, count);
      for (Eigen::Index i = 0; i < width; ++i)
        if (const Eigen::Index other = swapped[static_cast<std::size_t>(i)]; other != i)
          part.row(k + i).swap(part.row(k + other));
      auto top = part.middleRows(k, width);
      A.block(k, k, width, width).triangularView<Eigen::UnitLower>().solveInPlace(top);
      part.bottomRows(below).noalias() -= A.block(k + width, k, below, width) * top;
    });
  }
  const auto pivots = A.leftCols(n).diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > 1e-14 * pivots.maxCoeff())) return std::nullopt;
  // Back through U, from the last panel to the first.
  for (Eigen::Index end = n; end > 0; end -= std::min(panel, end)) {
    const Eigen::Index width = std::min(panel, end), k = end - width;
    tell(progress, 1 - way / all * static_cast<double>(end) * static_cast<double>(end) /
                           (static_cast<double>(n) * static_cast<double>(n)));
    each_piece(team, n, columns, [&](Eigen::Index first, Eigen::Index count) {
      auto x = A.block(k, first, width, count);
      A.block(k, k, width, width).triangularView<Eigen::Upper>().solveInPlace(x);
      A.block(0, first, k, count).noalias() -= A.block(0, k, k, width) * x;
    });
  }
  return A.rightCols(B.cols());
}

Eigen::MatrixXd multiply_dense(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                               const Progress& progress) {
  Eigen::MatrixXd product(A.rows(), B.cols());
  Team team(thread_count(0));
  const Eigen::Index step = piece * team.threads();
  for (Eigen::Index first = 0; first < B.cols(); first += step) {
    tell(progress, static_cast<double>(first) / static_cast<double>(B.cols()));
    each_piece(team, first, std::min(first + step, B.cols()),
               [&](Eigen::Index from, Eigen::Index count) {
                 product.middleCols(from, count).noalias() = A * B.middleCols(from, count);
               });
  }
  return product;
}

}  // namespace stiction
