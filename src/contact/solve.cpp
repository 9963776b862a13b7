// SPDX-License-Identifier: Apache-2.0
//
// Which method, when; and the last word, which is the certificate's.
#include "contact/scaled.h"
#include "contact/validate.h"
#include "contact/workspace.h"
#include "stiction/enumerate.h"
#include "stiction/solver.h"

namespace stiction {

struct ContactSolver::Workspace {
  stiction::Workspace<2> plane;
  stiction::Workspace<3> space;
  Solution solution;
};

ContactSolver::ContactSolver() : workspace_(std::make_unique<Workspace>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

namespace {

constexpr int restarts = 30;
constexpr int lemke_first_tries = 5;
constexpr int lemke_small = 2000;  // rows; some 250 contacts on pyramids, half a second a try
constexpr int most_listed = 3;     // contacts; some thousand combinations of modes
constexpr int lemke_large = 5000;  // rows; up to here one try, of some ten seconds

template <int D>
void try_lemke(Workspace<D>& work, int first, int last, Solution& solution) {
  const int rows = lemke_rows(work);
  if (rows == 0 || rows > lemke_large) return;
  lemke(work, first, rows <= lemke_small ? last : first + 1);
  if (work.solved()) solution.method = Method::lemke;
}

// The list of every solution needs no good start, but for more contacts it is long; where it can be
// had without solving from many starts.
template <int D>
void try_every_solution(Workspace<D>& work, const ContactProblem& problem) {
  const int n = work.contacts();
  if (n > most_listed || work.options->model != Model::coulomb) return;
  for (int i = 0; i < n && D == 3; ++i) {
    const LimitCurve curve = limit_curve(problem.laws[static_cast<std::size_t>(i)]);
    if (!curve.is_polygonal() && !(n == 1 && curve.shape() == LimitCurve::Shape::ellipse)) return;
  }
  const double left = work.options->max_seconds - work.seconds();
  for (const EnumeratedSolution& one : enumerate(problem, left).solutions) {
    work.r = one.reactions;
    if (work.check(Method::newton)) return;
  }
}

template <int D>
void run(Workspace<D>& work, const ContactProblem& given, const SolverOptions& options,
         const Eigen::VectorXd* guess, Solution& solution) {
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
        break;
      case Method::automatic:
        gauss_seidel(work, true, 100000);
        if (!work.over()) {
          solution.method = Method::newton;
          proximal_newton(work);
        }
        // Polygons have a method that knows no traps, if only rays: a few tries now, more at the
        // end.
        if (!work.over()) try_lemke(work, 0, lemke_first_tries, solution);
        // Contacts that wedge have many solutions and many traps between them.
        for (int attempt = 1; attempt <= restarts && !work.over(); ++attempt) {
          work.restart(attempt);
          gauss_seidel(work, false, 20);
          if (!work.over()) proximal_newton(work);
        }
        if (!work.over()) try_lemke(work, lemke_first_tries, covering_vectors, solution);
        if (!work.over()) try_every_solution(work, problem);
        break;
    }
  }
  solution.iterations = work.iterations;
  solution.reactions = work.best;
  solution.velocities.resize(work.best.size());
  for (int i = 0; i < work.contacts(); ++i)
    solution.velocities.segment<D>(D * i) =
        velocity_at<D>(problem.W, problem.q.data(), work.best.data(), i);
  solution.certificate = certificate_from<D>(work.laws, work.norms, solution.reactions,
                                             solution.velocities, options.model);
  if (may_reorder) {
    work.reordered.back(solution.reactions);
    work.reordered.back(solution.velocities);
  }
  const bool solved = work.solved() && solution.certificate.within(options.tolerance);
  solution.status = solved             ? Status::solved
                    : work.out_of_time ? Status::time_limit
                    : work.stopped     ? Status::stopped
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
  if (options.method == Method::matrix_free)
    throw InvalidInput("the method is matrix_free, expected a problem in global form for it");
  const bool usual = validate_numbers(problem);
  if (guess != nullptr) require_vector(*guess, problem.q.size(), "guess");
  if (options.method == Method::lemke) require_polygons(problem);
  if (options.method == Method::active_set) require_boxes(problem, options.model);
  const auto run_on = [&](const ContactProblem& one, const Eigen::VectorXd* start) {
    if (one.dimension == 2)
      run(workspace_->plane, one, options, start, solution);
    else
      run(workspace_->space, one, options, start, solution);
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

Solution solve(const ContactProblem& problem, const SolverOptions& options,
               const Eigen::VectorXd* guess) {
  ContactSolver solver;
  return solver.solve(problem, options, guess);
}

std::string to_text(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::stalled:
      return "stalled";
    case Status::time_limit:
      return "time_limit";
    case Status::stopped:
      return "stopped";
  }
  return "";
}

std::string to_text(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::gauss_seidel:
      return "gauss_seidel";
    case Method::newton:
      return "newton";
    case Method::lemke:
      return "lemke";
    case Method::active_set:
      return "active_set";
    case Method::matrix_free:
      return "matrix_free";
  }
  return "";
}

}  // namespace stiction
