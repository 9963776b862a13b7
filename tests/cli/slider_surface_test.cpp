// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE surface` from outside.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

const std::string dumbbell = STICTION_SOURCE "/scenes/dumbbell.json";

Outcome surface(const std::string& out, const std::vector<std::string>& more = {}) {
  std::vector<std::string> call{"slider", dumbbell, "surface", "--out", out, "--json"};
  call.insert(call.end(), more.begin(), more.end());
  return stiction(call);
}

TEST(SliderSurface, SaysWhatItWrote) {
  const std::string out = (scratch() / "mesh.json").string();
  const Outcome outcome = surface(out, {"--resolution", "20"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json answer = Json::parse(outcome.out);
  std::ifstream file(out);
  const Json mesh = Json::parse(file);
  EXPECT_EQ(mesh["format"], "stiction/1");
  EXPECT_EQ(answer["vertices"].get<std::size_t>(), mesh["vertices"].size());
  EXPECT_EQ(answer["triangles"].get<std::size_t>(), mesh["triangles"].size());
  EXPECT_EQ(answer["max_error"], mesh["max_error"]);
  EXPECT_EQ(answer["facets"], 4);
  EXPECT_LT(answer["max_error"].get<double>(), 0.014);  // 1.1 (1 − cos(π/20))
}

TEST(SliderSurface, RefusesWhatItCannotWrite) {
  for (const auto& [out, more, says] :
       std::vector<std::tuple<std::string, std::vector<std::string>, std::string>>{
           {"mesh.stl", {}, "expected .obj, .ply or .json"},
           {"mesh.obj", {"--resolution", "3"}, "expected a number from 4 to 1000"}}) {
    const std::string path = (scratch() / out).string();
    const Outcome outcome = surface(path, more);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

}  // namespace
}  // namespace stiction::testing
