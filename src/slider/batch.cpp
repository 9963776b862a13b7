// SPDX-License-Identifier: Apache-2.0
//
// The loads of many motions.  Motions are taken in blocks, one array a component, and the supports
// in the order of a single query, so that both give the same bits.  Points under isotropic
// friction, f = μN slip/|slip|, are done a vector of motions at a time; what needs care, a support
// that rests or a slip whose square leaves the range, is left out there and added by itself.
#include "cone/vectorised.h"
#include "slider/kernel.h"

namespace stiction {

namespace {

constexpr int block_size = 128;

struct alignas(64) Block {
  double vx[block_size], vy[block_size], omega[block_size];
  double fx[block_size], fy[block_size], moment[block_size];
  double left_out[block_size];  // 1 where the support is to be added by itself
};

}  // namespace

// Adds a point of strength μN at (x, y) to `count` motions; tells whether any was left out.
STICTION_VECTORISED
bool add_disc_point(Block& b, int count, double x, double y, double strength) {
  double any = 0;
  for (int i = 0; i < count; ++i) {
    const double turn_x = b.omega[i] * y, turn_y = b.omega[i] * x;
    const double sx = b.vx[i] - turn_x, sy = b.vy[i] + turn_y;
    const double terms_x = std::abs(b.vx[i]) + std::abs(turn_x);
    const double terms_y = std::abs(b.vy[i]) + std::abs(turn_y);
    const double square = sx * sx + sy * sy;
    const bool rests = (std::abs(sx) <= rounding * terms_x) & (std::abs(sy) <= rounding * terms_y);
    const bool out = rests | !in_range(square);
    const double k = out ? 0 : strength / std::sqrt(square);
    const double fx = k * sx, fy = k * sy;
    b.fx[i] += fx;
    b.fy[i] += fy;
    b.moment[i] += x * fy - y * fx;
    b.left_out[i] = out ? 1 : 0;
    any += b.left_out[i];
  }
  return any > 0;
}

namespace {

void add_one(const Support& support, int index, Block& b, int i) {
  PowerDerivatives sum;
  sum.load = {b.fx[i], b.fy[i], b.moment[i]};
  const auto add = support.shape == Support::Shape::point ? add_point : add_area;
  add(support, index, {b.vx[i], b.vy[i], b.omega[i]}, false, sum, nullptr);
  b.fx[i] = sum.load[0];
  b.fy[i] = sum.load[1];
  b.moment[i] = sum.load[2];
}

}  // namespace

void loads(const Slider& slider, const Eigen::Ref<const Rows3>& motions, Eigen::Ref<Rows3> loads) {
  if (loads.rows() != motions.rows())
    throw InvalidInput("loads has " + std::to_string(loads.rows()) + " rows, expected " +
                       std::to_string(motions.rows()));
  const std::vector<Support>& supports = slider.supports();
  Block b;
  for (Eigen::Index start = 0; start < motions.rows(); start += block_size) {
    const int count = static_cast<int>(std::min<Eigen::Index>(block_size, motions.rows() - start));
    for (int i = 0; i < count; ++i) {
      b.vx[i] = motions(start + i, 0);
      b.vy[i] = motions(start + i, 1);
      b.omega[i] = motions(start + i, 2);
      b.fx[i] = b.fy[i] = b.moment[i] = 0;
    }
    for (std::size_t k = 0; k < supports.size(); ++k) {
      const Support& s = supports[k];
      if (is_disc_point(s)) {
        const double strength = s.normal_force * s.curve.ellipse().a;
        if (!add_disc_point(b, count, s.at.x(), s.at.y(), strength)) continue;
        for (int i = 0; i < count; ++i)
          if (b.left_out[i] != 0) add_one(s, static_cast<int>(k), b, i);
      } else {
        for (int i = 0; i < count; ++i) add_one(s, static_cast<int>(k), b, i);
      }
    }
    for (int i = 0; i < count; ++i) {
      loads(start + i, 0) = b.fx[i];
      loads(start + i, 1) = b.fy[i];
      loads(start + i, 2) = b.moment[i];
    }
  }
}

}  // namespace stiction
