// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_push.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/part_of.h"
#include "slider/supports/support_load.h"
#include "stiction/slider_motion.h"

namespace stiction {

namespace {

void tell(const Progress& progress, double share) {
  if (progress && !progress(share)) throw Stopped("stopped before the push was known");
}

struct Stuck {
  Vec3 motion = Vec3::Zero();
  Vec3 load = Vec3::Zero();  // with no moment about the contact
  double power = 0;
  bool unique = false;  // the motion has no other load
};

// Least H of the motions that carry the contact along with w.  The moment about the contact, the
// derivative in ω, only grows with ω; where it jumps over zero, the loads on both sides are mixed.
// `first` is a turn to try first, of the unit |w|/size.
Stuck stuck(const Slider& slider, const Vec2& r, const Vec2& w, double first,
            const Progress& progress) {
  const double size = std::max(slider.length_scale(), slider.reach() + r.norm());
  const double unit = w.norm() / size;
  const auto motion = [&](double turn) {
    const double omega = unit * turn;
    return Vec3(w.x() + omega * r.y(), w.y() - omega * r.x(), omega);
  };
  struct Turn {
    double turn = 0, moment = 0;
    Vec3 load = Vec3::Zero();
  };
  int loads = 0;
  const auto at = [&](double turn) -> Turn {
    // The share is a guess: most searches take some ten loads.
    tell(progress, loads / (loads + 10.0));
    ++loads;
    const Vec3 p = load(slider, Motion::of(motion(turn))).load.vector();
    return {turn, p[2] - (r.x() * p[1] - r.y() * p[0]), p};
  };
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const auto is_zero = [&](const Turn& t) {  // but for the rounding of an area's sum
    return std::abs(t.moment) <=
           64 * eps * (std::abs(t.load[2]) + r.norm() * t.load.head<2>().norm());
  };
  // Areas have their kinks at translations: those first, and then what is not one for certain.
  const double least = 4 * rounding * size / slider.length_scale();
  Turn low = at(0), high = low;
  bool translates = true;
  if (!is_zero(low)) {
    const double way = low.moment < 0 ? 1 : -1;
    Turn near = low, far = at(way * least);
    for (double reach = first; way * far.moment < 0 && reach < 1e12;
         reach *= reach < 0.1 ? 1000 : 4) {
      translates = false;
      near = far;
      far = at(way * reach);
    }
    low = way > 0 ? near : far;
    high = way > 0 ? far : near;
    // Secants through the last two, or halves where those are slow.
    double width = infinity;  // three loads ago
    for (int k = 0; k < 300 && !translates && low.moment < 0 && high.moment > 0; ++k) {
      if (is_zero(far)) break;
      const double now = high.turn - low.turn, middle = 0.5 * (low.turn + high.turn);
      if (now <= 2 * eps * std::max(1.0, std::abs(middle))) break;
      const double secant =
          far.turn - far.moment * (far.turn - near.turn) / (far.moment - near.moment);
      const bool slow = k % 3 == 2 && now > 0.5 * std::exchange(width, now);
      const Turn next = at(!slow && secant > low.turn && secant < high.turn ? secant : middle);
      if (next.moment <= 0) low = next;
      if (next.moment >= 0) high = next;
      near = std::exchange(far, next);
    }
    if (is_zero(far)) low = high = far;
  }
  const bool mixed = low.moment < 0 && high.moment > 0;
  const double part = mixed ? low.moment / (low.moment - high.moment) : low.moment == 0 ? 0 : 1;
  Stuck result;
  result.motion = motion(translates ? 0 : low.turn + part * (high.turn - low.turn));
  result.load = (1 - part) * low.load + part * high.load;
  const LoadSet set = load(slider, Motion::of(result.motion));
  result.power = set.power;
  result.unique = set.unique && (high.load - low.load).norm() <= 1e-6 * result.load.norm();
  return result;
}

std::optional<Vec2> rotation_centre(const Slider& slider, const Vec3& q) {
  if (std::abs(q[2]) * slider.length_scale() <= rounding * q.head<2>().norm()) return {};
  return Vec2(slider.body().reference + Vec2(-q[1], q[0]) / q[2]);
}

}  // namespace

namespace {

void require_finger(const Finger& finger) {
  if (!finger.contact.allFinite()) throw InvalidInput("contact is " + text(finger.contact));
  if (!finger.velocity.allFinite()) throw InvalidInput("velocity is " + text(finger.velocity));
  if (!(std::isfinite(finger.mu) && finger.mu >= 0))
    throw InvalidInput("mu is " + text(finger.mu) + ", expected zero or more");
}

// The forces with which the finger sticks: they differ across its velocity u only.
struct Sticking {
  Vec2 most_right, most_left;
  bool unique = true;
};

Sticking sticking(const Slider& slider, const Vec2& r, const Vec2& u, const Stuck& held,
                  const Progress& progress) {
  const Vec2 force = held.load.head<2>();
  // f·u = G(u): between the forces at either side of u.
  const Vec2 g(-u.y(), u.x());
  const auto beside = [&](double sign, double from, double to) -> Vec2 {
    if (held.unique) return force;
    const Vec2 w = u + sign * 1e-8 * g;
    return stuck(slider, r, w, 1e-7, part_of(progress, from, to)).load.head<2>();
  };
  const Vec2 first = beside(-1, 0.5, 0.75), last = beside(1, 0.75, 1);
  if (!((last - first).norm() > 1e-5 * force.norm())) return {force, force, true};
  const auto on_face = [&](const Vec2& f) {
    return Vec2((held.power * u + f.dot(g) * g) / u.squaredNorm());
  };
  return {on_face(first), on_face(last), false};
}

}  // namespace

Push push(const Slider& slider, const Finger& finger, const Progress& progress) {
  require_finger(finger);
  const Vec2 n = Direction::along(finger.normal).unit(), t(-n.y(), n.x());
  const Vec2 r = finger.contact - slider.body().reference, u = finger.velocity;
  Push result;

  // The edges of the friction cone and the motions their forces cause.
  const auto edge = [&](double sign) {
    return Load::of(load_of(r, (n + sign * finger.mu * t).normalized()));
  };
  const MotionSet right = motion(slider, edge(-1), part_of(progress, 0, 0.1));
  const MotionSet left = motion(slider, edge(1), part_of(progress, 0.1, 0.2));
  const auto bound = [&](const MotionSet& set) {
    const Vec2 w = slip_at(r, set.motion.vector());
    return w.norm() > 0 ? Vec2(w.normalized()) : w;
  };
  result.motion_cone_right = bound(right);
  result.motion_cone_left = bound(left);

  const double approach = u.dot(n);
  if (!(approach > rounding * u.norm())) return result;

  const Stuck held = stuck(slider, r, u, 1, part_of(progress, 0.2, 0.5));
  const Vec2 force = held.load.head<2>();
  const auto [most_right, most_left, unique] = sticking(slider, r, u, held, progress);
  result.unique = unique;
  const double tolerance = 1e-12 * (1 + finger.mu) * force.norm();
  // How far a force is left of the left edge, right of the right one.
  const auto beyond = [&](const Vec2& f, double sign) {
    return sign * f.dot(t) - finger.mu * f.dot(n);
  };
  // A force that pulls at the face can be behind both edges.  It is within a right angle of u, and
  // u of n: so on the side of the edge that it is beyond, counted from n.
  const auto past = [&](const Vec2& f, double sign) {
    return sign * f.dot(t) > 0 && beyond(f, sign) > tolerance;
  };
  const auto slides = [&](Push::Mode mode, const MotionSet& set, double sign) {
    const Vec3 q = set.motion.vector();
    const double forward = slip_at(r, q).dot(n);
    result.mode = mode;
    result.unique = set.unique;
    result.motion = Motion::of(q * (approach / forward));
    result.contact_force = (n + sign * finger.mu * t).normalized() / set.gauge;
  };
  if (past(most_right, 1)) {
    slides(Push::Mode::slide_left, left, 1);
  } else if (past(most_left, -1)) {
    slides(Push::Mode::slide_right, right, -1);
  } else {
    result.mode = Push::Mode::stick;
    result.motion = Motion::of(held.motion);
    // Of the forces that will do, the middle one.
    double from = 0, to = 1;
    const Vec2 along = most_left - most_right;
    for (const double sign : {1.0, -1.0}) {
      const double start = beyond(most_right, sign), change = beyond(along, sign);
      if (change > 0) to = std::min(to, std::max(0.0, -start / change));
      if (change < 0) from = std::max(from, std::min(1.0, -start / change));
    }
    result.contact_force = result.unique ? force : Vec2(most_right + 0.5 * (from + to) * along);
  }
  result.rotation_centre = rotation_centre(slider, result.motion.vector());
  return result;
}

}  // namespace stiction
