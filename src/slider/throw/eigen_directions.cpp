// SPDX-License-Identifier: Apache-2.0
//
// With x = (v_x, v_y, ρω) and h(x) = H(Q): ∇h = h x at a critical point of the unit sphere.  On the
// sphere the second derivative is ∇²h − h, across x.  Newton's method from many starts finds the
// smooth ones; where a support rests, h x must be among the loads.
#include "stiction/eigen_directions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

struct Sphere {
  const Slider& slider;
  double rho = slider.length_scale();

  Motion motion(const Vec3& x) const { return {x[0], x[1], x[2] / rho}; }
  PowerDerivatives at(const Vec3& x) const {
    PowerDerivatives d = power_derivatives(slider, motion(x));
    d.load[2] /= rho;
    const Vec3 weigh(1, 1, 1 / rho);
    d.hessian = weigh.asDiagonal() * d.hessian * weigh.asDiagonal();
    return d;
  }
};

void keep(std::vector<EigenDirection>& found, const Slider& slider, const EigenDirection& next) {
  const auto at = [&](const Motion& m) {
    return Vec3(m.vx, m.vy, slider.length_scale() * m.omega);
  };
  for (const EigenDirection& other : found)
    if ((at(other.motion) - at(next.motion)).norm() <= 1e-6) return;
  found.push_back(next);
}

// From x to a critical point of the smooth piece it is on.
void polish(const Sphere& sphere, Vec3 x, std::vector<EigenDirection>& found) {
  double error = infinity;
  PowerDerivatives d = sphere.at(x);
  for (int k = 0; k < 40; ++k) {
    if (!(d.power > 0)) return;
    const Vec3 r = d.load - d.power * x;
    error = r.norm() / d.power;
    if (error <= 4 * eps) break;
    const Vec3 a = x.unitOrthogonal(), b = x.cross(a);
    Eigen::Matrix<double, 3, 2> B;
    B << a, b;
    const Eigen::Matrix2d J = B.transpose() * d.hessian * B - d.power * Eigen::Matrix2d::Identity();
    Vec2 step = -J.fullPivLu().solve(Vec2(B.transpose() * r));
    if (!step.allFinite()) return;
    if (step.norm() > 0.3) step *= 0.3 / step.norm();
    const Vec3 next = (x + B * step).normalized();
    const PowerDerivatives there = sphere.at(next);
    if (error < 1e-12 && !((there.load - there.power * next).norm() < error * there.power)) break;
    x = next;
    d = there;
  }
  if (!(error <= 1e-11)) return;
  const Vec3 a = x.unitOrthogonal(), b = x.cross(a);
  Eigen::Matrix<double, 3, 2> B;
  B << a, b;
  const Eigen::Matrix2d J = B.transpose() * d.hessian * B - d.power * Eigen::Matrix2d::Identity();
  const double least = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(J).eigenvalues()[0];
  keep(found, sphere.slider, {sphere.motion(x), d.power, least > 0, error});
}

}  // namespace

std::vector<EigenDirection> eigen_directions(const Slider& slider, const Progress& progress) {
  const Sphere sphere{slider};
  std::vector<EigenDirection> found;
  // Turns about supports at rest.
  for (const Support& support : slider.supports()) {
    if (support.shape != Support::Shape::point) continue;
    for (const double turn : {1.0, -1.0}) {
      const Vec3 m(turn * support.at.y(), -turn * support.at.x(), turn);
      const Vec3 x = Vec3(m[0], m[1], sphere.rho * m[2]).normalized();
      const Motion motion = sphere.motion(x);
      const double power = load(slider, motion).power;
      if (!(power > 0)) continue;
      const Vec3 parallel(power * x[0], power * x[1], power * x[2] * sphere.rho);
      const ScaledSlider scaled(slider, Load::of(parallel));
      const double size = scaled.size() / scaled.strength();
      LoadFace face(scaled, scaled.scaled(motion));
      if (face.dimension() < 2) continue;
      const double error = face.distance(size * scaled.p()) / size;
      if (error <= 1e-11) keep(found, slider, {motion, power, true, error});
    }
  }
  // A spiral of starts over the sphere.
  constexpr int starts = 200;
  for (int k = 0; k < starts; ++k) {
    if (progress && !progress(static_cast<double>(k) / starts)) break;
    const double z = 1 - (2 * k + 1.0) / starts, r = std::sqrt(1 - z * z);
    const double angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
    polish(sphere, Vec3(r * std::cos(angle), r * std::sin(angle), z), found);
  }
  std::sort(found.begin(), found.end(),
            [](const EigenDirection& a, const EigenDirection& b) { return a.power < b.power; });
  return found;
}

}  // namespace stiction
