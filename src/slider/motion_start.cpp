// SPDX-License-Identifier: Apache-2.0
//
// Where Newton's method starts on large grids of pressure.  A hundred blocks of cells have almost
// the motion and the curvature of all the cells, at a hundredth of the cost of each step.
#include <cmath>

#include "slider/scaled.h"

namespace stiction {

namespace {

constexpr double blocks = 256;

// The mean pressures of square blocks, which may reach beyond the grid by the same on either side.
Support coarsened(const Support& fine, Eigen::Index block) {
  const Eigen::Index rows = fine.pressures.rows(), columns = fine.pressures.cols();
  const auto count = [&](Eigen::Index n) { return (n + block - 1) / block; };
  const Eigen::Index low_row = (count(rows) * block - rows) / 2,
                     low_column = (count(columns) * block - columns) / 2;
  Support coarse;
  coarse.shape = fine.shape;
  coarse.normal_force = fine.normal_force;
  coarse.curve = fine.curve;
  coarse.at =
      fine.at - fine.cell * Vec2(static_cast<double>(low_column), static_cast<double>(low_row));
  coarse.cell = fine.cell * static_cast<double>(block);
  coarse.pressures = Eigen::MatrixXd::Zero(count(rows), count(columns));
  const double share = 1 / static_cast<double>(block * block);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i)
      coarse.pressures((i + low_row) / block, (j + low_column) / block) +=
          share * fine.pressures(i, j);
  return coarse;
}

}  // namespace

Minimiser minimise_from_coarse(const ScaledSlider& scaled) {
  std::vector<Support> coarse;
  std::vector<const Support*> areas = scaled.areas();
  coarse.reserve(areas.size());
  for (const Support*& area : areas) {
    const double cells = static_cast<double>((area->pressures.array() > 0).count());
    const auto block = static_cast<Eigen::Index>(std::sqrt(cells / blocks));
    if (area->shape != Support::Shape::grid || block < 3) continue;
    coarse.push_back(coarsened(*area, block));
    area = &coarse.back();
  }
  if (coarse.empty()) return minimise_by_newton(scaled, scaled.p(), true);
  const ScaledSlider less = scaled.with_areas(std::move(areas));
  const Minimiser near = minimise_by_newton(less, scaled.p(), false);
  if (!near.strict) return minimise_by_newton(scaled, scaled.p(), true);
  const Eigen::Matrix3d curvature = less.power(near.q).K;
  return minimise_by_newton(scaled, near.q, true, &curvature);
}

}  // namespace stiction
