// SPDX-License-Identifier: Apache-2.0
#include "slider/surface/quartic.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {

namespace {

// Calls f(i, j, k, l, index of the monomial, how many orders of the four there are).
template <typename F>
void for_each_entry(const F& f) {
  constexpr std::array<int, 5> factorial{1, 1, 2, 6, 24};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          std::array<std::size_t, 3> n{};
          for (const int v : {i, j, k, l}) ++n[static_cast<std::size_t>(v)];
          const auto rest = static_cast<int>(4 - n[0]);
          const int orders = 24 / (factorial[n[0]] * factorial[n[1]] * factorial[n[2]]);
          f(i, j, k, l, rest * (rest + 1) / 2 + static_cast<int>(n[2]), orders);
        }
}

// Of the projection of the square |u − u_c|, |v − v_c| ≤ half of a cube's face to the sphere.
struct SphereCell {
  int face = 0;
  double u = 0, v = 0, half = 1;

  Vec3 place(double du, double dv) const {
    Vec3 x;
    x[face] = 1;
    x[(face + 1) % 3] = u + half * du;
    x[(face + 2) % 3] = v + half * dv;
    return x.normalized();
  }
  double reach() const {  // of its farthest corner from its middle
    double most = 0;
    for (const double du : {-1.0, 1.0})
      for (const double dv : {-1.0, 1.0})
        most = std::max(most, (place(du, dv) - place(0, 0)).norm());
    return most;
  }
};

}  // namespace

Quartic::Quartic(const Coefficients& coefficients) {
  for_each_entry([&](int i, int j, int k, int l, int monomial, int orders) {
    at(i, j, k, l) = coefficients[monomial] / orders;
  });
  prepare_hessian();
}

void Quartic::prepare_hessian() {
  constexpr std::array<std::array<int, 2>, 6> pair{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < 6; ++b)
      hessian_(static_cast<int>(a), static_cast<int>(b)) =
          (b < 3 ? 12 : 24) * at(pair[a][0], pair[a][1], pair[b][0], pair[b][1]);
}

Quartic::Coefficients Quartic::coefficients() const {
  Coefficients c = Coefficients::Zero();
  for_each_entry(
      [&](int i, int j, int k, int l, int monomial, int) { c[monomial] += at(i, j, k, l); });
  return c;
}

Quartic Quartic::substituted(const Eigen::Matrix3d& A) const {
  Quartic result = *this;
  // One index after the other; T is symmetric, so that the last goes to the front each time.
  for (int index = 0; index < 4; ++index) {
    const Quartic before = result;
    for_each_entry([&](int i, int j, int k, int l, int, int) {
      double sum = 0;
      for (int m = 0; m < 3; ++m) sum += A(m, i) * before.at(j, k, l, m);
      result.at(i, j, k, l) = sum;
    });
  }
  result.prepare_hessian();
  return result;
}

Eigen::Matrix3d Quartic::hessian(const Vec3& x) const {
  Eigen::Matrix<double, 6, 1> products;
  products << x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2];
  const Eigen::Matrix<double, 6, 1> h = hessian_ * products;
  Eigen::Matrix3d H;
  H << h[0], h[3], h[4], h[3], h[1], h[5], h[4], h[5], h[2];
  return H;
}

Quartic::Convexity Quartic::convexity(double margin) const {
  const auto eigenvalues = [&](const SphereCell& cell) -> Vec3 {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(hessian(cell.place(0, 0)),
                                                          Eigen::EigenvaluesOnly)
        .eigenvalues();
  };
  // p is even: three faces of the cube are enough.  With the largest value found, G₀, the largest
  // there is, G, is at most G₀ + 2 G r.
  std::vector<SphereCell> cells;
  constexpr int across = 16;
  double found = 0, reach = 0;
  for (int face = 0; face < 3; ++face)
    for (int i = 0; i < across; ++i)
      for (int j = 0; j < across; ++j) {
        const double half = 1.0 / across;
        cells.push_back({face, -1 + half * (2 * i + 1), -1 + half * (2 * j + 1), half});
        found = std::max(found, eigenvalues(cells.back()).cwiseAbs().maxCoeff());
        reach = std::max(reach, cells.back().reach());
      }
  Convexity result{.proven = true, .least = infinity, .greatest = found / (1 - 2 * reach)};
  const double G = result.greatest, noise = 1e-13 * G;
  for (std::size_t next = 0; next < cells.size(); ++next) {
    const SphereCell cell = cells[next];
    const double least = eigenvalues(cell)[0];
    if (!(least >= margin * G)) return {.proven = false, .least = least, .greatest = G};
    if (const double bound = least - 2 * G * cell.reach() - noise; bound > 0) {
      result.least = std::min(result.least, bound);
      continue;
    }
    const double half = cell.half / 2;
    for (const double du : {-half, half})
      for (const double dv : {-half, half})
        cells.push_back({cell.face, cell.u + du, cell.v + dv, half});
  }
  return result;
}

}  // namespace stiction
