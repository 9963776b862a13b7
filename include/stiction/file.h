// SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stiction {

// Throws InvalidInput, naming the file, where it is not a regular file that can be read.
std::string read_file(const std::filesystem::path& path);

// Written beside and moved into place, so that no file is ever half written; straight into what is
// not a file, such as /dev/null.  Throws InvalidInput.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace stiction
