// SPDX-License-Identifier: Apache-2.0
#include "bind.h"
namespace stiction::python {
void bind_impact(nb::module_&) {}
}  // namespace stiction::python
