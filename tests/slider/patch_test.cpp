// SPDX-License-Identifier: Apache-2.0
//
// The loads of a slider as a section.  A motion v and a load P of it plant a projection: the
// nearest load to P + v is P.
#include "stiction/patch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/sections.h"

namespace stiction::testing {
namespace {

constexpr int patch_cases = cases / STICTION_SLOWED;
constexpr double close_by = 1e-12;  // of loads, over their size and that of the section

Vec2 place(Random& random) {
  const double x = random.normal();
  return {x, random.normal()};
}

// Curves without flats: discs and ellipses; any: with wheels, ratchets and polygons.
LimitCurve curve_of(Random& random, bool any) {
  return limit_curve(
      random.law(any ? random.integer(0, law_kinds - 1) : random.integer(0, 1), -0.5, 0.5));
}

Support area(Random& random, int shape, const LimitCurve& curve) {
  const Vec2 at = place(random);
  const double N = random.uniform(0.1, 1), size = random.uniform(0.2, 1.5);
  switch (shape) {
    case 0:
      return polygon_support(
          {at, at + Vec2(size, 0.1), at + Vec2(0.8 * size, size), at + Vec2(-0.1, size)}, {}, N,
          curve);
    case 1:
      return disc_support(at, size, N, curve);
    case 2:
      return ring(at, size, N, curve);
    case 3:
      return annulus(at, size, 0.4 * size, N, curve);
    default:
      return segment(at, at + size * place(random), N, curve);
  }
}

// Points under any law, and areas under laws without flats, or both.
Slider random_slider(Random& random) {
  std::vector<Support> supports;
  const int points = random.integer(0, 4);
  for (int k = 0; k < points; ++k) {
    const LimitCurve curve = curve_of(random, true);
    const Vec2 at = place(random);
    supports.push_back(point(at, random.uniform(0.1, 1), curve));
  }
  const int areas = points == 0 ? 1 : random.integer(-3, 1);
  for (int k = 0; k < areas; ++k) {
    const LimitCurve curve = curve_of(random, false);
    supports.push_back(area(random, random.integer(0, 4), curve));
  }
  return Slider(supports);
}

std::vector<Slider> sample_sliders(Random& random) {
  std::vector<Slider> sliders;
  for (int i = 0; i < 200; ++i) sliders.push_back(random_slider(random));
  return sliders;
}

// Any motion, sometimes one about a point, at which that does not slip.
Vec3 motion_of(Random& random, const Slider& slider) {
  Vec3 q = direction_of(random, 3);
  const auto i =
      static_cast<std::size_t>(random.integer(0, static_cast<int>(slider.supports().size()) - 1));
  const Vec2& at = slider.supports()[i].at;
  if (random.integer(0, 2) == 0) q = Vec3(at.y(), -at.x(), 1).normalized();
  return q;
}

// One of the loads of a motion, on a face somewhere in it.
Vec3 load_on_face(Random& random, const LoadSet& set) {
  Vec3 P = set.load.vector();
  for (const FaceTerm& term : set.terms) {
    const double s = random.uniform(-0.7, 0.7), t = random.uniform(-0.7, 0.7);
    if (term.kind == FaceTerm::Kind::segment) P += s * term.points[0];
    if (term.kind == FaceTerm::Kind::ellipse) P += s * term.points[0] + t * term.points[1];
  }
  return P;
}

TEST(PatchProperty, FindsThePlantedProjection) {
  Random random(91);
  const std::vector<Slider> sliders = sample_sliders(random);
  for (const Slider& slider : sliders) {
    const Patch patch(slider);
    for (int i = 0; i < patch_cases / 1000; ++i) {
      const Vec3 q = motion_of(random, slider);
      const Vec3 v = random.decades(-6, 3) * q;
      const Vec3 P = load_on_face(random, load(slider, Motion::of(q))) / slider.normal_force();
      const Vec3 f = P + v, found = patch.project(f).point;
      ASSERT_LE((found - P).norm(), close_by * (f.norm() + patch.reach())) << v.norm();
    }
  }
}

// p = P(f) iff (f − p)·(p' − p) ≤ 0 for every load p', whose greatest is h(f − p) − p·(f − p).
TEST(PatchProperty, ProjectionIsInsideNormalAndDoesNotExpand) {
  Random random(92);
  const std::vector<Slider> sliders = sample_sliders(random);
  for (const Slider& slider : sliders) {
    const Patch patch(slider);
    const Section c = patch_section(slider);
    Vec3 before = Vec3::Zero(), from = Vec3::Zero();
    for (int i = 0; i < patch_cases / 1000; ++i) {
      const double far = random.decades(-2, 2) * patch.reach();
      const Vec3 f = far * direction_of(random, 3);
      const Vec3 p = c.project(f), v = f - p;
      const double size = f.norm() + patch.reach();
      ASSERT_LE(patch.support(v) - p.dot(v), close_by * size * size);
      ASSERT_LE(c.distance(p), close_by * size);
      ASSERT_LE((p - before).norm(), (f - from).norm() + close_by * size);
      before = p;
      from = f;
    }
  }
}

// f·v ≤ gauge(f) h(v), with equality for the loads of v, which are within reach.
TEST(PatchProperty, GaugeAndSupportAreDual) {
  Random random(93);
  const std::vector<Slider> sliders = sample_sliders(random);
  for (const Slider& slider : sliders) {
    const Patch patch(slider);
    for (int i = 0; i < patch_cases / 1000; ++i) {
      const Vec3 f = direction_of(random, 3), v = direction_of(random, 3);
      const double g = patch.gauge(f), h = patch.support(v);
      if (g < infinity) {
        ASSERT_LE(f.dot(v), g * h * (1 + close_by));
      }
      const Vec3 on = patch.face(v).point;
      ASSERT_NEAR(on.dot(v), h, close_by * patch.reach());
      ASSERT_LE(on.norm(), patch.reach() * (1 + close_by));
      if (h > 1e-3 * patch.reach()) {
        ASSERT_NEAR(patch.gauge(on), 1, close_by);
      }
    }
  }
}

TEST(PatchProperty, DerivativeOfTheProjection) {
  Random random(94);
  const std::vector<Slider> sliders = sample_sliders(random);
  int compared = 0, agree = 0;
  for (const Slider& slider : sliders) {
    const Patch patch(slider);
    if (patch.reach() == 0) continue;  // it carries nothing
    for (int i = 0; i < 5; ++i) {
      const double far = random.decades(-1, 1) * patch.reach();
      const Vec3 f = far * direction_of(random, 3);
      const Vec3 d = direction_of(random, 3);
      const auto slope = [&](double by) -> Vec3 {
        const double step = by * 1e-5 * f.norm();
        const Vec3 up = patch.project(f + step * d).point;
        return (up - Vec3(patch.project(f - step * d).point)) / (2 * step);
      };
      if ((slope(1) - slope(2)).norm() > 1e-6) continue;  // a kink is near
      const SectionProjection at = patch.project(f);
      // The slopes of a segment's load are integrated to 1e-5.
      agree += (at.derivative * d - slope(1)).norm() <= 1e-4 ? 1 : 0;
      ++compared;
    }
  }
  EXPECT_GT(compared, 700);
  // One is known to answer with the slope of a neighbouring piece.
  EXPECT_GE(agree, compared - 1);
}

// The uniform disc of unit radius under unit friction, at v/(Rω) = ½ and 2: elliptic integrals.
TEST(Patch, IsTheUniformDiscInClosedForm) {
  const Section c = patch_section(Slider{disc_support({0, 0}, 1, 7, disc(1))});
  for (const auto& [ratio, F, T] : {std::tuple(0.5, 0.483843755630126, 0.547748354772201),
                                    std::tuple(2.0, 0.967687511260252, 0.127809198284151)}) {
    const Vec3 v = 3 * Vec3(0.6 * ratio, 0.8 * ratio, 1), p(0.6 * F, 0.8 * F, T);
    EXPECT_LE((Vec3(c.point(v)) - p).norm(), 1e-14);
    EXPECT_LE((Vec3(c.project(p + v)) - p).norm(), 1e-14);
    EXPECT_NEAR(c.gauge(2 * p), 2, 1e-13);
  }
  EXPECT_NEAR(c.support(Vec3(0, 0, -1)), 2.0 / 3, 1e-15);
}

// Turning a unit square about its centre moves its points by their mean distance from it.
TEST(Patch, IsTheSquareInClosedForm) {
  const Section c = patch_section(Slider{
      polygon_support({{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}}, {}, 3, disc(2))});
  const Vec3 p(0, 0, 2 * 0.3825978582321063);
  EXPECT_LE((Vec3(c.project(p + Vec3(0, 0, 1e-3))) - p).norm(), 1e-14);
  EXPECT_LE((Vec3(c.project(p + Vec3(0, 0, 1e3))) - p).norm(), 1e-14);
}

// Two points of ½ N at (0, ±1) under unit friction.  About the one at (0, 1), with ω = 1, the other
// slips along x and carries ½; the first carries any force of its disc: a facet about (½, 0, ½)
// with the half axes (½, 0, −½) and (0, ½, 0).
TEST(Patch, KeepsTheFacetsOfTheDumbbell) {
  const Section c =
      patch_section(Slider{point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))});
  const Vec3 v(1, 0, 1), middle(0.5, 0, 0.5);
  const SectionFace face = c.face(v);
  EXPECT_FALSE(face.unique);
  EXPECT_LE((Vec3(face.point) - middle).norm(), 1e-15);
  for (const auto& [s, t] : {std::pair(0.0, 0.0), std::pair(0.9, 0.1), std::pair(-0.3, 0.6)}) {
    const Vec3 p = middle + s * Vec3(0.5, 0, -0.5) + t * Vec3(0, 0.5, 0);
    for (const double far : {1e-9, 1.0, 1e6})
      EXPECT_LE((Vec3(c.project(p + far * v)) - p).norm(), close_by * (1 + far));
    EXPECT_TRUE(c.is_normal(p, v));
  }
  // A corner, with a whole wedge of motions: both slip along x.
  for (const double omega : {-0.9, 0.0, 0.5})
    EXPECT_LE((Vec3(c.project(Vec3(1, 0, 0) + Vec3(1, 0, omega))) - Vec3(1, 0, 0)).norm(), 1e-15);
}

// Loads of one point are a disc in the plane M = x F_y − y F_x, of skates on one line a square.
TEST(Patch, MayBeFlatOrAPolytope) {
  const Section one = patch_section(Slider{point({1, 2}, 3, disc(1))});
  EXPECT_EQ(one.gauge(Vec3(0, 0, 1)), infinity);
  const Vec3 normal(2, -1, 1), in(0.3, 0.4, 1 * 0.4 - 2 * 0.3);
  EXPECT_LE((Vec3(one.project(in + 5 * normal)) - in).norm(), 1e-14);
  EXPECT_TRUE(one.contains(in));
  EXPECT_FALSE(one.contains(in + 1e-12 * normal));
  const Section skates =
      patch_section(Slider{point({1, 0}, 1, wheel(1, 0.0)), point({-1, 0}, 1, wheel(1, 0.0))});
  // F_y = a + b, M = a − b for |a|, |b| ≤ ½, F_x = 0; corners at (1, 0) and (0, 1).
  EXPECT_LE((Vec3(skates.project(Vec3(9, 3, 2.5))) - Vec3(0, 0.75, 0.25)).norm(), 1e-14);
  const SectionFace face = skates.face(Vec3(0, 1, 1));
  ASSERT_EQ(face.hull.size(), 2U);
  for (const UpTo6& corner : face.hull)
    EXPECT_NEAR(std::abs(corner[1]) + std::abs(corner[2]), 1, 1e-15);
}

// A box that moves along x may push with any force across: its loads there are a plane face.
TEST(Patch, KeepsThePlaneFacesOfAnAreaUnderALawWithFlats) {
  const Section c = patch_section(
      Slider{polygon_support({{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}}, {}, 1, box(1))});
  const Vec3 p(1, 0.2, 0.05);
  EXPECT_LE((Vec3(c.project(p + Vec3(0.7, 0, 0))) - p).norm(), 1e-14);
}

// Supports that carry nothing leave the origin alone.
TEST(Patch, MayCarryNothing) {
  const Section c = patch_section(Slider{point({1, 0}, 1, free_curve())});
  EXPECT_EQ(Vec3(c.project(Vec3(1, 2, 3))), Vec3::Zero());
  EXPECT_EQ(c.support(Vec3(1, 2, 3)), 0);
  EXPECT_EQ(c.reach(), 0);
}

}  // namespace
}  // namespace stiction::testing
