// SPDX-License-Identifier: Apache-2.0
//
// Fits of the limit surface: on the surface where it is an ellipsoid, convex, their error honest.
#include "stiction/slider_fit.h"

#include <gtest/gtest.h>

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
    EXPECT_GE(f.convexity, 0);
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

TEST(Fit, RefusesASurfaceWithoutVolume) {
  const Slider cart({point({0, 1}, 1, wheel(0.8, 0.0)), point({0, -1}, 1, wheel(0.8, 0.0))});
  EXPECT_THROW(fit(cart, SurfaceFit::Model::ellipsoid), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
