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

#include "stiction/separation.h"

namespace stiction {

// lemke: every law a polygon, or 2-D; up to 20 000 rows, eight a contact on pyramids.
// active_set: every law a box along the tangents, or 2-D; Model::coulomb.
// matrix_free, bodies: problems in global form; see ContactSolver.
enum class Method { automatic, gauss_seidel, newton, lemke, active_set, matrix_free, bodies };
// no_solution: it is proven that there is none.  stalled: nothing was found within tolerance; under
// bodies 1e8 times as heavy as those below them there may be no doubles within 1e-8.
enum class Status { solved, no_solution, stalled, time_limit, stopped };

std::string to_text(Status status);
std::string to_text(Method method);
// Throws InvalidInput: "WHAT is 'TEXT', expected …".
Method parse_method(const std::string& text, const std::string& what = "method");
std::string method_names();  // "auto, … or bodies"

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
  int max_iterations = 0;   // the same on every machine; 0: no limit
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
  std::vector<Mode> modes;  // one a contact, or a constraint
  // Looked for where nothing solves, and by `look_beside` where something does.  `no_solution`
  // without one was proven by trying all modes.
  std::optional<Separation> separation;
  std::vector<Iteration> history;
};

// Keeps its workspace, the elimination order and the symbolic factorisation for a sequence of
// related problems: with the same sparsity nothing is allocated after the first, by Gauss–Seidel
// and by every variant of Newton's method.  What allocates each time: Lemke's pivoting, the active
// set, the list of all solutions and what proves that there is none, where `automatic` turns to
// them, and problems in units beyond 2^±150, which are solved in others.
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

  // A problem in global form.  With Method::bodies, and with `automatic` where that pays, it is
  // solved in the space of the bodies: W is not formed, and nothing is allocated while the same
  // bodies touch at as many contacts.  With Method::matrix_free, and with `automatic` where that
  // pays, by sweeps without W.  Where neither is for the problem (joints, 2-D, laws other than
  // discs and ellipses for the bodies) or it does not converge, the problem is condensed and solved
  // as above, and `method` is the one that found the answer.  `seconds` counts condensing only
  // where another method was tried before.
  const Solution& solve(const GlobalProblem& problem, const SolverOptions& options = {},
                        const Eigen::VectorXd* guess = nullptr);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// Bilateral rows are condensed first.
Solution solve(const ContactProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

Solution solve(const GlobalProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

// Constraints of any kind, by Gauss–Seidel and Newton's method.  Where nothing solves, `separation`
// is along contacts' normals, limits and bilateral rows alone.
Solution solve(const ConstraintProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);
Solution solve(const GlobalConstraintProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

// Whether bodies have so many contacts that W would hold some forty blocks a contact or more.
bool matrix_free_pays(const GlobalProblem& problem);

// Whether the space of the bodies is where `automatic` solves a problem: bodies have many contacts,
// 3 contacts > 0.7 freedoms, there are at least 24, and the factors fill in little.
bool bodies_pay(const GlobalProblem& problem);

// Either form.
Solution solve(const AnyProblem& problem, const SolverOptions& options = {},
               const Eigen::VectorXd* guess = nullptr);

// Of a problem of up to a dozen contacts that was solved: a direction that shows that others like
// it need not be.  The functions `solve` do this; a ContactSolver, for many problems, does not.
void look_beside(const ContactProblem& problem, Model model, Solution& solution);

}  // namespace stiction
