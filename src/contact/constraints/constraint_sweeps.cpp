// SPDX-License-Identifier: Apache-2.0
//
// Block Gauss–Seidel on constraints of any kind: methods/gauss_seidel.cpp with blocks that differ.
#include <cmath>

#include "contact/constraints/constraint_lu.h"
#include "contact/constraints/constraint_workspace.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Solves constraint i; the squared change of its reaction.
double visit(ConstraintWorkspace& work, int i) {
  const BlockRows& W = work.system.W;
  const int n = W.size(i), from = W.offset[at(i)];
  double* r = work.r.data() + from;
  double b[most_rows], before[most_rows];
  for (int c = 0; c < n; ++c) b[c] = work.system.q[from + c];
  W.add_row_times(i, work.r.data(), b);
  const double* D = W.at(W.diagonal[at(i)]);
  for (int k = 0; k < n; ++k) {
    before[k] = r[k];
    for (int c = 0; c < n; ++c) b[c] -= D[k * n + c] * r[k];
  }
  work.one[at(i)].solve(work.system.laws[at(i)], work.options->model, b, r);
  double change = 0;
  for (int c = 0; c < n; ++c) change += (r[c] - before[c]) * (r[c] - before[c]);
  return change;
}

}  // namespace

void gauss_seidel(ConstraintWorkspace& work, bool may_switch, int max_sweeps) {
  constexpr int visits_a_clock = 300;
  const double tolerance = work.options->tolerance;
  const double sweep_cost = static_cast<double>(work.system.W.value.size()) + 300.0 * work.count();
  double last_error = infinity;
  int next_check = 1, last_sweep = 0, visited = 0;
  for (int k = 1; k <= max_sweeps; ++k) {
    double change = 0;
    for (int i = 0; i < work.count(); ++i) change += visit(work, i);
    ++work.iterations;
    visited += work.count();
    const bool look = visited >= visits_a_clock || work.options->max_iterations > 0;
    if (look) visited = 0;
    const bool settled = std::sqrt(change) <= tolerance * work.r.norm();
    if (k < next_check && !settled && !(look && work.budget_spent()) && k < max_sweeps) continue;
    if (work.check(Method::gauss_seidel, work.r)) return;
    const double error = work.errors.worst();
    if (may_switch && k >= 4) {
      const double rate = std::log(last_error / error) / (k - last_sweep);
      const double needed = rate > 0 ? std::log(error / tolerance) / rate : infinity;
      if (!work.lu.analysed()) work.lu.analyse(work.system.W);
      const double newton =
          12 *
          (work.lu.flops() + 2 * static_cast<double>(work.system.W.value.size()) + 2 * sweep_cost);
      if (needed * sweep_cost > newton) return;
    }
    last_error = error;
    last_sweep = k;
    next_check = k + std::max(3, k / 3);
  }
}

}  // namespace stiction
