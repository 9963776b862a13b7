// SPDX-License-Identifier: Apache-2.0
#include "stiction/types.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/plane.h"

namespace stiction {

namespace {

// The direction at `fraction` ∈ [0, 1] of an octant, placed into the octant it came from: the eight
// images of a point are then mirror images to the last bit, and 30°, 45° and 90° are exact.
Vec2 from_octant(double fraction, long octant) {
  double c = std::cos(fraction * (std::numbers::pi / 4)),
         s = std::sin(fraction * (std::numbers::pi / 4));
  if (fraction == 1) c = s = std::numbers::sqrt2 / 2;
  if (fraction == 2.0 / 3) s = 0.5;
  const std::array<Vec2, 8> images{Vec2(c, s),   Vec2(s, c),   Vec2(-s, c), Vec2(-c, s),
                                   Vec2(-c, -s), Vec2(-s, -c), Vec2(s, -c), Vec2(c, -s)};
  return images[static_cast<std::size_t>(octant)];
}

}  // namespace

Direction::Direction(double radians) : unit_(std::cos(radians), std::sin(radians)) {
  if (!std::isfinite(radians))
    throw InvalidInput("angle is " + text(radians) + ", expected a finite number");
}

Direction Direction::degrees(double degrees) {
  if (!std::isfinite(degrees))
    throw InvalidInput("angle is " + text(degrees) + ", expected a finite number");
  double turn = std::fmod(degrees, 360.0);  // exact
  if (turn < 0) turn += 360.0;
  if (turn >= 360.0) turn = 0;
  const long octant = static_cast<long>(turn / 45.0);
  const double rest = turn - 45.0 * static_cast<double>(octant);
  const double within = octant % 2 == 0 ? rest : 45.0 - rest;
  return Direction(from_octant(within / 45.0, octant));
}

Direction Direction::turn(long numerator, long denominator) {
  const long k = ((numerator % denominator) + denominator) % denominator;
  const long octant = 8 * k / denominator;
  const long rest = 8 * k - octant * denominator;  // in 1/(8·denominator) of a turn
  const long within = octant % 2 == 0 ? rest : denominator - rest;
  return Direction(
      from_octant(static_cast<double>(within) / static_cast<double>(denominator), octant));
}

Direction Direction::along(const Vec2& vector) {
  if (!vector.allFinite() || vector.isZero(0))
    throw InvalidInput("direction is " + text(vector) +
                       ", expected a finite vector other than zero");
  const Vec2 v = plane::scaled(vector).v;
  return Direction(Vec2(v / plane::norm(v)));
}

double angle_degrees(const Vec2& vector) {
  double angle = std::atan2(vector.y(), vector.x()) * (180.0 / std::numbers::pi);
  if (angle < 0) angle += 360.0;
  return angle > 360.0 * (1 - rounding) ? 0.0 : angle + 0.0;
}

std::string text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string text(const Vec2& vector) {
  return '(' + text(vector.x()) + ", " + text(vector.y()) + ')';
}

}  // namespace stiction
