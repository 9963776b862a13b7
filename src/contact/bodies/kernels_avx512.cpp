// SPDX-License-Identifier: Apache-2.0
//
// Compiled for processors with AVX-512; run only there.
#include "contact/bodies/kernel_table.h"

namespace stiction::bodies {

extern const Kernels kernels_avx512 = kernels_for("avx512");

}  // namespace stiction::bodies
