// SPDX-License-Identifier: Apache-2.0
#include "stiction/jamming_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/team.h"
#include "stiction/law.h"

namespace stiction {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// One thread's way to answer cells.
class Cells {
 public:
  Cells(const Mechanism& mechanism, const ContactPoint& contact, const std::vector<Sweep>& sweeps)
      : state_(mechanism), contact_(contact), sweeps_(sweeps) {
    has_loops_ = !mechanism.model.loops().empty() || !mechanism.loops.empty();
    for (const Sweep& sweep : sweeps) held_.push_back(sweep.name);
  }

  // Closes the loops of q with the swept coordinates at `values`; false where that fails.
  bool move_to(const std::vector<double>& values, Eigen::VectorXd& q) {
    for (std::size_t k = 0; k < sweeps_.size(); ++k) q[sweeps_[k].coordinate] = values[k];
    if (!has_loops_) return true;
    try {
      q = close_loops(state_, q, held_);
    } catch (const InvalidInput&) {
      return false;
    }
    return true;
  }

  // Nothing where there is no answer.
  std::optional<DelassusLimit> delassus(const Eigen::VectorXd& q) {
    try {
      state_.at(q);
      return state_.delassus_limit(contact_);
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  }

 private:
  MechanismState state_;
  ContactPoint contact_;
  const std::vector<Sweep>& sweeps_;
  std::vector<std::string> held_;
  bool has_loops_ = false;
};

struct Coefficients {
  double crit = 0, jam = 0;
  bool jams = false;  // under the curve, if any
};

Coefficients coefficients(const DelassusLimit& W, const std::optional<LimitCurve>& curve) {
  if (!W.massless.isZero(0)) {
    const GeneralizedCone cone = generalized_cone(W, curve.value_or(disc(1)));
    return {cone.mu_crit, cone.mu_jam, cone.jam.has_value()};
  }
  const Eigen::Matrix3d& F = W.finite;
  return {mu_crit(F), mu_jam(F),
          curve && curve->support(Vec2(F(0, 2), F(1, 2))) > F(2, 2) * (1 + rounding)};
}

// A pattern search from the best cell: steps of a cell's width, halved when none is better.
void polish(Cells& cells, const std::vector<Sweep>& sweeps, Eigen::VectorXd q, bool least,
            MapPoint& best) {
  const auto value = [&](const std::vector<double>& at) {
    Eigen::VectorXd moved = q;
    if (!cells.move_to(at, moved)) return unknown;
    const auto W = cells.delassus(moved);
    if (!W) return unknown;
    q = moved;
    const Coefficients mu = coefficients(*W, std::nullopt);
    return least ? mu.jam : mu.crit;
  };
  std::vector<double> step, width;
  for (const Sweep& sweep : sweeps) {
    width.push_back(std::abs(sweep.to - sweep.from));
    step.push_back(sweep.count > 1 ? width.back() / (sweep.count - 1) : 0);
  }
  for (int halvings = 0; halvings < 30;) {
    bool better = false;
    for (std::size_t k = 0; k < sweeps.size(); ++k)
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> at = best.at;
        const auto [low, high] = std::minmax(sweeps[k].from, sweeps[k].to);
        at[k] = std::clamp(at[k] + sign * step[k], low, high);
        const double mu = value(at);
        if (least ? mu < best.mu : mu > best.mu) {
          best = {mu, at};
          better = true;
        }
      }
    if (better) continue;
    for (double& s : step) s /= 2;
    ++halvings;
  }
}

}  // namespace

Sweep parse_sweep(const std::string& text, const MultibodyModel& model, const std::string& what) {
  const auto wrong = [&] {
    return InvalidInput(what + " is '" + text + "', expected JOINT=FROM:TO:COUNT");
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) throw wrong();
  const std::size_t first = text.find(':', equals);
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) throw wrong();
  Sweep sweep;
  sweep.from = parse_number(text.substr(equals + 1, first - equals - 1), what + " FROM");
  sweep.to = parse_number(text.substr(first + 1, second - first - 1), what + " TO");
  const std::string count = text.substr(second + 1);
  const double number = parse_number(count, what + " COUNT");
  if (!(number >= 1 && number <= 1e7 && number == std::floor(number)))
    throw InvalidInput(what + " COUNT is " + count +
                       ", expected a whole number from 1 to 10000000");
  sweep.count = static_cast<int>(number);
  std::string name = text.substr(0, equals);
  int component = 0;
  const std::size_t dot = name.rfind('.');
  const auto exists = [&](const std::string& wanted) {
    return std::any_of(model.joints().begin(), model.joints().end(),
                       [&](const ModelJoint& joint) { return joint.name == wanted; });
  };
  const bool numbered = dot != std::string::npos && dot + 2 == name.size() &&
                        std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  if (numbered && !exists(name) && exists(name.substr(0, dot))) {
    component = name.back() - '0';
    name.erase(dot);
  }
  const ModelJoint& joint = model.joint(name);
  const bool quaternion = joint.nq != joint.nv && component + 4 >= joint.nq;
  if (component >= joint.nq || quaternion || (joint.nq > 1 && name.size() == equals))
    throw InvalidInput(what + ": joint '" + name + "' has " + std::to_string(joint.nq) +
                       " coordinates" +
                       (joint.nq == joint.nv ? "" : ", the last four of them a quaternion") +
                       "; expected one of the others as '" + name + ".0' and so on");
  sweep.name = name;
  sweep.coordinate = joint.q + component;
  return sweep;
}

namespace {

// Throws unless there are one or two sweeps, of no more than ten million cells.
void require_sweeps(const std::vector<Sweep>& sweeps) {
  if (sweeps.empty() || sweeps.size() > 2)
    throw InvalidInput("a map has " + std::to_string(sweeps.size()) +
                       " sweeps, expected one or two");
  if (sweeps.size() == 2 && sweeps[0].coordinate == sweeps[1].coordinate)
    throw InvalidInput("both sweeps are of '" + sweeps[0].name + "', expected two coordinates");
  const int rows = sweeps[0].count, columns = sweeps.size() == 2 ? sweeps[1].count : 1;
  if (static_cast<double>(rows) * columns > 1e7)
    throw InvalidInput("a map of " + std::to_string(rows) + " by " + std::to_string(columns) +
                       " cells, expected at most ten million");
}

class MapMaker {
 public:
  MapMaker(const Mechanism& mechanism, const ContactPoint& contact, const Eigen::VectorXd& q,
           const std::vector<Sweep>& sweeps, const MapOptions& options)
      : mechanism_(mechanism),
        contact_(contact),
        q_(q),
        sweeps_(sweeps),
        options_(options),
        rows_(sweeps[0].count),
        columns_(sweeps.size() == 2 ? sweeps[1].count : 1),
        has_loops_(!mechanism.model.loops().empty() || !mechanism.loops.empty()) {
    map_.sweeps = sweeps;
    map_.mu_crit.assign(cells(), unknown);
    map_.mu_jam.assign(cells(), unknown);
  }

  JammingMap make() {
    if (has_loops_) find_starts();
    fill();
    find_extremes();
    return std::move(map_);
  }

 private:
  std::size_t cells() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
  }
  std::vector<double> values(int i, int j) const {
    std::vector<double> at{sweeps_[0].at(i)};
    if (sweeps_.size() == 2) at.push_back(sweeps_[1].at(j));
    return at;
  }

  // Where each row starts: with loops, one after the other from the last that closed.
  void find_starts() {
    Cells walker(mechanism_, contact_, sweeps_);
    Eigen::VectorXd here = q_;
    for (int i = 0; i < rows_; ++i) {
      Eigen::VectorXd next = here;
      if (walker.move_to(values(i, 0), next)) here = next;
      starts_.push_back(here);
    }
  }

  // One sweep is cut into pieces, two into rows.
  void fill() {
    const int piece = columns_ == 1 ? 256 : 1;
    const int tasks = (rows_ + piece - 1) / piece;
    Team team(std::min(thread_count(options_.threads), tasks));
    for (int t = 0; t < team.threads(); ++t) workers_.emplace_back(mechanism_, contact_, sweeps_);
    std::vector<std::size_t> jamming(static_cast<std::size_t>(tasks), 0);
    std::mutex speaking;
    int done = 0;
    std::atomic<bool> stopped{false};
    team.each(tasks, [&](int task, int thread) {
      if (stopped) return;
      for (int i = task * piece; i < std::min(rows_, (task + 1) * piece); ++i)
        jamming[static_cast<std::size_t>(task)] +=
            fill_row(i, workers_[static_cast<std::size_t>(thread)]);
      if (options_.progress) {
        const std::lock_guard<std::mutex> lock(speaking);
        if (!stopped && !options_.progress(static_cast<double>(++done) / tasks)) stopped = true;
      }
    });
    for (const std::size_t count : jamming) map_.jamming += count;
  }

  // Returns how many of its cells jam under the curve.
  std::size_t fill_row(int i, Cells& worker) {
    std::size_t jamming = 0;
    Eigen::VectorXd here = has_loops_ ? starts_[static_cast<std::size_t>(i)] : q_;
    for (int j = 0; j < columns_; ++j) {
      Eigen::VectorXd next = here;
      if (!worker.move_to(values(i, j), next)) continue;
      here = next;
      const auto W = worker.delassus(here);
      if (!W) continue;
      const auto cell = static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) +
                        static_cast<std::size_t>(j);
      const Coefficients mu = coefficients(*W, options_.curve);
      map_.mu_crit[cell] = mu.crit;
      map_.mu_jam[cell] = mu.jam;
      if (options_.curve && mu.jams) ++jamming;
    }
    return jamming;
  }

  void find_extremes() {
    std::size_t least = cells(), greatest = cells();
    for (std::size_t c = 0; c < cells(); ++c) {
      const double jam = map_.mu_jam[c], crit = map_.mu_crit[c];
      if (std::isnan(jam)) {
        ++map_.without_answer;
        continue;
      }
      if (std::isfinite(jam) && (least == cells() || jam < map_.mu_jam[least])) least = c;
      if (greatest == cells() || crit > map_.mu_crit[greatest]) greatest = c;
    }
    map_.least_jam = extreme(least, true);
    map_.greatest_crit = extreme(greatest, false);
  }

  std::optional<MapPoint> extreme(std::size_t cell, bool is_least) {
    if (cell == cells()) return std::nullopt;
    const auto i = static_cast<int>(cell / static_cast<std::size_t>(columns_));
    const auto j = static_cast<int>(cell % static_cast<std::size_t>(columns_));
    MapPoint point{is_least ? map_.mu_jam[cell] : map_.mu_crit[cell], values(i, j)};
    Eigen::VectorXd here = has_loops_ ? starts_[static_cast<std::size_t>(i)] : q_;
    for (int k = 0; has_loops_ && k <= j; ++k) {
      Eigen::VectorXd next = here;
      if (workers_[0].move_to(values(i, k), next)) here = next;
    }
    polish(workers_[0], sweeps_, here, is_least, point);
    return point;
  }

  const Mechanism& mechanism_;
  const ContactPoint& contact_;
  const Eigen::VectorXd& q_;
  const std::vector<Sweep>& sweeps_;
  const MapOptions& options_;
  int rows_, columns_;
  bool has_loops_;
  std::vector<Eigen::VectorXd> starts_;
  std::vector<Cells> workers_;
  JammingMap map_;
};

}  // namespace

JammingMap jamming_map(const Mechanism& mechanism, const ContactPoint& contact,
                       const Eigen::VectorXd& q, const std::vector<Sweep>& sweeps,
                       const MapOptions& options) {
  require_sweeps(sweeps);
  return MapMaker(mechanism, contact, q, sweeps, options).make();
}

}  // namespace stiction
