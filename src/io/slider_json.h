// SPDX-License-Identifier: Apache-2.0
//
// A slider as a field.
#pragma once

#include "io/json.h"
#include "stiction/slider_io.h"

namespace stiction::io {

SliderFile slider_from_json(const Field& field);
Json to_json(const SliderFile& file);

}  // namespace stiction::io
