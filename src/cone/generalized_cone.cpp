// SPDX-License-Identifier: Apache-2.0
//
// Minors of W are differences of products and its determinant is summed twofold, so that M_c and
// μ_crit lose no digits but those that W itself does not carry.
#include "stiction/generalized_cone.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/plane.h"
#include "cone/compensated.h"

namespace stiction {

namespace {

using Eigen::Matrix3d;

// A pivot below this fraction of its diagonal is the rounding of a singular matrix that was formed
// as A M⁻¹ Aᵀ.
constexpr double singular = 8 * rounding;
// And so is one below this fraction of the greatest diagonal, whose inverse would overflow.
constexpr double negligible = 1e-60;
// How far from symmetric and positive semidefinite a matrix may be, over its largest entry.
constexpr double tolerance = 1e-9;
// The range of its largest entry, within which M_c and Q are numbers.
constexpr double least_entry = 1e-100, greatest_entry = 1e100;

void require_symmetric(const Matrix3d& W) {
  const auto entry = [&](int i, int j) {
    return "delassus[" + std::to_string(i) + "][" + std::to_string(j) + "] is " + text(W(i, j));
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!std::isfinite(W(i, j))) throw InvalidInput(entry(i, j) + ", expected a finite number");
  const double largest = W.cwiseAbs().maxCoeff(), slack = tolerance * largest;
  if (largest != 0 && !(largest >= least_entry && largest <= greatest_entry))
    throw InvalidInput("the largest entry of delassus is " + text(largest) +
                       ", expected 0 or a number from 1e-100 to 1e100");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (!(std::abs(W(i, j) - W(j, i)) <= slack))
        throw InvalidInput(entry(i, j) + " and " + entry(j, i) + ", expected a symmetric matrix");
}

void require_semidefinite(const Matrix3d& W) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(W, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()[0];
  if (!(least >= -tolerance * W.cwiseAbs().maxCoeff()))
    throw InvalidInput("delassus has the eigenvalue " + text(least) +
                       ", expected a positive semidefinite matrix");
}

// By which W becomes of order one, exactly.
double power_of_two(const Matrix3d& W) {
  const double size = W.diagonal().maxCoeff();
  return size > 0 ? std::ldexp(1.0, -std::ilogb(size)) : 1;
}

// W of order one, its cofactors and its determinant.
struct Minors {
  explicit Minors(const Matrix3d& W);

  double cofactor[3][3];
  double det = 0;
  bool regular = false;
};

Minors::Minors(const Matrix3d& W) {
  const auto minor = [&](int i, int j, int k, int l) {  // of rows i, j and columns k, l
    return difference_of_products(W(i, k), W(j, l), W(i, l), W(j, k));
  };
  cofactor[0][0] = minor(1, 2, 1, 2);
  cofactor[1][1] = minor(0, 2, 0, 2);
  cofactor[2][2] = minor(0, 1, 0, 1);
  cofactor[0][1] = cofactor[1][0] = -minor(1, 2, 0, 2);
  cofactor[0][2] = cofactor[2][0] = minor(1, 2, 0, 1);
  cofactor[1][2] = cofactor[2][1] = -minor(0, 2, 0, 1);
  const auto twofold = [&](int i, int j, int k, int l) {
    return Twofold::product(W(i, k), W(j, l)) - Twofold::product(W(i, l), W(j, k));
  };
  det = (twofold(1, 2, 1, 2) * W(0, 0) - twofold(1, 2, 0, 2) * W(0, 1) +
         twofold(1, 2, 0, 1) * W(0, 2))
            .value();
  // Elimination, the greatest pivot first: W_ii, then (W_ii W_jj − W_ij²)/W_ii, then what is left.
  const int i = W(0, 0) >= W(1, 1) ? (W(0, 0) >= W(2, 2) ? 0 : 2) : (W(1, 1) >= W(2, 2) ? 1 : 2);
  int j = (i + 1) % 3, k = (i + 2) % 3;
  if (cofactor[j][j] > cofactor[k][k]) std::swap(j, k);  // the cofactor of k is the minor of i, j
  const double D = cofactor[k][k];
  const double second = std::max(singular * W(j, j), negligible * W(i, i)),
               third = std::max(singular * W(k, k), negligible * W(i, i));
  regular = W(i, i) > 0 && D > second * W(i, i) && det > third * D;
}

// W_tt⁺ h with the size of what rounding may have done to it.
struct Holding {
  Vec2 force = Vec2::Zero();
  double terms = 0;
  bool unique = true;        // otherwise force + any multiple of `free` holds as well
  Vec2 free = Vec2::Zero();  // unit; zero where W_tt is
};

Holding holding(const Matrix3d& W) {
  const double a = W(0, 0), b = W(0, 1), c = W(1, 1), h1 = W(0, 2), h2 = W(1, 2);
  Holding result;
  const double D = difference_of_products(a, c, b, b);
  if (D > std::max(singular * std::min(a, c), negligible * std::max(a, c)) * std::max(a, c)) {
    result.force = {difference_of_products(c, h1, b, h2) / D,
                    difference_of_products(a, h2, b, h1) / D};
    const double t1 = (std::abs(c * h1) + std::abs(b * h2)) / D,
                 t2 = (std::abs(a * h2) + std::abs(b * h1)) / D;
    result.terms = std::hypot(t1, t2) + plane::norm(result.force) * ((a * c + b * b) / D);
    return result;
  }
  result.unique = false;
  if (!(std::max(a, c) > 0)) return result;  // W_tt = 0, and then h = 0
  // W_tt = s v vᵀ with s v_i v the greater column i.
  const Vec2 column = a >= c ? Vec2(a, b) : Vec2(b, c);
  const Vec2 v = column / plane::norm(column);
  result.force = (v.x() * h1 + v.y() * h2) / (a + c) * v;
  result.terms = 2 * plane::norm(result.force);
  result.free = plane::left(v);
  return result;
}

// How much of C the holding force needs; where a whole line of forces holds, the least.
double gauge_of(const LimitCurve& curve, const Holding& holding) {
  if (holding.unique) return curve.gauge(holding.force);
  Vec2 across = plane::right(holding.free);
  double level = across.dot(holding.force);
  if (level < 0) {
    across = -across;
    level = -level;
  }
  return level == 0 ? 0 : level / curve.support(across);
}

// D, the massless directions, and what is across them, all orthonormal.
struct Massless {
  explicit Massless(const Matrix3d& given);

  int rank = 0;
  Matrix3d projector;
  std::optional<Vec3> up;   // the direction across D with the greatest normal part, if any has one
  std::vector<Vec3> level;  // tangential ones across D
  bool normal_across = false;
};

// A contact that moves less than `tolerance` of its motion along an axis does not move along it.
Massless::Massless(const Matrix3d& given) {
  if (!given.allFinite() || !((given - given.transpose()).norm() <= tolerance) ||
      !((given * given - given).norm() <= tolerance))
    throw InvalidInput("massless is not a projector, expected one: its own square, symmetric");
  rank = static_cast<int>(std::lround(given.trace()));
  projector = Matrix3d::Identity();
  if (rank == 3) return;
  // One direction, along D or across it.
  const Matrix3d single = rank == 1 ? given : Matrix3d(Matrix3d::Identity() - given);
  Eigen::Index greatest = 0;
  single.diagonal().maxCoeff(&greatest);
  Vec3 d = single.col(greatest);
  if (d.head<2>().norm() <= tolerance * d.norm()) d.head<2>().setZero();
  if (std::abs(d[2]) <= tolerance * d.norm()) d[2] = 0;
  d.normalize();
  if (d[2] < 0) d = -d;
  const double tangential = plane::norm(d.head<2>());
  if (rank == 2) {
    projector -= d * d.transpose();
    normal_across = tangential == 0;
    if (d[2] > 0)
      up = d;
    else
      level = {d};
    return;
  }
  projector = d * d.transpose();
  normal_across = d[2] == 0;
  if (tangential == 0) {
    level = {Vec3::UnitX(), Vec3::UnitY()};
    return;
  }
  const Vec2 t = d.head<2>() / tangential;
  up = Vec3(-d[2] * t.x(), -d[2] * t.y(), tangential);
  level = {Vec3(-t.y(), t.x(), 0)};
}

// The least of λᵀWλ over λ = (−f, 1): first of its infinite part, which leaves λ across D, then of
// the finite one F.
Holding holding(const Massless& massless, const Matrix3d& F) {
  if (massless.level.size() == 2) return holding(F);  // the normal alone is massless, and h = 0
  Holding result;
  if (massless.up) {
    const Vec3& up = *massless.up;
    result.force = -up.head<2>() / up[2];
    result.terms = 2 * plane::norm(result.force);
  }
  if (massless.level.empty()) return result;
  const Vec3 s = massless.level[0], Fs = F * s;
  const double a = s.dot(Fs);
  if (!(a > singular * F.trace())) {
    result.unique = false;
    result.free = s.head<2>();
  } else if (massless.up) {
    const Vec3& up = *massless.up;
    result.force += up.dot(Fs) / (a * up[2]) * s.head<2>();
    result.terms += 4 * up.cwiseAbs().dot(F.cwiseAbs() * s.cwiseAbs()) / (a * up[2]);
  }
  return result;
}

// From `from` counter-clockwise, in (−π, π].
double angle_between(const Vec2& from, const Vec2& to) {
  return std::atan2(cross(from, to), from.dot(to));
}

// The normals of the cap {f ∈ C : f·h > W_nn}.  Along the boundary f·h falls from its peak, where
// h is normal, both ways.  On each side the last normal is that of the flat or of the arc where the
// cap ends.
JamSector jam_sector(const LimitCurve& curve, const Vec2& h, double w_nn) {
  const double size = plane::norm(h);
  if (curve.shape() == LimitCurve::Shape::ellipse && curve.ellipse().is_disc()) {
    const double cosine = w_nn / (curve.ellipse().a * size);
    return {h / size, std::atan2(std::sqrt((1 - cosine) * (1 + cosine)), cosine)};
  }
  double left = 0, right = 0;
  const auto include = [&](const Vec2& normal, bool on_left) {
    const double angle = angle_between(h, normal);
    if (on_left && angle > 0) left = std::max(left, angle);
    if (!on_left && angle < 0) right = std::min(right, angle);
  };
  for (std::size_t i = 0; i < curve.pieces().size(); ++i) {
    const LimitCurve::Piece& piece = curve.pieces()[i];
    if (piece.arc) continue;
    if (piece.from.dot(h) > w_nn) include(piece.normal, true);
    if (curve.piece_end(i).dot(h) > w_nn) include(piece.normal, false);
  }
  if (curve.has_arcs()) {
    // f = (a e₁, b e₂) in the ellipse's axes: f·h = w·e, and e is at ±acos(W_nn/‖w‖) from w.
    const Ellipse& e = curve.ellipse();
    const Vec2 k = e.to_axes(h), w(e.a * k.x(), e.b * k.y());
    const double length = plane::norm(w), cosine = w_nn / length;
    if (cosine < 1) {
      const double sine = std::sqrt((1 - cosine) * (1 + cosine));
      for (const bool on_left : {true, false}) {
        const Vec2 u = w / length;
        const Vec2 end = cosine * u + (on_left ? sine : -sine) * plane::left(u);
        const Vec2 force = e.from_axes({e.a * end.x(), e.b * end.y()});
        if (curve.pieces().empty() || curve.contains(force))
          include(e.from_axes({end.x() / e.a, end.y() / e.b}), on_left);
      }
    }
  }
  const double middle = 0.5 * (left + right), c = std::cos(middle), s = std::sin(middle);
  const Vec2 u = h / size;
  return {middle == 0 ? u : Vec2(c * u.x() - s * u.y(), s * u.x() + c * u.y()),
          0.5 * (left - right)};
}

bool is_ellipse(const LimitCurve& curve) {
  return curve.shape() == LimitCurve::Shape::ellipse || curve.shape() == LimitCurve::Shape::point;
}

Matrix3d quadric_of(const LimitCurve& curve, const Matrix3d& M) {
  Matrix3d Q;
  if (curve.shape() == LimitCurve::Shape::point || curve.ellipse().is_disc()) {
    const double mu = curve.shape() == LimitCurve::Shape::point ? 0 : curve.ellipse().a;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        Q(i, j) = Q(j, i) = M(i, 0) * M(0, j) + M(i, 1) * M(1, j) - mu * M(i, 2) * (mu * M(2, j));
    return Q;
  }
  const Ellipse& e = curve.ellipse();
  const double ratio = e.b / e.a;
  const Vec2 p = e.axis, q = plane::left(e.axis);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      const Vec2 mi(M(i, 0), M(i, 1)), mj(M(j, 0), M(j, 1));
      Q(i, j) = Q(j, i) = ratio * mi.dot(p) * mj.dot(p) + mi.dot(q) * mj.dot(q) / ratio -
                          e.a * M(i, 2) * (e.b * M(2, j));
    }
  return Q;
}

void set_holding(GeneralizedCone& cone, const Holding& hold) {
  cone.holding = hold.force;
  cone.mu_crit = plane::norm(hold.force);
  cone.holding_gauge = gauge_of(cone.curve, hold);
  const double slack = cone.mu_crit > 0 ? hold.terms / cone.mu_crit : 0;
  cone.stick_inside = cone.holding_gauge <= 1 + rounding * slack;
}

// From W up to its size.
void set_jam(GeneralizedCone& cone, const Matrix3d& W) {
  const Vec2 h = W.topRightCorner<2, 1>();
  const double w_nn = W(2, 2), support = cone.curve.support(h);
  cone.jam_ratio = support > 0 ? support / w_nn : 0;
  cone.plane_cut = support > 0 && support >= w_nn * (1 - rounding);
  if (support > w_nn * (1 + rounding)) cone.jam = jam_sector(cone.curve, h, w_nn);
}

}  // namespace

double mu_crit(const Matrix3d& W) { return plane::norm(holding(power_of_two(W) * W).force); }

double mu_jam(const Matrix3d& W) {
  const double h = std::hypot(W(0, 2), W(1, 2));
  return h > 0 ? W(2, 2) / h : infinity;
}

GeneralizedCone generalized_cone(const Matrix3d& W, double mu) {
  if (!std::isfinite(mu) || mu < 0)
    throw InvalidInput("mu is " + text(mu) + ", expected a finite number ≥ 0");
  return generalized_cone(W, disc(mu));
}

GeneralizedCone generalized_cone(const Matrix3d& W, const LimitCurve& curve) {
  require_symmetric(W);
  GeneralizedCone cone;
  cone.delassus = 0.5 * (W + W.transpose());
  const double slack_of_zero = tolerance * cone.delassus.cwiseAbs().maxCoeff();
  for (double& entry : cone.delassus.diagonal())  // negative by rounding
    if (entry < 0 && entry >= -slack_of_zero) entry = 0;
  cone.curve = curve;
  const double unit = power_of_two(cone.delassus);
  const Matrix3d scaled = unit * cone.delassus;  // exact
  const Minors minors(scaled);
  cone.regular = minors.regular;
  cone.has_mass = cone.regular;
  if (cone.regular) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        cone.effective_mass(i, j) = unit * (minors.cofactor[i][j] / minors.det);
    cone.has_quadric = is_ellipse(curve);
    if (cone.has_quadric) cone.quadric = quadric_of(curve, cone.effective_mass);
  } else {
    require_semidefinite(scaled);
  }

  set_holding(cone, holding(scaled));
  cone.mu_jam = mu_jam(cone.delassus);  // which scaling might drown
  set_jam(cone, scaled);
  return cone;
}

GeneralizedCone generalized_cone(const DelassusLimit& W, const LimitCurve& curve) {
  if (W.massless.isZero(0)) return generalized_cone(W.finite, curve);
  const Massless massless(W.massless);
  if (massless.rank == 0) return generalized_cone(W.finite, curve);
  require_symmetric(W.finite);
  const Matrix3d across = Matrix3d::Identity() - massless.projector;
  const Matrix3d finite = across * (0.5 * (W.finite + W.finite.transpose())) * across;
  GeneralizedCone cone;
  cone.delassus = 0.5 * (finite + finite.transpose());
  cone.massless = massless.projector;
  cone.curve = curve;
  const double unit = power_of_two(cone.delassus);
  const Matrix3d scaled = unit * cone.delassus;
  require_semidefinite(scaled);
  // W⁻¹ = (finite + massless/ε)⁻¹, in the limit without ε.
  const Minors minors(scaled + massless.projector);
  cone.has_mass = minors.regular;
  if (cone.has_mass) {
    Matrix3d inverse;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) inverse(i, j) = minors.cofactor[i][j] / minors.det;
    cone.effective_mass = unit * (across * inverse * across);
    cone.has_quadric = is_ellipse(curve);
    if (cone.has_quadric) cone.quadric = quadric_of(curve, cone.effective_mass);
  }
  set_holding(cone, holding(massless, scaled));
  const Matrix3d& greater = massless.normal_across ? scaled : massless.projector;
  cone.mu_jam = mu_jam(greater);
  set_jam(cone, greater);
  cone.crit_depends = !massless.up;
  cone.jam_depends = massless.rank > 1 || massless.normal_across;
  return cone;
}

std::vector<Vec3> massless_directions(const Matrix3d& projector) {
  if (projector.isZero(0)) return {};
  const Massless massless(projector);
  if (massless.rank == 1) {
    Eigen::Index greatest = 0;
    massless.projector.diagonal().maxCoeff(&greatest);
    const Vec3 d = massless.projector.col(greatest).normalized();
    return {d[2] < 0 ? Vec3(-d) : d};
  }
  if (massless.rank == 3) return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const Vec3 across = massless.up ? *massless.up : massless.level.at(0);
  const double tangential = plane::norm(across.head<2>());
  const Vec3 t =
      tangential > 0 ? Vec3(Vec3(-across.y(), across.x(), 0) / tangential) : Vec3::UnitX();
  return {t, across.cross(t)};
}

NormalCompliance normal_compliance(const GeneralizedCone& cone, const Vec2& slip) {
  if (!slip.allFinite() || slip.isZero(0))
    throw InvalidInput("slip is " + text(slip) + ", expected a finite vector other than zero");
  const auto part = [](const Matrix3d& W, const Vec2& f) {
    const Vec2 h = W.topRightCorner<2, 1>();
    const double w_nn = W(2, 2), p = w_nn - f.dot(h);
    return std::abs(p) <= rounding * (w_nn + plane::dot_terms(f, h)) ? 0.0 : p;
  };
  const auto at = [&](const Vec2& f) {
    const double infinite = part(cone.massless, f);
    return infinite != 0 ? std::copysign(infinity, infinite) : part(cone.delassus, f);
  };
  const Face face = cone.curve.face(slip);
  const double p = at(face.first);
  if (face.kind != Face::Kind::segment) return {p, p};
  const double q = at(face.last);
  return {std::min(p, q), std::max(p, q)};
}

Regime regime(const GeneralizedCone& cone, const Vec2& slip, double b) {
  if (!std::isfinite(b))
    throw InvalidInput("the normal acceleration is " + text(b) + ", expected a finite number");
  const auto [least, greatest] = normal_compliance(cone, slip);
  if (b > 0) return least < 0 ? Regime::indeterminate : Regime::separate;
  if (b < 0) return greatest > 0 ? Regime::slide : Regime::inconsistent;
  if (least < 0) return Regime::indeterminate;
  return least > 0 ? Regime::slide : Regime::jam_point;
}

std::string to_text(Regime regime) {
  switch (regime) {
    case Regime::separate:
      return "separate";
    case Regime::slide:
      return "slide";
    case Regime::indeterminate:
      return "indeterminate";
    case Regime::inconsistent:
      return "inconsistent";
    case Regime::jam_point:
      return "jam_point";
  }
  return "";
}

}  // namespace stiction
