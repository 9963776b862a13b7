// SPDX-License-Identifier: Apache-2.0
//
// The generated scenes: the same for the same seed, their two forms agree, balls touch and do not
// overlap, and what is at rest is carried by the ground.
#include "scenes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <numbers>
#include <set>

#include "stiction/solver.h"

namespace stiction::scenes {
namespace {

class Family : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Scenes, Family, ::testing::ValuesIn(families()),
                         [](const auto& family) { return family.param; });

TEST_P(Family, SameSeedSameScene) {
  const ContactProblem a = contact_problem(make_scene(GetParam(), 300, 5)),
                       b = contact_problem(make_scene(GetParam(), 300, 5)),
                       c = contact_problem(make_scene(GetParam(), 300, 6));
  EXPECT_EQ(a.W.value, b.W.value);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.laws, b.laws);
  EXPECT_FALSE(a.W.value == c.W.value && a.laws == c.laws);
}

TEST_P(Family, HasAboutAsManyContactsAsAsked) {
  for (const int contacts : {4, 100, 1000}) {
    const Scene scene = make_scene(GetParam(), contacts, 1);
    // An arch has at least 100, and the last ball may bring several.
    EXPECT_GE(static_cast<int>(scene.contacts.size()), contacts / 2);
    EXPECT_LE(static_cast<int>(scene.contacts.size()),
              GetParam() == "arch" ? std::max(100, 2 * contacts) : contacts + 12);
  }
}

// W = H M⁻¹ Hᵀ and q = H M⁻¹ f, densely.
TEST_P(Family, BothFormsAreTheSameProblem) {
  const Scene scene = make_scene(GetParam(), 150, 2);
  const ContactProblem local = contact_problem(scene);
  const GlobalProblem global = global_problem(scene);
  EXPECT_NO_THROW(validate(local));
  EXPECT_NO_THROW(validate(global));
  const Eigen::MatrixXd W = to_sparse(local.W), H = global.H, M = global.M;
  const Eigen::MatrixXd response = M.ldlt().solve(H.transpose());
  const double size = W.cwiseAbs().maxCoeff();
  EXPECT_LE((W - H * response).cwiseAbs().maxCoeff(), 1e-13 * size);
  EXPECT_LE((W - W.transpose()).cwiseAbs().maxCoeff(), 1e-14 * size);
  EXPECT_LE((local.q - response.transpose() * global.f).cwiseAbs().maxCoeff(),
            1e-13 * local.q.cwiseAbs().maxCoeff());
  const ContactProblem condensed = Condensed(global).local();
  EXPECT_LE((Eigen::MatrixXd(to_sparse(condensed.W)) - W).cwiseAbs().maxCoeff(), 1e-13 * size);
  EXPECT_EQ(local.laws, global.laws);
}

TEST_P(Family, FramesAreRightHandedAndPlacesNameTheBodies) {
  const Scene scene = make_scene(GetParam(), 150, 3);
  const ContactProblem problem = contact_problem(scene);
  ASSERT_EQ(problem.places.size(), scene.contacts.size());
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const Eigen::Matrix3d& frame = *problem.places[i].frame;
    EXPECT_LE((frame * frame.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1, 1e-14);
    EXPECT_LE((frame.row(0).transpose() - scene.contacts[i].normal).norm(), 1e-15);
    EXPECT_EQ(problem.places[i].bodies, std::pair(scene.contacts[i].a, scene.contacts[i].b));
    EXPECT_NE(scene.contacts[i].a, ground);
  }
}

// A ball's radius from its mass, at 2500 kg/m³.
double radius_of(const Body& body) {
  return std::cbrt(body.mass / (2500 * 4 / 3.0 * std::numbers::pi));
}

// Gaps below 1e-3 of the largest radius count as contacts; balls overlap by less than 1e-4 of the
// distance between their centres.
// A flat valley between four balls must not swallow all that are dropped.
TEST(Heaps, AreFilledWhateverTheSeed) {
  for (unsigned seed = 1; seed <= 12; ++seed)
    EXPECT_GE(make_scene("granular", 1500, seed).contacts.size(), 1500U) << seed;
}

TEST(Heaps, EveryBallRestsOnThreeAndNoneOverlap) {
  for (const char* family : {"pile", "granular"}) {
    const Scene scene = make_scene(family, 500, 4);
    std::map<int, int> touches;
    std::set<std::pair<int, int>> touching;
    for (const Touch& touch : scene.contacts) {
      ++touches[touch.a];
      const Body& a = scene.bodies[static_cast<std::size_t>(touch.a)];
      EXPECT_NEAR((touch.at - a.centre).norm(), radius_of(a), 1e-12);
      if (touch.b == ground) continue;
      ++touches[touch.b];
      touching.emplace(touch.a, touch.b);
      const Body& b = scene.bodies[static_cast<std::size_t>(touch.b)];
      const double gap = (a.centre - b.centre).norm() - radius_of(a) - radius_of(b);
      EXPECT_LE(gap, 1e-3 * 0.0525) << family;
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const bool on_the_floor = family == std::string("granular") &&
                                scene.bodies[i].centre.z() < radius_of(scene.bodies[i]) + 6e-5;
      EXPECT_GE(touches[static_cast<int>(i)], on_the_floor ? 1 : 3) << family << ' ' << i;
      for (std::size_t j = 0; j < i; ++j) {
        const Body &a = scene.bodies[i], &b = scene.bodies[j];
        const double least = radius_of(a) + radius_of(b), distance = (a.centre - b.centre).norm();
        EXPECT_GE(distance, least * (1 - 1e-4)) << family << ' ' << i << ' ' << j;
        // Near enough: it is listed, the later ball first.
        if (distance < least + 1e-3 * 0.0525) {
          EXPECT_EQ(touching.count({static_cast<int>(i), static_cast<int>(j)}), 1U);
        }
      }
    }
  }
}

TEST_P(Family, IsSolvedAndTheGroundCarriesTheWeight) {
  for (const int contacts : {200, 500}) {
    const Scene scene = make_scene(GetParam(), contacts, 7);
    const ContactProblem problem = contact_problem(scene);
    const Solution s = solve(problem);
    ASSERT_EQ(s.status, Status::solved) << contacts;
    EXPECT_TRUE(certify(problem, s.reactions).within(1e-8));
    const Vec3 weight = weight_impulse(scene), carried = ground_impulse(scene, s.reactions);
    EXPECT_LE((carried - weight).norm(), 1e-3 * weight.norm()) << contacts;
  }
}

TEST(Scenes, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(make_scene("castle", 100, 1), InvalidInput);
  EXPECT_THROW(make_scene("tower", 3, 1), InvalidInput);
  EXPECT_THROW(make_scene("tower", 10'000'001, 1), InvalidInput);
}

}  // namespace
}  // namespace stiction::scenes
