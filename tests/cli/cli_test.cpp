// SPDX-License-Identifier: Apache-2.0
//
// The command line from outside: what it prints, and how it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

Json answer(const std::vector<std::string>& arguments) {
  std::vector<std::string> with_json = arguments;
  with_json.emplace_back("--json");
  const Outcome outcome = stiction(with_json);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  return Json::parse(outcome.out);
}

TEST(Curve, AnswersASlip) {
  EXPECT_EQ(answer({"curve", "disc:0.5", "--slip", "3,4"}),
            Json::parse(R"({"power":2.5,"face":[[0.3,0.4]],"unique":true})"));
  EXPECT_EQ(answer({"curve", "box:0.5", "--slip", "-1,0"}),
            Json::parse(R"({"power":0.5,"face":[[-0.5,0.5],[-0.5,-0.5]],"unique":false})"));
  EXPECT_EQ(answer({"curve", "disc:0.5", "--slip", "0,0"}),
            Json::parse(R"({"power":0.0,"face":null,"unique":false})"));
  EXPECT_EQ(answer({"curve", "free", "--slip", "0,0"}),
            Json::parse(R"({"power":0.0,"face":null,"unique":true})"));
}

TEST(Curve, AnswersAForce) {
  EXPECT_EQ(answer({"curve", "disc:0.5", "--force", "0,1"}),
            Json::parse(R"({"gauge":2.0,"inside":false,"projection":[0.0,0.5],"normals":null})"));
  const Json wheel = answer({"curve", "wheel:0.8,0", "--force", "0.1,0"});
  EXPECT_TRUE(wheel["gauge"].is_null());
  const std::vector<std::pair<std::vector<std::string>, std::pair<const char*, std::size_t>>> kinds{
      {{"disc:0.5", "0.1,0"}, {"none", 0}},         {{"disc:0.5", "0.5,0"}, {"ray", 1}},
      {{"box:0.5", "-.5,.5"}, {"wedge", 2}},        {{"wheel:0.8,0", "0,0.1"}, {"line", 2}},
      {{"wheel:0.8,0", "0,0.8"}, {"halfplane", 2}}, {{"free", "0,0"}, {"all", 0}}};
  for (const auto& [query, expected] : kinds) {
    const Json normals = answer({"curve", query[0], "--force", query[1]})["normals"];
    EXPECT_EQ(normals["kind"], expected.first);
    EXPECT_EQ(normals["directions"].size(), expected.second);
  }
}

TEST(Cone, TellsTrueErrors) {
  const Json octagon = answer({"cone", "ngon:0.5,8"});
  EXPECT_NEAR(octagon["under"].get<double>(), 1 - std::cos(std::acos(-1) / 8), 1e-15);
  EXPECT_EQ(octagon["under_at_deg"], 0.0);
  EXPECT_TRUE(octagon["over_at_deg"].is_null());
  EXPECT_EQ(octagon["rows"].size(), 8U);
  EXPECT_EQ(octagon["rays"].size(), 8U);
  for (const Json& row : octagon["rows"])
    for (const Json& ray : octagon["rays"]) {
      double product = 0;
      for (std::size_t i = 0; i < 3; ++i) product += row[i].get<double>() * ray[i].get<double>();
      EXPECT_LE(product, 1e-16);
    }
  EXPECT_TRUE(answer({"cone", "disc:0.5"})["rows"].is_null());
  for (const char* nothing : {"free", "disc:0", "ngon:0,5"}) {
    const Json nulls = answer({"cone", nothing});
    EXPECT_EQ(nulls.size(), 9U);
    for (const auto& [key, value] : nulls.items()) EXPECT_TRUE(value.is_null()) << key;
  }
}

TEST(Person, ReadsTablesWithoutColourInAPipe) {
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"curve", "wheel:0.8,30", "--force", "0.1,0.2"},
        {"curve", "disc:0.5", "--slip", "1,0"},
        {"cone", "box:0.5"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_GT(outcome.out.size(), 40U);
    EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  }
}

TEST(Help, CarriesExamples) {
  EXPECT_NE(stiction({"--version"}).out.find("stiction 0."), std::string::npos);
  for (const std::vector<std::string>& call : {std::vector<std::string>{"--help"},
                                               {"curve", "--help"},
                                               {"cone", "--help"},
                                               {"report", "--help"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("Example: stiction "), std::string::npos) << outcome.out;
  }
}

TEST(WrongCall, IsRefusedInOneLineWithStatusTwo) {
  const std::vector<std::vector<std::string>> calls{
      {},
      {"kurve"},
      {"kurve", "disc:0.5"},
      {"curve", "disc:1e200", "--slip", "1,0"},
      {"curve", "disc:0.5", "--slip", "1,0", "--slip", "1,0"},
      {"solve"},
      {"solve", "missing.dat"},
      {"solve", "missing.txt"},
      {"check", "missing.dat", "missing.json"},
      {"convert", "missing.dat", "x.json"},
      {"curve"},
      {"curve", "disc:0.5"},
      {"curve", "disc:0.5", "--slip"},
      {"curve", "disc:0.5", "--slip", "1"},
      {"curve", "disc:0.5", "--slip", "1,2,3"},
      {"curve", "disc:0.5", "--slip", "1,x"},
      {"curve", "disc:0.5", "--slip", "nan,0"},
      {"curve", "disc:0.5", "--slip", "inf,0"},
      {"curve", "disc:0.5", "--slip", "1e999,0"},
      {"curve", "disc:0.5", "--slip", ""},
      {"curve", "disc:0.5", "--slip", "1,0", "--force", "1,0"},
      {"curve", "disc:0.5", "--slop", "1,0"},
      {"curve", "disc:0.5", "box:1", "--slip", "1,0"},
      {"curve", "disk:0.5", "--slip", "1,0"},
      {"curve", "disc:-0.5", "--slip", "1,0"},
      {"curve", "disc:nan", "--slip", "1,0"},
      {"curve", "disc", "--slip", "1,0"},
      {"curve", "disc:*", "--slip", "1,0"},
      {"curve", "", "--slip", "1,0"},
      {"curve", "polygon:1,1;2,1;1,2", "--slip", "1,0"},
      {"curve", "polygon:1,1", "--slip", "1,0"},
      {"curve", "ngon:0.5,2", "--slip", "1,0"},
      {"curve", "ngon:0.5,1e9", "--slip", "1,0"},
      {"curve", "disc:0.5\ndisc", "--slip", "1,0"},
      {"cone"},
      {"cone", "box:-1"},
      {"cone", "box:nan"},
      {"cone", "boxes:1"},
      {"cone", "box"},
      {"cone", "polygon:1,1;2,1;1,2"},
      {"cone", "ngon:0.5,2"},
      {"cone", "box:1", "extra"},
      {"report", "--out", "/dev/null/x"}};
  for (std::vector<std::string> call : calls) {
    for (const bool json : {false, true}) {
      if (json) call.emplace_back("--json");
      const Outcome outcome = stiction(call);
      std::string shown;
      for (const std::string& word : call) shown += word + ' ';
      EXPECT_EQ(outcome.status, 2) << shown;
      EXPECT_EQ(outcome.out, "") << shown;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
          << shown << outcome.err;
      EXPECT_EQ(outcome.err.rfind("stiction: ", 0), 0U) << shown << outcome.err;
    }
  }
}

TEST(Report, IsOneSelfContainedPage) {
  const Outcome outcome = stiction({"report", "--out", "page", "--figures", "figures"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string page = slurp(scratch() / "page" / "report.html");
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);         // nothing is loaded
  EXPECT_EQ(page.find("http://"), page.rfind("http://"));  // but for the SVG name space
  for (const char* id : {"limit-curves", "not-normal", "cones"})
    EXPECT_NE(page.find("<section id='" + std::string(id)), std::string::npos);
  EXPECT_GT(slurp(scratch() / "figures" / "limit-curves.svg").size(), 1000U);
}

}  // namespace
}  // namespace stiction::testing
