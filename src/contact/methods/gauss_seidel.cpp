// SPDX-License-Identifier: Apache-2.0
//
// Block Gauss–Seidel: each contact in turn is solved exactly with the others held.
//
// It stops on the residual alone.  The change of r never falls when r drifts in the null space of
// W, so it only says when to look: after sweeps 1 and 4, then after a third more each time, and
// when r has all but stopped.
#include <algorithm>
#include <cmath>

#include "contact/workspace.h"

namespace stiction {

namespace {

constexpr int visits_a_clock = 1000;  // some 0.3 ms

// Solves contact i; the squared change of its reaction.
template <int D>
double visit(Workspace<D>& work, int i) {
  const auto ii = static_cast<std::size_t>(i);
  double* r = work.r.data();
  Part<D> r_i = Eigen::Map<const Part<D>>(r + D * i);
  const Part<D> before = r_i;
  const Part<D> u = velocity_at<D>(*work.W, work.q->data(), r, i);
  const Eigen::Map<const Block<D>> block(work.W->at(work.diagonal[ii]));
  const Part<D> b = u - block * r_i;
  if (work.options->model == Model::coulomb)
    solve_one_contact(work.pivots[ii], work.laws[i], b, r_i, work.beta[ii]);
  else
    relax_one_contact<D>(block, work.laws[i], b, r_i);
  Eigen::Map<Part<D>>(r + D * i) = r_i;
  return (r_i - before).squaredNorm();
}

// In the order of the contacts, or colour by colour, each colour shared between threads; returns
// the change of r.
template <int D>
double sweep(Workspace<D>& work) {
  double change = 0;
  const Parts& colours = work.colours;
  if (colours.size() == 0) {
    for (int i = 0; i < work.contacts(); ++i) change += visit(work, i);
    return std::sqrt(change);
  }
  constexpr int together = 64;  // contacts a task
  for (int c = 0; c < colours.size(); ++c) {
    const int begin = colours.start[static_cast<std::size_t>(c)];
    const int end = colours.start[static_cast<std::size_t>(c) + 1];
    const int tasks = (end - begin + together - 1) / together;
    work.parts.assign(static_cast<std::size_t>(tasks), 0.0);
    work.team->each(tasks, [&](int task, int) {
      const int first = begin + task * together, last = std::min(first + together, end);
      double sum = 0;
      for (int k = first; k < last; ++k)
        sum += visit(work, colours.order[static_cast<std::size_t>(k)]);
      work.parts[static_cast<std::size_t>(task)] = sum;
    });
    for (const double part : work.parts) change += part;
  }
  return std::sqrt(change);
}

}  // namespace

template <int D>
void gauss_seidel(Workspace<D>& work, bool may_switch, int max_sweeps) {
  // Cost of a sweep in multiplications; a check costs about as much.
  const double sweep_cost =
      static_cast<double>(work.W->column.size()) * D * D + 60.0 * work.contacts();
  const double tolerance = work.options->tolerance;
  int next_check = 1;
  double last_error = infinity, last_rate = 0;
  int last_sweep = 0;
  int visited = 0;  // contacts since the clock was read
  for (int k = 1; k <= max_sweeps; ++k) {
    const double change = sweep(work);
    ++work.iterations;
    const bool settled = change <= tolerance * work.r.norm();
    visited += work.contacts();
    const bool look = visited >= visits_a_clock || work.options->max_iterations > 0;
    if (look) visited = 0;
    const bool spent = look && work.budget_spent();
    if (k < next_check && !settled && !spent && k < max_sweeps) continue;
    if (work.check(Method::gauss_seidel)) return;
    const double error = work.errors.worst();
    if (may_switch && last_error < infinity) {
      // Sweeps still needed at the rate seen, against some twenty Newton steps.
      const double rate = std::log(last_error / error) / (k - last_sweep);
      double needed = rate > 0 ? std::log(error / tolerance) / rate : infinity;
      work.system.analyse(*work.W);
      // In a heap the rate falls from look to look, and the error like a power of the sweeps.
      if (!work.system.factorises() && rate > 0 && rate < 0.9 * last_rate)
        needed = k * std::pow(error / tolerance,
                              std::log(double(k) / last_sweep) / std::log(last_error / error));
      last_rate = rate;
      const double newton = 12 * (work.system.cost(*work.W) + 6 * sweep_cost);
      if (needed * 1.3 * sweep_cost > newton && k >= 4) return;
    }
    last_error = error;
    last_sweep = k;
    next_check = k + std::max(3, k / 3);
  }
}

template void gauss_seidel<2>(Workspace<2>&, bool, int);
template void gauss_seidel<3>(Workspace<3>&, bool, int);

}  // namespace stiction
