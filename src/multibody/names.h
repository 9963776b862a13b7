// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace stiction {

// "'a', 'b' and 'c'": the few names most like `name`, nearest first, by how many letters differ.
std::string nearest_names(const std::string& name, const std::vector<std::string>& names);

}  // namespace stiction
