// SPDX-License-Identifier: Apache-2.0
//
// Single queries allocate nothing.  This program counts every call of operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "stiction/friction_cone.h"
#include "support/random.h"

namespace {
long allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace stiction::testing {
namespace {

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const std::vector<LimitCurve> curves(3);
  EXPECT_GT(allocations, before);
}

TEST(Allocation, SingleQueriesAllocateNothing) {
  Random random(81);
  for (int kind = 0; kind < 4 * law_kinds; ++kind) {
    const LimitCurve curve = limit_curve(random.law(kind));
    const FrictionCone cone(curve);
    double sum = 0;
    const long before = allocations;
    for (int i = 0; i < 100; ++i) {
      const Vec2 v = random.decades(-200, 200) * random.direction();
      const Vec3 x = random.decades(-200, 200) * random.direction3();
      sum += curve.support(v) + curve.face(v).first.x() + curve.project(v).y();
      sum += curve.contains(v) ? 1 : 0;
      sum += curve.normals(curve.project(v)) ? 1 : 0;
      sum += cone.project(x).x() + cone.project_dual(x).y() + cone.distance(x) + cone.shift(x).x();
    }
    EXPECT_EQ(allocations, before) << kind << ' ' << sum;
  }
}

}  // namespace
}  // namespace stiction::testing
