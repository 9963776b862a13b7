// SPDX-License-Identifier: Apache-2.0
//
// The limit curve, case by case: each kind of face and each kind of normal cone, closed forms, what
// is refused.
#include "stiction/limit_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random.h"

namespace stiction {
namespace {

using Kind = NormalCone::Kind;

void expect_near(const Vec2& a, const Vec2& b, double tolerance = 1e-15) {
  EXPECT_LE((a - b).norm(), tolerance) << text(a) << " against " << text(b);
}

void expect_normals(const LimitCurve& curve, const Vec2& force, Kind kind,
                    const Vec2& first = {0, 0}, const Vec2& last = {0, 0}) {
  const auto normals = curve.normals(force);
  ASSERT_TRUE(normals.has_value()) << text(force);
  EXPECT_EQ(normals->kind, kind) << text(force);
  if (normals->directions() > 0) expect_near(normals->first, first);
  if (normals->directions() > 1) expect_near(normals->last, last);
}

TEST(LimitCurve, DiscAnswersAlongTheSlip) {
  const LimitCurve c = disc(0.5);
  EXPECT_EQ(c.support({3, 4}), 2.5);
  expect_near(c.face({3, 4}).first, {0.3, 0.4});
  EXPECT_EQ(c.gauge({0.6, 0.8}), 2);
  expect_near(c.project({3, 4}), {0.3, 0.4});
  expect_normals(c, {0.3, 0.4}, Kind::ray, {0.6, 0.8});
  expect_normals(c, {0.1, 0}, Kind::none);
  EXPECT_FALSE(c.normals({1, 0}).has_value());
  EXPECT_DOUBLE_EQ(c.area(), std::numbers::pi / 4);
}

// h(v) = ‖(μ1 v1, μ2 v2)‖ and f = D²v/‖Dv‖ in the ellipse's own axes.
TEST(LimitCurve, EllipseAnswersAlongItsNormal) {
  const LimitCurve c = ellipse(0.5, 0.3, Direction::degrees(90));
  EXPECT_DOUBLE_EQ(c.support({1, 0}), 0.3);
  EXPECT_DOUBLE_EQ(c.support({0, 1}), 0.5);
  const double h = std::hypot(0.3, 0.5);
  expect_near(c.face({1, 1}).first, {0.09 / h, 0.25 / h});
  expect_normals(c, {0.09 / h, 0.25 / h}, Kind::ray, Vec2(1, 1).normalized());
  EXPECT_DOUBLE_EQ(c.area(), std::numbers::pi * 0.15);
  EXPECT_EQ(c.inscribed_radius(), 0.3);
  EXPECT_EQ(c.circumscribed_radius(), 0.5);
}

TEST(LimitCurve, EllipseWithAZeroAxisIsASegment) {
  const LimitCurve c = ellipse(0, 0.3);
  EXPECT_EQ(c.shape(), LimitCurve::Shape::segment);
  EXPECT_EQ(c.support({1, 0}), 0);
  EXPECT_EQ(c.support({0, -2}), 0.6);
  EXPECT_EQ(ellipse(0, 0).shape(), LimitCurve::Shape::point);
}

// Rolling to the right, a wheel carries any force across itself and none along.
TEST(LimitCurve, IdealWheelIsASegmentAlongItsAxle) {
  const LimitCurve c = wheel(0.8, 0.0);
  EXPECT_EQ(c.shape(), LimitCurve::Shape::segment);
  const Face rolling = c.face({1, 0});
  EXPECT_EQ(rolling.kind, Face::Kind::segment);
  expect_near(rolling.first, {0, -0.8});
  expect_near(rolling.last, {0, 0.8});
  EXPECT_EQ(c.face({1, 1e-9}).kind, Face::Kind::point);
  EXPECT_EQ(c.support({1, 0}), 0);
  EXPECT_EQ(c.gauge({0, 0.4}), 0.5);
  EXPECT_EQ(c.gauge({1e-9, 0.4}), infinity);
  EXPECT_FALSE(c.contains({1e-9, 0.4}));
  expect_near(c.project({3, 0.4}), {0, 0.4});
  expect_normals(c, {0, 0.4}, Kind::line, {1, 0}, {-1, 0});
  expect_normals(c, {0, 0}, Kind::line, {1, 0}, {-1, 0});
  expect_normals(c, {0, 0.8}, Kind::halfplane, {1, 0}, {-1, 0});
  expect_normals(c, {0, -0.8}, Kind::halfplane, {-1, 0}, {1, 0});
  EXPECT_EQ(c.area(), 0);
}

TEST(LimitCurve, RustyWheelIsADiscInAStrip) {
  const LimitCurve c = rusty_wheel(0.5, 0.3, 0.0);
  const Face rolling = c.face({1, 0});
  EXPECT_EQ(rolling.kind, Face::Kind::segment);
  expect_near(rolling.first, {0.3, -0.4});
  expect_near(rolling.last, {0.3, 0.4});
  expect_near(c.face({0, 1}).first, {0, 0.5});      // on the arc
  expect_near(c.face({1, 0.5}).first, {0.3, 0.4});  // the vertex answers a wedge of slips
  expect_normals(c, {0.3, 0.4}, Kind::wedge, {1, 0}, {0.6, 0.8});
  expect_normals(c, {-0.3, 0.4}, Kind::wedge, {-0.6, 0.8}, {-1, 0});
  expect_normals(c, {0.3, 0.1}, Kind::ray, {1, 0});
  expect_normals(c, {0, 0.5}, Kind::ray, {0, 1});
  // Two sectors of half angle asin(3/5) and two triangles pairs: 2·(μ² asin(b/μ) + b √(μ²−b²)).
  EXPECT_DOUBLE_EQ(c.area(), 2 * (0.25 * std::asin(0.6) + 0.3 * 0.4));
  EXPECT_EQ(rusty_wheel(0.5, 0.5, 1.0).shape(), LimitCurve::Shape::ellipse);
  EXPECT_EQ(rusty_wheel(0.5, 7, 1.0).shape(), LimitCurve::Shape::ellipse);
}

TEST(LimitCurve, RatchetIsAHalfDisc) {
  const LimitCurve c = ratchet(0.8, 0.0);
  EXPECT_EQ(c.support({1, 0}), 0);     // rolls freely
  EXPECT_EQ(c.support({-1, 0}), 0.8);  // locks
  EXPECT_EQ(c.gauge({1, 0}), infinity);
  EXPECT_EQ(c.gauge({-0.4, 0}), 0.5);
  expect_normals(c, {0, 0}, Kind::ray, {1, 0});
  expect_normals(c, {0, 0.8}, Kind::wedge, {1, 0}, {0, 1});
  expect_normals(c, {0, -0.8}, Kind::wedge, {0, -1}, {1, 0});
  expect_normals(c, {-0.4, 0}, Kind::none);
  EXPECT_DOUBLE_EQ(c.area(), std::numbers::pi * 0.32);
  EXPECT_EQ(c.inscribed_radius(), 0);
}

TEST(LimitCurve, WheelsOfWheelsAreCompositions) {
  const Direction x = Direction::degrees(0), y = Direction::degrees(90);
  EXPECT_EQ(with_bearing(wheel(0.5, x), y).shape(), LimitCurve::Shape::point);
  const LimitCurve half = ratchet_free(0.5, x);
  EXPECT_EQ(half.shape(), LimitCurve::Shape::segment);
  EXPECT_EQ(half.support({1, 0}), 0);
  EXPECT_EQ(half.support({-1, 0}), 0.5);
  expect_normals(half, {0, 0}, Kind::halfplane, {0, -1}, {0, 1});
  expect_normals(half, {-0.5, 0}, Kind::halfplane, {0, 1}, {0, -1});
  expect_normals(half, {-0.2, 0}, Kind::line, {0, 1}, {0, -1});
  expect_near(half.face({1, 3}).first, {0, 0});
}

// Rollers at 45° on the rim: with the hub locked it is a wheel that rolls at 45°; with the hub free
// both the hub and the rollers roll, and it carries nothing.
TEST(LimitCurve, IlonsWheel) {
  const LimitCurve locked = with_bearing(disc(0.5), Direction::degrees(45));
  EXPECT_EQ(locked.support({1, 1}), 0);
  EXPECT_NEAR(locked.support({-1, 1}), 0.5 * std::numbers::sqrt2, 1e-15);
  EXPECT_EQ(with_bearing(locked, 0.0).shape(), LimitCurve::Shape::point);
  const LimitCurve ratcheted = with_ratchet(locked, 0.0);
  const double c = 0.5 * std::numbers::sqrt2 / 2;
  expect_near(ratcheted.face({-1, 1}).first, {-c, c});
  expect_near(ratcheted.face({1, -1}).first, {0, 0});
}

// A square cut out of a disc has no arc left; one that cuts every corner keeps four.
TEST(LimitCurve, CutsMeetEachOther) {
  const Direction x = Direction::degrees(0), y = Direction::degrees(90);
  const LimitCurve square = with_bearing(with_bearing(disc(1), x, 0.5), y, 0.5);
  EXPECT_EQ(square.shape(), LimitCurve::Shape::polygon);
  EXPECT_EQ(square.vertices().size(), 4U);
  EXPECT_NEAR(square.area(), 1, 1e-15);
  const LimitCurve rounded = with_bearing(with_bearing(disc(1), x, 0.9), y, 0.9);
  EXPECT_EQ(rounded.pieces().size(), 8U);
  // The disc less four segments of half angle acos(0.9).
  const double half_angle = std::acos(0.9);
  EXPECT_NEAR(rounded.area(), std::numbers::pi - 4 * (half_angle - 0.9 * std::sin(half_angle)),
              1e-14);
  const LimitCurve quarter = with_ratchet(with_ratchet(disc(1), x), y);
  EXPECT_NEAR(quarter.area(), std::numbers::pi / 4, 1e-15);
  expect_normals(quarter, {0, 0}, Kind::wedge, {1, 0}, {0, 1});
}

// A cut through corners that are there already adds none and loses none.
TEST(LimitCurve, CutThroughVertices) {
  const LimitCurve strip = rusty_wheel(0.5, 0.3, 0.0);  // corners at (±0.3, ±0.4)
  const LimitCurve cut = with_bearing(strip, Direction::degrees(90), 0.4);
  EXPECT_EQ(cut.shape(), LimitCurve::Shape::polygon);
  EXPECT_EQ(cut.vertices().size(), 4U);
  EXPECT_NEAR(cut.area(), 0.48, 1e-15);
  const LimitCurve triangle = box(1).clipped(Direction::degrees(45), 0);
  EXPECT_EQ(triangle.vertices().size(), 3U);
  EXPECT_NEAR(triangle.area(), 2, 1e-15);
}

TEST(LimitCurve, EllipseIsCutLikeTheDisc) {
  // The image of the disc's cut under diag(2, 1): the areas scale by 2.
  const LimitCurve e = ellipse(2, 1).clipped(Direction::degrees(0), 1.2);
  const LimitCurve d = disc(1).clipped(Direction::degrees(0), 0.6);
  EXPECT_NEAR(e.area(), 2 * d.area(), 1e-14);
  expect_near(e.vertices()[0], {1.2, -0.8});
  expect_normals(e, {1.2, 0.8}, Kind::wedge, {1, 0}, Vec2(0.3, 0.8).normalized());
}

// A wheel whose contact is any ellipse, rolling any way: the chord through the origin remains,
// along the axle u of half length 1/√(uᵀ diag(1/a², 1/b²) u) in the ellipse's axes.
TEST(LimitCurve, WheelOfAnyEllipseIsAChord) {
  testing::Random random(31);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.decades(-1, 1), b = random.decades(-1, 1);
    const double heading = random.uniform(-360, 360);
    const Direction roll = Direction::degrees(i % 2 == 0 ? 90 * (i % 8 / 2) : 0.01 * i);
    const LimitCurve curve = with_bearing(ellipse(a, b, Direction::degrees(heading)), roll);
    const Vec2 axle = roll.left().unit(), axes = Direction::degrees(heading).unit();
    const double x = axes.dot(axle) / a, y = (axes.x() * axle.y() - axes.y() * axle.x()) / b;
    const double half = 1 / std::hypot(x, y);
    EXPECT_NEAR(curve.support(axle), half, 1e-11 * half) << a << " " << b << " " << heading;
    EXPECT_NEAR(curve.support(-axle), half, 1e-11 * half) << a << " " << b << " " << heading;
    EXPECT_LE(curve.support(roll.unit()), 1e-14 * half);
  }
}

TEST(LimitCurve, BoxHasFlatsAndVertices) {
  const LimitCurve c = box(0.5);
  EXPECT_EQ(c.face({1, 0}).kind, Face::Kind::segment);
  EXPECT_EQ(c.face({1, 1e-12}).kind, Face::Kind::point);
  expect_near(c.face({1, 1e-12}).first, {0.5, 0.5});
  expect_normals(c, {0.5, 0.5}, Kind::wedge, {1, 0}, {0, 1});
  expect_normals(c, {0.5, 0.1}, Kind::ray, {1, 0});
  expect_near(c.project({3, 0.2}), {0.5, 0.2});
  expect_near(c.project({3, 2}), {0.5, 0.5});
  expect_near(c.project({-1e20, -1e20}), {-0.5, -0.5});
  expect_near(c.project({0.2, 0.1}), {0.2, 0.1});
}

// Within eight units of rounding a slip is normal to a flat, beyond it is not.
TEST(LimitCurve, FlatIsMetWithinRounding) {
  const LimitCurve c = box(0.5);
  const double unit = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(c.face({1, 4 * unit}).kind, Face::Kind::segment);
  EXPECT_EQ(c.face({1, -4 * unit}).kind, Face::Kind::segment);
  EXPECT_EQ(c.face({1, 40 * unit}).kind, Face::Kind::point);
  for (int n : {3, 5, 7, 12, 100})
    for (long k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / n;
      EXPECT_EQ(ngon(0.7, n).face({std::cos(angle), std::sin(angle)}).kind, Face::Kind::segment);
    }
}

TEST(LimitCurve, ZeroSlipIsAnsweredByTheWholeCurve) {
  EXPECT_EQ(disc(0.5).face({0, 0}).kind, Face::Kind::whole);
  EXPECT_EQ(free_curve().face({0, 0}).kind, Face::Kind::point);
  EXPECT_EQ(disc(0).face({1, 0}).kind, Face::Kind::point);
  expect_normals(free_curve(), {0, 0}, Kind::all);
  EXPECT_FALSE(free_curve().normals({1e-300, 0}).has_value());
}

TEST(LimitCurve, PolygonIsTheHullOfItsPoints) {
  const LimitCurve c =
      polygon({{0, 0}, {1, 1}, {-1, -1}, {0, 1}, {1, -1}, {-1, 1}, {1, 0}, {1, 1}});
  EXPECT_EQ(c.vertices().size(), 4U);
  EXPECT_EQ(c.area(), 4);
  const LimitCurve line = polygon({{0.2, 0.4}, {-0.1, -0.2}, {0.1, 0.2}});
  EXPECT_EQ(line.shape(), LimitCurve::Shape::segment);
  EXPECT_EQ(polygon({{0, 0}, {1, 0}}).support({-1, 0}), 0);
  // The origin on a side and at a corner is inside.
  EXPECT_EQ(polygon({{-1, 0}, {1, 0}, {0, 1}}).gauge({0, -1}), infinity);
  EXPECT_EQ(polygon({{0, 0}, {1, 0}, {0, 1}}).gauge({0.5, 0}), 0.5);
}

TEST(LimitCurve, PolygonSizesFarFromOne) {
  for (const double s : {1e-100, 1e-60, 1e100}) {
    const LimitCurve c = polygon({{s, s}, {-s, s}, {-s, -s}, {s, -s}, {s, 0}});
    EXPECT_EQ(c.vertices().size(), 4U) << s;
    EXPECT_DOUBLE_EQ(c.support({1, 0}), s);
  }
}

TEST(LimitCurve, RefusesWhatIsNoCurve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(disc(-0.1), InvalidInput);
  EXPECT_THROW(disc(nan), InvalidInput);
  EXPECT_THROW(disc(infinity), InvalidInput);
  EXPECT_THROW(ellipse(0.5, -1), InvalidInput);
  EXPECT_THROW(rusty_wheel(0.5, -0.1, 0.0), InvalidInput);
  EXPECT_THROW(wheel(0.5, nan), InvalidInput);
  EXPECT_THROW(polygon({}), InvalidInput);
  EXPECT_THROW(polygon({{1, 1}, {1, 1}}), InvalidInput);
  EXPECT_THROW(polygon({{1, 1}, {2, 1}, {1, 2}}), InvalidInput);
  EXPECT_THROW(polygon({{1, 1}, {2, 2}}), InvalidInput);
  EXPECT_THROW(polygon({{-1, 1}, {1, 1}}), InvalidInput);
  EXPECT_THROW(polygon({{nan, 0}, {1, 0}}), InvalidInput);
  EXPECT_THROW(ngon(0.5, 2), InvalidInput);
  EXPECT_THROW(ngon_out(0.5, 2), InvalidInput);
  EXPECT_THROW(ngon(0.5, 2000000000), InvalidInput);
  EXPECT_THROW(disc(0.5).scaled(-1), InvalidInput);
  EXPECT_THROW(disc(0.5).clipped(0.0, -1), InvalidInput);
  EXPECT_THROW(disc(0.5).half_planes(), InvalidInput);
}

// The boundary is met to rounding of the terms, also where an axis is short or an edge passes close
// to the origin: the curve accepts its own faces.
TEST(LimitCurve, AcceptsItsOwnFacesHoweverThin) {
  for (const double aspect : {10.0, 100.0, 1e4, 1e8})
    for (long k = 0; k < 360; ++k) {
      const LimitCurve c = ellipse(0.5, 0.5 / aspect, Direction::degrees(20));
      const Vec2 f = c.face(Direction::turn(k, 360).unit()).first;
      ASSERT_TRUE(c.contains(f)) << aspect << ' ' << k;
      ASSERT_EQ(c.normals(f)->kind, Kind::ray) << aspect << ' ' << k;
    }
  expect_normals(polygon({{-1, 2}, {0.9, 1.1}, {-0.7, -0.9}}),
                 {0.01219512195121952, -0.009756097560975615}, Kind::ray,
                 Vec2(2, -1.6).normalized());
}

// A bearing almost as strong as the tyre leaves a short flat; its corners keep their digits.
TEST(LimitCurve, ShortFlatsKeepTheirDigits) {
  const LimitCurve c = rusty_wheel(0.8, 0.799992, 0.0);
  EXPECT_NEAR(c.face({1, 0}).last.y(), 0.0035776998197183624, 1e-17);
  EXPECT_EQ(c.normals({0.799992, -0.0035776998197183624})->kind, Kind::wedge);
}

TEST(LimitCurve, ExtremeForcesFindTheirVertex) {
  expect_near(box(1e100).project({1e201, 1e201}) / 1e100, {1, 1});
  expect_near(box(1e-100).project({-1e-99, 1e-99}) * 1e100, {-1, 1});
  expect_near(box(1).project({1e300, -1e300}), {1, -1});
  EXPECT_THROW(box(1e200), InvalidInput);
  EXPECT_THROW(polygon({{1e200, 1e200}, {-1e200, -1e200}}), InvalidInput);
}

TEST(LimitCurve, ScalingAndTurning) {
  const LimitCurve c = rusty_wheel(0.5, 0.3, 0.0).rotated(Direction::degrees(90)).scaled(10);
  const Face face = c.face({0, 1});
  EXPECT_EQ(face.kind, Face::Kind::segment);
  expect_near(face.first, {4, 3}, 1e-14);
  expect_near(face.last, {-4, 3}, 1e-14);
  EXPECT_EQ(c.scaled(0).shape(), LimitCurve::Shape::point);
}

TEST(LimitCurve, HalfPlanesDescribePolygonsWithoutArea) {
  for (const HalfPlane& h : wheel(0.8, 0.0).half_planes()) {
    EXPECT_LE(h.normal.dot(Vec2(0, 0.8)), h.offset);
    EXPECT_LE(h.normal.dot(Vec2(0, -0.8)), h.offset);
  }
  EXPECT_EQ(wheel(0.8, 0.0).half_planes().size(), 4U);
  EXPECT_EQ(free_curve().half_planes().size(), 4U);
}

TEST(LimitCurve, IsMadeAgainOfWhatItSaysOfItself) {
  const Direction roll = 0.3;
  for (const LimitCurve& c :
       {free_curve(), disc(0.5), ellipse(0.5, 0.3, roll), wheel(0.5, roll), ratchet(0.5, roll),
        rusty_wheel(0.5, 0.2, roll), ratchet_free(0.5, roll), ngon(0.5, 7).rotated(roll),
        ellipse(0.5, 0.3, roll).clipped(1.0, 0.2).clipped(2.0, 0.1).scaled(0.7)})
    EXPECT_EQ(LimitCurve::of(c.shape(), c.ellipse(), c.pieces()), c);
  using Shape = LimitCurve::Shape;
  const LimitCurve half = ratchet(0.5, roll);
  EXPECT_NE(half, ratchet(0.5, 0.31));
  for (const Shape wrong : {Shape::point, Shape::ellipse, Shape::polygon})
    EXPECT_THROW(LimitCurve::of(wrong, half.ellipse(), half.pieces()), InvalidInput);
  EXPECT_THROW(LimitCurve::of(Shape::clipped, {}, half.pieces()), InvalidInput);
  EXPECT_THROW(LimitCurve::of(Shape::segment, {}, {}), InvalidInput);
  EXPECT_THROW(LimitCurve::of(Shape::polygon, {}, {}), InvalidInput);
}

TEST(Direction, RightAnglesAreExact) {
  EXPECT_EQ(Direction::degrees(90).unit(), Vec2(0, 1));
  EXPECT_EQ(Direction::degrees(-90).unit(), Vec2(0, -1));
  EXPECT_EQ(Direction::degrees(180).unit(), Vec2(-1, 0));
  EXPECT_EQ(Direction::degrees(3600).unit(), Vec2(1, 0));
  EXPECT_EQ(Direction::degrees(45).unit().x(), Direction::degrees(45).unit().y());
  EXPECT_EQ(Direction::degrees(30).unit().y(), 0.5);
  EXPECT_EQ(Direction::turn(-1, 4).unit(), Vec2(0, -1));
  EXPECT_EQ(Direction::degrees(-1e-20).unit(), Vec2(1, 0));
  EXPECT_THROW(Direction::along({0, 0}), InvalidInput);
}

TEST(LimitCurve, WhatIsNotFiniteHasAnAnswerOfItsOwn) {
  const double nan = std::nan("");
  const std::vector<LimitCurve> curves{disc(0.5),
                                       ellipse(0.5, 0.2, 0.3),
                                       wheel(0.8, 0.1),
                                       rusty_wheel(0.8, 0.2, 1.0),
                                       ratchet(0.8, 0.2),
                                       free_curve(),
                                       ratchet_free(0.8, 0.4),
                                       pyramid(0.5),
                                       box(0.5),
                                       polygon({{1, 0}, {0, 1}, {-1, -1}})};
  for (std::size_t kind = 0; kind < curves.size(); ++kind) {
    const LimitCurve& curve = curves[kind];
    for (const Vec2& force : {Vec2(infinity, 0), Vec2(1, -infinity), Vec2(nan, 1), Vec2(0.1, nan),
                              Vec2(infinity, nan), Vec2(-infinity, infinity)}) {
      EXPECT_TRUE(curve.project(force).array().isNaN().all()) << kind;
      EXPECT_TRUE(curve.project_with_derivative(force).point.array().isNaN().all()) << kind;
      EXPECT_TRUE(std::isnan(curve.gauge(force))) << kind;
      EXPECT_FALSE(curve.contains(force)) << kind;
      EXPECT_FALSE(curve.contains(force, infinity)) << kind;
      EXPECT_FALSE(curve.normals(force).has_value()) << kind;
    }
    const Vec2 far(1.7e308, -1.7e308);  // hardly larger ones are finite
    EXPECT_TRUE(curve.project(far).allFinite()) << kind;
  }
}

}  // namespace
}  // namespace stiction
