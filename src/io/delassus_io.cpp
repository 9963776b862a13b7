// SPDX-License-Identifier: Apache-2.0
#include "stiction/delassus_io.h"

#include "base/file.h"
#include "io/json.h"

namespace stiction {

Eigen::Matrix3d parse_delassus(std::string_view text, const std::string& name) try {
  const io::Json json = io::parse_json(text);
  const io::Field rows = io::Field(json, "").at("delassus");
  Eigen::Matrix3d W;
  if (rows.size() != 3) throw rows.error("three rows of three numbers");
  for (std::size_t i = 0; i < 3; ++i) {
    const io::Field row = rows.at(i);
    if (row.size() != 3) throw row.error("three numbers");
    for (std::size_t j = 0; j < 3; ++j)
      W(static_cast<int>(i), static_cast<int>(j)) = row.at(j).number();
  }
  return W;
} catch (const InvalidInput& error) {
  throw InvalidInput(name + ": " + error.what());
}

Eigen::Matrix3d read_delassus(const std::filesystem::path& path) {
  return parse_delassus(read_file(path), path.string());
}

}  // namespace stiction
