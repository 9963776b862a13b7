// SPDX-License-Identifier: Apache-2.0
//
// What does the analysis of a contact add to what Pinocchio takes anyway?  For the seven-joint arm:
// Pinocchio's mass matrix and frame Jacobian alone, then with the factorisation of M, the Delassus
// matrix and its generalized cone; and a map of two joints, 500 × 500, on the machine's threads.
//   bench_multibody_program MODEL.urdf FRAME
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>

#include "clock.h"
#include "stiction/jamming_map.h"

namespace {

using namespace stiction;

std::vector<Eigen::VectorXd> configurations(const MultibodyModel& model) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-2, 2);
  std::vector<Eigen::VectorXd> list(256, Eigen::VectorXd(model.nq()));
  for (Eigen::VectorXd& q : list)
    for (double& x : q) x = angle(random);
  return list;
}

// Seconds a call, the best of many rounds over all configurations; two ways take turns, so that
// what else the machine does falls on both.
template <class First, class Second>
std::pair<double, double> best(const std::vector<Eigen::VectorXd>& qs, First&& first,
                               Second&& second) {
  std::pair<double, double> least{infinity, infinity};
  for (int round = 0; round < 400; ++round) {
    const bench::Clock one;
    for (const Eigen::VectorXd& q : qs) first(q);
    least.first = std::min(least.first, one.seconds());
    const bench::Clock two;
    for (const Eigen::VectorXd& q : qs) second(q);
    least.second = std::min(least.second, two.seconds());
  }
  const auto count = static_cast<double>(qs.size());
  return {least.first / count, least.second / count};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench_multibody_program MODEL.urdf FRAME\n");
    return 2;
  }
  const MultibodyModel model = read_model(argv[1]);
  const ContactPoint contact{model.frame(argv[2])};
  const std::vector<Eigen::VectorXd> qs = configurations(model);
  double sink = 0;

  Kinematics kinematics(model);
  MechanismState state({model});
  const auto pinocchio = [&](const Eigen::VectorXd& q) {
    kinematics.at(q);
    sink += kinematics.jacobian(contact.frame)(2, 0) + kinematics.mass()(0, 0);
  };
  const auto [theirs, coefficients] = best(qs, pinocchio, [&](const Eigen::VectorXd& q) {
    state.at(q);
    const Eigen::Matrix3d W = state.delassus(contact);
    sink += mu_crit(W) + mu_jam(W);
  });
  const auto [again, whole] = best(qs, pinocchio, [&](const Eigen::VectorXd& q) {
    state.at(q);
    sink += generalized_cone(state.delassus(contact), 0.5).mu_jam;
  });
  const double peer = std::min(theirs, again);
  std::printf("%-46s %9s %8s\n", "one configuration, one core", "ns", "added");
  std::printf("%-46s %9.0f\n", "Pinocchio: mass matrix and Jacobian", 1e9 * peer);
  std::printf("%-46s %9.0f %7.0f%%\n", "and M factored, W, mu_crit, mu_jam", 1e9 * coefficients,
              100 * (coefficients / peer - 1));
  std::printf("%-46s %9.0f %7.0f%%\n", "and the whole generalized cone", 1e9 * whole,
              100 * (whole / peer - 1));

  const auto joint = [&](std::size_t k) {
    return Sweep{model.joints()[k].name, model.joints()[k].q, -2, 2, 500};
  };
  double seconds = infinity;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const JammingMap map = jamming_map({model}, contact, qs[0], {joint(3), joint(5)});
    seconds = std::min(
        seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    sink += map.mu_jam[0];
  }
  std::printf("%-46s %9.3f s on %u threads\n", "map of two joints, 500 × 500", seconds,
              std::thread::hardware_concurrency());
  return sink == 0.5 ? 1 : 0;  // so that nothing is left out
}
