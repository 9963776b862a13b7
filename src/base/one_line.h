// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace stiction {

// Text that others wrote, as a message or a table shows it: on one line, in UTF-8, without what a
// terminal would obey.  A line break becomes \n, a tab \t, a byte that is not UTF-8 \xff, another
// control character \x1b or \u{202e}.
std::string one_line(std::string_view text);

}  // namespace stiction
