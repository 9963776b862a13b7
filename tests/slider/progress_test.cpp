// SPDX-License-Identifier: Apache-2.0
//
// Long work that is stopped gives what it has reached, or says that there is nothing yet.
#include "stiction/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/moment_function.h"
#include "stiction/slider_fit.h"
#include "stiction/slider_identify.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_points.h"
#include "stiction/slider_push.h"
#include "stiction/slider_slide.h"
#include "stiction/slider_surface.h"
#include "support/stopper.h"

namespace stiction::testing {
namespace {

Slider tripod() {
  SliderBody body;
  body.mass = 1;
  body.inertia = 1;
  return Slider(
      {point({0, 1}, 1, disc(0.5)), point({-1, -1}, 2, disc(0.5)), point({1, -1}, 1, disc(0.5))},
      body);
}

TEST(Progress, AStoppedMeshIsCoarserAndSaysSo) {
  const SurfaceMesh whole = limit_surface(tripod());
  Stopper stopper{30};
  const SurfaceMesh part = limit_surface(tripod(), {.progress = stopper.function()});
  EXPECT_EQ(stopper.shares.size(), 30U);
  EXPECT_LT(part.triangles.size(), whole.triangles.size());
  EXPECT_GT(part.max_error, whole.max_error);
  EXPECT_LT(enclosed_volume(part), enclosed_volume(whole));  // inside the surface, as any mesh
}

// How often the search for points tells before this share of it.
int calls_before(const Slider& slider, double share) {
  Stopper never{1 << 20};
  slider_points(slider, never.function());
  return static_cast<int>(std::count_if(never.shares.begin(), never.shares.end(),
                                        [&](double each) { return each < share; }));
}

TEST(Progress, AStoppedSearchForFacetsHasNone) {
  const Slider boxes(
      {point({0, 1}, 1, box(0.5)), point({-1, -1}, 2, box(0.5)), point({1, -1}, 1, pyramid(0.5))});
  const SliderPoints whole = slider_points(boxes);
  ASSERT_TRUE(whole.facets.value);
  const int facets = calls_before(boxes, 0.475) + 5;  // after translations, twist and volume
  Stopper stopper{facets};
  const SliderPoints part = slider_points(boxes, stopper.function());
  EXPECT_EQ(stopper.shares.size(), static_cast<std::size_t>(facets));
  EXPECT_TRUE(std::is_sorted(stopper.shares.begin(), stopper.shares.end()));
  EXPECT_LT(stopper.shares.back(), 1);
  EXPECT_FALSE(part.facets.value);
  EXPECT_FALSE(part.vertices.value);
  EXPECT_EQ(part.facets.reason, "stopped before all were found");
  EXPECT_EQ(part.twist_moment.value, whole.twist_moment.value);
}

// Translations are 90 calls, then come the twist and the volume.
TEST(Progress, AStoppedSearchForPointsSaysWhatItHasNot) {
  const Slider three = tripod();
  const SliderPoints whole = slider_points(three);
  ASSERT_TRUE(whole.centre_of_friction.value);
  const int volume = calls_before(three, 0.3) + 1;
  EXPECT_GT(volume, 92);
  Stopper soon{40}, twisting{91}, later{volume};
  const SliderPoints first = slider_points(three, soon.function());
  EXPECT_EQ(soon.shares.size(), 40U);
  EXPECT_EQ(first.centre_of_pressure.value, whole.centre_of_pressure.value);
  EXPECT_FALSE(first.centre_of_friction.value || first.translation_force.value ||
               first.centre_of_twist.value || first.twist_moment.value || first.facets.value ||
               first.vertices.value);
  for (const std::string& reason : {first.centre_of_friction.reason, first.translation_force.reason,
                                    first.centre_of_twist.reason, first.twist_moment.reason,
                                    first.facets.reason, first.vertices.reason})
    EXPECT_EQ(reason, "stopped before all were found");
  const SliderPoints between = slider_points(three, twisting.function());
  EXPECT_EQ(between.centre_of_friction.value, whole.centre_of_friction.value);
  EXPECT_EQ(between.twist_moment.reason, "stopped before all were found");
  const SliderPoints second = slider_points(three, later.function());
  EXPECT_EQ(later.shares.size(), static_cast<std::size_t>(volume));
  EXPECT_TRUE(std::is_sorted(later.shares.begin(), later.shares.end()));
  EXPECT_EQ(second.centre_of_friction.value, whole.centre_of_friction.value);
  EXPECT_EQ(second.twist_moment.value, whole.twist_moment.value);
  EXPECT_EQ(second.facets.reason, "stopped before all were found");
  EXPECT_EQ(second.vertices.reason, "stopped before all were found");
}

// Before the finger's motion is known there is nothing to give; watching changes nothing.
TEST(Progress, AStoppedPushThrows) {
  const Finger finger{{-1, 0.2}, {1, 0}, 0.3, {1, 0}};
  Stopper never{1 << 20};
  const Push watched = push(tripod(), finger, never.function());
  EXPECT_EQ(watched.motion.vector(), push(tripod(), finger).motion.vector());
  EXPECT_TRUE(std::is_sorted(never.shares.begin(), never.shares.end()));
  EXPECT_LE(never.shares.back(), 1);
  for (std::size_t k = 1; k <= never.shares.size(); k += 7) {
    Stopper stopper{static_cast<int>(k)};
    EXPECT_THROW(push(tripod(), finger, stopper.function()), Stopped);
    EXPECT_EQ(stopper.shares.size(), k);
  }
}

// A grid is looked at coarsely first, which tells as well; watching changes nothing.
TEST(Progress, AStoppedMotionThrows) {
  Eigen::MatrixXd pressures(60, 60);
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j) pressures(i, j) = 1 + 0.3 * std::sin(i + 2.0 * j);
  const Slider area({grid({-1, -1}, 1.0 / 30, pressures, ellipse(0.5, 0.3))});
  const Load load{1, 0.4, 0.3};
  Stopper never{1 << 20};
  const MotionSet watched = motion(area, load, never.function());
  EXPECT_EQ(watched.motion.vector(), motion(area, load).motion.vector());
  EXPECT_GT(never.shares.size(), 5U);
  EXPECT_TRUE(std::is_sorted(never.shares.begin(), never.shares.end()));
  EXPECT_LT(never.shares.back(), 1);
  for (std::size_t k = 1; k <= never.shares.size(); ++k) {
    Stopper stopper{static_cast<int>(k)};
    EXPECT_THROW(motion(area, load, stopper.function()), Stopped);
    EXPECT_EQ(stopper.shares.size(), k);
  }
  Stopper floor{3};
  EXPECT_THROW(moment_floor(area, floor.function()), Stopped);
}

TEST(Progress, AStoppedThrowIsTheThrowUntilThen) {
  const Slide whole = slide(tripod(), {1, 0, 2});
  ASSERT_TRUE(whole.rests);
  Stopper stopper{20};
  SlideOptions options;
  options.progress = stopper.function();
  const Slide part = slide(tripod(), {1, 0, 2}, options);
  EXPECT_FALSE(part.rests);
  EXPECT_LE(part.steps, 20);
  EXPECT_LT(part.rest_pose.head<2>().norm(), whole.rest_pose.head<2>().norm());
  EXPECT_LT(part.energy_error, 1e-9);
  EXPECT_TRUE(std::is_sorted(stopper.shares.begin(), stopper.shares.end()));
}

TEST(Progress, AFitIsStoppedBeforeItsSamplesOrAfter) {
  Stopper soon{50};
  EXPECT_THROW(fit(tripod(), SurfaceFit::Kind::ellipsoid, 200, soon.function()), Stopped);
  Stopper late{203};
  const SurfaceFit part = fit(tripod(), SurfaceFit::Kind::ellipsoid, 200, late.function());
  const SurfaceFit whole = fit(tripod(), SurfaceFit::Kind::ellipsoid, 200);
  EXPECT_EQ(part.coefficients, whole.coefficients);
  EXPECT_LE(part.max_error, whole.max_error);
}

TEST(Progress, IdentificationStoppedGivesFewerSupports) {
  const std::vector<Support> candidates = tripod().supports();
  std::vector<MeasuredPush> pushes;
  for (int k = 0; k < 20; ++k) {
    const Motion q{std::cos(k), std::sin(k), 0.3 * k - 2};
    pushes.push_back({load(tripod(), q).load, q});
  }
  const Identified whole = identify(candidates, pushes, 1);
  EXPECT_LT(whole.misfit, 1e-12);
  Stopper late{22};  // the pushes, one round, and no second
  const Identified part = identify(candidates, pushes, 1, late.function());
  EXPECT_GT(part.misfit, 0.01);
  EXPECT_EQ((part.strengths.array() > 0).count(), 1);
  Stopper soon{5};
  EXPECT_THROW(identify(candidates, pushes, 1, soon.function()), Stopped);
}

}  // namespace
}  // namespace stiction::testing
