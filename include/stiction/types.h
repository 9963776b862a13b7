// SPDX-License-Identifier: Apache-2.0
//
// The words every room shares: plane and space vectors, directions, the rounding rule, the error.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <stdexcept>
#include <string>

namespace stiction {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Rows2 = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;  // a batch, one row each
using Rows3 = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

// Two quantities count as equal when they differ by at most this fraction of the terms they were
// summed from: eight units of rounding.  It decides whether a slip is normal to a flat, a force is
// on the boundary, a support does not slip.  It is the only tolerance of the geometry.
inline constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Wrong input, refused at the boundary.  The message is one line that names what was given and what
// was expected.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A direction in the plane, kept as its unit vector so that right angles stay exact.
class Direction {
 public:
  Direction(double radians);  // NOLINT(google-explicit-constructor): an angle is a direction
  static Direction degrees(double degrees);                 // exact at multiples of 90°
  static Direction turn(long numerator, long denominator);  // numerator/denominator of a full turn
  static Direction along(const Vec2& vector);  // throws InvalidInput for zero or non-finite

  const Vec2& unit() const { return unit_; }
  Direction left() const { return Direction(Vec2(-unit_.y(), unit_.x())); }  // turned by +90°

 private:
  explicit Direction(Vec2 unit) : unit_(std::move(unit)) {}
  Vec2 unit_;
};

inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// The angle of a vector in degrees, in [0, 360); rounding just below 360 becomes 0.
double angle_degrees(const Vec2& vector);

// A number as it is shown in messages: the shortest decimal that reads back to the same double.
std::string text(double value);
std::string text(const Vec2& vector);  // "(1, -0.5)"

}  // namespace stiction
