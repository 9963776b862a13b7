// SPDX-License-Identifier: Apache-2.0
#include "multibody/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace stiction {

namespace {

// Letters to insert, delete or replace to get from a to b, capitals aside.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_names(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t most = 5, longest = 200;
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& other : names)
    ranked.emplace_back(edit_distance(name.substr(0, longest), other.substr(0, longest)), other);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::size_t count = std::min(most, ranked.size());
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) list += i + 1 == count ? " and " : ", ";
    list += "'" + ranked[i].second + "'";
  }
  return list;
}

}  // namespace stiction
