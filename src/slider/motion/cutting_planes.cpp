// SPDX-License-Identifier: Apache-2.0
//
// The minimiser of a power with kinks.  A motion q with load g and p·q = 1 leaves only minimisers
// with (g − m p)·q ≤ 0, m the least power so far: a plane that cuts the cone of candidates.  Cut
// through its middle, the cone shrinks by a third a step or faster.  What is left shows which kinks
// meet at the minimiser: supports at rest, slips normal to flats (both linear in q), and the answer
// is computed on those alone.
#include <algorithm>
#include <cmath>

#include "base/plane.h"
#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

// Middle of a cone given by unit rays in order: of the triangles from its first ray, by area.
Vec3 middle(const std::vector<Vec3>& rays) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < rays.size(); ++k) {
    const double area = (rays[k] - rays[0]).cross(rays[k + 1] - rays[0]).norm();
    sum += area * (rays[0] + rays[k] + rays[k + 1]);
  }
  if (sum.isZero(0))
    for (const Vec3& ray : rays) sum += ray;
  return sum.normalized();
}

// The rays with a·ray ≤ 0, all of which p drives.  A side of almost half a turn gets its middle as
// a ray too: two ends that are almost opposite do not say on which side the cone is.
void cut(std::vector<Vec3>& rays, std::vector<Vec3>& kept, const Vec3& a, const Vec3& p) {
  kept.clear();
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const Vec3 &from = rays[k], &to = rays[(k + 1) % rays.size()];
    const double x = a.dot(from), y = a.dot(to);
    if (x <= 0) kept.push_back(from);
    if ((x < 0 && y > 0) || (x > 0 && y < 0))
      kept.push_back((from * std::abs(y) + to * std::abs(x)).normalized());
  }
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k].dot(kept[(k + 1) % kept.size()]) < -0.9) {  // the side along the cut
      const Vec3 along = (p - a * a.dot(p)).normalized();
      kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(k) + 1, along);
      break;
    }
  rays.swap(kept);
}

double extent(const std::vector<Vec3>& rays) {
  double largest = 0;
  for (const Vec3& a : rays)
    for (const Vec3& b : rays) largest = std::max(largest, (a - b).norm());
  return largest;
}

// What is known so far: the best motion, by the error of its load.
struct Search {
  const ScaledSlider& scaled;
  Minimiser best;

  // Whether q solves within rounding.
  bool offer(Vec3 q) {
    const double work = scaled.p().dot(q);
    if (work < 0) q = -q;
    if (!scaled.drives(q)) return false;
    q /= scaled.p().dot(q);
    LoadFace face(scaled, q);
    const double h = scaled.areas().empty() ? scaled.power(q, false).h : face.power();
    const bool resists = h > scaled.noise() * q.norm();
    const double off = face.distance(h * scaled.p()), error = resists ? off / h : 0;
    if (error < best.error) {
      best = {.q = q, .error = error, .strict = false};
      best.inside = face.depth() > 1e-9 * (resists ? h : q.norm());
      if (!face.unique() && !best.inside) best.tilt = face.towards();
    }
    return best.error <= 1e-14;
  }
};

// A kink that is a plane through zero motion: row·q = 0 makes a slip normal to a flat.
struct Crease {
  Vec3 row;
  double distance = 0;
};

// The creases next to a motion, the nearest first: of points, and of segments along a flat.
std::vector<Crease> creases_beside(const ScaledSlider& scaled, const Vec3& at, double reach) {
  std::vector<Crease> creases;
  const auto add = [&](const Vec2& place, const Vec2& normal) {
    const Vec3 row = load_of(place, plane::left(normal)).normalized();
    const double distance = std::abs(row.dot(at));
    if (distance <= reach && std::none_of(creases.begin(), creases.end(), [&](const Crease& other) {
          return other.row.cross(row).norm() <= 8 * eps;
        }))
      creases.push_back({row, distance});
  };
  for (const ScaledPoint& point : scaled.points())
    for (const LimitCurve::Piece& piece : point.curve().pieces())
      if (!piece.arc) add(point.at, piece.normal);
  for (const Support* area : scaled.areas())
    if (const LimitCurve::Piece* flat = flat_along(*area))
      add(scaled.scaled(area->at), flat->normal);
  std::sort(creases.begin(), creases.end(),
            [](const Crease& a, const Crease& b) { return a.distance < b.distance; });
  if (creases.size() > 12) creases.resize(12);
  return creases;
}

// Least power on a crease: the zero of its slope along the line p·q = 1, row·q = 0.
Vec3 least_on(const ScaledSlider& scaled, const Vec3& row, const Vec3& near) {
  const Vec3& p = scaled.p();
  const Vec3 along = p.cross(row).normalized();
  Vec3 q = near - row * row.dot(near);
  if (!(p.dot(q) > 0)) return near;
  q /= p.dot(q);
  // The slope is negative at `low` and positive at `high`; at a kink it is zero at neither.
  struct Place {
    double t = 0, slope = 0;
  };
  Place low{-infinity, infinity}, high{infinity, infinity};
  double t = 0, step = 1e-9 * q.norm();
  for (int k = 0; k < 200; ++k) {
    const ScaledPower at = scaled.power(q + t * along);
    const double slope = at.g.dot(along);
    (slope > 0 ? high : low) = {t, std::abs(slope)};
    if (std::abs(slope) <= 2 * eps * at.h) break;
    const double curvature = along.dot(at.K * along);
    double next = curvature > 0 ? t - slope / curvature : infinity;
    if (!std::isfinite(low.t) || !std::isfinite(high.t)) {
      step *= 8;
      const double bound = slope > 0 ? t - step : t + step;
      if (!(std::abs(next - t) < step)) next = bound;
    } else if (!(next > low.t && next < high.t) || k % 4 == 3) {
      next = 0.5 * (low.t + high.t);
    }
    if (next == t || high.t - low.t <= 2 * eps * (q.norm() + std::abs(t))) break;
    t = next;
  }
  return q + (low.slope < high.slope ? low.t : high.t) * along;
}

// Motions at which all slips of an area may be normal to a flat of its law: translations, and of a
// ring whose law turns with it the turn about its centre.
std::vector<Vec3> area_kinks(const ScaledSlider& scaled) {
  std::vector<Vec3> kinks;
  for (const Support* area : scaled.areas())
    for (const LimitCurve::Piece& piece : area->curve.pieces())
      if (!piece.arc)
        kinks.push_back(area->tangential ? scaled.about(scaled.scaled(area->at))
                                         : Vec3(piece.normal.x(), piece.normal.y(), 0));
  return kinks;
}

}  // namespace

Minimiser at_kink_beside(const ScaledSlider& scaled, const Minimiser& found) {
  const Vec3 at = found.q.normalized();
  const bool wanting = found.error > 1e-13;
  const auto power = [&](const Vec3& q) {
    const double work = scaled.p().dot(q);
    return work > 0 ? scaled.power(q, false).h / work : infinity;
  };
  Search search{scaled, {}};
  double least = wanting ? power(found.q) * (1 + 1e-13) : 0;
  Vec3 lowest = Vec3::Zero();
  for (const Vec3& kink : area_kinks(scaled)) {
    if ((kink.normalized() - at).norm() <= 1e-9) {
      search.offer(kink);
    } else if (const double h = wanting ? power(kink) : infinity; h <= least) {
      least = h;
      lowest = kink;
    }
  }
  if (!lowest.isZero(0)) search.offer(lowest);
  return search.best.error <= 1e-13 ? search.best : found;
}

Minimiser minimise_by_cuts(const ScaledSlider& scaled, const Minimiser& guess) {
  const Vec3& p = scaled.p();
  const auto B = scaled.plane();
  Search search{scaled, guess};
  // Where nothing resists some motion, a line is left to search, and no cut shortens it.
  if (!scaled.free().isZero(0) &&
      search.offer(least_on(scaled, scaled.free(), guess.q.isZero(0) ? p : guess.q)))
    return search.best;
  std::vector<Vec3> rays, kept;
  for (int k = 0; k < 4; ++k) {
    const Vec3 side = (k % 2 == 0 ? B.col(0) : B.col(1)) * (k < 2 ? 1 : -1);
    rays.push_back((side + 1e-8 * p).normalized());
  }
  Vec3 q = guess.q.isZero(0) ? p : guess.q;
  Vec3 lowest = q;
  double least = infinity, size = 2;
  for (int k = 0; k < 150; ++k) {
    if (!scaled.spread() && !p.head<2>().isZero(0)) q[2] = 0;  // turning on one place is free
    q = scaled.without_free(q);
    q /= p.dot(q);
    const ScaledPower at = scaled.power(q, false);
    if (at.h < least) {
      least = at.h;
      lowest = q;
    }
    if (!(at.h > scaled.noise() * q.norm())) {
      if (scaled.drives(q)) return {.q = q, .error = 0};
      break;
    }
    if ((at.g - at.h * p).norm() <= 1e-14 * at.h) return {.q = q, .error = 0};
    cut(rays, kept, (at.g - least * p).normalized(), p);
    if (rays.size() < 3) break;
    size = extent(rays);
    if (size < 1e-10) break;
    if (k % 8 == 7) {
      const Minimiser smooth = minimise_by_newton(scaled, lowest, false);
      if (smooth.error <= 1e-14) return smooth;
      if (smooth.error < search.best.error) search.best = smooth;
    }
    q = middle(rays);
    if (!(p.dot(q) > 0)) break;
  }

  // The smooth piece, then the kinks within reach of what is left.
  const Minimiser smooth = minimise_by_newton(scaled, lowest, false);
  if (smooth.error < search.best.error) search.best = smooth;
  if (search.best.error <= 1e-14) return search.best;
  // Along a wedge the power is level, and the candidates left may be far from the kink at its end.
  if (const ScaledPoint* point = slowest(scaled, smooth.q, false); point != nullptr) {
    Minimiser found;
    if (on_facet(scaled, *point, found)) return found;
  }
  const Vec3 at = lowest.normalized();
  const double reach = std::clamp(16 * size, 1e-7, 1e-2);
  const std::vector<Crease> creases = creases_beside(scaled, at, reach);
  std::vector<Vec3> centres = area_kinks(scaled);
  for (const ScaledPoint& point : scaled.points())
    if ((scaled.about(point.at) - at).norm() <= reach) centres.push_back(scaled.about(point.at));
  for (const Crease& crease : creases)
    if (search.offer(least_on(scaled, crease.row, lowest))) return search.best;
  for (std::size_t i = 0; i < creases.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (search.offer(creases[i].row.cross(creases[j].row).normalized())) return search.best;
  for (const Vec3& centre : centres)
    if (search.offer(centre)) return search.best;
  search.offer(lowest);
  return search.best;
}

}  // namespace stiction
