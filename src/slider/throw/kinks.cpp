// SPDX-License-Identifier: Apache-2.0
#include "slider/throw/kinks.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"
#include "base/roots.h"
#include "slider/supports/flat_face.h"

namespace stiction {

namespace {

double needed(const std::optional<double>& value, const char* name) {
  if (!value)
    throw InvalidInput(std::string(name) +
                       " is missing, expected a positive number: free sliding needs it");
  return *value;
}

// Terms smaller than this beside unit power do not release a lock.
constexpr double slack = 1e-12;

// Slips that are less of their terms turn from part to part of a law within next to no time.
constexpr double at_a_tip = 1e-9;

// Of the plane that two vectors span.
Eigen::Matrix<double, 3, 2> orthonormal(const Eigen::Matrix<double, 3, 2>& columns) {
  Eigen::Matrix<double, 3, 2> rows;
  rows.col(0) = columns.col(0).normalized();
  rows.col(1) = columns.col(1) - rows.col(0) * rows.col(0).dot(columns.col(1));
  rows.col(1).normalize();
  return rows;
}

}  // namespace

ThrownBody::ThrownBody(const Slider& slider) : slider_(slider) {
  const SliderBody& body = slider.body();
  mass_ = needed(body.mass, "mass");
  rho_ = std::sqrt(needed(body.inertia, "inertia") / mass_);
  centre_ = body.centre_of_mass ? Vec2(*body.centre_of_mass - body.reference)
                                : slider.centre_of_pressure();
  to_motion_ << 1, 0, centre_.y() / rho_, 0, 1, -centre_.x() / rho_, 0, 0, 1 / rho_;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
    for (const double sign : {1.0, -1.0})
      unit_force_ = std::max(unit_force_, load(slider, motion(sign * axis)).power);
  for (const Support& support : slider.supports()) {
    Parts& parts = parts_.emplace_back();
    const LimitCurve& curve = support.curve;
    if (support.shape != Support::Shape::point || support.normal_force == 0) continue;
    for (const LimitCurve::Piece& piece : curve.pieces())
      parts.corners.push_back(curve.normals(piece.from).value_or(NormalCone{}));
    if (curve.has_arcs())
      parts.arc =
          ellipse(curve.ellipse().a, curve.ellipse().b, Direction::along(curve.ellipse().axis));
  }
  if (unit_force_ > 0)
    for (std::size_t i = 0; i < slider.supports().size(); ++i) add_kinks(static_cast<int>(i));
}

Vec3 ThrownBody::coordinates(const Motion& q) const {
  return {q.vx - q.omega * centre_.y(), q.vy + q.omega * centre_.x(), rho_ * q.omega};
}

Motion ThrownBody::motion(const Vec3& s) const { return Motion::of(to_motion_ * s); }

void ThrownBody::add_kinks(int index) {
  const Support& support = slider_.supports()[static_cast<std::size_t>(index)];
  const LimitCurve& curve = support.curve;
  if (support.normal_force == 0 || curve.shape() == LimitCurve::Shape::point) return;
  // Wheels on a line that roll across it slip along it by as much everywhere: they are one wheel.
  const bool one_wheel = support.shape == Support::Shape::segment &&
                         curve.shape() == LimitCurve::Shape::segment &&
                         std::abs((support.to - support.at).dot(curve.pieces()[0].normal)) <=
                             rounding * (support.to - support.at).norm();
  if (support.shape != Support::Shape::point && !one_wheel) {
    add_sheets(index);
    return;
  }
  Kink kink;
  kink.support = index;
  Eigen::Matrix<double, 3, 2> lift;
  lift << 1, 0, 0, 1, -support.at.y(), support.at.x();
  kink.slip = to_motion_.transpose() * lift;
  const auto add_row = [&](const Vec2& along) {
    kink.codimension = 1;
    kink.rows.setZero();
    kink.rows.col(0) = (kink.slip * along).normalized();
    kinks_.push_back(kink);
  };
  if (curve.shape() == LimitCurve::Shape::segment) {
    kink.kind = Kink::Kind::blade;
    const std::vector<Vec2> ends = curve.vertices();
    add_row((ends[1] - ends[0]).normalized());
    return;
  }
  kink.rows = orthonormal(kink.slip);
  kinks_.push_back(kink);
  kink.kind = Kink::Kind::flat;
  for (std::size_t k = 0; k < curve.pieces().size(); ++k) {
    const LimitCurve::Piece& piece = curve.pieces()[k];
    if (piece.arc) continue;
    const Vec2 first = support.normal_force / unit_force_ * piece.from;
    const Vec2 last = support.normal_force / unit_force_ * curve.piece_end(k);
    kink.facing = kink.slip * piece.normal;
    kink.middle = kink.slip * (0.5 * (first + last));
    kink.half = kink.slip * (0.5 * (last - first));
    add_row({-piece.normal.y(), piece.normal.x()});
  }
}

void ThrownBody::add_sheets(int index) {
  const Support& support = slider_.supports()[static_cast<std::size_t>(index)];
  const LimitCurve& curve = support.curve;
  if (curve.shape() == LimitCurve::Shape::ellipse) return;
  const Vec2 centre = pressure_moments(support).centre;
  Kink kink;
  kink.kind = Kink::Kind::sheet;
  kink.support = index;
  Eigen::Matrix<double, 3, 2> lift;
  lift << 1, 0, 0, 1, -centre.y(), centre.x();
  kink.slip = to_motion_.transpose() * lift;
  const LimitCurve::Piece* along = flat_along(support);
  if (along != nullptr) {
    kink.kind = Kink::Kind::line;
    kink.codimension = 1;
    kink.rows.setZero();
    kink.rows.col(0) = (kink.slip * plane::left(along->normal)).normalized();
    kinks_.push_back(kink);
    kink.kind = Kink::Kind::sheet;
    kink.codimension = 2;
  }
  for (std::size_t k = 0; k < curve.pieces().size(); ++k) {
    const LimitCurve::Piece& piece = curve.pieces()[k];
    if (piece.arc) continue;
    const Vec2 n = piece.normal, end = curve.piece_end(k);
    const Vec2 middle = support.normal_force / unit_force_ * (0.5 * (piece.from + end));
    if (support.tangential) {
      // The law sees the slip (ωR, 0) all around where the ring turns about its centre.
      if (std::abs(n.y()) > rounding) continue;
      kink.rows = orthonormal(kink.slip);
      kink.facing = Vec3(0, 0, n.x());
      kink.middle = Vec3(0, 0, support.radius * middle.x() / rho_);
    } else {
      if (along != nullptr && std::abs(cross(n, along->normal)) <= rounding) continue;
      // Almost along a line, it all but has a kink where that turns about a place in line with it.
      if (const Vec2 line = support.to - support.at;
          support.shape == Support::Shape::segment && std::abs(n.dot(line)) <= 1e-6 * line.norm())
        smooth_ = false;
      kink.rows << -n.y(), 0, n.x(), 0, 0, 1;
      kink.facing = kink.slip * n;
      kink.middle = kink.slip * middle;
    }
    kink.across = static_cast<int>(across_.size());
    across_.push_back(support);
    across_.back().curve = wheel(0.5 * (end - piece.from).norm(), Direction::along(n));
    kinks_.push_back(kink);
  }
}

std::vector<int> ThrownBody::parts_at(const Vec3& d, const Locks& locks) const {
  const std::vector<Support>& supports = slider_.supports();
  const Vec3 q = to_motion_ * d;
  std::vector<int> parts(supports.size(), any_part);
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const LimitCurve& curve = supports[i].curve;
    const Vec2 slip = slip_at(supports[i].at, q);
    const double terms = q.head<2>().norm() + std::abs(q[2]) * supports[i].at.norm();
    if (parts_[i].corners.empty() || locks.held[i] != 0 || slip.norm() <= at_a_tip * terms)
      continue;
    const bool on_arc = parts_[i].arc && !force_at(curve, slip).bend.isZero(0);
    parts[i] = on_arc ? arc_part : static_cast<int>(farthest_vertex(curve, slip));
  }
  return parts;
}

double ThrownBody::within_parts(const Vec3& d, const Locks& locks) const {
  const std::vector<Support>& supports = slider_.supports();
  const Vec3 q = to_motion_ * d;
  double least = 1;
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const int part = locks.parts[i];
    if (part == any_part) continue;
    const LimitCurve& curve = supports[i].curve;
    const Vec2 slip = slip_at(supports[i].at, q);
    if (part == arc_part) {
      const Vec2 force = curve.ellipse().point(slip);
      for (const LimitCurve::Piece& piece : curve.pieces())
        if (!piece.arc)
          least = std::min(least, (piece.offset - piece.normal.dot(force)) / force.norm());
      continue;
    }
    const NormalCone& cone = parts_[i].corners[static_cast<std::size_t>(part)];
    const double speed = slip.norm();
    least = std::min(least, cross(cone.first, slip) / speed);
    if (cone.kind == NormalCone::Kind::wedge)
      least = std::min(least, cross(slip, cone.last) / speed);
  }
  return least;
}

PowerDerivatives ThrownBody::at(const Vec3& d, const Locks& locks, bool second) const {
  return sum(d, locks, second, false);
}

PowerDerivatives ThrownBody::by_parts(const Vec3& d, const Locks& locks, bool second) const {
  return sum(d, locks, second, !locks.parts.empty());
}

PowerDerivatives ThrownBody::sum(const Vec3& d, const Locks& locks, bool second,
                                 bool by_parts) const {
  PowerDerivatives sum;
  const Vec3 q = to_motion_ * d;
  const std::vector<Support>& supports = slider_.supports();
  for (std::size_t i = 0; i < supports.size(); ++i) {
    if (!locks.held.empty() && locks.held[i] != 0) continue;
    const int part = by_parts ? locks.parts[i] : any_part;
    if (part == arc_part) {
      add_point_at(*parts_[i].arc, supports[i].at, supports[i].normal_force, static_cast<int>(i), q,
                   second, sum, nullptr);
      continue;
    }
    if (part != any_part) {
      const Vec3 load =
          supports[i].normal_force *
          load_of(supports[i].at, supports[i].curve.pieces()[static_cast<std::size_t>(part)].from);
      sum.load += load;
      sum.power += load.dot(q);
      continue;
    }
    const auto add = supports[i].shape == Support::Shape::point ? add_point : add_area;
    add(supports[i], static_cast<int>(i), q, second, sum, nullptr);
  }
  sum.power /= unit_force_;
  sum.load = to_motion_.transpose() * sum.load / unit_force_;
  if (second) sum.hessian = to_motion_.transpose() * sum.hessian * to_motion_ / unit_force_;
  // Along a flat the power is linear: the force is any of the flat's.
  for (const int k : locks.kinks) {
    const Kink& kink = kinks_[static_cast<std::size_t>(k)];
    if (kink.kind == Kink::Kind::line) {
      const PowerDerivatives middle = on_line(kink, d).middle;
      sum.load += middle.load;
      sum.power += middle.power;
      if (second) sum.hessian += middle.hessian;
    }
    if (!kink.has_flat()) continue;
    sum.load += kink.middle;
    sum.power += kink.middle.dot(d);
  }
  return sum;
}

ThrownBody::OnLine ThrownBody::on_line(const Kink& kink, const Vec3& d) const {
  const Support& line = slider_.supports()[static_cast<std::size_t>(kink.support)];
  const double force = line.normal_force / unit_force_;
  const Vec2 n = flat_along(line)->normal, whole = line.to - line.at;
  const Vec3 q = to_motion_ * d;
  const double first = n.dot(slip_at(line.at, q)), last = n.dot(slip_at(line.to, q));
  const bool parted = (first < 0) != (last < 0);
  const double border = parted ? first / (first - last) : 1;
  const Face faces[] = {line.curve.face(first < 0 || (first == 0 && last < 0) ? Vec2(-n) : n),
                        line.curve.face(last < 0 ? Vec2(-n) : n)};
  OnLine sum;
  Vec2 middle[2];
  for (const int k : {0, 1}) {
    const double from = k == 0 ? 0 : border, to = k == 0 ? border : 1, share = force * (to - from);
    middle[k] = 0.5 * (faces[k].first + faces[k].last);
    sum.middle.load += share * load_of(line.at + 0.5 * (from + to) * whole, middle[k]);
    sum.half += share * 0.5 * (faces[k].last - faces[k].first).norm();
  }
  sum.middle.load = to_motion_.transpose() * sum.middle.load;
  sum.middle.power = sum.middle.load.dot(d);
  if (parted) {  // the border moves with the motion
    const Vec3 across = to_motion_.transpose() * load_of(line.at + border * whole, n);
    const double jump = std::abs(n.dot(middle[1] - middle[0]));
    sum.middle.hessian = force * jump / std::abs(last - first) * across * across.transpose();
  }
  return sum;
}

Locks ThrownBody::locked(std::vector<int> indices) const {
  Locks locks;
  locks.kinks = std::move(indices);
  locks.held.assign(slider_.supports().size(), 0);
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows(3, 0);
  for (const int k : locks.kinks) {
    const Kink& kink = kinks_[static_cast<std::size_t>(k)];
    locks.held[static_cast<std::size_t>(kink.support)] = 1;
    rows.conservativeResize(3, rows.cols() + kink.codimension);
    rows.rightCols(kink.codimension) = kink.rows.leftCols(kink.codimension);
  }
  if (locks.kinks.empty()) {
    locks.across.resize(3, 0);
    return locks;
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeFullU);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-8) ++rank;
  locks.across = svd.matrixU().leftCols(rank);
  locks.basis = svd.matrixU().rightCols(3 - rank);
  locks.allowed = locks.basis * locks.basis.transpose();
  return locks;
}

// φ(e), what leaving the locks along e costs: the power of `rest`, and of what each lock holds.
double ThrownBody::cost_of_leaving(const Vec3& e, const Locks& locks, const Vec3& rest,
                                   const std::vector<double>& open) const {
  const std::vector<Support>& supports = slider_.supports();
  double value = rest.dot(e);
  auto half = open.begin();
  for (const int k : locks.kinks) {
    const Kink& kink = kinks_[static_cast<std::size_t>(k)];
    if (kink.kind == Kink::Kind::line) {
      const Vec2 along =
          plane::left(flat_along(supports[static_cast<std::size_t>(kink.support)])->normal);
      value += *half++ * std::abs(along.dot(kink.slip.transpose() * e));
      continue;
    }
    if (kink.kind == Kink::Kind::sheet) {
      PowerDerivatives sum;
      const Support& area = across_[static_cast<std::size_t>(kink.across)];
      add_area(area, kink.support, to_motion_ * e, false, sum, nullptr);
      value += sum.power / unit_force_;
      continue;
    }
    if (kink.kind == Kink::Kind::flat) {
      value += std::abs(kink.half.dot(e));  // middle is in `rest`
      continue;
    }
    const Support& support = slider_.supports()[static_cast<std::size_t>(kink.support)];
    value += support.normal_force / unit_force_ * support.curve.support(kink.slip.transpose() * e);
  }
  return value;
}

ThrownBody::Least ThrownBody::least(const Vec3& d, const Locks& locks, double spin) const {
  const Vec3 on = (locks.allowed * d).normalized();
  const Vec3 rest = at(on, locks, false).load - turning(on, spin);
  std::vector<double> open;  // of lines
  for (const int k : locks.kinks)
    if (const Kink& kink = kinks_[static_cast<std::size_t>(k)]; kink.kind == Kink::Kind::line)
      open.push_back(on_line(kink, on).half);
  const auto phi = [&](const Vec3& e) { return cost_of_leaving(e, locks, rest, open); };
  Least best{infinity, Vec3::Zero()};
  const auto consider = [&](const Vec3& e) {
    const double value = phi(e);
    if (value < best.value) best = {value, e};
  };
  if (locks.across.cols() == 0) return {0, Vec3::Zero()};
  if (locks.across.cols() == 1) {
    consider(locks.across.col(0));
    consider(-locks.across.col(0));
    return best;
  }
  // φ is convex and positively homogeneous: on the circle one minimum where it is negative.  The
  // directions that keep one lock are looked at for themselves, since φ has its kinks there.
  const auto on_circle = [&](double angle) -> Vec3 {
    return std::cos(angle) * locks.across.col(0) + std::sin(angle) * locks.across.col(1);
  };
  constexpr int count = 64;
  const double step = 2 * std::numbers::pi / count;
  int lowest = 0;
  double low = infinity;
  for (int k = 0; k < count; ++k)
    if (const double value = phi(on_circle(step * k)); value < low) low = value, lowest = k;
  const auto around = [&](double angle) { return phi(on_circle(angle)); };
  consider(on_circle(golden_minimum(around, step * (lowest - 1), step * (lowest + 1), 60).at));
  const auto along = [&](const Kink& kink) {
    const Vec2 row = locks.across.transpose() * kink.rows.col(0);
    const Vec3 e = locks.across * Vec2(-row.y(), row.x()).normalized();
    for (const double sign : {1.0, -1.0})
      if (phi(sign * e) <= best.value + 1e-9 * std::abs(best.value))
        best = {phi(sign * e), sign * e};
  };
  for (const int k : locks.kinks) {
    const Kink& kink = kinks_[static_cast<std::size_t>(k)];
    if (kink.codimension == 1) along(kink);
    if (kink.kind == Kink::Kind::tip)
      for (const Kink& flat : flats_of(kink.support)) along(flat);
  }
  return best;
}

std::span<const Kink> ThrownBody::flats_of(int support) const {
  const auto of = [&](const Kink& kink) {
    return kink.support == support && kink.kind == Kink::Kind::flat;
  };
  const auto first = std::find_if(kinks_.begin(), kinks_.end(), of);
  return {first, std::find_if_not(first, kinks_.end(), of)};
}

Locks ThrownBody::kept(const Locks& locks, const Vec3& e) const {
  constexpr double near = 1e-9;
  std::vector<int> indices;
  for (const int k : locks.kinks) {
    const Kink& kink = kinks_[static_cast<std::size_t>(k)];
    if (kink.distance(e) < near) {
      indices.push_back(k);
    } else if (kink.kind == Kink::Kind::tip) {
      for (const Kink& flat : flats_of(kink.support))
        if (flat.distance(e) < near && flat.facing.dot(e) > 0)
          indices.push_back(static_cast<int>(&flat - kinks_.data()));
    }
  }
  return locked(std::move(indices));
}

// All kinks on which d is within a distance.
Locks ThrownBody::near(const Vec3& d, double distance) const {
  std::vector<int> near;
  std::vector<char> tip(slider_.supports().size(), 0);
  for (std::size_t k = 0; k < kinks_.size(); ++k) {
    const Kink& kink = kinks_[k];
    const auto i = static_cast<std::size_t>(kink.support);
    if (kink.distance(d) > distance) continue;
    if (kink.kind == Kink::Kind::tip) tip[i] = 1;
    if (kink.has_flat() && (tip[i] != 0 || kink.facing.dot(d) <= 0)) continue;
    near.push_back(static_cast<int>(k));
  }
  return locked(std::move(near));
}

// Leaves the locks that hold, and returns the way that the motion leaves the others, if any; what
// it leaves is as it is a little on the way: on a flat, not at its middle.
Vec3 ThrownBody::release(Locks& locks, const Vec3& d, double spin) const {
  constexpr double on_the_way = 1e-9;
  Vec3 there = d, way = Vec3::Zero();
  while (!locks.kinks.empty()) {
    const std::vector<int> before = locks.kinks;
    const Least out = least(there, locks, spin);
    if (out.value >= -slack) break;
    way = out.direction;
    locks = kept(locks, way);
    there = (d + on_the_way * way).normalized();
    if (locks.kinks == before) locks = locked({});
  }
  return way;
}

Locks ThrownBody::holding(const Vec3& d, double spin, double distance) const {
  Locks locks = near(d, distance);
  release(locks, d, spin);
  return locks;
}

Locks ThrownBody::holding_from(Vec3& d, double spin, double distance, double off) const {
  Locks locks = near(d, distance);
  const Vec3 meeting = (locks.allowed * d).normalized();
  d = (meeting + off * release(locks, meeting, spin)).normalized();
  return locks;
}

}  // namespace stiction
