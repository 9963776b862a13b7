// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bind.h"

namespace stiction::python {

// What a mechanism's contacts answer: their motions, their coefficients over a grid.
void bind_model_answers(nb::module_& m);

}  // namespace stiction::python
