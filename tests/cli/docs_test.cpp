// SPDX-License-Identifier: Apache-2.0
//
// What the documentation shows is what the program prints, and what it links to is there.
#include <gtest/gtest.h>

#include <regex>

#include "support/command.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pages() {
  const fs::path root = STICTION_SOURCE;
  std::vector<fs::path> list{root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") list.push_back(entry.path());
  return list;
}

// In a ```console block a line "$ stiction …" is a command, and what follows is its output.
TEST(Docs, ConsoleBlocksAreWhatTheProgramPrints) {
  int commands = 0;
  for (const fs::path& page : pages()) {
    std::istringstream text(slurp(page));
    std::string line, command, expected;
    bool inside = false;
    const auto compare = [&] {
      if (command.empty()) return;
#ifndef STICTION_WITH_MODELS
      if (command.find("gcone --model") != std::string::npos) {
        command.clear();
        expected.clear();
        return;
      }
#endif
      const std::string path = fs::path(STICTION_PROGRAM).parent_path().string();
      const std::string out = (scratch() / "shown.txt").string();
      const std::string shell = "cd " STICTION_SOURCE " && PATH=" + path + ":$PATH && (" + command +
                                ") >" + out + " 2>&1";
      EXPECT_NE(std::system(shell.c_str()), -1);  // NOLINT: the documentation's own command
      EXPECT_EQ(slurp(out), expected) << page << ": " << command;
      ++commands;
      command.clear();
      expected.clear();
    };
    while (std::getline(text, line)) {
      if (line == "```console") {
        inside = true;
      } else if (inside && line == "```") {
        compare();
        inside = false;
      } else if (inside && line.rfind("$ ", 0) == 0) {
        compare();
        command = line.substr(2);
      } else if (inside) {
        expected += line + "\n";
      }
    }
  }
  EXPECT_GE(commands, 5);
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& page : pages()) {
    const std::string text = slurp(page);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.rfind("http", 0) == 0) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " links to " << target;
      ++links;
    }
  }
  EXPECT_GE(links, 10);
}

}  // namespace
}  // namespace stiction::testing
