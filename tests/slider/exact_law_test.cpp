// SPDX-License-Identifier: Apache-2.0
//
// Every law on every support with an extent against 80 digits, with the rotation centre at the
// middle, inside, on the rim or an edge, beside it, and up to 1e9 sizes away.
#include "slider/exact_law.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace stiction::testing {
namespace {

constexpr double tolerance = 1e-11;

// Round supports of radius 1 at distances from the middle, in directions that no law favours.
void expect_right(const char* shape, const std::function<Support(const LimitCurve&)>& make,
                  const std::vector<double>& distances) {
  Random random(71);
  for (const ExactLaw& law : exact_laws()) {
    const Support support = make(law.curve);
    const Slider slider{support};
    for (const double distance : distances) {
      const Vec2 c = distance * random.direction();
      const double omega = random.uniform(0, 1) < 0.5 ? -0.8 : 0.6;
      const Motion q{omega * c.y(), -omega * c.x(), omega};
      const ExactResult exact = ExactSlider(support, law).load(q);
      EXPECT_LE(exact.error, 1e-15) << shape << ", " << law.name << " at " << distance;
      EXPECT_LE(error(slider, q, exact.load), tolerance)
          << shape << ", " << law.name << " at " << distance;
    }
  }
}

const std::vector<double> places{0, 1e-9, 0.3, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 1.5, 1e3, 1e9};

TEST(ExactLaws, OnAUniformDisc) {
  expect_right(
      "disc",
      [](const LimitCurve& c) {
        return disc_support({0, 0}, 1, 1, c);
      },
      places);
}
TEST(ExactLaws, OnAHertzDisc) {
  expect_right(
      "hertz",
      [](const LimitCurve& c) {
        return disc_support({0, 0}, 1, 1, c, Support::Pressure::hertz);
      },
      places);
}
TEST(ExactLaws, OnABoussinesqDisc) {
  expect_right(
      "boussinesq",
      [](const LimitCurve& c) {
        return disc_support({0, 0}, 1, 1, c, Support::Pressure::boussinesq);
      },
      places);
}
TEST(ExactLaws, OnARing) {
  expect_right(
      "ring",
      [](const LimitCurve& c) {
        return ring({0, 0}, 1, 1, c);
      },
      places);
}
TEST(ExactLaws, OnATangentialRing) {
  expect_right(
      "tangential",
      [](const LimitCurve& c) {
        return ring({0, 0}, 1, 1, c, true);
      },
      places);
}
TEST(ExactLaws, OnAnAnnulus) {
  expect_right("annulus",
               [](const LimitCurve& c) {
                 return annulus({0, 0}, 1, 0.5, 1, c);
               },
               {0, 0.3, 0.5 - 1e-9, 0.5, 0.500001, 0.7, 1, 1.5, 1e9});
}
TEST(ExactLaws, OnAThinAnnulus) {
  for (const double inner : {0.95, 0.999, 1 - 0x1p-30})
    expect_right("thin annulus",
                 [&](const LimitCurve& c) {
                   return annulus({0, 0}, 1, inner, 1, c);
                 },
                 {0, 0.3, inner, 0.7 * inner + 0.3, 1, 2 - inner, 1.5, 1e9});
}
// With the disc inscribed in one law and around the other: 1000 steps are 1/1000² from it.
TEST(ExactLaws, APolygonOfAThousandSidesIsAllButADisc) {
  const auto made = [](const LimitCurve& c) {
    return std::vector<Support>{disc_support({0, 0}, 1, 1, c),
                                disc_support({0, 0}, 1, 1, c, Support::Pressure::hertz),
                                ring({0, 0}, 1, 1, c), annulus({0, 0}, 1, 0.99, 1, c)};
  };
  const auto inside = made(ngon(1, 1000)), outside = made(ngon_out(1, 1000)),
             middle = made(disc(1));
  for (std::size_t k = 0; k < middle.size(); ++k)
    for (const double v : {0.0, 0.4, 0.995, 1.0, 3.0}) {
      const Motion q{0.6 * v, 0.8 * v, 1};
      const double power = load(Slider{middle[k]}, q).power;
      const double low = load(Slider{inside[k]}, q).power, high = load(Slider{outside[k]}, q).power;
      EXPECT_LT(low, power);
      EXPECT_GT(high, power);
      EXPECT_LT(high - low, 5e-6 * power);
    }
}
TEST(ExactLaws, OnAPolygon) {
  expect_right(
      "polygon",
      [](const LimitCurve& c) {
        return polygon_support({{-1, -0.5}, {0.8, -0.6}, {0.5, 0.7}, {-0.9, 0.4}}, {}, 1, c);
      },
      places);
}
TEST(ExactLaws, OnASegment) {
  expect_right(
      "segment",
      [](const LimitCurve& c) {
        return segment({-0.3, 0.2}, {0.5, 0.4}, 1, c);
      },
      places);
}

}  // namespace
}  // namespace stiction::testing
