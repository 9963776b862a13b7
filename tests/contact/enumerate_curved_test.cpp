// SPDX-License-Identifier: Apache-2.0
//
// Every solution of one contact on a disc or an ellipse, against a dense search over the angle of
// slip in long double that shares nothing with the program but the law.
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/enumerate.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Long = long double;
using Long3 = Eigen::Matrix<Long, 3, 1>;
using LongMatrix3 = Eigen::Matrix<Long, 3, 3>;

ContactProblem problem_of(const Eigen::Matrix3d& W, const Vec3& q, const Law& law) {
  ContactProblem p;
  p.dimension = 3;
  p.W = block_matrix(Eigen::MatrixXd(W), 3);
  p.q = q;
  p.laws = {law};
  return p;
}

// f(θ) on the curve and its outward normal.
struct Angle {
  Angle(const Ellipse& e, Long t) {
    const Long c = std::cos(t), s = std::sin(t), x = e.axis.x(), y = e.axis.y();
    f = {0, e.a * c * x - e.b * s * y, e.a * c * y + e.b * s * x};
    normal = {0, e.b * c * x - e.a * s * y, e.b * c * y + e.a * s * x};
    normal.normalize();
  }
  Long3 f, normal;
};

// The slips with isolated angles where q_n ≠ 0: u_n = 0 gives r_n(θ), and u_t × normal changes
// sign.
std::vector<Vec3> search_slips(const Ellipse& curve, const Eigen::Matrix3d& W, const Vec3& q) {
  const LongMatrix3 L = W.cast<Long>();
  const Long3 p = q.cast<Long>();
  const auto force = [&](const Angle& a) -> Long3 {
    const Long3 ray = Long3::Unit(0) - a.f;
    return -p[0] / L.row(0).dot(ray) * ray;
  };
  const auto across = [&](Long t) {
    const Angle a(curve, t);
    const Long3 u = L * force(a) + p;
    return a.normal[1] * u[2] - a.normal[2] * u[1];
  };
  std::vector<Vec3> slips;
  constexpr int parts = 3001;
  const Long step = 2 * std::numbers::pi_v<Long> / parts;
  for (int i = 0; i < parts; ++i) {
    Long low = i * step, high = (i + 1) * step;
    // r_n > 0 all along: not where it passes infinity.
    if (!(force(Angle(curve, low))[0] > 0 && force(Angle(curve, high))[0] > 0)) continue;
    const bool sign = across(low) < 0;
    if ((across(high) < 0) == sign) continue;
    for (int k = 0; k < 70; ++k) {
      const Long middle = (low + high) / 2;
      ((across(middle) < 0) == sign ? low : high) = middle;
    }
    const Angle a(curve, low);
    const Long3 r = force(a), u = L * r + p;
    const Long size = L.cwiseAbs().row(1).dot(r.cwiseAbs()) + std::abs(p[1]) +
                      L.cwiseAbs().row(2).dot(r.cwiseAbs()) + std::abs(p[2]);
    // Not on the verge of sticking, and not as far as solutions are taken for rounding's.
    if (a.normal.dot(u) <= 1e-8L * size || size > 1e6L * p.norm()) continue;
    slips.push_back(r.cast<double>());
  }
  return slips;
}

// Every condition of the claimed mode against the terms it is summed from.
bool obeys(const EnumeratedSolution& s, const Ellipse& curve, const Eigen::Matrix3d& W,
           const Vec3& q) {
  const Long3 r = Eigen::VectorXd(s.reactions).cast<Long>(), p = q.cast<Long>();
  const LongMatrix3 L = W.cast<Long>();
  const Long3 u = L * r + p, terms = 1e-9L * (L.cwiseAbs() * r.cwiseAbs() + p.cwiseAbs());
  if (s.modes[0] == Mode::open) return r.isZero(0) && q[0] >= 0;
  const Long gauge = curve.gauge(-Vec2(s.reactions.tail(2)));
  if (!(r[0] > 0 && gauge <= (1 + 1e-9L) * r[0] && std::abs(u[0]) <= terms[0])) return false;
  if (s.modes[0] == Mode::stick) return std::abs(u[1]) <= terms[1] && std::abs(u[2]) <= terms[2];
  const Vec2 normal = curve.normal(-Vec2(s.reactions.tail(2)) / static_cast<double>(gauge));
  const Long along = normal.x() * u[1] + normal.y() * u[2],
             across = normal.x() * u[2] - normal.y() * u[1];
  return gauge >= (1 - 1e-9L) * r[0] && along > 0 && std::abs(across) <= 10 * terms.tail<2>().sum();
}

Eigen::Matrix3d random_matrix(Random& random, int kind) {
  const auto any = [&] {
    Eigen::Matrix3d A;
    for (double& x : A.reshaped()) x = random.uniform(-1, 1);
    return A;
  };
  const Eigen::Matrix3d A = any();
  switch (kind) {
    case 0:
      return A * A.transpose();
    case 1:  // semidefinite
      return A.leftCols(2) * A.leftCols(2).transpose();
    case 2:
      return A.col(0) * A.col(0).transpose();
    case 3:
      return A * A.transpose() + any();
    case 4:
      return A + A.transpose();
    case 5:  // badly scaled
    default: {
      const Vec3 D(std::pow(10, random.uniform(-4, 4)), std::pow(10, random.uniform(-4, 4)),
                   std::pow(10, random.uniform(-4, 4)));
      return D.asDiagonal() * (A * A.transpose()) * D.asDiagonal();
    }
  }
}

TEST(EnumerateCurved, HoldsEverySlipOfADenseSearch) {
  Random random(131);
  int sticks = 0, slips = 0, several = 0, solved = 0;
  for (const double mu : {0.0, 1e-3, 0.1, 0.5, 1.0, 5.0, 30.0, 50.0, 500.0, 1e4, 1e6})
    for (int i = 0; i < 96; ++i) {
      const int kind = i % 6;
      const Eigen::Matrix3d W = random_matrix(random, kind);
      Vec3 q = random.direction3();
      if (kind == 5) q = q.cwiseProduct(W.diagonal().cwiseSqrt());
      if (kind == 2 && i % 12 < 6) q = -random.uniform(0.1, 1) * W.col(0);
      Law law = parse_law("disc:0");
      law.mu = mu;
      if (i % 4 == 3 && mu > 0) {
        law = parse_law("ellipse:1,1,20");
        law.mu = mu;
        law.mu2 = 0.3 * mu;
      }
      const ContactProblem p = problem_of(W, q, law);
      const Enumeration e = enumerate(p);
      ASSERT_TRUE(e.complete);
      const auto holds = [&](const Eigen::VectorXd& r, double tolerance) {
        return std::any_of(e.solutions.begin(), e.solutions.end(), [&](const auto& s) {
          const Eigen::VectorXd change = r - s.reactions;
          // A continuum of one contact's stick, or of one slip, has one velocity.
          if (s.dimension > 0)
            return (W * change).norm() <=
                   1e-6 * (W.cwiseAbs() * r.cwiseAbs() + q.cwiseAbs()).norm();
          return change.norm() <= tolerance * r.norm();
        });
      };
      const Solution s = solve(p, {.tolerance = 1e-11, .max_seconds = 0.2});
      if (s.status == Status::solved && kind != 5) {
        ++solved;
        EXPECT_TRUE(holds(s.reactions, 1e-5)) << mu << ' ' << i << '\n' << W << '\n' << q;
      }
      if (mu == 0) continue;
      const Ellipse curve = limit_curve(law).ellipse();
      for (const EnumeratedSolution& one : e.solutions) {
        EXPECT_TRUE(obeys(one, curve, W, q)) << mu << ' ' << i << '\n' << W << '\n' << q;
        if (kind != 5) {
          EXPECT_LE(one.certificate.scaled, 1e-8) << mu << i;
        }
      }
      if (q[0] > 0) {
        EXPECT_TRUE(holds(Vec3::Zero(), 0)) << mu << ' ' << i;
      }
      if (kind != 1 && kind != 2) {
        const Long3 stick = W.cast<Long>().fullPivLu().solve(-q.cast<Long>());
        const Vec3 r = stick.cast<double>();
        if (curve.gauge(-r.tail<2>()) < (1 - 1e-6) * r[0] &&
            (W.cwiseAbs() * r.cwiseAbs()).norm() < 1e6 * q.norm()) {
          ++sticks;
          EXPECT_TRUE(holds(r, 1e-7)) << mu << ' ' << i << '\n' << W << '\n' << q << '\n' << r;
        }
      }
      const std::vector<Vec3> found = search_slips(curve, W, q);
      for (const Vec3& r : found)
        EXPECT_TRUE(holds(r, 1e-7)) << mu << ' ' << i << '\n' << W << '\n' << q << '\n' << r;
      slips += static_cast<int>(found.size());
      several += found.size() > 1;
    }
  EXPECT_GT(sticks, 100);
  EXPECT_GT(slips, 300);
  EXPECT_GT(several, 20);
  EXPECT_GT(solved, 300);
}

}  // namespace
}  // namespace stiction::testing
