// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_fit.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slider/quartic.h"
#include "stiction/slider_motion.h"

namespace stiction {

namespace {

using Monomials = std::vector<std::array<int, 3>>;

Monomials monomials_of(int degree) {
  Monomials list;
  for (int i = degree; i >= 0; --i)
    for (int j = degree - i; j >= 0; --j) list.push_back({i, j, degree - i - j});
  return list;
}

double power_of(double x, int n) {
  double result = 1;
  for (; n > 0; --n) result *= x;
  return result;
}

// A monomial, or its derivative in the variables `by`.
double term(std::array<int, 3> exponents, const Vec3& p, std::initializer_list<int> by = {}) {
  double factor = 1;
  for (const int k : by) {
    const auto i = static_cast<std::size_t>(k);
    if (exponents[i] == 0) return 0;
    factor *= exponents[i]--;
  }
  return factor * power_of(p[0], exponents[0]) * power_of(p[1], exponents[1]) *
         power_of(p[2], exponents[2]);
}

double sum(const Monomials& monomials, const Eigen::VectorXd& c, const Vec3& p,
           std::initializer_list<int> by = {}) {
  double total = 0;
  for (std::size_t k = 0; k < monomials.size(); ++k)
    total += c[static_cast<Eigen::Index>(k)] * term(monomials[k], p, by);
  return total;
}

// Directions spread evenly over the sphere, by turns of the golden angle over an eighth of it and
// its mirror images: a symmetric surface gets a symmetric fit.
Vec3 spread(int k, int count) {
  const int eighth = (count + 7) / 8, image = k / eighth;
  const double z = (k % eighth + 0.5) / eighth, r = std::sqrt(1 - z * z);
  const double turn = (std::sqrt(5.0) - 1) / 2 * (k % eighth + 0.5);
  const double angle = std::numbers::pi / 2 * (turn - std::floor(turn));
  return {(image & 1 ? -1 : 1) * r * std::cos(angle), (image & 2 ? -1 : 1) * r * std::sin(angle),
          (image & 4 ? -1 : 1) * z};
}

// Goes uphill on the sphere from d: a pattern of four steps that halve where none is better.
template <typename Function>
Vec3 climb(Vec3 d, double step, double least_step, const Function& f) {
  double best = f(d);
  while (step > least_step) {
    const Vec3 a = d.unitOrthogonal(), b = d.cross(a);
    Vec3 better = d;
    for (const Vec3& to : {a, Vec3(-a), b, Vec3(-b)}) {
      const Vec3 at = (d + step * to).normalized();
      if (const double value = f(at); value > best) best = value, better = at;
    }
    if (better == d) step /= 2;
    d = better;
  }
  return d;
}

Eigen::VectorXd least_squares(const Monomials& monomials, const std::vector<Vec3>& points) {
  const auto rows = static_cast<Eigen::Index>(points.size());
  const auto columns = static_cast<Eigen::Index>(monomials.size());
  Eigen::MatrixXd a(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index k = 0; k < columns; ++k)
      a(i, k) = term(monomials[static_cast<std::size_t>(k)], points[static_cast<std::size_t>(i)]);
  return a.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(rows));
}

}  // namespace

double SurfaceFit::value(const Load& load) const {
  double total = 0;
  for (std::size_t k = 0; k < monomials.size(); ++k)
    total += coefficients[k] * term(monomials[k], load.vector());
  return total;
}

Motion SurfaceFit::motion(const Load& load) const {
  Vec3 normal = Vec3::Zero();
  for (std::size_t k = 0; k < monomials.size(); ++k)
    for (int i = 0; i < 3; ++i)
      normal[i] += coefficients[k] * term(monomials[k], load.vector(), {i});
  return Motion::of(normal);
}

// Points of the surface that a climb to the greatest error looks at, about.
constexpr int climbing = 150;

SurfaceFit fit(const Slider& slider, SurfaceFit::Model model, int samples,
               const Progress& progress) {
  if (samples < 100)
    throw InvalidInput("samples is " + std::to_string(samples) + ", expected 100 or more");
  // Loads in units in which the surface is about a unit ball: forces over `force`, moments also
  // over ρ.
  const double rho = slider.length_scale();
  double force = 0;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1 / rho)})
    for (const double sign : {1.0, -1.0})
      force = std::max(force, load(slider, Motion::of(sign * axis)).power);
  const auto refuse = [] {
    throw InvalidInput(
        "supports do not resist every motion, expected a limit surface all around the load zero");
  };
  if (!(force > 0)) refuse();
  const Vec3 units(force, force, force * rho);
  const auto on_surface = [&](const Vec3& direction) {
    const MotionSet set = motion(slider, Load::of(units.cwiseProduct(direction)));
    if (!(set.gauge > 0 && set.gauge < 1e12)) refuse();
    return std::pair(Vec3(direction / set.gauge), set.motion);
  };
  std::vector<Vec3> points;
  for (int k = 0; k < samples; ++k) {
    if (progress && !progress(static_cast<double>(k) / (samples + 5 * climbing)))
      throw Stopped("the fit was stopped after " + std::to_string(k) + " of " +
                    std::to_string(samples) + " samples");
    points.push_back(on_surface(spread(k, samples)).first);
  }

  SurfaceFit result;
  result.model = model;
  const bool quartic = model == SurfaceFit::Model::quartic;
  const Eigen::VectorXd form = least_squares(monomials_of(2), points);
  result.monomials = monomials_of(quartic ? 4 : 2);
  Eigen::Matrix3d A;
  A << form[0], form[1] / 2, form[2] / 2, form[1] / 2, form[3], form[4] / 2, form[2] / 2,
      form[4] / 2, form[5];
  const Eigen::LLT<Eigen::Matrix3d> root(A);
  if (root.info() != Eigen::Success)
    throw InvalidInput("no ellipsoid about the load zero fits the limit surface");
  Eigen::VectorXd c = form;
  result.convexity = 1;
  if (quartic) {
    // In coordinates z = Lᵀp, in which the ellipsoid is a ball.
    const Eigen::Matrix3d Lt = root.matrixU();
    std::vector<Vec3> whitened;
    for (const Vec3& p : points) whitened.emplace_back(Lt * p);
    const Quartic::Coefficients free = least_squares(result.monomials, whitened);
    Quartic::Coefficients round;  // |z|⁴
    round << 1, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 1;
    // The least eigenvalue is concave in the mixture.
    double from = 0, to = 0;
    Quartic::Convexity bent = Quartic(free).convexity();
    if (!bent.proven) {
      to = 1;
      for (int k = 0; k < 20; ++k) {
        const double middle = 0.5 * (from + to);
        const auto mixed = Quartic((1 - middle) * free + middle * round).convexity();
        (mixed.proven ? to : from) = middle;
      }
      bent = Quartic((1 - to) * free + to * round).convexity();
    }
    result.convexity = bent.least / bent.greatest;
    c = Quartic((1 - to) * free + to * round).substituted(Lt).coefficients();
  }

  // What symmetry makes zero is zero.
  const double negligible = 1e-13 * c.cwiseAbs().maxCoeff();
  for (double& coefficient : c)
    if (std::abs(coefficient) < negligible) coefficient = 0;

  // The farthest point: from the worst samples uphill, by the exact surface.
  const double degree = quartic ? 4 : 2;
  const auto error_at = [&](const Vec3& direction) {
    const double value = sum(result.monomials, c, on_surface(direction).first);
    return value > 0 ? std::abs(std::pow(value, -1 / degree) - 1) : infinity;
  };
  std::vector<std::pair<double, Vec3>> worst;
  for (const Vec3& p : points) {
    const double value = sum(result.monomials, c, p);
    worst.emplace_back(value > 0 ? std::abs(std::pow(value, -1 / degree) - 1) : infinity,
                       p.normalized());
  }
  std::partial_sort(worst.begin(), worst.begin() + 5, worst.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  for (int k = 0; k < 5; ++k) {
    const double share = static_cast<double>(samples + k * climbing) / (samples + 5 * climbing);
    if (progress && !progress(share) && k > 0) break;
    const Vec3 at =
        climb(worst[static_cast<std::size_t>(k)].second, 2 / std::sqrt(samples), 1e-6, error_at);
    if (const double error = error_at(at); error > result.max_error || k == 0) {
      result.max_error = error;
      result.max_error_at = on_surface(at).second;
    }
  }
  for (std::size_t k = 0; k < result.monomials.size(); ++k)
    result.coefficients.push_back(c[static_cast<Eigen::Index>(k)] /
                                  term(result.monomials[k], units));
  return result;
}

}  // namespace stiction
