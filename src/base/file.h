// SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out.  Every file that the product writes is written here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stiction {

// Throws InvalidInput, naming the file, where it is not a regular file that can be read.
std::string read_file(const std::filesystem::path& path);

// The file holds its old content or the new one, whole, whoever else writes it and whenever the
// machine stops: the content goes into a file of its own beside it, which then takes its name.  A
// link stays a link; permissions stay.  What is no file (a pipe, a terminal, /dev/stdout) is
// written to as it is; a pipe that nobody reads is refused after a second.  Throws InvalidInput.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace stiction
