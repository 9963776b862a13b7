// SPDX-License-Identifier: Apache-2.0
//
// The theory of the planar slider, value by value, each from its formula written out here.
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <cmath>
#include <numbers>

#include "stiction/moment_function.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_points.h"
#include "stiction/slider_slide.h"

namespace stiction::testing {
namespace {

using std::numbers::pi;

// ₂F₁(a, b; c; z) by its series, |z| < 1.
double hypergeometric(double a, double b, double c, double z) {
  double sum = 0, term = 1;
  for (int k = 0; k < 2000; ++k) {
    sum += term;
    term *= (a + k) * (b + k) / ((c + k) * (k + 1)) * z;
  }
  return sum;
}

// Of unit force, friction and radius, at ε = v/(Rω).
Load of_disc(double e) { return load(Slider{disc_support({0, 0}, 1, 1, disc(1))}, {e, 0, 1}).load; }
Load of_ring(double e) { return load(Slider{ring({0, 0}, 1, 1, disc(1))}, {e, 0, 1}).load; }

TEST(KnownSlider, DiscByEllipticIntegrals) {
  for (const double e : {0.5, 0.7, 0.9, 0.999}) {
    const double q = e * e, E = boost::math::ellint_2(e), K = boost::math::ellint_1(e);
    EXPECT_NEAR(of_disc(e).fx, 4 / (3 * pi * e) * ((q + 1) * E + (q - 1) * K), 1e-14) << e;
    EXPECT_NEAR(of_disc(e).moment, 4 / (9 * pi) * ((4 - 2 * q) * E + (q - 1) * K), 1e-14) << e;
  }
  for (const double e : {1.001, 1.1, 1.5, 2.0}) {
    const double q = e * e, E = boost::math::ellint_2(1 / e), K = boost::math::ellint_1(1 / e);
    EXPECT_NEAR(of_disc(e).fx, 4 / (3 * pi) * ((q + 1) * E - (q - 1) * K), 1e-14) << e;
    EXPECT_NEAR(of_disc(e).moment, 4 * e / (9 * pi) * ((4 - 2 * q) * E + (2 * q - 5 + 3 / q) * K),
                2e-14)
        << e;
  }
}

TEST(KnownSlider, DiscBySeries) {
  for (const double e : {0.0, 1e-8, 0.01, 0.3, 0.8}) {
    EXPECT_NEAR(of_disc(e).fx, e * hypergeometric(0.5, -0.5, 2, e * e), 1e-15) << e;
    EXPECT_NEAR(of_disc(e).moment, 2.0 / 3 * hypergeometric(0.5, -1.5, 1, e * e), 1e-15) << e;
  }
  for (const double e : {1.25, 3.0, 1e4, 1e9}) {
    const double q = 1 / (e * e);
    EXPECT_NEAR(of_disc(e).fx, hypergeometric(0.5, -0.5, 2, q), 1e-15) << e;
    const double moment = hypergeometric(0.5, 0.5, 3, q) / (4 * e);
    EXPECT_NEAR(of_disc(e).moment, moment, 1e-14 * moment) << e;
  }
  EXPECT_NEAR(of_disc(0).moment, 2.0 / 3, 1e-16);
}

TEST(KnownSlider, DiscInPrint) {
  EXPECT_NEAR(of_disc(0.5).fx, 0.483843755630126, 5e-16);
  EXPECT_NEAR(of_disc(0.5).moment, 0.547748354772201, 5e-16);
  EXPECT_NEAR(of_disc(2).fx, 0.967687511260252, 5e-16);
  EXPECT_NEAR(of_disc(2).moment, 0.127809198284151, 5e-16);
}

TEST(KnownSlider, Ring) {
  const auto power = [](double e) {
    return load(Slider{ring({0, 0}, 1, 1, disc(1))}, {e, 0, 1}).power;
  };
  for (const double e : {0.5, 0.9, 1.1, 2.0}) {
    const double k = std::sqrt(4 * e) / (1 + e);  // m = k²
    const double E = boost::math::ellint_2(k), K = boost::math::ellint_1(k);
    const double H = 2 / pi * (1 + e) * E, F = ((1 + e) * E - (1 - e) * K) / (pi * e);
    EXPECT_NEAR(power(e), H, 1e-14) << e;
    EXPECT_NEAR(of_ring(e).fx, F, 1e-14) << e;
    EXPECT_NEAR(of_ring(e).moment, H - e * F, 1e-14) << e;
  }
  for (const double e : {1e-8, 0.01, 0.3, 0.8}) {
    EXPECT_NEAR(power(e), hypergeometric(-0.5, -0.5, 1, e * e), 1e-15) << e;
    EXPECT_NEAR(of_ring(e).fx, e / 2 * hypergeometric(0.5, 0.5, 2, e * e), 1e-15) << e;
    EXPECT_NEAR(of_ring(e).moment, hypergeometric(0.5, -0.5, 1, e * e), 1e-15) << e;
  }
  for (const double e : {1.25, 3.0, 1e4, 1e9}) {
    const double q = 1 / (e * e), moment = hypergeometric(0.5, 0.5, 2, q) / (2 * e);
    EXPECT_NEAR(of_ring(e).fx, hypergeometric(0.5, -0.5, 1, q), 1e-15) << e;
    EXPECT_NEAR(of_ring(e).moment, moment, 1e-14 * moment) << e;
  }
}

// μ = 0.7 in two supports of half of it each.
TEST(KnownSlider, Dumbbell) {
  const double mu = 0.7;
  const Slider bar{point({0, 1}, 0.5, disc(mu)), point({0, -1}, 0.5, disc(mu))};
  for (const Vec3& q :
       {Vec3(0.6, 0, 0.8), Vec3(0.48, -0.6, 0.64), Vec3(-0.8, 0.6, 0), Vec3(-0.64, 0.48, -0.6)}) {
    const double plus = mu / (2 * std::sqrt(1 + 2 * q[0] * q[2])),
                 minus = mu / (2 * std::sqrt(1 - 2 * q[0] * q[2]));
    const Vec3 expected(plus * (q[0] + q[2]) + minus * (q[0] - q[2]), (plus + minus) * q[1],
                        plus * (q[0] + q[2]) - minus * (q[0] - q[2]));
    EXPECT_LE((load(bar, Motion::of(q)).load.vector() - expected).norm(), 1e-15);
  }
  const SliderPoints points = slider_points(bar);
  EXPECT_EQ(points.facets.value->size(), 4U);
  EXPECT_EQ(points.vertices.value->size(), 4U);
}

// Mean distances from the centroid.
TEST(KnownSlider, PolygonsInPrint) {
  const auto mean = [](const std::vector<Vec2>& vertices) {
    const Slider slider{polygon_support(vertices, {}, 1, disc(1))};
    return moment_function(slider, slider.centre_of_pressure()).moment;
  };
  EXPECT_NEAR(mean({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), 0.3825978582321063, 5e-16);
  EXPECT_NEAR(mean({{0, 0}, {2, 0}, {2, 1}, {0, 1}}), 0.59323341606895, 5e-15);
  EXPECT_NEAR(mean({{0, 0}, {1, 0}, {0, 1}}), 0.3014414433850505, 5e-16);
}

// M = M_c + r_c × F, F_x = ∂M_c/∂y_c, F_y = −∂M_c/∂x_c, rotation centre (−v_y/ω, v_x/ω).
TEST(KnownSlider, MomentFunctionAndLoad) {
  const Slider slider{point({0.3, 0.9}, 0.5, disc(0.6)),
                      point({-1, 0.2}, 1, ellipse(0.9, 0.4, 0.3)),
                      disc_support({0.2, -0.5}, 0.4, 2, disc(0.3))};
  const Motion q{0.3, -0.5, 0.8};
  const Vec2 c(-q.vy / q.omega, q.vx / q.omega);
  const Load p = load(slider, q).load;
  const MomentAt at = moment_function(slider, c);
  EXPECT_LE((at.force - Vec2(p.fx, p.fy)).norm(), 1e-15);
  EXPECT_NEAR(p.moment, at.moment + c.x() * p.fy - c.y() * p.fx, 1e-14);
  EXPECT_LE((*motion(slider, p).rotation_centre - c).norm(), 1e-9);
  const double h = 1e-5;
  EXPECT_NEAR(at.force.x(),
              (moment_function(slider, c + Vec2(0, h)).moment -
               moment_function(slider, c - Vec2(0, h)).moment) /
                  (2 * h),
              1e-8);
  EXPECT_NEAR(at.force.y(),
              -(moment_function(slider, c + Vec2(h, 0)).moment -
                moment_function(slider, c - Vec2(h, 0)).moment) /
                  (2 * h),
              1e-8);
  // Turning about the centre of twist takes the least moment and no force.
  const SliderPoints points = slider_points(slider);
  const MomentAt least = moment_function(slider, *points.centre_of_twist.value);
  EXPECT_LE(least.force.norm(), 1e-9);
  EXPECT_NEAR(least.moment, *points.twist_moment.value, 1e-12);
  EXPECT_LT(least.moment, at.moment);
}

// n collinear points: 2n facets and 2n vertices; a uniform segment: no facet and two vertices;
// n points not on a line: 2n facets alone.
TEST(KnownSlider, FacetsAndVertices) {
  const auto count = [](const Slider& slider, std::size_t facets, std::size_t vertices) {
    const SliderPoints points = slider_points(slider);
    ASSERT_TRUE(points.facets.value && points.vertices.value);
    EXPECT_EQ(points.facets.value->size(), facets);
    EXPECT_EQ(points.vertices.value->size(), vertices);
  };
  std::vector<Support> line, plane;
  for (int n = 0; n < 5; ++n) {
    line.push_back(point({0.3 * n, 0.1 * n}, 1 + 0.1 * n, disc(0.5)));
    plane.push_back(point({0.3 * n, 0.1 * n * n}, 1 + 0.1 * n, disc(0.5)));
    const std::size_t twice = 2 * line.size();
    if (n >= 1) count(Slider(line), twice, twice);
    if (n >= 2) count(Slider(plane), twice, 0);
  }
  count(Slider{segment({-1, 0.2}, {1, 0.5}, 1, disc(0.4))}, 0, 2);
}

// Wheels along a ring that roll counter-clockwise and lock the other way, μ = N = R = 1.  While
// ωR ≥ |v| they all roll: only radial slip |v·n| is resisted, H = (2/π)|v| whatever ω.  So the
// surface ends in a flat disc M = 0 of radius 2/π, the loads of ω alone; every load of its rim has
// all motions from ω = |v| up, an edge of vertices.  In translation half the wheels lock: H =
// ½ + 1/π, M = −1/π.
TEST(KnownSlider, RingOfRatchetedWheels) {
  const Slider wheels{ring({0, 0}, 1, 1, ratchet(1, Direction::degrees(0)), true)};
  const LoadSet turning = load(wheels, {0, 0, 1});
  ASSERT_EQ(turning.terms.size(), 1U);
  EXPECT_EQ(turning.terms[0].kind, FaceTerm::Kind::ellipse);
  EXPECT_LE((turning.terms[0].points[0] - Vec3(2 / pi, 0, 0)).norm(), 1e-15);
  EXPECT_LE((turning.terms[0].points[1] - Vec3(0, 2 / pi, 0)).norm(), 1e-15);
  EXPECT_LE(turning.load.vector().norm(), 1e-15);
  for (const double angle : {0.0, 1.0, 2.5, 4.0})
    for (const double omega : {1.0, 1.001, 2.0, 100.0}) {
      const Vec2 v(std::cos(angle), std::sin(angle));
      const Vec3 p = load(wheels, {v.x(), v.y(), omega}).load.vector();
      EXPECT_LE((p - Vec3(2 / pi * v.x(), 2 / pi * v.y(), 0)).norm(), 1e-13) << omega;
    }
  const LoadSet slower = load(wheels, {1, 0, 0.9});
  EXPECT_LT(slower.load.moment, -1e-3);
  const LoadSet straight = load(wheels, {1, 0, 0});
  EXPECT_LE((straight.load.vector() - Vec3(0.5 + 1 / pi, 0, -1 / pi)).norm(), 1e-14);
  EXPECT_NEAR(load(wheels, {0, 0, -1}).load.moment, -1, 1e-14);

  const SliderPoints points = slider_points(wheels);
  ASSERT_TRUE(points.facets.value);
  ASSERT_EQ(points.facets.value->size(), 1U);
  EXPECT_LE((points.facets.value->front().motion.vector() - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_FALSE(points.vertices.value);
  EXPECT_EQ(points.vertices.reason, "a continuum of loads has more than one motion each");
  EXPECT_NEAR(*points.translation_force.value, 0.5 + 1 / pi, 1e-13);
  EXPECT_EQ(*points.twist_moment.value, 0);
}

// Uniform disc with I = ½mR²: v/(ωR) → 0.6530017892055976, the root of F = 2εT; ring: 1.  A
// deviation from it dies like speed^0.6.  Both motions end together: near the end both are left.
TEST(KnownSlider, EndOfFreeSliding) {
  const double limit = 0.6530017892055976;
  EXPECT_NEAR(of_disc(limit).fx, 2 * limit * of_disc(limit).moment, 1e-15);
  EXPECT_NEAR(of_ring(1).fx, of_ring(1).moment, 1e-15);
  SliderBody body;
  body.mass = 1;
  body.inertia = 0.5;
  const Slider puck({disc_support({0, 0}, 1, 1, disc(1))}, body);
  const Slide s = slide(puck, {1, 0, 0.1}, {.samples = 10001});
  EXPECT_NEAR(std::hypot(s.final_direction.vx, s.final_direction.vy) / s.final_direction.omega,
              limit, 1e-9);
  EXPECT_NEAR(std::min(s.rates[0], s.rates[1]), 0, 1e-6);  // about the axis of symmetry
  const Motion& last = s.trajectory[s.trajectory.size() - 2].motion;
  const double ratio = std::hypot(last.vx, last.vy) / last.omega;
  EXPECT_NEAR(ratio, limit, 0.05);
  // v̇ = −F, ω̇ = −2T: dε/d ln ω = F/(2T) − ε, whose slope at the limit is the rate.
  const auto change = [](double e) { return of_disc(e).fx / (2 * of_disc(e).moment) - e; };
  const double rate = (change(limit + 1e-4) - change(limit - 1e-4)) / 2e-4;
  EXPECT_NEAR(std::max(s.rates[0], s.rates[1]), rate, 1e-6);
  EXPECT_NEAR(rate, 0.6, 0.05);
}

// A bolt group: bolts of strength w that all yield, each across its arm from the instantaneous
// centre.  By hand: on the line of symmetry the centre is at (−x, 0), with Σ w d_x/d upwards and
// the load's arm e + x; the two agree in one x.
TEST(KnownSlider, BoltGroup) {
  const double e = 0.3, w = 50e3;
  const std::vector<Vec2> bolts{{-0.05, -0.08}, {0.05, -0.08}, {-0.05, 0.08}, {0.05, 0.08}};
  const auto force_and_moment = [&](double x) {
    Vec2 sum = Vec2::Zero();  // force, moment about the centre
    for (const Vec2& b : bolts) {
      const double d = std::hypot(b.x() + x, b.y());
      sum += w * Vec2((b.x() + x) / d, d);
    }
    return sum;
  };
  double low = 0, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double x = 0.5 * (low + high);
    const Vec2 sum = force_and_moment(x);
    (sum.x() * (e + x) < sum.y() ? low : high) = x;
  }
  const double strength = force_and_moment(low).x();
  std::vector<Support> supports;
  for (const Vec2& b : bolts) supports.push_back(point(b, w, disc(1)));
  const MotionSet set = motion(Slider(supports), {.fx = 0, .fy = strength, .moment = e * strength});
  EXPECT_NEAR(set.gauge, 1, 1e-12);
  EXPECT_LE((*set.rotation_centre - Vec2(-low, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace stiction::testing
