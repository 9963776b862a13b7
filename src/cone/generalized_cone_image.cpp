// SPDX-License-Identifier: Apache-2.0
//
// The generalized cone as a set: membership, distance, rows and rays, axes, configuration space.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

#include "cone/compensated.h"
#include "cone/image_cone.h"
#include "stiction/friction_cone.h"

namespace stiction {

namespace {

using Eigen::Matrix3d;

Vec3 tangential_first(const Vec3& v) { return {v[1], v[2], v[0]}; }  // from n, t1, t2

Vec3 unit_or_zero(const Vec3& v) { return v.isZero(0) ? v : Vec3(v.stableNormalized()); }

void require_finite(const Vec3& du) {
  if (!du.allFinite()) throw InvalidInput("the velocity change is not finite");
}

void require_mass(const GeneralizedCone& cone) {
  if (!cone.massless.isZero(0))
    throw InvalidInput(
        "the contact can move without moving mass, expected one that cannot: any impulse along "
        "that motion changes its velocity without bound");
}

// a × b with components that keep their digits.
Vec3 precise_cross(const Vec3& a, const Vec3& b) {
  return {difference_of_products(a[1], b[2], a[2], b[1]),
          difference_of_products(a[2], b[0], a[0], b[2]),
          difference_of_products(a[0], b[1], a[1], b[0])};
}

}  // namespace

Vec3 nearest(const GeneralizedCone& cone, const Vec3& du) {
  require_finite(du);
  require_mass(cone);
  const Vec3 x = du - cone.apex;
  // The size of W does not matter: the cone is the same.
  const double size = cone.delassus.diagonal().maxCoeff();
  const double unit = size > 0 ? std::ldexp(1.0, -std::ilogb(size)) : 1;
  const Matrix3d W = unit * cone.delassus, M = cone.effective_mass / unit;
  return cone.apex + (cone.regular ? nearest_in_image(W, M, cone.curve, x)
                                   : nearest_in_flat_image(W, cone.curve, x));
}

double distance(const GeneralizedCone& cone, const Vec3& du) {
  return (du - nearest(cone, du)).stableNorm();
}

bool contains(const GeneralizedCone& cone, const Vec3& du) {
  require_finite(du);
  require_mass(cone);
  const Vec3 x = du - cone.apex;
  if (!cone.regular)
    return distance(cone, du) <= rounding * (du.stableNorm() + cone.apex.stableNorm());
  // The impulse, and what rounding of δu = W λ has done to it.
  const Vec3 impulse = cone.effective_mass * x;
  const Vec3 terms =
      cone.delassus.cwiseAbs() * impulse.cwiseAbs() + du.cwiseAbs() + cone.apex.cwiseAbs();
  const double slack = Vec3(cone.effective_mass.cwiseAbs() * terms).stableNorm();
  return FrictionCone(cone.curve).distance({impulse[2], impulse[0], impulse[1]}) <=
         rounding * slack;
}

std::vector<Vec3> rows(const GeneralizedCone& cone) {
  require_mass(cone);
  if (!cone.regular)
    throw InvalidInput("the Delassus matrix is singular, expected a regular one to list rows");
  std::vector<Vec3> list;
  for (const Vec3& a : FrictionCone(cone.curve).rows())
    list.push_back((cone.effective_mass * tangential_first(a)).normalized());
  return list;
}

std::vector<Vec3> rays(const GeneralizedCone& cone) {
  require_mass(cone);
  std::vector<Vec3> list;
  for (const Vec3& r : FrictionCone(cone.curve).rays())
    list.push_back(cone.delassus * tangential_first(r));
  return list;
}

double section_support(const GeneralizedCone& cone, const Vec3& y) {
  require_mass(cone);
  return image_support(cone.delassus, cone.curve, y);
}

PrincipalAxes principal_axes(const GeneralizedCone& cone) {
  require_mass(cone);
  if (!cone.regular || cone.curve.shape() != LimitCurve::Shape::ellipse)
    throw InvalidInput("the cone has no principal axes, expected an ellipse and a regular matrix");
  return principal_axes_of_image(cone.delassus, cone.effective_mass, cone.curve.ellipse());
}

Vec3 frictionless_line(const Matrix3d& W) { return unit_or_zero(W.col(2)); }

Vec3 bounding_normal(const Matrix3d& W) {
  const Vec3 normal = unit_or_zero(precise_cross(W.col(0), W.col(1)));
  return normal.dot(W.col(2)) < 0 ? -normal : normal;
}

Eigen::VectorXd ConfigurationCone::nearest(const Eigen::VectorXd& dv) const {
  if (!contact.regular)
    throw InvalidInput("the Delassus matrix is singular, expected a regular one to project");
  // With W = L Lᵀ, ‖M⁻¹Aᵀλ − δv‖² in the metric of M is ‖Lᵀλ − L⁻¹A δv‖² and a constant.
  const Eigen::LLT<Matrix3d> factor(contact.delassus);
  const Matrix3d T = factor.matrixU();
  const Matrix3d inverse = factor.matrixU().solve(Matrix3d::Identity());
  const Vec3 x = factor.matrixL().solve(Vec3(jacobian * dv));
  return map * (inverse * nearest_in_image(T, inverse, contact.curve, x));
}

ConfigurationCone configuration_cone(const Eigen::MatrixXd& M,
                                     const Eigen::Matrix<double, 3, Eigen::Dynamic>& A,
                                     const LimitCurve& curve) {
  if (M.rows() != M.cols() || M.rows() != A.cols())
    throw InvalidInput("M is of shape (" + std::to_string(M.rows()) + ", " +
                       std::to_string(M.cols()) + ") and A of shape (3, " +
                       std::to_string(A.cols()) + "), expected shapes (n, n) and (3, n)");
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  if (!M.allFinite() || factor.info() != Eigen::Success)
    throw InvalidInput("M is not positive definite, expected a mass matrix");
  ConfigurationCone cone;
  cone.jacobian = A;
  cone.map = factor.solve(A.transpose());
  cone.contact = generalized_cone(Matrix3d(A * cone.map), curve);
  return cone;
}

}  // namespace stiction
