// SPDX-License-Identifier: Apache-2.0
//
// The solver in the space of the bodies against the chain that condenses first, on a folder of
// problem files in global form: a line a file, the least of some runs, one thread each.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "contact/bodies/solve_bodies.h"
#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;

double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

struct Change {
  double mu = 1, mass = 1, velocity = 1, noise = 0;
  unsigned seed = 1;
};

void apply(GlobalProblem& p, const Change& by) {
  for (Law& law : p.laws) law.mu *= by.mu;
  if (by.noise > 0) {  // random velocities added, of this size next to those there
    std::mt19937_64 random(by.seed);
    Eigen::VectorXd g(p.f.size());
    for (double& x : g) x = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
    const Eigen::VectorXd mass = p.M.diagonal();
    const double scale = p.f.cwiseQuotient(mass).norm() / g.norm();
    p.f += by.noise * scale * mass.cwiseProduct(g);
  }
  p.M *= by.mass;
  p.f *= by.mass * by.velocity;
  p.w *= by.velocity;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Contacts in the space of the bodies against the condensed chain");
  std::vector<std::string> files;
  Change change;
  int times = 11;
  double seconds = 10;
  bool alone = false;
  std::string kernels;
  app.add_option("files", files, "problem files in global form")->required();
  app.add_option("--mu", change.mu, "factor on the coefficients");
  app.add_option("--mass", change.mass, "factor on masses");
  app.add_option("--velocity", change.velocity, "factor on velocities");
  app.add_option("--noise", change.noise, "random velocities added, relative");
  app.add_option("--seed", change.seed, "of these");
  app.add_option("--times", times, "runs the least is of");
  app.add_option("--seconds", seconds, "time limit of a run");
  app.add_flag("--alone", alone, "without the condensed chain");
  app.add_option("--kernels", kernels, "avx512, avx2 or plain; the best by default");
  CLI11_PARSE(app, argc, argv);
  const bodies::Kernels* chosen = &bodies::kernels();
  const bodies::KernelList list = bodies::all_kernels();
  for (int k = 0; k < list.count; ++k)
    if (kernels == list.kernels[k]->name) chosen = list.kernels[k];
  std::printf("%-28s %8s %8s %10s %10s %10s %7s %9s %9s\n", "file", "contacts", "freedoms",
              "present ms", "bodies ms", "kept ms", "ratio", "relative", "scaled");
  int solved = 0, all = 0;
  double total = 0, log_ratio = 0;
  for (const std::string& file : files) {
    AnyProblem any = read_problem(file);
    if (!std::holds_alternative<GlobalProblem>(any)) continue;
    GlobalProblem& p = std::get<GlobalProblem>(any);
    apply(p, change);
    if (!bodies::BodySystem::takes(p)) continue;
    SolverOptions options{.max_seconds = seconds, .threads = 1};
    double present = 0;
    if (!alone) {
      std::vector<double> t;
      for (int k = 0; k < times && (k == 0 || t[0] < 0.5); ++k) {
        const auto begin = std::chrono::steady_clock::now();
        const Condensed condensed(p);
        ContactSolver().solve(condensed.local(), options);
        t.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      present = 1e3 * least(t);
    }
    // All anew, and with what the last solve left.
    std::vector<double> cold, kept;
    Solution s;
    bodies::BodySolver keeping(*chosen);
    keeping.analyse(p);
    keeping.solve(p, options, nullptr, s);
    for (int k = 0; k < times && (k == 0 || cold[0] < 0.5); ++k) {
      bodies::BodySolver solver(*chosen);
      solver.analyse(p);
      solver.solve(p, options, nullptr, s);
      cold.push_back(s.seconds);
      keeping.analyse(p);
      keeping.solve(p, options, nullptr, s);
      kept.push_back(s.seconds);
    }
    const double ms = 1e3 * least(cold);
    const std::string name = file.substr(file.rfind('/') + 1);
    std::printf("%-28s %8d %8d %10.3f %10.3f %10.3f %7.2f %9.1e %9.1e %4d %s\n", name.c_str(),
                p.contacts(), static_cast<int>(p.M.rows()), present, ms, 1e3 * least(kept),
                present / ms, s.certificate.relative, s.certificate.scaled, s.iterations,
                to_text(s.status).c_str());
    std::fflush(stdout);
    ++all;
    solved += s.status == Status::solved;
    total += ms;
    if (!alone) log_ratio += std::log(present / ms);
  }
  std::printf("%d of %d solved, %.1f ms in all", solved, all, total);
  if (!alone && all > 0) std::printf(", mean ratio %.2f", std::exp(log_ratio / all));
  std::printf("\n");
}
