// SPDX-License-Identifier: Apache-2.0
//
// Every solution of a small contact problem.
//
// Each contact is open (r = 0), sticks (u = 0), or slips on one piece of its limit curve: a vertex,
// or a flat.  Once every contact has such a mode the problem is a linear system with inequalities:
//
//   open         r = 0                                  u_n ≥ 0
//   stick        u = 0                                  r ∈ K
//   slip, vertex u_n = 0, −r_t = r_n p                  r_n ≥ 0, u_t in the vertex's normal wedge
//   slip, flat   u_n = 0, u_t·e = 0, −n·r_t = b r_n     r_n ≥ 0, u_t·n ≥ 0, −r_t between the flat's
//   ends
//
// A regular system has one candidate, a singular one a polyhedron of them: a continuum of
// solutions, listed once for each combination of modes.  In 2-D, and for polygons, all combinations
// are tried, so that the list is complete.  A single contact on a disc or an ellipse slips in
// directions that are the roots of a trigonometric polynomial, all of which are isolated, and is
// complete too; several such contacts, or curves with arcs and flats, are searched from many
// starts, and the list is not proven.
//
// Contacts are scaled first and zeros judged against their own terms: the list does not depend on
// the units of single contacts.  "Complete" is meant to within rounding: matrices of a condition
// beyond 1e11 count as singular.  A list is not complete where rounding alone may have kept a point
// from its certificate, and an empty one not where rounding decides whether some modes hold a
// solution.
#pragma once

#include <vector>

#include "stiction/certificate.h"
#include "stiction/progress.h"

namespace stiction {

struct EnumeratedSolution {
  Eigen::VectorXd reactions, velocities;  // of a continuum, a point inside it
  std::vector<Mode> modes;                // one a contact; open: no force, stick: no velocity
  int dimension = 0;                      // 0 a single solution, more a continuum
  Certificate certificate;
};

struct Enumeration {
  std::vector<EnumeratedSolution> solutions;
  bool complete = false;  // proven: there are no others
  // There is none, and no combination of modes was so near to singular, or to an end of its
  // conditions, that rounding decided: complete and empty, and W regular
  // where a single contact is on a curve.
  bool proves_none = false;
  std::string reason;  // why not, if not
};

// Throws InvalidInput for more than twelve contacts, and where doubles cannot hold a solution.
// Stops, incomplete, after `max_seconds`.
Enumeration enumerate(const ContactProblem& problem, double max_seconds = 60,
                      const Progress& progress = {});

}  // namespace stiction
