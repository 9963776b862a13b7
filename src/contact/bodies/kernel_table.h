// SPDX-License-Identifier: Apache-2.0
//
// All kernels for the processor that the including file is compiled for.
#pragma once

#include "contact/bodies/block_kernels.h"
#include "contact/bodies/proximal_kernels.h"

namespace stiction::bodies {
namespace {

constexpr Kernels kernels_for(const char* name) {
  return {name,
          velocities,
          forces,
          factorise,
          solve,
          multiply,
          invert,
          interior_scale,
          interior_reach,
          interior_correct,
          interior_advance,
          proximal_evaluate,
          proximal_direction,
          project,
          transform,
          errors};
}

}  // namespace
}  // namespace stiction::bodies
