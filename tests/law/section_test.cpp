// SPDX-License-Identifier: Apache-2.0
//
// Sections: what must hold for every kind on random input, and cases by hand.
#include "stiction/section.h"

#include <gtest/gtest.h>

#include "support/sections.h"

namespace stiction::testing {
namespace {

constexpr int section_cases = cases / STICTION_SLOWED;

// Of the kinds with polytopes, which take longest, every fifth.
std::vector<Section> sample_sections(Random& random) {
  std::vector<Section> sections;
  for (int i = 0; i < 40 * section_kinds; ++i)
    if (i % section_kinds < 8 || i / section_kinds % 5 == 0)
      sections.push_back(random_section(random, i));
  return sections;
}

UpTo6 vector(Random& random, int d) { return random.decades(-2, 2) * direction_of(random, d); }

UpTo6 numbers(std::initializer_list<double> list) {
  UpTo6 v(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), v.begin());
  return v;
}

TEST(SectionProperty, ProjectionIsInsideAndTheRestIsNormal) {
  Random random(71);
  const auto sections = sample_sections(random);
  for (int i = 0; i < section_cases; ++i) {
    const Section& c = sections[static_cast<std::size_t>(i) % sections.size()];
    const UpTo6 f = vector(random, c.dimension()), p = c.project(f);
    ASSERT_LE((c.project(p) - p).norm(), 1e-14 * f.norm()) << i;
    ASSERT_LE(c.support(f - p), (f - p).dot(p) + 1e-14 * f.norm() * (f.norm() + c.reach())) << i;
    ASSERT_LE(c.distance(f), f.norm() * (1 + 1e-15));  // 0 ∈ C
  }
}

TEST(SectionProperty, ProjectionDoesNotExpand) {
  Random random(72);
  const auto sections = sample_sections(random);
  for (int i = 0; i < section_cases; ++i) {
    const Section& c = sections[static_cast<std::size_t>(i) % sections.size()];
    const UpTo6 f = vector(random, c.dimension());
    const UpTo6 g = i % 2 == 0 ? vector(random, c.dimension())
                               : UpTo6(f + 1e-7 * vector(random, c.dimension()));
    ASSERT_LE((c.project(f) - c.project(g)).norm(), (f - g).norm() + 1e-14 * (f.norm() + g.norm()))
        << i;
  }
}

// gauge(f) h(v) ≥ f·v, with equality for f in face(v): polarity.
TEST(SectionProperty, GaugeAndSupportAreDual) {
  Random random(73);
  const auto sections = sample_sections(random);
  for (int i = 0; i < section_cases; ++i) {
    const Section& c = sections[static_cast<std::size_t>(i) % sections.size()];
    const UpTo6 v = vector(random, c.dimension()), f = vector(random, c.dimension());
    const double g = c.gauge(f);
    if (g < infinity) {
      ASSERT_LE(f.dot(v), g * c.support(v) + 1e-13 * f.norm() * v.norm()) << i;
      if (g > 0) {
        ASSERT_LE(c.distance(f / g), 1e-13 * (f / g).norm()) << i;
      }
    }
    const UpTo6 on = c.point(v);
    ASSERT_NEAR(on.dot(v), c.support(v), 1e-14 * c.reach() * v.norm()) << i;
    if (c.support(v) > 1e-3 * c.reach() * v.norm()) {
      ASSERT_NEAR(c.gauge(on), 1, 1e-12) << i;
    }
  }
}

TEST(SectionProperty, FacesAttainTheSupportAndAreInside) {
  Random random(74);
  const auto sections = sample_sections(random);
  for (int i = 0; i < section_cases; ++i) {
    const Section& c = sections[static_cast<std::size_t>(i) % sections.size()];
    UpTo6 v = vector(random, c.dimension());
    if (i % 3 == 0)  // meet flats: along one axis
      for (int k = 1; k < c.dimension(); ++k) v[k] = 0;
    const SectionFace face = c.face(v);
    ASSERT_TRUE(c.is_normal(face.point, v) || face.whole) << i;
    ASSERT_EQ(face.hull.empty() || face.hull.size() > 1, true);
    for (const UpTo6& f : face.hull) {
      ASSERT_NEAR(f.dot(v), c.support(v), 1e-14 * c.reach() * v.norm()) << i;
      ASSERT_TRUE(c.contains(f)) << i;
    }
  }
}

// The derivative of the projection against differences, where it exists: those of two steps agree.
TEST(SectionProperty, DerivativeOfTheProjection) {
  Random random(75);
  const auto sections = sample_sections(random);
  int compared = 0;
  for (int i = 0; i < section_cases / 10; ++i) {
    const Section& c = sections[static_cast<std::size_t>(i) % sections.size()];
    const UpTo6 f = vector(random, c.dimension()), d = direction_of(random, c.dimension());
    const double step = 1e-6 * f.norm();
    const auto slope = [&](double by) -> UpTo6 {
      return (c.project(f + by * step * d) - c.project(f - by * step * d)) / (2 * by * step);
    };
    const SectionProjection at = c.project_with_derivative(f);
    ASSERT_LE((at.point - c.project(f)).norm(), 1e-15 * f.norm()) << i;
    ASSERT_LE((at.derivative - at.derivative.transpose()).norm(), 1e-13);
    if ((slope(1) - slope(2)).norm() > 1e-7) continue;  // a kink is near
    ASSERT_LE((at.derivative * d - slope(1)).norm(), 1e-6) << i;
    ++compared;
  }
  EXPECT_GT(compared, section_cases / 15);
}

TEST(SectionProperty, HalfSpacesAndVerticesTellTheSameSet) {
  Random random(76);
  int compared = 0;
  for (int i = 0; compared < 1000; ++i) {
    const Section c = random_section(random, i);
    if (!c.is_polyhedral() || c.dimension() == 0) continue;
    const auto half_spaces = c.half_spaces();
    for (const UpTo6& f : c.vertices()) {
      int on = 0;
      for (const HalfSpace& half : half_spaces) {
        ASSERT_LE(half.normal.dot(f), half.offset + 1e-13 * c.reach()) << i;
        on += half.normal.dot(f) >= half.offset - 1e-9 * c.reach() ? 1 : 0;
      }
      ASSERT_GE(on, c.dimension()) << i;  // a vertex is where that many meet
    }
    // The gauge by the half spaces is the gauge by the vertices.
    for (int k = 0; k < 20; ++k) {
      const UpTo6 f = vector(random, c.dimension());
      double g = 0;
      for (const HalfSpace& half : half_spaces) {
        const double up = half.normal.dot(f);
        if (up > 1e-12 * f.norm()) g = std::max(g, half.offset > 0 ? up / half.offset : infinity);
      }
      if (g < infinity) {
        ASSERT_NEAR(c.gauge(f), g, 1e-11 * g) << i;
      } else {
        ASSERT_EQ(c.gauge(f), infinity) << i;
      }
    }
    ++compared;
  }
}

// The ellipsoid (f1/3)² + (f2/4)² + (f3/12)² ≤ 1: h(1, 1, 1) = √(9 + 16 + 144) = 13.
TEST(Section, EllipsoidByHand) {
  const Section c = ellipsoid_section({3, 4, 12});
  EXPECT_EQ(c.support(numbers({1, 1, 1})), 13);
  EXPECT_LE((c.point(numbers({1, 1, 1})) - numbers({9, 16, 144}) / 13).norm(), 1e-14);
  EXPECT_EQ(c.gauge(numbers({3, 4, 12})), std::sqrt(3.0));
  EXPECT_EQ(c.project(numbers({7, 0, 0})), numbers({3, 0, 0}));
  EXPECT_TRUE(c.contains(numbers({0, 4, 0})));
  EXPECT_FALSE(c.contains(numbers({0, 4.000001, 0})));
  EXPECT_TRUE(c.is_normal(numbers({0, 4, 0}), numbers({0, 2, 0})));
  EXPECT_FALSE(c.is_normal(numbers({0, 4, 0}), numbers({0.001, 2, 0})));
  EXPECT_FALSE(c.is_normal(numbers({0, 3, 0}), numbers({0, 2, 0})));
}

// An axis of zero carries nothing, and slip along it is answered by every force.
TEST(Section, AxesOfZero) {
  const Section c = ellipsoid_section({2, 0, 1});
  EXPECT_EQ(c.project(numbers({0.5, 9, 0.5})), numbers({0.5, 0, 0.5}));
  EXPECT_EQ(c.project(numbers({6, 9, 0})), numbers({2, 0, 0}));
  EXPECT_EQ(c.gauge(numbers({1, 0, 0})), 0.5);
  EXPECT_EQ(c.gauge(numbers({1, 1e-300, 0})), infinity);
  EXPECT_FALSE(c.face(numbers({0, 1, 0})).unique);
  EXPECT_TRUE(c.face(numbers({1, 1, 0})).unique);
  EXPECT_TRUE(c.is_normal(numbers({1, 0, 0}), numbers({0, 5, 0})));
  const Section none = ellipsoid_section({0, 0, 0});
  EXPECT_EQ(none.project(numbers({1, 2, 3})), UpTo6::Zero(3));
  EXPECT_TRUE(none.project_with_derivative(numbers({1, 2, 3})).derivative.isZero(0));
  EXPECT_TRUE(none.face(numbers({0, 0, 0})).unique);
  EXPECT_EQ(Section().dimension(), 0);
  EXPECT_EQ(Section().project(UpTo6(0)).size(), 0);
}

// A cube lists its 6 facets and 8 corners, though four corners lie in each facet; interior,
// repeated and middle points drop out.
TEST(Section, CubeByPoints) {
  std::vector<UpTo6> points;
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.push_back(numbers({x, y, z}));
  points.push_back(points[0]);
  const Section c = polytope_section(points);
  EXPECT_EQ(c.vertices().size(), 8U);
  EXPECT_EQ(c.half_spaces().size(), 6U);
  EXPECT_EQ(c.project(numbers({3, 0.25, -5})), numbers({1, 0.25, -1}));
  EXPECT_EQ(c.project(numbers({0.5, 0.25, -0.5})), numbers({0.5, 0.25, -0.5}));
  EXPECT_EQ(c.face(numbers({1, 0, 0})).hull.size(), 4U);
  EXPECT_EQ(c.face(numbers({1, 1, 0})).hull.size(), 2U);
  EXPECT_TRUE(c.face(numbers({1, 2, 3})).unique);
  EXPECT_NEAR(c.gauge(numbers({0.5, 0.25, -2})), 2, 1e-15);
}

// The cross-polytope of five dimensions: 10 corners, 32 facets; the 24-cell: 24 of each.
TEST(Section, FacetsInMoreDimensions) {
  std::vector<UpTo6> cross;
  for (int k = 0; k < 5; ++k)
    for (const double sign : {1.0, -1.0}) cross.push_back(sign * UpTo6::Unit(5, k));
  EXPECT_EQ(polytope_section(cross).half_spaces().size(), 32U);
  std::vector<UpTo6> cell;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < i; ++k)
      for (const double a : {1.0, -1.0})
        for (const double b : {1.0, -1.0})
          cell.push_back(a * UpTo6::Unit(4, i) + b * UpTo6::Unit(4, k));
  const Section c = polytope_section(cell);
  EXPECT_EQ(c.vertices().size(), 24U);
  EXPECT_EQ(c.half_spaces().size(), 24U);
}

// A flat polytope has the normals of its flat, both ways, among its half spaces.
TEST(Section, FlatPolytopes) {
  const Section c = polytope_section(
      {numbers({1, 1, 0}), numbers({-1, -1, 0}), numbers({1, -1, 0}), numbers({-1, 1, 0})});
  EXPECT_EQ(c.half_spaces().size(), 6U);
  EXPECT_EQ(c.project(numbers({0.5, 3, 7})), numbers({0.5, 1, 0}));
  EXPECT_EQ(c.gauge(numbers({0, 0, 1})), infinity);
  EXPECT_EQ(c.gauge(numbers({2, 1, 0})), 2);
  const Section point = polytope_section({numbers({0, 0})});
  EXPECT_EQ(point.project(numbers({3, 4})), numbers({0, 0}));
  EXPECT_EQ(point.gauge(numbers({3, 4})), infinity);
  EXPECT_EQ(point.half_spaces().size(), 4U);
  const Section segment = polytope_section({numbers({0, 0, 0}), numbers({2, 0, 2})});
  EXPECT_LE((segment.project(numbers({1, 5, 1})) - numbers({1, 0, 1})).norm(), 1e-15);
  EXPECT_EQ(segment.gauge(numbers({-1, 0, -1})), infinity);
}

// A polygon, as a curve and as a polytope, is the same set.
TEST(Section, PolygonAsCurveAndAsPolytope) {
  Random random(77);
  for (int i = 0; i < 200; ++i) {
    const Law law = random.law(12);
    std::vector<UpTo6> points(law.vertices.begin(), law.vertices.end());
    const Section a = curve_section(law), b = polytope_section(points);
    for (int k = 0; k < 50; ++k) {
      const UpTo6 v = vector(random, 2);
      ASSERT_NEAR(a.support(v), b.support(v), 1e-14 * a.reach() * v.norm());
      ASSERT_LE((a.project(v) - b.project(v)).norm(), 4e-15 * (v.norm() + a.reach())) << i;
    }
  }
}

// Three budgets of their own against the ellipsoid of the same semi-axes: √3 stronger at worst.
TEST(Section, ProductExceedsTheEllipsoidByTheRootOfItsParts) {
  const Section budgets = product_section(
      {ellipsoid_section({0.5, 0.5}), interval_section(0.1), interval_section(0.2)});
  const Section ellipsoid = ellipsoid_section({0.5, 0.5, 0.1, 0.2});
  EXPECT_NEAR(ellipsoid.gauge(budgets.point(numbers({1, 1, 1, 1}))), std::sqrt(3.0), 1e-15);
  EXPECT_EQ(budgets.gauge(numbers({0.5, 0, 0.1, 0.2})), 1);
}

TEST(Section, WhatIsNotASectionIsRefused) {
  const auto refused = [](const auto& make, const char* what) {
    try {
      make();
      ADD_FAILURE() << "accepted, expected to be refused for " << what;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused([] { ellipsoid_section({1, 1, 1, 1, 1, 1}); }, "mu has 6");
  refused([] { ellipsoid_section({1, -1}); }, "mu[1] is -1");
  refused([] { ellipsoid_section({1, std::nan("")}); }, "mu[1]");
  refused([] { ellipsoid_section({1e200}); }, "1e-150 to 1e150");
  refused([] { interval_section(-2); }, "size is -2");
  refused(
      [] {
        product_section({ellipsoid_section({1, 1, 1}), ellipsoid_section({1, 1, 1})});
      },
      "6 dimensions");
  refused([] { polytope_section({}); }, "empty");
  refused([] { polytope_section({numbers({1, 1}), numbers({1})}); }, "points[1] has 1");
  refused([] { polytope_section({numbers({1, 1}), numbers({2, 1})}); }, "origin");
  refused([] { polytope_section({numbers({1, infinity})}); }, "points[0][1]");
  refused([] { polytope_section(std::vector<UpTo6>(1001, numbers({1}))); }, "1001");
}

}  // namespace
}  // namespace stiction::testing
