// SPDX-License-Identifier: Apache-2.0
#include "stiction/moment_function.h"

#include <algorithm>

#include "slider/supports/support_load.h"
#include "stiction/slider_motion.h"

namespace stiction {

MomentAt moment_function(const Slider& slider, const Vec2& at) {
  const Vec2 c = at - slider.body().reference;
  LoadSet set = load(slider, {.vx = c.y(), .vy = -c.x(), .omega = 1});
  return {.moment = set.power,
          .force = {set.load.fx, set.load.fy},
          .smooth = set.unique,
          .terms = std::move(set.terms)};
}

// The least power with ω = 1 is that of a pure moment.
MomentFloor moment_floor(const Slider& slider, const Progress& progress) {
  const double size = slider.normal_force() * slider.length_scale();
  const MotionSet set = motion(slider, {.fx = 0, .fy = 0, .moment = size}, progress);
  MomentFloor floor;
  if (set.gauge == infinity) return floor;
  floor.moment = size / set.gauge;
  if (set.unique) {
    if (set.rotation_centre) floor.corners = {*set.rotation_centre};
    return floor;
  }
  for (const Motion& m : set.wedge) {
    if (!(m.omega * slider.length_scale() > rounding)) {
      floor.corners.clear();
      return floor;
    }
    floor.corners.push_back(Vec2(-m.vy, m.vx) / m.omega + slider.body().reference);
  }
  return floor;
}

std::vector<Vec2> moment_corners(const Slider& slider) {
  std::vector<Vec2> corners;
  for (const Support& support : slider.supports()) {
    const bool is_point = support.shape == Support::Shape::point;
    if (!(is_point || support.tangential) || support.normal_force == 0 ||
        support.curve.shape() == LimitCurve::Shape::point)
      continue;
    const Vec2 place = support.at + slider.body().reference;
    // A ring of wheels that all roll when it turns about its middle.
    if (!is_point && moment_function(slider, place).smooth) continue;
    if (std::find(corners.begin(), corners.end(), place) == corners.end()) corners.push_back(place);
  }
  return corners;
}

}  // namespace stiction
