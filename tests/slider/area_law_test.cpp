// SPDX-License-Identifier: Apache-2.0
//
// Supports with an extent under every law: against exact integrals of wheels, ellipses in 80
// digits, each other, and the properties that every convex dissipation has.
#include <gtest/gtest.h>

#include <numbers>

#include "slider/exact_area.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using std::numbers::pi;

Motion about(double x, double y, double omega = 1) { return {omega * y, -omega * x, omega}; }

std::vector<LimitCurve> curves() {
  return {disc(0.7),
          ellipse(0.9, 0.3, 0.4),
          ellipse(1, 0.01, -1.1),
          wheel(0.8, 0.3),
          rusty_wheel(0.8, 0.2, -0.5),
          ratchet(0.6, 1.2),
          ratchet_free(0.5, 2.0),
          pyramid(0.5),
          box(0.5).rotated(0.2),
          ngon(0.4, 7),
          disc(0.6).clipped(0.7, 0.1),
          polygon({{1, 0}, {0, 0.5}, {-0.2, -0.4}, {0.3, -0.6}})};
}

std::vector<Support> shapes(const LimitCurve& c) {
  Eigen::MatrixXd p(2, 3);
  p << 1, 2, 0, 0.5, 0.25, 3;
  return {segment({-0.4, 0.1}, {0.7, 0.3}, 1, c),
          polygon_support({{-1, -0.5}, {1, -0.5}, {0.5, 0.5}, {-0.2, 0}, {-1, 0.8}}, {}, 1, c),
          polygon_support({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                          {{{-0.5, -0.5}, {0.5, -0.5}, {0, 0.5}}}, 1, c),
          disc_support({0.1, 0.2}, 0.8, 1, c),
          disc_support({0.1, 0.2}, 0.8, 1, c, Support::Pressure::hertz),
          disc_support({0.1, 0.2}, 0.8, 1, c, Support::Pressure::boussinesq),
          annulus({-0.1, 0.2}, 0.8, 0.3, 1, c),
          ring({0.3, -0.2}, 0.7, 1, c),
          ring({0.3, -0.2}, 0.7, 1, c, true),
          grid({-0.5, -0.5}, 0.4, p, c)};
}

// ∫ |v_x − ω y| over a rectangle of height 2b: with y0 = v_x/ω, F_x = 1 − |…| pieces of length.
TEST(AreaLaws, AWheelOnARectangleCountsTheTwoSidesOfALine) {
  const double a = 0.7, b = 0.4;
  const Slider slider{polygon_support({{-a, -b}, {a, -b}, {a, b}, {-a, b}}, {}, 1,
                                      wheel(1, Direction::degrees(90)))};
  for (const double y : {0.0, 0.1, -0.3, 0.4, 0.400001, 5.0, 1e6}) {
    const LoadSet set = load(slider, about(0.2, y));
    // Force +1 where y' < y and −1 where y' > y.
    const double t = std::clamp(y, -b, b);
    EXPECT_NEAR(set.load.fx, t / b, 1e-15);
    EXPECT_EQ(set.load.fy, 0);
    EXPECT_NEAR(set.load.moment, (b * b - t * t) / (2 * b), 1e-15);
  }
}

// The box is the sum of two wheels, the axle of one along x and of the other along y.
TEST(AreaLaws, ABoxIsTwoWheels) {
  Random random(1);
  const auto along_x = shapes(wheel(0.5, Direction::degrees(90))),
             along_y = shapes(wheel(0.5, Direction::degrees(0))), both = shapes(box(0.5));
  for (std::size_t k = 0; k < both.size(); ++k) {
    const Slider two{along_x[k], along_y[k]}, one{both[k]};
    for (int i = 0; i < 200; ++i) {
      const Vec2 c = random.decades(-3, 9) * random.direction();
      const Motion q = about(c.x(), c.y(), random.uniform(-1, 1));
      const LoadSet a = load(two, q), b = load(one, q);
      EXPECT_LE((a.load.vector() - b.load.vector()).norm(), 1e-11) << k << text(c);
    }
  }
}

// An ellipse law on a polygon, edge by edge: ∫ f dA = Σ ½ k ∫₀¹ f ds with k the cross product of
// the edge's ends from the rotation centre, ∫ h dA = Σ ⅓ k ∫₀¹ h ds.
TEST(AreaLaws, EllipsesOnPolygonsAreRightWhereverTheRotationCentreIs) {
  Random random(2);
  const std::vector<Vec2> v{{-1, -0.5}, {1, -0.5}, {0.5, 0.5}, {-0.2, 0}, {-1, 0.8}};
  double area = 0;
  for (std::size_t i = 0; i < v.size(); ++i) area += 0.5 * cross(v[i], v[(i + 1) % v.size()]);
  boost::math::quadrature::tanh_sinh<Exact> rule(9);
  for (const double thin : {0.5, 0.05}) {
    const Slider slider{polygon_support(v, {}, 1, ellipse(1, thin, Direction::degrees(0)))};
    for (const Vec2& c :
         {Vec2(0.1, -0.2), Vec2(-1, -0.5), Vec2(-1, -0.5 + 1e-9), Vec2(0, -0.5), Vec2(0, -0.5001),
          Vec2(3, 2), Vec2(-30, 40), Vec2(1e4, 2e4), Vec2(-1e9, 3e8)}) {
      const Motion q = about(c.x(), c.y(), 0.7);
      const Exact w = q.omega, cx = -Exact(q.vy) / w, cy = Exact(q.vx) / w, b = thin;
      std::array<Exact, 3> sum{0, 0, 0};
      for (std::size_t i = 0; i < v.size(); ++i) {
        const Vec2 &p = v[i], &s = v[(i + 1) % v.size()];
        const Exact ax = Exact(p.x()) - cx, ay = Exact(p.y()) - cy, bx = Exact(s.x()) - cx,
                    by = Exact(s.y()) - cy;
        const Exact k = ax * by - ay * bx;
        if (k == 0) continue;
        // Slip (−y, x) at (x, y) from the centre, h² = y² + b² x²; its least value splits the edge.
        const Exact ex = bx - ax, ey = by - ay;
        Exact split = -(ay * ey + b * b * ax * ex) / (ey * ey + b * b * ex * ex);
        if (split <= 0 || split >= 1) split = Exact(0.5);
        for (int component = 0; component < 3; ++component) {
          const auto f = [&](const Exact& t) {
            const Exact x = ax + t * ex, y = ay + t * ey, h = sqrt(y * y + b * b * x * x);
            if (h == 0) return Exact(0);
            return component == 0 ? Exact(-y / h) : component == 1 ? Exact(b * b * x / h) : h;
          };
          const Exact tolerance("1e-33");
          const Exact integral = rule.integrate(f, Exact(0), split, tolerance) +
                                 rule.integrate(f, split, Exact(1), tolerance);
          sum[static_cast<std::size_t>(component)] +=
              k * integral / (component == 2 ? 3 : 2) / Exact(area);
        }
      }
      const Exact moment = sum[2] + cx * sum[1] - cy * sum[0];
      const Vec3 p = load(slider, q).load.vector();
      EXPECT_NEAR(p[0], static_cast<double>(sum[0]), 1e-13) << thin << text(c);
      EXPECT_NEAR(p[1], static_cast<double>(sum[1]), 1e-13) << thin << text(c);
      EXPECT_NEAR(p[2], static_cast<double>(moment), 1e-13) << thin << text(c);
    }
  }
}

// Polygons inscribed in the circle, extrapolated in 1/n², against the disc: the closed forms of
// cells against the rays of round supports.
TEST(AreaLaws, PolygonsTendToTheDisc) {
  Random random(3);
  const auto inscribed = [](int n, const LimitCurve& c) {
    std::vector<Vec2> v;
    for (int k = 0; k < n; ++k) v.emplace_back(std::cos(2 * pi * k / n), std::sin(2 * pi * k / n));
    return Slider{polygon_support(v, {}, 1, c)};
  };
  for (const LimitCurve& c : curves()) {
    const Slider round{disc_support({0, 0}, 1, 1, c)};
    const Slider coarse = inscribed(200, c), fine = inscribed(400, c);
    for (int i = 0; i < 20; ++i) {
      const Motion q = Motion::of(random.direction3());
      const Vec3 exact = load(round, q).load.vector(), a = load(coarse, q).load.vector(),
                 b = load(fine, q).load.vector();
      EXPECT_LE((b + (b - a) / 3 - exact).norm(), 3e-7);
      EXPECT_LE((b - exact).norm(), 1e-3);
    }
  }
}

// A disc is the sum of its rings.
TEST(AreaLaws, RingsAddUpToTheDisc) {
  Random random(4);
  for (const LimitCurve& c : curves()) {
    const Slider round{disc_support({0, 0}, 1, 1, c)};
    constexpr int n = 400;
    std::vector<Support> rings;
    for (int k = 0; k < n; ++k)
      rings.push_back(ring({0, 0}, (k + 0.5) / n, (2 * k + 1.0) / (n * n), c));
    const Slider sum(rings);
    for (int i = 0; i < 5; ++i) {
      const Motion q = Motion::of(random.direction3());
      EXPECT_LE((load(sum, q).load.vector() - load(round, q).load.vector()).norm(), 1e-4);
    }
  }
}

// Isotropic supports through the general code: the ellipse differs from the disc by one rounding.
TEST(AreaLaws, TheGeneralIntegralsAgreeWithTheIsotropicClosedForms) {
  Random random(5);
  const auto general = shapes(ellipse(1, 1 + 0x1p-50, 0.3)), isotropic = shapes(disc(1));
  for (std::size_t k = 0; k < general.size(); ++k) {
    const Slider a{general[k]}, b{isotropic[k]};
    for (int i = 0; i < 200; ++i) {
      const Vec2 c = random.decades(-3, 9) * random.direction();
      const Motion q = about(c.x(), c.y(), random.uniform(-1, 1));
      EXPECT_LE((load(a, q).load.vector() - load(b, q).load.vector()).norm(), 1e-12)
          << k << text(c);
    }
    for (const double beside : {0.0, 1e-12, 1e-6}) {  // on the rim of the round ones
      const Support& s = isotropic[k];
      const Motion q = about(s.at.x() + s.radius + beside, s.at.y());
      EXPECT_LE((load(a, q).load.vector() - load(b, q).load.vector()).norm(), 1e-11) << k;
    }
  }
}

TEST(AreaLaws, LoadIsTheGradientOfThePowerAndItsDerivativeTheSecond) {
  Random random(6);
  for (const LimitCurve& c : curves())
    for (const Support& support : shapes(c)) {
      const Slider slider{support};
      for (int i = 0; i < 6; ++i) {
        const Vec3 q = random.direction3();
        const PowerDerivatives at = power_derivatives(slider, Motion::of(q));
        EXPECT_NEAR(at.power, at.load.dot(q), 1e-14);
        EXPECT_LE((at.hessian - at.hessian.transpose()).norm(), 1e-12 * at.hessian.norm());
        EXPECT_LE((at.hessian * q).norm(), 1e-6 * (1 + at.hessian.norm()))
            << static_cast<int>(support.shape);
        EXPECT_LE((at.load - load(slider, Motion::of(q)).load.vector()).norm(), 1e-15);
        EXPECT_NEAR(at.power, power_derivatives(slider, Motion::of(3 * q)).power / 3, 1e-13);
        for (int k = 0; k < 3; ++k) {
          const double h = 1e-5;
          const Vec3 step = h * Vec3::Unit(k);
          const PowerDerivatives up = power_derivatives(slider, Motion::of(q + step)),
                                 down = power_derivatives(slider, Motion::of(q - step));
          EXPECT_NEAR(at.load[k], (up.power - down.power) / (2 * h),
                      3e-7 * (1 + at.hessian.norm()));
          // On lines the load of a law with flats has kinks, which differences straddle.
          const bool flat_law = c.shape() != LimitCurve::Shape::ellipse;
          const bool line =
              support.shape == Support::Shape::segment || support.shape == Support::Shape::ring;
          if (!(line && flat_law) && at.hessian.norm() < 100) {
            EXPECT_LE((at.hessian.col(k) - (up.load - down.load) / (2 * h)).norm(),
                      2e-3 * (1 + at.hessian.norm()))
                << static_cast<int>(support.shape);
          }
        }
        // Maximum power: no other load of the surface gives more.
        const Vec3 other = load(slider, Motion::of(random.direction3())).load.vector();
        EXPECT_LE(other.dot(q), at.power + 1e-12);
      }
    }
}

// A turned body turns its loads; a larger one scales its moments.
TEST(AreaLaws, UnitsDoNotMatter) {
  Random random(7);
  const double s = 0x1p-20;
  for (const LimitCurve& c : curves()) {
    const std::vector<Vec2> v{{-1, -0.5}, {1, -0.5}, {0.5, 0.5}, {-0.2, 0}, {-1, 0.8}};
    std::vector<Vec2> small;
    for (const Vec2& p : v) small.push_back(s * p);
    const Slider large{polygon_support(v, {}, 1, c), disc_support({1, 2}, 0.5, 1, c)};
    const Slider tiny{polygon_support(small, {}, 1, c), disc_support({s, 2 * s}, 0.5 * s, 1, c)};
    for (int i = 0; i < 20; ++i) {
      const Vec3 q = random.direction3();
      const Vec3 a = load(large, Motion::of(q)).load.vector(),
                 b = load(tiny, {q[0], q[1], q[2] / s}).load.vector();
      EXPECT_LE((a - Vec3(b[0], b[1], b[2] / s)).norm(), 1e-14);
    }
  }
}

// Wheels that roll along a ring turn freely about its centre, and resist as discs do when it moves
// along: the mean of |cos| over the ring is 2/π.
TEST(AreaLaws, ATangentialRingOfWheelsTurnsFreely) {
  const Slider slider{ring({0, 0}, 2, 1, wheel(0.5, Direction::degrees(0)), true)};
  EXPECT_NEAR(load(slider, {1, 0, 0}).power, 0.5 * 2 / pi, 1e-14);
  const LoadSet turning = load(slider, {0, 0, 1});
  EXPECT_EQ(turning.power, 0);
  // Every wheel may push either way along its axle: a disc of radius μ·2/π.
  ASSERT_EQ(turning.terms.size(), 1U);
  EXPECT_EQ(turning.terms[0].kind, FaceTerm::Kind::ellipse);
  EXPECT_NEAR(turning.terms[0].points[0].x(), 1 / pi, 1e-15);
  // Across: skates along the radius resist turning and nothing else changes.
  const Slider across{ring({0, 0}, 2, 1, wheel(0.5, Direction::degrees(90)), true)};
  EXPECT_NEAR(load(across, {0, 0, 1}).load.moment, 1, 1e-14);
  EXPECT_TRUE(load(across, {0, 0, 1}).unique);
}

// Ratchets along a ring that turns freely and drifts by a little δ along s: each is dragged across,
// the force μ sign(s·n) n, whose mean is 2μ/π along s.  Below rounding of the turn any share of it.
TEST(AreaLaws, ATangentialRingOfRatchetsIsDraggedAcrossAsItTurns) {
  const Slider slider{ring({0, 0}, 1, 1, ratchet(0.7, 0.0), true)};
  for (int decade = -4; decade >= -18; --decade)
    for (const double angle : {0.0, 0.4, 2.0, -1.5}) {
      const Vec2 along(std::cos(angle), std::sin(angle)), s = std::pow(10.0, decade) * along;
      const PowerDerivatives at = power_derivatives(slider, {s.x(), s.y(), 1});
      const Vec2 force = at.load.head<2>() * (pi / (2 * 0.7));
      if (decade >= -12) {
        EXPECT_LE((force - along).norm(), decade == -12 ? 1e-3 : 1e-4) << decade;
      }
      EXPECT_LE(force.norm(), 1 + 1e-9);
      EXPECT_GE(force.dot(along), -1e-9);
    }
}

// Without turning every place slips alike: the force of a point at the centre of pressure.
TEST(AreaLaws, TranslationIsThatOfAPointAtTheCentreOfPressure) {
  Random random(8);
  for (const LimitCurve& c : curves())
    for (const Support& support : shapes(c)) {
      if (support.tangential) continue;
      const Slider slider{support};
      const Slider one{point(slider.centre_of_pressure(), support.normal_force, c)};
      for (int i = 0; i < 20; ++i) {
        const Vec2 v = random.decades(-9, 9) * random.direction();
        const LoadSet a = load(slider, {v.x(), v.y(), 0}), b = load(one, {v.x(), v.y(), 0});
        EXPECT_LE((a.load.vector() - b.load.vector()).norm(), 1e-14 * support.normal_force);
        EXPECT_NEAR(a.power, b.power, 1e-14 * support.normal_force * v.norm());
        // ω so small that slips do not show it.
        const LoadSet turning = load(slider, {v.x(), v.y(), 1e-18 * v.norm()});
        EXPECT_LE((turning.load.vector() - b.load.vector()).norm(), 1e-14 * support.normal_force);
      }
      for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0})
        EXPECT_TRUE(
            power_derivatives(slider, {std::cos(angle), std::sin(angle), 0}).hessian.allFinite());
    }
}

// Wheels with their axles along x on a unit disc: +1 below the line y = t of no slip, −1 above, so
// F = 2·(share below) − 1 and M = −2 ∫_{below} y, whose values are elementary for each pressure.
TEST(AreaLaws, WheelsOnRoundSupportsCountTheTwoSidesOfALine) {
  const LimitCurve c = wheel(1, Direction::degrees(90));
  for (const double t : {0.0, 1e-9, 0.3, -0.7, 0.95, 0.999999, 1.0, 1.5})
    for (const double x : {0.0, 0.4, -3.0, 1e5}) {
      const double s = std::clamp(t, -1.0, 1.0), k = std::sqrt((1 - s) * (1 + s)), a = std::asin(s);
      const auto expect = [&](const Support& support, double force, double moment) {
        const Load p = load(Slider{support}, about(x, t)).load;
        EXPECT_NEAR(p.fx, force, 1e-13) << t << " " << x;
        EXPECT_EQ(p.fy, 0);
        EXPECT_NEAR(p.moment, moment, 1e-13) << t << " " << x;
      };
      expect(disc_support({0, 0}, 1, 1, c), 2 * (a + s * k) / pi, 4 * k * k * k / (3 * pi));
      expect(disc_support({0, 0}, 1, 1, c, Support::Pressure::hertz), 1.5 * (s - s * s * s / 3),
             0.375 * k * k * k * k);
      expect(disc_support({0, 0}, 1, 1, c, Support::Pressure::boussinesq), s, 0.5 * k * k);
      expect(ring({0, 0}, 1, 1, c), 2 * a / pi, 2 * k / pi);
    }
}

// Where an arc ends at a vertex both answer the slip along the arc's normal there, f with h = f·v:
// every place carries it once, and the power of a translation is N h(v).
TEST(AreaLaws, TranslationAlongTheEndOfAnArcIsCountedOnce) {
  for (const LimitCurve& c : curves()) {
    if (!c.has_arcs()) continue;
    for (const LimitCurve::Piece& piece : c.pieces()) {
      const Vec2 v = c.ellipse().normal(piece.from);
      for (const Support& support :
           {segment({0, 0}, {1, 0.4}, 2, c),
            polygon_support({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}, 2, c),
            disc_support({1, 0}, 1, 2, c), ring({1, 0}, 1, 2, c), annulus({1, 0}, 1, 0.5, 2, c),
            grid({0, 0}, 0.5, Eigen::MatrixXd::Constant(2, 4, 1.0), c)}) {
        const Slider slider{support};
        const Motion translation{v.x(), v.y(), 0};
        const double expected = 2 * c.support(v);
        EXPECT_NEAR(load(slider, translation).power, expected, 1e-14);
        EXPECT_NEAR(power_derivatives(slider, translation).power, expected, 1e-14);
      }
    }
  }
}

// All places slip alike: the force that the law answers, at the centre of pressure, whatever the
// support; and next to it the load of a very slow turn.
TEST(LoadOfAnArea, OfATranslationIsTheLawsForceAtTheCentreOfPressure) {
  const Eigen::MatrixXd pressures = Eigen::MatrixXd::Random(7, 9).cwiseAbs();
  for (const LimitCurve& curve :
       {disc(0.5), ellipse(0.5, 0.2, 0.3), box(0.5), rusty_wheel(0.5, 0.2, 0.4), ratchet(0.5, 1.0)})
    for (const Support& support :
         {grid({1, 2}, 0.1, pressures, curve), annulus({1, -1}, 1, 0.5, 2, curve),
          polygon_support({{0, 0}, {2, 0}, {0, 1}}, {}, 3, curve),
          disc_support({-1, 0}, 0.5, 1, curve, Support::Pressure::hertz)}) {
      const Slider slider{support};
      const Vec2 slip(0.6, 0.8), force = support.normal_force * curve.face(slip).first;
      const LoadSet set = load(slider, {slip.x(), slip.y(), 0});
      EXPECT_TRUE(set.unique);
      EXPECT_NEAR(set.load.fx, force.x(), 1e-15 * support.normal_force);
      EXPECT_NEAR(set.load.fy, force.y(), 1e-15 * support.normal_force);
      EXPECT_NEAR(set.load.moment, cross(slider.centre_of_pressure(), force),
                  1e-14 * support.normal_force);
      EXPECT_NEAR(set.power, force.dot(slip), 1e-14 * support.normal_force);
      const LoadSet slow = load(slider, {slip.x(), slip.y(), 1e-12});
      EXPECT_LE((slow.load.vector() - set.load.vector()).norm(), 1e-11 * support.normal_force);
    }
}

}  // namespace
}  // namespace stiction::testing
