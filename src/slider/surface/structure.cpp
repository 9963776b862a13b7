// SPDX-License-Identifier: Apache-2.0
//
// Has the surface a volume?  Then what is on it.
#include "slider/surface/structure.h"

#include <Eigen/Dense>

#include "base/part_of.h"

namespace stiction {

namespace {

// The dimension that vectors span with Σ v vᵀ, those beyond `least` of the largest counted.
Eigen::Index rank(const Eigen::Matrix3d& sum, double least) {
  const Vec3 squares = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvalues();
  return (squares.array() > least * squares[2]).count();
}

class Surface {
 public:
  // Scaled by a load that no motion of interest is across.
  explicit Surface(const Slider& slider)
      : slider_(slider), scaled_(slider, {.fx = 0, .fy = 0, .moment = 1}) {}

  // Nothing where it was stopped.
  std::optional<bool> has_volume(const Progress& progress) const {
    if (!(scaled_.strength() > 0)) return false;
    Eigen::Matrix3d differences = Eigen::Matrix3d::Zero();
    const Vec3 first = load_at(Vec3(0.36, 0.48, 0.8));
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y) {
        if (progress && !progress((5 * (x + 2) + y + 2) / 25.0)) return {};
        for (int z = -2; z <= 2; ++z)
          if (x != 0 || y != 0 || z != 0) {
            const Vec3 d = load_at(Vec3(x + 0.1, y + 0.2, z + 0.3)) - first;
            differences += d * d.transpose();
            if (rank(differences, 1e-6) == 3) return true;  // beyond doubt, with those so far
          }
      }
    return rank(differences, 1e-15) == 3;
  }

  OrReason<std::vector<Facet>> facets(const Progress& progress) const {
    return surface_facets(slider_, scaled_, progress);
  }

 private:
  Vec3 load_at(const Vec3& q) const {
    return scaled_.scaled(load(slider_, scaled_.motion(q)).load.vector());
  }

  const Slider& slider_;
  ScaledSlider scaled_;
};

}  // namespace

Structure surface_structure(const Slider& slider, const Progress& progress) {
  const Surface surface(slider);
  Structure structure;
  const std::optional<bool> volume = surface.has_volume(part_of(progress, 0, 0.25));
  if (!volume.value_or(false)) {
    structure.facets.reason = structure.vertices.reason =
        volume ? "the surface encloses no volume" : stopped;
    return structure;
  }
  structure.facets = surface.facets(part_of(progress, 0.25, 1));
  if (structure.facets.value)
    structure.vertices = surface_vertices(slider);
  else
    structure.vertices.reason = stopped;
  return structure;
}

}  // namespace stiction
