// SPDX-License-Identifier: Apache-2.0
//
// Files that are not what they say, from outside: one line, status 2, in under a second, and
// nothing written.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>

#include "io/hdf5_file.h"
#include "support/command.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Every command that reads a problem refuses the file, and names it.
void expect_refused(const std::string& name, const std::string& why = "") {
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"solve", name, "--out", "new.json"},
        {"solve", name, "--out", "new.hdf5"},
        {"check", name, "solution.json"},
        {"check", "block.json", name},
        {"solve", "block.json", "--guess", name, "--out", "new.json"},
        {"enumerate", name},
        {"convert", name, "new.json"},
        {"convert", name, "new.hdf5"}}) {
    const double before = children_seconds();
    const Outcome outcome = stiction(call);
    const double seconds = children_seconds() - before;
    const std::string shown = call[0] + " " + call[1] + " " + name + ": " + outcome.err;
    EXPECT_EQ(outcome.status, 2) << shown;
    EXPECT_EQ(outcome.out, "") << shown;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << shown;
    EXPECT_NE(outcome.err.find(name), std::string::npos) << shown;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << shown;
    EXPECT_LT(outcome.err.size(), 500U) << shown;
    EXPECT_LT(seconds, STICTION_SLOWED * 1.0) << shown;
    for (const char* left : {"new.json", "new.hdf5", "new.json.part", "new.hdf5.part"})
      EXPECT_FALSE(fs::exists(scratch() / left)) << shown;
  }
}

class Hostile : public ::testing::Test {
 protected:
  void SetUp() override {
    write(scratch() / "block.json",
          R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,2],"W":[[1,0],[0,1]]})");
    write(scratch() / "solution.json", R"({"reactions":[[1,-0.5]]})");
  }
};

TEST_F(Hostile, WhatIsNotAFile) {
  for (const std::string ending : {".json", ".dat", ".hdf5"}) {
    fs::create_directory(scratch() / ("folder" + ending));
    expect_refused("folder" + ending, "is not a file");
    fs::create_symlink("/dev/zero", scratch() / ("zero" + ending));
    expect_refused("zero" + ending, "is not a file");
    ASSERT_EQ(mkfifo((scratch() / ("pipe" + ending)).c_str(), 0600), 0);
    expect_refused("pipe" + ending, "is not a file");
    fs::create_symlink("nowhere", scratch() / ("dangling" + ending));
    expect_refused("dangling" + ending, "no such file");
    write(scratch() / ("empty" + ending), "");
    expect_refused("empty" + ending);
    write(scratch() / ("zeros" + ending), std::string(1 << 20, '\0'));
    expect_refused("zeros" + ending);
  }
}

TEST_F(Hostile, TextThatClaimsOrHidesSomething) {
  const std::pair<const char*, std::string> files[] = {
      {"huge.dat", "3 1000000000 0 3000000000 3000000000 3000000000 3000000000 1"},
      {"blocks.dat", "3 1 1 3 3 1000000000 1 1"},
      {"entries.dat", "2\n1\n2\n2\n2\n1\nCSparse\nnnz: 1000000000\n"},
      {"nan.dat", "2 1 0 2 2 2 2 1 0 0 nan 1 2 0.5"},
      {"infinite.dat", "2 1 0 2 2 2 2 1 0 0 1 1 1e999 0.5"},
      {"negative.dat", "2 1 0 2 2 2 2 1 0 0 1 1 2 -0.5"},
      {"dimension.dat", "7 1 0 2 2 2 2 1 0 0 1 1 2 0.5"},
      {"sizes.dat", "2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 2 0.5"},
      {"cut.dat", "2 1 0 2 2 2 2 1 0 0 1 1"},
      {"deep.json", std::string(2000000, '[')},
      {"nested.json", std::string(500000, '[') + std::string(500000, ']')},
      {"null.json", R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,null],"W":[[1]]})"},
      {"negative.json", R"({"dimension":2,"law":{"curve":"disc","mu":-1},"q":[1,2],"W":[[1]]})"},
      {"block.json.hdf5", R"({"dimension":2})"},
      {"far.json", R"({"dimension":2,"law":{"curve":"free"},"f":[],"w":[],"H":[],
        "M":{"rows":1000000000,"cols":1000000000,"entries":[]}})"}};
  for (const auto& [name, bytes] : files) {
    write(scratch() / name, bytes);
    expect_refused(name);
  }
}

TEST_F(Hostile, Hdf5ThatIsNotFclibs) {
  using Ints = std::vector<int>;
  using Numbers = std::vector<double>;
  const std::string other = io::write_hdf5({{"/temperature", Numbers{1, 2, 3}}});
  write(scratch() / "other.hdf5", other);
  expect_refused("other.hdf5", "not FCLib's");
  io::Arrays claims{{"/fclib_local/spacedim", Ints{3}},
                    {"/fclib_local/vectors/q", Numbers{1, 2, 3}},
                    {"/fclib_local/vectors/mu", Numbers{0.5}},
                    {"/fclib_local/W/p", Ints{0, 1000000000}},
                    {"/fclib_local/W/i", Ints{0}},
                    {"/fclib_local/W/x", Numbers{1}},
                    {"/fclib_local/W/nz", Ints{-1}}};
  claims["/fclib_local/W/m"] = claims["/fclib_local/W/n"] = Ints{1000000000};
  write(scratch() / "claims.hdf5", io::write_hdf5(claims));
  expect_refused("claims.hdf5", "1000000000");
  for (const std::size_t part : {9UL, other.size() / 2, other.size() - 1}) {
    write(scratch() / "cut.hdf5", other.substr(0, part));
    expect_refused("cut.hdf5");
  }
}

// On each of these HDF5 1.10's own library ends the process that reads it.
TEST_F(Hostile, Hdf5ThatItsLibraryDiesOf) {
  for (const char* name : {"hdf5-aborts", "hdf5-segfaults", "hdf5-divides-by-zero"}) {
    const fs::path from = fs::path(STICTION_SOURCE) / "fuzz/corpus/fclib_hdf5" / name;
    ASSERT_TRUE(fs::exists(from));
    fs::copy_file(from, scratch() / "dies.hdf5", fs::copy_options::overwrite_existing);
    expect_refused("dies.hdf5", "damaged");
  }
}

// What is there already stays what it is: a device is written to, a link leads where it led.
TEST_F(Hostile, OutputIsNotReplacedBySomethingElse) {
  EXPECT_EQ(stiction({"solve", "block.json", "--out", "/dev/null"}).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_directory(scratch() / "folder");
  EXPECT_EQ(stiction({"solve", "block.json", "--out", "folder"}).status, 2);
  EXPECT_EQ(stiction({"solve", "block.json", "--out", "/dev/full"}).status, 2);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  write(scratch() / "real.json", "old");
  fs::create_symlink("real.json", scratch() / "link.json");
  EXPECT_EQ(stiction({"solve", "block.json", "--out", "link.json"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(scratch() / "link.json"));
  EXPECT_NE(slurp(scratch() / "real.json"), "old");
}

}  // namespace
}  // namespace stiction::testing
