// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the two-dimensional plane p·q = 1.  It starts from the ellipsoid's guess q =
// p, or from the motion of a coarse grid of pressures.  Each step tests one facet: that of the
// support next to the rotation centre.
#include "stiction/slider_motion.h"

#include <algorithm>
#include <cmath>

#include "base/plane.h"
#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

using Plane = Eigen::Matrix<double, 3, 2>;

}  // namespace

NewtonStep newton_step(const Eigen::Matrix2d& K, const Vec2& r, double floor) {
  const double mean = 0.5 * (K(0, 0) + K(1, 1)), half = 0.5 * (K(0, 0) - K(1, 1));
  const double spread = Vec2(half, K(0, 1)).norm();
  NewtonStep result{.least = mean - spread, .largest = mean + spread};
  if (!(result.largest > 0)) return result;
  // The least eigenvalue from the determinant, which does not cancel where the rows are parallel.
  result.least = std::max(0.0, (K(0, 0) * K(1, 1) - K(0, 1) * K(0, 1)) / result.largest);
  Vec2 e = half >= 0 ? Vec2(half + spread, K(0, 1)) : Vec2(K(0, 1), spread - half);
  if (e.isZero(0)) e = Vec2::UnitX();
  e.normalize();
  const Vec2 across(-e.y(), e.x());
  result.step = -e * (e.dot(r) / result.largest) -
                across * (across.dot(r) / std::max(result.least, floor * result.largest));
  return result;
}

namespace {

// Is the share of every other support in the motion about this one unique?
bool all_others_slip(const ScaledSlider& scaled, const ScaledPoint& point, const Vec3& q) {
  const auto& points = scaled.points();
  const auto& areas = scaled.areas();
  const auto slips = [&](const ScaledPoint& other) {
    const Vec2 slip = slip_at(other.at, q);
    const double slack = scaled.slip_slack(other.at, q);
    return slip.norm() > slack && !flat_facing(other.curve(), slip, slack);
  };
  return std::all_of(points.begin(), points.end(),
                     [&](const ScaledPoint& other) { return &other == &point || slips(other); }) &&
         std::all_of(areas.begin(), areas.end(),
                     [](const Support* area) { return area->curve.pieces().empty(); });
}

// How far a force is outside of a curve with arcs, along its ray or across a flat.
double outside(const LimitCurve& curve, const Vec2& f) {
  const Ellipse& e = curve.ellipse();
  const double gauge = e.gauge(f);
  double most = gauge > 0 ? (1 - 1 / gauge) * f.norm() : -std::min(e.a, e.b);
  for (const LimitCurve::Piece& piece : curve.pieces())
    if (!piece.arc) most = std::max(most, piece.normal.dot(f) - piece.offset);
  return most;
}

}  // namespace

// Is the load on the facet of the motion about this support?  Its force must then be what the other
// supports leave.
bool on_facet(const ScaledSlider& scaled, const ScaledPoint& point, Minimiser& found) {
  const Vec3 q = scaled.about(point.at);
  const double work = scaled.p().dot(q);
  if (!(work > scaled.noise())) return false;
  const ScaledPower at = scaled.power(q, false);
  const Vec3 target = scaled.p() * (at.h / work);
  const double slack = scaled.noise() * (1 + target.norm());
  if (point.curve().has_arcs()) {
    const Vec3 left = target - at.g;
    const Vec2 f = Vec2(left[0], left[1]) / point.strength;
    const double off = outside(point.curve(), f), open = slack / point.strength;
    if (off > open && all_others_slip(scaled, point, q)) return false;
    if (off <= open && (left - point.load(f)).norm() <= slack) {  // the others leave nothing open
      // Where p does little work, the target is rounded by more.
      found = {.q = q, .error = 0, .strict = off < -4 * open / work, .rests = &point};
      return true;
    }
  }
  if (LoadFace(scaled, q).distance(target) > slack) return false;
  found = {.q = q, .error = 0, .strict = false, .rests = &point};
  return true;
}

const ScaledPoint* slowest(const ScaledSlider& scaled, const Vec3& q, bool curved) {
  const ScaledPoint* best = nullptr;
  double least = infinity;
  for (const ScaledPoint& point : scaled.points()) {
    if (curved && !point.curve().has_arcs()) continue;
    const double slow = slip_at(point.at, q).squaredNorm();
    if (slow < least) {
      least = slow;
      best = &point;
    }
  }
  return best;
}

// Does the power grow in every direction beyond doubt?  Near the end of the search the curvature
// along a wedge is small, but not zero.
static bool curved(const NewtonStep& newton) { return newton.least > 1e-4 * newton.largest; }

Bowl bowl_at(const Eigen::Matrix2d& K, double h, const Vec3& q) {
  const NewtonStep bend = newton_step(K, Vec2::Zero(), 0);
  const double unit = h / q.squaredNorm();
  if (!(bend.least > 1e-7 * std::max(bend.largest, unit) && bend.largest < 1e3 * unit)) return {};
  return {h, K};
}

// K as it must be for the step s across p to change the load by y.
static void add_secant(Eigen::Matrix3d& K, const Plane& B, const Vec3& s, const Vec3& y) {
  const Vec3 across = B * (B.transpose() * y), expected = B * (B.transpose() * (K * s));
  const double found = across.dot(s), before = expected.dot(s);
  if (!(found > 0 && before > 0)) return;
  K += across * across.transpose() / found - expected * expected.transpose() / before;
}

namespace {

struct LineStep {
  double t = 1;
  ScaledPower there;
};

// The step from q along d.  It is whole where the power does not rise and its slope does not turn
// uphill as steeply.  Otherwise it goes to where half of the slope is gone: the load may change in
// a small part of the step.  A step still as steep downhill at its end is too short.
LineStep step_along(const ScaledSlider& scaled, const Vec3& q, const Vec3& d, const ScaledPower& at,
                    bool flat, bool second) {
  const double slope = at.g.dot(d);
  double low = 0, high = infinity, low_slope = slope, high_slope = infinity;
  LineStep step;
  for (int tries = 0; tries < 20; ++tries) {
    double& t = step.t;
    step.there = scaled.power(q + t * d, second);
    const double there = step.there.g.dot(d);
    // At the end the gain in power is less than the rounding of its sum: the slope decides.
    const bool lower = step.there.h <= at.h * (1 + 8 * eps) || -slope <= 1e-11 * at.h;
    if (there <= -0.9 * slope && lower) {
      if (there >= 0.5 * slope || high - low < 0.1 * high) break;
      if (high == infinity && (!flat || t > 100 || !scaled.drives(q + t * d))) break;
      low = t, low_slope = there;
    } else {
      high = t, high_slope = there;
    }
    const double least = low > 0 ? 0.3 : 0.1;
    const double share = std::clamp(low_slope / (low_slope - high_slope), least, 1 - least);
    t = high == infinity ? 4 * t : low + share * (high - low);
  }
  return step;
}

}  // namespace

Minimiser minimise_by_newton(const ScaledSlider& scaled, const Vec3& start, bool test_facets,
                             const Eigen::Matrix3d* curvature) {
  const Vec3& p = scaled.p();
  const Plane B = scaled.plane();
  const ScaledPoint* tested[4] = {};
  int tests = 0, improved = 0;
  Vec3 q = start / p.dot(start);
  // The curvature of areas costs as much as their load: it is kept while the steps are short.
  const bool areas = !scaled.areas().empty();
  const bool grids =
      scaled.points().empty() &&
      std::all_of(scaled.areas().begin(), scaled.areas().end(),
                  [](const Support* area) { return area->shape == Support::Shape::grid; });
  ScaledPower at = scaled.power(q, curvature == nullptr);
  if (curvature != nullptr) at.K = *curvature;
  double drift = curvature != nullptr ? 1 : 0;  // how far K may be from that at q, relative
  double before = infinity;                     // the error before the last step
  double last_step = 0;                         // its length, unless it was stretched
  bool by_steps = false;                        // K is what they tell
  Minimiser best;
  for (int k = 0; k < 60; ++k) {
    if (k > 0 && !scaled.drives(q)) break;  // followed a slope that is rounding
    if (!(at.h > 0)) return {.q = q, .error = 0};
    if (test_facets) {
      const ScaledPoint* candidate = slowest(scaled, q, false);
      if (candidate != nullptr && std::find(tested, tested + 4, candidate) == tested + 4) {
        Minimiser found;
        if (on_facet(scaled, *candidate, found)) return found;
        tested[tests++ % 4] = candidate;
      }
    }
    const double error = (at.g - at.h * p).norm() / at.h;
    const double gain = error / before;
    if (drift > 0 && gain > 0.1 && error > 1e-13 && !by_steps) {  // K does not serve here
      at = scaled.power(q);
      drift = 0;
    }
    const Vec2 r = B.transpose() * at.g;
    const Eigen::Matrix2d K = B.transpose() * at.K * B;
    // A way counts as level by this: next to a point support the power is steep one way only.
    const double floor = std::clamp(1e-9 * at.h / (q.squaredNorm() * K.trace()), 16 * eps, 1e-9);
    NewtonStep newton = newton_step(K, r, floor);
    const bool level = areas && newton.least <= floor * newton.largest;
    if (level) {
      // Level one way: the little slope on that way vanishes together with the rest.
      const Vec2 steep = (K * r).normalized();
      const double along = steep.dot(r);
      if ((r - along * steep).norm() <= 1e-2 * std::abs(along))
        newton.step = -along / newton.largest * steep;
    }
    // On a level way of areas, not much farther than their wedges reach.
    const double length = newton.step.norm(), longest = (level ? 0.5 : 4) * q.norm();
    if (length > longest) newton.step *= longest / length;
    if (error < 0.5 * best.error) improved = k;
    if (error < best.error)
      best = {.q = q, .error = error, .strict = curved(newton), .bowl = bowl_at(K, at.h, q)};
    else if (best.error < 1e-11)
      break;
    if (k > improved + 8 && !scaled.smooth()) break;  // a kink
    if (error <= (areas ? 64 : 4) * eps) break;       // areas are integrated to 1e-14
    // Flat, no curvature to go by: down the slope to where the load changes.
    const bool flat = newton.largest * q.norm() <= 1e-9 * at.h;
    if (flat && (!areas || error <= 1e-13)) break;
    if (flat) newton.step = -r * (q.norm() / r.norm());
    // The last step gained so much that the next one ends within rounding: the certificate decides.
    // Not so along a level way: its part of the error may hide behind the rest.  Not so where laws
    // have flats, beyond which the curvature is another; except for the shortest steps of grids,
    // whose steps cost most.
    const bool sure = scaled.smooth() || (grids && !by_steps && error <= 1e-12 && gain <= 1e-3 &&
                                          newton.step.norm() <= 1e-9 * q.norm());
    if (sure && curved(newton) && gain > 0 && error * gain <= 4 * eps) {
      best.q = scaled.without_free(q + B * newton.step);
      best.error = error * gain;
      break;
    }
    // Beside a wedge the curvature fades to zero along the way.  Steps then get shorter by a
    // constant share of what is left: take all of it at once.
    const double whole = newton.step.norm(), shrinks = whole / last_step;
    const bool fades = areas && gain > 0.1 && gain < 0.5 && shrinks > 0.3 && shrinks < 0.9;
    const Vec3 d = B * newton.step * (fades ? 1 / (1 - shrinks) : 1);
    last_step = fades ? 0 : whole;
    const bool fresh = drift == 0;
    before = error;
    drift = std::max(drift, newton.step.norm() / q.norm());
    const bool keep = by_steps || (areas && drift <= 1e-3 && (fresh || gain <= 0.01));
    // At kinks of areas the load jumps within rounding: no curvature shows that.
    const bool last = newton.step.norm() <= 4 * eps * q.norm() && (!by_steps || error <= 1e-5);
    const auto [t, there] = step_along(scaled, q, d, at, flat, !keep);
    ScaledPower next = there;
    if (areas && fresh && !flat && error > 1e-3 && t < 1e-6) break;  // at a kink
    // Next to a rim the load is steeper than the curvature at q says: the steps show it.
    const bool stalls = (next.g - next.h * p).norm() / next.h > 0.5 * error;
    // The load of points is as their curvature says.
    if (areas && fresh && stalls && newton.step.norm() <= 1e-3 * q.norm() &&
        scaled.point_power(q, nullptr, true).K.trace() < 0.5 * at.K.trace())
      by_steps = true;
    if (keep) {
      next.K = at.K;
      add_secant(next.K, B, t * d, next.g - at.g);
    } else {
      drift = 0;
    }
    q = scaled.without_free(q + t * d);
    q /= p.dot(q);
    at = next;
    if (last) {
      // A step within rounding: a motion within rounding of q has the load sought.
      if (by_steps) at = scaled.power(q);
      const Vec2 left = B.transpose() * at.g;
      const Eigen::Matrix2d bend = B.transpose() * at.K * B;
      const NewtonStep more = newton_step(bend, left, floor);
      if (more.step.norm() <= 16 * eps * q.norm()) {
        // Along the level way the curvature has few digits, and the step may be short.
        const Vec2 steep = (bend * left).normalized();
        const double across = (left - steep * steep.dot(left)).norm();
        const double open = 16 * eps * q.norm() * more.least;
        return {.q = q,
                .error = areas && across > open ? across / at.h : 0,
                .strict = curved(more),
                .bowl = bowl_at(bend, at.h, q)};
      }
    }
  }
  return best;
}

Minimiser minimise_beyond_kinks(const ScaledSlider& scaled, const Minimiser& guess) {
  const auto& areas = scaled.areas();
  Minimiser found = guess;
  if (!areas.empty() && !scaled.smooth()) found = at_kink_beside(scaled, found);
  // Without kinks, a sum over thousands of cells still has its rounding.
  const bool grids = std::any_of(areas.begin(), areas.end(), [](const Support* area) {
    return area->shape == Support::Shape::grid;
  });
  const double enough = grids && scaled.smooth() ? 1e-10 : 1e-13;
  if (found.error > enough) found = minimise_beside_point(scaled, found);
  if (found.error > enough) found = minimise_by_cuts(scaled, found);
  if (found.error > enough) found = minimise_beside_point(scaled, found);
  // Beside a rim or an end, a motion far from the one sought may have its load to within 1e-13.
  const double last = grids ? enough : 8 * eps;
  if (found.error > last && !areas.empty() && found.rests == nullptr && !found.inside)
    found = minimise_by_slopes(scaled, found);
  return found;
}

namespace {

Motion normalised(const Slider& slider, const Motion& m) {
  const Vec3 v(m.vx, m.vy, slider.length_scale() * m.omega);
  const double largest = v.cwiseAbs().maxCoeff();
  return Motion::of(m.vector() / largest / (v / largest).norm());
}

// The motion about a place, which does not slip to the last bit.
Motion about(const Slider& slider, const Vec2& place, double turn) {
  const double omega =
      std::copysign(1 / std::hypot(plane::norm(place), slider.length_scale()), turn);
  return {omega * place.y(), -(omega * place.x()), omega};
}

std::optional<Vec2> rotation_centre(const Slider& slider, const Motion& m) {
  if (m.omega == 0) return std::nullopt;
  return Vec2(Vec2(-m.vy / m.omega, m.vx / m.omega) + slider.body().reference);
}

// The support that a motion turns about to rounding.  Turning about it to the last bit, the motion
// has all loads of the facet.  A ring whose law turns with it has such a place at its centre.
std::optional<Vec2> place_at_rest(const ScaledSlider& scaled, const Minimiser& found) {
  if (found.rests != nullptr) return found.rests->support->at;
  const auto rests = [&](const Vec2& at) {
    return slip_at(at, found.q).norm() <= scaled.slip_slack(at, found.q);
  };
  if (const ScaledPoint* point = slowest(scaled, found.q, false);
      point != nullptr && rests(point->at))
    return point->support->at;
  for (const Support* area : scaled.areas())
    if (area->tangential && rests(scaled.scaled(area->at))) return area->at;
  return std::nullopt;
}

// A load through the centre of friction: its motion is a translation, not a turn by rounding; and
// normal to a flat if it is so to rounding.
void make_translation(const ScaledSlider& scaled, Minimiser& found) {
  if (std::abs(found.q[2]) > 1e-10 * found.q.norm()) return;
  Vec3 straight(found.q[0], found.q[1], 0);
  for (const Support& support : scaled.slider().supports()) {
    const Vec2 v = straight.head<2>();
    if (const auto flat = flat_facing(support.curve, v, rounding * v.norm())) {
      const Vec2& n = support.curve.pieces()[*flat].normal;
      straight.head<2>() = n.dot(v) * n;
    }
  }
  if (straight == found.q) return;
  LoadFace face(scaled, straight);
  const double m = face.power() / scaled.p().dot(straight);
  // Its direction is known to rounding too.
  if (face.distance(m * scaled.p()) <= std::max(1e-13, found.error) * m) found.q = straight;
}

// Distance of P from the loads of a motion within rounding of q, over P; g is one of them.
double distance(const ScaledSlider& scaled, const Vec3& q, const Vec3& g, double gauge_of_unit) {
  const Vec3 target = scaled.p() / gauge_of_unit;
  const Vec3 r = target - g;
  if (r.norm() <= 1e-13 * target.norm()) return r.norm() / target.norm();
  // Where the load is steep, the motion may differ by rounding.  Next to a point support its slip
  // turns far within that rounding, so that its force is followed there.
  const ScaledPower areas = scaled.area_power(q, true);
  const double allowed = rounding * q.norm();
  Vec3 change = Vec3::Zero();
  double near = infinity;
  for (int k = 0; k < 8; ++k) {
    const ScaledPower points = scaled.point_power(q, &change, true);
    const Vec3 left = target - points.g - areas.g - areas.K * change;
    if (left.norm() < 0.5 * near)
      near = left.norm();
    else
      break;
    if (near <= 1e-13 * target.norm()) return near / target.norm();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> K(points.K + areas.K);
    const Vec3 step = K.eigenvectors().transpose() * left;
    Vec3 total = K.eigenvectors().transpose() * change;
    for (int i = 0; i < 3; ++i)
      if (const double stiff = K.eigenvalues()[i]; stiff > 0)
        total[i] = std::clamp(total[i] + step[i] / stiff, -allowed, allowed);
    change = K.eigenvectors() * total;
  }
  near = std::min(near, LoadFace(scaled, q).distance(target));
  if (!scaled.areas().empty() && near > 1e-13 * target.norm()) {
    // Beside a rim the load may change like the root of the distance, on one side of it: the loads
    // on the way to a motion that is farther towards the target by rounding.
    const Vec3 way = scaled.power(q + allowed * r.normalized(), false).g - g;
    const double share = std::clamp(r.dot(way) / std::max(way.squaredNorm(), 1e-300), 0.0, 1.0);
    near = std::min(near, (r - share * way).norm());
  }
  return near / target.norm();
}

}  // namespace

MotionSet motion(const Slider& slider, const Load& load, const Progress& progress) {
  if (!load.vector().allFinite()) throw InvalidInput("load is not finite");
  MotionSet set;
  ScaledSlider scaled(slider, load, progress);
  if (!std::isfinite(scaled.size()))
    throw InvalidInput("load is (" + text(load.fx) + ", " + text(load.fy) + ", " +
                       text(load.moment) + "), expected less: it overflows over the slider's size");
  scaled.tell();
  if (scaled.size() == 0) return set;
  Minimiser found{.q = scaled.p(), .error = 0};
  const std::optional<Vec3> free = scaled.strength() > 0 ? scaled.put_among_loads() : scaled.p();
  if (free) {
    found.q = *free;
  } else {
    found = scaled.creased() ? minimise_on_creases(scaled) : minimise_from_coarse(scaled);
    found = minimise_beyond_kinks(scaled, found);
    // The curvature at q does not say what is beyond: where an arc ends at a vertex, where a
    // segment turns about its end, and where the slips of an area are normal to a flat near its
    // rim.
    const auto ends = [](const Support& support) {
      return support.curve.shape() == LimitCurve::Shape::clipped ||
             support.shape == Support::Shape::segment ||
             (support.shape != Support::Shape::point && !support.curve.pieces().empty());
    };
    const auto& supports = slider.supports();
    if (!found.inside && (!found.strict || (found.rests == nullptr &&
                                            std::any_of(supports.begin(), supports.end(), ends)))) {
      for (const Vec3& q : minimisers_around(scaled, found))
        set.wedge.push_back(normalised(slider, scaled.motion(q)));
      set.unique = set.wedge.empty();
    }
    if (found.rests == nullptr) make_translation(scaled, found);
  }
  if (const std::optional<Vec2> place = place_at_rest(scaled, found)) {
    set.motion = about(slider, *place, found.q[2]);
    set.rotation_centre = *place + slider.body().reference;
  } else {
    set.motion = normalised(slider, scaled.motion(found.q));
    set.rotation_centre = rotation_centre(slider, set.motion);
  }
  scaled.tell();
  const PowerDerivatives at = power_and_load(slider, set.motion.vector());
  const double power = at.power;
  const double work = load.vector().dot(set.motion.vector());
  const double resistance =
      scaled.strength() * scaled.scaled(set.motion).norm();  // what a power is compared with
  if (power <= scaled.noise() * resistance) {
    set.gauge = infinity;
    set.state = MotionSet::State::outside;
    return set;
  }
  set.gauge = work / power;
  set.state = std::abs(set.gauge - 1) <= 1e-9 ? MotionSet::State::slip
              : set.gauge < 1                 ? MotionSet::State::stick
                                              : MotionSet::State::outside;
  const double unit = set.gauge * scaled.strength() / scaled.size();  // gauge of p w
  set.certificate = {.power = power,
                     .work = work,
                     .distance = distance(scaled, found.q, scaled.scaled(at.load), unit)};
  return set;
}

}  // namespace stiction
