// SPDX-License-Identifier: Apache-2.0
//
// Solving contact problems: W, q and a law a contact in, certified reactions out.
//
// `auto` starts with block Gauss–Seidel, watches how fast the true residual falls, changes to a
// proximal semismooth Newton method as soon as that is cheaper, turns to Lemke's pivoting where
// that fails and the laws are polygons, and verifies; a user never needs to choose.  `solved` is
// said only after the certificate says so.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stiction/certificate.h"

namespace stiction {

// lemke: every law a polygon, or 2-D; up to 20 000 rows, eight a contact on pyramids.
// active_set: every law a box along the tangents, or 2-D; Model::coulomb.
// matrix_free: problems in global form; see solve(GlobalProblem).
enum class Method { automatic, gauss_seidel, newton, lemke, active_set, matrix_free };
enum class Status { solved, stalled, time_limit, stopped };

// One line of the history: after so many iterations of a method, these errors.
struct Iteration {
  Method method = Method::automatic;
  int iteration = 0;
  double relative = 0, scaled = 0;
  double seconds = 0;         // since the start
  double regularisation = 0;  // Newton's α over mean|diag W|
};

struct SolverOptions {
  double tolerance = 1e-8;  // on both errors of the certificate
  Model model = Model::coulomb;
  Method method = Method::automatic;
  double max_seconds = 60;  // wall clock
  int threads = 0;          // 0: all of the machine's; the answer has the same bits for any number
  bool keep_history = false;
  // Called at every check of the residual; returning false stops the solver.  While a problem in
  // global form is condensed, the errors are infinite, and stopping throws Stopped.
  std::function<bool(const Iteration&)> progress = {};
};

struct Solution {
  Status status = Status::stalled;
  Method method = Method::automatic;  // that found it
  int iterations = 0;                 // sweeps and Newton steps together
  double seconds = 0;
  Eigen::VectorXd reactions, velocities;   // r, and u at the contacts
  Eigen::VectorXd generalized_velocities;  // v, of problems in global form
  Certificate certificate;
  std::vector<Iteration> history;
};

// Keeps its workspace, the elimination order and the symbolic factorisation for a sequence of
// related problems: with the same sparsity nothing is allocated after the first.
class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  // Throws InvalidInput for a problem that cannot be solved: rolling, wrong sizes, NaN, numbers
  // whose reactions or powers doubles cannot hold, or what the method asked for does not take.  The
  // guess, if any, is where the iteration starts (Lemke's starts from nothing); one that satisfies
  // the tolerance costs one residual.
  const Solution& solve(const ContactProblem& problem, const SolverOptions& options = {},
                        const Eigen::VectorXd* guess = nullptr);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

Solution solve(const ContactProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

// A problem in global form: condensed, and solved as above.  With Method::matrix_free, and with
// `automatic` where that pays, W is not formed; where this does not converge, M does not fall apart
// into bodies, or there are joints, the problem is condensed after all, and `method` is the one
// that found the answer.  `seconds` counts condensing only then.
Solution solve(const GlobalProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

// Whether bodies have so many contacts that W would hold some forty blocks a contact or more.
bool matrix_free_pays(const GlobalProblem& problem);

std::string to_text(Status status);
std::string to_text(Method method);

}  // namespace stiction
