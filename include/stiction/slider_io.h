// SPDX-License-Identifier: Apache-2.0
//
// Sliders in files: JSON with the supports, their laws and what is known of the body.  Any other
// content is refused with one line that names the file, the support, the field, its value and what
// was expected; memory stays in proportion to the file's size.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/slider.h"

namespace stiction {

// A slider as its file says it: positions in the file's frame, laws by name.
struct SliderFile {
  SliderBody body;
  std::vector<Support> supports;
  std::vector<Law> laws;             // one a support, before its heading turns it
  std::vector<double> headings_deg;  // one a support; on a tangential ring from the tangent  [deg]

  Slider slider() const { return Slider(supports, body); }
};

// Both throw InvalidInput; `name` is what its message calls the text.
SliderFile read_slider_file(const std::filesystem::path& path);
SliderFile parse_slider_file(std::string_view text, const std::string& name);

inline Slider read_slider(const std::filesystem::path& path) {
  return read_slider_file(path).slider();
}
inline Slider parse_slider(std::string_view text, const std::string& name) {
  return parse_slider_file(text, name).slider();
}

// The text of a file that reads back to the same numbers.
std::string slider_json(const SliderFile& file);

// The law on a support whose heading is so many degrees counter-clockwise from the frame's x axis.
// A law that has no angle of its own becomes the polygon that it is.
Law turned(const Law& law, double heading_deg);

}  // namespace stiction
