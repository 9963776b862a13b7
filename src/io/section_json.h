// SPDX-License-Identifier: Apache-2.0
//
// A section as a field: {"section": "ellipsoid", "mu": [0.5, 0.5, 0.01]}.
#pragma once

#include "io/json.h"
#include "stiction/section.h"

namespace stiction::io {

Section section_from_json(const Field& field);
Json to_json(const Section& section);  // throws InvalidInput, as section_json does

}  // namespace stiction::io
