// SPDX-License-Identifier: Apache-2.0
#include "contact/convex_system.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>

#include "cone/vectorised.h"
#include "contact/residual.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int most_steps = 2000;

using FourSingles = float __attribute__((vector_size(16)));
#define STICTION_INLINE inline __attribute__((always_inline))

// sum += x times a column of a block; the fourth number belongs to the next one and is dropped in
// the end.
STICTION_INLINE void add_column(const float* column, double x, Four& sum) {
  FourSingles numbers;
  __builtin_memcpy(&numbers, column, sizeof numbers);
  sum += __builtin_convertvector(numbers, Four) * x;
}
STICTION_INLINE void add_column(const double* column, double x, Four& sum) {
  Four numbers;
  __builtin_memcpy(&numbers, column, sizeof numbers);
  sum += numbers * x;
}

// sum − Σ_k block_k v[column_k] over the blocks of row i.
template <int D, class Real>
STICTION_INLINE void subtract_row(const int* start, const int* column, const Real* blocks,
                                  const double* v, int i, double* sum) {
  if constexpr (D == 3) {
    Four sum0{}, sum1{}, sum2{};
    const Real* block = blocks + static_cast<std::ptrdiff_t>(start[i]) * 9;
    for (int k = start[i]; k < start[i + 1]; ++k, block += 9) {
      const double* x = v + 3 * column[k];
      add_column(block, x[0], sum0);
      add_column(block + 3, x[1], sum1);
      add_column(block + 6, x[2], sum2);
    }
    sum0 += sum1 + sum2;
    for (int c = 0; c < 3; ++c) sum[c] -= sum0[c];
  } else {
    const Real* block = blocks + static_cast<std::ptrdiff_t>(start[i]) * 4;
    for (int k = start[i]; k < start[i + 1]; ++k, block += 4) {
      const double* x = v + 2 * column[k];
      sum[0] -= block[0] * x[0] + block[2] * x[1];
      sum[1] -= block[1] * x[0] + block[3] * x[1];
    }
  }
}

struct RowsView {
  const int* start;
  const int* column;
  const void* blocks;
};

// p ← r + β p, t ← (I + Lᵀ)⁻¹ p, in the part first … last − 1.
template <int D, class Real>
STICTION_INLINE void backward_rows(const RowsView& upper, const double* r, double beta, double* p,
                                   double* t, int first, int last) {
  const auto* blocks = static_cast<const Real*>(upper.blocks);
  for (int i = last - 1; i >= first; --i) {
    double sum[D];
    for (int c = 0; c < D; ++c) sum[c] = p[D * i + c] = r[D * i + c] + beta * p[D * i + c];
    subtract_row<D, Real>(upper.start, upper.column, blocks, t, i, sum);
    for (int c = 0; c < D; ++c) t[D * i + c] = sum[c];
  }
}

// w ← (I + L)⁻¹ (p − t + R t) in the part; returns p·(t + w).
template <int D, class Real>
STICTION_INLINE double forward_rows(const RowsView& lower, const RowsView& between, const double* p,
                                    const double* t, double* w, int first, int last) {
  const auto* blocks = static_cast<const Real*>(lower.blocks);
  const auto* outer = static_cast<const Real*>(between.blocks);
  double power = 0;
  for (int i = first; i < last; ++i) {
    double sum[D];
    for (int c = 0; c < D; ++c) sum[c] = t[D * i + c] - p[D * i + c];
    subtract_row<D, Real>(between.start, between.column, outer, t, i, sum);
    for (int c = 0; c < D; ++c) sum[c] = -sum[c];
    subtract_row<D, Real>(lower.start, lower.column, blocks, w, i, sum);
    for (int c = 0; c < D; ++c) {
      w[D * i + c] = sum[c];
      power += p[D * i + c] * (t[D * i + c] + sum[c]);
    }
  }
  return power;
}

#define STICTION_ROWS(D, Real)                                                               \
  STICTION_VECTORISED void backward(const RowsView& upper, const double* r, double beta,     \
                                    double* p, double* t, int first, int last,               \
                                    std::integral_constant<int, D>, Real) {                  \
    backward_rows<D, Real>(upper, r, beta, p, t, first, last);                               \
  }                                                                                          \
  STICTION_VECTORISED double forward(const RowsView& lower, const RowsView& between,         \
                                     const double* p, const double* t, double* w, int first, \
                                     int last, std::integral_constant<int, D>, Real) {       \
    return forward_rows<D, Real>(lower, between, p, t, w, first, last);                      \
  }
STICTION_ROWS(2, float)
STICTION_ROWS(2, double)
STICTION_ROWS(3, float)
STICTION_ROWS(3, double)

}  // namespace

// Room for any set of contacts with unknowns, in either precision, so that none is allocated later;
// what is not used is not touched.
template <int D>
void ConvexSystem<D>::reserve(const BlockMatrix& W) {
  const int n = W.rows();
  if (zero_.size() == D * n && lower_.column.capacity() >= W.column.size()) return;
  basis_.resize(at(n));
  index_.resize(at(n));
  active_.reserve(at(n));
  zero_.setZero(D * n);
  for (Eigen::VectorXd* v : {&right_, &answer_, &residual_, &direction_, &step_, &product_})
    v->resize(D * n);
  for (Rows* rows : {&lower_, &upper_, &between_}) {
    rows->start.reserve(at(n) + 1);
    rows->column.reserve(W.column.size());
    rows->single.reserve(W.value.size() + 4);
    rows->full.reserve(W.value.size() + 4);
  }
}

// The bases; x becomes the part of b that is fixed, right_ the right-hand side in the bases.
template <int D>
bool ConvexSystem<D>::split(const BlockMatrix& W, const std::vector<Block<D>>& P,
                            const std::vector<double>& rho, const std::vector<double>& alpha,
                            Eigen::VectorXd& x, Team& team) {
  const int n = W.rows();
  const auto part = [](auto& v, int i) { return v.template segment<D>(D * i); };
  std::atomic<bool> positive{true};
  for_chunks(team, n, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const Part<D> b = part(x, i);
      index_[at(i)] = -1;
      if (P[at(i)].isZero(0)) {
        part(residual_, i).setZero();
        continue;
      }
      const int* begin = W.column.data() + W.start[at(i)];
      const int* end = W.column.data() + W.start[at(i) + 1];
      const auto own = static_cast<int>(std::lower_bound(begin, end, i) - W.column.data());
      // Its eigenvectors with λ > 0 first; the others stay zero.
      Block<D> vectors = Block<D>::Zero();
      Part<D> stiffness = Part<D>::Zero(), free = Part<D>::Zero(), fixed = b;
      int unknowns = 0;
      if (P[at(i)].isIdentity(0)) {
        vectors.setIdentity();
        unknowns = D;
        free = b / rho[at(i)];
        fixed.setZero();
      } else {
        Eigen::SelfAdjointEigenSolver<Block<D>> eigen;
        eigen.computeDirect(P[at(i)]);
        for (int k = 0; k < D; ++k) {
          const double lambda = std::min(eigen.eigenvalues()[k], 1.0);
          if (lambda < 1e-9) continue;
          const Part<D> v = eigen.eigenvectors().col(k);
          vectors.col(unknowns) = v;
          stiffness[unknowns++] = (1 - lambda) / (rho[at(i)] * lambda);
          free += v.dot(b) / (rho[at(i)] * lambda) * v;
          fixed -= v.dot(b) * v;
        }
      }
      part(x, i) = fixed;
      part(residual_, i) = free;
      if (unknowns == 0) continue;
      Block<D> block =
          vectors.transpose() *
          (Eigen::Map<const Block<D>>(W.at(own)) + alpha[at(i)] * Block<D>::Identity()) * vectors;
      block.diagonal() += stiffness;
      for (int k = unknowns; k < D; ++k) block(k, k) = 1;
      const Eigen::LLT<Block<D>> cholesky(block);
      if (cholesky.info() != Eigen::Success) positive = false;
      basis_[at(i)] = cholesky.matrixL().solve(vectors.transpose()).transpose();
      index_[at(i)] = 0;
    }
  });
  if (!positive) return false;
  active_.clear();
  for (int i = 0; i < n; ++i)
    if (index_[at(i)] == 0) {
      index_[at(i)] = static_cast<int>(active_.size());
      active_.push_back(i);
    }
  const auto m = static_cast<int>(active_.size());
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a) {
      const int i = active_[at(a)];
      part(right_, a) = basis_[at(i)].transpose() *
                        (part(residual_, i) - velocity_at<D>(W, zero_.data(), x.data(), i) -
                         alpha[at(i)] * part(x, i));
    }
  });
  return true;
}

// B, cut into its parts.
template <int D>
template <class Real>
void ConvexSystem<D>::assemble(const BlockMatrix& W, Team& team) {
  const auto m = static_cast<int>(active_.size());
  // The same for any number of threads.
  parts_ = m < large ? 1 : 8;
  width_ = (m + parts_ - 1) / parts_;
  // Which rows the block in row a and column b belongs to.
  const auto rows_of = [&](int a, int b) -> Rows& {
    return a / width_ != b / width_ ? between_ : b < a ? lower_ : upper_;
  };
  const auto each_block = [&](int a, const auto& visit) {
    const int i = active_[at(a)];
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
      if (const int b = index_[at(W.column[at(k)])]; b >= 0 && b != a) visit(rows_of(a, b), b, k);
  };
  for (Rows* rows : {&lower_, &upper_, &between_}) rows->start.assign(at(m) + 1, 0);
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a)
      each_block(a, [&](Rows& rows, int, int) { ++rows.start[at(a) + 1]; });
  });
  for (Rows* rows : {&lower_, &upper_, &between_}) {
    for (int a = 0; a < m; ++a) rows->start[at(a) + 1] += rows->start[at(a)];
    rows->column.resize(at(rows->start.back()));
    // A row is read four numbers at a time.
    rows->template blocks<Real>().resize(at(rows->start.back()) * D * D + 4);
  }
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a) {
      const Block<D>& basis = basis_[at(active_[at(a)])];
      int next[] = {lower_.start[at(a)], upper_.start[at(a)], between_.start[at(a)]};
      each_block(a, [&](Rows& rows, int b, int k) {
        int& place = next[&rows == &lower_ ? 0 : &rows == &upper_ ? 1 : 2];
        rows.column[at(place)] = b;
        Eigen::Map<Eigen::Matrix<Real, D, D>>(rows.template blocks<Real>().data() +
                                              static_cast<std::ptrdiff_t>(place) * D * D) =
            (basis.transpose() * Eigen::Map<const Block<D>>(W.at(k)) * basis_[at(active_[at(b)])])
                .template cast<Real>();
        ++place;
      });
    }
  });
}

template <int D>
template <class Real>
void ConvexSystem<D>::conjugate_gradients(double tolerance, Team& team) {
  const auto m = static_cast<int>(active_.size());
  const auto view = [](Rows& rows) {
    return RowsView{rows.start.data(), rows.column.data(), rows.template blocks<Real>().data()};
  };
  const RowsView lower = view(lower_), upper = view(upper_), between = view(between_);
  constexpr std::integral_constant<int, D> block{};
  const auto each_part = [&](const auto& body) {
    team.each(parts_, [&](int task, int) {
      const int first = std::min(task * width_, m), last = std::min(first + width_, m);
      body(task, first, last);
    });
  };
  for (Eigen::VectorXd* v : {&answer_, &direction_, &step_}) v->head(D * m).setZero();
  // (I + L)⁻¹ of the right-hand side: with t = 0 what is called p below.
  each_part([&](int, int first, int last) {
    forward(lower, between, right_.data(), step_.data(), residual_.data(), first, last, block,
            Real{});
  });
  double size2 = residual_.head(D * m).squaredNorm(), beta = 0;
  const double target2 = tolerance * tolerance * size2;
  sums_.resize(at(parts_));
  for (int used = 0; used < most_steps && size2 > target2; ++used) {
    each_part([&](int, int first, int last) {
      backward(upper, residual_.data(), beta, direction_.data(), step_.data(), first, last, block,
               Real{});
    });
    each_part([&](int task, int first, int last) {
      sums_[at(task)] = forward(lower, between, direction_.data(), step_.data(), product_.data(),
                                first, last, block, Real{});
    });
    double curvature = 0;
    for (const double sum : sums_) curvature += sum;
    if (!(curvature > 0)) break;
    const double length = size2 / curvature;
    const double next2 = sum_chunks(team, m, chunk_sums_, [&](int first, int last) {
      const int from = D * first, count = D * (last - first);
      answer_.segment(from, count) += length * step_.segment(from, count);
      residual_.segment(from, count) -=
          length * (product_.segment(from, count) + step_.segment(from, count));
      return residual_.segment(from, count).squaredNorm();
    });
    beta = next2 / size2;
    size2 = next2;
  }
}

template <int D>
bool ConvexSystem<D>::solve(const BlockMatrix& W, const std::vector<Block<D>>& P,
                            const std::vector<double>& rho, const std::vector<double>& alpha,
                            Precision precision, Eigen::VectorXd& x, double tolerance, Team& team) {
  reserve(W);
  if (!split(W, P, rho, alpha, x, team)) return false;
  const auto run = [&](auto real) {
    assemble<decltype(real)>(W, team);
    conjugate_gradients<decltype(real)>(tolerance, team);
  };
  if (precision == Precision::single)
    run(float{});
  else
    run(double{});
  for_chunks(team, static_cast<int>(active_.size()), [&](int first, int last, int) {
    for (int a = first; a < last; ++a) {
      const int i = active_[at(a)];
      x.template segment<D>(D * i) += basis_[at(i)] * answer_.template segment<D>(D * a);
    }
  });
  return x.allFinite();
}

template class ConvexSystem<2>;
template class ConvexSystem<3>;

}  // namespace stiction
