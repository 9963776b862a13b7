// SPDX-License-Identifier: Apache-2.0
#include "stiction/law.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

TEST(Law, ReadsItsOwnText) {
  Random random(41);
  for (int i = 0; i < 1300; ++i) {
    Law law = random.law(i);
    const Law back = parse_law(to_text(law));
    EXPECT_EQ(to_text(back), to_text(law));
    EXPECT_EQ(limit_curve(back).area(), limit_curve(law).area());
  }
}

TEST(Law, ReadsTheTextsOfTheCommandLine) {
  EXPECT_EQ(parse_law("ellipse:0.5,0.3,-20").angle_deg, -20);
  EXPECT_EQ(parse_law("rusty:8e-1,+0.2,0").mu, 0.8);
  EXPECT_EQ(parse_law("ngon:0.5,8").sides, 8);
  EXPECT_EQ(parse_law("polygon:1,0;0,1;-1,-1").vertices.size(), 3U);
  EXPECT_EQ(parse_law("free").curve, Law::Curve::free);
}

TEST(Law, ReferenceCoefficients) {
  EXPECT_EQ(reference_coefficient(parse_law("ellipse:0.3,0.5,10")), 0.5);
  EXPECT_EQ(reference_coefficient(parse_law("box:0.5")), 0.5);
  EXPECT_EQ(reference_coefficient(parse_law("polygon:3,4;-1,0;0,-1")), 5);
  EXPECT_EQ(reference_coefficient(parse_law("free")), 0);
}

TEST(Law, RefusesWithOneLineThatNamesTheText) {
  for (const char* bad : {"",
                          "disk:0.5",
                          "disc",
                          "disc:",
                          "disc:x",
                          "disc:0.5,1",
                          "disc:-1",
                          "disc:nan",
                          "disc:inf",
                          "disc:1e999",
                          "disc:0.5 ",
                          "disc:0x1p3",
                          "ellipse:0.5,0.3",
                          "ellipse:0.5,-0.3,0",
                          "ngon:0.5,2",
                          "ngon:0.5,2.5",
                          "ngon:0.5,1e300",
                          "ngon:0.5,-4",
                          "ngon:0.5,1000000000",
                          "polygon:",
                          "polygon:1",
                          "polygon:1,1",
                          "polygon:1,1;2,1;1,2",
                          "polygon:1,0;nan,1;-1,-1",
                          "free:1",
                          "disc:*",
                          "box:+-1",
                          "wheel:0.5",
                          "wheel:0.5,",
                          "rusty:0.5,-0.1,0"}) {
    try {
      parse_law(bad);
      ADD_FAILURE() << "accepted '" << bad << "'";
    } catch (const InvalidInput& refusal) {
      const std::string message = refusal.what();
      EXPECT_NE(message.find("'" + std::string(bad) + "'"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
}

TEST(Law, ShowsALongOrBrokenTextOnOneShortLine) {
  const std::vector<std::string> texts{
      "disc:1\n2", "polygon:1,\n;\t", "disc:" + std::string(5000, '7') + "x",
      std::string(5000, 'x'), "ngon:1,\n" + std::string(5000, '9')};
  for (const std::string& bad : texts) {
    try {
      parse_law(bad);
      ADD_FAILURE() << "accepted '" << bad << "'";
    } catch (const InvalidInput& refusal) {
      const std::string message = refusal.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_LT(message.size(), 500U) << message;
    }
  }
}

}  // namespace
}  // namespace stiction::testing
