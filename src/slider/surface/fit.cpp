// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_fit.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/part_of.h"
#include "slider/surface/radial_error.h"
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

Eigen::VectorXd least_squares(const Monomials& monomials, const std::vector<Vec3>& points) {
  const auto rows = static_cast<Eigen::Index>(points.size());
  const auto columns = static_cast<Eigen::Index>(monomials.size());
  Eigen::MatrixXd a(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index k = 0; k < columns; ++k)
      a(i, k) = term(monomials[static_cast<std::size_t>(k)], points[static_cast<std::size_t>(i)]);
  return a.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(rows));
}

// What symmetry makes zero is zero.
Eigen::VectorXd without_rounding(Eigen::VectorXd c) {
  const double negligible = 1e-13 * c.cwiseAbs().maxCoeff();
  for (double& coefficient : c)
    if (std::abs(coefficient) < negligible) coefficient = 0;
  return c;
}

constexpr double sampling = 0.8;  // of the work, about

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

namespace {

// Loads in units in which the surface is about a unit ball: forces over the greatest along an axis,
// moments also over ρ.
Vec3 units_of(const Slider& slider) {
  const double rho = slider.length_scale();
  double force = 0;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1 / rho)})
    for (const double sign : {1.0, -1.0})
      force = std::max(force, load(slider, Motion::of(sign * axis)).power);
  return {force, force, force * rho};
}

// The convex quartic nearest to the free fit: the free one itself, or the least mixture with
// |z|⁴ whose convexity is proven.  The least eigenvalue is concave in the mixture.
struct ConvexQuartic {
  Quartic body;
  double convexity;
};
ConvexQuartic made_convex(const Quartic::Coefficients& free) {
  Quartic::Coefficients round;  // |z|⁴
  round << 1, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 1;
  const auto mixture = [&](double t) { return Quartic((1 - t) * free + t * round); };
  double from = 0, to = 0;
  if (!mixture(0).convexity().proven) {
    to = 1;
    for (int k = 0; k < 20; ++k) {
      const double middle = 0.5 * (from + to);
      (mixture(middle).convexity().proven ? to : from) = middle;
    }
  }
  const Quartic::Convexity bent = mixture(to).convexity();
  return {mixture(to), bent.least / bent.greatest};
}

}  // namespace

SurfaceFit fit(const Slider& slider, SurfaceFit::Kind kind, int samples, const Progress& progress) {
  if (samples < 100)
    throw InvalidInput("samples is " + std::to_string(samples) + ", expected 100 or more");
  const Vec3 units = units_of(slider);
  const auto refuse = [] {
    throw InvalidInput(
        "supports do not resist every motion, expected a limit surface all around the load zero");
  };
  if (!(units[0] > 0)) refuse();
  const auto on_surface = [&](const Vec3& direction) {
    const MotionSet set = motion(slider, Load::of(units.cwiseProduct(direction)));
    if (!(set.gauge > 0 && set.gauge < 1e12)) refuse();
    return std::pair(Vec3(direction / set.gauge), set.motion);
  };
  std::vector<Vec3> points;
  std::vector<Motion> motions;
  for (int k = 0; k < samples; ++k) {
    if (progress && !progress(sampling * k / samples))
      throw Stopped("the fit was stopped after " + std::to_string(k) + " of " +
                    std::to_string(samples) + " samples");
    const auto [point, motion] = on_surface(spread_direction(k, samples));
    points.push_back(point);
    motions.push_back(motion);
  }

  SurfaceFit result;
  result.kind = kind;
  const bool quartic = kind == SurfaceFit::Kind::quartic;
  const Eigen::VectorXd form = without_rounding(least_squares(monomials_of(2), points));
  result.monomials = monomials_of(quartic ? 4 : 2);
  Eigen::Matrix3d A;
  A << form[0], form[1] / 2, form[2] / 2, form[1] / 2, form[3], form[4] / 2, form[2] / 2,
      form[4] / 2, form[5];
  const Eigen::LLT<Eigen::Matrix3d> root(A);
  if (root.info() != Eigen::Success)
    throw InvalidInput("no ellipsoid about the load zero fits the limit surface");
  // In coordinates z = Lᵀp the ellipsoid is a ball.
  const Eigen::Matrix3d Lt = root.matrixU();
  LoadCoordinates whitened{.A = units.asDiagonal() * Lt.inverse(),
                           .inverse = Lt * units.cwiseInverse().asDiagonal()};
  std::vector<LoadAndMotion> known;
  for (std::size_t k = 0; k < points.size(); ++k)
    known.push_back({Lt * points[k], whitened.of(motions[k])});
  Quartic::Coefficients round;  // |z|⁴
  round << 1, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 1;
  Eigen::VectorXd c = form;
  Quartic body(round);  // 1 on the fit's surface, of z
  result.convexity = 1;
  if (quartic) {
    std::vector<Vec3> loads;
    for (const LoadAndMotion& at : known) loads.push_back(at.load);
    const ConvexQuartic convex = made_convex(least_squares(result.monomials, loads));
    result.convexity = convex.convexity;
    c = without_rounding(convex.body.substituted(Lt).coefficients());
    body = Quartic(c).substituted(Lt.inverse());
  }
  for (std::size_t k = 0; k < result.monomials.size(); ++k)
    result.coefficients.push_back(c[static_cast<Eigen::Index>(k)] /
                                  term(result.monomials[k], units));
  const RadialError greatest =
      radial_error(slider, whitened, body, known, part_of(progress, sampling, 1));
  result.max_error = greatest.error;
  result.max_error_at = greatest.motion;
  return result;
}

}  // namespace stiction
