// SPDX-License-Identifier: Apache-2.0
//
// The texts of an enum, once: a table of values and names, read both ways.  Its rows may hold more.
#pragma once

#include <string>

#include "stiction/types.h"

namespace stiction {

template <class Enum>
struct Named {
  Enum value;
  const char* name;
};

template <class Row, std::size_t n>
std::string name_of(const Row (&table)[n], decltype(Row::value) value) {
  for (const Row& entry : table)
    if (entry.value == value) return entry.name;
  return "";
}

// "a, b or c"
template <class Row, std::size_t n>
std::string names_of(const Row (&table)[n], const std::string& quote = "") {
  std::string all;
  for (std::size_t i = 0; i < n; ++i)
    all += (i == 0 ? "" : i + 1 < n ? ", " : " or ") + quote + table[i].name + quote;
  return all;
}

// Throws InvalidInput, naming what it is and what was expected.
template <class Row, std::size_t n>
auto value_of(const Row (&table)[n], const std::string& text, const std::string& what) {
  for (const Row& entry : table)
    if (text == entry.name) return entry.value;
  throw InvalidInput(what + " is '" + text + "', expected " + names_of(table, "'"));
}

}  // namespace stiction
