// SPDX-License-Identifier: Apache-2.0
//
// Slider files: every kind of support is read, what is written is read back to the last bit, and
// what is wrong is refused in one line that names the support and the field.
#include "stiction/slider_io.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "base/file.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

const std::string scenes = STICTION_SOURCE "/scenes/";
constexpr const char* scene_names[] = {"dumbbell", "tripod",    "ratchet-ring", "disc",
                                       "square",   "fingertip", "cart"};

std::string refusal(const std::string& text) {
  try {
    parse_slider(text, "slider.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

std::string of_supports(const std::string& supports) {
  return R"({"supports": [)" + supports + "]}";
}
const std::string law = R"("law": {"curve": "disc", "mu": 0.5})";
const std::string good = R"({"type": "point", "at": [0, 1], "normal_force": 2, )" + law + "}";

TEST(SliderFile, KeepsWhatTheCellsOfAGridAre) {
  const auto grid_file = [](const std::string& cells) {
    return of_supports(R"({"type": "grid", "origin": [0, 0], "cell": 1, "pressure": [[1, 2]], )" +
                       cells + law + "}");
  };
  using Cells = Support::Cells;
  for (const auto& [cells, expected, supports] :
       {std::tuple("", Cells::squares, 1U),
        std::tuple(R"("cells": "squares", )", Cells::squares, 1U),
        std::tuple(R"("cells": "points", )", Cells::points, 2U)}) {
    const SliderFile file = parse_slider_file(grid_file(cells), "x");
    EXPECT_EQ(file.supports[0].cells, expected);
    EXPECT_EQ(file.slider().supports().size(), supports);
    const SliderFile again = parse_slider_file(slider_json(file), "x");
    EXPECT_EQ(again.supports[0].cells, expected);
    EXPECT_EQ(slider_json(again), slider_json(file));
  }
  EXPECT_EQ(refusal(grid_file(R"("cells": "dots", )")),
            "slider.json: supports[0].cells is \"dots\", expected one of squares, points");
}

TEST(SliderFile, ReadsEveryKindOfSupport) {
  const SliderFile file = read_slider_file(scenes + "cart.json");
  EXPECT_EQ(file.body.name, "cart of mixed supports");
  EXPECT_EQ(file.body.reference, Vec2(0.2, 0));
  EXPECT_EQ(file.body.mass, 12.0);
  EXPECT_EQ(file.body.inertia, 0.9);
  EXPECT_EQ(file.body.centre_of_mass, Vec2(0.25, 0.01));
  EXPECT_FALSE(file.body.length_scale);
  ASSERT_EQ(file.supports.size(), 8U);
  const std::vector<Support>& s = file.supports;
  using Shape = Support::Shape;
  const Shape expected[] = {Shape::point,   Shape::point, Shape::polygon, Shape::disc,
                            Shape::annulus, Shape::ring,  Shape::segment, Shape::grid};
  for (std::size_t i = 0; i < s.size(); ++i) EXPECT_EQ(s[i].shape, expected[i]) << i;
  EXPECT_EQ(s[0].at, Vec2(0, 0.3));
  EXPECT_EQ(s[0].normal_force, 30);
  EXPECT_EQ(file.headings_deg[0], 5);
  EXPECT_EQ(file.laws[1].bearing, 0.1);
  EXPECT_EQ(s[2].vertices.size(), 4U);
  ASSERT_EQ(s[2].holes.size(), 1U);
  EXPECT_EQ(s[2].holes[0].size(), 3U);
  EXPECT_EQ(s[3].pressure, Support::Pressure::hertz);
  EXPECT_EQ(s[3].radius, 0.03);
  EXPECT_EQ(s[4].inner_radius, 0.02);
  EXPECT_TRUE(s[5].tangential);
  EXPECT_EQ(s[6].at, Vec2(0.1, -0.1));
  EXPECT_EQ(s[6].to, Vec2(0.1, 0.1));
  EXPECT_EQ(s[7].cell, 0.02);
  EXPECT_EQ(s[7].pressures(0, 1), 2000);
  EXPECT_EQ(s[7].pressures(1, 0), 1500);
  EXPECT_NEAR(s[7].normal_force, 4500 * 0.02 * 0.02, 1e-12);
  // The slider itself counts from its reference point.
  EXPECT_EQ(file.slider().supports()[0].at, Vec2(-0.2, 0.3));
}

TEST(SliderFile, HasDefaults) {
  const SliderFile file = parse_slider_file(
      of_supports(R"({"type":"disc","centre":[3,4],"radius":2,"normal_force":1,)" + law + "}"), "");
  EXPECT_EQ(file.body.reference, Vec2(0, 0));
  EXPECT_FALSE(file.body.mass || file.body.inertia || file.body.centre_of_mass);
  EXPECT_EQ(file.supports[0].pressure, Support::Pressure::uniform);
  // The root-mean-square distance of a uniform disc from its centre is R/√2.
  EXPECT_NEAR(file.slider().length_scale(), std::sqrt(2), 1e-14);
  EXPECT_EQ(parse_slider(of_supports(good), "").length_scale(), 1);
  EXPECT_EQ(parse_slider(R"({"mass":2,"inertia":8,"supports":[)" + good + "]}", "").length_scale(),
            2);
}

// Turning the curve turns its power: h_turned(R v) = h(v).
TEST(SliderFile, AHeadingTurnsEveryLaw) {
  Random random(1);
  for (int kind = 0; kind < 20 * law_kinds; ++kind) {
    const Law straight = random.law(kind);
    const double degrees = random.uniform(-360, 360), angle = degrees * std::acos(-1) / 180;
    const LimitCurve curve = limit_curve(straight), other = limit_curve(turned(straight, degrees));
    for (int i = 0; i < 20; ++i) {
      const Vec2 v = random.direction();
      const Vec2 w(std::cos(angle) * v.x() - std::sin(angle) * v.y(),
                   std::sin(angle) * v.x() + std::cos(angle) * v.y());
      EXPECT_NEAR(other.support(w), curve.support(v), 1e-13 * curve.circumscribed_radius())
          << to_text(straight) << " turned by " << degrees;
    }
    EXPECT_TRUE(turned(straight, 0) == straight);
  }
  // A pyramid's corners are on the axes, a scaled box's halfway between them.
  const LimitCurve pyramid45 = limit_curve(turned(parse_law("pyramid:0.5"), 45));
  EXPECT_NEAR(pyramid45.support({1, 0}), 0.5 / std::sqrt(2), 1e-15);
  EXPECT_EQ(turned(parse_law("box:0"), 30).curve, Law::Curve::free);
  // The origin on a side or at a corner stays there, whatever the rounding.
  for (const char* edge : {"polygon:0,2;0,-1;-1,0", "polygon:0,0;3,1;1,7", "polygon:-0.3,0.1;3,-1",
                           "polygon:-0.3,0.1;3,-1;1,5"})
    for (int i = 0; i < 10000; ++i)
      EXPECT_NO_THROW(limit_curve(turned(parse_law(edge), random.uniform(-360, 360)))) << edge;
  EXPECT_EQ(turned(parse_law("wheel:1,90"), 1.7e308).angle_deg, 90 + std::fmod(1.7e308, 360));
}

void expect_same(const SliderFile& a, const SliderFile& b) {
  EXPECT_EQ(a.body.name, b.body.name);
  EXPECT_EQ(a.body.reference, b.body.reference);
  EXPECT_EQ(a.body.length_scale, b.body.length_scale);
  EXPECT_EQ(a.body.mass, b.body.mass);
  EXPECT_EQ(a.body.inertia, b.body.inertia);
  EXPECT_EQ(a.body.centre_of_mass, b.body.centre_of_mass);
  EXPECT_TRUE(a.laws == b.laws);
  EXPECT_EQ(a.headings_deg, b.headings_deg);
  ASSERT_EQ(a.supports.size(), b.supports.size());
  for (std::size_t i = 0; i < a.supports.size(); ++i) {
    const Support &s = a.supports[i], &t = b.supports[i];
    EXPECT_EQ(s.shape, t.shape);
    EXPECT_EQ(s.normal_force, t.normal_force);
    EXPECT_EQ(s.tangential, t.tangential);
    EXPECT_EQ(s.at, t.at);
    EXPECT_EQ(s.to, t.to);
    EXPECT_EQ(s.radius, t.radius);
    EXPECT_EQ(s.inner_radius, t.inner_radius);
    EXPECT_EQ(s.pressure, t.pressure);
    EXPECT_EQ(s.vertices, t.vertices);
    EXPECT_EQ(s.holes, t.holes);
    EXPECT_EQ(s.cell, t.cell);
    EXPECT_EQ(s.pressures, t.pressures);
  }
}

TEST(SliderFile, ReadsWhatItWrites) {
  for (const char* name : scene_names) {
    const SliderFile file = read_slider_file(scenes + name + ".json");
    const std::string text = slider_json(file);
    EXPECT_EQ(text.find("{\"format\":\"stiction/1\""), 0U);
    const SliderFile again = parse_slider_file(text, name);
    expect_same(file, again);
    EXPECT_EQ(slider_json(again), text);
    const Motion motion{.vx = 0.3, .vy = -0.2, .omega = 1.1};
    EXPECT_EQ(load(file.slider(), motion).load.vector(),
              load(again.slider(), motion).load.vector());
  }
  Random random(2);
  for (int kind = 0; kind < law_kinds; ++kind) {
    SliderFile file;
    file.body.length_scale = random.decades(-9, 9);
    file.laws = {parse_law(to_text(random.law(kind)))};  // without what this curve does not use
    file.headings_deg = {random.uniform(-360, 360)};
    file.supports = {point({random.uniform(-1, 1), random.uniform(-1, 1)}, random.decades(-9, 9),
                           limit_curve(turned(file.laws[0], file.headings_deg[0])))};
    expect_same(file, parse_slider_file(slider_json(file), "random"));
  }
}

TEST(SliderFile, NamesTheSupportAndTheFieldThatIsWrong) {
  const auto fourth = [&](const std::string& support) {
    return refusal(of_supports(good + "," + good + "," + good + "," + support));
  };
  EXPECT_EQ(fourth(R"({"type":"disc","centre":[0,0],"radius":-0.2,"normal_force":1,)" + law + "}"),
            "slider.json: supports[3].radius is -0.2, expected a positive length");
  EXPECT_EQ(fourth(R"({"type":"blob",)" + law + "}"),
            "slider.json: supports[3].type is \"blob\", expected one of point, segment, polygon, "
            "disc, ring, annulus, grid");
  EXPECT_EQ(fourth(R"({"type":"point","at":[0,0],"normal_force":-1,)" + law + "}"),
            "slider.json: supports[3].normal_force is -1, expected a force of zero or more");
  EXPECT_EQ(fourth(R"({"type":"point","at":[0,0,0],"normal_force":1,)" + law + "}"),
            "slider.json: supports[3].at is [0,0,0], expected two numbers");
  EXPECT_EQ(fourth(R"({"type":"point","at":[0,null],"normal_force":1,)" + law + "}"),
            "slider.json: supports[3].at[1] is null, expected a finite number");
  EXPECT_EQ(fourth(R"({"type":"point","normal_force":1,)" + law + "}"),
            "slider.json: supports[3].at is missing");
  EXPECT_EQ(fourth(R"({"type":"point","at":[0,0],"normal_force":1})"),
            "slider.json: supports[3].law is missing");
  EXPECT_EQ(fourth("7"), "slider.json: supports[3] is 7, expected an object");
  const std::string start = R"({"type":"point","at":[0,0],"normal_force":1,"law":)";
  EXPECT_EQ(fourth(start + R"({"curve":"castor"}})").find("slider.json: supports[3].law.curve is "),
            0U);
  EXPECT_EQ(fourth(start + R"({"curve":"disc","mu":-1}})").find("slider.json: supports[3].law: "),
            0U);
  EXPECT_EQ(fourth(start + R"({"curve":"polygon","vertices":[[1,1],[2,1],[1,2]]}})")
                .find("slider.json: supports[3].law: "),
            0U);
  EXPECT_EQ(
      fourth(R"({"type":"point","at":[0,0],"normal_force":1,"heading":"tangential",)" + law + "}"),
      "slider.json: supports[3].heading is \"tangential\", expected it on a ring only");
  EXPECT_EQ(
      fourth(R"({"type":"ring","centre":[0,0],"radius":1,"normal_force":1,"heading":"radial",)" +
             law + "}"),
      "slider.json: supports[3].heading is \"radial\", expected \"tangential\"");
  EXPECT_EQ(
      fourth(R"({"type":"disc","centre":[0,0],"radius":1,"normal_force":1,"pressure":"even",)" +
             law + "}"),
      "slider.json: supports[3].pressure is \"even\", expected one of uniform, hertz, "
      "boussinesq");
  EXPECT_EQ(fourth(R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[[1,2],[3]],)" + law + "}"),
            "slider.json: supports[3].pressure[1] has 1 numbers, expected 2");
  EXPECT_EQ(fourth(R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[[1,-2]],)" + law + "}"),
            "slider.json: supports[3].pressure[0][1] is -2, expected a pressure of zero or more");
  EXPECT_EQ(fourth(R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[[0,0]],)" + law + "}"),
            "slider.json: supports[3].pressure is zero everywhere, expected some pressure");
  EXPECT_EQ(
      fourth(R"({"type":"grid","origin":[0,0],"cell":1024,"pressure":[[1e60]],)" + law + "}"),
      "slider.json: supports[3].pressure carries 1.048576e+66 N in all, expected at most 1e60");
  EXPECT_EQ(fourth(R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[],)" + law + "}"),
            "slider.json: supports[3].pressure is [], expected at least one row");
}

// What has an extent must have one, and must not cross itself.
TEST(SliderFile, RefusesShapesWithoutSense) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"("type":"polygon","vertices":[[0,0],[1,1],[1,0],[0,1]])", "supports[0].vertices"},
      {R"("type":"polygon","vertices":[[0,0],[1,1]])", "supports[0].vertices"},
      {R"("type":"polygon","vertices":[[0,0],[1,1],[2,2]])", "supports[0].vertices"},
      {R"("type":"polygon","vertices":[[0,0],[1,0],[0,1]],"holes":[[[5,5],[6,5],[5,6]]])",
       "supports[0].holes[0]"},
      {R"("type":"polygon","vertices":[[0,0],[1,0],[0,1]],"holes":[[[0,0]]])",
       "supports[0].holes[0]"},
      {R"("type":"segment","from":[1,1],"to":[1,1])", "supports[0].to"},
      {R"("type":"annulus","centre":[0,0],"radius":1,"inner_radius":2)",
       "supports[0].inner_radius"},
      {R"("type":"annulus","centre":[0,0],"radius":1,"inner_radius":1)",
       "supports[0].inner_radius"},
      {R"("type":"ring","centre":[0,0],"radius":0)", "supports[0].radius"},
      {R"("type":"disc","centre":[0,0],"radius":1e999)", "is not JSON"},
      {R"("type":"disc","centre":[0,1e200],"radius":1)", "supports[0].centre[1]"}};
  for (const auto& [support, start] : wrong) {
    const std::string message =
        refusal(of_supports("{" + std::string(support) + R"(,"normal_force":1,)" + law + "}"));
    EXPECT_EQ(message.find(std::string("slider.json: ") + start), 0U) << support << ": " << message;
    EXPECT_NE(message.find("expected"), std::string::npos) << message;
    EXPECT_LT(message.size(), 200U) << message;
  }
}

TEST(SliderFile, RefusesABodyWithoutSense) {
  const auto with = [&](const std::string& field) {
    return refusal("{" + field + R"(,"supports":[)" + good + "]}");
  };
  EXPECT_EQ(with(R"("mass":0)"), "slider.json: mass is 0, expected a positive mass");
  EXPECT_EQ(with(R"("inertia":-1)"),
            "slider.json: inertia is -1, expected a positive moment of inertia");
  EXPECT_EQ(with(R"("length_scale":"long")"),
            "slider.json: length_scale is \"long\", expected a finite number");
  EXPECT_EQ(with(R"("reference":5)"), "slider.json: reference is 5, expected a list");
  EXPECT_EQ(with(R"("name":5)"), "slider.json: name is 5, expected a text");
  EXPECT_EQ(refusal("{}"), "slider.json: supports is missing");
  EXPECT_EQ(refusal("[]"), "slider.json: the file is [], expected an object with supports");
  EXPECT_EQ(refusal(R"({"supports":[]})"),
            "slider.json: supports is [], expected at least one support");
  EXPECT_EQ(refusal(R"({"supports":{}})"), "slider.json: supports is {}, expected a list");
  EXPECT_EQ(refusal(of_supports(R"({"type":"point","at":[0,0],"normal_force":0,)" + law + "}")),
            "slider.json: supports carry a normal force of 0 in all, expected more than that");
  EXPECT_EQ(refusal("supports"),
            "slider.json: is not JSON at byte 1, which is supports, expected an object");
  EXPECT_EQ(refusal(""), "slider.json: is not JSON at byte 1, expected an object");
  EXPECT_EQ(
      refusal(R"({"supports":[NaN]})"),
      "slider.json: is not JSON at byte 14, in supports[0], which is NaN, expected a value of "
      "JSON");
  EXPECT_EQ(
      refusal(R"({"mass":1e400})"),
      "slider.json: is not JSON at byte 13, in mass, which is 1e400, expected a finite number");
  EXPECT_EQ(refusal(R"({"mass":)"),
            "slider.json: is not JSON at byte 9, in mass, expected a value of JSON");
  EXPECT_EQ(refusal(R"({"format":"stiction/2"})"),
            "slider.json: format is \"stiction/2\", expected \"stiction/1\"");
}

// A short text that stands for much is refused before it takes memory or time.
TEST(SliderFile, ATextCannotAskForMoreThanItHolds) {
  std::string many = R"({"type":"point","at":[0,0],"normal_force":1,)"
                     R"("law":{"curve":"ngon","mu":1,"sides":100000}})";
  std::string list = many;
  for (int i = 0; i < 200; ++i) list += "," + many;
  const auto before = std::chrono::steady_clock::now();
  EXPECT_NE(refusal(of_supports(list)).find("supports[10].law is "), std::string::npos);
  // One long row above many short ones.
  std::string grid = R"({"type":"grid","origin":[0,0],"cell":1,"pressure":[[0)";
  for (int i = 0; i < 100000; ++i) grid += ",0";
  grid += "]";
  for (int i = 0; i < 100000; ++i) grid += ",[]";
  EXPECT_EQ(refusal(of_supports(grid + "]," + law + "}")),
            "slider.json: supports[0].pressure[1] has 0 numbers, expected 100001");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - before;
  EXPECT_LT(seconds.count(), STICTION_SLOWED * 5.0);
}

}  // namespace
}  // namespace stiction::testing
