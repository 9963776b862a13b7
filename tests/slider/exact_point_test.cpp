// SPDX-License-Identifier: Apache-2.0
//
// Point supports under every law against 80 digits: the rotation centre anywhere, down to 1e-12
// beside a support, where the slip is what is left of two numbers a million million times larger.
#include <gtest/gtest.h>

#include "slider/exact_law.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

ExactLoad exact_points(const std::vector<Vec2>& places, const ExactLaw& law, const Motion& q) {
  ExactLoad sum{0, 0, 0};
  for (const Vec2& place : places) {
    const ExactVec at = exact(place);
    const ExactVec f =
        law.force({Exact(q.vx) - Exact(q.omega) * at.y, Exact(q.vy) + Exact(q.omega) * at.x});
    sum[0] += f.x;
    sum[1] += f.y;
    sum[2] += cross(at, f);
  }
  return sum;
}

TEST(ExactPoints, AreRightWhereverTheRotationCentreIs) {
  Random random(81);
  for (const ExactLaw& law : exact_laws())
    for (const double size : {1.0, 1e-6, 1e3})
      for (int i = 0; i < 200; ++i) {
        std::vector<Vec2> places;
        std::vector<Support> supports;
        for (int k = 0; k < 3; ++k) {
          places.emplace_back(size * random.uniform(0, 1) * random.direction());
          supports.push_back(point(places.back(), 1, law.curve));
        }
        const Slider slider(supports);
        // About the first support, beside it, or anywhere up to 1e9 sizes away.
        const double far = i % 3 == 0 ? random.decades(-12, 0) : random.decades(-1, 9);
        const Vec2 c = (i % 3 == 0 ? places[0] : Vec2(0, 0)) + far * size * random.direction();
        const double omega = random.uniform(-1, 1);
        const Motion q{omega * c.y(), -omega * c.x(), omega};
        const LoadSet set = load(slider, q);
        ASSERT_TRUE(set.unique) << law.name << far;
        const ExactLoad exact = exact_points(places, law, q);
        const Exact rho = slider.length_scale();
        const Vec3 p = set.load.vector();
        const Exact dx = Exact(p[0]) - exact[0], dy = Exact(p[1]) - exact[1],
                    dm = (Exact(p[2]) - exact[2]) / rho;
        // Over the strength: the force of all supports at once can be zero.
        const double error = static_cast<double>(sqrt(dx * dx + dy * dy + dm * dm)) /
                             (3 * law.curve.circumscribed_radius());
        EXPECT_LE(error, 1e-12) << law.name << ", " << size << ", " << far << " beside";
      }
}

}  // namespace
}  // namespace stiction::testing
