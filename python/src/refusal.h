// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bind.h"

namespace stiction::python {

// Of a call whose arguments do not fit nanobind says every signature, a page of them.  From here on
// each function and method of the module says in one line which argument it is, what it is and what
// was expected.  A call that succeeds costs one jump more.
void refuse_in_one_line(nb::module_& module);

}  // namespace stiction::python
