// SPDX-License-Identifier: Apache-2.0
#include "slider/surface/radial_error.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/slider_motion.h"

namespace stiction {

// By turns of the golden angle over an eighth of the sphere and its mirror images: a symmetric
// surface gets a symmetric fit.
Vec3 spread_direction(int k, int count) {
  const int eighth = (count + 7) / 8, image = k / eighth;
  const double z = (k % eighth + 0.5) / eighth, r = std::sqrt(1 - z * z);
  const double turn = (std::sqrt(5.0) - 1) / 2 * (k % eighth + 0.5);
  const double angle = std::numbers::pi / 2 * (turn - std::floor(turn));
  return {(image & 1 ? -1 : 1) * r * std::cos(angle), (image & 2 ? -1 : 1) * r * std::sin(angle),
          (image & 4 ? -1 : 1) * z};
}

namespace {

double value(const Quartic& form, const Vec3& z) { return z.dot(form.hessian(z) * z) / 12; }
Vec3 gradient(const Quartic& form, const Vec3& z) { return form.hessian(z) * z / 3; }

// The load of M that does the most work on the motion y: f(z) − z·y is least at a multiple of it.
// From a load that does some.
Vec3 farthest(const Quartic& form, const Vec3& y, const Vec3& start) {
  Vec3 z = start * std::cbrt(start.dot(y) / (4 * value(form, start)));
  double least = value(form, z) - z.dot(y);
  for (int k = 0; k < 40; ++k) {
    const Vec3 slope = gradient(form, z) - y;
    if (slope.norm() <= 1e-9 * y.norm()) break;
    Vec3 step = -form.hessian(z).llt().solve(slope);
    const auto there = [&] { return value(form, z + step) - (z + step).dot(y); };
    double next = there();
    for (int halved = 0; halved < 30 && !(next < least); ++halved) {
      step /= 2;
      next = there();
    }
    if (!(next < least)) break;  // by rounding
    z += step;
    least = next;
  }
  return z / std::pow(value(form, z), 0.25);
}

// A load of B that M falls short of, or one of M that is outside of B.
struct Place {
  bool outside = false;
  double error = 0;
  LoadAndMotion at;
};

// The worst of the starts, none near a worse one.
std::vector<Place> worst_of(std::vector<Place> starts, std::size_t count) {
  std::sort(starts.begin(), starts.end(),
            [](const Place& a, const Place& b) { return a.error > b.error; });
  std::vector<Place> worst;
  constexpr double near = 0.2;  // of a radius
  for (const Place& start : starts) {
    if (worst.size() == count) break;
    const Vec3 z = start.at.load.normalized();
    if (std::none_of(worst.begin(), worst.end(), [&](const Place& other) {
          return (z - other.at.load.normalized()).norm() < near;
        }))
      worst.push_back(start);
  }
  return worst;
}

class Search {
 public:
  Search(const Slider& slider, const LoadCoordinates& coordinates, const Quartic& form)
      : slider_(slider), coordinates_(coordinates), form_(form) {}

  Place known(const LoadAndMotion& at) const {
    const double s = std::pow(value(form_, at.load), -0.25);
    return {.outside = s > 1, .error = std::abs(s - 1), .at = at};
  }
  // The load of B that does the most work on ∇f, and what M falls short of it.
  Place inward(const LoadAndMotion& at) const {
    const Motion q = normalised(gradient(form_, at.load));
    const Vec3 load = coordinates_.of(stiction::load(slider_, q).load);
    return {.error = 1 - std::pow(value(form_, load), -0.25), .at = {load, coordinates_.of(q)}};
  }
  // The load of M that does the most work on the motion, and what it is beyond B.
  Place outward(const LoadAndMotion& at) const {
    const Vec3 load = farthest(form_, at.motion, at.load);
    const MotionSet set = motion(slider_, coordinates_.load(load));
    return {true, set.gauge - 1, {load, coordinates_.of(set.motion)}};
  }
  // The same load, and what it is beyond B at least, by this motion's power.
  Place tangent(const LoadAndMotion& at) const {
    const double power = stiction::load(slider_, coordinates_.motion(at.motion)).power;
    const Vec3 load = farthest(form_, at.motion, at.load);
    return {true, load.dot(at.motion) / power - 1, {load, at.motion}};
  }

  // Steps until they gain no more than a share of the error.  Where both surfaces bend alike a step
  // is short: each starts farther on the way of the last ones, the more of them there were
  // (Nesterov), until that does not gain.  The same motion again is a vertex or a flat.
  Place climb(Place top, double share) const {
    LoadAndMotion before = top.at;
    int run = 0;
    for (int k = 0; k < (top.outside ? 50 : 100); ++k) {
      const double stretch = run / (run + 3.0);
      const LoadAndMotion from{top.at.load + stretch * (top.at.load - before.load),
                               top.at.motion + stretch * (top.at.motion - before.motion)};
      const Place next = top.outside ? outward(from) : inward(from);
      const bool gains = next.error - top.error > share * std::abs(top.error);
      if (!gains && run == 0) break;
      before = top.at;
      if (gains) top = next;
      run = gains ? run + 1 : 0;
      if ((next.at.motion - before.motion).norm() <= 1e-12 * before.motion.norm()) break;
    }
    return top;
  }

  Motion normalised(const Vec3& y) const {
    const Motion q = coordinates_.motion(y);
    return Motion::of(q.vector() / Vec3(q.vx, q.vy, slider_.length_scale() * q.omega).norm());
  }

 private:
  const Slider& slider_;
  const LoadCoordinates& coordinates_;
  const Quartic& form_;
};

}  // namespace

RadialError radial_error(const Slider& slider, const LoadCoordinates& coordinates,
                         const Quartic& form, const std::vector<LoadAndMotion>& known,
                         const Progress& progress) {
  const Search search(slider, coordinates, form);
  // Of equal ones, as on opposite sides, the first, whatever the rounding.
  Place worst = search.known(known.front());
  constexpr double equal = 1e-7;
  const auto note = [&](const Place& found) {
    if (found.error > worst.error * (1 + equal)) worst = found;
  };
  const auto result = [&] { return RadialError{worst.error, search.normalised(worst.at.motion)}; };
  for (const LoadAndMotion& at : known) note(search.known(at));

  std::vector<Place> inside, outside;
  const int count = static_cast<int>(known.size());
  for (int k = 0; k < 2 * count; ++k) {
    if (progress && !progress(0.3 * k / count)) return result();
    LoadAndMotion at;
    if (k < count) {
      at = known[static_cast<std::size_t>(k)];
    } else {
      at.motion = spread_direction(k - count, count);
      at.load = coordinates.of(load(slider, coordinates.motion(at.motion)).load);
    }
    inside.push_back(search.inward(at));
    outside.push_back(search.tangent(at));
    note(inside.back());
  }
  // A step outward takes a search for the motion, one inward a load alone.
  std::vector<Place> climbs = worst_of(std::move(outside), 12);
  for (const Place& start : worst_of(std::move(inside), 30)) climbs.push_back(start);
  for (std::size_t k = 0; k < climbs.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(climbs.size());
    if (progress && !progress(0.6 + 0.4 * share)) return result();
    note(search.climb(climbs[k], 1e-2 * equal));
  }
  // The error is level at the top: the motion there is told by steps that lose it by rounding.
  worst = search.climb(worst, -1e-14);
  return result();
}

}  // namespace stiction
