// SPDX-License-Identifier: Apache-2.0
//
// What integrals over round supports share: the force that answers, and where they are broken.
#pragma once

#include <numbers>
#include <vector>

#include "slider/supports/area.h"
#include "slider/supports/quadrature.h"

namespace stiction {

using Value = Eigen::Array3d;  // F and M over the radius

inline Vec2 turned(const Vec2& v, double c, double s) {
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

// cos δ for sin δ = x sin ψ, |x| ≤ 1.
inline double cosine_of(double x, double cos_psi) {
  return std::sqrt((1 - std::abs(x)) * (1 + std::abs(x)) + x * x * cos_psi * cos_psi);
}

// The force that answers a slip, the middle of a flat included, over the curve's own size.
class Answer {
 public:
  explicit Answer(const LimitCurve& curve) : curve_(curve), size_(curve.circumscribed_radius()) {}

  double size() const { return size_; }
  bool has_steps() const { return !curve_.has_arcs(); }  // the same between two breaks

  Vec2 operator()(const Vec2& slip) const { return force_at(curve_, slip).force / size_; }
  // The vertex that answers, without arcs: uphill from the last one, as slips come in order.
  Vec2 step(const Vec2& slip) {
    const auto& pieces = curve_.pieces();
    const std::size_t n = pieces.size();
    const auto power = [&](std::size_t i) { return pieces[i].from.dot(slip); };
    for (std::size_t moves = 0; moves <= n; ++moves) {
      const std::size_t next = (last_ + 1) % n, before = (last_ + n - 1) % n;
      if (power(next) > power(last_))
        last_ = next;
      else if (power(before) > power(last_))
        last_ = before;
      else
        break;
    }
    return pieces[last_].from / size_;
  }

 private:
  const LimitCurve& curve_;
  double size_;
  std::size_t last_ = 0;
};

// Ordered places where an integral over an angle is broken.
class Breaks {
 public:
  Breaks(double low, double high) : low_(low), high_(high) { at_ = {low, high}; }
  void add(double place) {
    if (place > low_ && place < high_) at_.push_back(place);
  }
  // At every turn of an angle.
  void add_angle(double angle) {
    const double whole = 2 * std::numbers::pi;
    angle = std::remainder(angle, whole);
    for (const double turn : {-whole, 0.0, whole}) add(angle + turn);
  }
  // On both sides of a place, ever wider.
  void add_around(double place, double width) {
    for (; width > 0 && width < 0.8; width *= 8) {
      add(place - width);
      add(place + width);
    }
  }
  // ∫ part(x, slip(x), force that answers it) dx.
  template <typename Slip, typename Part>
  Value integrate(Answer& answer, const Slip& slip, const Part& part) {
    constexpr double tolerance = 1e-14;
    std::sort(at_.begin(), at_.end());
    Value sum = Value::Zero();
    for (std::size_t i = 0; i + 1 < at_.size(); ++i) {
      const double from = at_[i], to = at_[i + 1];
      if (!(to > from)) continue;
      if (answer.has_steps()) {
        const Vec2 f = answer.step(slip(0.5 * (from + to)));
        if (f.isZero(0)) continue;
        add_adaptive(
            from, to, [&](double x) -> Value { return part(x, slip(x), f); }, tolerance, sum);
      } else {
        add_adaptive(
            from, to,
            [&](double x) -> Value {
              const Vec2 v = slip(x);
              return part(x, v, answer(v));
            },
            tolerance, sum);
      }
    }
    return sum;
  }

 private:
  double low_, high_;
  std::vector<double> at_;
};

// Directions of slip at which the force jumps or bends, and the axes of an ellipse.
template <typename F>
void for_each_bend(const LimitCurve& curve, const F& f) {
  if (curve.has_arcs() && !curve.ellipse().is_disc()) {
    const Vec2& a = curve.ellipse().axis;
    for (const double sign : {-1.0, 1.0}) {
      f(Vec2(sign * a));
      f(Vec2(-sign * a.y(), sign * a.x()));
    }
  }
  for_each_wedge(curve, [&](const Vec2& first, const Vec2& last, const Vec2*) {
    f(first);
    f(last);
  });
}

// An annulus of inner radius r close to R.
Value thin_annulus_load(double R, double r, const LimitCurve& curve, const CentreMotion& motion);

}  // namespace stiction
