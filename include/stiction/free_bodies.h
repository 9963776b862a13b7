// SPDX-License-Identifier: Apache-2.0
//
// Single rigid bodies that touch the ground at one point, as examples of the generalized friction
// cone that need no model file.  Axes are those of the contact: t1 and t2 in the ground, n upwards.
//
//   W = 1/m − [r]× J⁻¹ [r]×      r from the centre of mass to the contact, J the inertia about it
//   b = n·(−g n + ω×(ω×r) − J⁻¹(ω×Jω) × r)     normal acceleration without contact force
#pragma once

#include "stiction/types.h"

namespace stiction {

inline constexpr double standard_gravity = 9.80665;  // [m/s²]

struct FreeBody {
  double mass = 1;                                            // [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();          // about the centre of mass  [kg m²]
  Eigen::Matrix3d inertia_inverse = Eigen::Matrix3d::Zero();  // zero along a thin rod
  Vec3 to_contact = Vec3::Zero();                             // r  [m]
};

// W in the order t1, t2, n.
Eigen::Matrix3d delassus(const FreeBody& body);
double normal_acceleration(const FreeBody& body, const Vec3& angular_velocity,
                           double gravity = standard_gravity);

// A thin uniform rod at the angle θ to the ground, its centre above and behind the tip as seen
// along t1: a slip along +t1 pushes the tip under it and can jam.
//   μ_crit = 3 tan θ/(1 + 4 tan² θ),  μ_jam = (tan² θ + 4)/(3 tan θ)
FreeBody rod(const Direction& angle, double mass = 1, double half_length = 1);
// Its W without trigonometry of θ itself: exact at multiples of 45°.
Eigen::Matrix3d rod_delassus(double angle_deg, double mass = 1);

// A uniform box that touches the ground with the middle of an edge along t2.  Its bottom face rises
// behind the edge, as seen along t1, by the angle `tilt`.
FreeBody box_on_edge(double length, double depth, double height, const Direction& tilt,
                     double mass = 1);

// A wheel, a uniform disc in the plane of t1 and n, with a thin bar fixed to its hub as a radius.
// The bar leaves the hub at `angle` from t1, counter-clockwise as seen from −t2.
FreeBody wheel_with_bar(double radius, double wheel_mass, double bar_length, double bar_mass,
                        const Direction& angle);

}  // namespace stiction
