// SPDX-License-Identifier: Apache-2.0
#include "contact/linear/held_shift_system.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/vectorised.h"
#include "contact/proof/residual.h"
#include "contact/strategy.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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

// L: the blocks of row i are start[i] … start[i + 1] − 1.
template <class Real>
struct Lower {
  const int* start;
  const int* column;
  const int* row;
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

// sum − Σ_k block_k v[column_k] over the blocks of row i.  What is read beyond a block's row meets
// the zero beyond a contact's own numbers.
template <int D, class Real, class V>
STICTION_INLINE void subtract_row(const Lower<Real>& rows, const Real* v, int i, V& sum) {
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
  sum -= all;
}

// t ← (I + Lᵀ)⁻¹ t for the rows first … last − 1, those after them done.  Block by block: a row has
// three or four, never how many the machine expects.
template <int D, class Real, class V>
STICTION_INLINE void backward_rows(const Lower<Real>& lower, Real* t, int first, int last) {
  constexpr int stride = static_cast<int>(sizeof(V) / sizeof(Real));
  const Real* block = lower.blocks + static_cast<std::ptrdiff_t>(lower.start[last]) * D * D;
  for (int k = lower.start[last] - 1; k >= lower.start[first]; --k) {
    block -= D * D;
    const Real* own = t + stride * lower.row[k];
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

// w ← (I + L)⁻¹ (p − t) for the rows first … last − 1, those before them done; returns p·(t + w).
template <int D, class Real, class V>
STICTION_INLINE double forward_rows(const Lower<Real>& lower, const Real* p, const Real* t, Real* w,
                                    int first, int last) {
  constexpr int stride = static_cast<int>(sizeof(V) / sizeof(Real));
  Vector<double, stride> power{};
  for (int i = first; i < last; ++i) {
    V p_i, t_i;
    load(p + stride * i, p_i);
    load(t + stride * i, t_i);
    V sum = p_i - t_i;
    subtract_row<D>(lower, w, i, sum);
    store(w + stride * i, sum);
    power += __builtin_convertvector(p_i * (t_i + sum), Vector<double, stride>);
  }
  double total = 0;
  for (int c = 0; c < stride; ++c) total += power[c];
  return total;
}

#define STICTION_ROWS(D, stride, Real)                                                       \
  STICTION_VECTORISED void backward(const Lower<Real>& lower, Real* t, int first, int last,  \
                                    std::integral_constant<int, D>) {                        \
    backward_rows<D, Real, Vector<Real, stride>>(lower, t, first, last);                     \
  }                                                                                          \
  STICTION_VECTORISED double forward(const Lower<Real>& lower, const Real* p, const Real* t, \
                                     Real* w, int first, int last,                           \
                                     std::integral_constant<int, D>) {                       \
    return forward_rows<D, Real, Vector<Real, stride>>(lower, p, t, w, first, last);         \
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
  for (std::vector<Real>* v :
       {&numbers.answer, &numbers.residual, &numbers.direction, &numbers.step, &numbers.product})
    v->reserve(at(stride * contacts));
}

// Besides the parts, room for any set of contacts with unknowns, in either precision, so that none
// is allocated later; what is not used is not touched.
template <int D>
void ConvexSystem<D>::analyse(const BlockMatrix& W) {
  const int n = W.rows();
  const std::size_t blocks = W.column.size();
  // The same for any number of threads.
  const int parts = is_large(n) ? strategy.gradients.parts : 1;
  const int width = (n + parts - 1) / parts;
  // A contact with a neighbour in an earlier part joins the two, unless the neighbour does.
  index_.assign(at(n), 0);
  for (int i = 0; i < n; ++i)
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
      if (const int j = W.column[at(k)]; j / width < i / width && index_[at(j)] == 0)
        index_[at(i)] = 1;
  order_.clear();
  order_.reserve(at(n));
  part_.clear();
  for (int part = 0; part < parts; ++part) {
    part_.push_back(static_cast<int>(order_.size()));
    for (int i = part * width; i < std::min((part + 1) * width, n); ++i)
      if (index_[at(i)] == 0) order_.push_back(i);
  }
  part_.push_back(static_cast<int>(order_.size()));
  for (int i = 0; i < n; ++i)
    if (index_[at(i)] != 0) order_.push_back(i);
  part_.push_back(n);
  active_part_.resize(part_.size());

  basis_.resize(at(n));
  moved_.resize(at(n));
  active_.reserve(at(n));
  free_.resize(D * n);
  right_.resize(D * n);
  start_.reserve(at(n) + 1);
  column_.reserve(blocks / 2);
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
          if (lambda < strategy.gradients.zero_eigenvalue) continue;
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
  for (std::size_t p = 0; p + 1 < part_.size(); ++p) {
    active_part_[p] = static_cast<int>(active_.size());
    for (int k = part_[p]; k < part_[p + 1]; ++k)
      if (const int i = order_[at(k)]; index_[at(i)] == 0) {
        index_[at(i)] = static_cast<int>(active_.size());
        active_.push_back(i);
      }
  }
  active_part_.back() = static_cast<int>(active_.size());
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

// L.
template <int D>
template <class Real>
void ConvexSystem<D>::assemble(const BlockMatrix& W, Team& team) {
  const auto m = static_cast<int>(active_.size());
  std::vector<Real>& blocks = numbers<Real>().lower;
  const auto each_block = [&](int a, const auto& visit) {
    const int i = active_[at(a)];
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
      if (const int b = index_[at(W.column[at(k)])]; b >= 0 && b < a) visit(b, k);
  };
  start_.assign(at(m) + 1, 0);
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a) each_block(a, [&](int, int) { ++start_[at(a) + 1]; });
  });
  for (int a = 0; a < m; ++a) start_[at(a) + 1] += start_[at(a)];
  column_.resize(at(start_.back()));
  row_.resize(at(start_.back()));
  blocks.resize(at(start_.back()) * D * D + at(stride));
  for_chunks(team, m, [&](int first, int last, int) {
    for (int a = first; a < last; ++a) {
      const Block<D>& basis = basis_[at(active_[at(a)])];
      int place = start_[at(a)];
      each_block(a, [&](int b, int k) {
        column_[at(place)] = b;
        row_[at(place)] = a;
        Eigen::Map<Eigen::Matrix<Real, D, D, Eigen::RowMajor>>(
            blocks.data() + static_cast<std::ptrdiff_t>(place) * D * D) =
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
  Numbers<Real>& v = numbers<Real>();
  const Lower<Real> lower{start_.data(), column_.data(), row_.data(), v.lower.data()};
  constexpr std::integral_constant<int, D> block{};
  const auto some = [](std::vector<Real>& of, int first, int last) {
    return Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, 1>>(of.data() + stride * first,
                                                              stride * (last - first));
  };
  const int parts = static_cast<int>(active_part_.size()) - 2;
  sums_.resize(at(parts + 1));
  // Σ what(first, last) over chunks of rows one after the other, each part by the thread that has
  // it; single precision would not do to sum a whole part.
  const auto sum_parts = [&](auto&& what) {
    const auto one = [&](int part) {
      const int end = active_part_[at(part) + 1];
      double sum = 0;
      for (int first = active_part_[at(part)]; first < end; first += chunk)
        sum += what(first, std::min(first + chunk, end));
      sums_[at(part)] = sum;
    };
    team.each(parts, [&](int part, int) { one(part); });
    one(parts);
    double sum = 0;
    for (const double s : sums_) sum += s;
    return sum;
  };
  // w ← (I + L)⁻¹ (p − t); returns p·(t + w).
  const auto apply_forward = [&](const std::vector<Real>& p, std::vector<Real>& w) {
    return sum_parts([&](int first, int last) {
      return forward(lower, p.data(), v.step.data(), w.data(), first, last, block);
    });
  };
  for (std::vector<Real>* zero : {&v.answer, &v.direction, &v.step, &v.product, &v.residual})
    zero->assign(at(stride * m), 0);
  for (int a = 0; a < m; ++a)
    for (int c = 0; c < D; ++c)
      v.product[at(stride * a + c)] = static_cast<Real>(right_[D * a + c]);
  // (I + L)⁻¹ of the right-hand side: with t = 0 what is called p below.
  apply_forward(v.product, v.residual);
  const auto square = [&](int first, int last) {
    return static_cast<double>(some(v.residual, first, last).squaredNorm());
  };
  double size2 = sum_parts(square);
  Real beta = 0;
  const double target2 = tolerance * tolerance * size2;
  for (int used = 0; used < strategy.gradients.most_steps && size2 > target2 && !deadline_.passed();
       ++used) {
    sum_parts([&](int first, int last) {
      auto direction = some(v.direction, first, last);
      direction = some(v.residual, first, last) + beta * direction;
      some(v.step, first, last) = direction;
      return 0.0;
    });
    const auto rows = [&](int part) {
      backward(lower, v.step.data(), active_part_[at(part)], active_part_[at(part) + 1], block);
    };
    rows(parts);
    team.each(parts, [&](int part, int) { rows(part); });
    const double curvature = apply_forward(v.direction, v.product);
    if (!(curvature > 0)) break;
    const auto length = static_cast<Real>(size2 / curvature);
    const double next2 = sum_parts([&](int first, int last) {
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
  return x.allFinite() && !deadline_.passed();
}

bool is_symmetric(const BlockMatrix& W) {
  const int d = W.block;
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k) {
      const int j = W.column[at(k)];
      const auto first = W.column.begin() + W.start[at(j)],
                 last = W.column.begin() + W.start[at(j) + 1];
      const auto found = std::lower_bound(first, last, i);
      if (found == last || *found != i) return false;
      const Eigen::Map<const Eigen::MatrixXd> here(W.at(k), d, d),
          there(W.at(static_cast<int>(found - W.column.begin())), d, d);
      if ((here - there.transpose()).cwiseAbs().maxCoeff() >
          strategy.gradients.symmetric * here.cwiseAbs().maxCoeff())
        return false;
    }
  return true;
}

template class ConvexSystem<2>;
template class ConvexSystem<3>;

}  // namespace stiction
