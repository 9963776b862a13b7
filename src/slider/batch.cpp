// SPDX-License-Identifier: Apache-2.0
//
// The loads of many motions.  Motions are taken in blocks, one array a component, and the supports
// in the order of a single query, so that both give the same bits.  Points under isotropic
// friction, f = μN slip/|slip|, are done four at a time for a vector of motions; motions for which
// one of the four all but rests, or whose squares leave the range, are done again by themselves.
#include "base/vectorised.h"
#include "slider/supports/support_load.h"

namespace stiction {

namespace {

constexpr int block_size = 128, group_size = 4;

struct alignas(64) Sums {
  double fx[block_size], fy[block_size], moment[block_size];
};

struct alignas(64) Block {
  double vx[block_size], vy[block_size], omega[block_size];
  // The slip of a support at distance r cancels only if |slip|² ≤ rest_v + rest_omega r².
  double rest_v[block_size], rest_omega[block_size];
  double again[block_size];  // how many supports of the group all but rest
};

struct Group {
  double x[group_size], y[group_size], square[group_size], strength[group_size];
  int count = 0;
};

}  // namespace

// sums = before + the group's points; tells whether any motion is to be done again.
STICTION_VECTORISED
bool add_group(Block& b, const Sums& before, Sums& sums, int count, const Group& group) {
  double any = 0;
  for (int i = 0; i < count; ++i) {
    const double vx = b.vx[i], vy = b.vy[i], omega = b.omega[i];
    double fx = before.fx[i], fy = before.fy[i], moment = before.moment[i], again = 0;
    const auto add = [&](int k) __attribute__((always_inline)) {
      const double x = group.x[k], y = group.y[k];
      const double sx = vx - omega * y, sy = vy + omega * x;
      const double square = sx * sx + sy * sy;
      const double least = b.rest_v[i] + b.rest_omega[i] * group.square[k];
      const double force = group.strength[k] / std::sqrt(square);
      const double px = force * sx, py = force * sy;
      fx += px;
      fy += py;
      moment += x * py - y * px;
      again += square > least ? 0.0 : 1.0;
    };
    add(0);
    add(1);
    add(2);
    add(3);
    sums.fx[i] = fx;
    sums.fy[i] = fy;
    sums.moment[i] = moment;
    b.again[i] = again;
    any += again;
  }
  return any > 0;
}

namespace {

void add_one(const Support& support, int index, const Block& b, Sums& sums, int i) {
  if (b.vx[i] == 0 && b.vy[i] == 0 && b.omega[i] == 0) return;
  PowerDerivatives sum;
  sum.load = {sums.fx[i], sums.fy[i], sums.moment[i]};
  const auto add = support.shape == Support::Shape::point ? add_point : add_area;
  add(support, index, {b.vx[i], b.vy[i], b.omega[i]}, false, sum, nullptr);
  sums.fx[i] = sum.load[0];
  sums.fy[i] = sum.load[1];
  sums.moment[i] = sum.load[2];
}

// The points from `first` on that make a group; places beyond the last carry nothing.
Group group_from(const std::vector<Support>& supports, std::size_t first) {
  Group group;
  for (int k = 0; k < group_size; ++k) {
    const std::size_t at = first + static_cast<std::size_t>(k);
    if (group.count == k && at < supports.size() && is_disc_point(supports[at])) ++group.count;
    const Support& support = supports[first + static_cast<std::size_t>(group.count) - 1];
    group.x[k] = support.at.x();
    group.y[k] = support.at.y();
    group.square[k] = support.at.squaredNorm();
    group.strength[k] = group.count > k ? support.normal_force * support.curve.ellipse().a : 0;
  }
  return group;
}

void set_motion(Block& b, int i, double vx, double vy, double omega) {
  // Twice the bound of single queries, to be sure, and the least square in range.
  constexpr double share = 2 * cancels;
  b.vx[i] = vx;
  b.vy[i] = vy;
  b.omega[i] = omega;
  b.rest_v[i] = share * (vx * vx + vy * vy) + 0x1p-890;
  b.rest_omega[i] = share * omega * omega;
}

void read(const Eigen::Ref<const Rows3>& motions, Eigen::Index start, int count, double reach,
          Block& b, Sums& sums) {
  bool any_odd = false;
  for (int i = 0; i < count; ++i) {
    const double vx = motions(start + i, 0), vy = motions(start + i, 1);
    const double omega = motions(start + i, 2);
    set_motion(b, i, vx, vy, omega);
    const double turn = std::abs(omega) * reach;
    const double square = vx * vx + vy * vy + turn * turn;
    any_odd |= !((square < 0x1p890) & (square > 0x1p-890));
    sums.fx[i] = sums.fy[i] = sums.moment[i] = 0;
  }
  if (!any_odd) return;
  for (int i = 0; i < count; ++i) {
    const Eigen::Index row = start + i;
    for (int c = 0; c < 3; ++c)
      if (!std::isfinite(motions(row, c)))
        throw InvalidInput("motions[" + std::to_string(row) + "][" + std::to_string(c) + "] is " +
                           text(motions(row, c)) + ", expected a finite number");
    const Vec3 q = rescaled(motions.row(row).transpose(), reach).q;
    set_motion(b, i, q[0], q[1], q[2]);
  }
}

}  // namespace

void loads(const Slider& slider, const Eigen::Ref<const Rows3>& motions, Eigen::Ref<Rows3> loads) {
  if (loads.rows() != motions.rows())
    throw InvalidInput("loads has " + std::to_string(loads.rows()) + " rows, expected " +
                       std::to_string(motions.rows()));
  const std::vector<Support>& supports = slider.supports();
  Block b;
  Sums sums, next;
  for (Eigen::Index start = 0; start < motions.rows(); start += block_size) {
    const int count = static_cast<int>(std::min<Eigen::Index>(block_size, motions.rows() - start));
    read(motions, start, count, slider.reach(), b, sums);
    Sums *now = &sums, *then = &next;
    for (std::size_t k = 0; k < supports.size();) {
      if (!is_disc_point(supports[k])) {
        for (int i = 0; i < count; ++i) add_one(supports[k], static_cast<int>(k), b, *now, i);
        ++k;
        continue;
      }
      const Group group = group_from(supports, k);
      const std::size_t end = k + static_cast<std::size_t>(group.count);
      if (add_group(b, *now, *then, count, group))
        for (int i = 0; i < count; ++i) {
          if (b.again[i] == 0) continue;
          then->fx[i] = now->fx[i];
          then->fy[i] = now->fy[i];
          then->moment[i] = now->moment[i];
          for (std::size_t l = k; l < end; ++l)
            add_one(supports[l], static_cast<int>(l), b, *then, i);
        }
      std::swap(now, then);
      k = end;
    }
    for (int i = 0; i < count; ++i) {
      loads(start + i, 0) = now->fx[i];
      loads(start + i, 1) = now->fy[i];
      loads(start + i, 2) = now->moment[i];
    }
  }
}

}  // namespace stiction
