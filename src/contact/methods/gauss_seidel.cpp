// SPDX-License-Identifier: Apache-2.0
//
// Block Gauss–Seidel: each contact in turn is solved exactly with the others held.
//
// It stops on the residual alone.  The change of r never falls when r drifts in the null space of
// W, so it only says when to look: after sweeps 1 and 4, then after a third more each time, and
// when r has all but stopped.
#include <algorithm>
#include <cmath>

#include "contact/methods/methods.h"

namespace stiction {

namespace {

constexpr const SweepStrategy& at = strategy.sweeps;

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
  for (int c = 0; c < colours.size(); ++c) {
    const int begin = colours.start[static_cast<std::size_t>(c)];
    const int end = colours.start[static_cast<std::size_t>(c) + 1];
    const int tasks = (end - begin + at.contacts_a_task - 1) / at.contacts_a_task;
    work.parts.assign(static_cast<std::size_t>(tasks), 0.0);
    work.team->each(tasks, [&](int task, int) {
      const int first = begin + task * at.contacts_a_task;
      const int last = std::min(first + at.contacts_a_task, end);
      double sum = 0;
      for (int k = first; k < last; ++k)
        sum += visit(work, colours.order[static_cast<std::size_t>(k)]);
      work.parts[static_cast<std::size_t>(task)] = sum;
    });
    for (const double part : work.parts) change += part;
  }
  return std::sqrt(change);
}

// The last looks at the error, and what they say of the sweeps to come.
struct Looks {
  double error = infinity, rate = 0;  // of the last look; rate: −d log(error)/d(sweep)
  int sweep = 0;

  // Takes one look more; the sweeps still needed, by the rate between the two.
  double needed(int k, double now, double tolerance, bool heap) {
    const double next = std::log(error / now) / (k - sweep);
    double more = next > 0 ? std::log(now / tolerance) / next : infinity;
    // In a heap the rate falls from look to look, and the error like a power of the sweeps.
    if (heap && next > 0 && next < at.falling_rate * rate)
      more = k * std::pow(now / tolerance, std::log(double(k) / sweep) / std::log(error / now));
    rate = next;
    return more;
  }
};

// Multiplications of a sweep; a look at the error costs about as much.
template <int D>
double cost_of_sweep(const Workspace<D>& work) {
  return static_cast<double>(work.W->column.size()) * D * D + at.contact_cost * work.contacts();
}

}  // namespace

template <int D>
void gauss_seidel(Workspace<D>& work, bool may_switch, int max_sweeps) {
  const double sweep_cost = cost_of_sweep(work);
  const double tolerance = work.options->tolerance;
  int next_check = 1;
  Looks looks;
  int visited = 0;  // contacts since the clock was read
  for (int k = 1; k <= max_sweeps; ++k) {
    const double change = sweep(work);
    ++work.iterations;
    const bool settled = change <= tolerance * work.r.norm();
    visited += work.contacts();
    const bool look = visited >= at.visits_a_clock || work.options->max_iterations > 0;
    if (look) visited = 0;
    const bool spent = look && work.budget_spent();
    if (k < next_check && !settled && !spent && k < max_sweeps) continue;
    if (work.check(Method::gauss_seidel)) return;
    const double error = work.errors.worst();
    if (may_switch && looks.error < infinity) {
      work.system.analyse(*work.W);
      const double needed = looks.needed(k, error, tolerance, !work.system.factorises());
      const double newton =
          at.newton_steps * (work.system.cost(*work.W) + at.newton_step_cost * sweep_cost);
      if (needed * at.look_cost * sweep_cost > newton && k >= at.least) return;
    }
    looks.error = error;
    looks.sweep = k;
    next_check = k + std::max(at.look_after, k / at.look_after_part);
  }
}

template void gauss_seidel<2>(Workspace<2>&, bool, int);
template void gauss_seidel<3>(Workspace<3>&, bool, int);

}  // namespace stiction
