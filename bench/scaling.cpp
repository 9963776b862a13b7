// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <cstdlib>
#include <cstring>
#include "scenes.h"
#include "stiction/solver.h"
#include <chrono>
using namespace stiction;
int main(int argc, char** argv) {
  const std::string family = argv[1];
  const int n = std::atoi(argv[2]);
  const double tol = argc > 3 ? std::atof(argv[3]) : 1e-4;
  auto t0 = std::chrono::steady_clock::now();
  const auto scene = scenes::make_scene(family, n, 1);
  const auto p = scenes::contact_problem(scene);
  auto t1 = std::chrono::steady_clock::now();
  fmt::print("{} bodies {} contacts {} blocks, made in {:.2f}\n", scene.bodies.size(), p.contacts(), p.W.column.size(), std::chrono::duration<double>(t1 - t0).count());
  SolverOptions o; o.tolerance = tol; o.max_seconds=60; if (std::getenv("CONVEX")) o.model = Model::convex;
  if (argc > 4) o.method = argv[4][0] == 'g' ? Method::gauss_seidel : argv[4][0]=='n' ? Method::newton : Method::automatic;
  o.progress = [](const Iteration& i) { fmt::print("  {} {} {:.2e} {:.2e} {:.3f}s {:.1e}\n", to_text(i.method), i.iteration, i.relative, i.scaled, i.seconds, i.regularisation); return true; };
  const auto s = solve(p, o);
  const Vec3 g = scenes::ground_impulse(scene, s.reactions), w = scenes::weight_impulse(scene);
  fmt::print("{} {} it {} {:.3f} s, {:.2f} us/contact, rel {:.1e} sc {:.1e} weight error {:.1e}\n", to_text(s.status), to_text(s.method), s.iterations, s.seconds, 1e6*s.seconds/p.contacts(), s.certificate.relative, s.certificate.scaled, (g - w).norm() / w.norm());
}
