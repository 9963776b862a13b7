// SPDX-License-Identifier: Apache-2.0
//
// Sections as JSON: every kind is read, what is written is read back to the same set and text, and
// what is wrong is refused in one line that names the field.
#include <gtest/gtest.h>

#include "stiction/patch.h"
#include "stiction/section_io.h"
#include "support/sections.h"

namespace stiction::testing {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_section(text, "section.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

// Two points of normal force 1 and 3 at (0, ±1): loads over 4.
const std::string bar =
    R"({"supports":[{"type":"point","at":[0,1],"normal_force":1,"law":{"curve":"disc","mu":0.5}},)"
    R"({"type":"point","at":[0,-1],"normal_force":3,"law":{"curve":"wheel","mu":0.5},"heading_deg":90}]})";

TEST(SectionFile, ReadsEveryKind) {
  using Kind = Section::Kind;
  EXPECT_EQ(parse_section(R"({"section":"none"})", "").kind(), Kind::none);
  const Section curve =
      parse_section(R"({"section":"curve","law":{"curve":"ellipse","mu":[0.5,0.3]}})", "");
  EXPECT_EQ(curve.curve(), ellipse(0.5, 0.3));
  const Section interval = parse_section(R"({"section":"interval","size":2.5})", "");
  EXPECT_EQ(interval.ellipsoid(), ellipsoid_section({2.5}).ellipsoid());
  const Section ellipsoid = parse_section(R"({"section":"ellipsoid","mu":[1,0,0.25]})", "");
  EXPECT_EQ(ellipsoid.ellipsoid(), ellipsoid_section({1, 0, 0.25}).ellipsoid());
  const Section product = parse_section(
      R"({"section":"product","of":[{"section":"interval","size":2},)"
      R"({"section":"product","of":[{"section":"none"},{"section":"interval","size":3}]}]})",
      "");
  EXPECT_EQ(product.dimension(), 2);
  EXPECT_EQ(product.support(Vec2(1, -1)), 5);
  const Section polytope =
      parse_section(R"({"section":"polytope","points":[[1,0],[-1,1],[-1,-1],[0,0]]})", "");
  EXPECT_EQ(polytope.polytope().vertices().size(), 3U);  // the origin is inside
  EXPECT_EQ(polytope.support(Vec2(0, 1)), 1);
}

// Moved along x the point of 1 N carries 0.5 and the wheel, which rolls along y, 0.5 of each of its
// 3 N; along y only the point holds.
TEST(SectionFile, ReadsAPatchPerUnitOfNormalForce) {
  const Section patch = parse_section(R"({"section":"patch","slider":)" + bar + "}", "");
  EXPECT_EQ(patch.dimension(), 3);
  EXPECT_NEAR(patch.support(Vec3(1, 0, 0)), 0.5, 1e-15);
  EXPECT_NEAR(patch.support(Vec3(0, 1, 0)), 0.5 / 4, 1e-15);
  EXPECT_EQ(section_json(patch), section_json(parse_section(section_json(patch), "")));
  EXPECT_THROW(section_json(patch_section(parse_slider(bar, ""))), InvalidInput);  // no names
}

TEST(SectionFile, ReadsBackWhatItWrites) {
  Random random(31);
  for (int i = 0; i < 60 * section_kinds; ++i) {
    const Section c = random_section(random, i);
    const std::string text = section_json(c);
    const Section again = parse_section(text, "again");
    ASSERT_EQ(section_json(again), text) << i;
    ASSERT_EQ(again.dimension(), c.dimension()) << text;
    for (int k = 0; k < 5; ++k) {
      const UpTo6 v = direction_of(random, c.dimension());
      ASSERT_EQ(again.support(v), c.support(v)) << text;
    }
  }
}

TEST(SectionFile, RefusesInOneLineThatNamesTheField) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", "section.json: the file is [], expected an object"},
      {"{}", "section.json: section is missing"},
      {R"({"section":"cube"})",
       "section.json: section is \"cube\", expected one of none, curve, interval, ellipsoid, "
       "product, polytope, patch"},
      {R"({"section":"interval","size":-1})",
       "section.json: size is -1, expected zero or a number from 1e-150 to 1e150"},
      {R"({"section":"ellipsoid","mu":[1,-2,1]})",
       "section.json: mu[1] is -2, expected zero or a number from 1e-150 to 1e150"},
      {R"({"section":"ellipsoid","mu":[1,1,1,1,1,1]})",
       "section.json: mu is [1,1,1,1,1,1], expected at most 5 numbers"},
      {R"({"section":"ellipsoid","mu":[1,"a"]})",
       "section.json: mu[1] is \"a\", expected a finite number"},
      {R"({"section":"curve","law":{"curve":"disc","mu":-1}})", nullptr},
      {R"({"section":"product","of":[{"section":"none"},{"section":"interval","size":[]}]})",
       "section.json: of[1].size is [], expected a finite number"},
      {R"({"section":"product","of":[{"section":"interval","size":-1}]})",
       "section.json: of[0].size is -1, expected zero or a number from 1e-150 to 1e150"},
      {R"({"section":"product","of":[{"section":"ellipsoid","mu":[1,1,1]},)"
       R"({"section":"ellipsoid","mu":[1,1,1]}]})",
       "section.json: of has 6 dimensions, expected at most 5"},
      {R"({"section":"polytope","points":[[1,0],[2]]})",
       "section.json: points[1] has 1 coordinates, expected 2"},
      {R"({"section":"polytope","points":[[1,0],[2,0]]})", nullptr},
      {R"({"section":"polytope","points":[]})",
       "section.json: points is empty, expected at least one"},
      {R"({"section":"polytope","points":[[1,2,3,4,5,6]]})",
       "section.json: points[0] is [1,2,3,4,5,6], expected at most 5 numbers"},
      {R"({"section":"patch"})", "section.json: slider is missing"},
      {R"({"section":"patch","slider":{"supports":[]}})",
       "section.json: slider.supports is [], expected at least one support"},
      {R"({"section":"patch","slider":{"supports":[{"type":"point","at":[0,1],"normal_force":0,)"
       R"("law":{"curve":"free"}}]}})",
       "section.json: slider.supports carry a normal force of 0 in all, expected more than that"},
      {R"({"section":"patch","slider":{"supports":[{"type":"disc","centre":[0,1],"radius":-1,)"
       R"("normal_force":1,"law":{"curve":"free"}}]}})",
       "section.json: slider.supports[0].radius is -1, expected a positive length"}};
  for (const auto& [text, expected] : wrong) {
    const std::string message = refusal(text);
    if (expected != nullptr) {
      EXPECT_EQ(message, expected);
    }
    EXPECT_TRUE(message.starts_with("section.json: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace stiction::testing
