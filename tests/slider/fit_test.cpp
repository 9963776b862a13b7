// SPDX-License-Identifier: Apache-2.0
//
// Fits of the limit surface: on the surface where it is an ellipsoid, convex, their error honest.
#include "stiction/slider_fit.h"

#include <gtest/gtest.h>

#include "slider/quartic.h"
#include "stiction/slider_motion.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

// Six points are far from an ellipsoid; no point of the surface is farther off than `max_error`.
TEST(Fit, NoPointIsFartherThanTheLargestError) {
  Random random(1);
  const Slider slider({point({0, 1}, 1, disc(0.5)), point({1, -0.5}, 2, disc(0.5)),
                       point({-1, -0.5}, 1.5, disc(0.5))});
  for (const auto model : {SurfaceFit::Model::ellipsoid, SurfaceFit::Model::quartic}) {
    const SurfaceFit f = fit(slider, model);
    const double degree = model == SurfaceFit::Model::ellipsoid ? 2 : 4;
    const auto error = [&](const Load& p) {
      return std::abs(std::pow(f.value(p), -1 / degree) - 1);
    };
    for (int k = 0; k < 3000; ++k) {
      const Load p = load(slider, Motion::of(random.direction3())).load;
      EXPECT_LE(error(p), f.max_error * (1 + 1e-6));
      const Vec3 direction = random.direction3();
      const double gauge = motion(slider, Load::of(direction)).gauge;
      EXPECT_LE(error(Load::of(direction / gauge)), f.max_error * (1 + 1e-6));
    }
    EXPECT_GT(f.convexity, 0);
    EXPECT_GT(f.max_error, 0.01);
    EXPECT_LT(f.max_error, 0.4);
  }
  EXPECT_LT(fit(slider, SurfaceFit::Model::quartic).max_error,
            fit(slider, SurfaceFit::Model::ellipsoid).max_error);
}

// The model's motion is the gradient of its value.
TEST(Fit, MotionIsTheNormalOfTheModel) {
  Random random(2);
  const Slider slider({point({0, 1}, 1, disc(0.5)), point({1, -0.5}, 2, disc(0.5)),
                       point({-1, -0.5}, 1.5, disc(0.5))});
  const SurfaceFit f = fit(slider, SurfaceFit::Model::quartic, 300);
  for (int k = 0; k < 20; ++k) {
    const Vec3 p = random.direction3(), normal = f.motion(Load::of(p)).vector();
    for (int i = 0; i < 3; ++i) {
      const Vec3 step = 1e-6 * Vec3::Unit(i);
      EXPECT_NEAR(normal[i], (f.value(Load::of(p + step)) - f.value(Load::of(p - step))) / 2e-6,
                  1e-7 * normal.norm());
    }
  }
}

// The same body in other units has the same error, and coefficients of those units.
TEST(Fit, DoesNotDependOnUnits) {
  const auto body = [](double metre, double newton) {
    return Slider({point(metre * Vec2(0, 1), newton, disc(0.5)),
                   point(metre * Vec2(1, -0.5), 2 * newton, disc(0.5)),
                   point(metre * Vec2(-1, -0.5), 1.5 * newton, disc(0.5))});
  };
  const SurfaceFit si = fit(body(1, 1), SurfaceFit::Model::quartic, 300);
  const SurfaceFit other = fit(body(1e-6, 1e3), SurfaceFit::Model::quartic, 300);
  EXPECT_NEAR(other.max_error, si.max_error, 1e-5 * si.max_error);
  const Load p{0.3e3, 0.4e3, 0.2e-3};
  EXPECT_NEAR(other.value(p), si.value({0.3, 0.4, 0.2}), 1e-5 * other.value(p));
}

// Sliders of few supports have flats and corners that a free quartic follows too far: the
// dumbbell's alone is not convex.  Here along every chord between points of the model's own
// surface.
TEST(Fit, QuarticsAreConvex) {
  Random random(3);
  for (int i = 0; i < 6; ++i) {
    std::vector<Support> supports;
    for (int k = 0; k < 2 + i % 3; ++k)
      supports.push_back(
          point(random.direction(), random.uniform(0.1, 2),
                i % 2 == 0 ? disc(0.5) : rusty_wheel(0.5, 0.1, random.uniform(0, 3))));
    const SurfaceFit f = fit(Slider(supports), SurfaceFit::Model::quartic, 300);
    EXPECT_GT(f.convexity, 0);
    const auto on_surface = [&] {
      const Vec3 d = random.direction3();
      return Vec3(d / std::pow(f.value(Load::of(d)), 0.25));
    };
    for (int k = 0; k < 2000; ++k) {
      const Vec3 a = on_surface(),
                 b = k % 2 == 0 ? on_surface() : Vec3(a + 1e-2 * random.direction3());
      const double middle = f.value(Load::of(0.5 * (a + b)));
      EXPECT_LE(middle, 0.5 * (f.value(Load::of(a)) + f.value(Load::of(b))) + 1e-14);
    }
  }
}

// (x² + y² + z²)²: eigenvalues 4 and 12.  x⁴ + y⁴ + z⁴ is convex without margin, x²y² is not
// convex; the sum x⁴ + y⁴ + a x²y² + z⁴ + x²z² + y²z² is to a = 6 and not beyond (the Hessian at
// (1, ±1, 0): 12 + 2a ± 4a on the plane).
TEST(Quartic, ProvesConvexityWhereThereIsSome) {
  const auto of = [](double a, double cross, double ends = 1) {
    Quartic::Coefficients c;
    c << ends, 0, 0, a, 0, cross, 0, 0, 0, 0, ends, 0, cross, 0, ends;
    return Quartic(c).convexity();
  };
  const Quartic::Convexity ball = of(2, 2);
  EXPECT_TRUE(ball.proven);
  EXPECT_GT(ball.least, 0);
  EXPECT_LE(ball.least, 4);
  EXPECT_GE(ball.greatest, 12);
  EXPECT_FALSE(of(0, 0).proven);
  EXPECT_FALSE(of(1, 0, 0).proven);
  EXPECT_TRUE(of(5.7, 1).proven);
  EXPECT_FALSE(of(6.01, 1).proven);
  EXPECT_FALSE(of(-0.5, -0.5).proven);
}

TEST(Quartic, SubstitutesAndDifferentiates) {
  Random random(4);
  const auto value = [](const Quartic::Coefficients& c, const Vec3& x) {
    double sum = 0;
    int m = 0;
    for (int i = 4; i >= 0; --i)
      for (int j = 4 - i; j >= 0; --j)
        sum += c[m++] * std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], 4 - i - j);
    return sum;
  };
  for (int round = 0; round < 50; ++round) {
    Quartic::Coefficients c;
    for (int k = 0; k < 15; ++k) c[k] = random.uniform(-1, 1);
    Eigen::Matrix3d A;
    for (int k = 0; k < 9; ++k) A(k / 3, k % 3) = random.uniform(-1, 1);
    const Quartic p(c);
    const Vec3 x = random.direction3();
    EXPECT_NEAR(value(p.coefficients(), x), value(c, x), 1e-14);
    EXPECT_NEAR(value(p.substituted(A).coefficients(), x), value(c, A * x), 1e-12);
    for (int i = 0; i < 3; ++i) {
      const Vec3 h = 1e-3 * Vec3::Unit(i);
      EXPECT_NEAR(p.hessian(x)(i, i), (value(c, x + h) - 2 * value(c, x) + value(c, x - h)) / 1e-6,
                  1e-4);
    }
    EXPECT_NEAR(x.dot(p.hessian(x) * x), 12 * value(c, x), 1e-12);
  }
}

TEST(Fit, RefusesASurfaceWithoutVolume) {
  const Slider cart({point({0, 1}, 1, wheel(0.8, 0.0)), point({0, -1}, 1, wheel(0.8, 0.0))});
  EXPECT_THROW(fit(cart, SurfaceFit::Model::ellipsoid), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
