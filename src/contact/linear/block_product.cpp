// SPDX-License-Identifier: Apache-2.0
//
// A row of blocks times a vector, the inner loop of everything.  A column of a 3×3 block is loaded
// as four numbers, of which the last belongs to the next column and is dropped in the end; the last
// block of the row, beyond which nothing may be read, is done by itself.
#include "base/vectorised.h"
#include "contact/proof/residual.h"

namespace stiction {

namespace {

using Two = double __attribute__((vector_size(16)));

}  // namespace

STICTION_VECTORISED
void add_row_times(const double* block, const int* column, int count, const double* r, double* u,
                   std::integral_constant<int, 3>) {
  if (count <= 0) return;
  Four sum0{u[0], u[1], u[2], 0}, sum1{}, sum2{};
  for (int k = 0; k + 1 < count; ++k, block += 9) {
    const double* x = r + 3 * column[k];
    Four c0, c1, c2;
    __builtin_memcpy(&c0, block, sizeof c0);
    __builtin_memcpy(&c1, block + 3, sizeof c1);
    __builtin_memcpy(&c2, block + 6, sizeof c2);
    sum0 += c0 * x[0];
    sum1 += c1 * x[1];
    sum2 += c2 * x[2];
  }
  const double* x = r + 3 * column[count - 1];
  Four c0, c1;
  const Four c2{block[6], block[7], block[8], 0};
  __builtin_memcpy(&c0, block, sizeof c0);
  __builtin_memcpy(&c1, block + 3, sizeof c1);
  sum0 += c0 * x[0];
  sum1 += c1 * x[1];
  sum2 += c2 * x[2];
  sum0 += sum1 + sum2;
  for (int c = 0; c < 3; ++c) u[c] = sum0[c];
}

void add_row_times(const double* block, const int* column, int count, const double* r, double* u,
                   std::integral_constant<int, 2>) {
  Two sum{u[0], u[1]};
  for (int k = 0; k < count; ++k, block += 4) {
    const double* x = r + 2 * column[k];
    Two c0, c1;
    __builtin_memcpy(&c0, block, sizeof c0);
    __builtin_memcpy(&c1, block + 2, sizeof c1);
    sum += c0 * x[0];
    sum += c1 * x[1];
  }
  u[0] = sum[0];
  u[1] = sum[1];
}

}  // namespace stiction
