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

// Loads whose motions reach from a turn to a translation normal to a flat of an area's law.  There
// the load is on the rim of the translation's face, and the search may end there as well as
// anywhere between: either way the wedge holds the motion that the load came from, and its bounds
// the load.
TEST(MotionOfALoad, WhoseWedgeEndsAtATranslationHasTheWholeWedge) {
  const LimitCurve four = polygon({{0.5, 0.1}, {0.1, 0.6}, {-0.4, 0.2}, {-0.2, -0.5}});
  struct Case {
    Slider slider;
    Vec3 q;
  };
  const LimitCurve free = ratchet_free(0.5, -2.3636819414543084);
  const LimitCurve turned = four.rotated(2.1411162720844072),
                   other = four.rotated(0.11648308560581376),
                   discs = four.rotated(-2.7759460294927503);
  const Case some[] = {{{segment({-0.75127380972834557, -0.37525575770180863},
                                 {-0.61657511346023042, -0.55899105282649841}, 1, free),
                         point({-0.027679655984604867, 0.84714441601901402}, 0.5,
                               ratchet_free(0.5, -1.9637525165138137))},
                        {-0.58031339813818561, 0.6244722043175861, 0.35773975874671771}},
                       {{segment({0.91282945269266347, -0.96884481559660518},
                                 {0.92865372122649092, -0.29528621788482123}, 1, turned),
                         point({0.11881051026515221, 0.026332868884856309}, 0.5,
                               four.rotated(0.026592403227360246))},
                        {-0.22482156199346648, -0.89862985444781629, -0.15654879439728128}},
                       {{segment({0.12793655808417892, -0.56389795979642376},
                                 {-0.85120660737193687, 0.69721202200947641}, 1, other),
                         segment({0.661095287684627, 0.13261379396972228},
                                 {0.3679982209937529, 0.21141138318877228}, 1, other)},
                        {0.51698242105797054, 0.27306289025694253, 0.56974858621865732}},
                       {{annulus({-0.25904886241351921, -0.1819227670428829}, 0.7, 0.4, 1,
                                 four.rotated(0.94007574116117965))},
                        {0.79153774839418811, -0.017750685000888833, -0.1726411922657764}},
                       {{disc_support({-0.8791435984793331, 0.35296146922426885}, 0.7, 1, discs),
                         disc_support({-0.17038772752469533, -0.46256465448733708}, 0.7, 1, discs)},
                        {-0.10670887215422176, 0.073492749594657791, 0.10197447065416596}}};
  for (const auto& [slider, q] : some) {
    const Vec3 P = load(slider, Motion::of(q)).load.vector();
    const MotionSet set = motion(slider, Load::of(P));
    EXPECT_NEAR(set.gauge, 1, 1e-12);
    EXPECT_LE(set.certificate.distance, 1e-10);
    ASSERT_EQ(set.wedge.size(), 2U);
    for (const Motion& bound : set.wedge)
      EXPECT_LE(load(slider, bound).power - P.dot(bound.vector()), 1e-12 * P.norm());
    // Between the two: q = x first + y last with x, y ≥ 0.
    Eigen::Matrix<double, 3, 2> bounds;
    bounds << set.wedge[0].vector(), set.wedge[1].vector();
    const Vec2 share = bounds.colPivHouseholderQr().solve(q);
    EXPECT_LE((bounds * share - q).norm(), 1e-6 * q.norm());
    EXPECT_GE(share.minCoeff(), -1e-6);
  }
}

}  // namespace
}  // namespace stiction::testing
