// SPDX-License-Identifier: Apache-2.0
//
// Loads of random motions of areas whose laws have flats.  A motion Q' has the load P of another
// where its power H(Q') is its work P·Q', and never less; so whether P has more than one motion is
// seen on a small square around the one found, across P: H(Q') − P·Q' is convex along each side,
// and zero somewhere on it if and only if there is a wedge.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "stiction/slider_motion.h"

namespace stiction::testing {
namespace {

class Areas {
 public:
  double random() { return uniform_(engine_); }
  Vec2 place() {
    const double x = random();
    return {x, random()};
  }
  LimitCurve law(int kind) {
    const double turn = std::numbers::pi * random();
    switch (kind) {
      case 0:
        return rusty_wheel(0.5, 0.25 + 0.2 * random(), turn);
      case 1:
        return ratchet(0.5, turn);
      case 2:
        return with_ratchet(disc(0.5), turn, 0.2);
      case 3:
        return wheel(0.5, turn);
      case 4:
        return ratchet_free(0.5, turn);
      case 5:
        return box(0.5).rotated(turn);
      default:
        return polygon({{0.5, 0.1}, {0.1, 0.6}, {-0.4, 0.2}, {-0.2, -0.5}}).rotated(turn);
    }
  }
  Support support(int kind, const LimitCurve& curve) {
    const Vec2 at = place();
    const Vec2 to = place();
    const auto moved = [&](std::vector<Vec2> loop) {
      for (Vec2& corner : loop) corner += at;
      return loop;
    };
    switch (kind) {
      case 0:
        return segment(at, to, 1, curve);
      case 1:
        return polygon_support(moved({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), {}, 1, curve);
      case 2:  // not convex
        return polygon_support(moved({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}), {},
                               1, curve);
      case 3:
        return disc_support(at, 0.7, 1, curve);
      case 4:
        return ring(at, 0.7, 1, curve);
      case 5:
        return annulus(at, 0.7, 0.4, 1, curve);
      default: {
        Eigen::MatrixXd pressures = Eigen::MatrixXd::Ones(3, 3);
        pressures(0, 0) = pressures(2, 1) = 0;
        return grid(at, 0.4, pressures, curve);
      }
    }
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// The least of H − P·Q on the square with side 2e-3 |Q| around Q.
double least_gap(const Slider& slider, const Vec3& P, const Vec3& Q) {
  const Vec3 a = P.unitOrthogonal(), b = P.normalized().cross(a);
  double least = infinity;
  for (int side = 0; side < 4; ++side) {
    const Vec3 out = (side < 2 ? 1e-3 : -1e-3) * Q.norm() * (side % 2 == 0 ? a : b);
    const Vec3 along = 1e-3 * Q.norm() * (side % 2 == 0 ? b : a);
    const auto gap = [&](double t) {
      const Vec3 q = Q + out + t * along;
      return load(slider, Motion::of(q)).power - P.dot(q);
    };
    double low = -1, high = 1;
    for (int k = 0; k < 50; ++k) {
      const double x = low + 0.382 * (high - low), y = low + 0.618 * (high - low);
      (gap(x) < gap(y) ? high : low) = gap(x) < gap(y) ? y : x;
    }
    least = std::min(least, gap(0.5 * (low + high)));
  }
  return least;
}

TEST(MotionOfALoad, OfAnAreaIsUniqueOnlyWhereNoOtherHasTheLoad) {
  Areas areas;
  int wedges = 0, unique = 0;
  for (int law = 0; law < 7; ++law)
    for (int shape = 0; shape < 7; ++shape)
      for (int k = 0; k < 12; ++k) {
        const LimitCurve curve = areas.law(law);
        std::vector<Support> supports{areas.support(shape, curve)};
        if (k % 3 == 1) supports.push_back(areas.support(shape, curve));
        if (k % 3 == 2) {
          const Vec2 at = areas.place();
          supports.push_back(point(at, 0.5, areas.law(law)));
        }
        const Slider slider(supports);
        Vec3 q;
        for (double& component : q) component = areas.random();
        q[2] *= k % 5 == 4 ? 0 : k % 2 == 0 ? 1 : 0.3;
        const Load sought = load(slider, Motion::of(q)).load;
        const double strength = 0.5 * slider.normal_force();
        if (sought.vector().norm() < 1e-6) continue;
        const MotionSet set = motion(slider, sought);
        ASSERT_NEAR(set.gauge, 1, 1e-10) << "law " << law << " shape " << shape << " case " << k;
        const Vec3 P = sought.vector() / set.gauge;
        // Every bounding motion has the load.
        for (const Motion& bound : set.wedge)
          EXPECT_LE(load(slider, bound).power - P.dot(bound.vector()), 1e-12 * strength)
              << "law " << law << " shape " << shape << " case " << k;
        (set.unique ? unique : wedges) += 1;
        if (!set.unique) continue;
        EXPECT_GT(least_gap(slider, P, set.motion.vector()), 1e-14 * strength)
            << "law " << law << " shape " << shape << " case " << k;
      }
  EXPECT_GT(wedges, 150);
  EXPECT_GT(unique, 150);
}

}  // namespace
}  // namespace stiction::testing
