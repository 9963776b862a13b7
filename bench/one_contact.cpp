// SPDX-License-Identifier: Apache-2.0
//
// How long does one contact take?  Solved to 1e-12 in both errors, for each of its three states,
// with a symmetric and an unsymmetric block: by the kernel alone, with its pivot made anew or kept,
// and through the public interface, which also checks the residual.
#include <benchmark/benchmark.h>

#include "contact/one/one_contact.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;

enum State { stick, slip, open };

ContactProblem problem(State state, bool symmetric) {
  Eigen::Matrix3d W;
  W << 1.0, 0.2, -0.1, 0.2, 1.5, 0.3, -0.1, 0.3, 1.2;
  if (!symmetric) {
    W(1, 0) += 0.05;
    W(2, 1) -= 0.04;
  }
  ContactProblem p;
  p.W = block_matrix(Eigen::MatrixXd(W), 3);
  p.q = state == stick ? Vec3(-1, 0.1, 0.05) : state == slip ? Vec3(-1, 2, -1) : Vec3(0.5, 2, -1);
  p.laws.resize(1);
  p.laws[0].mu = 0.5;
  return p;
}

void label(benchmark::State& run, const ContactProblem& p, const Eigen::VectorXd& r, State state,
           bool symmetric) {
  const Certificate c = certify(p, r);
  if (!c.within(1e-12)) run.SkipWithError("not solved to 1e-12");
  const double slack = p.laws[0].mu * r[0] - r.tail(2).norm();
  const State found = r[0] == 0 ? open : slack > 1e-9 ? stick : slip;
  if (found != state) run.SkipWithError("not the state that was meant");
  static constexpr const char* names[] = {"stick", "slip", "open"};
  run.SetLabel(std::string(names[state]) + (symmetric ? ", symmetric" : ", unsymmetric"));
}

void kernel(benchmark::State& run, bool keep_pivot) {
  const auto state = static_cast<State>(run.range(0));
  const bool symmetric = run.range(1) == 1;
  const ContactProblem p = problem(state, symmetric);
  ContactLaws<3> laws;
  laws.assign(p.laws);
  ContactPivot<3> pivot;
  pivot.set(p.W.at(0), laws[0]);
  const Vec3 b = p.q;
  Vec3 r;
  for (auto _ : run) {
    if (!keep_pivot) pivot.set(p.W.at(0), laws[0]);
    r.setZero();
    double beta = 0;
    solve_one_contact(pivot, laws[0], b, r, beta);
    benchmark::DoNotOptimize(r.data());
    benchmark::ClobberMemory();
  }
  label(run, p, r, state, symmetric);
}

void one_contact_kernel(benchmark::State& run) { kernel(run, true); }
void one_contact_kernel_and_pivot(benchmark::State& run) { kernel(run, false); }

void one_contact_solver(benchmark::State& run) {
  const auto state = static_cast<State>(run.range(0));
  const bool symmetric = run.range(1) == 1;
  const ContactProblem p = problem(state, symmetric);
  const SolverOptions options{.tolerance = 1e-12};
  ContactSolver solver;
  for (auto _ : run) benchmark::DoNotOptimize(&solver.solve(p, options));
  label(run, p, solver.solve(p, options).reactions, state, symmetric);
}

BENCHMARK(one_contact_kernel)->ArgsProduct({{stick, slip, open}, {1, 0}});
BENCHMARK(one_contact_kernel_and_pivot)->ArgsProduct({{stick, slip, open}, {1, 0}});
BENCHMARK(one_contact_solver)->ArgsProduct({{stick, slip, open}, {1, 0}});

}  // namespace

BENCHMARK_MAIN();
