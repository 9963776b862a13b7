// SPDX-License-Identifier: Apache-2.0
//
// How long does a generalized friction cone take?  From the Delassus matrix of one contact, checked
// for symmetry and definiteness: effective mass, quadric, μ_crit, μ_jam and the sector that jams;
// the two coefficients alone; the principal axes apart; an impact.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "stiction/generalized_cone.h"
#include "stiction/impact.h"

namespace {

using namespace stiction;

constexpr double mu = 0.8;

// Of conditions from 1 to 1e6; half of them jams.
const std::vector<Eigen::Matrix3d>& matrices() {
  static const std::vector<Eigen::Matrix3d> list = [] {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Eigen::Matrix3d> made;
    for (int i = 0; i < 4096; ++i) {
      const Vec3 axis = Vec3(uniform(engine), uniform(engine), uniform(engine)).normalized();
      const Eigen::Matrix3d R = Eigen::AngleAxisd(3 * uniform(engine), axis).toRotationMatrix();
      const Vec3 values(1, std::pow(10, 3 * uniform(engine) - 3),
                        std::pow(10, 3 * uniform(engine) - 3));
      const Eigen::Matrix3d W = R * values.asDiagonal() * R.transpose();
      made.emplace_back(0.5 * (W + W.transpose()));
    }
    return made;
  }();
  return list;
}

template <class F>
void over_matrices(benchmark::State& state, const F& f) {
  const auto& list = matrices();
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(f(list[i]));
    i = (i + 1) % list.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void cone_from_matrix(benchmark::State& state) {
  over_matrices(state, [](const Eigen::Matrix3d& W) { return generalized_cone(W, mu); });
  double jams = 0;
  for (const auto& W : matrices()) jams += generalized_cone(W, mu).jam ? 1 : 0;
  state.counters["jam"] = jams / static_cast<double>(matrices().size());
}
void cone_of_an_octagon(benchmark::State& state) {
  const LimitCurve curve = ngon(mu, 8);
  over_matrices(state, [&](const Eigen::Matrix3d& W) { return generalized_cone(W, curve); });
}
void coefficients_alone(benchmark::State& state) {
  over_matrices(state, [](const Eigen::Matrix3d& W) { return mu_crit(W) + mu_jam(W); });
}
void axes_of_the_cone(benchmark::State& state) {
  std::vector<GeneralizedCone> cones;
  for (const auto& W : matrices()) cones.push_back(generalized_cone(W, mu));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(principal_axes(cones[i]));
    i = (i + 1) % cones.size();
  }
  state.SetItemsProcessed(state.iterations());
}
void one_impact(benchmark::State& state) {
  std::vector<GeneralizedCone> cones;
  for (const auto& W : matrices()) cones.push_back(generalized_cone(W, mu));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        impact(cones[i], {1, 0.5, -1}, {Restitution::Kind::energetic, 0.5}).impulse);
    i = (i + 1) % cones.size();
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(cone_from_matrix);
BENCHMARK(cone_of_an_octagon);
BENCHMARK(coefficients_alone);
BENCHMARK(axes_of_the_cone);
BENCHMARK(one_impact);

}  // namespace

BENCHMARK_MAIN();
