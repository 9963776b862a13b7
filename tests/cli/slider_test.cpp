// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE load` and `slider FILE moment` from outside.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;
constexpr double pi = 3.14159265358979323846;

std::string scene(const std::string& name) { return STICTION_SOURCE "/scenes/" + name + ".json"; }

Json answer(std::vector<std::string> call) {
  call.insert(call.begin(), "slider");
  return json_answer(call);
}

std::string people(const std::vector<std::string>& arguments) {
  std::vector<std::string> call{"slider"};
  call.insert(call.end(), arguments.begin(), arguments.end());
  const Outcome outcome = stiction(call);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.out;
}

void expect_near(const Json& values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(values[i].get<double>(), expected[i], tolerance) << i;
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(scratch() / name) << text;
}

// Motion (0, 1, 0): both supports drag half each.
TEST(SliderLoad, IsOneLoadWhereEverythingSlips) {
  EXPECT_EQ(answer({scene("dumbbell"), "load", "--motion", "0,2,0"}),
            Json::parse(R"({"load":[0.0,1.0,0.0],"power":2.0,"unique":true,"facet":null})"));
}

// Turning about (0, 1): the support there carries any force of its disc of radius ½, whose load
// (f_x, f_y, −f_x) has the half axes (½, 0, −½) and (0, ½, 0).
TEST(SliderLoad, IsAFacetWhereASupportRests) {
  const Json set = answer({scene("dumbbell"), "load", "--motion", "1,0,1"});
  EXPECT_EQ(set, Json::parse(R"({"load":[0.5,0.0,0.5],"power":1.0,"unique":false,"facet":
      {"centre":[0.5,0.0,0.5],"terms":
       [{"support":0,"kind":"ellipse","axes":[[0.5,0.0,-0.5],[0.0,0.5,0.0]]}]}})"));
}

TEST(SliderLoad, NamesEveryKindOfTerm) {
  const auto at_origin = [](const std::string& name, const std::string& law) {
    write(name, R"({"supports":[{"type":"point","at":[0,0],"normal_force":2,"law":)" + law + "}]}");
    const Json set = answer({name, "load", "--motion", "0,0,1"});
    EXPECT_EQ(set["unique"], false);
    EXPECT_EQ(set["facet"]["centre"], set["load"]);
    EXPECT_EQ(set["facet"]["terms"].size(), 1U);
    return set["facet"]["terms"][0];
  };
  EXPECT_EQ(at_origin("wheel.json", R"({"curve":"wheel","mu":0.5,"roll_deg":90})")["half"].size(),
            3U);
  const Json box = at_origin("box.json", R"({"curve":"box","mu":0.5})");
  EXPECT_EQ(box["kind"], "polygon");
  EXPECT_EQ(box["points"].size(), 4U);
  const Json ratchet = at_origin("ratchet.json", R"({"curve":"ratchet","mu":0.5})");
  EXPECT_EQ(ratchet["kind"], "curve");
  EXPECT_GT(ratchet["points"].size(), 10U);
  // A slip normal to a flat of the box: a segment of forces.
  const Json flat = answer({"box.json", "load", "--motion", "1,0,0"});
  EXPECT_EQ(flat["facet"]["terms"][0]["kind"], "segment");
  EXPECT_EQ(flat["load"], Json::parse("[1.0,0.0,0.0]"));
}

// A support that carries nothing, or without friction, leaves nothing open where it rests.
TEST(SliderLoad, IsUniqueWhereWhatRestsCarriesNothing) {
  for (const char* nothing : {R"("normal_force":0,"law":{"curve":"disc","mu":1})",
                              R"("normal_force":1,"law":{"curve":"disc","mu":0})",
                              R"("normal_force":1,"law":{"curve":"free"})"}) {
    write("idle.json", R"({"supports":[{"type":"point","at":[0,1],"normal_force":1,)"
                       R"("law":{"curve":"disc","mu":1}},{"type":"point","at":[0,0],)" +
                           std::string(nothing) + "}]}");
    EXPECT_EQ(answer({"idle.json", "load", "--motion", "0,0,1"}),
              Json::parse(R"({"load":[-1.0,0.0,1.0],"power":1.0,"unique":true,"facet":null})"));
  }
}

TEST(SliderLoad, IsNotDeterminedAtRest) {
  EXPECT_EQ(answer({scene("dumbbell"), "load", "--motion", "0,-0,0"}),
            Json::parse(R"({"load":null,"power":null,"unique":null,"facet":null})"));
}

// In translation every isotropic support drags with μN, as if at its centre of pressure.
TEST(SliderLoad, OfATranslationActsAtTheCentreOfPressure) {
  const auto text = [](const std::string& support) {
    return R"({"reference":[3,1],"supports":[{)" + support +
           R"(,"normal_force":2,"law":{"curve":"disc","mu":0.5}}]})";
  };
  const std::tuple<const char*, std::string, std::pair<double, double>> supports[] = {
      {"t1.json", R"("type":"point","at":[1,4])", {1, 4}},
      {"t2.json", R"("type":"segment","from":[0,0],"to":[2,8])", {1, 4}},
      {"t3.json", R"("type":"polygon","vertices":[[0,0],[0,6],[3,0]])", {1, 2}},
      {"t4.json",
       R"("type":"polygon","vertices":[[0,0],[4,0],[4,4],[0,4]],
        "holes":[[[1,1],[3,1],[3,3],[1,3]]])",
       {2, 2}},
      {"t5.json", R"("type":"disc","centre":[1,4],"radius":3)", {1, 4}},
      {"t6.json", R"("type":"ring","centre":[1,4],"radius":3)", {1, 4}},
      {"t7.json", R"("type":"annulus","centre":[1,4],"radius":3,"inner_radius":2)", {1, 4}},
      {"t8.json", R"("type":"grid","origin":[0,3],"cell":1,"pressure":[[1,1],[0,0]])", {1, 3.5}}};
  for (const auto& [name, support, centre] : supports) {
    write(name, text(support));
    const Json set = answer({name, "load", "--motion", "0.6,-0.8,0"});
    const double x = centre.first - 3, y = centre.second - 1;
    expect_near(set["load"], {0.6, -0.8, -0.8 * x - 0.6 * y}, 1e-13);
    EXPECT_NEAR(set["power"].get<double>(), 1, 1e-14) << name;
    EXPECT_EQ(set["unique"], true) << name;
  }
}

// A ring of wheels that roll counter-clockwise freely and lock the other way.  Turning with them
// costs nothing, against them μNR.  In translation along x the place at θ, with tangent
// t = (−sin θ, cos θ), slips against its wheel for 0 < θ < π and drags fully; elsewhere only its
// radial slip |cos θ| is resisted.  So H = ½ + (1/2π) ∫_π^{2π} |cos θ| dθ = ½ + 1/π, and the moment
// is the mean of f·t, −(1/2π) ∫_0^π sin θ dθ = −1/π: pushed straight, the ring is turned.
TEST(SliderLoad, OfTheRingOfRatchets) {
  const std::string ring = scene("ratchet-ring");
  EXPECT_NEAR(answer({ring, "load", "--motion", "0,0,1"})["power"].get<double>(), 0, 1e-12);
  expect_near(answer({ring, "load", "--motion", "0,0,-1"})["load"], {0, 0, -1}, 1e-12);
  const Json straight = answer({ring, "load", "--motion", "1,0,0"});
  expect_near(straight["load"], {0.5 + 1 / pi, 0, -1 / pi}, 1e-10);
  EXPECT_NEAR(straight["power"].get<double>(), 0.5 + 1 / pi, 1e-10);
}

// Turning about the middle, each support slips at its distance from there.
TEST(SliderMoment, AtTheMiddleIsTheMeanDistance) {
  EXPECT_EQ(answer({scene("dumbbell"), "moment", "--at", "0,0"}),
            Json::parse(R"({"moment":1.0,"force":[0.0,0.0],"smooth":true,
              "corners":[[0.0,1.0],[0.0,-1.0]],
              "floor":{"moment":1.0,"corners":[[0.0,1.0],[0.0,-1.0]]}})"));
  const std::pair<const char*, double> known[] = {
      {"tripod", 0.5 * 6}, {"disc", 2.0 / 3}, {"square", 0.4 * 9.81 * 0.3825978582321063}};
  for (const auto& [name, expected] : known) {
    const Json at = answer({scene(name), "moment", "--at", "0,0"});
    EXPECT_NEAR(at["moment"].get<double>(), expected, 1e-14 * expected + 1e-15) << name;
    expect_near(at["force"], {0, 0}, 1e-14);
  }
  const Json corner = answer({scene("tripod"), "moment", "--at", "1,0"});
  EXPECT_FALSE(corner["smooth"].get<bool>());
  EXPECT_NEAR(corner["moment"].get<double>(), 2 * std::sqrt(3), 1e-14);
}

// Three equal supports: the least moment is about their middle.  Wheels along a ring turn freely
// about its middle, and resist |c| 2/π about another place: a corner.
TEST(SliderMoment, HasCornersAndAFloor) {
  const Json tripod = answer({scene("tripod"), "moment", "--at", "0.2,0.1"});
  EXPECT_EQ(tripod["corners"].size(), 3U);
  EXPECT_NEAR(tripod["floor"]["moment"].get<double>(), 3, 1e-14);
  ASSERT_EQ(tripod["floor"]["corners"].size(), 1U);
  expect_near(tripod["floor"]["corners"][0], {0, 0}, 1e-8);
  const Json ring = answer({scene("ratchet-ring"), "moment", "--at", "0.3,0.4"});
  EXPECT_NEAR(ring["moment"].get<double>(), 0.5 * 2 / pi, 1e-14);
  EXPECT_EQ(ring["corners"], Json::parse("[[0.0,0.0]]"));
  EXPECT_EQ(ring["floor"], Json::parse(R"({"moment":0.0,"corners":null})"));
  const Json square = answer({scene("square"), "moment", "--at", "0.3,0.4"});
  EXPECT_EQ(square["corners"], Json::array());
}

// F_x = ∂M_c/∂y_c and F_y = −∂M_c/∂x_c, whatever the reference point.
TEST(SliderMoment, HasTheForceAsItsGradient) {
  for (const std::string name : {"cart", "fingertip", "dumbbell"}) {
    const double size = name == "fingertip" ? 0.01 : 1;
    const auto at = [&](double x, double y) {
      return answer(
          {scene(name), "moment", "--at", Json(x * size).dump() + "," + Json(y * size).dump()});
    };
    const double step = 1e-5;
    const Json middle = at(0.7, 0.4);
    const double scale =
        std::hypot(middle["force"][0].get<double>(), middle["force"][1].get<double>());
    const auto slope = [&](const Json& up, const Json& down) {
      return (up["moment"].get<double>() - down["moment"].get<double>()) / (2 * step * size);
    };
    expect_near(middle["force"],
                {slope(at(0.7, 0.4 + step), at(0.7, 0.4 - step)),
                 -slope(at(0.7 + step, 0.4), at(0.7 - step, 0.4))},
                1e-7 * scale);
    EXPECT_TRUE(middle["smooth"].get<bool>());
  }
}

// The moment function belongs to the supports alone; the load of the same turn is sheared.
TEST(SliderMoment, DoesNotDependOnTheReference) {
  const std::string text = slurp(scene("cart"));
  const std::string moved =
      text.substr(0, text.find("[0.2, 0]")) + "[-3, 1.5]" + text.substr(text.find("[0.2, 0]") + 8);
  write("moved.json", moved);
  const Json here = answer({scene("cart"), "moment", "--at", "0.3,0.4"});
  const Json there = answer({"moved.json", "moment", "--at", "0.3,0.4"});
  EXPECT_NEAR(there["moment"].get<double>(), here["moment"].get<double>(), 1e-12);
  expect_near(there["force"], here["force"].get<std::vector<double>>(), 1e-10);
  // The same turn about (0.3, 0.4), seen from either reference: M' = M − (O' − O) × F.
  const Json load = answer({scene("cart"), "load", "--motion", "0.4,-0.1,1"});
  const Json sheared = answer({"moved.json", "load", "--motion", "-1.1,-3.3,1"});
  const std::vector<double> P = load["load"];
  expect_near(sheared["load"], {P[0], P[1], P[2] - (-3.2 * P[1] - 1.5 * P[0])}, 1e-9);
  EXPECT_NEAR(sheared["power"].get<double>(), load["power"].get<double>(), 1e-11);
}

TEST(Slider, SpeaksToPeopleWithUnits) {
  const std::string load = people({scene("dumbbell"), "load", "--motion", "1,0,1"});
  for (const char* part : {"dumbbell", "m/s", "rad/s", "N, on the ground", "N m", "W", "ellipse"})
    EXPECT_NE(load.find(part), std::string::npos) << part;
  const std::string moment = people({scene("tripod"), "moment", "--at", "1,0"});
  for (const char* part : {"tripod", "N m", "N, on the ground", "smooth           no"})
    EXPECT_NE(moment.find(part), std::string::npos) << part;
  EXPECT_NE(people({scene("dumbbell"), "load", "--motion", "0,0,0"}).find("at rest"),
            std::string::npos);
  write("named.json", R"({"name":"a\u001b[2Jb\nc","supports":[{"type":"point","at":[0,1],
    "normal_force":1,"law":{"curve":"disc","mu":1}}]})");
  EXPECT_EQ(people({"named.json", "moment", "--at", "0,0"}).find("a?[2Jb?c, turning"), 0U);
  EXPECT_NE(stiction({"slider", "--help"}).out.find("Example"), std::string::npos);
  for (const char* command : {"load", "moment"})
    EXPECT_NE(stiction({"slider", "x.json", command, "--help"}).out.find("Example"),
              std::string::npos);
}

TEST(Slider, RefusesWrongCalls) {
  write("nothing.json", R"({"supports":[]})");
  write("text.json", "a slider");
  write("problem.json", R"({"dimension":3,"q":[],"W":[]})");
  const std::string dumbbell = scene("dumbbell");
  const std::vector<std::pair<std::vector<std::string>, const char*>> calls{
      {{}, "FILE"},
      {{dumbbell}, "expected one of load, moment"},
      {{dumbbell, "fly"}, "fly"},
      {{dumbbell, "load"}, "--motion"},
      {{dumbbell, "load", "--motion", "1,2"}, "--motion is '1,2', expected 3 numbers"},
      {{dumbbell, "load", "--motion", "1,2,nan"}, "--motion is 'nan', expected a finite number"},
      {{dumbbell, "load", "--motion", "1,2,1e999"}, "--motion"},
      {{dumbbell, "moment", "--at", "1"}, "--at is '1', expected 2 numbers"},
      {{dumbbell, "moment", "--at", "1,inf"}, "--at is 'inf', expected a finite number"},
      {{dumbbell, "load", "--motion", "1,0,0", "more"}, "more"},
      {{"absent.json", "load", "--motion", "1,0,0"}, "absent.json: no such file"},
      {{".", "load", "--motion", "1,0,0"}, "is not a file"},
      {{"nothing.json", "load", "--motion", "1,0,0"}, "nothing.json: supports is []"},
      {{"text.json", "moment", "--at", "1,0"}, "text.json: is not JSON"},
      {{"problem.json", "moment", "--at", "1,0"}, "problem.json: supports is missing"}};
  for (auto [arguments, why] : calls) {
    arguments.insert(arguments.begin(), "slider");
    expect_refused(arguments, why);
  }
}

// Files that are not what they say: one line, in a moment.
TEST(Slider, RefusesHostileFiles) {
  namespace fs = std::filesystem;
  fs::create_symlink("/dev/zero", scratch() / "slider-zero.json");
  ASSERT_EQ(mkfifo((scratch() / "slider-pipe.json").c_str(), 0600), 0);
  fs::create_symlink("nowhere", scratch() / "slider-dangling.json");
  write("slider-empty.json", "");
  write("slider-zeros.json", std::string(1 << 20, '\0'));
  write("slider-deep.json", std::string(1000000, '['));
  write("slider-binary.json", "{\"supports\": [\"\xff\xfe\"]}");
  write("slider-lines.json", "{\"supports\": [{\"type\": \"a\\nb\"}]}");
  std::string keys = "{\"supports\":[]";
  for (int i = 0; i < 100000; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  write("slider-keys.json", keys + "}");
  std::string star = R"({"supports":[{"type":"polygon","normal_force":1,"vertices":[)";
  for (int i = 0; i < 100000; ++i)
    star +=
        (i > 0 ? ",[" : "[") + std::to_string(i * 7919 % 100003) + "," + std::to_string(i) + "]";
  write("slider-star.json", star + R"(],"law":{"curve":"disc","mu":1}}]})");
  for (const std::string name :
       {"slider-zero.json", "slider-pipe.json", "slider-dangling.json", "slider-empty.json",
        "slider-zeros.json", "slider-deep.json", "slider-binary.json", "slider-lines.json",
        "slider-keys.json", "slider-star.json"}) {
    const auto before = std::chrono::steady_clock::now();
    const Outcome outcome = stiction({"slider", name, "moment", "--at", "0,0"});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - before;
    EXPECT_EQ(outcome.status, 2) << name;
    EXPECT_EQ(outcome.out, "") << name;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(name + ": "), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.err.size(), 300U) << name;
    EXPECT_LT(seconds.count(), STICTION_SLOWED * 3.0) << name;
  }
}

// Numbers at the edge of what is accepted give numbers or null, never NaN or infinity.
TEST(Slider, NeverPrintsWhatIsNotANumber) {
  write("large.json", R"({"supports":[{"type":"disc","centre":[1e60,-1e60],"radius":1e60,
    "normal_force":1e60,"law":{"curve":"disc","mu":1e100}}]})");
  write("small.json", R"({"supports":[{"type":"disc","centre":[0,0],"radius":1e-60,
    "normal_force":1e-60,"law":{"curve":"ellipse","mu":[1e-100,1e-99]}}]})");
  for (const char* name : {"large.json", "small.json"})
    for (const char* motion :
         {"1e300,-1e300,1e300", "1e-300,0,1e-300", "0,0,5e-324", "1,0,1e-100"}) {
      const Outcome outcome = stiction({"slider", name, "load", "--motion", motion, "--json"});
      EXPECT_EQ(outcome.status, 0) << name << " " << motion << outcome.err;
      EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
      EXPECT_EQ(outcome.out.find("inf"), std::string::npos) << outcome.out;
      EXPECT_TRUE(Json::accept(outcome.out)) << outcome.out;
    }
}

}  // namespace
}  // namespace stiction::testing
