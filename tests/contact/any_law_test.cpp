// SPDX-License-Identifier: Apache-2.0
//
// Wheels, rusty wheels, ratchets, ellipses and polygons mixed, many at a time.
#include <gtest/gtest.h>

#include "scenes.h"
#include "stiction/enumerate.h"
#include "stiction/solver.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

void expect_solved(const ContactProblem& problem, const std::string& what) {
  const Solution s = solve(problem, {.max_seconds = 30 * STICTION_SLOWED});
  EXPECT_EQ(s.status, Status::solved)
      << what << ": relative " << s.certificate.relative << ", scaled " << s.certificate.scaled;
  EXPECT_TRUE(certify(problem, s.reactions).within(1e-8)) << what;
}

TEST(AnyLaw, ManyContactsPlanted) {
  Random random(151);
  for (const int contacts : {100, 1000})
    for (int i = 0; i < (contacts == 100 ? 20 : 3); ++i) {
      const Planted p = plant_sparse(random, contacts, contacts / 2, mixed_laws(random, contacts));
      expect_solved(p.problem, std::to_string(contacts) + " planted " + std::to_string(i));
    }
}

TEST(AnyLaw, GeneratedScenes) {
  Random random(152);
  for (const std::string& family : scenes::families())
    for (const int contacts : {100, 1000}) {
      ContactProblem p = scenes::contact_problem(scenes::make_scene(family, contacts, 5));
      p.laws = mixed_laws(random, p.contacts());
      expect_solved(p, family + " " + std::to_string(contacts));
    }
}

// Brute force: up to four contacts, what the solver finds is among all that there is.
TEST(AnyLaw, FewContactsAgreeWithEnumeration) {
  Random random(153);
  int complete = 0;
  for (int i = 0; i < 60; ++i) {
    const int contacts = random.integer(1, 4), d = i % 3 == 0 ? 2 : 3;
    const Planted p = plant(random, contacts, d, contacts, mixed_laws(random, contacts));
    const Enumeration all = enumerate(p.problem, 2);
    const Solution s = solve(p.problem, {.tolerance = 1e-11});
    ASSERT_EQ(s.status, Status::solved) << i;
    if (!all.complete) continue;  // more than one contact on an arc: the list is a search
    ++complete;
    EXPECT_TRUE(holds(all, s.reactions)) << i;
  }
  EXPECT_GE(complete, 20);
}

}  // namespace
}  // namespace stiction::testing
