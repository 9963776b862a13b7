// SPDX-License-Identifier: Apache-2.0
//
// A figure as a file: the ending of its name chooses SVG or PDF.
#pragma once

#include <string>

namespace stiction::report {

// Throws InvalidInput, naming `option`, unless the name ends in .svg or .pdf.  To be called before
// the work, so that a wrong name costs no time.
void require_figure_name(const std::string& path, const char* option);

void write_figure(const std::string& path, const std::string& svg);

}  // namespace stiction::report
