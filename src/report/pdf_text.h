// SPDX-License-Identifier: Apache-2.0
//
// Text for PDF: each letter in one of the standard fonts, with the width that its metrics say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction::report {

enum class PdfFont { helvetica, bold, symbol };

// Letters of one font that stand side by side, or one small letter above or below the line.
struct PdfRun {
  PdfFont font = PdfFont::helvetica;
  std::string bytes;  // in the font's own encoding
  double width = 0;   // per unit of font size, of this size
  double size = 1;    // over that of the text
  double rise = 0;    // above its line, over the size of the text
};

// UTF-8; a letter that no standard font has becomes a question mark.
std::vector<PdfRun> pdf_runs(std::string_view text, bool bold);

}  // namespace stiction::report
