// SPDX-License-Identifier: Apache-2.0
//
// What `slider FILE motion`, `points`, `slide`, `push`, `fit` and `surface` answer, from outside:
// keys, values known on paper, and null where there is no answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

std::string scene(const std::string& name) { return STICTION_SOURCE "/scenes/" + name + ".json"; }

Json answer(std::vector<std::string> call) {
  call.insert(call.begin(), "slider");
  return json_answer(call);
}

void expect_near(const Json& values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(values[i].get<double>(), expected[i], tolerance) << i;
}

void expect_keys(const Json& object, const std::vector<const char*>& keys) {
  for (const char* key : keys) EXPECT_TRUE(object.contains(key)) << key << " in " << object;
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(scratch() / name) << text;
}
const std::string wheels = R"({"mass":1,"inertia":1,"supports":[
  {"type":"point","at":[0,1],"normal_force":1,"law":{"curve":"wheel","mu":1}},
  {"type":"point","at":[0,-1],"normal_force":1,"law":{"curve":"wheel","mu":1}}]})";

// The dumbbell's vertex F_x = 1: every turn about a place of its line beyond the supports, up to a
// translation, needs it.
TEST(SliderMotion, HasAWedgeAtAVertex) {
  const Json vertex = answer({scene("dumbbell"), "motion", "--load", "1,0,0"});
  EXPECT_EQ(vertex["state"], "slip");
  EXPECT_NEAR(vertex["gauge"].get<double>(), 1, 1e-12);
  EXPECT_EQ(vertex["unique"], false);
  EXPECT_EQ(vertex["wedge"].size(), 2U);
  const Json held = answer({scene("dumbbell"), "motion", "--load", "0,0.5,0"});
  EXPECT_EQ(held["state"], "stick");
  EXPECT_NEAR(held["gauge"].get<double>(), 0.5, 1e-12);
  EXPECT_TRUE(held["unique"].get<bool>());
  EXPECT_TRUE(held["wedge"].is_null());
  EXPECT_TRUE(held["rotation_centre"].is_null());  // a translation
  expect_near(held["motion"], {0, 1, 0}, 1e-9);
  EXPECT_EQ(answer({scene("dumbbell"), "motion", "--load", "0,2,0"})["state"], "outside");
  const Json none = answer({scene("dumbbell"), "motion", "--load", "0,0,0"});
  EXPECT_EQ(none["state"], "stick");
  EXPECT_EQ(none["gauge"], 0.0);
  EXPECT_TRUE(none["motion"].is_null());
  // Along the roll no load is carried.
  write("wheels.json", wheels);
  const Json free = answer({"wheels.json", "motion", "--load", "1,0,0"});
  EXPECT_EQ(free["state"], "outside");
  EXPECT_TRUE(free["gauge"].is_null());
  EXPECT_EQ(free["motion"].size(), 3U);
}

TEST(SliderPoints, GivesReasonsForWhatThereIsNot) {
  const Json bar = answer({scene("dumbbell"), "points"});
  expect_keys(bar, {"centre_of_mass", "centre_of_pressure", "centre_of_friction", "centre_of_twist",
                    "translation_force", "twist_moment", "facets", "vertices", "reason"});
  EXPECT_TRUE(bar["centre_of_twist"].is_null());
  EXPECT_TRUE(bar["reason"]["centre_of_twist"].is_string());
  EXPECT_EQ(bar["facets"].size(), 4U);
  EXPECT_EQ(bar["vertices"].size(), 4U);
  EXPECT_EQ(bar["translation_force"], 1.0);
  EXPECT_NEAR(bar["twist_moment"].get<double>(), 1, 1e-14);
  const Json tripod = answer({scene("tripod"), "points"});
  EXPECT_EQ(tripod["facets"].size(), 6U);
  EXPECT_EQ(tripod["vertices"], Json::array());
  EXPECT_NEAR(tripod["twist_moment"].get<double>(), 3, 1e-14);
  EXPECT_TRUE(tripod["reason"].is_null() || !tripod["reason"].contains("centre_of_twist"));
  write("wheels.json", wheels);
  const Json cart = answer({"wheels.json", "points"});
  for (const char* key : {"facets", "vertices", "centre_of_mass"}) {
    EXPECT_TRUE(cart[key].is_null()) << key;
    EXPECT_TRUE(cart["reason"][key].is_string()) << key;
  }
  const Json ring = answer({scene("ratchet-ring"), "points"});
  EXPECT_EQ(ring["facets"].size(), 1U);
  EXPECT_TRUE(ring["vertices"].is_null());
  EXPECT_EQ(ring["reason"]["vertices"], "a continuum of loads has more than one motion each");
}

// The cart's grid is under a pyramid at 45°, a box, whose flats it meets in translations along the
// axes.  It turns about the wheel, whose line of forces and the flat of the rusty wheel below it,
// which slips along its roll, span a plane; about the rusty wheel, which rests; both ways; and
// about the tangential ring of ratchets the way they lock.
TEST(SliderPoints, ListsEveryFacetOfTheCart) {
  const Json cart = answer({scene("cart"), "points"});
  EXPECT_EQ(cart["facets"].size(), 9U);
  std::set<std::vector<double>> translations;
  for (const Json& facet : cart["facets"])
    if (facet["motion"][2] == 0.0) translations.insert(facet["motion"].get<std::vector<double>>());
  EXPECT_EQ(translations,
            (std::set<std::vector<double>>{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}));
}

// Without turning: v²/(2μg) and v/(μg), here with μN/m = 1.
TEST(SliderSlide, OfATranslationBrakesUniformly) {
  const Json s = answer({scene("dumbbell"), "slide", "--velocity", "0,3,0", "--samples", "4"});
  expect_keys(s, {"time_to_rest", "rest_pose", "final_direction", "energy_error", "trajectory"});
  EXPECT_NEAR(s["time_to_rest"].get<double>(), 3, 1e-9);
  expect_near(s["rest_pose"], {0, 4.5, 0}, 1e-8);
  expect_near(s["final_direction"], {0, 1, 0}, 1e-12);
  EXPECT_LE(s["energy_error"].get<double>(), 1e-9);
  ASSERT_EQ(s["trajectory"].size(), 4U);
  for (int k = 0; k < 4; ++k) {
    const Json& sample = s["trajectory"][static_cast<std::size_t>(k)];
    EXPECT_NEAR(sample["time"].get<double>(), k, 1e-8);
    expect_near(sample["pose"], {0, 3.0 * k - 0.5 * k * k, 0}, 1e-7);
    expect_near(sample["motion"], {0, 3.0 - k, 0}, 1e-7);
  }
  EXPECT_FALSE(answer({scene("dumbbell"), "slide", "--velocity", "0,3,0"}).contains("trajectory"));
}

TEST(SliderSlide, OfADiscEndsAtItsRatio) {
  const Json s = answer({scene("disc"), "slide", "--velocity", "1,0,2"});
  const std::vector<double> d = s["final_direction"];
  EXPECT_NEAR(std::hypot(d[0], d[1]) / d[2], 0.6530017892055976, 1e-9);
  EXPECT_TRUE(s["stable"].get<bool>());
}

TEST(SliderSlide, SaysNullWhereThereIsNoRest) {
  write("wheels.json", wheels);
  const Json s = answer({"wheels.json", "slide", "--velocity", "1,0,0"});
  EXPECT_TRUE(s["time_to_rest"].is_null());
  EXPECT_TRUE(s["rest_pose"].is_null());
  EXPECT_EQ(s["reason"], "it does not come to rest");
  const Json fast = answer({scene("tripod"), "slide", "--velocity", "1e9,0,1e9"});
  for (const char* key : {"time_to_rest", "rest_pose", "final_direction", "stable"})
    EXPECT_TRUE(fast[key].is_null()) << key;
  EXPECT_EQ(fast["reason"], "not followed to its rest: too many steps");
  const Json still = answer({"wheels.json", "slide", "--velocity", "0,0,0"});
  EXPECT_EQ(still["time_to_rest"], 0.0);
  expect_near(still["rest_pose"], {0, 0, 0}, 0);
  EXPECT_TRUE(still["final_direction"].is_null());
}

// A square of side 1 pushed at the middle of its left face: straight on it sticks; towards the left
// of the normal beyond the cone it slides left, and so on.
TEST(SliderPush, HasAllFourModes) {
  const auto pushed = [](const std::string& velocity) {
    return answer({scene("square"), "push", "--contact", "-0.5,0", "--normal", "1,0", "--mu", "0.2",
                   "--velocity", velocity});
  };
  const Json straight = pushed("0.1,0");
  expect_keys(straight, {"mode", "motion", "contact_force", "rotation_centre", "motion_cone"});
  EXPECT_EQ(straight["mode"], "stick");
  expect_near(straight["motion"], {0.1, 0, 0}, 1e-12);
  EXPECT_TRUE(straight["rotation_centre"].is_null());
  expect_near(straight["contact_force"], {0.4 * 9.81, 0}, 1e-9);
  ASSERT_EQ(straight["motion_cone"].size(), 2U);
  const Json left = pushed("0.1,1");
  EXPECT_EQ(left["mode"], "slide_left");
  const std::vector<double> force = left["contact_force"], motion = left["motion"];
  EXPECT_NEAR(force[1], 0.2 * force[0], 1e-9);  // on the edge of the cone
  // The face keeps contact: its normal velocity there is the finger's, its tangential one less.
  const std::vector<double> slip{motion[0], motion[1] - 0.5 * motion[2]};
  EXPECT_NEAR(slip[0], 0.1, 1e-12);
  EXPECT_LT(slip[1], 1);
  const Json right = pushed("0.1,-1");
  EXPECT_EQ(right["mode"], "slide_right");
  const Json away = pushed("-0.1,0.3");
  EXPECT_EQ(away["mode"], "separate");
  expect_near(away["motion"], {0, 0, 0}, 0);
  expect_near(away["contact_force"], {0, 0}, 0);
  EXPECT_TRUE(away["rotation_centre"].is_null());
}

TEST(SliderPush, ByAnEdgeIsStableOrNot) {
  const auto pushed = [](const std::string& option, const std::string& value) {
    return answer(
        {scene("square"), "push", "--edge", "-0.5,-0.5,-0.5,0.5", "--mu", "0.3", option, value});
  };
  for (const char* value : {"0,5", "0,-5"}) {
    const Json far = pushed("--rotation-centre", value);
    EXPECT_TRUE(far["stable"].get<bool>());
    EXPECT_GT(far["margin"].get<double>(), 0);
  }
  const Json near = pushed("--rotation-centre", "0,0.1");
  EXPECT_FALSE(near["stable"].get<bool>());
  EXPECT_LT(near["margin"].get<double>(), 0);
  EXPECT_TRUE(pushed("--translation", "1,0.29")["stable"].get<bool>());
  EXPECT_FALSE(pushed("--translation", "1,0.31")["stable"].get<bool>());
  EXPECT_FALSE(pushed("--translation", "-1,0")["stable"].get<bool>());
}

TEST(SliderFit, GivesCoefficientsAndTheirCost) {
  for (const auto& [model, count] : {std::pair("ellipsoid", 6U), std::pair("quartic", 15U)}) {
    const Json f = answer({scene("tripod"), "fit", "--model", model});
    expect_keys(f, {"coefficients", "max_error", "max_error_at", "monomials", "convexity"});
    EXPECT_EQ(f["coefficients"].size(), count);
    EXPECT_EQ(f["monomials"].size(), count);
    EXPECT_EQ(f["max_error_at"].size(), 3U);
    EXPECT_GT(f["convexity"].get<double>(), 0);
    // The error at that motion, from the load that the program itself gives for it.
    const std::vector<double> q = f["max_error_at"];
    const Json at = answer({scene("tripod"), "load", "--motion",
                            Json(q[0]).dump() + "," + Json(q[1]).dump() + "," + Json(q[2]).dump()});
    if (at["unique"] == false) continue;
    const std::vector<double> p = at["load"];
    double value = 0;
    for (std::size_t k = 0; k < count; ++k)
      value += f["coefficients"][k].get<double>() *
               std::pow(p[0], f["monomials"][k][0].get<int>()) *
               std::pow(p[1], f["monomials"][k][1].get<int>()) *
               std::pow(p[2], f["monomials"][k][2].get<int>());
    EXPECT_NEAR(std::abs(std::pow(value, count == 6 ? -0.5 : -0.25) - 1),
                f["max_error"].get<double>(), 1e-6);
  }
}

TEST(SliderSurface, WritesEveryFormat) {
  for (const char* name : {"whole.obj", "whole.ply", "whole.json"}) {
    const std::string out = (scratch() / name).string();
    const Json s = answer({scene("disc"), "surface", "--out", out, "--resolution", "16"});
    expect_keys(s, {"vertices", "triangles", "max_error"});
    // A closed surface: V − E + F = 2 with E = 3F/2.
    EXPECT_EQ(s["vertices"].get<int>() - s["triangles"].get<int>() / 2, 2) << name;
    EXPECT_GT(slurp(out).size(), 1000U);
  }
  const std::string obj = slurp(scratch() / "whole.obj");
  const Json mesh = Json::parse(slurp(scratch() / "whole.json"));
  int vertices = 0, faces = 0;
  std::stringstream lines(obj);
  for (std::string line; std::getline(lines, line);) {
    vertices += line.rfind("v ", 0) == 0 ? 1 : 0;
    faces += line.rfind("f ", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(static_cast<std::size_t>(vertices), mesh["vertices"].size());
  EXPECT_EQ(static_cast<std::size_t>(faces), mesh["triangles"].size());
  const double coarse =
      answer({scene("disc"), "surface", "--out", "a.obj", "--resolution", "10"})["max_error"];
  const double fine =
      answer({scene("disc"), "surface", "--out", "a.obj", "--resolution", "40"})["max_error"];
  EXPECT_LT(fine, coarse / 5);
}

TEST(SliderHelp, HasAnExampleForEachSubcommand) {
  for (const char* command :
       {"load", "motion", "moment", "points", "slide", "push", "fit", "surface"}) {
    const Outcome help = stiction({"slider", "x.json", command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Example: stiction slider scenes/"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace stiction::testing
