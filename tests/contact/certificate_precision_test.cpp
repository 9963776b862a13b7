// SPDX-License-Identifier: Apache-2.0
//
// The certificate against fifty digits: every entry recomputed from its definition at random
// points, far from solutions and within rounding of them, for every law, in 2-D and 3-D, with W
// symmetric or not.  Whatever is said of a solution rests on these numbers.
#include <gtest/gtest.h>

#include "stiction/certificate.h"
#include "support/oracle.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Vector = std::vector<Real>;

Real norm(const Vector& x) {
  Real sum = 0;
  for (const Real& c : x) sum += c * c;
  return sqrt(sum);
}

// h and P_K of one contact.  In 2-D the law is an interval of tangential forces, and the nearest
// point of the wedge is the point itself, its foot on one of the two rays, or the apex.
class ExactLaw {
 public:
  ExactLaw(const Law& law, int dimension) : oracle_(law), flat_(dimension == 2) {
    if (!flat_) return;
    high_ = oracle_.reach({1, 0});
    low_ = -oracle_.reach({-1, 0});
  }
  Real support(const Vector& u) const {
    if (flat_) return std::max<Real>(high_ * u[1], low_ * u[1]);
    return oracle_.support({u[1], u[2]});
  }
  Vector project(const Vector& x) const {
    if (!flat_) {
      const P3 p = oracle_.project_on_cone({x[0], x[1], x[2]});
      return {p.n, p.t1, p.t2};
    }
    if (x[0] >= 0 && -x[1] <= high_ * x[0] && -x[1] >= low_ * x[0]) return x;
    Vector best{0, 0};
    Real least = x[0] * x[0] + x[1] * x[1];
    for (const Real& slope : {high_, low_}) {
      const Real along = (x[0] - slope * x[1]) / (1 + slope * slope);
      const Real a = x[0] - along, b = x[1] + slope * along;
      if (along > 0 && a * a + b * b < least) {
        least = a * a + b * b;
        best = {along, -slope * along};
      }
    }
    return best;
  }

 private:
  Oracle oracle_;
  bool flat_;
  Real high_ = 0, low_ = 0;
};

struct ExactCertificate {
  Real natural_map = 0, relative = 0, scaled = 0, cone_violation = 0, penetration = 0,
       complementarity = 0, slip_alignment = 0, dissipation = 0;
  // The sizes of the terms that rounding is relative to.
  Real natural_terms = 0, scaled_terms = 0, velocity_terms = 0, power_terms = 0;
};

ExactCertificate exact_certificate(const ContactProblem& problem, const Eigen::VectorXd& reactions,
                                   Model model) {
  const int d = problem.dimension, size = d * problem.contacts();
  const Eigen::MatrixXd W = to_sparse(problem.W);
  Vector u, terms, natural, scaled, natural_size, scaled_size, r, q;
  Real diagonal = 0;
  for (int i = 0; i < size; ++i) {
    r.emplace_back(reactions[i]);
    q.emplace_back(problem.q[i]);
    diagonal += abs(Real(W(i, i)));
  }
  const Real rho = diagonal > 0 ? Real(size / diagonal) : Real(1);
  for (int i = 0; i < size; ++i) {
    u.push_back(q[static_cast<std::size_t>(i)]);
    terms.push_back(abs(u.back()));
    for (int j = 0; j < size; ++j) {
      const Real product = Real(W(i, j)) * Real(reactions[j]);
      u.back() += product;
      terms.back() += abs(product);
    }
  }
  ExactCertificate c;
  for (int i = 0; i < problem.contacts(); ++i) {
    const ExactLaw law(problem.laws[static_cast<std::size_t>(i)], d);
    const auto part = [&](const Vector& x) {
      return Vector(x.begin() + d * i, x.begin() + d * (i + 1));
    };
    const Vector r_i = part(r), u_i = part(u);
    const Real shift = law.support(u_i), velocity = norm(part(terms)),
               strength =
                   law.support({0, 1, 0}) + law.support({0, -1, 0}) +
                   (d == 3 ? Real(law.support({0, 0, 1}) + law.support({0, 0, -1})) : Real(0));
    const auto map = [&](const Real& by, Vector& into, Vector& sizes) {
      Vector x = r_i;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] -= by * u_i[k];
      if (model == Model::coulomb) x[0] -= by * shift;
      const Vector p = law.project(x);
      for (std::size_t k = 0; k < x.size(); ++k) into.push_back(r_i[k] - p[k]);
      sizes.push_back(norm(r_i) + by * (1 + strength) * velocity);
    };
    map(1, natural, natural_size);
    map(rho, scaled, scaled_size);
    const Vector inside = law.project(r_i);
    Real power = 0, away = 0;
    for (std::size_t k = 0; k < r_i.size(); ++k) {
      away += (r_i[k] - inside[k]) * (r_i[k] - inside[k]);
      if (k > 0) power -= r_i[k] * u_i[k];
    }
    c.cone_violation = std::max<Real>(c.cone_violation, sqrt(away));
    c.penetration = std::max<Real>(c.penetration, -u_i[0]);
    c.complementarity = std::max<Real>(c.complementarity, abs(r_i[0] * u_i[0]));
    c.slip_alignment = std::max<Real>(c.slip_alignment, r_i[0] * shift - power);
    c.dissipation += power;
    c.velocity_terms = std::max<Real>(c.velocity_terms, velocity);
    c.power_terms += (1 + strength) * norm(r_i) * velocity;
  }
  c.natural_map = norm(natural);
  c.relative = norm(q) > 0 ? Real(c.natural_map / norm(q)) : c.natural_map;
  const Real unit = std::max<Real>(norm(r), rho * norm(q));
  c.scaled = norm(scaled) > 0 ? Real(norm(scaled) / unit) : Real(0);
  c.natural_terms = norm(natural_size);
  c.scaled_terms = norm(scaled_size);
  return c;
}

// At most so many units of rounding of the terms away from the truth.
constexpr double units = 40 * 2.2e-16;

void expect_right(const ContactProblem& problem, const Eigen::VectorXd& r, Model model,
                  const std::string& what) {
  const Certificate c = certify(problem, r, model);
  const ExactCertificate e = exact_certificate(problem, r, model);
  const auto near = [&](double found, const Real& truth, const Real& terms, const char* entry) {
    EXPECT_LE(static_cast<double>(Real(abs(Real(found) - truth))),
              units * static_cast<double>(terms))
        << what << ": " << entry << " is " << found << ", in fifty digits " << truth;
  };
  Real q = 0;
  for (const double x : problem.q) q += Real(x) * Real(x);
  q = q > 0 ? Real(sqrt(q)) : Real(1);
  near(c.natural_map, e.natural_map, e.natural_terms, "natural_map");
  near(c.relative, e.relative, e.natural_terms / q, "relative");
  // scaled: its terms over the same unit as itself; r = q = 0 has none.
  const Real mean = Eigen::MatrixXd(to_sparse(problem.W)).diagonal().cwiseAbs().mean();
  const Real rho = mean > 0 ? Real(1 / mean) : Real(1);
  const Real unit = std::max<Real>(Real(r.norm()), rho * Real(problem.q.norm()));
  near(c.scaled, e.scaled, unit > 0 ? Real(e.scaled_terms / unit) : Real(0), "scaled");
  near(c.cone_violation, e.cone_violation, Real(r.norm()), "cone_violation");
  near(c.penetration, e.penetration, e.velocity_terms, "penetration");
  near(c.complementarity, e.complementarity, e.power_terms, "complementarity");
  near(c.slip_alignment, e.slip_alignment, e.power_terms, "slip_alignment");
  near(c.dissipation, e.dissipation, e.power_terms, "dissipation");
}

TEST(CertificatePrecision, EveryEntryIsRightToRounding) {
  Random random(141);
  for (int i = 0; i < 520; ++i) {
    const int d = i % 4 == 3 ? 2 : 3, contacts = random.integer(1, 4);
    std::vector<Law> laws;
    for (int k = 0; k < contacts; ++k) laws.push_back(random.law(i + k, -2, 1));
    Planted p = plant(random, contacts, d, random.integer(1, contacts), laws);
    const double w = random.decades(-6, 6), v = random.decades(-9, 3);  // other units
    if (i % 5 == 0)                                                     // unsymmetric
      for (double& x : p.problem.W.value) x *= 1 + 1e-3 * random.uniform(-1, 1);
    for (double& x : p.problem.W.value) x *= w;
    p.problem.q *= v;
    Eigen::VectorXd r = p.reactions * (v / w);
    // From the solution itself to points that are nothing like one.
    const double away = i % 3 == 0 ? 0 : random.decades(-16, 1);
    for (double& x : r) x += away * (v / w) * random.uniform(-1, 1);
    for (const Model model : {Model::coulomb, Model::convex})
      expect_right(p.problem, r, model, "case " + std::to_string(i));
  }
}

// A check that a wrong certificate would not pass: the truth moved by a millionth is noticed.
TEST(CertificatePrecision, TheFiftyDigitsTellPointsApart) {
  Random random(142);
  const Planted p = plant(random, 4, 3, 2, discs(random, 4));
  const ExactCertificate solved = exact_certificate(p.problem, p.reactions, Model::coulomb);
  EXPECT_LE(static_cast<double>(solved.scaled), 1e-15);
  const ExactCertificate moved =
      exact_certificate(p.problem, Eigen::VectorXd(p.reactions * (1 + 1e-6)), Model::coulomb);
  EXPECT_GT(static_cast<double>(moved.scaled), 1e-8);
}

}  // namespace
}  // namespace stiction::testing
