// SPDX-License-Identifier: Apache-2.0
#include "slider_bind.h"
namespace stiction::python {
void bind_slider_answers(nb::class_<PythonSlider>&, nb::module_&) {}
}  // namespace stiction::python
