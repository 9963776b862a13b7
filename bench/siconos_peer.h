// SPDX-License-Identifier: Apache-2.0
//
// The peer: Siconos Numerics, each of its solvers in a process of its own so that one that hangs or
// crashes takes nothing with it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace stiction::bench {

struct PeerResult {
  std::string solver;
  double seconds = 0;  // best of the repetitions, the driver's call alone
  Eigen::VectorXd reactions;
};

// Runs every solver for the dimension on the problem in a Siconos text file, from r = 0.  Siconos
// stops on an estimate of its error: a solver whose answer is not accepted at `tolerance` is asked
// again for a tenth and a hundredth of it.  Returns the answers that were accepted within the
// limit.
std::vector<PeerResult> run_peer(const std::string& file, int dimension, int components,
                                 double tolerance, int repetitions, double limit_seconds,
                                 const std::function<bool(const Eigen::VectorXd&)>& accept);

}  // namespace stiction::bench
