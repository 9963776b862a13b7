// SPDX-License-Identifier: Apache-2.0
//
// How fast is a projection onto the friction cone, against the memory it must touch?  A batch of a
// million points is 24 MB read and 24 MB written; the floor is a copy of the same arrays, timed
// alternately in the same run.  Single calls, out of cache lines already loaded, follow.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "stiction/friction_cone.h"

namespace {

using namespace stiction;

Rows3 random_points(Eigen::Index count) {
  std::srand(1);
  return Rows3::Random(count, 3);
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void compare_with_memory() {
  const Eigen::Index count = 1000000;
  const Rows3 points = random_points(count);
  Rows3 projected = points;
  const FrictionCone cone(disc(0.5));
  std::vector<double> copy, batch, ratio;
  for (int i = 0; i < 41; ++i) {
    copy.push_back(seconds([&] {
      std::memcpy(projected.data(), points.data(),
                  sizeof(double) * 3 * static_cast<std::size_t>(count));
      benchmark::ClobberMemory();
    }));
    batch.push_back(seconds([&] {
      cone.project(points, projected);
      benchmark::ClobberMemory();
    }));
    ratio.push_back(batch.back() / copy.back());
  }
  const auto median = [](std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
  };
  std::printf("copy of a million points   %8.3f ms\n", 1e3 * median(copy));
  std::printf("projection of the same     %8.3f ms\n", 1e3 * median(batch));
  std::printf("ratio                      %8.2f   (median of 41; target: at most 2)\n\n",
              median(ratio));
}

void single_call(benchmark::State& state, const LimitCurve& curve) {
  const Rows3 points = random_points(1024);
  const FrictionCone cone(curve);
  Eigen::Index i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cone.project(Vec3(points.row(i).transpose())));
    i = (i + 1) % points.rows();
  }
}
BENCHMARK_CAPTURE(single_call, disc, disc(0.5));
BENCHMARK_CAPTURE(single_call, ellipse, ellipse(0.5, 0.3, 0.4));
BENCHMARK_CAPTURE(single_call, wheel, wheel(0.5, 0.4));
BENCHMARK_CAPTURE(single_call, rusty_wheel, rusty_wheel(0.5, 0.2, 0.4));
BENCHMARK_CAPTURE(single_call, box, box(0.5));
BENCHMARK_CAPTURE(single_call, octagon, ngon(0.5, 8));

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  compare_with_memory();
  benchmark::RunSpecifiedBenchmarks();
}
