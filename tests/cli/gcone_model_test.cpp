// SPDX-License-Identifier: Apache-2.0
//
// `gcone --model` from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

std::string model(const std::string& file) { return STICTION_SOURCE "/scenes/models/" + file; }

#ifdef STICTION_WITH_MODELS

Json answer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "gcone");
  return json_answer(arguments);
}

// A box of 2 kg at rest on its corners: however they share it, all of its weight is in the third
// component, the normal one, as in everything else that gcone answers.
TEST(GconeModel, SeveralContactsHaveTheOrderOfTheRest) {
  const Json box = answer({"--model", model("box.xml"), "--frame", "corner", "--configuration",
                           "0,0,0.1,0,0,0,1", "--mu", "0.5", "--contact", "corner2", "--contact",
                           "corner3", "--contact", "corner4"});
  const Json solutions = box["motions"]["solutions"];
  ASSERT_GE(solutions.size(), 1U);
  for (const Json& solution : solutions) {
    double sum[3] = {0, 0, 0};
    for (const Json& contact : solution["contacts"])
      for (std::size_t c = 0; c < 3; ++c) sum[c] += contact["reaction"][c].get<double>();
    EXPECT_NEAR(sum[0], 0, 1e-6);
    EXPECT_NEAR(sum[1], 0, 1e-6);
    EXPECT_NEAR(sum[2], 2 * 9.80665, 1e-6);
  }
}

TEST(GconeModel, OfTheRodIsGconeRod) {
  const double half = 30 * std::acos(-1) / 180;
  const std::string q =
      "0,0,0,0," + std::to_string(std::sin(half)) + ",0," + std::to_string(std::cos(half));
  const Json rod =
      answer({"--rod", "60", "--mu", "2", "--slip", "1,0", "--normal-acceleration", "-9.81"});
  const Json same = answer({"--model", model("rod.urdf"), "--base", "floating", "--frame", "tip",
                            "--configuration", q, "--mu", "2", "--slip", "1,0"});
  for (const char* key : {"mu_crit", "mu_jam"})
    EXPECT_NEAR(rod[key].get<double>(), same[key].get<double>(), 1e-5);
  for (const char* key : {"delassus", "effective_mass", "quadric"})
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(rod[key][i][j].get<double>(), same[key][i][j].get<double>(), 1e-4) << key;
  EXPECT_EQ(rod["regime"], "inconsistent");
  EXPECT_EQ(same["regime"], "inconsistent");
  EXPECT_NEAR(same["normal_acceleration"].get<double>(), -9.80665, 1e-12);
}

TEST(GconeModel, TakesSlipAndAccelerationFromTheVelocity) {
  const std::vector<std::string> arm{"--model",
                                     model("two-link-arm.urdf"),
                                     "--frame",
                                     "tip",
                                     "--configuration",
                                     "0.9,-2.2",
                                     "--mu",
                                     "0.5"};
  EXPECT_TRUE(answer(arm)["regime"].is_null());
  std::vector<std::string> moving = arm;
  moving.insert(moving.end(), {"--velocity", "0.5,0.25"});
  const Json slides = answer(moving);
  EXPECT_EQ(slides["regime"], "slide");
  EXPECT_TRUE(slides["effective_mass"].is_null());
  EXPECT_TRUE(slides["reason"].is_string());
  moving.insert(moving.end(), {"--normal-acceleration", "5"});
  EXPECT_EQ(answer(moving)["regime"], "separate");
  std::vector<std::string> lifted = arm;
  lifted.insert(lifted.end(), {"--slip", "1,0", "--gravity", "0,0,9.81"});
  EXPECT_EQ(answer(lifted)["regime"], "separate");
}

// A wall to the left: its normal is x, so t1 is y and t2 is z.
TEST(GconeModel, TurnsTheMatrixIntoTheAxesOfTheNormal) {
  const std::vector<std::string> box{"--model", model("box.xml"), "--frame",
                                     "corner",  "--mu",           "0.5"};
  const Json level = answer(box);
  std::vector<std::string> wall = box;
  wall.insert(wall.end(), {"--normal", "5,0,0"});
  const Json turned = answer(wall);
  const std::array<std::size_t, 3> to{1, 2, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(turned["delassus"][i][j].get<double>(),
                  level["delassus"][to[i]][to[j]].get<double>(), 1e-14);
}

TEST(GconeModel, EnumeratesSeveralContacts) {
  const Json two = answer({"--model", model("box.xml"), "--frame", "corner", "--contact", "corner3",
                           "--velocity", "0.6,0.8,0,0,0,0", "--mu", "0.9"});
  EXPECT_EQ(two["motions"]["complete"], true);
  ASSERT_EQ(two["motions"]["solutions"].size(), 1U);
  EXPECT_EQ(two["motions"]["solutions"][0]["contacts"].size(), 2U);
}

TEST(GconeModel, SweepsToATableAPictureAndJson) {
  const std::vector<std::string> sweep{"--model", model("two-link-arm.urdf"),
                                       "--frame", "tip",
                                       "--mu",    "0.8",
                                       "--sweep", "shoulder=0.2:1.4:7",
                                       "--sweep", "elbow=-2.5:-0.3:5"};
  const Json whole = answer(sweep);
  EXPECT_EQ(whole["cells"], 35);
  ASSERT_EQ(whole["mu_jam"].size(), 7U);
  ASSERT_EQ(whole["mu_jam"][0].size(), 5U);
  double least = 1e300;
  for (const Json& row : whole["mu_jam"])
    for (const Json& mu : row) least = std::min(least, mu.get<double>());
  EXPECT_LE(whole["least_mu_jam"]["mu"].get<double>(), least);
  EXPECT_TRUE(whole["least_mu_jam"]["at"].contains("elbow"));
  for (const char* name : {"map.csv", "map.json", "map.svg"}) {
    std::vector<std::string> with = sweep;
    with.insert(with.end(), {"--out", name});
    EXPECT_FALSE(answer(with).contains("mu_jam"));
    EXPECT_TRUE(std::filesystem::exists(scratch() / name));
  }
  const std::string table = slurp(scratch() / "map.csv");
  EXPECT_EQ(table.rfind("shoulder,elbow,mu_crit,mu_jam\n0.2,-2.5,", 0), 0U);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 36);
  EXPECT_EQ(Json::parse(slurp(scratch() / "map.json"))["mu_jam"], whole["mu_jam"]);
  EXPECT_NE(slurp(scratch() / "map.svg").find("</svg>"), std::string::npos);
}

TEST(GconeModel, AMapNeedsNoLaw) {
  std::vector<std::string> sweep{"--model", model("two-link-arm.urdf"), "--frame", "tip",
                                 "--sweep", "elbow=-2.5:-0.3:5"};
  const Json bare = answer(sweep);
  EXPECT_TRUE(bare["law"].is_null() && bare["jamming"].is_null());
  sweep.insert(sweep.end(), {"--mu", "0.8"});
  const Json judged = answer(sweep);
  EXPECT_EQ(judged["law"], "disc:0.8");
  EXPECT_TRUE(judged["jamming"].is_number());
  EXPECT_EQ(bare["mu_jam"], judged["mu_jam"]);
  EXPECT_EQ(bare["mu_crit"], judged["mu_crit"]);
}

// An arm of 2 kg, then a link of 0.5 m without mass at the absolute angle β: cot β, see the theory.
TEST(GconeModel, AMasslessLinkIsALimit) {
  std::ofstream(scratch() / "light.xml")
      << "<mujoco><compiler angle='radian'/><worldbody><body name='arm'><joint name='shoulder' "
         "axis='0 -1 0'/><inertial pos='0.5 0 0' mass='2' diaginertia='0 0.2 0.2'/><body "
         "name='link' pos='1 0 0'><joint name='elbow' axis='0 -1 0'/><inertial pos='0 0 0' "
         "mass='0' diaginertia='0 0 0'/><site name='tip' pos='0.5 0 0'/></body></body>"
         "</worldbody></mujoco>";
  std::vector<std::string> call{"--model",
                                (scratch() / "light.xml").string(),
                                "--frame",
                                "tip",
                                "--configuration",
                                "0.3,-1.4",
                                "--velocity",
                                "0.2,-0.1",
                                "--mu",
                                "1"};
  const Json found = answer(call);
  const double cot = std::cos(1.1) / std::sin(1.1);
  EXPECT_NEAR(found["mu_crit"].get<double>(), cot, 1e-12);
  EXPECT_NEAR(found["mu_jam"].get<double>(), cot, 1e-12);
  ASSERT_EQ(found["massless"].size(), 1U);
  EXPECT_NEAR(found["massless"][0][0].get<double>(), std::sin(1.1), 1e-12);
  EXPECT_NEAR(found["massless"][0][2].get<double>(), std::cos(1.1), 1e-12);
  EXPECT_TRUE(found["delassus"][2][2].is_null());
  EXPECT_EQ(found["delassus"][1][1], 0);
  EXPECT_TRUE(found["regime"].is_string());
  EXPECT_NE(found["reason"].get<std::string>().find("without moving mass"), std::string::npos);
  EXPECT_EQ(found["reason"].get<std::string>().find("depend"), std::string::npos);
  call.insert(call.end(), {"--forces", "0,1"});
  call.insert(call.begin(), "gcone");
  expect_refused(call, "no mass");
}

TEST(GconeModel, RefusesWithOneLine) {
  std::ofstream(scratch() / "broken.urdf") << "<robot name='x'><link";
  const std::string arm = model("arm7.urdf");
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong{
      {{"--model", arm, "--mu", "1"}, "--frame"},
      {{"--model", arm, "--frame", "fingertip"}, "--mu MU or --law LAW"},
      {{"--model", arm, "--frame", "fingertop", "--mu", "1"}, "'fingertip'"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--sweep", "j44=0:1:2"}, "'j4'"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--configuration", "1,2"},
       "expected 7"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--configuration", "1,2,3,4,5,6,x"},
       "--configuration"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--velocity", "1"}, "expected 7"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "-1"}, "--mu is -1"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--normal", "0,0,0"}, "normal"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--normal", "0,0"}, "--normal"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--slip", "0,0"}, "--slip"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--base", "loose"}, "--base"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--out", "x.csv"}, "--sweep"},
      {{"--model", arm, "--frame", "fingertip", "--mu", "1", "--sweep", "j4=0:1:2", "--out",
        "x.png"},
       ".svg"},
      {{"--model", "nowhere.urdf", "--frame", "tip", "--mu", "1"}, "nowhere.urdf"},
      {{"--model", "broken.urdf", "--frame", "tip", "--mu", "1"}, "broken.urdf"},
      {{"--model", model("box.xml"), "--frame", "corner", "--mu", "1", "--velocity", "0,0,-1,0,0,0",
        "--contact", "corner2"},
       "impact"},
      {{"--frame", "tip", "--mu", "1"}, "--model"}};
  for (const auto& [arguments, part] : wrong) {
    std::vector<std::string> call{"gcone"};
    call.insert(call.end(), arguments.begin(), arguments.end());
    expect_refused(call, part);
  }
}

#else

TEST(GconeModel, SaysThatThisBuildHasNoReader) {
  const Outcome outcome =
      stiction({"gcone", "--model", model("rod.urdf"), "--frame", "tip", "--mu", "1"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("no model reader"), std::string::npos);
}

#endif

}  // namespace
}  // namespace stiction::testing
