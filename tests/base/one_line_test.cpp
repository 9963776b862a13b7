// SPDX-License-Identifier: Apache-2.0
//
// What others wrote, on one line of UTF-8.
#include "base/one_line.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

TEST(OneLine, LeavesWhatIsReadAsItIs) {
  for (const char* text : {"", "plain", "μ ≤ 0.5, û ⟂ r", "桌子", "\U0001f9f1", "a\\b"})
    EXPECT_EQ(one_line(text), text);
}

TEST(OneLine, EscapesWhatATerminalObeys) {
  EXPECT_EQ(one_line("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(one_line(std::string_view("\0\x1b[31m\x7f", 7)), "\\x00\\x1b[31m\\x7f");
  EXPECT_EQ(one_line("\u0085\u2028\u202e\ufeff"), "\\x85\\u{2028}\\u{202e}\\u{feff}");
}

// Unicode, table 3-7: no byte alone, none missing, no form longer than it need be, no half of a
// pair, nothing beyond 10ffff.
TEST(OneLine, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(one_line("\xff"), "\\xff");
  EXPECT_EQ(one_line("\x80z"), "\\x80z");
  EXPECT_EQ(one_line("\xce"), "\\xce");
  EXPECT_EQ(one_line("\xe2\x89"), "\\xe2\\x89");
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(one_line("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(one_line("caf\xe9 \xce\xbc"), "caf\\xe9 μ");
}

// Any bytes become one line without controls that a second pass leaves alone.
TEST(OneLine, OfAnyBytesIsPrintable) {
  Random random(7);
  for (int k = 0; k < 20'000; ++k) {
    std::string bytes;
    const int size = random.integer(0, 12);
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(random.integer(0, 255));
    const std::string line = one_line(bytes);
    for (const char c : line) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    EXPECT_EQ(one_line(line), line);
  }
}

}  // namespace
}  // namespace stiction::testing
