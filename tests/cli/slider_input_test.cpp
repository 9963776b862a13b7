// SPDX-License-Identifier: Apache-2.0
//
// Slider files that are wrong, through every subcommand: exit status 2, one line that names the
// support and its field, nothing on standard output, nothing written.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/command.h"

namespace stiction::testing {
namespace {

void write(const std::string& name, const std::string& text) {
  std::ofstream(scratch() / name) << text;
}

const std::vector<std::vector<std::string>>& subcommands() {
  static const std::vector<std::vector<std::string>> all{
      {"load", "--motion", "1,0,0"},
      {"motion", "--load", "1,0,0"},
      {"moment", "--at", "0,0"},
      {"points"},
      {"slide", "--velocity", "1,0,0"},
      {"push", "--contact", "0,0", "--normal", "1,0", "--mu", "0.3", "--velocity", "1,0"},
      {"push", "--edge", "0,0,0,1", "--mu", "0.3", "--rotation-centre", "5,5"},
      {"fit", "--model", "quartic"},
      {"surface", "--out", "never.obj"}};
  return all;
}

void expect_refused(const std::string& file, const std::string& says) {
  for (std::vector<std::string> call : subcommands()) {
    call.insert(call.begin(), {"slider", file});
    call.emplace_back("--json");
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 2) << call[2] << " " << file;
    EXPECT_EQ(outcome.out, "") << call[2] << " " << file;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(file + ": "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << call[2] << ": " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(scratch() / "never.obj"));
  }
}

const std::string law = R"("law":{"curve":"disc","mu":1})";
const std::string good = R"({"type":"point","at":[0,1],"normal_force":1,)" + law + "}";

std::string after_a_good_one(const std::string& support) {
  return R"({"mass":1,"inertia":1,"supports":[)" + good + "," + support + "]}";
}

TEST(SliderInput, NamesTheSupportAndTheField) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"("type":"blob","at":[0,0])", "supports[1].type is \"blob\", expected one of point"},
      {R"("type":"disc","centre":[0,0],"radius":-1)",
       "supports[1].radius is -1, expected a positive"},
      {R"("type":"ring","centre":[0,0],"radius":0)",
       "supports[1].radius is 0, expected a positive"},
      {R"("type":"polygon","vertices":[[0,0],[1,1],[1,0],[0,1]])",
       "supports[1].vertices: the edge from (0, 0) to (1, 1) meets the edge from (1, 0) to (0, 1)"},
      {R"("type":"polygon","vertices":[[0,0],[1,0],[1,1]],"holes":[[[2,2],[3,2],[3,3]]])",
       "supports[1].holes[0] is outside the polygon, expected it inside"},
      {R"("type":"point","at":[null,0])", "supports[1].at[0] is null, expected a finite number"},
      {R"("type":"point","at":[NaN,0])", ", in supports[1].at[0], which is NaN, expected"},
      {R"("type":"point","at":[1e999,0])",
       "in supports[1].at[0], which is 1e999, expected a finite number"},
      {R"("type":"annulus","centre":[0,0],"radius":1,"inner_radius":1.5)",
       "supports[1].inner_radius is 1.5, expected less than the radius"},
      {R"("type":"segment","from":[0,0],"to":[0,0])", "supports[1].to is (0, 0)"},
      {R"("type":"disc","centre":[0,0])", "supports[1].radius is missing"}};
  for (const auto& [support, says] : wrong) {
    write("wrong.json",
          after_a_good_one(std::string("{") + support + R"(,"normal_force":1,)" + law + "}"));
    expect_refused("wrong.json", says);
  }
  write("force.json",
        after_a_good_one(R"({"type":"point","at":[0,0],"normal_force":-1,)" + law + "}"));
  expect_refused("force.json", "supports[1].normal_force is -1, expected");
}

// Force along the slip but not of the greatest power: no limit surface.
TEST(SliderInput, RefusesALawThatIsNotNormal) {
  for (const char* curve : {"castor", "naive", "orthotropic"}) {
    write("law.json",
          after_a_good_one(R"({"type":"point","at":[0,0],"normal_force":1,"law":{"curve":")" +
                           std::string(curve) + R"(","mu":[1,0.5]}})"));
    expect_refused("law.json",
                   "supports[1].law.curve is \"" + std::string(curve) + "\", expected one of");
  }
}

TEST(SliderInput, RefusesABodyWithoutSupport) {
  write("none.json", R"({"supports":[]})");
  expect_refused("none.json", "supports is [], expected at least one support");
  write("unloaded.json",
        R"({"supports":[{"type":"point","at":[0,0],"normal_force":0,)" + law + "}]}");
  expect_refused("unloaded.json", "supports carry a normal force of 0 in all, expected more");
}

TEST(SliderInput, RefusesAHugeGrid) {
  std::string row = "[1", rows;
  for (int i = 1; i < 4001; ++i) row += ",1";
  row += "]";
  for (int i = 0; i < 1000; ++i) rows += (i > 0 ? "," : "") + row;
  write("grid.json", after_a_good_one(R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[)" +
                                      rows + "]," + law + "}"));
  const Outcome outcome = stiction({"slider", "grid.json", "moment", "--at", "0,0"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("supports[1].pressure has 4001000 cells, expected at most 4000000"),
            std::string::npos)
      << outcome.err;
}

// What a subcommand cannot do for a file that is right.
TEST(SliderInput, SaysWhatASubcommandNeeds) {
  write("bare.json", R"({"supports":[)" + good + "]}");
  const auto refusal = [](std::vector<std::string> call) {
    call.insert(call.begin(), {"slider", "bare.json"});
    call.emplace_back("--json");
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 2) << call[2];
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(refusal({"slide", "--velocity", "1,0,0"}).find("mass"), std::string::npos);
  EXPECT_NE(refusal({"fit"}).find("do not resist every motion"), std::string::npos);
  EXPECT_NE(refusal({"fit", "--model", "cubic"}).find("--model"), std::string::npos);
  EXPECT_NE(refusal({"fit", "--samples", "5"}).find("--samples"), std::string::npos);
  EXPECT_NE(refusal({"surface", "--out", "x.obj"}).find("no volume"), std::string::npos);
  EXPECT_NE(refusal({"surface"}).find("--out"), std::string::npos);
  EXPECT_NE(refusal({"slide"}).find("--velocity"), std::string::npos);
  EXPECT_NE(refusal({"slide", "--velocity", "1,0"}).find("--velocity is '1,0', expected 3"),
            std::string::npos);
  EXPECT_NE(refusal({"slide", "--velocity", "1,0,nan"}).find("--velocity"), std::string::npos);
  EXPECT_NE(refusal({"motion", "--load", "1,0"}).find("--load"), std::string::npos);
  EXPECT_NE(refusal({"push", "--mu", "0.3"}).find("--contact is missing"), std::string::npos);
  EXPECT_NE(
      refusal({"push", "--mu", "-1", "--contact", "0,0", "--normal", "1,0", "--velocity", "1,0"})
          .find("mu is -1"),
      std::string::npos);
  EXPECT_NE(
      refusal({"push", "--mu", "1", "--contact", "0,0", "--normal", "0,0", "--velocity", "1,0"})
          .find("--normal is 0,0, expected a direction"),
      std::string::npos);
  EXPECT_NE(refusal({"push", "--mu", "1", "--edge", "0,0,0,1"}).find("--rotation-centre"),
            std::string::npos);
  EXPECT_NE(refusal({"push", "--mu", "1", "--edge", "0,0,0,1", "--translation", "0,0"})
                .find("--translation is 0,0, expected a direction"),
            std::string::npos);
  EXPECT_NE(
      refusal({"push", "--mu", "1", "--edge", "1,1,1,1", "--translation", "1,0"}).find("edge"),
      std::string::npos);
}

// What is wrong for one subcommand alone: the line still names the file or the option.
TEST(SliderInput, NamesWhatASubcommandMisses) {
  write("massless.json", R"({"supports":[)" + good + "]}");
  write("wheel.json", R"({"supports":[{"type":"point","at":[0,1],"normal_force":1,)"
                      R"("law":{"curve":"wheel","mu":1}}]})");
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"massless.json", "slide", "--velocity", "1,0,0"},
       "massless.json: mass is missing, expected a positive number"},
      {{"wheel.json", "fit", "--model", "quartic"},
       "wheel.json: supports do not resist every motion, expected"},
      {{"wheel.json", "fit"}, "wheel.json: supports do not resist every motion, expected"},
      {{"massless.json", "push", "--contact", "0,0", "--normal", "1,0", "--mu=-0.3", "--velocity",
        "1,0"},
       "--mu is -0.3, expected zero or more"},
      {{"massless.json", "push", "--edge", "0,0,0,1", "--mu=-1", "--rotation-centre", "5,5"},
       "--mu is -1, expected zero or more"},
      {{"massless.json", "push", "--edge", "0,1,0,1", "--mu=1", "--rotation-centre", "5,5"},
       "--edge is 0,1,0,1, expected two different points"},
      {{"massless.json", "surface", "--out", "never.obj", "--resolution", "3"},
       "--resolution is 3, expected a number from 4 to 1000"}};
  for (const auto& [call, says] : wrong) {
    std::vector<std::string> words{"slider"};
    words.insert(words.end(), call.begin(), call.end());
    const Outcome outcome = stiction(words);
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace stiction::testing
