// SPDX-License-Identifier: Apache-2.0
//
// The Delassus matrix of one contact in a file: {"delassus": 3×3 rows}, in the order t1, t2, n.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/types.h"

namespace stiction {

// Both throw InvalidInput unless it is three rows of three finite numbers; `name` is what the
// message calls the text.  Whether the matrix is one of a contact is for `generalized_cone` to say.
Eigen::Matrix3d read_delassus(const std::filesystem::path& path);
Eigen::Matrix3d parse_delassus(std::string_view text, const std::string& name);

}  // namespace stiction
