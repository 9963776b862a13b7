// SPDX-License-Identifier: Apache-2.0
#include "contact/convex_system.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "cone/vectorised.h"
#include "contact/residual.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int most_steps = 2000;

#define STICTION_INLINE inline __attribute__((always_inline))

// The numbers of a contact in a row of memory, as many as its stride.
template <class Real, int stride>
struct Lanes {
  typedef Real Type __attribute__((vector_size(stride * sizeof(Real))));
};
template <class Real, int stride>
using Vector = typename Lanes<Real, stride>::Type;

// By reference, since how vectors are returned depends on the machine.
template <class V, class Real>
STICTION_INLINE void load(const Real* from, V& v) {
  __builtin_memcpy(&v, from, sizeof v);
}
template <class V, class Real>
STICTION_INLINE void store(Real* to, const V& v) {
  __builtin_memcpy(to, &v, sizeof v);
}

template <class Real>
struct RowsView {
  const int* start;
  const int* column;
  const Real* blocks;
};

// The sums of three vectors whose last number is zero, and a zero.
template <class V>
STICTION_INLINE void sums_of(const V (&v)[3], V& sums) {
  const V zero{};
  const V ab = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5) +
               __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  const V c = __builtin_shufflevector(v[2], zero, 0, 4, 1, 5) +
              __builtin_shufflevector(v[2], zero, 2, 6, 3, 7);
  sums = __builtin_shufflevector(ab, c, 0, 1, 4, 5) + __builtin_shufflevector(ab, c, 2, 3, 6, 7);
}
template <class V>
STICTION_INLINE void sums_of(const V (&v)[2], V& sums) {
  sums = __builtin_shufflevector(v[0], v[1], 0, 2) + __builtin_shufflevector(v[0], v[1], 1, 3);
}

// sum ± Σ_k block_k v[column_k] over the blocks of row i.  What is read beyond a block's row meets
// the zero beyond a contact's own numbers.
template <int D, int sign, class Real, class V>
STICTION_INLINE void add_row(const RowsView<Real>& rows, const Real* v, int i, V& sum) {
  constexpr int stride = static_cast<int>(sizeof(V) / sizeof(Real));
  V products[D] = {};
  const Real* block = rows.blocks + static_cast<std::ptrdiff_t>(rows.start[i]) * D * D;
  for (int k = rows.start[i]; k < rows.start[i + 1]; ++k, block += D * D) {
    V x, row;
    load(v + stride * rows.column[k], x);
    for (int c = 0; c < D; ++c) {
      load(block + D * c, row);
      products[c] += row * x;
    }
  }
  V all;
  sums_of(products, all);
  sum += sign * all;
}

// p ← r + β p, t ← (I + Lᵀ)⁻¹ p in the part first … last − 1.  Block by block: a row has three or
// four, never how many the machine expects.
template <int D, class Real, class V>
STICTION_INLINE void backward_rows(const RowsView<Real>& lower, const int* row, const Real* r,
                                   Real beta, Real* p, Real* t, int first, int last) {
  constexpr int stride = static_cast<int>(sizeof(V) / sizeof(Real));
  for (int i = first; i < last; ++i) {
    V r_i, p_i;
    load(r + stride * i, r_i);
    load(p + stride * i, p_i);
    p_i = r_i + beta * p_i;
    store(p + stride * i, p_i);
    store(t + stride * i, p_i);
  }
  const Real* block = lower.blocks + static_cast<std::ptrdiff_t>(lower.start[last]) * D * D;
  for (int k = lower.start[last] - 1; k >= lower.start[first]; --k) {
    block -= D * D;
    const Real* own = t + stride * row[k];
    Real* other = t + stride * lower.column[k];
    V sum, numbers, change{};
    for (int c = 0; c < D; ++c) {
      load(block + D * c, numbers);
      change += numbers * own[c];
    }
    for (int c = D; c < stride; ++c) change[c] = 0;
    load(other, sum);
    sum -= change;
    store(other, sum);
  }
}

// w ← (I + L)⁻¹ (p − t + R t) in the part; returns p·(t + w).
template <int D, class Real, class V>
STICTION_INLINE double forward_rows(const RowsView<Real>& lower, const RowsView<Real>& between,
                                    const Real* p, const Real* t, Real* w, int first, int last) {
  constexpr int stride = static_cast<int>(sizeof(V) / sizeof(Real));
  Vector<double, stride> power{};
  for (int i = first; i < last; ++i) {
    V p_i, t_i;
    load(p + stride * i, p_i);
    load(t + stride * i, t_i);
    V sum = p_i - t_i;
    if (between.start[i] < between.start[i + 1]) add_row<D, 1>(between, t, i, sum);
    add_row<D, -1>(lower, w, i, sum);
    store(w + stride * i, sum);
    power += __builtin_convertvector(p_i * (t_i + sum), Vector<double, stride>);
  }
  double total = 0;
  for (int c = 0; c < stride; ++c) total += power[c];
  return total;
}

#define STICTION_ROWS(D, stride, Real)                                                           \
  STICTION_VECTORISED void backward(const RowsView<Real>& lower, const int* row, const Real* r,  \
                                    Real beta, Real* p, Real* t, int first, int last,            \
                                    std::integral_constant<int, D>) {                            \
    backward_rows<D, Real, Vector<Real, stride>>(lower, row, r, beta, p, t, first, last);        \
  }                                                                                              \
  STICTION_VECTORISED double forward(const RowsView<Real>& lower, const RowsView<Real>& between, \
                                     const Real* p, const Real* t, Real* w, int first, int last, \
                                     std::integral_constant<int, D>) {                           \
    return forward_rows<D, Real, Vector<Real, stride>>(lower, between, p, t, w, first, last);    \
  }
STICTION_ROWS(2, 2, float)
STICTION_ROWS(2, 2, double)
STICTION_ROWS(3, 4, float)
STICTION_ROWS(3, 4, double)

// L⁻¹ of the symmetric L Lᵀ; false if it is not positive.
template <int D>
bool inverse_cholesky(const Block<D>& matrix, Block<D>& inverse) {
  Block<D> lower = Block<D>::Zero();
  inverse.setZero();
  for (int j = 0; j < D; ++j) {
    double pivot = matrix(j, j);
    for (int k = 0; k < j; ++k) pivot -= lower(j, k) * lower(j, k);
    if (!(pivot > 0)) return false;
    inverse(j, j) = 1 / std::sqrt(pivot);
    for (int i = j + 1; i < D; ++i) {
      double sum = matrix(i, j);
      for (int k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
      lower(i, j) = sum * inverse(j, j);
    }
    for (int c = 0; c < j; ++c) {
      double sum = 0;
      for (int k = c; k < j; ++k) sum -= lower(j, k) * inverse(k, c);
      inverse(j, c) = sum * inverse(j, j);
    }
  }
  return true;
}

}  // namespace

template <int D>
template <class Real>
void ConvexSystem<D>::reserve(Numbers<Real>& numbers, std::size_t blocks, int contacts) {
  // A row is read beyond its end, by less than a stride.
  numbers.lower.reserve(blocks / 2 * D * D + stride);
  numbers.between.reserve(blocks * D * D + stride);
  for (std::vector<Real>* v :
       {&numbers.answer, &numbers.residual, &numbers.direction, &numbers.step, &numbers.product})
    v->reserve(at(stride * contacts));
}

// Room for any set of contacts with unknowns, in either precision, so that none is allocated later;
// what is not used is not touched.
template <int D>
void ConvexSystem<D>::reserve(const BlockMatrix& W) {
  const int n = W.rows();
  const std::size_t blocks = W.column.size();
  if (free_.size() == D * n && between_.column.capacity() >= blocks) return;
  basis_.resize(at(n));
  index_.resize(at(n));
  moved_.resize(at(n));
  active_.reserve(at(n));
  free_.resize(D * n);
  right_.resize(D * n);
  for (Rows* rows : {&lower_, &between_}) {
    rows->start.reserve(at(n) + 1);
    rows->column.reserve(blocks);
  }
  row_.reserve(blocks / 2);
  reserve(single_, blocks, n);
  reserve(full_, blocks, n);
}

// The bases; x becomes the part of b that is fixed, right_ the right-hand side in the bases.
template <int D>
bool ConvexSystem<D>::split(const BlockMatrix& W, const std::vector<int>& diagonal,
                            const std::vector<Block<D>>& P, const std::vector<double>& rho,
                            const std::vector<double>& alpha, Eigen::VectorXd& x, Team& team) {
  const int n = W.rows();
  const auto part = [](auto& v, int i) { return v.template segment<D>(D * i); };
  std::atomic<bool> positive{true};
  for_chunks(team, n, [&](int first, int last, int) {
    for (int i = first; i < last; ++i) {
      const Part<D> b = part(x, i);
      index_[at(i)] = -1;
      if (P[at(i)].isZero(0)) {
        moved_[at(i)] = !b.isZero(0);
        continue;
      }
      Block<D> block = Eigen::Map<const Block<D>>(W.at(diagonal[at(i)]));
      block.diagonal().array() += alpha[at(i)];
      Block<D> inverse;
      bool is_positive;
      if (P[at(i)].isIdentity(0)) {
        part(free_, i) = b / rho[at(i)];
        part(x, i).setZero();
        moved_[at(i)] = 0;
        is_positive = inverse_cholesky<D>(block, inverse);
        basis_[at(i)] = inverse.transpose();
      } else {
        // Its eigenvectors with λ > 0 first; the others stay zero.
        Block<D> vectors = Block<D>::Zero();
        Part<D> stiffness = Part<D>::Zero(), free = Part<D>::Zero(), fixed = b;
        int unknowns = 0;
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
        part(x, i) = fixed;
        part(free_, i) = free;
        moved_[at(i)] = 1;
        if (unknowns == 0) continue;
        block = (vectors.transpose() * block * vectors).eval();
        block.diagonal() += stiffness;
        for (int k = unknowns; k < D; ++k) block(k, k) = 1;
        is_positive = inverse_cholesky<D>(block, inverse);
        basis_[at(i)] = vectors * inverse.transpose();
      }
      if (!is_positive) positive = false;
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
      Part<D> sum = part(free_, i) - alpha[at(i)] * part(x, i);
      for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
        if (const int j = W.column[at(k)]; moved_[at(j)])
          sum -= Eigen::Map<const Block<D>>(W.at(k)) * part(x, j);
      part(right_, a) = basis_[at(i)].transpose() * sum;
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
  Numbers<Real>& numbers = this->template numbers<Real>();
  // Those of row a, in lower_ or between_.
  const auto each_block = [&](int a, const auto& visit) {
    const int i = active_[at(a)];
    const int first = a / width_ * width_, last = first + width_;
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k) {
      const int b = index_[at(W.column[at(k)])];
      if (b < 0 || (b >= a && b < last)) continue;
      visit(b >= first && b < last, b, k);
    }
  };
  for (Rows* rows : {&lower_, &between_}) rows->start.assign(at(m) + 1, 0);
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a)
      each_block(a,
                 [&](bool inside, int, int) { ++(inside ? lower_ : between_).start[at(a) + 1]; });
  });
  const auto make_room = [&](Rows& rows, std::vector<Real>& blocks) {
    for (int a = 0; a < m; ++a) rows.start[at(a) + 1] += rows.start[at(a)];
    rows.column.resize(at(rows.start.back()));
    blocks.resize(at(rows.start.back()) * D * D + at(stride));
  };
  make_room(lower_, numbers.lower);
  row_.resize(lower_.column.size());
  make_room(between_, numbers.between);
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a) {
      const Block<D>& basis = basis_[at(active_[at(a)])];
      int next_lower = lower_.start[at(a)], next_between = between_.start[at(a)];
      each_block(a, [&](bool inside, int b, int k) {
        const int place = inside ? next_lower++ : next_between++;
        (inside ? lower_ : between_).column[at(place)] = b;
        if (inside) row_[at(place)] = a;
        Eigen::Map<Eigen::Matrix<Real, D, D, Eigen::RowMajor>>(
            (inside ? numbers.lower : numbers.between).data() +
            static_cast<std::ptrdiff_t>(place) * D * D) =
            (basis.transpose() * Eigen::Map<const Block<D>>(W.at(k)) * basis_[at(active_[at(b)])])
                .template cast<Real>();
      });
    }
  });
}

template <int D>
template <class Real>
void ConvexSystem<D>::conjugate_gradients(double tolerance, Team& team) {
  const auto m = static_cast<int>(active_.size());
  Numbers<Real>& v = numbers<Real>();
  const RowsView<Real> lower{lower_.start.data(), lower_.column.data(), v.lower.data()};
  const RowsView<Real> between{between_.start.data(), between_.column.data(), v.between.data()};
  constexpr std::integral_constant<int, D> block{};
  const auto some = [](std::vector<Real>& of, int first, int last) {
    return Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, 1>>(of.data() + stride * first,
                                                              stride * (last - first));
  };
  const auto each_part = [&](const auto& body) {
    team.each(parts_, [&](int task, int) {
      const int first = std::min(task * width_, m), last = std::min(first + width_, m);
      body(task, first, last);
    });
  };
  for (std::vector<Real>* zero : {&v.answer, &v.direction, &v.step, &v.product, &v.residual})
    zero->assign(at(stride * m), 0);
  for (int a = 0; a < m; ++a)
    for (int c = 0; c < D; ++c)
      v.product[at(stride * a + c)] = static_cast<Real>(right_[D * a + c]);
  // (I + L)⁻¹ of the right-hand side: with t = 0 what is called p below.
  each_part([&](int, int first, int last) {
    forward(lower, between, v.product.data(), v.step.data(), v.residual.data(), first, last, block);
  });
  const auto square = [&](int first, int last) {
    return static_cast<double>(some(v.residual, first, last).squaredNorm());
  };
  double size2 = sum_chunks(team, m, chunk_sums_, square);
  Real beta = 0;
  const double target2 = tolerance * tolerance * size2;
  sums_.resize(at(parts_));
  for (int used = 0; used < most_steps && size2 > target2; ++used) {
    each_part([&](int, int first, int last) {
      backward(lower, row_.data(), v.residual.data(), beta, v.direction.data(), v.step.data(),
               first, last, block);
    });
    each_part([&](int task, int first, int last) {
      sums_[at(task)] = forward(lower, between, v.direction.data(), v.step.data(), v.product.data(),
                                first, last, block);
    });
    double curvature = 0;
    for (const double sum : sums_) curvature += sum;
    if (!(curvature > 0)) break;
    const auto length = static_cast<Real>(size2 / curvature);
    const double next2 = sum_chunks(team, m, chunk_sums_, [&](int first, int last) {
      some(v.answer, first, last) += length * some(v.step, first, last);
      some(v.residual, first, last) -=
          length * (some(v.product, first, last) + some(v.step, first, last));
      return square(first, last);
    });
    beta = static_cast<Real>(next2 / size2);
    size2 = next2;
  }
}

template <int D>
bool ConvexSystem<D>::solve(const BlockMatrix& W, const std::vector<int>& diagonal,
                            const std::vector<Block<D>>& P, const std::vector<double>& rho,
                            const std::vector<double>& alpha, Precision precision,
                            Eigen::VectorXd& x, double tolerance, Team& team) {
  reserve(W);
  if (!split(W, diagonal, P, rho, alpha, x, team)) return false;
  const auto run = [&](auto real) {
    using Real = decltype(real);
    assemble<Real>(W, team);
    conjugate_gradients<Real>(tolerance, team);
    for_chunks(team, static_cast<int>(active_.size()), [&](int first, int last, int) {
      for (int a = first; a < last; ++a) {
        const int i = active_[at(a)];
        const Eigen::Map<const Eigen::Matrix<Real, D, 1>> answer(numbers<Real>().answer.data() +
                                                                 stride * a);
        x.template segment<D>(D * i) += basis_[at(i)] * answer.template cast<double>();
      }
    });
  };
  if (precision == Precision::single)
    run(float{});
  else
    run(double{});
  return x.allFinite();
}

template class ConvexSystem<2>;
template class ConvexSystem<3>;

}  // namespace stiction
