// SPDX-License-Identifier: Apache-2.0
//
// The kernels for any processor, and which ones this machine has.
#include "contact/bodies/kernel_table.h"

namespace stiction::bodies {

#ifdef STICTION_X86_KERNELS
extern const Kernels kernels_avx512, kernels_avx2;
#endif

namespace {
constexpr Kernels kernels_plain = kernels_for("plain");
}

KernelList all_kernels() {
  KernelList list;
#ifdef STICTION_X86_KERNELS
  if (__builtin_cpu_supports("avx512f")) list.kernels[list.count++] = &kernels_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    list.kernels[list.count++] = &kernels_avx2;
#endif
  list.kernels[list.count++] = &kernels_plain;
  return list;
}

const Kernels& kernels() {
  static const Kernels& best = *all_kernels().kernels[0];
  return best;
}

}  // namespace stiction::bodies
