// SPDX-License-Identifier: Apache-2.0
//
// Every solution of one contact in 3-D whose limit curve is a disc or an ellipse, W being any
// matrix.
//
// Scaling the tangent plane makes the ellipse the unit disc: with T = (e_n, a t₁, b t₂) and r = T
// x, Tᵀu = TᵀWT x + Tᵀq is the same problem for x in the circular cone x_n ≥ ‖x_t‖.
//
//   stick   W r = −q cuts the cone in a point, a line, a plane or not at all: a convex set
//   slip    x = x_n (1, −e) and u_t = λ e, λ > 0, at an angle e = (cos θ, sin θ).  Across, m ⟂ e:
//             u_n   = q_n + x_n D = 0,    D = W_nn − W_nt e
//             m·u_t = q_m + x_n g = 0,    q_m = m·q_t,  g = m·(W_tn − W_tt e)
//           For q_n ≠ 0 the angles are the roots of G = q_m D − q_n g, at most four unless G is
//           zero everywhere, and x_n = −q_n/D.  For q_n = 0 they are those of D, and x_n = −q_m/g,
//           or anything where q_m and g vanish too.
//
// Both are treated without any division by a pivot of W, so that W may be singular.  What is zero
// is judged against the terms it was summed from, never against a size of W or q.
#pragma once

#include <vector>

#include "stiction/enumerate.h"
#include "stiction/limit_curve.h"

namespace stiction {

struct OneContactSolution {
  Vec3 reaction;
  Mode mode = Mode::open;
  int dimension = 0;  // of the continuum that the reaction lies inside
};

std::vector<OneContactSolution> every_solution(const Ellipse& curve, const Eigen::Matrix3d& W,
                                               const Vec3& q);

}  // namespace stiction
