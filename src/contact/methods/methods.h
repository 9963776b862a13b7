// SPDX-License-Identifier: Apache-2.0
//
// The methods: their functions, and a row each in the table of what they are called, what they
// refuse and what they do on their own.  A method moves the workspace's r and returns when a check
// was within tolerance or when it gives up.
#pragma once

#include "base/named.h"
#include "contact/workspace.h"

namespace stiction {

// Sweeps until solved, until Newton is cheaper (if `may_switch`), or `max_sweeps`.
template <int D>
void gauss_seidel(Workspace<D>& work, bool may_switch, int max_sweeps);

// Proximal semismooth Newton, by these of its variants in turn; gives up when none helps.  Each but
// the first starts from the best point so far.
template <int D>
void proximal_newton(Workspace<D>& work, Variants variants = {});

// Lemke's pivoting with the covering vectors of these numbers; gives up when all end in rays.
// `lemke_rows` is the size of its basis, 0 where it does not take the problem; `require_polygons`
// throws InvalidInput then.
template <int D>
void lemke(Workspace<D>& work, int first = 0, int last = strategy.lemke.tries);
template <int D>
int lemke_rows(const Workspace<D>& work);
void require_polygons(const ContactProblem& problem, Model model);

// Block principal pivoting on the modes, for boxes; gives up when nothing helps.  `require_boxes`
// throws InvalidInput where it does not take the problem.
template <int D>
void active_set(Workspace<D>& work);
void require_boxes(const ContactProblem& problem, Model model);

template <int D>
using Alone = void (*)(Workspace<D>&);

struct MethodRow {
  Method value;
  const char* name;
  // Throws InvalidInput where the method does not take the problem; null: it takes all.
  void (*require)(const ContactProblem&, Model) = nullptr;
  // The method alone; null: not one for problems in local form.
  Alone<2> in_plane = nullptr;
  Alone<3> in_space = nullptr;

  template <int D>
  Alone<D> alone() const {
    if constexpr (D == 2)
      return in_plane;
    else
      return in_space;
  }
};

template <int D>
void only_sweep(Workspace<D>& work) {
  gauss_seidel(work, false, strategy.sweeps.unlimited);
}
template <int D>
void only_newton(Workspace<D>& work) {
  proximal_newton(work);
}
template <int D>
void only_pivot(Workspace<D>& work) {
  lemke(work);
}

inline constexpr MethodRow method_rows[] = {
    {Method::automatic, "auto"},
    {Method::gauss_seidel, "gauss_seidel", nullptr, only_sweep<2>, only_sweep<3>},
    {Method::newton, "newton", nullptr, only_newton<2>, only_newton<3>},
    {Method::lemke, "lemke", require_polygons, only_pivot<2>, only_pivot<3>},
    {Method::active_set, "active_set", require_boxes, active_set<2>, active_set<3>},
    {Method::matrix_free, "matrix_free"},
    {Method::bodies, "bodies"}};

inline const MethodRow& row_of(Method method) {
  const MethodRow* row = method_rows;
  while (row->value != method) ++row;
  return *row;
}

}  // namespace stiction
