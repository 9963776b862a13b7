// SPDX-License-Identifier: Apache-2.0
//
// solve, watched by Python.
#include "contact.h"
#include "watch.h"

namespace stiction::python {

namespace {

struct Options {
  double tolerance;
  const std::string& model;
  const std::string& method;
  double max_seconds;
  int max_iterations, threads;
  bool history;
  nb::object progress;
  std::optional<ArrayLike> guess;
};

SolverOptions parse(const Options& o) {
  SolverOptions options;
  options.tolerance = o.tolerance;
  if (!(o.tolerance > 0 && o.tolerance < infinity))
    refuse("tolerance", text(o.tolerance), "a number > 0");
  options.model = parse_friction_model(o.model);
  options.method = parse_method(o.method);
  options.max_seconds = o.max_seconds;
  if (!(o.max_seconds > 0)) refuse("max_seconds", text(o.max_seconds), "a number > 0");
  options.max_iterations = o.max_iterations;
  if (o.max_iterations < 0)
    refuse("max_iterations", std::to_string(o.max_iterations), "zero or more");
  options.threads = o.threads;
  if (o.threads < 0 || o.threads > 1000000)
    refuse("threads", std::to_string(o.threads), "zero or more");
  options.keep_history = o.history;
  return options;
}

// One solve at a time: a second one, from another thread or from a progress callable, is refused.
struct PythonSolver {
  ContactSolver solver;
  std::atomic_flag busy;
};

class Busy {
 public:
  explicit Busy(std::atomic_flag& flag) : flag_(flag) {
    if (flag_.test_and_set()) throw std::runtime_error("the solver is busy with another problem");
  }
  ~Busy() { flag_.clear(); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic_flag& flag_;
};

template <class Problem, class Run>
PythonSolution watched_solve(const Problem& problem, const Options& o, const Run& run) {
  SolverOptions options = parse(o);
  std::optional<Eigen::VectorXd> guess;
  if (o.guess) guess = reactions_of(*o.guess, "guess", problem.contacts(), problem.dimension);
  const Eigen::VectorXd* start = guess ? &*guess : nullptr;
  PythonSolution solution;
  solution.dimension = problem.dimension;
  std::optional<Watch> watch;
  if (!o.progress.is(nb::bool_(false)) || problem.contacts() > 8) {
    watch.emplace(o.progress, "Bar", nb::float_(o.tolerance));
    options.progress = [&](const Iteration& line) { return watch->step(line); };
  }
  try {
    const nb::gil_scoped_release release;
    static_cast<Solution&>(solution) = run(options, start);
  } catch (const Stopped&) {
    if (watch) watch->finish(nb::none());
    throw;
  }
  if (watch) watch->finish(solution);
  return solution;
}

template <class Problem>
PythonSolution solve_any(const Problem& problem, const Options& o) {
  return watched_solve(problem, o, [&](const SolverOptions& options, const Eigen::VectorXd* start) {
    return stiction::solve(problem, options, start);
  });
}

void bind_solution(nb::module_& m) {
  nb::class_<Iteration>(m, "Iteration", R"(One line of the solver's history.

>>> history = st.solve(np.eye(3), [-1.0, 2.0, 0.0], 0.5, history=True).history
>>> all(line.seconds >= 0 for line in history)
True
)")
      .def_prop_ro(
          "method", [](const Iteration& i) { return to_text(i.method); }, "That made it.")
      .def_ro("iteration", &Iteration::iteration, "How many there were.")
      .def_ro("relative", &Iteration::relative, "Error over ‖q‖.")
      .def_ro("scaled", &Iteration::scaled, "Error independent of units.")
      .def_ro("seconds", &Iteration::seconds, "Since the start.")
      .def("__repr__", [](const Iteration& i) {
        return "Iteration(" + to_text(i.method) + ", " + std::to_string(i.iteration) +
               ", relative=" + text(i.relative) + ")";
      });
  nb::class_<PythonSolution>(
      m, "Solution", R"(Reactions and velocities of a contact problem, with their certificate.

>>> sol = st.solve(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> sol.status, sol.reactions + 0.0, sol.velocities
('solved', array([[ 1. , -0.5,  0. ]]), array([[0. , 1.5, 0. ]]))
)")
      .def_prop_ro(
          "status", [](const PythonSolution& s) { return to_text(s.status); },
          "'solved', 'no_solution', 'stalled', 'time_limit' or 'stopped'.")
      .def_prop_ro(
          "method", [](const PythonSolution& s) { return to_text(s.method); }, "That found it.")
      .def_ro("iterations", &PythonSolution::iterations, "Sweeps and Newton steps together.")
      .def_ro("seconds", &PythonSolution::seconds, "Wall clock.")
      .def_prop_ro(
          "reactions",
          [](const PythonSolution& s) { return view(s.reactions, s.dimension, nb::find(s)); },
          "A row n, t1, t2 a contact [N s]; in 2-D n, t.  Not a copy, and read-only.")
      .def_prop_ro(
          "velocities",
          [](const PythonSolution& s) { return view(s.velocities, s.dimension, nb::find(s)); },
          "A row a contact [m/s].  Not a copy, and read-only.")
      .def_prop_ro(
          "generalized_velocities",
          [](const PythonSolution& s) { return array(s.generalized_velocities); },
          "v of a problem in global form; else empty.")
      .def_prop_ro(
          "certificate",
          [](const PythonSolution& s) -> const Certificate& { return s.certificate; },
          nb::rv_policy::reference_internal, "Recomputed from the problem and the reactions.")
      .def_prop_ro(
          "modes",
          [](const PythonSolution& s) {
            std::vector<std::string> names;
            for (const Mode mode : s.modes) names.push_back(to_text(mode));
            return names;
          },
          "Of each contact 'open', 'stick' or 'slip'; 'undecided' where the tolerance cannot tell.")
      .def_ro("separation", &PythonSolution::separation,
              "Why there may be no solution, where one was found; else None.")
      .def_prop_ro(
          "history", [](const PythonSolution& s) { return s.history; },
          "With history=True: the errors on the way.")
      .def("__repr__", [](const PythonSolution& s) {
        return "Solution(" + to_text(s.status) +
               ", contacts=" + std::to_string(s.reactions.size() / s.dimension) +
               ", relative=" + text(s.certificate.relative) + ")";
      });
}

}  // namespace

#define STICTION_SOLVER_PARAMETERS                                                           \
  double tolerance, const std::string &model, const std::string &method, double max_seconds, \
      int max_iterations, int threads, bool history, nb::object progress,                    \
      std::optional<ArrayLike> guess
#define STICTION_SOLVER_OPTIONS                                                              \
  Options {                                                                                  \
    tolerance, model, method, max_seconds, max_iterations, threads, history, progress, guess \
  }
#define STICTION_SOLVER_DEFAULTS                                                            \
  "tolerance"_a = 1e-8, "model"_a = "coulomb", "method"_a = "auto", "max_seconds"_a = 60.0, \
  "max_iterations"_a = 0, "threads"_a = 0, "history"_a = false, "progress"_a = false,       \
  "guess"_a = nb::none()

void bind_solver(nb::module_& m) {
  bind_solution(m);
  m.def(
      "solve",
      [](const MatrixLike& W, const ArrayLike& q, const LawsLike& law, int dimension,
         STICTION_SOLVER_PARAMETERS) {
        return solve_any(local_problem(W, q, law, dimension), STICTION_SOLVER_OPTIONS);
      },
      "W"_a, "q"_a, "law"_a, nb::kw_only(), "dimension"_a = 3, STICTION_SOLVER_DEFAULTS,
      R"(Solves u = W r + q under exact Coulomb friction and proves the answer.

W is dense or scipy.sparse; `law` a number, an array of coefficients, a law or a list of laws.  With
progress=True a bar is shown; a callable is given every Iteration and stops the solver by returning
False.  Ctrl-C raises Interrupted, whose `solution` is what was reached.  `guess` is where it starts:
reactions, a row n, t1, t2 (in 2-D n, t) for each contact of the problem, in its order.

>>> sol = st.solve(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> sol.status, sol.reactions[0, :2]
('solved', array([ 1. , -0.5]))
>>> sol.certificate.within(1e-12)
True
)");
  m.def(
      "solve",
      [](const ContactProblem& problem, STICTION_SOLVER_PARAMETERS) {
        return solve_any(problem, STICTION_SOLVER_OPTIONS);
      },
      "problem"_a, nb::kw_only(), STICTION_SOLVER_DEFAULTS, "A problem already made or read.");
  m.def(
      "solve",
      [](const GlobalProblem& problem, STICTION_SOLVER_PARAMETERS) {
        return solve_any(problem, STICTION_SOLVER_OPTIONS);
      },
      "problem"_a, nb::kw_only(), STICTION_SOLVER_DEFAULTS, "A problem in global form.");

  nb::class_<PythonSolver>(m, "ContactSolver",
                           R"(Keeps its workspace for a sequence of related problems.

>>> solver = st.ContactSolver()
>>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> solver.solve(p).status
'solved'
)")
      .def(nb::init<>())
      .def(
          "solve",
          [](PythonSolver& self, const ContactProblem& problem, STICTION_SOLVER_PARAMETERS) {
            const Busy busy(self.busy);
            return watched_solve(problem, STICTION_SOLVER_OPTIONS,
                                 [&](const SolverOptions& options, const Eigen::VectorXd* start) {
                                   return self.solver.solve(problem, options, start);
                                 });
          },
          "problem"_a, nb::kw_only(), STICTION_SOLVER_DEFAULTS, R"(As the function solve.

>>> solver = st.ContactSolver()
>>> falls = [st.ContactProblem(np.eye(3), [-n, 2.0, 0.0], 0.5) for n in (1.0, 2.0)]
>>> [float(solver.solve(p).reactions[0, 1]) for p in falls]
[-0.5, -1.0]
)")
      .def(
          "solve",
          [](PythonSolver& self, const GlobalProblem& problem, STICTION_SOLVER_PARAMETERS) {
            const Busy busy(self.busy);
            return watched_solve(problem, STICTION_SOLVER_OPTIONS,
                                 [&](const SolverOptions& options, const Eigen::VectorXd* start) {
                                   return self.solver.solve(problem, options, start);
                                 });
          },
          "problem"_a, nb::kw_only(), STICTION_SOLVER_DEFAULTS, "A problem in global form.");
}

}  // namespace stiction::python
