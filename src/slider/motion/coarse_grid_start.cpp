// SPDX-License-Identifier: Apache-2.0
//
// Where Newton's method starts on large grids of pressure.  A hundred blocks of cells have almost
// the motion and the curvature of all cells, and a step costs a hundredth.  Their kinks and wedges
// are next to those of the cells.
#include <algorithm>
#include <cmath>

#include "slider/motion/face_of_loads.h"

namespace stiction {

namespace {

constexpr double most_blocks = 256, fewest_cells = 1000;

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
  // The same centre, so that the same loads move all of it one way.
  coarse.at += pressure_moments(fine).centre - pressure_moments(coarse).centre;
  return coarse;
}

}  // namespace

Minimiser minimise_from_coarse(const ScaledSlider& scaled) {
  std::vector<Support> coarse;
  std::vector<const Support*> areas = scaled.areas();
  coarse.reserve(areas.size());
  for (const Support*& area : areas) {
    const double cells = static_cast<double>((area->pressures.array() > 0).count());
    if (area->shape != Support::Shape::grid || cells < fewest_cells) continue;
    // Blocks have more than one cell under pressure in them even where few cells are.
    const double extent = static_cast<double>(area->pressures.size());
    const auto block =
        static_cast<Eigen::Index>(std::sqrt(extent / std::min(most_blocks, cells / 25)));
    coarse.push_back(coarsened(*area, block));
    area = &coarse.back();
  }
  if (coarse.empty()) return minimise_by_newton(scaled, scaled.p(), true);
  const ScaledSlider less = scaled.with_areas(std::move(areas));
  // Kinks of areas are translations, whose load costs next to nothing.
  Minimiser near{.q = scaled.p()};
  if (!less.smooth()) near = at_kink_beside(less, near);
  if (near.error > 1e-13) near = minimise_by_newton(less, scaled.p(), false);
  if (!less.smooth()) {
    near = minimise_beyond_kinks(less, near);
    if (near.inside) {
      // At a kink, or beside it if the load is next to the rim of its facet.
      const double h = less.power(near.q, false).h / less.p().dot(near.q);
      const LoadFace::ToRim rim = LoadFace(less, near.q).to_rim(h * less.p());
      const Minimiser kink = at_kink_beside(scaled, {.q = near.q, .error = 0});
      if (kink.inside) return kink;
      near.q += 0.1 * near.q.norm() * rim.towards;
    } else {  // the middle of all, as far as can be from where the load changes
      minimisers_around(less, near);
    }
  }
  if (!scaled.drives(near.q)) return minimise_by_newton(scaled, scaled.p(), true);
  const Eigen::Matrix3d curvature = less.power(near.q).K;
  return minimise_by_newton(scaled, near.q, true, &curvature);
}

}  // namespace stiction
