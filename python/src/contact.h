// SPDX-License-Identifier: Apache-2.0
//
// Contact problems and their solutions, as the bindings pass them around.
#pragma once

#include <nanobind/stl/variant.h>

#include "bind.h"
#include "stiction/separation.h"
#include "stiction/solver.h"

namespace stiction::python {

struct PythonSolution : Solution {
  int dimension = 3;
};

ContactProblem local_problem(const MatrixLike& W, const ArrayLike& q, const LawsLike& law,
                             int dimension);
// Reactions of shape (contacts, dimension) or flat.
Eigen::VectorXd reactions_of(const ArrayLike& reactions, const char* name, int contacts,
                             int dimension);

void bind_certificate(nb::module_& m);
void bind_existence(nb::module_& m);

}  // namespace stiction::python
