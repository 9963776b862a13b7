// SPDX-License-Identifier: Apache-2.0
//
// Files that are not what they say, from outside: one line, status 2, in under a second, and
// nothing written.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
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
    for (const fs::directory_entry& entry : fs::directory_iterator(scratch()))
      EXPECT_TRUE(entry.path().extension() != ".part" && entry.path().stem() != "new") << shown;
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

// Letters of other encodings, controls, colours: whatever is wrong is said on one line of UTF-8.
TEST_F(Hostile, BytesThatAreNoTextAreEscapedInEveryMessage) {
  write(scratch() / "tripod.json", R"({"supports":[{"type":"point","at":[0,0],"normal_force":1,
        "law":{"curve":"disc","mu":0.5}}],"name":"\u001b[31mred"})");
  for (const std::string bad : {"caf\xe9", "a\nb", "\x1b[31mred", "\u00e9\u202e"}) {
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
             {bad},
             {"solve", bad},
             {"solve", bad + ".json"},
             {"solve", bad + ".dat"},
             {"solve", bad + ".hdf5"},
             {"solve", "block.json", "--method", bad},
             {"solve", "block.json", "--law", bad},
             {"solve", "block.json", "--kind", bad},
             {"solve", "block.json", "--guess", bad + ".json"},
             {"solve", "block.json", "--tol", bad},
             {"solve", "block.json", "--" + bad},
             {"solve", "block.json", "--out", "nowhere/" + bad},
             {"check", "block.json", bad},
             {"enumerate", bad},
             {"convert", "block.json", bad},
             {"curve", bad, "--slip", "1,0"},
             {"curve", "disc:0.5", "--slip", bad},
             {"cone", bad},
             {"gcone", "--matrix", bad, "--mu", "0.5"},
             {"gcone", "--model", bad + ".urdf", "--frame", bad, "--mu", "0.5"},
             {"slider", bad + ".json", "points"},
             {"slider", "tripod.json", bad},
             {"slider", "tripod.json", "surface", "--out", "nowhere/" + bad + ".obj"},
             {"scene", bad, "--contacts", "8", "--out", "x.json"}}) {
      const Outcome outcome = stiction(call);
      const std::string shown = call[0] + ": " + outcome.err;
      EXPECT_EQ(outcome.status, 2) << shown;
      EXPECT_EQ(outcome.out, "") << shown;
      ASSERT_FALSE(outcome.err.empty()) << call[0];
      EXPECT_EQ(outcome.err.back(), '\n') << shown;
      const std::string line = outcome.err.substr(0, outcome.err.size() - 1);
      EXPECT_EQ(line, one_line(line)) << shown;
    }
    // And where all goes well: tables, and JSON that can be read.
    const Outcome table = stiction({"convert", "block.json", bad + ".dat"});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_EQ(table.out, one_line(table.out.substr(0, table.out.size() - 1)) + "\n");
    const Outcome json = stiction({"--json", "convert", "block.json", bad + ".dat"});
    EXPECT_EQ(json.status, 0) << json.err;
    EXPECT_TRUE(nlohmann::json::accept(json.out)) << json.out;
    EXPECT_EQ(stiction({"solve", bad + ".dat"}).status, 0);
  }
  EXPECT_EQ(stiction({"slider", "tripod.json", "points"}).out.find('\x1b'), std::string::npos);
}

// Some editors of Windows begin a file with a mark; it is UTF-8's and says nothing.
TEST_F(Hostile, AMarkOfUtf8IsNoPartOfAFile) {
  write(scratch() / "plain.dat", "2 1 0 2 2 2 2 1 0 0 1 -1 2 0.5");
  write(scratch() / "tripod.json", R"({"supports":[{"type":"point","at":[0,0],"normal_force":1,
        "law":{"curve":"disc","mu":0.5}}]})");
  write(scratch() / "rod.json", R"({"delassus":[[1,0,0],[0,1,0],[0,0,1]]})");
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"enumerate", "plain.dat"},
                                             {"enumerate", "block.json"},
                                             {"check", "block.json", "solution.json"},
                                             {"gcone", "--matrix", "rod.json", "--mu", "0.5"},
                                             {"slider", "tripod.json", "points"}}) {
    std::vector<std::string> marked{"--json"}, plain{"--json"};
    for (const std::string& word : call) {
      plain.push_back(word);
      if (word.find('.') == std::string::npos || word == "0.5") {
        marked.push_back(word);
        continue;
      }
      write(scratch() / ("marked-" + word), "\xef\xbb\xbf" + slurp(scratch() / word));
      marked.push_back("marked-" + word);
    }
    const Outcome a = stiction(plain), b = stiction(marked);
    EXPECT_EQ(a.status, 0) << a.err;
    EXPECT_EQ(b.status, 0) << b.err;
    EXPECT_EQ(a.out, b.out);
    EXPECT_NE(a.out, "");
  }
}

// Every command that writes: a pipe that nobody reads is refused.
TEST_F(Hostile, AWriterToAPipeThatNobodyReadsDoesNotWait) {
  write(scratch() / "round.json", R"({"supports":[{"type":"disc","centre":[0,0],"radius":1,
        "normal_force":1,"law":{"curve":"disc","mu":0.5}}]})");
  for (const char* ending : {".json", ".dat", ".hdf5", ".obj", ".ply"})
    ASSERT_EQ(mkfifo((scratch() / (std::string("lonely") + ending)).c_str(), 0600), 0);
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"solve", "block.json", "--out", "lonely.json"},
           {"solve", "block.json", "--out", "lonely.hdf5"},
           {"convert", "block.json", "lonely.dat"},
           {"scene", "tower", "--contacts", "4", "--out", "lonely.json"},
           {"slider", "round.json", "surface", "--out", "lonely.obj"},
           {"slider", "round.json", "surface", "--out", "lonely.ply"}}) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = stiction(call);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(STICTION_SLOWED * 4));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "") << call[0];
    EXPECT_NE(outcome.err.find("nobody reads"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
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
