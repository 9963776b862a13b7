// SPDX-License-Identifier: Apache-2.0
//
// Sections in files: JSON, alone or as a field of a problem.  Any other content is refused with one
// line that names the field, its value and what was expected.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/section.h"
#include "stiction/slider_io.h"

namespace stiction {

// Both throw InvalidInput; `name` is what its message calls the text.
Section read_section(const std::filesystem::path& path);
Section parse_section(std::string_view text, const std::string& name);

// The text of a file that reads back to the same set.  Throws InvalidInput where a curve has no
// law, a patch no file, or a body is of another kind.
std::string section_json(const Section& section);

// A patch that remembers what its file says.
Section patch_section(const SliderFile& file);

}  // namespace stiction
