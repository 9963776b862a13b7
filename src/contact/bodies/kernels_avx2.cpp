// SPDX-License-Identifier: Apache-2.0
//
// Compiled for processors with AVX2; run only there.
#include "contact/bodies/kernel_table.h"

namespace stiction::bodies {

extern const Kernels kernels_avx2 = kernels_for("avx2");

}  // namespace stiction::bodies
