// SPDX-License-Identifier: Apache-2.0
//
// `gcone` from outside: what it prints, and how it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

Json answer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "gcone");
  return json_answer(arguments);
}

void write(const char* name, const std::string& text) { std::ofstream(scratch() / name) << text; }

constexpr const char* rod45 = R"({"delassus":[[2.5,0,1.5],[0,4,0],[1.5,0,2.5]]})";

TEST(Gcone, AnswersForTheRod) {
  const Json rod = answer({"--rod", "45", "--mu", "0.6"});
  EXPECT_EQ(rod["delassus"], Json::parse(rod45)["delassus"]);
  EXPECT_EQ(rod["effective_mass"], Json::parse("[[0.625,0,-0.375],[0,0.25,0],[-0.375,0,0.625]]"));
  EXPECT_EQ(rod["quadric"][1][1], 0.0625);
  EXPECT_EQ(rod["mu_crit"], 0.6);
  EXPECT_EQ(rod["mu_jam"], 5.0 / 3);
  EXPECT_EQ(rod["stick_inside"], true);
  EXPECT_TRUE(rod["jam"].is_null());
  EXPECT_TRUE(rod["regime"].is_null());
  EXPECT_FALSE(rod.contains("reason"));
  EXPECT_EQ(answer({"--rod", "45", "--mass", "2", "--mu", "1"})["delassus"][1][1], 2.0);
  EXPECT_TRUE(answer({"--rod", "90", "--mu", "1"})["mu_jam"].is_null());
  const Json jams = answer({"--rod", "45", "--law", "disc:3.3333333333333335"});
  EXPECT_NEAR(jams["jam"]["half_width_deg"].get<double>(), 60, 1e-12);
  EXPECT_EQ(jams["jam"]["direction_deg"], 0.0);
  EXPECT_EQ(answer({"--rod", "135", "--mu", "2"})["jam"]["direction_deg"], 180.0);
}

TEST(Gcone, ReadsAMatrixAndAnyLaw) {
  write("w.json", rod45);
  EXPECT_EQ(answer({"--matrix", "w.json", "--mu", "0.6"}), answer({"--rod", "45", "--mu", "0.6"}));
  const Json pyramid = answer({"--matrix", "w.json", "--law", "pyramid:0.6"});
  EXPECT_TRUE(pyramid["quadric"].is_null());
  EXPECT_TRUE(pyramid["reason"].is_string());
  EXPECT_EQ(pyramid["stick_inside"], true);
  EXPECT_EQ(pyramid["rows"].size(), 4U);
  EXPECT_EQ(pyramid["rays"].size(), 4U);
  EXPECT_EQ(answer({"--matrix", "w.json", "--law", "scaled-box:0.6"})["stick_inside"], false);
  EXPECT_EQ(answer({"--matrix", "w.json", "--law", "wheel:9,0"})["stick_inside"], false);
  EXPECT_EQ(answer({"--matrix", "w.json", "--law", "wheel:9,90"})["jam"]["half_width_deg"], 90.0);
  EXPECT_EQ(answer({"--matrix", "w.json", "--mu", "0"})["quadric"][2][2], 0.140625);
}

TEST(Gcone, TakesSingularMatricesAsALimit) {
  for (const char* W :
       {R"({"delassus":[[2.5,0,1.5],[0,0,0],[1.5,0,2.5]]})",
        R"({"delassus":[[1,1,1],[1,1,1],[1,1,1]]})", R"({"delassus":[[0,0,0],[0,0,0],[0,0,0]]})",
        R"({"delassus":[[1,0,0],[0,1,0],[0,0,-1e-10]]})"}) {
    write("singular.json", W);
    const Json cone = answer({"--matrix", "singular.json", "--mu", "1", "--change", "1,2,3"});
    EXPECT_TRUE(cone["effective_mass"].is_null());
    EXPECT_TRUE(cone["quadric"].is_null());
    EXPECT_TRUE(cone["reason"].is_string());
    EXPECT_TRUE(cone["mu_crit"].is_number());
    EXPECT_TRUE(cone["stick_inside"].is_boolean());
    EXPECT_TRUE(cone["distance"].is_number());
  }
  // A normal direction that is blocked, but for rounding: nothing can jam.
  write("singular.json", R"({"delassus":[[1,0,0],[0,1,0],[0,0,-1e-10]]})");
  const Json blocked = answer({"--matrix", "singular.json", "--mu", "50"});
  EXPECT_TRUE(blocked["jam"].is_null() && blocked["mu_jam"].is_null());
  write("singular.json", R"({"delassus":[[1,1,1],[1,1,1],[1,1,1]]})");
  const Json cone = answer({"--matrix", "singular.json", "--mu", "1"});
  EXPECT_NEAR(cone["mu_crit"].get<double>(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(cone["mu_jam"].get<double>(), std::sqrt(0.5), 1e-15);
}

// p = 1.75 − 1.299 μ for the rod at 60° and a slip along t1.
TEST(Gcone, ClassifiesASlip) {
  const auto regime = [](const char* mu, const char* slip, const char* b) {
    return answer(
        {"--rod", "60", "--mu", mu, "--slip", slip, "--normal-acceleration", b})["regime"];
  };
  EXPECT_EQ(regime("1", "1,0", "1"), "separate");
  EXPECT_EQ(regime("1", "1,0", "-9.81"), "slide");
  EXPECT_EQ(regime("1", "1,0", "0"), "slide");
  EXPECT_EQ(regime("2", "0.1,0", "1"), "indeterminate");
  EXPECT_EQ(regime("2", "1,0", "0"), "indeterminate");
  EXPECT_EQ(regime("2", "1,0", "-1"), "inconsistent");
  EXPECT_EQ(regime("2", "-1,0", "-1"), "slide");
  const std::vector<std::string> edge{"--rod", "45", "--mu", "1.6666666666666667", "--slip", "1,0"};
  const auto at = [&](const char* b) {
    auto call = edge;
    call.insert(call.end(), {"--normal-acceleration", b});
    return answer(call)["regime"];
  };
  EXPECT_EQ(at("0"), "jam_point");
  EXPECT_EQ(at("1"), "separate");
  EXPECT_EQ(at("-1"), "inconsistent");
  const Json alone = answer(edge);
  EXPECT_TRUE(alone["regime"].is_null());
  EXPECT_NE(alone["reason"].get<std::string>().find("--normal-acceleration"), std::string::npos);
  // The rod of half length 1 that turns at 4 rad/s: b = 16 sin 60° − g.
  const Json turning = answer({"--rod", "60", "--mu", "2", "--slip", "1,0", "--turning", "0,4,0"});
  EXPECT_NEAR(turning["normal_acceleration"].get<double>(), 16 * std::sqrt(0.75) - 9.80665, 1e-12);
  EXPECT_EQ(turning["regime"], "indeterminate");
}

TEST(Gcone, FollowsAnImpact) {
  const Json hit = answer({"--rod", "90", "--mu", "0.5", "--impact", "0.1,0,-1", "--restitution",
                           "poisson:0.5"})["impact"];
  EXPECT_EQ(hit["velocity"], Json::parse("[0,0,0.5]"));
  EXPECT_EQ(hit["impulse"], Json::parse("[-0.025,0,1.5]"));
  EXPECT_EQ(hit["phases"].size(), 2U);
  EXPECT_EQ(hit["phases"][1]["mode"], "stick");
  EXPECT_EQ(hit["path"][0]["velocity"], Json::parse("[0.1,0,-1]"));
}

TEST(Gcone, ShowsPeopleATable) {
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"gcone", "--rod", "60", "--mu", "2", "--slip", "1,0"},
        {"gcone", "--box", "1,1,1,20", "--mu", "0.5"},
        {"gcone", "--wheel", "0.5,0.6,1,45", "--mu", "0.5", "--change", "0,0,1"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("mu_crit"), std::string::npos);
    EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  }
  EXPECT_NE(stiction({"gcone", "--help"}).out.find("Example: stiction "), std::string::npos);
}

TEST(Gcone, RefusesInOneLineWithStatusTwo) {
  write("w.json", rod45);
  write("unsymmetric.json", R"({"delassus":[[1,0.5,0],[0,1,0],[0,0,1]]})");
  write("indefinite.json", R"({"delassus":[[1,0,2],[0,1,0],[2,0,1]]})");
  write("negative.json", R"({"delassus":[[1,0,0],[0,1,0],[0,0,-1]]})");
  write("nan.json", R"({"delassus":[[NaN,0,0],[0,1,0],[0,0,1]]})");
  write("null.json", R"({"delassus":[[null,0,0],[0,1,0],[0,0,1]]})");
  write("huge.json", R"({"delassus":[[1e999,0,0],[0,1,0],[0,0,1]]})");
  write("tiny.json", R"({"delassus":[[1e-310,0,0],[0,1e-310,0],[0,0,1e-310]]})");
  write("vast.json", R"({"delassus":[[1e300,0,0],[0,1e300,0],[0,0,1e300]]})");
  write("small.json", R"({"delassus":[[1,0],[0,1]]})");
  write("ragged.json", R"({"delassus":[[1,0,0],[0,1],[0,0,1]]})");
  write("text.json", R"({"delassus":"unit"})");
  write("other.json", R"({"W":[[1,0,0],[0,1,0],[0,0,1]]})");
  write("list.json", "[[1,0,0],[0,1,0],[0,0,1]]");
  write("empty.json", "");
  std::vector<std::vector<std::string>> calls;
  for (const char* file :
       {"tiny.json", "vast.json", "unsymmetric.json", "indefinite.json", "negative.json",
        "nan.json", "null.json", "huge.json", "small.json", "ragged.json", "text.json",
        "other.json", "list.json", "empty.json", "missing.json", "."})
    calls.push_back({"--matrix", file, "--mu", "0.5"});
  const std::vector<std::string> rod{"--rod", "45"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {},
           {"--mu", "-0.1"},
           {"--mu", "nan"},
           {"--mu", "inf"},
           {"--mu", "x"},
           {"--mu", ""},
           {"--mu", "0.5,2"},
           {"--mu", "0.5", "--law", "disc:0.5"},
           {"--law", "disc:*"},
           {"--law", "disk:1"},
           {"--mu", "1", "--slip", "0,0"},
           {"--mu", "1", "--slip", "0,0", "--normal-acceleration", "1"},
           {"--mu", "1", "--slip", "1"},
           {"--mu", "1", "--slip", "nan,0"},
           {"--mu", "1", "--slip", "1,0", "--normal-acceleration", "inf"},
           {"--mu", "1", "--slip", "1,0", "--normal-acceleration", "x"},
           {"--mu", "1", "--mass", "0"},
           {"--mu", "1", "--mass", "-1"},
           {"--mu", "1", "--mass", "x"},
           {"--mu", "1", "--half-length", "0"},
           {"--mu", "1", "--turning", "1,2"},
           {"--mu", "1", "--change", "1,2"},
           {"--mu", "1", "--apex", "1,2,3"},
           {"--mu", "1", "--impact", "1,0,-1"},
           {"--mu", "1", "--impact", "1,0,1", "--restitution", "newton:1"},
           {"--mu", "1", "--impact", "1,0,-1", "--restitution", "newton:1.5"},
           {"--mu", "1", "--impact", "1,0,-1", "--restitution", "bouncy:1"},
           {"--mu", "1", "--restitution", "newton:1"},
           {"--mu", "1", "--matrix", "w.json"},
           {"--mu", "1", "--rod", "45"},
           {"--mu", "1", "extra"}}) {
    calls.push_back(rod);
    calls.back().insert(calls.back().end(), more.begin(), more.end());
  }
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {},
           {"--mu", "1"},
           {"--rod", "--mu", "1"},
           {"--rod", "x", "--mu", "1"},
           {"--rod", "nan", "--mu", "1"},
           {"--rod", "-1", "--mu", "1"},
           {"--rod", "181", "--mu", "1"},
           {"--matrix", "w.json", "--mu", "1", "--mass", "1"},
           {"--matrix", "w.json", "--mu", "1", "--half-length", "1"},
           {"--matrix", "w.json", "--mu", "1", "--turning", "0,1,0"},
           {"--box", "1,1,1", "--mu", "1"},
           {"--box", "1,0,1,20", "--mu", "1"},
           {"--wheel", "1,1,-1,20", "--mu", "1"}})
    calls.push_back(call);
  for (std::vector<std::string> call : calls) {
    call.insert(call.begin(), "gcone");
    expect_refused(call);
  }
  EXPECT_NE(stiction({"gcone", "--matrix", "unsymmetric.json", "--mu", "1"})
                .err.find("unsymmetric.json: delassus[1][0] is 0"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction::testing
