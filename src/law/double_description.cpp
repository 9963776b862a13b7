// SPDX-License-Identifier: Apache-2.0
//
// From the points of a polytope to its facets.  The half spaces around all points p_i form a cone,
//
//   A = {(n, b) : n·p_i ≤ b for every i},
//
// whose extreme rays are the facets.  It starts as the cone of a simplex and is cut by one point
// after another: rays that are beyond the cut go, and each of them joined to a neighbour that is
// not gives a new one on it.  Two rays are neighbours if no third has all the points that both
// have, so that facets of any number of points need no special care.
//
// Reference: K. Fukuda, A. Prodon, "Double description method revisited" (1996).
#include "law/double_description.h"

#include <Eigen/Dense>
#include <bitset>

namespace stiction {

namespace {

// A point is on a facet within this, relative to the size of the polytope: far above what thousands
// of joined rays gather in rounding, far below what a shape of interest shows.
constexpr double on_facet = 1e-11;
constexpr std::size_t most_facets = 20000;

struct Ray {
  UpTo6 at;                // (n, b), of unit length
  std::bitset<1000> held;  // the points p with n·p = b
};

bool neighbours(const std::vector<Ray>& rays, std::size_t i, std::size_t j, std::size_t least) {
  const std::bitset<1000> both = rays[i].held & rays[j].held;
  if (both.count() < least) return false;
  for (std::size_t k = 0; k < rays.size(); ++k)
    if (k != i && k != j && (rays[k].held & both) == both) return false;
  return true;
}

// Cuts by n·p ≤ b.
void cut(std::vector<Ray>& rays, const UpTo6& row, std::size_t index, std::size_t least) {
  std::vector<double> excess(rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    excess[i] = row.dot(rays[i].at);
    if (std::abs(excess[i]) <= on_facet * row.norm()) excess[i] = 0;
  }
  std::vector<Ray> next;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (excess[i] > 0) continue;
    next.push_back(rays[i]);
    if (excess[i] == 0) {
      next.back().held.set(index);
      continue;
    }
    for (std::size_t j = 0; j < rays.size(); ++j) {
      if (!(excess[j] > 0) || !neighbours(rays, i, j, least)) continue;
      Ray joined{.at = excess[j] * rays[i].at - excess[i] * rays[j].at,
                 .held = rays[i].held & rays[j].held};
      joined.at.normalize();
      joined.held.set(index);
      next.push_back(std::move(joined));
    }
  }
  rays = std::move(next);
  if (rays.size() > most_facets)
    throw InvalidInput("the polytope has more than 20000 facets, expected fewer to list them");
}

// Of points that span their space, d of them at least.
std::vector<HalfSpace> facets_in_span(const Eigen::MatrixXd& points) {
  const Eigen::Index d = points.rows(), n = points.cols();
  Eigen::MatrixXd rows(d + 1, n);  // columns (p, −1): their product with (n, b) is the excess
  rows << points, Eigen::RowVectorXd::Constant(n, -1);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
  const auto& order = qr.colsPermutation().indices();
  Eigen::MatrixXd first(d + 1, d + 1);
  for (Eigen::Index k = 0; k <= d; ++k) first.row(k) = rows.col(order[k]).transpose();
  const Eigen::MatrixXd inverse = -first.inverse();
  std::vector<Ray> rays;
  for (Eigen::Index k = 0; k <= d; ++k) {
    Ray ray{.at = inverse.col(k).normalized(), .held = {}};
    for (Eigen::Index i = 0; i <= d; ++i)
      if (i != k) ray.held.set(static_cast<std::size_t>(order[i]));
    rays.push_back(std::move(ray));
  }
  for (Eigen::Index i = d + 1; i < n; ++i)
    cut(rays, rows.col(order[i]), static_cast<std::size_t>(order[i]),
        static_cast<std::size_t>(d - 1));
  std::vector<HalfSpace> facets;
  for (const Ray& ray : rays) {
    const double length = ray.at.head(d).norm();
    facets.push_back({UpTo6(ray.at.head(d) / length), std::max(0.0, ray.at[d] / length)});
  }
  return facets;
}

}  // namespace

std::vector<HalfSpace> facets_of(const std::vector<UpTo6>& points, int dimension) {
  const Eigen::Index d = dimension;
  Eigen::MatrixXd P(d, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) P.col(static_cast<Eigen::Index>(i)) = points[i];
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(P);
  qr.setThreshold(on_facet);
  const Eigen::Index rank = qr.rank();
  const Eigen::MatrixXd Q = qr.householderQ();
  std::vector<HalfSpace> result;
  if (rank > 0) {
    const bool whole = rank == d;
    const Eigen::MatrixXd span = Q.leftCols(rank);
    for (const HalfSpace& half : facets_in_span(whole ? P : Eigen::MatrixXd(span.transpose() * P)))
      result.push_back({whole ? half.normal : UpTo6(span * half.normal), half.offset});
  }
  for (Eigen::Index k = rank; k < d; ++k)
    for (const double sign : {1.0, -1.0}) result.push_back({UpTo6(sign * Q.col(k)), 0});
  return result;
}

}  // namespace stiction
