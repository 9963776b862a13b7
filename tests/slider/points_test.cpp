// SPDX-License-Identifier: Apache-2.0
//
// Centres, facets and vertices: the counts of the theory, and each facet and vertex by itself.
#include "stiction/slider_points.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

TEST(SliderPoints, OfTheDumbbell) {
  const SliderPoints points = slider_points(dumbbell());
  EXPECT_FALSE(points.centre_of_mass.value);
  EXPECT_LE(points.centre_of_pressure.value->norm(), 1e-15);
  EXPECT_LE(points.centre_of_friction.value->norm(), 1e-14);
  EXPECT_FALSE(points.centre_of_twist.value);  // the whole bar
  EXPECT_NE(points.centre_of_twist.reason, "");
  EXPECT_NEAR(*points.translation_force.value, 1, 1e-14);
  EXPECT_NEAR(*points.twist_moment.value, 1, 1e-14);
  EXPECT_EQ(points.facets.value->size(), 4U);
  EXPECT_EQ(points.vertices.value->size(), 4U);
}

// n isotropic points: a facet for each turn about each; on a line also as many vertices.
TEST(SliderPoints, PointsHaveTwoFacetsEachAndVerticesOnALine) {
  Random random(21);
  for (int i = 0; i < 200; ++i) {
    const unsigned n = static_cast<unsigned>(random.integer(3, 7));
    const bool line = i % 2 == 0;
    const Vec2 along = random.direction(), origin = 3 * random.direction();
    const double size = random.decades(-4, 4);
    std::vector<Support> supports;
    for (unsigned k = 0; k < n; ++k) {
      const Vec2 at = line ? Vec2(origin + random.uniform(-1, 1) * along)
                           : Vec2(random.uniform(-1, 1), random.uniform(-1, 1));
      const LimitCurve law =
          i % 3 == 0 ? ellipse(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0, 3))
                     : disc(random.uniform(0.1, 1));
      supports.push_back(point(size * at, random.uniform(0.1, 1), law));
    }
    SliderBody body;
    if (i % 5 == 0) body.reference = supports[n / 2].at;
    const Slider slider(supports, body);
    const SliderPoints points = slider_points(slider);
    ASSERT_TRUE(points.facets.value && points.vertices.value);
    EXPECT_EQ(points.facets.value->size(), 2 * n);
    EXPECT_EQ(points.vertices.value->size(), line ? 2 * n : 0U);
    for (const Facet& facet : *points.facets.value) {
      EXPECT_FALSE(facet.loads.unique);
      const MotionSet set = motion(slider, facet.loads.load);
      EXPECT_TRUE(set.unique);
      EXPECT_NEAR(set.gauge, 1, 1e-12);
      EXPECT_LE((set.motion.vector() - facet.motion.vector()).norm(),
                1e-9 * facet.motion.vector().norm());
    }
    for (const Vertex& vertex : *points.vertices.value) {
      const MotionSet set = motion(slider, vertex.load);
      EXPECT_FALSE(set.unique);
      EXPECT_NEAR(set.gauge, 1, 1e-11);
      ASSERT_EQ(vertex.wedge.size(), 2U);
      for (const Motion& m : vertex.wedge) {
        const double power = load(slider, m).power;
        EXPECT_NEAR(vertex.load.vector().dot(m.vector()), power, 1e-10 * power);
      }
    }
  }
}

// Slack of the walk that finds vertices is that of the coordinates: the list of a slider in any
// units, turned, with supports next to each other and of any strength, is the same list.
TEST(SliderPoints, VerticesDoNotDependOnUnitsOrOnOtherSupports) {
  Random random(77);
  for (int i = 0; i < 300; ++i) {
    const int n = random.integer(2, 6);
    const double gap = random.decades(-13, 0), weak = random.decades(-13, 0);
    std::vector<double> places{0, 1}, forces{1, 0.7};
    for (int k = 2; k < n; ++k) {
      places.push_back(k == 2 ? gap : random.uniform(0, 1));
      forces.push_back(k == 2 ? weak : random.uniform(0.1, 1));
    }
    const bool beside = i % 3 == 0;  // a foot of a polygon law beside the line
    const Vec2 at(random.uniform(-1, 2), random.uniform(0.1, 1));
    const double turn = random.uniform(0, 6), strength = random.decades(-13, 0);
    const auto list = [&](double metre, double newton, double angle) {
      const Eigen::Rotation2Dd R(angle);
      std::vector<Support> supports;
      for (std::size_t k = 0; k < places.size(); ++k)
        supports.push_back(point(metre * (R * Vec2(places[k], 0)), newton * forces[k], disc(0.5)));
      if (beside) {
        std::vector<Vec2> corners;
        for (const Vec2& c : {Vec2(0.5, 0.1), Vec2(-0.3, 0.4), Vec2(-0.2, -0.6)})
          corners.push_back(R * (Eigen::Rotation2Dd(turn) * c));
        supports.push_back(point(metre * (R * at), newton * strength, polygon(corners)));
      }
      std::vector<Vertex> found = *slider_points(Slider(supports)).vertices.value;
      for (Vertex& v : found) {  // back in metres and newtons
        const Vec2 f = R.inverse() * Vec2(v.load.fx, v.load.fy) / newton;
        v.load = {f.x(), f.y(), v.load.moment / newton / metre};
        for (Motion& m : v.wedge) {
          const Vec2 velocity = R.inverse() * Vec2(m.vx, m.vy);
          m = {velocity.x(), velocity.y(), m.omega * metre};
        }
      }
      return found;
    };
    const std::vector<Vertex> one = list(1, 1, 0);
    if (!beside) {
      EXPECT_EQ(one.size(), 2U * places.size()) << i;
    }
    for (const auto& [metre, newton] :
         {std::pair{1e-6, 1.0}, {1e3, 1e9}, {1.0, 1e-6}, {1e-6, 1e9}, {1e6, 1e-12}}) {
      // Turned coordinates are those of other places, by their rounding: gaps beyond that.
      const std::vector<Vertex> other = list(metre, newton, gap > 1e-12 ? random.uniform(0, 6) : 0);
      ASSERT_EQ(other.size(), one.size()) << i << ' ' << metre << ' ' << newton;
      for (const Vertex& v : one) {
        const auto same = [&](const Vertex& w) {
          return (v.load.vector() - w.load.vector()).norm() <= 1e-9;
        };
        EXPECT_TRUE(std::ranges::any_of(other, same)) << i;
      }
    }
  }
}

// A wheel on the line that rolls across it slips along its roll about every place of the line: the
// loads of each cone of motions are a segment, none of them by itself.
TEST(SliderPoints, AWheelAcrossTheLineMakesEdgesOfItsVertices) {
  const Slider slider{point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1)),
                      point({0, 0.3}, 0.5, wheel(0.8, 0.0))};
  const SliderPoints points = slider_points(slider);
  EXPECT_FALSE(points.vertices.value);
  EXPECT_NE(points.vertices.reason.find("continuum"), std::string::npos);
}

// Strengths w_i at r_i: CF = Σ w r / Σ w, and the translation force is Σ w.
TEST(SliderPoints, CentreOfFrictionWeighsPlacesByStrength) {
  SliderBody body;
  body.reference = Vec2(5, -3);
  body.centre_of_mass = Vec2(1, 2);
  const Slider slider(
      {point({0, 0}, 1, disc(0.5)), point({2, 0}, 2, disc(0.25)), point({0, 4}, 4, disc(0.25))},
      body);
  const SliderPoints points = slider_points(slider);
  EXPECT_LE((*points.centre_of_friction.value - Vec2(0.5, 2)).norm(), 1e-13);
  EXPECT_LE((*points.centre_of_pressure.value - Vec2(4, 16) / 7).norm(), 1e-14);
  EXPECT_EQ(*points.centre_of_mass.value, Vec2(1, 2));
  EXPECT_NEAR(*points.translation_force.value, 2, 1e-14);
}

// The nearest point to three equal strengths at the corners of an equilateral triangle is its
// middle, where each is 1/√3 of a side away.
TEST(SliderPoints, CentreOfTwistIsTheLeastSumOfDistances) {
  const double h = std::sqrt(0.75);
  const Slider slider{point({0, 0}, 1, disc(1)), point({1, 0}, 1, disc(1)),
                      point({0.5, h}, 1, disc(1))};
  const SliderPoints points = slider_points(slider);
  EXPECT_LE((*points.centre_of_twist.value - Vec2(0.5, h / 3)).norm(), 1e-12);
  EXPECT_NEAR(*points.twist_moment.value, std::sqrt(3.0), 1e-13);
}

TEST(SliderPoints, ASurfaceWithoutVolumeHasNeitherFacetsNorVertices) {
  const SliderPoints one = slider_points(Slider{point({1, 2}, 1, disc(1))});
  EXPECT_FALSE(one.facets.value);
  EXPECT_NE(one.facets.reason, "");
  EXPECT_EQ(*one.twist_moment.value, 0);
  const SliderPoints wheels =
      slider_points(Slider{point({1, 2}, 1, wheel(1, 0.0)), point({-1, 2}, 1, wheel(1, 0.0))});
  EXPECT_FALSE(wheels.vertices.value);
}

// Boxes: the sum of two boxes tilted is a polytope, whose edges are a continuum of loads.
TEST(SliderPoints, PolygonLawsHaveFacetsAndEdges) {
  const SliderPoints points =
      slider_points(Slider{point({1, 0}, 1, box(1)), point({-1, 0.5}, 1, box(1))});
  ASSERT_TRUE(points.facets.value);
  EXPECT_FALSE(points.vertices.value);
  // A box is the sum of two segments; lifted, they are along
  // (1,0,0), (1,0,−½), (0,1,1) and (0,1,−1); two of four span six planes, a facet on each side.
  EXPECT_EQ(points.facets.value->size(), 12U);
}

// The least resistance of a box is along its axes, √2 times less than along its diagonals.
TEST(SliderPoints, ForceOfATranslationDependsOnItsDirectionUnderABox) {
  const SliderPoints points =
      slider_points({point({0, 0}, 1, box(1)), point({1, 0}, 1, box(1)), point({0, 1}, 1, box(1))});
  EXPECT_FALSE(points.translation_force.value);
  EXPECT_NE(points.translation_force.reason, "");
}

std::size_t translations(const SliderPoints& points) {
  return static_cast<std::size_t>(
      std::count_if(points.facets.value->begin(), points.facets.value->end(),
                    [](const Facet& facet) { return facet.motion.omega == 0; }));
}

// Do the terms of a face span a plane?
bool spans_a_plane(const LoadSet& set) {
  std::vector<Vec3> along;
  for (const FaceTerm& term : set.terms)
    for (const Vec3& load : term.points)
      if (load.norm() > 0) along.push_back(load.normalized());
  return std::any_of(along.begin(), along.end(),
                     [&](const Vec3& u) { return u.cross(along[0]).norm() > 1e-9; });
}

// Boxes at (0,0) and (1,1) are four segments, along (1,0,0), (0,1,0), (1,0,−1) and (0,1,1); two of
// them span six planes, a facet on each side, four of which are translations along the axes.  A
// disc adds the two turns about it, wherever it is.
TEST(SliderPoints, FacetsDoNotDependOnASupportThatSlidesElsewhere) {
  for (const Vec2& at : {Vec2(3, -1.5), Vec2(3, -1), Vec2(0, -1), Vec2(0.5, -1), Vec2(2, 0)})
    for (const double N : {1e-6, 1.0, 1e6}) {
      const SliderPoints points = slider_points(
          {point({0, 0}, 1, box(1)), point({1, 1}, 1, box(1)), point(at, N, disc(1))});
      EXPECT_EQ(points.facets.value->size(), 14U);
      EXPECT_EQ(translations(points), 4U);
    }
}

// Under a box a square has a zonoid of loads for each translation along an axis, however much a
// disc beside it carries; the disc adds the two turns about it.
TEST(SliderPoints, APressureHasItsFacetsBesideAnyStrength) {
  for (const double N : {0.01, 1.0, 10.0, 100.0, 1000.0, 1e9}) {
    const SliderPoints points = slider_points(
        {grid({0, 0}, 1, Eigen::MatrixXd::Ones(1, 1), box(1)), point({3, 2}, N, disc(0.5))});
    EXPECT_EQ(points.facets.value->size(), 6U);
    EXPECT_EQ(translations(points), 4U);
  }
}

// A turn whose slips are normal to a flat of a triangle and one of a tilted pyramid, in a face that
// is narrow: n from the convex hull of the sums of vertices, which has ten facets.
TEST(SliderPoints, ANarrowFacetOfATurnIsOne) {
  const SliderPoints points = slider_points(
      {point({-0.92, 0.93}, 1.79, polygon({{0.302, 0.028}, {-0.562, 0.84}, {-0.103, -0.353}})),
       point({-0.94, 0.29}, 0.66, pyramid(1.356).rotated(Direction::degrees(33)))});
  ASSERT_EQ(points.facets.value->size(), 10U);
  const Vec3 n(0.48986155, 0.5627844, 0.66581482);
  EXPECT_TRUE(std::any_of(
      points.facets.value->begin(), points.facets.value->end(),
      [&](const Facet& facet) { return (facet.motion.vector().normalized() - n).norm() < 1e-7; }));
}

// Distinct means by more than rounding: two turns about each of four points, of three if two are
// one.
TEST(SliderPoints, PointsNextToEachOtherHaveFacetsOfTheirOwn) {
  for (const double apart : {1e-3, 1e-8, 1e-9, 1e-12, 1e-14, 1e-16, 0.0}) {
    const SliderPoints points =
        slider_points({point({1, 0}, 1, disc(1)), point({1 + apart, 0}, 1, disc(1)),
                       point({0, 1}, 1, disc(1)), point({-1, 0.3}, 1, disc(1))});
    EXPECT_EQ(points.facets.value->size(), apart > 1e-15 ? 8U : 6U) << apart;
  }
}

// A segment along x under a box is the sum of a segment along (1,0,0) and a lens, that of (0,1,x)
// for −1 ≤ x ≤ 1.  A box at (0,2) adds (1,0,−2) and (0,1,0), of which the latter lies in the plane
// of the lens.  Facets, each with its opposite: the lens and (0,1,0), sliding along x; (1,0,0) and
// (1,0,−2), along y; (1,0,−2) and (0,1,0), the box at rest; and (1,0,0) and (0,1,0), turning about
// the middle of the segment.
TEST(SliderPoints, ASegmentTurningInLineWithAFlatIsPartOfAFacet) {
  const SliderPoints points =
      slider_points({segment({-1, 0}, {1, 0}, 1, box(1)), point({0, 2}, 1, box(1))});
  EXPECT_EQ(points.facets.value->size(), 8U);
  EXPECT_EQ(translations(points), 4U);
  for (const Facet& facet : *points.facets.value) EXPECT_TRUE(spans_a_plane(facet.loads));
}

// The polytope of points under polygons, in whole numbers, where every decision is exact: the
// convex hulls of `forces`, lifted from `at`.
struct WholePolytope {
  using Whole = std::array<long, 3>;
  std::vector<std::vector<Whole>> polygons;  // vertices and maybe points inside

  static Whole minus(const Whole& a, const Whole& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  static Whole cross(const Whole& a, const Whole& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static long dot(const Whole& a, const Whole& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  // The farthest vertices along n span a plane.
  bool is_facet(const Whole& n) const {
    std::vector<Whole> edges;
    for (const auto& polygon : polygons) {
      const Whole farthest = *std::ranges::max_element(
          polygon, [&](const Whole& a, const Whole& b) { return dot(a, n) < dot(b, n); });
      for (const Whole& p : polygon)
        if (dot(p, n) == dot(farthest, n) && p != farthest) edges.push_back(minus(p, farthest));
    }
    return std::ranges::any_of(edges,
                               [&](const Whole& e) { return cross(e, edges[0]) != Whole{}; });
  }

  // A facet has edges of two directions, so its normal is across two edges.
  std::set<Whole> facet_normals() const {
    std::vector<Whole> edges;
    for (const auto& polygon : polygons)
      for (std::size_t i = 0; i < polygon.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) edges.push_back(minus(polygon[i], polygon[j]));
    std::set<Whole> normals;
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        Whole n = cross(edges[i], edges[j]);
        if (n == Whole{}) continue;
        const long divisor = std::gcd(n[0], std::gcd(n[1], n[2]));
        for (long& part : n) part /= divisor;
        for (const Whole& way : {n, Whole{-n[0], -n[1], -n[2]}})
          if (is_facet(way)) normals.insert(way);
      }
    return normals;
  }
};

// Whole numbers of one digit give lines that are parallel, one and meet three at a time.  Turned,
// in other units and about another point, the slider has the same facets but is not in whole
// numbers any more.
TEST(SliderPoints, FacetsOfPolygonsAreThoseOfTheSumOfTheirVertices) {
  Random random(22);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Direction heading(i % 2 == 0 ? 0.0 : random.uniform(-3, 3));
    const double size = i % 2 == 0 ? 1 : random.decades(-3, 3);
    const Vec2 c = heading.unit(), s(-c.y(), c.x());
    WholePolytope exact;
    std::vector<Support> supports;
    for (int k = 0, n = random.integer(2, 4); k < n;) {
      std::vector<Vec2> forces;
      for (int j = 0, m = random.integer(2, 5); j < m; ++j)
        forces.emplace_back(random.integer(-4, 4), random.integer(-4, 4));
      const Vec2 at(random.integer(-5, 5), random.integer(-5, 5));
      const int N = random.integer(1, 3);
      try {
        supports.push_back(
            point(size * (at.x() * c + at.y() * s), N, polygon(forces).rotated(heading)));
      } catch (const InvalidInput&) {  // the origin is outside
        continue;
      }
      ++k;
      exact.polygons.emplace_back();
      for (const Vec2& f : forces)
        exact.polygons.back().push_back(
            {std::lround(N * f.x()), std::lround(N * f.y()), std::lround(N * cross(at, f))});
    }
    SliderBody body;
    if (i % 4 == 3) body.reference = 20 * size * random.direction();
    const SliderPoints points = slider_points(Slider(supports, body));
    if (!points.facets.value) continue;
    ++compared;
    const std::set<WholePolytope::Whole> normals = exact.facet_normals();
    EXPECT_EQ(points.facets.value->size(), normals.size()) << i;
    for (const WholePolytope::Whole& n : normals) {
      // Turned, in units of the size, and of the reference point: v + ω × r.
      const Vec2 r = body.reference / size;
      const double omega = static_cast<double>(n[2]);
      const Vec2 v = static_cast<double>(n[0]) * c + static_cast<double>(n[1]) * s +
                     omega * Vec2(-r.y(), r.x());
      const Vec3 q = Vec3(v.x(), v.y(), omega).normalized();
      const auto same = [&](const Facet& facet) {
        const Vec3 m = facet.motion.vector().cwiseProduct(Vec3(1, 1, size)).normalized();
        return (m - q).norm() <= 1e-12;
      };
      const auto found = std::ranges::find_if(*points.facets.value, same);
      ASSERT_NE(found, points.facets.value->end()) << i << ": " << q.transpose();
      EXPECT_TRUE(spans_a_plane(found->loads)) << i << ": " << q.transpose();
    }
  }
  EXPECT_GT(compared, 1500);
}

}  // namespace
}  // namespace stiction::testing
