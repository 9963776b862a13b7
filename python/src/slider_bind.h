// SPDX-License-Identifier: Apache-2.0
//
// A slider as Python holds it, with what its file says or would say.
#pragma once

#include "bind.h"
#include "stiction/slider.h"
#include "stiction/slider_io.h"

namespace stiction::python {

struct PythonSlider {
  Slider slider;
  SliderFile file;  // without laws and headings where it was made of supports
};

Array motions_array(const std::vector<Motion>& motions);

// What it rests on; moment function, points, slide and push; surface, fit and identification.
void bind_supports(nb::module_& m);
void bind_slider_answers(nb::class_<PythonSlider>& slider, nb::module_& m);
void bind_slider_surface(nb::class_<PythonSlider>& slider, nb::module_& m);

}  // namespace stiction::python
