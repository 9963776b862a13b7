// SPDX-License-Identifier: Apache-2.0
#include "stiction/free_bodies.h"

#include <Eigen/Geometry>
#include <cmath>

namespace stiction {

namespace {

using Eigen::Matrix3d;

void require_positive(double value, const char* what) {
  if (!std::isfinite(value) || value <= 0)
    throw InvalidInput(std::string(what) + " is " + text(value) + ", expected a finite number > 0");
  if (value < 1e-60 || value > 1e60)  // inertias and their inverses are numbers
    throw InvalidInput(std::string(what) + " is " + text(value) +
                       ", expected a number from 1e-60 to 1e60");
}

void require_not_negative(double value, const char* what) {
  if (!std::isfinite(value) || value < 0)
    throw InvalidInput(std::string(what) + " is " + text(value) + ", expected a finite number ≥ 0");
  if (value != 0) require_positive(value, what);
}

Matrix3d cross_matrix(const Vec3& r) {
  Matrix3d m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

// Of a mass at d from where the inertia is taken about.
Matrix3d steiner(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

}  // namespace

Matrix3d delassus(const FreeBody& body) {
  const Matrix3d r = cross_matrix(body.to_contact);
  const Matrix3d W = Matrix3d::Identity() / body.mass - r * body.inertia_inverse * r;
  return 0.5 * (W + W.transpose());
}

double normal_acceleration(const FreeBody& body, const Vec3& w, double gravity) {
  const Vec3 spin = -body.inertia_inverse * w.cross(body.inertia * w);
  const double found =
      -gravity + (w.cross(w.cross(body.to_contact)) + spin.cross(body.to_contact)).z();
  if (!std::isfinite(found))
    throw InvalidInput("angular_velocity is (" + text(w.x()) + ", " + text(w.y()) + ", " +
                       text(w.z()) + "), expected one whose accelerations are finite");
  return found;
}

FreeBody rod(const Direction& angle, double mass, double half_length) {
  require_positive(mass, "mass");
  require_positive(half_length, "half length");
  FreeBody body;
  body.mass = mass;
  const Vec3 along(-angle.unit().x(), 0, angle.unit().y());
  const Matrix3d across = Matrix3d::Identity() - along * along.transpose();
  const double moment = mass * half_length * half_length / 3;
  body.inertia = moment * across;
  body.inertia_inverse = across / moment;
  body.to_contact = -half_length * along;
  return body;
}

Matrix3d rod_delassus(double angle_deg, double mass) {
  require_positive(mass, "mass");
  if (!(angle_deg >= 0 && angle_deg <= 180))
    throw InvalidInput("the rod's angle is " + text(angle_deg) +
                       ", expected degrees from 0 to 180");
  // 3 sin², 3 cos² and 3 sin cos of θ from the cosine and sine of 2θ.
  const Vec2 twice = Direction::degrees(2 * angle_deg).unit();
  Matrix3d W;
  W << (2.5 - 1.5 * twice.x()) / mass, 0, 1.5 * twice.y() / mass,  //
      0, 4 / mass, 0,                                              //
      1.5 * twice.y() / mass, 0, (2.5 + 1.5 * twice.x()) / mass;
  return W;
}

FreeBody box_on_edge(double length, double depth, double height, const Direction& tilt,
                     double mass) {
  require_positive(length, "length");
  require_positive(depth, "depth");
  require_positive(height, "height");
  require_positive(mass, "mass");
  FreeBody body;
  body.mass = mass;
  // The box's own axes: backwards along its bottom, across, and up its side.
  const double c = tilt.unit().x(), s = tilt.unit().y();
  Matrix3d axes;
  axes.col(0) = Vec3(-c, 0, s);
  axes.col(1) = Vec3(0, -1, 0);
  axes.col(2) = Vec3(s, 0, c);
  const Vec3 size(length, depth, height);
  Vec3 moments;
  for (int i = 0; i < 3; ++i) moments[i] = mass / 12 * (size.squaredNorm() - size[i] * size[i]);
  body.inertia = axes * moments.asDiagonal() * axes.transpose();
  body.inertia_inverse = axes * moments.cwiseInverse().asDiagonal() * axes.transpose();
  body.to_contact = -0.5 * (length * axes.col(0) + height * axes.col(2));
  return body;
}

FreeBody wheel_with_bar(double radius, double wheel_mass, double bar_length, double bar_mass,
                        const Direction& angle) {
  require_positive(radius, "radius");
  require_positive(wheel_mass, "wheel mass");
  require_positive(bar_length, "bar length");
  require_not_negative(bar_mass, "bar mass");
  FreeBody body;
  body.mass = wheel_mass + bar_mass;
  const Vec3 along(angle.unit().x(), 0, angle.unit().y()), bar = 0.5 * bar_length * along;
  const Vec3 centre = bar_mass / body.mass * bar;  // from the hub
  const Vec3 disc_moments =
      wheel_mass * radius * radius * Vec3(0.25, 0.5, 0.25);  // about t1, t2 and n
  body.inertia =
      Matrix3d(disc_moments.asDiagonal()) + steiner(wheel_mass, centre) +
      bar_mass * bar_length * bar_length / 12 * (Matrix3d::Identity() - along * along.transpose()) +
      steiner(bar_mass, bar - centre);
  body.inertia_inverse = body.inertia.inverse();
  body.to_contact = Vec3(0, 0, -radius) - centre;
  return body;
}

}  // namespace stiction
