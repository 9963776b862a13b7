// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/one_contact_all_solutions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/enumerate/circle_roots.h"
#include "contact/enumerate/mode_system.h"

namespace stiction {

namespace {

constexpr double near_zero = 1e-12;  // of the size of the terms
constexpr double tau = 2 * std::numbers::pi;

class OneCurvedContact {
 public:
  OneCurvedContact(const Ellipse& curve, const Eigen::Matrix3d& W, const Vec3& q) : W_(W), q_(q) {
    T_.setZero();
    T_(0, 0) = 1;
    const Vec2 axis = curve.is_disc() ? Vec2(1, 0) : curve.axis;
    T_.block<2, 1>(1, 1) = curve.a * axis;
    T_.block<2, 1>(1, 2) = curve.b * Vec2(-axis.y(), axis.x());
    const Eigen::Matrix3d circular = T_.transpose() * W * T_;
    const Vec3 p = T_.transpose() * q;
    nn_ = circular(0, 0);
    nt_ = circular.block<1, 2>(0, 1).transpose();
    tn_ = circular.block<2, 1>(1, 0);
    tt_ = circular.block<2, 2>(1, 1);
    qn_ = p[0];
    qt_ = p.tail<2>();
    if (qn_ >= 0) add(Vec3::Zero(), Mode::open, 0);
    stick();
    if (qn_ != 0)
      slip_at_roots();
    else if (nn_ != 0 || !nt_.isZero(0))
      slip_without_approach();
    else
      slip_under_any_load();
  }

  std::vector<OneContactSolution> found;

 private:
  void add(const Vec3& x, Mode mode, int dimension) {
    if (x.allFinite()) found.push_back({T_ * x, mode, dimension});
  }

  void stick();
  void stick_on_line(Vec3 x, Vec3 n);
  void stick_on_plane();
  void slip_at_roots();
  void slip_without_approach();
  void slip_under_any_load();
  void slip_with_any_force(const Vec2& e);
  void polish(Vec2& e, double& force) const;
  void add_slip(const Vec2& e, double force, int dimension = 0);

  static Vec2 across(const Vec2& e) { return {-e.y(), e.x()}; }
  static Vec2 along(double angle) { return {std::cos(angle), std::sin(angle)}; }
  Vec2 push(const Vec2& e) const { return tn_ - tt_ * e; }  // u_t a unit of x_n
  // The size of the terms of direction·push
  double push_terms(const Vec2& direction, const Vec2& e) const {
    return direction.cwiseAbs().dot(tn_.cwiseAbs() + tt_.cwiseAbs() * e.cwiseAbs());
  }
  static Harmonics times_across(const Vec2& q);  // m·q
  Harmonics pushed_across() const;               // g = m·push

  Eigen::Matrix3d W_, T_;
  Vec3 q_;
  double nn_ = 0, qn_ = 0;
  Vec2 nt_, tn_, qt_;
  Eigen::Matrix2d tt_;
  bool sticks_in_continuum_ = false;
};

Harmonics OneCurvedContact::times_across(const Vec2& q) {
  return {{0, q.y(), -q.x(), 0, 0}, {0, std::abs(q.y()), std::abs(q.x()), 0, 0}};
}

Harmonics OneCurvedContact::pushed_across() const {
  Harmonics g = times_across(tn_);
  g.coefficients[0] = (tt_(0, 1) - tt_(1, 0)) / 2;
  g.coefficients[3] = -(tt_(0, 1) + tt_(1, 0)) / 2;
  g.coefficients[4] = (tt_(0, 0) - tt_(1, 1)) / 2;
  g.terms[0] = g.terms[3] = (std::abs(tt_(0, 1)) + std::abs(tt_(1, 0))) / 2;
  g.terms[4] = (std::abs(tt_(0, 0)) + std::abs(tt_(1, 1))) / 2;
  return g;
}

void OneCurvedContact::stick() {
  if (q_.isZero(0) && W_.isZero(0)) {  // any force
    sticks_in_continuum_ = true;
    add(Vec3(1, 0, 0), Mode::stick, 3);
    return;
  }
  const ModeSystem system(W_, -q_);
  if (!system.consistent()) return;
  const Eigen::Matrix3d to_circular = T_.inverse();
  const Vec3 x = to_circular * system.solution();
  if (system.regular()) {
    const Vec3 error = to_circular.cwiseAbs() * system.error();
    if (!q_.isZero(0) && x[0] - x.tail<2>().norm() >= -error.sum() - near_zero * x.norm())
      add(x, Mode::stick, 0);
    return;
  }
  const Eigen::MatrixXd kernel = system.kernel();
  if (kernel.cols() == 1)
    stick_on_line(x, to_circular * kernel);
  else
    stick_on_plane();
}

// x + z n in the circular cone.  With ⟨x, y⟩ = x_n y_n − x_t·y_t that is a quadratic of z.
void OneCurvedContact::stick_on_line(Vec3 x, Vec3 n) {
  const auto product = [](const Vec3& a, const Vec3& b) {
    return a[0] * b[0] - a.tail<2>().dot(b.tail<2>());
  };
  n.normalize();
  if (n[0] < 0) n = -n;
  x -= x.dot(n) * n;
  if (q_.isZero(0)) x.setZero();
  const double size = x.norm();
  const double square = product(n, n), half = product(x, n), constant = product(x, x);
  if (square >= -near_zero && size == 0) {
    add(n / n[0], Mode::stick, 1);
  } else if (size == 0) {
    return;                                    // only r = 0
  } else if (std::abs(square) <= near_zero) {  // along a ray of the cone's surface
    if (half <= near_zero * size) return;
    add(x + (std::abs(constant) / (2 * half) + size) * n, Mode::stick, 1);
  } else {
    const double inside = half * half - square * constant;
    if (square > 0) {  // from the larger root on
      add(x + ((-half + std::sqrt(std::max(inside, 0.0))) / square + size) * n, Mode::stick, 1);
    } else {
      const Vec3 middle = x - half / square * n;
      const double limit = near_zero * size * size;
      if (inside < -limit || middle[0] <= 0) return;
      add(middle, Mode::stick, inside <= limit ? 0 : 1);
    }
  }
  sticks_in_continuum_ = !found.empty() && found.back().dimension > 0;
}

// W has one row, times factors: the plane y·x = c in the circular cone.
void OneCurvedContact::stick_on_plane() {
  Eigen::Index row = 0;
  W_.rowwise().norm().maxCoeff(&row);
  Vec3 y = T_.transpose() * W_.row(row).transpose();
  double c = -q_[row] / y.norm();
  y.normalize();
  if (c < 0) {
    c = -c;
    y = -y;
  }
  const double n = y[0], t = y.tail<2>().norm();
  const Vec2 e = t > 0 ? Vec2(y.tail<2>() / t) : Vec2(1, 0);
  if (c == 0) {  // through the apex
    if (std::abs(n) > t + near_zero) return;
    const bool touches = std::abs(n) >= t - near_zero;
    const Vec2 f = touches ? Vec2(n > 0 ? -e : e) : Vec2(-n / t * e);
    add({1, f.x(), f.y()}, Mode::stick, touches ? 1 : 2);
  } else {
    // (1, s e) with n + s t > 0, s halfway between the least and 1.
    if (n + t <= near_zero) return;
    const double s = n < t ? (1 - n / t) / 2 : 0;
    const Vec3 ray(1, s * e.x(), s * e.y());
    add(c / y.dot(ray) * ray, Mode::stick, 2);
  }
  sticks_in_continuum_ = true;
}

// Newton's method on the two equations, each over the size of its terms, in e itself so that its
// small component keeps its digits.
void OneCurvedContact::polish(Vec2& e, double& force) const {
  const auto value = [&](const Vec2& at, double x) -> Vec2 {
    return {qn_ + x * (nn_ - nt_.dot(at)), across(at).dot(qt_ + x * push(at))};
  };
  const Vec2 m = across(e);
  const Vec2 terms(
      std::abs(qn_) + std::abs(force) * (std::abs(nn_) + nt_.cwiseAbs().dot(e.cwiseAbs())),
      m.cwiseAbs().dot(qt_.cwiseAbs()) + std::abs(force) * push_terms(m, e));
  const Vec2 weight(terms[0] > 0 ? 1 / terms[0] : 1, terms[1] > 0 ? 1 / terms[1] : 1);
  Vec2 error = weight.cwiseProduct(value(e, force));
  for (int k = 0; k < 5; ++k) {
    const Vec2 aside = across(e);
    Eigen::Matrix2d J;  // the second column for x_n in units of itself
    J << -force * nt_.dot(aside), force * (nn_ - nt_.dot(e)),
        -e.dot(qt_ + force * push(e)) - force * aside.dot(tt_ * aside), force * aside.dot(push(e));
    const Eigen::Matrix2d scaled = weight.asDiagonal() * J;
    const Vec2 step = scaled.fullPivLu().solve(-error);
    const Vec2 next = (e + step[0] * aside).normalized();
    const double next_force = force * (1 + step[1]);
    const Vec2 left = weight.cwiseProduct(value(next, next_force));
    if (!(left.norm() < error.norm())) return;
    e = next;
    force = next_force;
    error = left;
  }
}

// Slip needs x_n > 0 and λ > 0; where u vanishes it sticks, and is found there.
void OneCurvedContact::add_slip(const Vec2& e, double force, int dimension) {
  if (!(force > 0)) return;
  const Vec3 x = force * Vec3(1, -e.x(), -e.y()), r = T_ * x;
  const Vec3 u = W_ * r + q_, terms = W_.cwiseAbs() * r.cwiseAbs() + q_.cwiseAbs();
  const bool sticks = (u.cwiseAbs().array() <= 1e3 * near_zero * terms.array()).all();
  if (sticks ? sticks_in_continuum_ : e.dot(qt_ + force * push(e)) <= 0) return;
  add(x, sticks ? Mode::stick : Mode::slip, dimension);
}

// q_n ≠ 0
void OneCurvedContact::slip_at_roots() {
  const Harmonics g = pushed_across(), q = times_across(qt_);
  const double q1 = qt_.x(), q2 = qt_.y(), h1 = nt_.x(), h2 = nt_.y();
  // q_m D with m·q_t (h·e) = (q₂h₁ − q₁h₂)/2 + (q₂h₁ + q₁h₂)/2 cos 2θ + (q₂h₂ − q₁h₁)/2 sin 2θ
  const std::array<double, 5> product{-(q2 * h1 - q1 * h2) / 2, nn_ * q.coefficients[1],
                                      nn_ * q.coefficients[2], -(q2 * h1 + q1 * h2) / 2,
                                      -(q2 * h2 - q1 * h1) / 2};
  const double crossed = (std::abs(q2 * h1) + std::abs(q1 * h2)) / 2,
               straight = (std::abs(q2 * h2) + std::abs(q1 * h1)) / 2;
  const std::array<double, 5> sizes{crossed, std::abs(product[1]), std::abs(product[2]), crossed,
                                    straight};
  Harmonics G;
  for (std::size_t i = 0; i < 5; ++i) {
    G.coefficients[i] = product[i] - qn_ * g.coefficients[i];
    G.terms[i] = sizes[i] + std::abs(qn_) * g.terms[i];
  }
  if (G.is_zero()) {
    // Every slip is along the force, u_t = α x_t: with α < 0 all angles of positive x_n slip, one
    // arc about the middle of them.
    const double size = nt_.norm();
    const Vec2 e = size > 0 ? Vec2((qn_ < 0 ? -1 : 1) * nt_ / size) : Vec2(1, 0);
    add_slip(e, -qn_ / (nn_ - nt_.dot(e)), 1);
    return;
  }
  for (const double angle : roots_on_circle(G)) {
    Vec2 e = along(angle);
    const double D = nn_ - nt_.dot(e);
    if (D == 0) continue;
    double force = -qn_ / D;
    polish(e, force);
    add_slip(e, force);
  }
}

// q_n = 0, D not zero everywhere: r_n > 0 needs D = 0.
void OneCurvedContact::slip_without_approach() {
  // The angles at which nt·e = nn, two, or one where they meet.
  const double size = nt_.norm();
  if (std::abs(nn_) > (1 + near_zero) * size) return;
  const Vec2 middle = nt_ / size * std::clamp(nn_ / size, -1.0, 1.0);
  const bool meet = std::abs(nn_) >= (1 - near_zero) * size;
  const double aside = meet ? 0 : std::sqrt((1 - nn_ / size) * (1 + nn_ / size));
  for (const double side : {-aside, aside}) {
    Vec2 e = (middle + side / size * across(nt_)).normalized();
    const Vec2 m = across(e);
    const double g = m.dot(push(e));
    if (std::abs(g) <= near_zero * push_terms(m, e)) {
      if (std::abs(m.dot(qt_)) <= near_zero * m.cwiseAbs().dot(qt_.cwiseAbs()))
        slip_with_any_force(e);
      continue;
    }
    double force = -m.dot(qt_) / g;
    if (force <= near_zero * qt_.norm() / std::abs(g)) continue;  // r = 0
    polish(e, force);
    add_slip(e, force);
  }
}

// At an angle where both equations hold for any x_n: λ = e·q_t + x_n e·push ≥ 0 is an interval.
void OneCurvedContact::slip_with_any_force(const Vec2& e) {
  const double start = e.dot(qt_), slope = e.dot(push(e));
  const double terms = push_terms(e, e), flat = near_zero * terms;
  if (qt_.isZero(0)) {
    if (slope > flat) add_slip(e, 1, 1);
  } else if (std::abs(slope) <= flat) {
    if (start > 0) add_slip(e, terms > 0 ? start / terms : start, 1);
  } else if (const double end = -start / slope; slope < 0) {
    if (end > 0) add_slip(e, end / 2, 1);
  } else {
    add_slip(e, 2 * std::abs(end), 1);
  }
}

// q_n = 0 and D zero everywhere: any normal force leaves u_n = 0, and x_n = −q_m/g at every angle.
void OneCurvedContact::slip_under_any_load() {
  const Harmonics g = pushed_across(), q = times_across(qt_);
  if (q_.isZero(0)) {
    if (g.is_zero()) {
      if (!tt_.isZero(0)) add_slip({1, 0}, 1, 2);  // tt = α times the unit matrix
    } else {
      for (const double angle : roots_on_circle(g)) slip_with_any_force(along(angle));
    }
    return;
  }
  std::vector<double> ends;  // of arcs on which x_n and λ keep their signs
  for (const Vec2& e : {Vec2(qt_.normalized()), Vec2(-qt_.normalized())}) {
    const Vec2 m = across(e);
    if (std::abs(m.dot(push(e))) <= near_zero * push_terms(m, e)) slip_with_any_force(e);
    const double angle = std::atan2(e.y(), e.x());
    ends.push_back(angle < 0.1 ? angle + tau : angle);
  }
  if (g.is_zero()) return;
  for (const double angle : roots_on_circle(g)) ends.push_back(angle);
  // λ g = q_t × push
  const Vec2 c = tt_.transpose() * across(qt_);
  const double c0 = cross(qt_, tn_);
  const Harmonics slip{{c0, -c.x(), -c.y(), 0, 0},
                       {qt_.norm() * tn_.norm(), qt_.norm() * tt_.col(0).norm(),
                        qt_.norm() * tt_.col(1).norm(), 0, 0}};
  for (const double angle : roots_on_circle(slip)) ends.push_back(angle);
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double next = i + 1 < ends.size() ? ends[i + 1] : ends[0] + tau;
    if (next - ends[i] <= near_zero) continue;  // the same root
    const double angle = (ends[i] + next) / 2;
    add_slip(along(angle), -q.at(angle) / g.at(angle), 1);
  }
}

}  // namespace

std::vector<OneContactSolution> every_solution(const Ellipse& curve, const Eigen::Matrix3d& W,
                                               const Vec3& q) {
  return OneCurvedContact(curve, W, q).found;
}

}  // namespace stiction
