// SPDX-License-Identifier: Apache-2.0
//
// Nearest points of T·K, the image of a friction cone, in the order t1, t2, n.
#pragma once

#include "stiction/generalized_cone.h"

namespace stiction {

// T has a positive determinant.
Vec3 nearest_in_image(const Eigen::Matrix3d& T, const Eigen::Matrix3d& inverse,
                      const LimitCurve& curve, const Vec3& x);

// T symmetric, positive semidefinite and singular: the nearest point of the closure.
Vec3 nearest_in_flat_image(const Eigen::Matrix3d& T, const LimitCurve& curve, const Vec3& x);

// The image of the cone over an ellipse.
PrincipalAxes principal_axes_of_image(const Eigen::Matrix3d& T, const Eigen::Matrix3d& inverse,
                                      const Ellipse& ellipse);

// max of y·T(−f, 1) over f in C
double image_support(const Eigen::Matrix3d& T, const LimitCurve& curve, const Vec3& y);

}  // namespace stiction
