// SPDX-License-Identifier: Apache-2.0
//
// How fast are the loads of a million motions over a hundred points, against a bare loop with the
// same square roots and divisions?  Both are timed alternately in the same run; single loads of
// every support with an extent follow, and the motions of loads on three points under every law.
// Between them: how many loads does the motion of a load cost, on a grid of ten thousand pressures?
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "base/vectorised.h"
#include "stiction/slider_motion.h"

namespace {

using namespace stiction;

constexpr Eigen::Index count = 1000000;
constexpr int points = 100;

double seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();  // processor time: others may be at work
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

}  // namespace

// The floor: Σ 1/√(a + b_k) for each of n numbers, in blocks that stay in cache.
STICTION_VECTORISED
void bare_loop(const double* a, double* sum, Eigen::Index n, const double* b, int terms) {
  constexpr Eigen::Index block = 128;
  for (Eigen::Index start = 0; start < n; start += block) {
    const Eigen::Index end = std::min(n, start + block);
    for (Eigen::Index i = start; i < end; ++i) sum[i] = 0;
    for (int k = 0; k < terms; ++k)
      for (Eigen::Index i = start; i < end; ++i) sum[i] += 1 / std::sqrt(a[i] + b[k]);
  }
}

namespace {

void compare_with_bare_loop() {
  std::srand(1);
  std::vector<Support> supports;
  const Eigen::MatrixXd places = Eigen::MatrixXd::Random(points, 2);
  for (int k = 0; k < points; ++k)
    supports.push_back(point(places.row(k).transpose(), 0.01, disc(0.5)));
  const Slider slider(supports);
  const Rows3 motions = Rows3::Random(count, 3);
  Rows3 answers(count, 3);
  const Eigen::VectorXd a = Eigen::VectorXd::Random(count).cwiseAbs(),
                        b = Eigen::VectorXd::Random(points).cwiseAbs();
  Eigen::VectorXd sum(count);
  std::vector<double> bare, batch, ratio;
  for (int i = 0; i < 9; ++i) {
    bare.push_back(seconds([&] {
      bare_loop(a.data(), sum.data(), count, b.data(), points);
      benchmark::ClobberMemory();
    }));
    batch.push_back(seconds([&] {
      loads(slider, motions, answers);
      benchmark::ClobberMemory();
    }));
    ratio.push_back(bare.back() / batch.back());
  }
  std::printf("bare loop, 1e8 roots and divisions   %8.1f ms\n", 1e3 * median(bare));
  std::printf("a million loads over 100 points      %8.1f ms\n", 1e3 * median(batch));
  std::printf(
      "ratio                                %8.2f   (median of 9; target: at least 0.6)\n\n",
      median(ratio));
}

// The least processor time of three.
double fastest(const std::function<void()>& work) {
  double least = seconds(work);
  for (int i = 0; i < 2; ++i) least = std::min(least, seconds(work));
  return least;
}

// Motions at random, turns about places of the grid and translations; of each the load, half of it
// or twice.
void motions_of_a_grid(const char* law, const LimitCurve& curve) {
  std::srand(4);
  const Slider slider{
      grid({-1, -1}, 0.02, Eigen::MatrixXd::Random(100, 100).array() * 0.5 + 1.5, curve)};
  std::vector<double> ratio, time;
  double farthest = 0;
  for (int k = 0; k < 100; ++k) {
    Vec3 q = Vec3::Random();
    if (k % 4 == 1) q[2] = std::copysign(1, q[2]);
    if (k % 8 == 3) q[2] = 0;
    const double share = k % 3 == 0 ? 1 : k % 3 == 1 ? 0.5 : 2;
    const Load P = Load::of(share * load(slider, Motion::of(q)).load.vector());
    if (q[2] == 0) q[2] = 0.3;  // the load of a translation costs next to nothing
    const double forward = fastest([&] { benchmark::DoNotOptimize(load(slider, Motion::of(q))); });
    MotionSet set;
    time.push_back(fastest([&] { set = motion(slider, P); }));
    ratio.push_back(time.back() / forward);
    farthest = std::max(farthest, set.certificate.distance);
  }
  std::printf("motion of a load, 10 000 pressures   %8.1f ms  (%s, median of 100)\n",
              1e3 * median(time), law);
  std::printf(
      "over the time of one load            %8.1f     (median; the most %.1f; target: 12)\n",
      median(ratio), *std::max_element(ratio.begin(), ratio.end()));
  std::printf("distance from the loads of the motion %7.0e     (the most)\n\n", farthest);
}

void one_load(benchmark::State& state, const Support& support) {
  const Slider slider{support};
  std::srand(2);
  const Rows3 motions = Rows3::Random(256, 3);
  Eigen::Index i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(load(slider, Motion::of(motions.row(i).transpose())));
    i = (i + 1) % motions.rows();
  }
}

// Random loads, half of them inside a facet or at a vertex of the surface.
void one_motion(benchmark::State& state, const LimitCurve& curve) {
  const Slider slider{point({0, 0}, 1, curve), point({1, 0.2}, 2, curve),
                      point({0.3, 0.9}, 1.5, curve)};
  std::srand(3);
  std::vector<Load> some;
  for (int k = 0; k < 256; ++k) {
    Vec3 q = Vec3::Random();
    if (k % 4 == 1) q = Vec3(0.2, -1, 1);
    some.push_back(k % 2 == 0 ? Load::of(q) : load(slider, Motion::of(q)).load);
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(motion(slider, some[i]));
    i = (i + 1) % some.size();
  }
}

}  // namespace

int main(int argc, char** argv) {
  compare_with_bare_loop();
  motions_of_a_grid("disc", disc(0.5));
  motions_of_a_grid("box", box(0.5));
  motions_of_a_grid("rusty wheel", rusty_wheel(0.5, 0.2, 0.5));
  const std::vector<Vec2> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const auto& [law, curve] :
       {std::pair{"disc", disc(0.5)}, {"ellipse", ellipse(0.5, 0.2)}, {"box", box(0.5)}}) {
    const auto add = [&](const std::string& shape, const Support& support) {
      benchmark::RegisterBenchmark((shape + "/" + law).c_str(), one_load, support);
    };
    add("segment", segment({0, 0}, {1, 0}, 1, curve));
    add("square", polygon_support(square, {}, 1, curve));
    add("disc", disc_support({0, 0}, 1, 1, curve));
    add("hertz", disc_support({0, 0}, 1, 1, curve, Support::Pressure::hertz));
    add("ring", ring({0, 0}, 1, 1, curve));
    add("annulus", annulus({0, 0}, 1, 0.5, 1, curve));
    add("grid of 32 x 32", grid({0, 0}, 0.03, Eigen::MatrixXd::Ones(32, 32), curve));
  }
  const std::vector<std::pair<std::string, LimitCurve>> laws{
      {"disc", disc(0.5)},
      {"ellipse", ellipse(0.5, 0.2, 0.3)},
      {"wheel", wheel(0.5, 0.3)},
      {"rusty wheel", rusty_wheel(0.5, 0.2, 0.3)},
      {"ratchet", ratchet(0.5, 0.3)},
      {"ratchet-free", ratchet_free(0.5, 0.3)},
      {"pyramid", pyramid(0.5)},
      {"box", box(0.5)},
      {"scaled box", scaled_box(0.5)},
      {"ngon of 8", ngon(0.5, 8)},
      {"ngon of 8 outside", ngon_out(0.5, 8)},
      {"polygon", polygon({{0.5, 0.1}, {0.1, 0.6}, {-0.4, 0.2}, {-0.2, -0.5}})}};
  for (const auto& [law, curve] : laws)
    benchmark::RegisterBenchmark(("motion of a load, three points/" + law).c_str(), one_motion,
                                 curve);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
