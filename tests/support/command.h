// SPDX-License-Identifier: Apache-2.0
//
// Runs the command line as a user does: arguments in; output, errors and exit status out.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace stiction::testing {

struct Outcome {
  int status = -1;
  std::string out, err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// A folder of this process alone, removed at exit.
inline const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string pattern = (std::filesystem::temp_directory_path() / "stiction-XXXXXX").string();
      path = mkdtemp(pattern.data());
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

inline Outcome stiction(const std::vector<std::string>& arguments,
                        const std::string& streams = ">out.txt 2>err.txt") {
  std::string command = "cd " + scratch().string() + " && " STICTION_PROGRAM;
  for (const std::string& argument : arguments) {
    command += " '";
    for (const char c : argument) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  command += " " + streams + " </dev/null";
  const int raw = std::system(command.c_str());  // NOLINT: the test's own program
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128, slurp(scratch() / "out.txt"),
          slurp(scratch() / "err.txt")};
}

}  // namespace stiction::testing
