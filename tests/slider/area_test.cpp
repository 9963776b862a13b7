// SPDX-License-Identifier: Apache-2.0
//
// Supports with an extent under isotropic friction, against 80-digit arithmetic: the rotation
// centre anywhere, from on a vertex to 1e9 sizes away, and sizes from micrometres to kilometres.
#include <gtest/gtest.h>

#include <functional>

#include "slider/exact_area.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// Turning about (x, y), relative to the reference point.
Motion about(double x, double y, double omega = 1) { return {omega * y, -omega * x, omega}; }

SliderBody referred_to(const Vec2& reference) {
  SliderBody body;
  body.reference = reference;
  return body;
}

struct Outline {
  const char* name;
  std::vector<Vec2> vertices;
  std::vector<std::vector<Vec2>> holes;
};
std::vector<Outline> outlines() {
  const std::vector<Vec2> L{{0, 0}, {3, 0}, {3, 0.4}, {0.5, 0.4}, {0.5, 2}, {0, 2}};
  return {
      {"square", {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {}},
      {"triangle", {{0, 0}, {1, 0}, {0, 1}}, {}},
      {"slender", {{-1, 0.1}, {1, 0.1002}, {1, 0.103}, {-1, 0.102}}, {}},
      {"L", L, {}},
      {"frame",
       {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
       {{{-0.9, -0.9}, {-0.9, 0.9}, {0.9, 0.9}, {0.9, -0.9}}}},
      {"star",
       {{1, 0}, {0.2, 0.2}, {0, 1}, {-0.2, 0.2}, {-1, 0}, {-0.2, -0.2}, {0, -1}, {0.2, -0.2}},
       {}},
  };
}

// Places for the rotation centre: vertices, edges, beside them, inside, and out to 1e9 sizes.
std::vector<Vec2> places(const Outline& outline, Random& random) {
  std::vector<Vec2> all;
  const auto& v = outline.vertices;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec2 middle = 0.5 * (v[i] + v[(i + 1) % v.size()]);
    for (const Vec2& p : {v[i], middle})
      for (const double beside : {0.0, 1e-15, 1e-9, 1e-4, 0.01, 0.1})
        all.emplace_back(p + beside * random.direction());
  }
  for (int i = 0; i < 30; ++i) all.emplace_back(random.uniform(0, 1) * random.direction());
  for (int i = 0; i < 60; ++i) all.emplace_back(random.decades(-0.5, 9) * random.direction());
  for (int i = 0; i < 10; ++i) all.emplace_back(random.decades(9, 14) * random.direction());
  all.emplace_back(0, 0);
  return all;
}

TEST(AreaSupports, PolygonsAreRightWhereverTheRotationCentreIs) {
  Random random(1);
  for (const Outline& outline : outlines())
    for (const double size : {1.0, 1e-6, 1e3}) {
      std::vector<std::vector<Vec2>> loops{outline.vertices};
      for (const auto& hole : outline.holes) loops.push_back(hole);
      for (auto& loop : loops)
        for (Vec2& p : loop) p *= size;
      const std::vector<std::vector<Vec2>> holes(loops.begin() + 1, loops.end());
      const Slider slider{polygon_support(loops[0], holes, 1, disc(1))};
      for (const Vec2& place : places(outline, random)) {
        const Motion q = about(size * place.x(), size * place.y(), random.uniform(-1, 1));
        EXPECT_LE(error(slider, q, exact_polygon(loops, q)), 1e-12)
            << outline.name << " " << size << " about " << text(place);
      }
    }
}

TEST(AreaSupports, SegmentsAreRightWhereverTheRotationCentreIs) {
  Random random(2);
  const Vec2 from(-0.3, 0.2), to(0.5, 0.4);
  const Slider slider{segment(from, to, 1, disc(1))};
  std::vector<Vec2> all = places({"segment", {from, to, 0.25 * from + 0.75 * to}, {}}, random);
  for (const double t : {1.0, 2.0, 1e3, 1e6}) all.emplace_back(to + t * (to - from));  // in line
  for (const Vec2& place : all) {
    const Motion q = about(place.x(), place.y(), random.uniform(-1, 1));
    EXPECT_LE(error(slider, q, exact_segment(from, to, q)), 1e-12) << text(place);
  }
}

// Discs and rings at ε = 1e-12 … 1e12, closely around 1 too.
std::vector<double> ratios() {
  std::vector<double> all{0, 0.5, 1, 2, 0.8, 1.25, 0.7999999, 1.2500001};
  for (int k = -12; k <= 12; ++k) all.push_back(std::pow(10.0, k));
  for (int k = -15; k < 0; ++k)
    for (const double sign : {-1.0, 1.0}) all.push_back(1 + sign * std::pow(10.0, k));
  return all;
}

double round_error(const Support& support, double e, const ExactProfile& exact) {
  const double R = support.radius;
  const Slider slider{support};
  const Exact ratio = Exact(R) / Exact(slider.length_scale());
  const Vec3 p = load(slider, {.vx = e, .vy = 0, .omega = 1 / R}).load.vector();
  const Exact df = Exact(p[0]) - exact.F, dm = (Exact(p[2]) / Exact(R) - exact.T) * ratio;
  const Exact size = sqrt(exact.F * exact.F + exact.T * exact.T * ratio * ratio);
  EXPECT_EQ(p[1], 0);
  // The moment keeps its own digits.
  EXPECT_LE(abs(Exact(p[2]) / Exact(R) / exact.T - 1), Exact(2e-12)) << e;
  return static_cast<double>(sqrt(df * df + dm * dm) / size);
}

TEST(AreaSupports, DiscsAndRingsAreRightAtEveryRatioOfSpeeds) {
  for (const double e : ratios())
    for (const double R : {1.0, 0x1p-20, 0x1p10}) {
      EXPECT_LE(round_error(disc_support({0, 0}, R, 1, disc(1)), e, exact_disc(Exact(e))), 1e-12)
          << e;
      EXPECT_LE(round_error(ring({0, 0}, R, 1, disc(1)), e, exact_ring(Exact(e))), 1e-12) << e;
    }
}

TEST(AreaSupports, AnnuliAreDifferencesOfDiscs) {
  for (const double inner : {0.1, 0.5, 0.89, 0.91, 0.99, 0.999999, 1 - 0x1p-40})
    for (const double e : ratios()) {
      const Exact r = inner, share = 1 / (1 - r * r);
      const ExactProfile whole = exact_disc(Exact(e)), hole = exact_disc(Exact(e) / r);
      const ExactProfile exact{share * (whole.F - r * r * hole.F),
                               share * (whole.T - r * r * r * hole.T)};
      EXPECT_LE(round_error(annulus({0, 0}, 1, inner, 1, disc(1)), e, exact), 1e-12)
          << inner << " " << e;
    }
}

TEST(AreaSupports, HertzAndBoussinesqAreSumsOfRings) {
  for (const double e :
       {0.0, 1e-9, 0.01, 0.3, 0.5, 0.9, 0.99, 1.0, 1.01, 1.2, 1.25, 1.3, 2.0, 10.0, 1e4, 1e9}) {
    const auto hertz = [](const Exact& a) { return Exact(3 * sin(a) * cos(a) * cos(a)); };
    const auto boussinesq = [](const Exact& a) { return Exact(sin(a)); };
    EXPECT_LE(round_error(disc_support({0, 0}, 1, 1, disc(1), Support::Pressure::hertz), e,
                          exact_pressure(Exact(e), hertz)),
              1e-12)
        << e;
    EXPECT_LE(round_error(disc_support({0, 0}, 1, 1, disc(1), Support::Pressure::boussinesq), e,
                          exact_pressure(Exact(e), boussinesq)),
              1e-12)
        << e;
  }
}

TEST(AreaSupports, PrintedValues) {
  const auto at = [](const Support& support, const Motion& q) {
    return load(Slider{support}, q).load;
  };
  const Support round = disc_support({0, 0}, 1, 1, disc(1));
  EXPECT_NEAR(at(round, {0, 0, 1}).moment, 2.0 / 3, 1e-15);
  EXPECT_NEAR(at(round, {0.5, 0, 1}).fx, 0.483843755630126, 1e-15);
  EXPECT_NEAR(at(round, {0.5, 0, 1}).moment, 0.547748354772201, 1e-15);
  EXPECT_NEAR(at(round, {2, 0, 1}).fx, 0.967687511260252, 1e-15);
  EXPECT_NEAR(at(round, {2, 0, 1}).moment, 0.127809198284151, 1e-15);
  const auto box = [](double a, double b) {
    return polygon_support({{-a, -b}, {a, -b}, {a, b}, {-a, b}}, {}, 1, disc(1));
  };
  EXPECT_NEAR(at(box(0.5, 0.5), {0, 0, 1}).moment, 0.3825978582321063, 1e-15);
  EXPECT_NEAR(at(box(1, 0.5), {0, 0, 1}).moment, 0.59323341606895, 1e-14);
  const Slider triangle({polygon_support({{0, 0}, {1, 0}, {0, 1}}, {}, 1, disc(1))},
                        referred_to(Vec2(1.0 / 3, 1.0 / 3)));
  EXPECT_NEAR(load(triangle, {0, 0, 1}).load.moment, 0.3014414433850505, 1e-15);
}

// A grid of equal pressures is the rectangle; one of unequal ones is the sum of its cells.
TEST(AreaSupports, GridsAreTheirCells) {
  Random random(3);
  const Slider even{grid({-1, -0.5}, 0.25, Eigen::MatrixXd::Constant(4, 8, 0.5), disc(1))};
  EXPECT_DOUBLE_EQ(even.normal_force(), 1);
  const std::vector<std::vector<Vec2>> rectangle{{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}};
  for (const Vec2& place : places({"grid", rectangle[0], {}}, random)) {
    const Motion q = about(place.x(), place.y(), random.uniform(-1, 1));
    EXPECT_LE(error(even, q, exact_polygon(rectangle, q)), 1e-12) << text(place);
  }
  Eigen::MatrixXd p(5, 3);
  std::vector<Support> cells;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      p(i, j) = random.uniform(0, 2);
      const Vec2 low(0.1 + 0.2 * j, -0.3 + 0.2 * i), high = low + Vec2(0.2, 0.2);
      cells.push_back(polygon_support({low, {high.x(), low.y()}, high, {low.x(), high.y()}}, {},
                                      0.04 * p(i, j), disc(0.3)));
    }
  const Slider one{grid({0.1, -0.3}, 0.2, p, disc(0.3))}, many(cells);
  for (int i = 0; i < 200; ++i) {
    const Motion q = Motion::of(random.direction3());
    EXPECT_LE((load(one, q).load.vector() - load(many, q).load.vector()).norm(), 1e-14);
  }
}

// Points at the middles of the tiles of a square, against the square.
TEST(AreaSupports, CloudsOfPointsTendToTheirArea) {
  std::vector<Support> points;
  constexpr int n = 200;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      points.push_back(point({(i + 0.5) / n, (j + 0.5) / n}, 1.0 / (n * n), disc(0.7)));
  const Slider cloud(points),
      square{polygon_support({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}, 1, disc(0.7))};
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Motion q = Motion::of(random.direction3());
    EXPECT_LE((load(cloud, q).load.vector() - load(square, q).load.vector()).norm(), 2e-5);
  }
}

TEST(AreaSupports, AnotherReferenceShearsTheLoad) {
  Random random(5);
  const std::vector<Support> supports{polygon_support({{0, 0}, {1, 0}, {0, 1}}, {}, 1, disc(1)),
                                      disc_support({1, 2}, 0.5, 2, disc(0.2)),
                                      segment({0, 1}, {2, 1}, 1, ellipse(1, 0.4, 0.3)),
                                      ring({-1, 0}, 0.3, 1, pyramid(0.5))};
  const Vec2 at(0.7, -0.4);
  const Slider here(supports), there(supports, referred_to(at));
  for (int i = 0; i < 200; ++i) {
    const Vec3 q = random.direction3();
    const Motion moved{q[0] - q[2] * at.y(), q[1] + q[2] * at.x(), q[2]};
    const LoadSet a = load(here, Motion::of(q)), b = load(there, moved);
    EXPECT_NEAR(a.power, b.power, 1e-12);
    EXPECT_NEAR(a.load.fx, b.load.fx, 1e-12);
    EXPECT_NEAR(a.load.moment, b.load.moment + at.x() * b.load.fy - at.y() * b.load.fx, 1e-12);
  }
}

std::string refusal(const std::function<Support()>& make) {
  try {
    make();
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(AreaSupports, RefuseWhatIsNoSupport) {
  const LimitCurve mu = disc(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] {
              return disc_support({0, 0}, -0.2, 1, mu);
            }),
            "radius is -0.2, expected a positive length");
  EXPECT_EQ(refusal([&] {
              return ring({0, 0}, 0, 1, mu);
            }),
            "radius is 0, expected a positive length");
  EXPECT_EQ(refusal([&] {
              return disc_support({nan, 0}, 1, 1, mu);
            }),
            "centre is (nan, 0), expected finite coordinates");
  EXPECT_EQ(refusal([&] {
              return annulus({0, 0}, 1, 1, 1, mu);
            }),
            "inner_radius is 1, expected less than the radius, 1");
  EXPECT_EQ(refusal([&] {
              return segment({1, 2}, {1, 2}, 1, mu);
            }),
            "to is (1, 2), expected another point than `from`");
  EXPECT_EQ(refusal([&] {
              return segment({1, 2}, {1, 3}, -1, mu);
            }),
            "normal_force is -1, expected zero or more");
  EXPECT_EQ(refusal([&] {
              return polygon_support({{0, 0}, {1, 0}}, {}, 1, mu);
            }),
            "vertices has 2 points, expected at least 3");
  EXPECT_EQ(refusal([&] {
              return polygon_support({{0, 0}, {1, 0}, {1, 0}, {0, 1}}, {}, 1, mu);
            }),
            "vertices[1] is (1, 0), expected another point than the next");
  EXPECT_EQ(refusal([&] {
              return polygon_support({{0, 0}, {1, 1}, {2, 2}}, {}, 1, mu);
            }),
            "vertices enclose no area");
  EXPECT_EQ(
      refusal([&] {
        return polygon_support({{0, 0}, {2, 1}, {2, 0}, {0, 2}}, {}, 1, mu);
      }),
      "vertices: the edge from (0, 0) to (2, 1) meets the edge from (2, 0) to (0, 2), expected "
      "edges that do not cross");
  const std::vector<Vec2> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(refusal([&] {
              return polygon_support(square, {{{2, 2}, {3, 2}, {2, 3}}}, 1, mu);
            }),
            "holes[0] is outside the polygon, expected it inside");
  EXPECT_NE(refusal([&] {
              return polygon_support(square, {{{0.5, 0.5}, {3, 2}, {2, 3}}}, 1, mu);
            }).find("expected edges that do not cross"),
            std::string::npos);
  EXPECT_EQ(refusal([&] {
              return polygon_support(
                  square,
                  {{{0.1, 0.1}, {0.9, 0.1}, {0.1, 0.9}}, {{0.2, 0.2}, {0.3, 0.2}, {0.2, 0.3}}}, 1,
                  mu);
            }),
            "holes[1] is inside holes[0]");
  // A vertex visited twice, not in a row.
  EXPECT_NE(refusal([&] {
              return polygon_support({{0, 0}, {1, 0}, {2, 1}, {1, 2}, {1, 0}, {0, 1}}, {}, 1, mu);
            }),
            "accepted");
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(2, 3);
  EXPECT_EQ(refusal([&] {
              return grid({0, 0}, 1, p, mu);
            }),
            "pressure is zero everywhere, expected some pressure");
  p(1, 2) = -1;
  EXPECT_EQ(refusal([&] {
              return grid({0, 0}, 1, p, mu);
            }),
            "pressure[1][2] is -1, expected zero or more");
  EXPECT_EQ(refusal([&] {
              return grid({0, 0}, 1, Eigen::MatrixXd(0, 3), mu);
            }),
            "pressure has no cells, expected at least one");
  EXPECT_EQ(refusal([&] {
              return grid({0, 0}, 0, p, mu);
            }),
            "cell is 0, expected a positive length");
}

// Either orientation is the same polygon, stored counter-clockwise with clockwise holes.
TEST(AreaSupports, PolygonsHaveOneOrientation) {
  const Support s = polygon_support({{0, 0}, {0, 1}, {1, 1}, {1, 0}},
                                    {{{0.2, 0.2}, {0.4, 0.2}, {0.2, 0.4}}}, 1, disc(1));
  const auto turn = [](const std::vector<Vec2>& v) { return cross(v[1] - v[0], v[2] - v[0]); };
  EXPECT_GT(turn(s.vertices), 0);
  EXPECT_LT(turn(s.holes[0]), 0);
  double area = 0;
  for (const auto& tile : s.tiles) area += 0.5 * cross(tile[2] - tile[0], tile[3] - tile[1]);
  EXPECT_NEAR(area, 0.98, 1e-15);
}

}  // namespace
}  // namespace stiction::testing
