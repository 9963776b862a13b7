// SPDX-License-Identifier: Apache-2.0
//
// Which supports explain what was measured?  Of candidates whose places and laws are given, the
// strengths w_i ≥ 0 for which the loads Σ w_i P_i(Q) of the measured motions Q come nearest to the
// measured loads: non-negative least squares, moments divided by a length.
#pragma once

#include <span>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

// A load on the ground and the motion it went with, both of and about one point.
struct MeasuredPush {
  Load load;
  Motion motion;
};

struct Identified {
  Eigen::VectorXd strengths;  // factors of the candidates' normal forces, zero or more
  double misfit = 0;          // root-mean-square of the residual over that of the loads   [-]
};

// Candidates' places are relative to the pushes' reference point.  Throws InvalidInput for no
// candidates, no pushes, or what is not finite.  Stopped before the candidates' loads are known it
// throws Stopped, after that it gives the best strengths so far.
Identified identify(const std::vector<Support>& candidates, std::span<const MeasuredPush> pushes,
                    double length_scale, const Progress& progress = {});

// x ≥ 0 with least ‖A x − b‖, by Lawson and Hanson's active set.
Eigen::VectorXd non_negative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                           const Progress& progress = {});

}  // namespace stiction
