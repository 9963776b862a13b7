// SPDX-License-Identifier: Apache-2.0
//
// Carries out what strategy.cpp plans; the last word is the certificate's.
#include <algorithm>
#include <iterator>

#include "contact/methods/methods.h"
#include "contact/problem/units.h"
#include "contact/problem/validate.h"
#include "contact/solver_workspace.h"

namespace stiction {

ContactSolver::ContactSolver() : workspace_(std::make_unique<Workspace>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

namespace {

// Carries out a plan, stage by stage.
template <int D>
class Run {
 public:
  // `given` as the caller has it, `problem` as it is solved: in other units, in another order.
  Run(Workspace<D>& work, const ContactProblem& given, const ContactProblem& problem,
      Solution& solution)
      : work_(work), given_(given), problem_(problem), solution_(solution) {}

  void carry_out(const Stage& stage);

 private:
  // Whether there is a solution at all, asked when a short search has failed and when a long one
  // has.
  void ask(bool late);
  void run_alone(Method method);
  void pivot(int first, int last);
  void start_elsewhere();

  Workspace<D>& work_;
  const ContactProblem &given_, &problem_;
  Solution& solution_;
};

template <int D>
void Run<D>::carry_out(const Stage& stage) {
  switch (stage.act) {
    case Act::sweep:
      return gauss_seidel(work_, true, strategy.sweeps.most);
    case Act::newton_early:
      solution_.method = Method::newton;
      return proximal_newton(work_, {0, 1, strategy.restart.early_patience});
    case Act::ask_early:
      return ask(false);
    case Act::newton:
      solution_.method = Method::newton;
      return proximal_newton(work_);
    case Act::lemke_early:
      return pivot(0, strategy.lemke.first_tries);
    case Act::elsewhere:
      return start_elsewhere();
    case Act::lemke:
      return pivot(strategy.lemke.first_tries, strategy.lemke.tries);
    case Act::ask_late:
      return ask(true);
    case Act::alone:
      return run_alone(stage.method == Method::automatic ? work_.options->method : stage.method);
  }
}

template <int D>
void Run<D>::run_alone(Method method) {
  solution_.method = method;
  if (method != Method::gauss_seidel) work_.check(method);  // sweeps are checked soon
  if (!work_.over()) row_of(method).template alone<D>()(work_);
}

template <int D>
void Run<D>::ask(bool late) {
  const double left = work_.options->max_seconds - work_.seconds();
  if (!(left > 0)) return;
  const TryReactions try_reactions = [&](const Eigen::VectorXd& r) {
    if (work_.options->method != Method::automatic) return false;  // what was asked for did not
    work_.r = r;
    return work_.check(Method::newton);
  };
  (late ? ask_late : ask_early)(given_, problem_, work_.options->model, left, try_reactions,
                                work_.existence);
}

template <int D>
void Run<D>::pivot(int first, int last) {
  const int rows = lemke_rows(work_);
  if (rows == 0 || rows > strategy.lemke.rows_of_one_try) return;
  lemke(work_, first, rows <= strategy.lemke.rows_of_all_tries ? last : first + 1);
  if (work_.solved()) solution_.method = Method::lemke;
}

// Contacts that wedge have many solutions and many traps between them: short tries from here and
// there solve what no long one does.
template <int D>
void Run<D>::start_elsewhere() {
  const RestartStrategy& at = strategy.restart;
  const bool exact = work_.options->model == Model::coulomb;
  for (const Variants& variants : {Variants{}, Variants{1, 2, at.shift_patience}}) {
    work_.restart(0);
    if (!work_.check(Method::newton) && exact) proximal_newton(work_, variants);
    if (work_.over()) return;
  }
  const int throws =
      std::clamp(at.throws_times_contacts / work_.contacts(), at.least_throws, at.most_throws);
  for (int attempt = 1; attempt <= throws && !work_.over(); ++attempt) {
    work_.restart(attempt);
    if (attempt % at.sweeps_every == 0)
      gauss_seidel(work_, false, strategy.sweeps.elsewhere);
    else
      work_.check(Method::newton);
    const int variant =
        exact ? at.variants[static_cast<std::size_t>(attempt) % std::size(at.variants)] : 2;
    if (!work_.over()) proximal_newton(work_, {variant, variant + 1, at.throw_patience});
  }
}

Status status_of(bool solved, bool none, bool out_of_time, bool stopped) {
  return solved        ? Status::solved
         : none        ? Status::no_solution
         : out_of_time ? Status::time_limit
         : stopped     ? Status::stopped
                       : Status::stalled;
}

template <int D>
void name_modes(const Workspace<D>& work, Solution& solution) {
  find_modes<D>(work.laws, work.norms, solution.reactions, solution.velocities,
                work.options->tolerance, solution.modes);
}

template <int D>
void run(Workspace<D>& work, const ContactProblem& original, const ContactProblem& given,
         const SolverOptions& options, const Eigen::VectorXd* guess, Solution& solution) {
  work.begin = std::chrono::steady_clock::now();
  const Plan todo = plan(given, options.method);
  const ContactProblem& problem = todo.reordered ? work.reordered.set(given) : given;
  if (todo.reordered && guess != nullptr) guess = &work.reordered.there(*guess);
  solution.history.clear();
  work.history = options.keep_history ? &solution.history : nullptr;
  work.start(problem, options, guess);
  solution.method = Method::gauss_seidel;
  // r = 0, or the guess, may be the answer already.
  if (!(guess != nullptr && work.check(options.method))) {
    Run<D> one(work, original, problem, solution);
    for (const Stage& stage : todo.stages) {
      one.carry_out(stage);
      if (work.over()) break;
    }
  }
  solution.iterations = work.iterations;
  solution.reactions = work.best;
  solution.certificate = certificate_at<D>(problem.W, problem.q, work.laws, work.norms,
                                           solution.reactions, options.model, solution.velocities);
  name_modes(work, solution);
  if (todo.reordered) {
    work.reordered.back(solution.modes);
    work.reordered.back(solution.reactions);
    work.reordered.back(solution.velocities);
  }
  const bool solved = work.solved() && solution.certificate.within(options.tolerance);
  solution.separation = work.existence.separation;
  if (solved && solution.separation)
    solution.separation->proves = Separation::Proves::existence_not_guaranteed;
  solution.status = status_of(solved, work.existence.none, work.out_of_time, work.stopped);
  solution.seconds = work.seconds();
}

}  // namespace

const Solution& ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                     const Eigen::VectorXd* guess) {
  Solution& solution = workspace_->solution;
  if (problem.dimension == 5)
    return solution = stiction::solve(written_out(problem), options, guess);
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) +
                       ", expected 2, 3 or 5");
  if (problem.bilateral)
    throw InvalidInput("the problem has bilateral rows, expected them to be condensed");
  if (options.method == Method::matrix_free || options.method == Method::bodies)
    throw InvalidInput("the method is " + to_text(options.method) +
                       ", expected a problem in global form for it");
  const bool fits = validate_numbers(problem);
  if (guess != nullptr) require_vector(*guess, problem.q.size(), "guess");
  if (const auto require = row_of(options.method).require) require(problem, options.model);
  const auto run_on = [&](const ContactProblem& one, const Eigen::VectorXd* start) {
    if (one.dimension == 2)
      run(workspace_->plane, problem, one, options, start, solution);
    else
      run(workspace_->space, problem, one, options, start, solution);
  };
  const Scaling scaling = fits ? Scaling() : Scaling(problem);
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

}  // namespace stiction
