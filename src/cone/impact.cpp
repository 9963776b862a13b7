// SPDX-License-Identifier: Apache-2.0
//
// The path is a chain of stretches.  Where the friction is constant (a vertex of the curve, a flat
// that holds the direction of slip, a direction that does not turn, stick) all is linear in p and
// solved in closed form.  On arcs of the curve the direction turns: with u_t = s σ(φ) and
// dp = s dτ,
//
//   φ′ = σ⊥·(h − W_tt f),   (ln s)′ = σ·(h − W_tt f),   p′ = s
//
// is smooth down to s → 0, which it approaches like an exponential while φ settles; once φ no
// longer turns the rest is linear.
#include "stiction/impact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"
#include "cone/extrapolate.h"
#include "cone/slip_regions.h"

namespace stiction {

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Kind = SlipRegion::Kind;
using Flow = Eigen::Matrix<double, 8, 1>;  // φ, ln s, p, λ_t1, λ_t2, u_n, normal and friction work
enum FlowIndex { angle, log_slip, impulse, lambda1, lambda2, approach, normal_work, friction_work };

constexpr double accuracy = 1e-13;  // of a step on an arc, relative
constexpr int most_steps = 100000;

Vec2 unit(double phi) { return {std::cos(phi), std::sin(phi)}; }

class Collision {
 public:
  Collision(const GeneralizedCone& cone, const Vec3& velocity, const Restitution& restitution)
      : cone_(cone),
        W_tt_(cone.delassus.topLeftCorner<2, 2>()),
        h_(cone.delassus.topRightCorner<2, 1>()),
        w_nn_(cone.delassus(2, 2)),
        regions_(slip_regions(cone.curve)),
        restitution_(restitution),
        start_(velocity),
        slip_(velocity.head<2>()),
        u_n_(velocity[2]) {}

  Impact follow();

 private:
  enum class Ended { no, yes };
  enum class Change { leaves_arc, closest, approaches_again, ends };
  struct Margin {
    double value;
    Change change;
  };

  // In the measure of its kind, after the normal impulse and work given; ≤ 0: none.
  double left_of_restitution(double u_n, double more_impulse = 0, double more_work = 0) const;
  Vec2 drift(const Vec2& f) const { return h_ - W_tt_ * f; }
  double rise(const Vec2& f) const { return w_nn_ - h_.dot(f); }
  bool turns(const Vec2& direction, const Vec2& w, const Vec2& f) const;

  // Goes straight with the friction f, at most by `most` in p, and until restitution ends.
  Ended straight(const Vec2& f, double most);
  void go(const Vec2& f, double p);
  double end_of_restitution(double q) const;
  Ended slip_stretch();
  Ended rest();
  Ended along_arc(const SlipRegion& region);
  Flow slope(const Flow& y) const;
  Margin margin(const Flow& z, const SlipRegion& region, bool left) const;
  void take(const Flow& y);
  Vec2 growing_friction() const;
  void begin_phase(ImpactPhase::Mode mode);
  void record();
  void book(double p, double work);

  const GeneralizedCone& cone_;
  Matrix2d W_tt_;
  Vec2 h_;
  double w_nn_;
  std::vector<SlipRegion> regions_;
  Restitution restitution_;
  Vec3 start_;

  Vec2 slip_;
  double u_n_;
  double p_ = 0;
  Vec2 lambda_t_ = Vec2::Zero();
  bool compressing_ = true;
  double p_compression_ = 0, p_restitution_ = 0;
  std::optional<std::size_t> region_;
  bool grew_ = false;  // out of rest, along a direction that does not turn
  Vec2 friction_ = Vec2::Zero();
  Impact impact_;
};

double Collision::left_of_restitution(double u_n, double more_impulse, double more_work) const {
  const double e = restitution_.coefficient;
  switch (restitution_.kind) {
    case Restitution::Kind::newton:
      return -e * start_[2] - u_n;
    case Restitution::Kind::poisson:
      return e * p_compression_ - (p_restitution_ + more_impulse);
    case Restitution::Kind::energetic:
      return -e * e * impact_.compression_work - (impact_.restitution_work + more_work);
  }
  return 0;
}

void Collision::book(double p, double work) {
  p_ += p;
  (compressing_ ? p_compression_ : p_restitution_) += p;
  (compressing_ ? impact_.compression_work : impact_.restitution_work) += work;
}

void Collision::go(const Vec2& f, double p) {
  const Vec2 w = drift(f);
  const double q = rise(f);
  book(p, p * (u_n_ + 0.5 * p * q));
  impact_.friction_work -= p * f.dot(slip_ + 0.5 * p * w);
  slip_ += p * w;
  u_n_ += p * q;
  lambda_t_ -= p * f;
}

// The p after which a straight stretch with u_n′ = q has done what is left of restitution; infinite
// if it never does.
double Collision::end_of_restitution(double q) const {
  const double left = left_of_restitution(u_n_);
  if (left <= 0) return 0;
  switch (restitution_.kind) {
    case Restitution::Kind::newton:
      return q > 0 ? left / q : infinity;
    case Restitution::Kind::poisson:
      return left;
    case Restitution::Kind::energetic: {  // u_n p + ½ q p² = left
      const double root = u_n_ * u_n_ + 2 * q * left;
      return root < 0 ? infinity : 2 * left / (u_n_ + std::sqrt(root));
    }
  }
  return infinity;
}

Collision::Ended Collision::straight(const Vec2& f, double most) {
  friction_ = f;
  const double q = rise(f), terms = w_nn_ + plane::dot_terms(h_, f);
  for (double left = most; left > 0;) {
    if (compressing_) {
      const double end = q > rounding * terms ? -u_n_ / q : infinity;
      if (end == infinity && left == infinity)
        throw InvalidInput(
            "the impact does not end: other constraints or friction keep the bodies from parting");
      if (end > left) {
        go(f, left);
        return Ended::no;
      }
      go(f, end);
      u_n_ = 0;
      left -= end;
      compressing_ = false;
      record();
    } else {
      const double end = end_of_restitution(q);
      const double again = q < 0 ? -u_n_ / q : infinity;  // the bodies approach again
      if (end <= std::min(left, again)) {
        go(f, end);
        return Ended::yes;
      }
      if (left <= again) {
        if (left == infinity)
          throw InvalidInput("the impact does not end: restitution is never reached");
        go(f, left);
        return Ended::no;
      }
      go(f, again);
      u_n_ = 0;
      left -= again;
      compressing_ = true;
      record();
    }
  }
  return Ended::no;
}

void Collision::record() { impact_.path.push_back({p_, Vec3(slip_.x(), slip_.y(), u_n_)}); }

void Collision::begin_phase(ImpactPhase::Mode mode) {
  if (!impact_.phases.empty() && impact_.phases.back().mode == mode && !grew_) return;
  impact_.phases.push_back({mode, p_, p_, slip_, slip_});
}

// Does the drift w turn this direction, beyond rounding?
bool Collision::turns(const Vec2& direction, const Vec2& w, const Vec2& f) const {
  const double terms = plane::cross_terms(direction, h_) +
                       W_tt_.cwiseAbs().maxCoeff() * (std::abs(f.x()) + std::abs(f.y()));
  return std::abs(cross(direction, w)) > rounding * terms;
}

Flow Collision::slope(const Flow& y) const {
  const Vec2 sigma = unit(y[angle]), f = cone_.curve.ellipse().point(sigma), w = drift(f);
  const double s = std::exp(y[log_slip]);
  Flow d;
  d << cross(sigma, w), sigma.dot(w), s, -s * f.x(), -s * f.y(), s * rise(f), s * y[approach],
      -s * s * f.dot(sigma);
  return d;
}

void Collision::take(const Flow& y) {
  const double p = y[impulse];
  book(p, y[normal_work]);
  impact_.friction_work += y[friction_work];
  lambda_t_ += Vec2(y[lambda1], y[lambda2]);
  u_n_ = y[approach];
  slip_ = std::exp(y[log_slip]) * unit(y[angle]);
}

// How far it is to the first thing that ends or changes a stretch on an arc, and which.
Collision::Margin Collision::margin(const Flow& z, const SlipRegion& region, bool left) const {
  Margin least{infinity, Change::leaves_arc};
  const auto consider = [&](double value, Change change) {
    if (value < least.value) least = {value, change};
  };
  if (region.bounded()) consider(region.ahead(unit(z[angle]), left), Change::leaves_arc);
  if (compressing_) {
    consider(-z[approach], Change::closest);
  } else {
    if (z[approach] < 0) consider(z[approach], Change::approaches_again);
    consider(left_of_restitution(z[approach], z[impulse], z[normal_work]), Change::ends);
  }
  return least;
}

Collision::Ended Collision::along_arc(const SlipRegion& region) {
  const auto f_of = [&](const Vec2& direction) { return cone_.curve.ellipse().point(direction); };
  const double rate = plane::norm(h_) + W_tt_.norm() * cone_.curve.circumscribed_radius();
  const double size = start_.norm();
  double step = 0.2 / rate, turned = infinity;  // by the last step, if it was a long one
  const auto flow = [this](const Flow& y) { return slope(y); };
  for (int count = 0; count < most_steps; ++count) {
    const Vec2 sigma = slip_ / plane::norm(slip_), f = f_of(sigma), w = drift(f);
    // The flow has settled once it hardly turns: it only ever comes near where it is stable.
    const bool settled =
        count > 0 && (turned <= rounding || std::abs(cross(sigma, w)) <= 4 * rounding * rate);
    if (settled || !turns(sigma, w, f)) {
      const double closing = -sigma.dot(w);
      const double stop = closing > 0 ? plane::norm(slip_) / closing : infinity;
      const Ended ended = straight(f, stop);
      if (ended == Ended::no) slip_.setZero();
      return ended;
    }
    step = std::min(step, 0.12 / std::abs(cross(sigma, w)));  // smooth enough to draw
    Flow y;
    y << std::atan2(sigma.y(), sigma.x()), std::log(plane::norm(slip_)), 0, 0, 0, u_n_, 0, 0;
    Extrapolated<8> next = extrapolated_step<8>(flow, y, step);
    const double s = std::exp(std::max(y[log_slip], next.y[log_slip]));
    const double p = s * step;
    Flow scale;
    scale << 1, 1 + std::abs(y[log_slip]), p + p_, p + p_, p + p_, size, size * (p + p_),
        size * (p + p_);
    const double worst = (next.error.cwiseAbs().cwiseQuotient(scale)).maxCoeff();
    if (!(worst <= accuracy) && step * rate > 1e-6) {
      step *=
          std::isfinite(worst) ? std::max(0.2, 0.8 * std::pow(accuracy / worst, 1.0 / 15)) : 0.2;
      continue;
    }
    const bool left = cross(sigma, w) > 0;  // φ′ keeps its sign: it cannot pass where it vanishes
    const Margin after = margin(next.y, region, left);
    if (after.value >= 0) {
      const double grow = 0.8 * std::pow(accuracy / std::max(worst, 1e-20), 1.0 / 15);
      turned = step * rate >= 1 ? std::abs(next.y[angle] - y[angle]) : infinity;
      take(next.y);
      record();
      step = std::min(step * std::clamp(grow, 1.0, 3.0), 4 / rate);  // no longer than is stable
      if (next.y[log_slip] < std::log(size) - 80) {                  // nothing is left of it
        slip_.setZero();
        return Ended::no;
      }
      continue;
    }
    const auto at = [&](double t) { return extrapolated_step<8>(flow, y, t * step).y; };
    const double part = part_of_step([&](double t) { return margin(at(t), region, left).value; },
                                     margin(y, region, left).value, after.value,
                                     after.change == Change::approaches_again);
    const Flow end = at(part);
    const Change change = margin(end, region, left).change;
    take(end);
    if (change == Change::closest || change == Change::approaches_again) {
      u_n_ = 0;
      compressing_ = change == Change::approaches_again;
    }
    record();
    if (change == Change::ends || (!compressing_ && left_of_restitution(u_n_) <= 0))
      return Ended::yes;
    if (change == Change::leaves_arc) return Ended::no;
  }
  throw InvalidInput("the impact could not be followed: its slip turns too often");
}

// One stretch of slip, within a region of directions.
Collision::Ended Collision::slip_stretch() {
  if (grew_) return straight(friction_, infinity);
  const Vec2 sigma = slip_ / plane::norm(slip_);
  if (!region_) region_ = region_of(regions_, sigma);
  const SlipRegion& region = regions_[*region_];
  const auto onward = [&](bool left) {
    const std::size_t count = regions_.size();
    region_ = (*region_ + (left ? 1 : count - 1)) % count;
  };
  if (region.kind == Kind::arc) {
    const Ended ended = along_arc(region);
    if (ended == Ended::no && !slip_.isZero(0) && region.bounded()) {
      const Vec2 now = slip_ / plane::norm(slip_);
      const bool left = region.last.dot(now) >= region.first.dot(now);
      onward(left);
    }
    return ended;
  }
  Vec2 f = region.from;
  if (region.kind == Kind::flat) {
    // A force of the flat that does not turn the slip, if there is one.
    const double a = cross(sigma, drift(region.from)), b = cross(sigma, drift(region.to));
    const double terms = std::abs(a) + std::abs(b);
    if (std::min(a, b) > rounding * terms || std::max(a, b) < -rounding * terms) {
      onward(a > 0);
      return Ended::no;
    }
    const double t = a == b ? 0.5 : std::clamp(a / (a - b), 0.0, 1.0);
    f = region.from + t * (region.to - region.from);
  }
  const Vec2 w = drift(f);
  if (region.kind == Kind::flat || !turns(sigma, w, f)) {
    const double closing = -sigma.dot(w);
    const Ended ended = straight(f, closing > 0 ? plane::norm(slip_) / closing : infinity);
    if (ended == Ended::no) slip_.setZero();
    return ended;
  }
  const bool left = cross(sigma, w) > 0;
  const Vec2 bound = left ? region.last : region.first;
  double most = infinity;
  if (region.bounded()) {
    const double reach = -cross(bound, slip_) / cross(bound, w);
    if (reach >= 0 && bound.dot(slip_ + reach * w) > 0) most = reach;
  }
  const Ended ended = straight(f, most);
  if (ended == Ended::no) {
    slip_ = bound.dot(slip_) * bound;
    onward(left);
  }
  return ended;
}

// The friction f of C whose drift h − W_tt f is a slip that f answers: the only way out of rest. It
// is the force of C nearest to W_tt⁻¹h in the metric of W_tt.
Vec2 Collision::growing_friction() const {
  Vec2 best = Vec2::Zero();
  double least = infinity;
  const auto consider = [&](const Vec2& f) {
    const double square = f.dot(W_tt_ * f) - 2 * f.dot(h_);
    if (square >= least) return;
    least = square;
    best = f;
  };
  for (const SlipRegion& region : regions_) {
    consider(region.from);
    if (region.kind == Kind::flat) {
      const Vec2 along = region.to - region.from;
      const double t = along.dot(drift(region.from)) / along.dot(W_tt_ * along);
      if (t > 0 && t < 1) consider(region.from + t * along);
    }
    if (region.kind != Kind::arc) continue;
    const auto point = [&](double phi) { return cone_.curve.ellipse().point(unit(phi)); };
    const auto turning = [&](double phi) { return cross(unit(phi), drift(point(phi))); };
    const double begin = region.bounded() ? std::atan2(region.first.y(), region.first.x()) : 0.1;
    constexpr int samples = 720;
    for (int k = 0; k < samples; ++k) {
      double low = begin + region.width * k / samples,
             high = begin + region.width * (k + 1) / samples;
      const bool sign = turning(low) > 0;
      if (sign == (turning(high) > 0)) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        ((turning(middle) > 0) == sign ? low : high) = middle;
      }
      consider(point(low));
    }
  }
  return best;
}

// The slip is zero: it stays so, or grows along its only direction.
Collision::Ended Collision::rest() {
  if (cone_.stick_inside) {
    begin_phase(ImpactPhase::Mode::stick);
    Vec2 f = cone_.holding;
    if (!cone_.curve.contains(f)) f = cone_.curve.project(f);
    const Ended ended = straight(f, infinity);
    slip_.setZero();
    return ended;
  }
  const Vec2 f = growing_friction();
  grew_ = true;
  begin_phase(ImpactPhase::Mode::slip);
  return straight(f, infinity);
}

Impact Collision::follow() {
  record();
  const auto rises = [&] {  // at the start, from u_n = 0
    if (slip_.isZero(0)) return true;
    const auto [least, greatest] = normal_compliance(cone_, slip_);
    return greatest >= 0;
  };
  bool going = !(u_n_ == 0 && rises());
  for (int count = 0; going; ++count) {
    if (count > most_steps) throw InvalidInput("the impact could not be followed");
    if (cone_.curve.shape() == LimitCurve::Shape::point) {
      begin_phase(ImpactPhase::Mode::slip);
      going = straight(Vec2::Zero(), infinity) == Ended::no;
    } else if (slip_.isZero(0)) {
      going = rest() == Ended::no;
    } else {
      begin_phase(ImpactPhase::Mode::slip);
      going = slip_stretch() == Ended::no;
    }
    if (!impact_.phases.empty()) {
      impact_.phases.back().to = p_;
      impact_.phases.back().slip_after = slip_;
    }
    if (impact_.path.back().normal_impulse < p_) record();
  }
  impact_.velocity = Vec3(slip_.x(), slip_.y(), u_n_);
  impact_.impulse = Vec3(lambda_t_.x(), lambda_t_.y(), p_);
  impact_.compression_impulse = p_compression_;
  impact_.energy_change = 0.5 * impact_.impulse.dot(start_ + impact_.velocity);
  return impact_;
}

}  // namespace

Impact impact(const GeneralizedCone& cone, const Vec3& velocity, const Restitution& restitution) {
  if (!velocity.allFinite()) throw InvalidInput("the velocity before the impact is not finite");
  if (velocity[2] > 0)
    throw InvalidInput("the normal velocity before the impact is " + text(velocity[2]) +
                       ", expected a number ≤ 0: the bodies part already");
  if (!(restitution.coefficient >= 0 && restitution.coefficient <= 1))
    throw InvalidInput("the coefficient of restitution is " + text(restitution.coefficient) +
                       ", expected a number from 0 to 1");
  if (!cone.massless.isZero(0))
    throw InvalidInput(
        "the contact can move without moving mass: what an impact does to it depends on how its "
        "mass vanishes");
  return Collision(cone, velocity, restitution).follow();
}

}  // namespace stiction
