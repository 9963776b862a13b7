// SPDX-License-Identifier: Apache-2.0
#include "base/one_line.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace stiction {

namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The first letter of a text that is not empty: not longer than it need be, no half of a pair, at
// most 10ffff.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

// Controls, line and paragraph separators, and what turns the direction of writing.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

std::string escaped(const char* format, std::uint32_t code) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, code);
  return text.data();
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.bytes == 0)
      line += escaped("\\x%02x", static_cast<unsigned char>(text[0]));
    else if (letter.code == '\n')
      line += "\\n";
    else if (letter.code == '\r')
      line += "\\r";
    else if (letter.code == '\t')
      line += "\\t";
    else if (is_control(letter.code))
      line += escaped(letter.code < 0x100 ? "\\x%02x" : "\\u{%x}", letter.code);
    else
      line += text.substr(0, letter.bytes);
    text.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
  }
  return line;
}

}  // namespace stiction
