// SPDX-License-Identifier: Apache-2.0
//
// Facets: a motion has a two-dimensional face if a support with an area of forces rests, or if two
// slips are normal to flats, or a pressure slides as one normal to a flat.  All such motions are
// known: about each support, on two planes of motions at once, translations along the normals.
//
// The slip at r is normal to a flat, n ∥ slip, where the rotation centre is on the line through r
// along the flat.  Two such lines, along t and t′ through r and r′, cross at the centre of
//
//   ω = t × t′,   slips  a n at r  and  b n′ at r′,   a = (r′ − r) × t′,  b = (r′ − r) × t
//
// a motion whose face holds both flats if a, b > 0; if a, b < 0 the face of its opposite does.
// Parallel lines meet in a translation.  More than two may meet in one place: of those the two that
// cross at the largest angle tell the motion, and it is normal to the others within rounding.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/plane.h"
#include "slider/motion/face_of_loads.h"
#include "slider/surface/structure.h"

namespace stiction {

namespace {

// A flat with its line: that of a point's law, or one that runs along a segment.
struct LineFlat {
  Vec2 at, to;  // the point, or the segment's ends
  Vec2 normal;

  Vec2 along() const { return plane::left(normal); }
  // The largest slip along the normal: beyond the rotation centre a segment slips the other way.
  double slip(const Vec3& m) const {
    return std::max(normal.dot(slip_at(at, m)), normal.dot(slip_at(to, m)));
  }
  bool faces(const Vec3& m) const { return slip(m) > slip_slack(at, m); }
  // Is it part of the face, or all of the law for the support rests?
  bool meets(const Vec3& m) const {
    return std::abs(cross(normal, slip_at(at, m))) <= slip_slack(at, m) &&
           slip(m) >= -slip_slack(at, m);
  }
};

std::vector<LineFlat> line_flats(const Slider& slider) {
  std::vector<LineFlat> flats;
  for (const Support& s : slider.supports()) {
    if (!carries(s)) continue;
    const bool segment = s.shape == Support::Shape::segment;
    if (!segment && s.shape != Support::Shape::point) continue;
    const Vec2 along = segment ? Vec2((s.to - s.at).normalized()) : Vec2::Zero();
    for (const LimitCurve::Piece& piece : s.curve.pieces())
      if (!piece.arc && std::abs(piece.normal.dot(along)) <= rounding)
        flats.push_back({s.at, segment ? s.to : s.at, piece.normal});
  }
  return flats;
}

// The motion normal to both flats or against them; zero if their lines are one.
Vec3 motion_across(const LineFlat& i, const LineFlat& j) {
  const Vec2 d = j.at - i.at;
  const double a = cross(d, j.along()), b = cross(d, i.along());
  double omega = cross(i.along(), j.along());
  if (std::abs(omega) <= rounding) {
    if (std::abs(a) <= rounding * (i.at.norm() + j.at.norm())) return Vec3::Zero();
    omega = 0;
  }
  // From the place nearer to the centre, whose slip leaves less rounding.
  const bool nearer = std::abs(a) < std::abs(b);
  const Vec2 slip = nearer ? a * i.normal : b * j.normal;
  const Vec2 v = slip - omega * plane::left(nearer ? i.at : j.at);
  return {v.x(), v.y(), omega};
}

class Facets {
 public:
  Facets(const Slider& slider, const ScaledSlider& scaled)
      : slider_(slider), scaled_(scaled), flats_(line_flats(slider)) {
    known_.resize(flats_.size() * flats_.size());
    rows_.reserve(flats_.size());
    for (const LineFlat& flat : flats_)
      rows_.push_back(scaled_.scaled(load_of(flat.at, flat.along())).normalized());
  }

  void about_supports() {
    std::vector<Vec2> done;
    for (const Support& s : slider_.supports()) {
      if (!carries(s)) continue;
      if (s.shape != Support::Shape::point && s.shape != Support::Shape::ring) continue;
      const Vec3 m(s.at.y(), -s.at.x(), 1);
      const auto rests = [&](const Vec2& place) {
        return slip_at(place, m).norm() <= slip_slack(place, m);
      };
      if (std::any_of(done.begin(), done.end(), rests)) continue;
      done.push_back(s.at);
      offer(m);
      offer(-m);
    }
  }

  void translations_of_areas() {
    std::vector<Vec2> done;
    for (const Support* area : scaled_.areas())
      for (const LimitCurve::Piece& piece : area->curve.pieces()) {
        const auto same = [&](const Vec2& normal) {
          return normal.dot(piece.normal) > 0 && std::abs(cross(normal, piece.normal)) <= rounding;
        };
        if (piece.arc || std::any_of(done.begin(), done.end(), same)) continue;
        done.push_back(piece.normal);
        offer({piece.normal.x(), piece.normal.y(), 0});
      }
  }

  // False where it was stopped.
  bool pairs_of_flats(const Progress& progress) {
    struct Pair {
      float sine;  // of the angle between the planes of motions across the flats
      std::uint32_t i, j;
    };
    std::vector<Pair> pairs;
    const auto count = static_cast<std::uint32_t>(flats_.size());
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t j = i + 1; j < count; ++j)
        pairs.push_back({static_cast<float>(rows_[i].cross(rows_[j]).norm()), i, j});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& x, const Pair& y) { return x.sine > y.sine; });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (progress && k % count == 0 &&
          !progress(static_cast<double>(k) / static_cast<double>(pairs.size())))
        return false;
      const auto [sine, i, j] = pairs[k];
      const Vec3 m = motion_across(flats_[i], flats_[j]);
      if (m.isZero(0)) continue;
      for (const Vec3& way : {m, Vec3(-m)})
        if (flats_[i].faces(way) && flats_[j].faces(way) && !known(i, j, scaled_motion(way)))
          add(way);
    }
    return true;
  }

  std::vector<Facet> found;

 private:
  Vec3 scaled_motion(const Vec3& m) const { return scaled_.scaled(Motion::of(m)); }

  // Keeps the motion if its loads span a plane.
  void offer(const Vec3& m) {
    if (LoadFace(scaled_, scaled_motion(m).normalized()).dimension() == 2) add(m);
  }

  void add(const Vec3& m) {
    const Motion motion = normalised(slider_, Motion::of(m));
    found.push_back({motion, load(slider_, Motion::of(m))});
    found.back().loads.power *= motion.vector().norm() / m.norm();
    std::vector<std::size_t> met;
    for (std::size_t i = 0; i < flats_.size(); ++i)
      if (flats_[i].meets(m)) met.push_back(i);
    const Vec3 q = scaled_motion(m);
    for (const std::size_t i : met)
      for (const std::size_t j : met)
        if (i < j) known(i, j, q) = true;
  }

  // Has the motion across i and j that is next to q been found?  Each pair has two, opposite.
  std::vector<bool>::reference known(std::size_t i, std::size_t j, const Vec3& q) {
    const bool along = rows_[i].cross(rows_[j]).dot(q) > 0;
    return known_[along ? i * flats_.size() + j : j * flats_.size() + i];
  }

  const Slider& slider_;
  const ScaledSlider& scaled_;
  std::vector<LineFlat> flats_;
  std::vector<Vec3> rows_;  // unit vectors across all motions normal to a flat, scaled
  std::vector<bool> known_;
};

}  // namespace

OrReason<std::vector<Facet>> surface_facets(const Slider& slider, const ScaledSlider& scaled,
                                            const Progress& progress) {
  Facets facets(slider, scaled);
  facets.about_supports();
  facets.translations_of_areas();
  if (!facets.pairs_of_flats(progress)) return {.value = {}, .reason = stopped};
  return {.value = std::move(facets.found), .reason = ""};
}

}  // namespace stiction
