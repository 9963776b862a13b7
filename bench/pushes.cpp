// SPDX-License-Identifier: Apache-2.0
//
// How well do limit surfaces predict real pushes?  From measured loads the motions they should have
// caused, by the exact surface of the known supports and by ellipsoids; the table is the mean angle
// to the measured motion, ω weighed by ρ = 50 mm.  The other way round, from loads and motions, the
// shares of weight that the supports must have carried.
//
//   bench_pushes_program FOLDER
//
// A file has three comment lines, the second with the supports (mm, and shares of the weight, or
// the triangle of a uniform pressure), a header, and rows of load (N, N, N m) and motion (m, m,
// rad).
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

#include "stiction/slider_fit.h"
#include "stiction/slider_identify.h"
#include "stiction/slider_motion.h"

namespace {

using namespace stiction;

constexpr double rho = 0.05, weight = 1.518 * 9.81;

struct Data {
  std::vector<Support> supports;
  bool patch = false;
  std::vector<MeasuredPush> pushes;
};

std::vector<double> numbers(std::string text) {
  for (char& c : text)
    if (c == ',' || c == ';' || c == '(' || c == ')') c = ' ';
  std::istringstream in(text);
  std::vector<double> list;
  for (double x = 0; in >> x;) list.push_back(x);
  return list;
}

Data read(const std::filesystem::path& path) {
  std::ifstream in(path);
  Data data;
  for (std::string line; std::getline(in, line);) {
    const std::string triangle = "over the triangle";
    if (const auto at = line.find("share of weight):"); at != std::string::npos) {
      const auto v = numbers(line.substr(line.find(':') + 1));
      for (std::size_t k = 0; k + 2 < v.size(); k += 3)
        data.supports.push_back(point(1e-3 * Vec2(v[k], v[k + 1]), v[k + 2] * weight, disc(1)));
    } else if (const auto place = line.find(triangle); place != std::string::npos) {
      const auto v = numbers(line.substr(place + triangle.size()));
      std::vector<Vec2> corners;
      for (std::size_t k = 0; k + 1 < v.size(); k += 2)
        corners.push_back(1e-3 * Vec2(v[k], v[k + 1]));
      data.supports = {polygon_support(corners, {}, weight, disc(1))};
      data.patch = true;
    } else if (const auto v = numbers(line); v.size() == 6) {
      data.pushes.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    }
  }
  return data;
}

double degrees_between(const Motion& a, const Motion& b) {
  const Vec3 x = Vec3(a.vx, a.vy, rho * a.omega).normalized();
  const Vec3 y = Vec3(b.vx, b.vy, rho * b.omega).normalized();
  return std::atan2(x.cross(y).norm(), x.dot(y)) * 180 / std::numbers::pi;
}

template <typename Predict>
double mean_error(const Data& data, const Predict& predict) {
  double sum = 0;
  for (const MeasuredPush& push : data.pushes)
    sum += degrees_between(predict(push.load), push.motion);
  return sum / static_cast<double>(data.pushes.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_pushes_program FOLDER of .csv files\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(argv[1]))
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
      if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (files.empty()) {
    std::printf("%s holds no .csv files of pushes: nothing to compare\n", argv[1]);
    return 0;
  }
  std::sort(files.begin(), files.end());
  std::printf("mean angle between measured and predicted motion, degrees (rho = 50 mm)\n\n");
  std::printf("%-46s %7s %7s %10s %7s   %s\n", "pushes", "number", "exact", "ellipsoid", "axes",
              "identified shares, misfit");
  for (const auto& path : files) {
    const Data data = read(path);
    if (data.supports.empty() || data.pushes.empty()) {
      std::printf("%-46s not a file of pushes\n", path.stem().c_str());
      continue;
    }
    SliderBody body;
    body.length_scale = rho;
    const Slider slider(data.supports, body);
    const double exact = mean_error(data, [&](const Load& p) { return motion(slider, p).motion; });
    const SurfaceFit model = fit(slider, SurfaceFit::Kind::ellipsoid);
    const double ellipsoid = mean_error(data, [&](const Load& p) { return model.motion(p); });
    // The ellipsoid whose semi-axes are the greatest force and the moment of turning about the
    // centre of mass.
    const double force = load(slider, {.vx = 1, .vy = 0, .omega = 0}).power;
    const double moment = load(slider, {.vx = 0, .vy = 0, .omega = 1}).power;
    const double axes = mean_error(data, [&](const Load& p) {
      return Motion{p.fx / (force * force), p.fy / (force * force), p.moment / (moment * moment)};
    });
    std::printf("%-46s %7zu %7.2f %10.2f %7.2f  ", path.stem().c_str(), data.pushes.size(), exact,
                ellipsoid, axes);
    // Candidates: the known supports, each as strong as if it carried all the weight.
    std::vector<Support> candidates;
    for (Support support : data.supports) {
      support.normal_force = weight;
      candidates.push_back(support);
    }
    const Identified found = identify(candidates, data.pushes, rho);
    for (const double strength : found.strengths)
      std::printf(" %.3f", strength / found.strengths.sum());
    std::printf(", %.1f %%; mu %.3f\n", 100 * found.misfit, found.strengths.sum());
  }
  return 0;
}
