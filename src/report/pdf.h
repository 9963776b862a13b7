// SPDX-License-Identifier: Apache-2.0
//
// A figure of this room as one page of PDF, all of it vectors.
//
// What svg.h and viewer.h draw is a small part of SVG: paths of M, L, h and Z, circles, rectangles,
// texts, groups that are moved or turned, and classes whose rules stand in the figure itself.  That
// part is read here and drawn anew; anything else is refused, so that nothing gets lost in silence.
//
// Letters come from the fonts that every reader of PDF brings along (Helvetica, Symbol); they are
// not embedded.  One unit of the figure is a CSS pixel, ¾ of a point.
#pragma once

#include <string>
#include <string_view>

namespace stiction::report {

// Throws std::logic_error for what is no figure of this room.
std::string pdf_of(std::string_view svg);

}  // namespace stiction::report
