// SPDX-License-Identifier: Apache-2.0
//
// Which method, when; and the last word, which is the certificate's.
#include <algorithm>

#include "contact/problem/units.h"
#include "contact/problem/validate.h"
#include "contact/solve_global.h"
#include "contact/workspace.h"
#include "stiction/solver.h"

namespace stiction {

struct ContactSolver::Workspace {
  stiction::Workspace<2> plane;
  stiction::Workspace<3> space;
  bodies::BodySolver bodies;
  Solution solution;
};

ContactSolver::ContactSolver() : workspace_(std::make_unique<Workspace>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

namespace {

// Throws of the dice: each takes some milliseconds for 30 contacts.  Of planted problems that the
// first method misses, μ from 2 to 10, 30 solve half, 600 nine in ten.
constexpr int most_throws = 600, least_throws = 30, throws_times_contacts = 20000;
constexpr int throw_patience = 15;  // moves without gain
// Slips on stacks of boxes with masses in a geometric series come to rest in hundreds of shifts.
constexpr int shift_patience = 400;
// Of up to so many contacts, to ask whether there is any solution takes less than so many moves of
// Newton's centre without gain.
constexpr int early_contacts = 500, early_patience = 30;
constexpr int lemke_first_tries = 5;
constexpr int lemke_small = 2000;  // rows; some 250 contacts on pyramids, half a second a try
constexpr int lemke_large = 5000;  // rows; up to here one try, of some ten seconds

template <int D>
void try_lemke(Workspace<D>& work, int first, int last, Solution& solution) {
  const int rows = lemke_rows(work);
  if (rows == 0 || rows > lemke_large) return;
  lemke(work, first, rows <= lemke_small ? last : first + 1);
  if (work.solved()) solution.method = Method::lemke;
}

// Whether there is a solution at all, asked of the problem as it was given, when a short search has
// failed and when a long one has.
template <int D>
void ask(Workspace<D>& work, const ContactProblem& given, const ContactProblem& problem,
         bool late) {
  const double left = work.options->max_seconds - work.seconds();
  if (work.over() || !(left > 0)) return;
  const TryReactions try_reactions = [&](const Eigen::VectorXd& r) {
    if (work.options->method != Method::automatic) return false;  // what was asked for did not
    work.r = r;
    return work.check(Method::newton);
  };
  (late ? ask_late : ask_early)(given, problem, work.options->model, left, try_reactions,
                                work.existence);
}

// Contacts that wedge have many solutions and many traps between them: short tries from here and
// there solve what no long one does.
template <int D>
void start_elsewhere(Workspace<D>& work) {
  const bool exact = work.options->model == Model::coulomb;
  for (const Variants& variants : {Variants{}, Variants{1, 2, shift_patience}}) {
    work.restart(0);
    if (!work.check(Method::newton) && exact) proximal_newton(work, variants);
    if (work.over()) return;
  }
  const int throws = std::clamp(throws_times_contacts / work.contacts(), least_throws, most_throws);
  constexpr int turn[] = {0, 3, 4, 5};  // Newton's variants with functions of their own
  for (int attempt = 1; attempt <= throws && !work.over(); ++attempt) {
    work.restart(attempt);
    if (attempt % 3 == 0)
      gauss_seidel(work, false, 20);
    else
      work.check(Method::newton);
    const int variant = exact ? turn[attempt % 4] : 2;
    if (!work.over()) proximal_newton(work, {variant, variant + 1, throw_patience});
  }
}

template <int D>
void run(Workspace<D>& work, const ContactProblem& original, const ContactProblem& given,
         const SolverOptions& options, const Eigen::VectorXd* guess, Solution& solution) {
  work.begin = std::chrono::steady_clock::now();
  const bool may_reorder = given.contacts() >= large;
  const ContactProblem& problem = may_reorder ? work.reordered.set(given) : given;
  if (may_reorder && guess != nullptr) guess = &work.reordered.there(*guess);
  solution.history.clear();
  work.history = options.keep_history ? &solution.history : nullptr;
  work.start(problem, options, guess);
  solution.method = Method::gauss_seidel;
  // r = 0, or the guess, may be the answer already.
  if (!(guess != nullptr && work.check(options.method))) {
    switch (options.method) {
      case Method::gauss_seidel:
        gauss_seidel(work, false, 1 << 30);
        break;
      case Method::newton:
        work.check(Method::newton);
        solution.method = Method::newton;
        if (!work.over()) proximal_newton(work);
        break;
      case Method::lemke:
        work.check(Method::lemke);
        solution.method = Method::lemke;
        if (!work.over()) lemke(work);
        break;
      case Method::active_set:
        work.check(Method::active_set);
        solution.method = Method::active_set;
        if (!work.over()) active_set(work);
        break;
      case Method::matrix_free:  // refused before
      case Method::bodies:
        break;
      case Method::automatic:
        gauss_seidel(work, true, 100000);
        if (!work.over()) {
          solution.method = Method::newton;
          if (problem.contacts() <= early_contacts) {
            proximal_newton(work, {0, 1, early_patience});
            ask(work, original, problem, false);
          }
          if (!work.over()) proximal_newton(work);
        }
        if (problem.contacts() > early_contacts) ask(work, original, problem, false);
        // Polygons have a method that knows no traps, if only rays: a few tries now, more at the
        // end.
        if (!work.over()) try_lemke(work, 0, lemke_first_tries, solution);
        if (!work.over()) start_elsewhere(work);
        if (!work.over()) try_lemke(work, lemke_first_tries, covering_vectors, solution);
        ask(work, original, problem, true);
        break;
    }
    if (options.method != Method::automatic) {
      ask(work, original, problem, false);
      ask(work, original, problem, true);
    }
  }
  solution.iterations = work.iterations;
  solution.reactions = work.best;
  solution.certificate = certificate_at<D>(problem.W, problem.q, work.laws, work.norms,
                                           solution.reactions, options.model, solution.velocities);
  if (may_reorder) {
    work.reordered.back(solution.reactions);
    work.reordered.back(solution.velocities);
  }
  const bool solved = work.solved() && solution.certificate.within(options.tolerance);
  solution.separation = work.existence.separation;
  if (solved && solution.separation)
    solution.separation->proves = Separation::Proves::existence_not_guaranteed;
  solution.status = solved                ? Status::solved
                    : work.existence.none ? Status::no_solution
                    : work.out_of_time    ? Status::time_limit
                    : work.stopped        ? Status::stopped
                                          : Status::stalled;
  solution.seconds = work.seconds();
}

}  // namespace

const Solution& ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                     const Eigen::VectorXd* guess) {
  Solution& solution = workspace_->solution;
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2 or 3: rolling and torsional friction cannot be solved yet");
  if (problem.bilateral)
    throw InvalidInput("the problem has bilateral rows, expected them to be condensed");
  if (options.method == Method::matrix_free || options.method == Method::bodies)
    throw InvalidInput("the method is " + to_text(options.method) +
                       ", expected a problem in global form for it");
  const bool usual = validate_numbers(problem);
  if (guess != nullptr) require_vector(*guess, problem.q.size(), "guess");
  if (options.method == Method::lemke) require_polygons(problem);
  if (options.method == Method::active_set) require_boxes(problem, options.model);
  const auto run_on = [&](const ContactProblem& one, const Eigen::VectorXd* start) {
    if (one.dimension == 2)
      run(workspace_->plane, problem, one, options, start, solution);
    else
      run(workspace_->space, problem, one, options, start, solution);
  };
  const Scaling scaling = usual ? Scaling() : Scaling(problem);
  if (scaling.is_none()) {
    run_on(problem, guess);
    return solution;
  }
  Eigen::VectorXd start;
  if (guess != nullptr) start = scaling.scaled_reactions(*guess);
  run_on(scaling.scaled(problem), guess != nullptr && start.allFinite() ? &start : nullptr);
  scaling.back(problem, options.model, solution.reactions, solution.velocities,
               solution.certificate);
  if (solution.status == Status::solved && !solution.certificate.within(options.tolerance))
    solution.status = Status::stalled;
  return solution;
}

const Solution& ContactSolver::solve(const GlobalProblem& problem, const SolverOptions& options,
                                     const Eigen::VectorXd* guess) {
  solve_global(problem, options, guess, workspace_->bodies, *this, workspace_->solution);
  return workspace_->solution;
}

Solution solve(const ContactProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  if (problem.bilateral) {
    const Progress told = [&](double) {  // an iteration of no number, with infinite errors
      return !options.progress || options.progress({.relative = infinity, .scaled = infinity});
    };
    return solve(Condensed(problem, told).local(), options, guess);
  }
  ContactSolver solver;
  Solution solution = solver.solve(problem, options, guess);
  look_beside(problem, options.model, solution);
  return solution;
}

Solution solve(const AnyProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  return std::visit([&](const auto& p) { return solve(p, options, guess); }, problem);
}

}  // namespace stiction
