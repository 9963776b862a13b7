// SPDX-License-Identifier: Apache-2.0
//
// Centres, facets and vertices: the counts of the theory, and each facet and vertex by itself.
#include "stiction/slider_points.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stiction::testing
