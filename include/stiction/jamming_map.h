// SPDX-License-Identifier: Apache-2.0
//
// Where a mechanism is in danger of jamming: the two coefficients of one contact while one or two
// coordinates run over a grid.
//
//   μ_crit   from it on friction can hold the contact
//   μ_jam    from it on some slips jam: the least over the map is the least dangerous coefficient
#pragma once

#include <optional>

#include "stiction/multibody.h"
#include "stiction/progress.h"

namespace stiction {

// One coordinate over evenly spaced values, both ends among them.
struct Sweep {
  std::string name;    // of the joint, for people
  int coordinate = 0;  // its place in a configuration
  double from = 0, to = 0;
  int count = 1;  // 1: `from` alone

  double at(int i) const {
    return count == 1 ? from : i == count - 1 ? to : from + (to - from) * i / (count - 1);
  }
};

// "elbow=-1:1:50", or "wrist.1=…" for the second coordinate of a joint with several.  Throws
// InvalidInput where it is not of this form, there is no such joint, or the coordinate is part of a
// quaternion; `what` is what its message calls the text.
Sweep parse_sweep(const std::string& text, const MultibodyModel& model,
                  const std::string& what = "sweep");

struct MapPoint {
  double mu = 0;
  std::vector<double> at;  // values of the swept coordinates
};

struct JammingMap {
  std::vector<Sweep> sweeps;
  // One a cell, the last sweep running fastest.  μ_jam is infinite where nothing jams; both are NaN
  // where there is no answer: a loop does not close, or the work was stopped before.  Where the
  // contact can move without moving mass they are limits, see DelassusLimit.
  std::vector<double> mu_crit, mu_jam;
  std::size_t without_answer = 0, jamming = 0;  // cells; jamming: under `curve`

  // The least μ_jam, and the greatest μ_crit, over the ranges: the best cell, then polished between
  // its neighbours.  None where no cell has one.
  std::optional<MapPoint> least_jam, greatest_crit;
};

struct MapOptions {
  std::optional<LimitCurve> curve = {};  // whose jamming cells are counted
  int threads = 0;                       // 0: all of the machine
  Progress progress = {};                // from one thread at a time
};

// One or two sweeps, the other coordinates as in q; where the mechanism has loops all others follow
// the swept ones, from where q closes them on.  Throws InvalidInput for other numbers of sweeps, or
// more than ten million cells.
JammingMap jamming_map(const Mechanism& mechanism, const ContactPoint& contact,
                       const Eigen::VectorXd& q, const std::vector<Sweep>& sweeps,
                       const MapOptions& options = {});

}  // namespace stiction
