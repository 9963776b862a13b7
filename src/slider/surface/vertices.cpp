// SPDX-License-Identifier: Apache-2.0
//
// Vertices: two motions have one load if every slip of theirs has one force.  Where the law is
// curved the slips must be parallel; at more than one place, for all motions about places on the
// line through them, and no others.  So the curved supports are on a line, and a walk of the centre
// along it, turning to the left, and back, turning to the right, shows where the load stays:
//
//   turn left about  −∞ … t₁ … t₂ … ∞ = translation = −∞ … t₁ … t₂ … ∞  turn right about, and so on
//
// It changes where the centre passes a curved support or where a slip passes the normal of a flat,
// at the crossing of the flat's line with this one, and inside a curved segment all the way.  With
// fewer curved supports there are edges: a continuum of such loads; so there are where a slip stays
// normal to a flat all along.
//
// Places and crossings are told apart by the rounding of their coordinates alone, so that neither
// units nor other supports decide.
#include <algorithm>
#include <cmath>

#include "base/plane.h"
#include "slider/surface/structure.h"

namespace stiction {

namespace {

using Shape = LimitCurve::Shape;
constexpr const char* continuum = "a continuum of loads has more than one motion each";

// A centre at which the load changes, for turns to the left and to the right.
struct Cut {
  double at = 0, slack = 0;  // along the line, and how exactly it is known           [m]
  bool left = false, right = false;
};

// A motion that bounds a cone: a turn about a place of the line, or the translation between turns.
struct Bound {
  double at = 0;
  int turn = 1;
  bool translation = false;
};

class LineWalk {
 public:
  explicit LineWalk(const Slider& slider) : slider_(slider) {}

  OrReason<std::vector<Vertex>> vertices();

 private:
  Vec2 centre(double at) const { return base_ + at * along_; }
  double place(const Vec2& r) const { return along_.dot(r - base_); }
  Vec2 normal() const { return plane::left(along_); }
  // From turns to the left on to those to the right, and back again.
  Vec2 translation(int turn) const { return -turn * normal(); }
  double terms(const Vec2& r) const { return r.norm() + base_.norm() + end_.norm(); }
  bool on_line(const Vec2& r) const {
    return std::abs(cross(along_, r - base_)) <= rounding * terms(r);
  }

  void add_flats(const Support& support);
  void merge_cuts();
  std::vector<Bound> bounds() const;
  Vec3 motion(const Bound& bound) const {
    const Vec2 c = centre(bound.at), v = translation(bound.turn);
    if (bound.translation) return {v.x(), v.y(), 0};
    return bound.turn * Vec3(c.y(), -c.x(), 1);
  }
  Bound between(const Bound& from, const Bound& to) const;
  Vec2 slip(const Vec2& r, const Bound& bound) const {
    return bound.translation ? translation(bound.turn)
                             : Vec2(bound.turn * plane::left(r - centre(bound.at)));
  }
  // Of a place on the line, exactly across it.
  Vec2 slip_across(const Vec2& r, const Bound& bound) const {
    return std::copysign(1.0, normal().dot(slip(r, bound))) * normal();
  }
  std::optional<Load> load_of_cone(const Bound& middle) const;

  const Slider& slider_;
  Vec2 base_ = Vec2::Zero(), end_ = Vec2::Zero(), along_ = Vec2::Zero();
  std::vector<Cut> cuts_;
  bool cut_[2] = {false,
                  false};  // translations across which the load changes, after left and right
};

void LineWalk::add_flats(const Support& s) {
  for (const LimitCurve::Piece& piece : s.curve.pieces()) {
    const Vec2 flat = plane::left(piece.normal);
    const double sine = cross(along_, flat);
    if (std::abs(sine) <= rounding) {  // met in a translation, or all along
      if (!on_line(s.at)) cut_[piece.normal.dot(normal()) < 0 ? 0 : 1] = true;
      continue;
    }
    const double at = cross(s.at - base_, flat) / sine;
    const double slack = rounding * terms(s.at) / std::abs(sine);
    const double way = piece.normal.dot(plane::left(s.at - centre(at)));
    cuts_.push_back({at, slack, way >= -slack, way <= slack});
  }
}

void LineWalk::merge_cuts() {
  std::ranges::sort(cuts_, {}, &Cut::at);
  std::vector<Cut> merged;
  for (const Cut& cut : cuts_) {
    if (!merged.empty() && cut.at - merged.back().at <= std::max(cut.slack, merged.back().slack)) {
      Cut& last = merged.back();
      if (cut.slack < last.slack) last.at = cut.at, last.slack = cut.slack;
      last.left = last.left || cut.left;
      last.right = last.right || cut.right;
    } else {
      merged.push_back(cut);
    }
  }
  cuts_ = merged;
}

std::vector<Bound> LineWalk::bounds() const {
  std::vector<Bound> result;
  for (const int turn : {1, -1}) {
    for (const Cut& cut : cuts_)
      if (turn > 0 ? cut.left : cut.right) result.push_back({cut.at, turn, false});
    if (cut_[turn > 0 ? 0 : 1]) result.push_back({0, turn, true});
  }
  return result;
}

Bound LineWalk::between(const Bound& from, const Bound& to) const {
  const double far = (end_ - base_).norm();
  if (!from.translation && !to.translation)
    return from.turn == to.turn && to.at > from.at ? Bound{0.5 * (from.at + to.at), from.turn}
                                                   : Bound{0, from.turn, true};
  if (to.translation) return from.translation ? Bound{0, to.turn} : Bound{from.at + far, from.turn};
  return {to.at - far, to.turn};
}

// Nothing where a slip is normal to a flat.
std::optional<Load> LineWalk::load_of_cone(const Bound& middle) const {
  Vec3 sum = Vec3::Zero();
  for (const Support& s : slider_.supports()) {
    if (!carries(s)) continue;
    const Vec2 place = s.shape == Support::Shape::segment ? Vec2(0.5 * (s.at + s.to)) : s.at;
    const Vec2 v = on_line(place) ? slip_across(place, middle) : slip(place, middle);
    const Face face = s.curve.face(v);
    if (face.kind != Face::Kind::point) return {};
    sum += load_of(place, s.normal_force * face.first);
  }
  return Load::of(sum);
}

OrReason<std::vector<Vertex>> LineWalk::vertices() {
  const OrReason<std::vector<Vertex>> none{.value = std::vector<Vertex>{}, .reason = ""};
  // Where the curved laws press: points, and both ends of segments.
  std::vector<Vec2> places;
  bool spread = false;
  for (const Support& s : slider_.supports()) {
    if (!carries(s)) continue;
    if (s.curve.shape() == Shape::clipped || (s.tangential && s.curve.shape() != Shape::ellipse))
      return {.value = {}, .reason = continuum};
    if (s.curve.shape() != Shape::ellipse) continue;
    places.push_back(s.at);
    if (s.shape == Support::Shape::segment)
      places.push_back(s.to);
    else if (s.shape != Support::Shape::point)
      spread = true;
  }
  if (spread) return none;
  if (places.empty()) return {.value = {}, .reason = continuum};
  // The farthest place from the first, and whether all are on the line to it.
  base_ = places[0];
  end_ = *std::ranges::max_element(places, {}, [&](const Vec2& r) { return (r - base_).norm(); });
  if ((end_ - base_).norm() <= rounding * (end_.norm() + base_.norm()))
    return {.value = {}, .reason = continuum};
  along_ = (end_ - base_).normalized();
  if (!std::ranges::all_of(places, [&](const Vec2& r) { return on_line(r); })) return none;

  for (const Vec2& r : places)
    cuts_.push_back({place(r), rounding * (r.norm() + base_.norm()), true, true});
  for (const Support& s : slider_.supports()) {
    if (!carries(s) || s.curve.shape() == Shape::ellipse) continue;
    if (s.shape != Support::Shape::point)
      return {.value = {}, .reason = "not computed for a flat law under a spread pressure"};
    add_flats(s);
  }
  merge_cuts();

  std::vector<Vertex> found;
  const std::vector<Bound> cone = bounds();
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Bound &from = cone[k], &to = cone[(k + 1) % cone.size()], middle = between(from, to);
    const auto inside = [&](const Support& s) {  // the load changes with the centre
      return carries(s) && s.shape == Support::Shape::segment && !middle.translation &&
             (place(s.at) - middle.at) * (place(s.to) - middle.at) < 0;
    };
    if (std::ranges::any_of(slider_.supports(), inside)) continue;
    const std::optional<Load> load = load_of_cone(middle);
    if (!load) return {.value = {}, .reason = continuum};
    const auto motion_of = [&](const Bound& b) {
      return normalised(slider_, Motion::of(motion(b)));
    };
    found.push_back({*load, {motion_of(from), motion_of(to)}});
  }
  return {.value = found, .reason = ""};
}

}  // namespace

OrReason<std::vector<Vertex>> surface_vertices(const Slider& slider) {
  return LineWalk(slider).vertices();
}

}  // namespace stiction
