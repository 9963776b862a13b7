// SPDX-License-Identifier: Apache-2.0
//
// The peer: Siconos Numerics, each of its solvers in a process of its own so that one that hangs or
// crashes takes nothing with it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stiction::bench {

// How often a call is repeated for its best time: at least `least` times and until `enough_seconds`
// were spent, but not again once that took `limit_seconds`, which also ends a call that lasts.
struct Repetitions {
  int least = 5;
  double enough_seconds = 0.002;
  double limit_seconds = 5;

  bool again(int done, double spent_seconds) const {
    return spent_seconds < limit_seconds && (done < least || spent_seconds < enough_seconds);
  }
};

struct PeerResult {
  double seconds = 0;  // best of the repetitions, the driver's call alone
  Eigen::VectorXd reactions;
};

// The settings that are tried, by name.
std::vector<std::string> peer_solvers(int dimension);

// Runs one of them on the problem in a Siconos text file, from r = 0.  Siconos stops on an estimate
// of its error: a solver whose answer is not accepted at `tolerance` is asked again for less, down
// to a millionth of it; only the call that was accepted is timed.  W is given in blocks and dense,
// and the faster counts.  Nothing if none was within the limit.
std::optional<PeerResult> run_peer(const std::string& solver, const std::string& file,
                                   int dimension, int components, double tolerance,
                                   const Repetitions& repetitions,
                                   const std::function<bool(const Eigen::VectorXd&)>& accept);

}  // namespace stiction::bench
