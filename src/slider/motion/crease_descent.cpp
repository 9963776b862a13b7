// SPDX-License-Identifier: Apache-2.0
//
// The minimiser of a power with creases: motions q with row·q = 0, where the slip of a point is
// normal to a flat of its law.  Descend along a line to the least power; where that is on a crease,
// go on along the crease to the least power there.  Such a crease is never met again: the power is
// below its least from then on.  So the creases run out.  Newton's method on the last smooth piece
// ends the search, unless the loads of a motion on creases already hold the load sought.
//
//   q(t) = q + t d, p·d = 0     a line; slip of point i: a_i + t b_i
//   slope(t) = g(q(t))·d        never falls, jumps where the line meets a crease
#include <algorithm>
#include <cmath>

#include "base/plane.h"
#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

// Where a line meets a crease, or the motion about a point.
struct Crossing {
  double t = 0;
  std::size_t point = 0, piece = 0;
  bool rests = false;
};

struct LineMinimum {
  double t = 0;
  bool kink = false;
  Crossing crossing;  // where at a kink
};

class Descent {
 public:
  explicit Descent(const ScaledSlider& scaled)
      : scaled_(scaled), p_(scaled.p()), B_(scaled.plane()) {}

  Minimiser run();

 private:
  Vec3 row(const Crossing& at) const {
    const ScaledPoint& point = scaled_.points()[at.point];
    return load_of(point.at, plane::left(point.curve().pieces()[at.piece].normal));
  }
  // A motion that p drives, beyond doubt, and nothing resists.
  bool resists_not(double h, const Vec3& q) const {
    return !(h > scaled_.noise() * q.norm()) && scaled_.drives(q);
  }
  double slope(const Vec3& q, const Vec3& d, double t) const;
  void find_crossings(const Vec3& q, const Vec3& d, bool ahead);
  LineMinimum line(const Vec3& q, const Vec3& d, bool ahead);
  double smooth_minimum(const Vec3& q, const Vec3& d, double low, double high, bool ahead) const;
  Vec3 meeting(const Crossing& first, const Crossing& second) const;

  const ScaledSlider& scaled_;
  const Vec3& p_;
  const Eigen::Matrix<double, 3, 2> B_;
  std::vector<Crossing> crossings_;
  double zero_ = 4 * eps;  // a slope that counts as none, of a unit direction
};

double Descent::slope(const Vec3& q, const Vec3& d, double t) const {
  const Vec3 at = q + t * d;
  double sum = 0;
  for (const ScaledPoint& point : scaled_.points())
    sum += point.strength *
           force_at(point.curve(), slip_at(point.at, at)).force.dot(slip_at(point.at, d));
  if (!scaled_.areas().empty()) sum += scaled_.area_power(at, false).g.dot(d);
  return sum;
}

void Descent::find_crossings(const Vec3& q, const Vec3& d, bool ahead) {
  crossings_.clear();
  // Beyond, p does not drive the motion beyond doubt.
  const double unit = q.norm() / d.norm(),
               farthest = std::min(1e9 * q.norm(), 1e-4 / scaled_.noise()) / d.norm();
  const double nearest = ahead ? 64 * eps * unit : -infinity;
  const auto add = [&](const Crossing& crossing) {
    if (std::abs(crossing.t) < farthest && crossing.t > nearest) crossings_.push_back(crossing);
  };
  for (std::size_t i = 0; i < scaled_.points().size(); ++i) {
    const ScaledPoint& point = scaled_.points()[i];
    const Vec2 a = slip_at(point.at, q), b = slip_at(point.at, d);
    const double slack = scaled_.slip_slack(point.at, q);
    const double turn = std::abs(cross(a, b)), length = b.norm();
    if (turn <= slack * length) {  // the line goes through the motion about the place
      if (length > 0) add({.t = -a.dot(b) / (length * length), .point = i, .rests = true});
      continue;
    }
    const auto& pieces = point.curve().pieces();
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      if (pieces[k].arc) continue;
      const Vec2& n = pieces[k].normal;
      const double across = cross(n, b);
      // n·slip there is n·(a − b (n×a)/(n×b)) = (a×b)/(n×b).
      if (across == 0 || cross(a, b) / across < 0) continue;
      add({.t = -cross(n, a) / across, .point = i, .piece = k});
    }
  }
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& a, const Crossing& b) { return a.t < b.t; });
}

// The zero of the slope between two crossings; near it where the line is only a step on a way.
double Descent::smooth_minimum(const Vec3& q, const Vec3& d, double low, double high,
                               bool ahead) const {
  constexpr double longest = 8;  // of a step, for directions without curvature have no end
  const bool points_only = scaled_.areas().empty();
  const double start = ahead ? std::abs(slope(q, d, 0)) : 0;
  double t = ahead ? 1 : 0;
  if (t <= low || t >= high)
    t = std::isinf(low) ? high - 1 : std::isinf(high) ? low + 1 : 0.5 * (low + high);
  double step = 1, best = t, least = infinity, before = 0, slope_before = 0;
  for (int k = 0; k < 200; ++k) {
    const ScaledPower at = scaled_.power(q + t * d, points_only);
    const double s = at.g.dot(d);
    if (std::abs(s) <= least) {  // of slopes alike the farthest on
      least = std::abs(s);
      best = t;
    }
    if (std::abs(s) <= std::max(zero_ * d.norm(), 0.1 * start)) break;
    if (ahead && s < 0 && t >= longest) break;
    (s > 0 ? high : low) = t;
    // The curvature of an area costs several slopes: it is taken once, then by secants.
    const double curvature = points_only ? d.dot(at.K * d)
                             : k == 0    ? d.dot(scaled_.power(q + t * d).K * d)
                                         : (s - slope_before) / (t - before);
    before = t;
    slope_before = s;
    double next = curvature > 0 ? t - s / curvature : infinity;
    if (!(next > low && next < high) || k % 4 == 3) {
      if (std::isfinite(low) && std::isfinite(high)) {
        next = 0.5 * (low + high);
      } else if (!(std::abs(next - t) < step)) {
        next = s > 0 ? t - step : t + step;
      }
      step *= 8;
    }
    if (next == t) break;
    if (std::isfinite(high - low) && high - low <= 2 * eps * (std::abs(low) + std::abs(high)))
      break;
    t = next;
  }
  return best;
}

// The least power on a line, on the part of it ahead of q or on all of it.
LineMinimum Descent::line(const Vec3& q, const Vec3& d, bool ahead) {
  find_crossings(q, d, ahead);
  // Slopes are compared beside the crossings, which are taken as one where they are that close.
  constexpr double beside = 1e-10;
  const double unit = q.norm() / d.norm(), zero = zero_ * d.norm();
  const auto size = static_cast<std::ptrdiff_t>(crossings_.size());
  const auto t_of = [&](std::ptrdiff_t k) {
    if (k < 0) return ahead ? 0.0 : -infinity;
    return k < size ? crossings_[static_cast<std::size_t>(k)].t : infinity;
  };
  const auto gap = [&](double t) { return beside * (unit + std::abs(t)); };
  // The slope is below zero before `low` and above before `high`; where it is zero between two
  // crossings, either will do.
  std::ptrdiff_t low = -1, high = size;
  const auto at = [&](std::ptrdiff_t k) -> LineMinimum {
    return {.t = t_of(k), .kink = true, .crossing = crossings_[static_cast<std::size_t>(k)]};
  };
  while (high - low > 1) {
    const std::ptrdiff_t mid = (low + high) / 2;
    const double t = t_of(mid);
    const double before = slope(q, d, std::max(t - gap(t), 0.5 * (t + t_of(mid - 1))));
    if (std::abs(before) <= zero)
      return at(mid > 0 && std::abs(t_of(mid - 1)) < std::abs(t) ? mid - 1 : mid);
    (before > 0 ? high : low) = mid;
  }
  if (low >= 0) {
    const double t = t_of(low);
    if (slope(q, d, std::min(t + gap(t), 0.5 * (t + t_of(low + 1)))) >= -zero) return at(low);
  }
  return {.t = smooth_minimum(q, d, t_of(low), t_of(high), ahead), .kink = false, .crossing = {}};
}

// The motion on two creases, to the last bits: rows may be close to parallel.
Vec3 Descent::meeting(const Crossing& first, const Crossing& second) const {
  if (second.rests || first.point == second.point)
    return scaled_.about(scaled_.points()[second.point].at);
  using Long = Eigen::Matrix<long double, 3, 1>;
  const Long a = row(first).cast<long double>(), b = row(second).cast<long double>();
  const Vec3 q = a.cross(b).normalized().cast<double>();
  return p_.dot(q) < 0 ? Vec3(-q) : q;
}

Minimiser Descent::run() {
  Vec3 q = p_, d = Vec3::Zero();
  Minimiser best;
  double least = infinity, lowest = infinity;  // power on creases, anywhere
  const ScaledPoint* tested[4] = {};
  int tests = 0, improved = 0;
  for (int k = 0; k < 100; ++k) {
    q = scaled_.without_free(q);
    if (!q.allFinite()) break;
    if (d.isZero(0)) {  // on a smooth piece
      const ScaledPower at = scaled_.power(q);
      if (resists_not(at.h, q)) return {.q = q, .error = 0};
      const double error = (at.g - at.h * p_).norm() / at.h;
      if (error < 0.5 * best.error || at.h < 0.9 * lowest) improved = k;
      lowest = std::min(lowest, at.h);
      if (error < best.error) best = {.q = q, .error = error};
      if (error <= 4 * eps || k > improved + 8) return best;
      const ScaledPoint* candidate = slowest(scaled_, q, true);
      if (candidate != nullptr && std::find(tested, tested + 4, candidate) == tested + 4) {
        Minimiser found;
        if (on_facet(scaled_, *candidate, found)) return found;
        tested[tests++ % 4] = candidate;
      }
      const Vec2 r = B_.transpose() * at.g;
      const Eigen::Matrix2d K = B_.transpose() * at.K * B_;
      // With next to no curvature, a step of the size of q.
      const double floor = std::max(1e-9, 0.5 * r.norm() / (q.norm() * K.trace()));
      const NewtonStep newton = newton_step(K, r, floor);
      if (newton.largest * q.norm() > 1e-9 * at.h) {
        // A step within rounding: the load is that of a motion within rounding of q, but at kinks
        // of areas, where it jumps.
        if (newton.step.norm() <= 4 * eps * q.norm()) {
          if (!scaled_.areas().empty() && error > 1e-5) return best;
          return {.q = q, .error = 0};
        }
        d = B_ * newton.step;
      } else {  // as far as that of an arc that is to be met
        d = -(B_ * r) * (q.norm() / r.norm());
      }
    }
    if (!(d.norm() > 0 && d.allFinite())) break;
    const LineMinimum first = line(q, d, true);
    q += first.t * d;
    d.setZero();
    if (!first.kink) {
      if (!scaled_.drives(q)) break;
      q /= p_.dot(q);
      continue;
    }
    if (first.crossing.rests) {
      const Vec3 there = scaled_.about(scaled_.points()[first.crossing.point].at);
      if (p_.dot(there) > 1e-9) q = there;
    } else {
      const Vec3 crease = row(first.crossing), away = crease - p_ * p_.dot(crease);
      if (!(away.norm() > 1e-9 * crease.norm())) break;  // p drives no motion on it
      q -= away * (crease.dot(q) / away.squaredNorm());
      const Vec3 along = p_.cross(crease).normalized();
      LineMinimum second = line(q, along, false);
      if (!scaled_.drives(q + second.t * along)) {  // followed a slope that is rounding
        zero_ = scaled_.noise();
        second = line(q, along, false);
        zero_ = 4 * eps;
      }
      q += second.t * along;
      if (second.kink) {
        const Vec3 there = meeting(first.crossing, second.crossing);
        if (p_.dot(there) > 1e-9) q = there;
      }
    }
    if (!scaled_.drives(q)) break;
    q /= p_.dot(q);
    const double h = scaled_.power(q, false).h;
    if (resists_not(h, q)) return {.q = q, .error = 0};
    const Vec3 off = LoadFace(scaled_, q).nearest(h * p_);
    if (off.norm() < best.error * h) best = {.q = q, .error = off.norm() / h};
    if (best.error <= 1e-14) return best;
    if (!(h < least)) break;
    least = h;
    improved = k;
    d = -(off - p_ * p_.dot(off));
    if (!(d.norm() > 0)) break;
    d *= q.norm() / d.norm();
  }
  return best;
}

}  // namespace

Minimiser minimise_on_creases(const ScaledSlider& scaled) { return Descent(scaled).run(); }

}  // namespace stiction
