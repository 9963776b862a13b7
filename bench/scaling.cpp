// SPDX-License-Identifier: Apache-2.0
//
// How time and memory grow with the number of contacts: every family of generated scenes, each size
// in a process of its own, as a table and as CSV.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "clock.h"
#include "scenes.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;

struct Options {
  std::vector<std::string> families = scenes::families();
  std::vector<int> sizes{100, 300, 1000, 3000, 10000, 30000, 100000};
  std::vector<double> tolerances{1e-4};
  std::vector<int> threads{1};
  unsigned seed = 1;
  int scenes = 1;
  double max_seconds = 600;
  int repeat = 1;
  bool verbose = false, convex = false;
  std::string csv;
};

// A line of /proc/self/status, in kB.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name + ":", 0) == 0) return std::atof(line.c_str() + name.size() + 1);
  return 0;
}

struct Result {
  int bodies = 0, contacts = 0;
  char solved = 0, method[24] = {};
  int iterations = 0;
  double seconds = 0, relative = 0, scaled = 0, weight_error = 0;
  double kilobytes = 0;  // beyond the problem, a contact
};

Result measure(const Options& options, const std::string& family, int size, unsigned seed,
               double tolerance, int threads) {
  const scenes::Scene scene = scenes::make_scene(family, size, seed);
  const ContactProblem problem = scenes::contact_problem(scene);
  Result result;
  result.bodies = static_cast<int>(scene.bodies.size());
  result.contacts = problem.contacts();
  SolverOptions how;
  how.tolerance = tolerance;
  how.threads = threads;
  how.max_seconds = options.max_seconds;
  if (options.convex) how.model = Model::convex;
  if (options.verbose)
    how.progress = [](const Iteration& i) {
      fmt::print(stderr, "  {:>12} {:>6} {:9.2e} {:9.2e} {:8.3f} s  α {:.1e}\n", to_text(i.method),
                 i.iteration, i.relative, i.scaled, i.seconds, i.regularisation);
      return true;
    };
  std::ofstream("/proc/self/clear_refs") << "5";  // forget the peak
  const double before = status("VmRSS");
  Solution solution;
  for (int k = 0; k < options.repeat; ++k) {
    const bench::Clock clock;
    Solution one = solve(problem, how);
    if (threads == 1) one.seconds = std::min(one.seconds, clock.seconds());
    if (k == 0 || one.seconds < solution.seconds) solution = std::move(one);
  }
  result.kilobytes = (status("VmHWM") - before) / problem.contacts();
  result.solved = solution.status == Status::solved ? 1 : 0;
  std::snprintf(result.method, sizeof result.method, "%s", to_text(solution.method).c_str());
  result.iterations = solution.iterations;
  result.seconds = solution.seconds;
  result.relative = solution.certificate.relative;
  result.scaled = solution.certificate.scaled;
  const Vec3 weight = scenes::weight_impulse(scene);
  result.weight_error =
      (scenes::ground_impulse(scene, solution.reactions) - weight).norm() / weight.norm();
  return result;
}

// In a child, so that memory is counted afresh.
Result measured(const Options& options, const std::string& family, int size, unsigned seed,
                double tolerance, int threads) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  Result result;
  if (fork() == 0) {
    result = measure(options, family, size, seed, tolerance, threads);
    if (write(ends[1], &result, sizeof result) != sizeof result) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  const bool arrived = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  wait(nullptr);
  if (!arrived) throw std::runtime_error(family + ": the measurement died");
  return result;
}

// The scene of median time among those with consecutive seeds; solved if all are.
Result median(const Options& options, const std::string& family, int size, double tolerance,
              int threads) {
  std::vector<Result> results;
  for (int k = 0; k < options.scenes; ++k)
    results.push_back(measured(options, family, size, options.seed + static_cast<unsigned>(k),
                               tolerance, threads));
  const auto middle = results.begin() + (options.scenes - 1) / 2;
  std::nth_element(results.begin(), middle, results.end(),
                   [](const Result& a, const Result& b) { return a.seconds < b.seconds; });
  Result result = *middle;
  for (const Result& one : results)
    if (one.solved == 0) result.solved = 0;
  return result;
}

// The least-squares slope of log(time a contact) against log(contacts).
double exponent(const std::vector<Result>& results) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Result& r : results) {
    if (r.solved == 0) continue;
    const double a = std::log(r.contacts), b = std::log(r.seconds / r.contacts);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void run(const Options& options) {
  std::FILE* csv = nullptr;
  if (!options.csv.empty()) {
    csv = std::fopen(options.csv.c_str(), "w");
    if (csv == nullptr) throw std::runtime_error(options.csv + " cannot be written");
    fmt::print(csv,
               "family,contacts,bodies,seconds,threads,tolerance,solved,method,iterations,"
               "relative,scaled,weight_error,kilobytes_per_contact\n");
  }
  for (const double tolerance : options.tolerances)
    for (const int threads : options.threads) {
      fmt::print("tolerance {:.0e}, threads {}\n", tolerance, threads);
      fmt::print("{:>9} {:>8} {:>8} {:>9} {:>11} {:>6} {:13} {:>8} {:>8} {:>8} {:>6}\n", "family",
                 "contacts", "bodies", "time [s]", "[us/contact]", "iter.", "method", "relative",
                 "scaled", "weight", "kB/c");
      for (const std::string& family : options.families) {
        std::vector<Result> results;
        for (const int size : options.sizes) {
          const Result r = median(options, family, size, tolerance, threads);
          results.push_back(r);
          fmt::print(
              "{:>9} {:>8} {:>8} {:9.4f} {:11.2f} {:>6} {:13} {:8.1e} {:8.1e} {:8.1e} {:6.2f}{}\n",
              family, r.contacts, r.bodies, r.seconds, 1e6 * r.seconds / r.contacts, r.iterations,
              r.method, r.relative, r.scaled, r.weight_error, r.kilobytes,
              r.solved != 0 ? "" : "  NOT SOLVED");
          std::fflush(stdout);
          if (csv != nullptr) {
            fmt::print(csv, "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", family, r.contacts,
                       r.bodies, r.seconds, threads, tolerance, r.solved != 0 ? "yes" : "no",
                       r.method, r.iterations, r.relative, r.scaled, r.weight_error, r.kilobytes);
            std::fflush(csv);
          }
        }
        if (options.sizes.size() > 1)
          fmt::print("{:>9} time a contact grows as n^{:.2f}\n", family, exponent(results));
      }
    }
  if (csv != nullptr) std::fclose(csv);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Time and memory against size for generated scenes"};
  app.add_option("--families", options.families)->delimiter(',');
  app.add_option("--sizes", options.sizes)->delimiter(',');
  app.add_option("--tolerances", options.tolerances)->delimiter(',');
  app.add_option("--threads", options.threads)->delimiter(',');
  app.add_option("--seed", options.seed);
  app.add_option("--scenes", options.scenes,
                 "Of so many scenes, seeds one after another, the median")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-seconds", options.max_seconds);
  app.add_option("--repeat", options.repeat, "Best of so many");
  app.add_flag("--convex", options.convex);
  app.add_flag("--verbose", options.verbose);
  app.add_option("--csv", options.csv);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_scaling: {}\n", e.what());
    return 2;
  }
}
