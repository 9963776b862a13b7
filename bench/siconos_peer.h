// SPDX-License-Identifier: Apache-2.0
//
// The peer: Siconos Numerics, each of its solvers in a process of its own so that one that hangs or
// crashes takes nothing with it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace stiction::bench {

struct PeerResult {
  std::string solver;
  double seconds = 0;  // best of the repetitions, the driver's call alone
  Eigen::VectorXd reactions;
};

// Runs every solver for the dimension on the problem in a Siconos text file, from r = 0, to
// `tolerance` in Siconos's own error; those that return within the limit.
std::vector<PeerResult> run_peer(const std::string& file, int dimension, int components,
                                 double tolerance, int repetitions, double limit_seconds);

}  // namespace stiction::bench
