// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_points.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "base/part_of.h"
#include "slider/surface/structure.h"
#include "stiction/slider_motion.h"

namespace stiction {

namespace {

// Loads of translations all around; those that are not unique say nothing of the others.
struct Translations {
  std::vector<Load> loads;
  double largest = 0;                                // force
  double least_power = infinity, largest_power = 0;  // at unit speed
  bool stopped = false;                              // before there were all
};
Translations translations(const Slider& slider, const Progress& progress) {
  Translations result;
  constexpr int count = 90;
  for (int k = 0; k < count; ++k) {
    result.stopped = progress && !progress(static_cast<double>(k) / count);
    if (result.stopped) return result;
    const double angle = 2 * std::numbers::pi * (k + 0.1234) / count;
    const LoadSet set = load(slider, {std::cos(angle), std::sin(angle), 0});
    result.least_power = std::min(result.least_power, set.power);
    result.largest_power = std::max(result.largest_power, set.power);
    if (!set.unique) continue;
    result.loads.push_back(set.load);
    result.largest = std::max(result.largest, std::hypot(set.load.fx, set.load.fy));
  }
  return result;
}

// The place r with M = r × F of every load, about O; M' = 0 is what is left beside r.
OrReason<Vec2> common_place(const Slider& slider, const Translations& all) {
  if (all.stopped) return {.value = {}, .reason = stopped};
  if (!(all.largest > 0)) return {.value = {}, .reason = "translations meet no resistance"};
  // Σ (M − r×F)², from the centre of pressure for the sake of digits.
  const Vec2 c = slider.centre_of_pressure();
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
  Vec2 b = Vec2::Zero();
  for (const Load& p : all.loads) {
    const Vec2 arm = Vec2(p.fy, -p.fx) / all.largest;  // r×F = arm·r
    const double moment = (p.moment - cross(c, Vec2(p.fx, p.fy))) / all.largest;
    A += arm * arm.transpose();
    b += arm * moment;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(A);
  if (eigen.eigenvalues()[0] <= 1e-12 * eigen.eigenvalues()[1])
    return {.value = {}, .reason = "loads of translations are parallel: any place of a line"};
  const Vec2 r = A.ldlt().solve(b);
  const double size = slider.reach() + c.norm() + r.norm();
  for (const Load& p : all.loads) {
    const Vec2 F(p.fx, p.fy);
    if (std::abs(p.moment - cross(c, F) - cross(r, F)) > 1e-10 * all.largest * size)
      return {.value = {}, .reason = "loads of translations do not meet in one place"};
  }
  return {.value = c + r + slider.body().reference, .reason = ""};
}

OrReason<double> common_force(const Translations& all) {
  if (all.stopped) return {.value = {}, .reason = stopped};
  // What resists along the way; a box has the same force for every direction of a quadrant.
  if (all.largest_power - all.least_power > 1e-10 * all.largest_power)
    return {.value = {}, .reason = "the force of a translation depends on its direction"};
  return {.value = all.largest_power, .reason = ""};
}

}  // namespace

SliderPoints slider_points(const Slider& slider, const Progress& progress) {
  SliderPoints points;
  points.centre_of_mass = {.value = slider.body().centre_of_mass,
                           .reason = slider.body().centre_of_mass ? "" : "not given"};
  points.centre_of_pressure.value = slider.centre_of_pressure() + slider.body().reference;
  const Translations all = translations(slider, part_of(progress, 0, 0.2));
  points.centre_of_friction = common_place(slider, all);
  points.translation_force = common_force(all);

  // The least of M_c over all centres is the least power with ω = 1: the motion of a pure moment.
  const double size = slider.normal_force() * slider.length_scale();
  MotionSet twist;
  try {
    if (all.stopped) throw Stopped(stopped);
    twist = motion(slider, {.fx = 0, .fy = 0, .moment = size}, part_of(progress, 0.2, 0.3));
  } catch (const Stopped&) {
    for (std::string* reason : {&points.centre_of_twist.reason, &points.twist_moment.reason,
                                &points.facets.reason, &points.vertices.reason})
      *reason = stopped;
    return points;
  }
  points.twist_moment.value = twist.gauge == infinity ? 0 : size / twist.gauge;
  if (twist.gauge == infinity)
    points.centre_of_twist.reason = "turning about some place meets no resistance";
  else if (!twist.unique)
    points.centre_of_twist.reason = "turning about any place of a stretch needs the same moment";
  else
    points.centre_of_twist.value = twist.rotation_centre;

  const Structure structure = surface_structure(slider, part_of(progress, 0.3, 1));
  points.facets = structure.facets;
  points.vertices = structure.vertices;
  return points;
}

}  // namespace stiction
