// SPDX-License-Identifier: Apache-2.0
//
// Kernels of blocks and of H.  Included by kernels_*.cpp alone.
#pragma once

#include "contact/bodies/kernels.h"
#include "contact/bodies/lanes.h"

namespace stiction::bodies {
namespace {

void velocities(const Contacts& H, const double* v, double* u) {
  for (int b = 0; b < H.batches; ++b) {
    Six sum[3][batch_size];
    for (int i = 0; i < batch_size; ++i) {
      const int contact = batch_size * b + i;
      for (int c = 0; c < 3; ++c) sum[c][i] = Six{};
      for (int k = H.link_start[contact]; k < H.link_start[contact + 1]; ++k) {
        const Six x = Six::load(v + node_size * H.node[k]);
        const double* row = H.rows + 3 * node_size * static_cast<long>(k);
        for (int c = 0; c < 3; ++c) sum[c][i] = sum[c][i] + Six::load(row + node_size * c) * x;
      }
    }
    for (int c = 0; c < 3; ++c) sums_of(sum[c]).store(u + 3 * batch_size * b + batch_size * c);
  }
}

void forces(const Contacts& H, const double* r, double* g) {
  for (int b = 0; b < H.batches; ++b)
    for (int i = 0; i < batch_size; ++i) {
      const int contact = batch_size * b + i;
      const double* at = r + 3 * batch_size * b + i;
      const double r0 = at[0], r1 = at[batch_size], r2 = at[2 * batch_size];
      if (r0 == 0 && r1 == 0 && r2 == 0) continue;
      for (int k = H.link_start[contact]; k < H.link_start[contact + 1]; ++k) {
        double* to = g + node_size * H.node[k];
        const double* row = H.rows + 3 * node_size * static_cast<long>(k);
        const Six sum = Six::load(to) + Six::load(row) * r0 + Six::load(row + node_size) * r1 +
                        Six::load(row + 2 * node_size) * r2;
        sum.store(to);
      }
    }
}

struct Block {
  Six column[6];

  static Block load(const double* from) {
    Block block;
    for (int c = 0; c < 6; ++c) block.column[c] = Six::load(from + node_size * c);
    return block;
  }
  void store(double* to) const {
    for (int c = 0; c < 6; ++c) column[c].store(to + node_size * c);
  }
};

inline const double* at(const double* blocks, int k) {
  return blocks + block_size * static_cast<long>(k);
}
inline double* at(double* blocks, int k) { return blocks + block_size * static_cast<long>(k); }

// X −= A Bᵀ
inline void subtract_product(Block& X, const double* A, const double* B) {
  const Block a = Block::load(A);
#pragma GCC unroll 6
  for (int c = 0; c < 6; ++c)
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) X.column[c] = X.column[c] - a.column[k] * B[node_size * k + c];
}

// A B
inline Block product(const Block& A, const double* B) {
  Block X;
#pragma GCC unroll 6
  for (int c = 0; c < 6; ++c) {
    const double* b = B + node_size * c;
    Six x = A.column[0] * b[0];
#pragma GCC unroll 5
    for (int k = 1; k < 6; ++k) x = x + A.column[k] * b[k];
    X.column[c] = x;
  }
  return X;
}

// X += H_aᵀ D H_b of the contacts of an entry; with `transposed`, H_aᵀ Dᵀ H_b.
template <bool transposed>
inline void add_contacts(Block& X, const Blocks& K, const Contacts& H, const double* D,
                         const unsigned char* active, int entry) {
  for (int p = K.part_start[entry]; p < K.part_start[entry + 1]; ++p) {
    const int contact = K.part_contact[p];
    if (active != nullptr && !active[contact]) continue;
    const double* d =
        D + 9 * batch_size * static_cast<long>(contact / batch_size) + contact % batch_size;
    const double* rows = H.rows + 3 * node_size * static_cast<long>(K.part_row[p]);
    const double* columns = H.rows + 3 * node_size * static_cast<long>(K.part_column[p]);
    const Six h0 = Six::load(columns), h1 = Six::load(columns + node_size),
              h2 = Six::load(columns + 2 * node_size);
    alignas(64) double DH[3][node_size];
    for (int c = 0; c < 3; ++c) {
      const auto number = [&](int k) {
        return d[batch_size * (transposed ? 3 * k + c : 3 * c + k)];
      };
      (h0 * number(0) + h1 * number(1) + h2 * number(2)).store(DH[c]);
    }
    const Six a0 = Six::load(rows), a1 = Six::load(rows + node_size),
              a2 = Six::load(rows + 2 * node_size);
#pragma GCC unroll 6
    for (int c = 0; c < 6; ++c)
      X.column[c] = X.column[c] + a0 * DH[0][c] + a1 * DH[1][c] + a2 * DH[2][c];
  }
}

// Gauss–Jordan in place, with its rows exchanged where a pivot would be ten times too small.  The
// columns of the block are taken as rows: of its transpose, whose inverse comes out likewise.
bool invert(const double* block, double* inverse) {
  Block m = Block::load(block);
  Six(&row)[6] = m.column;
  int exchanged[6];
  const auto number = [&](int i, int k) { return row[i].word[k / width][k % width]; };
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    double largest = 10 * __builtin_fabs(number(k, k));
    if (!(largest < 1e300)) return false;
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i)
      if (const double a = __builtin_fabs(number(i, k)); a > largest) {
        largest = pivot == k ? a : largest < a ? a : largest;
        pivot = i;
      }
    exchanged[k] = pivot;
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i)
      if (i == pivot) {
        const Six other = row[i];
        row[i] = row[k];
        row[k] = other;
      }
    const double d = number(k, k);
    if (!(__builtin_fabs(d) > 1e-300)) return false;
    row[k].word[k / width][k % width] = 1;
    row[k] = row[k] * (1 / d);
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
      if (i == k) continue;
      const double f = number(i, k);
      row[i].word[k / width][k % width] = 0;
      row[i] = row[i] - row[k] * f;
    }
  }
  m.store(inverse);
  for (int k = 5; k >= 0; --k)
    if (const int other = exchanged[k]; other != k)
      for (int i = 0; i < 6; ++i) {
        double* a = inverse + node_size * i;
        const double here = a[k];
        a[k] = a[other];
        a[other] = here;
      }
  return true;
}

bool factorise(const Blocks& K, const Contacts& H, const double* D, const unsigned char* active) {
  for (int j = 0; j < K.nodes; ++j) {
    const int first = K.column_start[j], last = K.column_start[j + 1];
    for (int e = first; e < last; ++e) {
      // L_ij U_jj = K_ij − Σ L_ik U_kj
      Block lower = K.mass[e] >= 0 ? Block::load(at(K.mass_value, K.mass[e])) : Block{};
      add_contacts<false>(lower, K, H, D, active, e);
      for (int k = K.update_start[e]; k < K.update_start[e + 1]; ++k)
        subtract_product(lower, at(K.lower, K.update_left[k]), at(K.upper, K.update_right[k]));
      if (e == first) {
        lower.store(at(K.lower, e));
        if (!invert(at(K.lower, e), at(K.inverse, j))) return false;
        continue;
      }
      product(lower, at(K.inverse, j)).store(at(K.lower, e));
      // U_jiᵀ = K_jiᵀ − Σ U_kiᵀ L_jkᵀ
      Block upper = K.mass[e] >= 0 ? Block::load(at(K.mass_value, K.mass[e])) : Block{};
      add_contacts<true>(upper, K, H, D, active, e);
      for (int k = K.update_start[e]; k < K.update_start[e + 1]; ++k)
        subtract_product(upper, at(K.upper, K.update_left[k]), at(K.lower, K.update_right[k]));
      upper.store(at(K.upper, e));
    }
  }
  return true;
}

// A x, x given by its numbers
inline Six times(const double* A, const double* x) {
  Six y = Six::load(A) * x[0];
#pragma GCC unroll 5
  for (int c = 1; c < 6; ++c) y = y + Six::load(A + node_size * c) * x[c];
  return y;
}

void solve(const Blocks& K, double* x) {
  for (int j = 0; j < K.nodes; ++j) {
    const double* from = x + node_size * j;
    for (int e = K.column_start[j] + 1; e < K.column_start[j + 1]; ++e) {
      double* to = x + node_size * K.row[e];
      (Six::load(to) - times(at(K.lower, e), from)).store(to);
    }
  }
  for (int j = K.nodes - 1; j >= 0; --j) {
    Six sum[batch_size] = {};  // of each column of the U_jiᵀ
    for (int e = K.column_start[j] + 1; e < K.column_start[j + 1]; ++e) {
      const double* U = at(K.upper, e);
      const Six from = Six::load(x + node_size * K.row[e]);
#pragma GCC unroll 6
      for (int c = 0; c < 6; ++c) sum[c] = sum[c] + Six::load(U + node_size * c) * from;
    }
    double* here = x + node_size * j;
    alignas(64) double right[node_size];
    (Lanes::load(here) - sums_of(sum)).store(right);
    times(at(K.inverse, j), right).store(here);
  }
}

void multiply(int nodes, const double* blocks, const double* x, double* y) {
  for (int j = 0; j < nodes; ++j) times(at(blocks, j), x + node_size * j).store(y + node_size * j);
}

}  // namespace
}  // namespace stiction::bodies
