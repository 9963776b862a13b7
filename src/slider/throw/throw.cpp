// SPDX-License-Identifier: Apache-2.0
//
// Integrates the direction on the sphere and the logarithm of the speed from kink to kink, until
// the speed is 1e-8 of the first; what is left is a uniform deceleration.  The final direction is
// then polished by Newton's method on p ∥ d, since the flow comes near it only like a power of the
// speed.
#include "stiction/slider_slide.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slider/throw/integrator.h"

namespace stiction {

namespace {

using namespace thrown;

struct Step {
  State from;
  double length = 0;  // in τ
  int locks = 0;      // index of the locks it was made under
  bool stiff = false;
};

// The part of `length` at which a value that is positive before and not after turns, or has by no
// more than rounding: by a line through both ends, of which one that stays counts for less and
// less, and by halves.
template <typename Value>
double first_passed(double length, const Value& value) {
  constexpr double past = 1e-14;
  const double width = 1e-15 * length;
  double before = 0, after = length, low = value(before), high = value(after);
  if (!(low > 0)) return width;
  int stays = 0;  // for how long the end before (> 0) or after (< 0) has
  for (int k = 1; k < 200 && after - before > width && high <= -past; ++k) {
    const double a = std::ldexp(low + 0.5 * past, std::min(0, 1 - stays)),
                 b = std::ldexp(high + 0.5 * past, std::min(0, 1 + stays));
    double middle = before + (after - before) * (a / (a - b));
    if (std::abs(stays) > 3 || !(middle > before && middle < after))
      middle = 0.5 * (before + after);
    if (!(middle > before && middle < after)) break;
    if (const double there = value(middle); there > 0) {
      before = middle, low = there, stays = std::min(stays, 0) - 1;
    } else {
      after = middle, high = there, stays = std::max(stays, 0) + 1;
    }
  }
  return after;
}

constexpr double beyond = 2e-13;     // where a part of a law ends, the last still counts as long
constexpr double last_speed = 1e-8;  // of the first
constexpr double level = 1e-7;       // a curvature that counts as none, of the power
constexpr double most_energy_error = 1e-6;
constexpr int most_events = 200;  // tenths of events, one after the other, at kinks that meet
constexpr const char* endless = "it does not come to rest";

class Run {
 public:
  Run(const ThrownBody& body, double turns, const SlideOptions& options)
      : body_(body), flow_(body, turns), options_(options) {}

  std::vector<Step> steps;
  std::vector<Locks> locks;  // those of the steps
  State y = State::Zero();
  int count = 0;
  bool rests = false;
  double braked = 0;           // until when it was
  const char* lost = nullptr;  // why it is neither at rest nor known to go on for ever

  void go(const Vec3& start) {
    y.head<3>() = start;
    take(body_.holding(start, flow_.spin(y), rounding));
    double length = 1e-3;
    while (count < options_.maximum_steps && !hopeless()) {
      if (y[log_speed] < std::log(last_speed) && (settled() || y[log_speed] < -5000) &&
          braked_now()) {
        rests = true;
        return;
      }
      // Of what passes fast here: friction, or the turning.
      const double floor =
          (body_.smooth_but_for_kinks() ? 1e-14 : 1e-4) / (1 + std::abs(flow_.spin(y)));
      // The speed falls by as much in any two equal stretches of the time τ.
      const double share = std::min(1.0, std::max(0.0, y[log_speed] / std::log(last_speed)));
      if (options_.progress && !options_.progress(share)) {
        lost = "stopped";
        return;
      }
      double error = 0;
      State next = flow_.advance(y, length, locks.back(), stiff_, &error);
      ++count;
      error /= options_.tolerance;
      const double factor =
          std::isfinite(error)
              ? std::clamp(0.9 * std::pow(std::max(error, 1e-10), stiff_ ? -0.125 : -0.2), 0.2, 4.0)
              : 0.2;
      if (!(error <= 1) && length > floor) {
        length = std::max(floor, length * factor);
        continue;
      }
      if (!next.allFinite()) {
        lost = "speed, sizes and forces are too far apart";
        return;
      }
      const double tried = length;
      length = std::max(floor, length * factor);
      finish(next, tried);
      idle_ = braked_now() ? 0 : idle_ + 1;
      if (idle_ > 100) return;
      if (idle_ == 0) braked = y[time_];
      if (++quiet_ % 100 == 0 && !stiff_ && locks.back().basis.cols() > 1)
        stiff_ = tried * tangent(in_body(y)).values.maxCoeff() > 1;
    }
    lost = "too many steps";
  }

  // p ∥ d within the locks: Newton on the sphere of motions left, from the direction reached.
  Vec3 polished() const {
    const Locks& held = locks.back();
    Vec3 d = (held.allowed * in_body(y)).normalized();
    for (int k = 0; k < 100 && held.basis.cols() > 1; ++k) {
      const Tangent at = tangent(d);
      Eigen::VectorXd step = at.along;
      for (Eigen::Index i = 0; i < step.size(); ++i)
        step[i] = std::abs(at.values[i]) > level * at.power ? -step[i] / at.values[i] : 0;
      if (!(step.norm() > 0)) break;
      // Beside a support that all but rests the curvature changes within the step: shorter ones.
      double part = std::min(1.0, 0.1 / step.norm());
      Vec3 next = d;
      bool better = false;
      for (int halving = 0; halving < 30 && !better; ++halving, part /= 2) {
        next = d;
        next += part * (at.axes * step);
        next.normalize();
        better = tangent(next).along.norm() < at.along.norm();
      }
      if (!better) break;
      d = next;
    }
    return d;
  }

  std::array<double, 2> rates(const Vec3& d) const {
    std::array<double, 2> result = {infinity, infinity};
    if (locks.back().basis.cols() < 2) return result;
    const Tangent at = tangent(d);
    for (Eigen::Index i = 0; i < at.values.size(); ++i)
      result[static_cast<std::size_t>(i)] = at.values[i] / at.power;
    return result;
  }

  // How fast the direction in the body's axes still turns.
  double turning_left() const {
    return (locks.back().allowed * turning(in_body(y), flow_.spin(y))).norm();
  }

  State inside(const Step& step, double length) const {
    return flow_.advance(step.from, length, locks[static_cast<std::size_t>(step.locks)],
                         step.stiff);
  }

 private:
  // Slope and curvature of h on the sphere of motions left, along the axes of the curvature.
  struct Tangent {
    double power = 0;
    Eigen::MatrixXd axes;
    Eigen::VectorXd along, values;
  };
  Tangent tangent(const Vec3& d) const {
    const Locks& held = locks.back();
    const PowerDerivatives here = body_.at(d, held, true);
    Tangent result;
    result.power = here.load.dot(d);
    const Eigen::MatrixXd outer =
        (held.allowed - d * d.transpose()).eval();  // projector on the tangents
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> split((Eigen::Matrix3d(outer)));
    const Eigen::MatrixXd basis = split.eigenvectors().rightCols(held.basis.cols() - 1);
    const Eigen::MatrixXd curvature =
        basis.transpose() * here.hessian * basis -
        result.power * Eigen::MatrixXd::Identity(basis.cols(), basis.cols());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(curvature);
    result.values = solver.eigenvalues();
    result.axes = basis * solver.eigenvectors();
    result.along = result.axes.transpose() * here.load;
    return result;
  }

  // Is the direction at its limit?  It can come near one that repels, and linger there.  A slope
  // away from it grows like σ^−rate: what rounding has left in it is no more than `noise` grown
  // since the start; more leaves at last.
  bool settled() const {
    constexpr double noise = 32 * rounding;
    if (locks.back().basis.cols() < 2) return true;
    const Tangent at = tangent(in_body(y));
    if (!(at.along.norm() < 1e-3 * at.power)) return false;
    for (Eigen::Index i = 0; i < at.values.size(); ++i) {
      const double rate = at.values[i] / at.power;
      if (rate < -level && std::abs(at.along[i]) > noise * at.power * std::exp(rate * y[log_speed]))
        return false;
    }
    return true;
  }

  // Steps go with the turns, and turns with the energy that is left: will they run out, by far?
  // After two turns in which the body was braked that shows if they do many times over.
  bool hopeless() const {
    const double turned = std::abs(y[angle_]),
                 share = count / static_cast<double>(options_.maximum_steps);
    const double gone = 1 - std::exp(2 * y[log_speed]);
    return (turned > 100 && share > 0.01 && gone < 0.25 * share) ||
           (turned > 4 * std::numbers::pi && idle_ == 0 && count > 100 && gone < 0.1 * share);
  }

  // A direction that nothing resists can be reached at any speed, however low.
  bool braked_now() const { return body_.at(in_body(y), locks.back(), false).power >= 1e-13; }

  void take(Locks next) {
    locks.push_back(std::move(next));
    if (!locks.back().kinks.empty())
      set_in_body(y, (locks.back().allowed * in_body(y)).normalized());
    locks.back().parts = body_.parts_at(in_body(y), locks.back());
  }

  // How near a tip counts as on it: steps of less accuracy go past it to and fro for ever.
  double at_rest() const { return std::max(1e-10, 30 * options_.tolerance); }

  // A step cut short where something happens in it.
  struct Event {
    State end;  // reached after `at` of the step
    double at = 0;
    bool crossed = false;     // a kink
    bool breaks = false;      // a lock
    bool near = false;        // a kink, closer than before
    bool turns_back = false;  // a slip along a flat
    Vec3 way = Vec3::Zero();  // from the start of the step, before a lock breaks
    bool any() const { return crossed || breaks || turns_back; }
  };

  // Cuts the step to where `left`, positive before, is no longer so.
  template <class Left>
  void shorten(Event& event, const Left& left) const {
    const Locks& held = locks.back();
    event.at = first_passed(
        event.at, [&](double part) { return left(flow_.advance(y, part, held, stiff_)); });
    event.end = flow_.advance(y, event.at, held, stiff_);
  }

  // The step to `next`, or to the first event in it: a kink crossed, or a lock that breaks.
  Event first_event(const State& next, double length) const {
    const Locks& held = locks.back();
    Event event{next, length};
    for (std::size_t k = 0; k < body_.kinks().size(); ++k) {
      const Kink& kink = body_.kinks()[k];
      const auto i = static_cast<std::size_t>(kink.support);
      const bool locked =
          std::find(held.kinks.begin(), held.kinks.end(), static_cast<int>(k)) != held.kinks.end();
      if (locked && kink.kind == Kink::Kind::flat) {
        // Along a flat a slip may come to rest, and go on against the flat's normal.
        const auto ahead = [&](const State& state) {
          return kink.facing.dot(in_body(state)) + 1e-13;
        };
        if (ahead(event.end) > 0) continue;
        shorten(event, ahead);
        event.turns_back = true;
      }
      if (locked || (kink.codimension == 1 && held.held[i] != 0)) continue;
      if (kink.codimension == 2) {
        const double distance = kink.distance(in_body(event.end));
        event.near = event.near || (distance < at_rest() && distance < kink.distance(in_body(y)));
        continue;
      }
      // Stages on both sides of a kink can keep a step on one side of it.
      event.near = event.near || (length < 1e-8 && kink.distance(in_body(event.end)) < 1e-9);
      const auto value = [&](const State& state) { return kink.rows.col(0).dot(in_body(state)); };
      // Within rounding of the kink the load is that of its middle, along which no step crosses.
      constexpr double close = 1e-13;
      const double before = value(y);
      if (std::abs(before) <= close) continue;
      const auto left = [&](const State& state) {
        return std::copysign(1.0, before) * value(state) - close;
      };
      if (left(event.end) > 0 ||
          (kink.kind == Kink::Kind::flat && kink.facing.dot(in_body(event.end)) <= 0))
        continue;
      shorten(event, left);
      event.crossed = true;
    }
    // Where the next part of a law takes over, the flow bends: it goes there by the last one.
    const auto within = [&](const State& state) {
      return body_.within_parts(in_body(state), held) + beyond;
    };
    if (!(within(event.end) > 0)) {
      shorten(event, within);
      event.crossed = true;
    }
    event.way = in_body(event.end) - in_body(y);
    const auto holds = [&](const State& state) {
      return body_.least(in_body(state), held, flow_.spin(state)).value + 1e-12;
    };
    if (!held.kinks.empty() && !(holds(event.end) > 0)) {
      shorten(event, holds);
      event.breaks = true;
      event.turns_back = false;
    }
    return event;
  }

  // The locks after the event.
  void change_locks(const Event& event) {
    const Locks& held = locks.back();
    const Vec3& way = event.way;
    if (event.breaks) {
      const ThrownBody::Least out = body_.least(in_body(y), held, flow_.spin(y));
      take(body_.kept(held, out.direction));
      set_in_body(y, (in_body(y) + 1e-9 * out.direction).normalized());
    } else if (event.turns_back) {
      take(body_.holding(in_body(y), flow_.spin(y), 10 * at_rest()));
      set_in_body(y, (locks.back().allowed * (in_body(y) + 1e-9 * way.normalized())).normalized());
    } else if (event.crossed || event.near) {
      Locks found = body_.holding(in_body(y), flow_.spin(y), 10 * at_rest());
      if (found.kinks != held.kinks && found.basis.cols() <= held.basis.cols())
        take(std::move(found));
    }
    if (event.any() || event.near) {
      const Vec3 on = in_body(y) + beyond * way.stableNormalized();
      std::vector<int> taking_over = body_.parts_at(on, locks.back());
      if (taking_over != locks.back().parts) {
        locks.push_back(locks.back());
        locks.back().parts = std::move(taking_over);
      }
    }
  }

  // The step to `next`, or to the first event in it, and what is held after.
  void finish(const State& next, double length) {
    const Event event = first_event(next, length);
    steps.push_back({y, event.at, static_cast<int>(locks.size()) - 1, stiff_});
    y = event.end;
    const std::size_t before = locks.size();
    change_locks(event);
    // Beside a tip that does not hold the direction may be drawn to where it is for long.
    const bool changed = event.any() || locks.size() != before;
    if (changed) {
      stiff_ = false;
      quiet_ = 0;
    }
    // Where kinks meet, each by itself may send the motion back to another for ever; to and fro
    // over a tip that a lock leads to; or beside one from which it departs so slowly that only
    // rounding tells.  The flow brings motions closer: where it starts again makes no more
    // difference later.
    events_ = event.at > 1e-8 ? 0 : events_ + (changed ? 10 : event.near ? 1 : 0);
    if (event.at > 1e-8) off_ = 1e-9;
    if (events_ > most_events) {
      Vec3 d = in_body(y);
      Locks found = body_.holding_from(d, flow_.spin(y), 10 * at_rest(), off_);
      off_ = std::min(4 * off_, 1e-7);
      set_in_body(y, d);
      take(std::move(found));
      events_ = 0;
    }
  }

  const ThrownBody& body_;
  Flow flow_;
  const SlideOptions& options_;
  int idle_ = 0;        // steps since the last that braked it
  int quiet_ = 0;       // steps since the last event
  int events_ = 0;      // tenths of events since the last step that went some way
  double off_ = 1e-9;   // how far from where kinks meet it then starts again
  bool stiff_ = false;  // the direction is drawn to where it is, many times in a step
};

// The states at `samples` even times until `until`, given with their times to `take`.  After the
// run's last state what is left is a uniform deceleration by `brake`, if it rests.
template <class Take>
void sample(const Run& run, const State& end, double until, int samples, double brake, bool rests,
            const Take& take) {
  const auto ends = [&](std::size_t i) {
    return i + 1 < run.steps.size() ? run.steps[i + 1].from[time_] : run.y[time_];
  };
  for (int k = 0, step = 0; k < samples; ++k) {
    const double at = samples == 1 ? 0 : until * k / static_cast<double>(samples - 1);
    while (step + 1 < static_cast<int>(run.steps.size()) &&
           ends(static_cast<std::size_t>(step)) < at)
      ++step;
    State y = end;
    if (at < run.y[time_] && !run.steps.empty()) {
      const Step& inside = run.steps[static_cast<std::size_t>(step)];
      y = run.inside(inside, first_passed(inside.length, [&](double part) {
                       return at - run.inside(inside, part)[time_];
                     }));
      if (at == 0) y = run.steps[0].from;
    } else if (rests) {
      y[log_speed] = std::log(std::max(0.0, (end[time_] - at) * brake));
    }
    take(at, y);
  }
}

}  // namespace

Slide slide(const Slider& slider, const Motion& velocity, const SlideOptions& options) {
  if (!velocity.vector().allFinite()) throw InvalidInput("velocity is not finite");
  if (options.samples < 0 || options.samples > 10000000)
    throw InvalidInput("samples is " + std::to_string(options.samples) +
                       ", expected 0 to ten million");
  const ThrownBody body(slider);
  Slide result;
  const Vec3 start = body.coordinates(velocity);
  const double speed = start.stableNorm();
  if (speed == 0) {
    result.trajectory.assign(static_cast<std::size_t>(options.samples), {});
    return result;
  }
  const double force = body.unit_force();
  const auto direction = [&](const Vec3& d) {
    const Motion q = body.motion(d);
    return Motion::of(q.vector() / Vec3(q.vx, q.vy, slider.length_scale() * q.omega).norm());
  };
  if (!(force > 0)) {
    result.rests = false;
    result.reason = endless;
    result.time_to_rest = infinity;
    // In the body's axes a velocity goes around for ever where the body turns.
    if (start[2] == 0 || start.head<2>().isZero(0))
      result.final_direction = direction(start / speed);
    return result;
  }
  // Units: the first speed, the mass, the unit of force.
  const double time = speed * body.mass() / force, length = speed * time;
  const double turns = length / body.gyration();
  Run run(body, turns, options);
  run.go(start / speed);
  result.steps = run.count;

  const Vec2 c = body.centre();
  const auto pose = [&](const State& y) {
    const double co = std::cos(y[angle_]), si = std::sin(y[angle_]);
    const Vec2 turned(co * c.x() - si * c.y(), si * c.x() + co * c.y());
    const Vec2 place = length * y.segment<2>(path) + c - turned;
    return Vec3(place.x(), place.y(), y[angle_]);
  };
  const double left = std::exp(run.y[log_speed]);
  result.energy_error = std::abs(1 - left * left - 2 * run.y[work]);
  if (run.lost == nullptr && !(result.energy_error <= most_energy_error))
    run.lost = "its energy does not add up";
  const bool lost = run.lost != nullptr;
  result.rests = run.rests && !lost;
  if (!result.rests)
    result.reason = lost ? std::string("not followed to its rest: ") + run.lost : endless;
  State end = run.y;
  const Vec3 last = in_body(end);
  const double brake = body.at(last, run.locks.back(), false).load.dot(last);
  if (result.rests) {  // the rest of the way: uniform deceleration
    end[time_] += left / brake;
    end.segment<2>(path) += left * left / (2 * brake) * end.head<2>();
    end[angle_] += turns * left * left / (2 * brake) * end[2];
  }
  result.time_to_rest = result.rests ? time * end[time_] : infinity;
  result.rest_pose = pose(end);
  if (result.rests && !(std::isfinite(result.time_to_rest) && result.rest_pose.allFinite()))
    throw InvalidInput("mass, inertia, sizes and forces are too far apart to follow the motion");

  // Of a throw without end, as much again as until it was braked no more.
  const double until = result.rests || lost ? end[time_] : std::min(end[time_], 2 * run.braked + 1);
  sample(run, end, until, options.samples, brake, result.rests, [&](double at, const State& y) {
    const Vec3 s = speed * std::exp(y[log_speed]) * in_body(y);
    result.trajectory.push_back({time * at, pose(y), body.motion(s)});
  });

  Vec3 limit = last;
  if (result.rests) {
    limit = run.polished();
    result.rates = run.rates(limit);
    result.stable = *std::min_element(result.rates.begin(), result.rates.end()) > -level;
  }
  // In the body's axes the velocity of one that turns and is not held goes around for ever.
  const double turn = run.turning_left();
  if (!lost && (result.rests || turn <= 1e-9)) result.final_direction = direction(limit);
  return result;
}

}  // namespace stiction
