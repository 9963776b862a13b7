// SPDX-License-Identifier: Apache-2.0
//
// `solve` and `check`: contact problems, their solutions and the proof.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/file.h"
#include "base/one_line.h"
#include "cli/constraints.h"
#include "cli/solution_file.h"
#include "stiction/problem_io.h"
#include "stiction/separation.h"
#include "stiction/solver.h"

namespace stiction::cli {

namespace {

Json separation_json(const Separation& separation, int dimension) {
  return {{"direction", rows(separation.direction, dimension)},
          {"proves", to_text(separation.proves)}};
}

double parse_tolerance(const std::string& text) {
  const double tolerance = parse_number(text, "--tol");
  if (!(tolerance > 0)) throw InvalidInput("--tol is " + text + ", expected a number > 0");
  return tolerance;
}

struct SolveArguments {
  std::string problem, kind, law, model = "coulomb", method = "auto", tolerance = "1e-8",
                                  max_seconds = "60", max_iterations = "0", guess, out;
  std::string repeat = "1", threads = "0";
  bool verbose = false;
};

double whole_number(const std::string& text, const char* name, double least, double most) {
  const double value = parse_number(text, name);
  if (!(value >= least && value <= most) || value != std::floor(value))
    throw InvalidInput(std::string(name) + " is " + text + ", expected a whole number ≥ " +
                       (least > 0 ? "1" : "0"));
  return value;
}

SolverOptions options_of(const SolveArguments& arguments) {
  SolverOptions options;
  options.tolerance = parse_tolerance(arguments.tolerance);
  options.model = parse_friction_model(arguments.model, "--model");
  options.method = parse_method(arguments.method, "--method");
  options.max_seconds = parse_number(arguments.max_seconds, "--max-seconds");
  options.threads = static_cast<int>(whole_number(arguments.threads, "--threads", 0, 1e6));
  options.max_iterations =
      static_cast<int>(whole_number(arguments.max_iterations, "--max-iterations", 0, 2e9));
  if (!(options.max_seconds > 0))
    throw InvalidInput("--max-seconds is " + arguments.max_seconds + ", expected a number > 0");
  return options;
}

// A problem, ready to be solved, and its solution.
struct Solved {
  const SolveArguments& arguments;
  ProblemFile file;  // what stands beside the problem, kept where the same format is written
  const Prepared& prepared;
  Solution solution;
  double seconds = infinity;  // the best time
  bool condensed = true;

  bool global() const { return std::holds_alternative<GlobalProblem>(prepared.problem); }
  int dimension() const {
    return std::visit([](const auto& p) { return p.dimension; }, prepared.problem);
  }
  int contacts() const {
    return std::visit([](const auto& p) { return p.contacts(); }, prepared.problem);
  }
};

void solve_repeatedly(Solved& s, SolverOptions options, double repeat) {
  const auto* global = std::get_if<GlobalProblem>(&s.prepared.problem);
  const bool without_W = options.method == Method::matrix_free ||
                         options.method == Method::bodies ||
                         (options.method == Method::automatic && global != nullptr &&
                          (bodies_pay(*global) || matrix_free_pays(*global)));
  s.condensed = global == nullptr || !without_W;
  if (s.condensed) {
    s.prepared.condensed();
    // Condensing counts.
    if (global != nullptr)
      options.max_seconds = std::max(options.max_seconds - s.prepared.seconds(), 1e-3);
  }
  std::optional<Eigen::VectorXd> guess;
  if (!s.arguments.guess.empty())
    guess = read_guess(s.arguments.guess, s.dimension(), s.contacts());
  if (s.arguments.verbose) {
    show_iteration_heading();
    options.progress = [](const Iteration& line) {
      show_iteration(line);
      return true;
    };
  }
  ProgressBar bar;
  if (!s.arguments.verbose && ProgressBar::seen())  // or else it costs tiny problems a tenth
    options.progress = [&](const Iteration& line) { return bar(line, options.tolerance); };
  ContactSolver solver;
  const Eigen::VectorXd* start = guess ? &*guess : nullptr;
  try {
    for (double k = 0; k < repeat; ++k) {
      if (s.condensed)
        s.solution = solver.solve(s.prepared.condensed().local(), options, start);
      else
        s.solution = solver.solve(*global, options, start);
      s.seconds = std::min(s.seconds, s.solution.seconds);
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(s.arguments.problem + ": " + error.what());
  }
  if (s.condensed && global != nullptr)
    s.solution.generalized_velocities =
        s.prepared.condensed().generalized_velocities(s.solution.reactions);
  if (s.condensed) look_beside(s.prepared.condensed().local(), options.model, s.solution);
}

Json answer_of(const Solved& s) {
  const Solution& solution = s.solution;
  Json object;
  object["status"] = to_text(solution.status);
  object["method"] = to_text(solution.method);
  object["iterations"] = solution.iterations;
  object["seconds"] = number(s.seconds);
  if (s.global()) object["seconds_condense"] = number(s.condensed ? s.prepared.seconds() : 0);
  object["contacts"] = s.contacts();
  object["reactions"] = rows(solution.reactions, s.dimension());
  object["velocities"] = rows(solution.velocities, s.dimension());
  if (s.global()) {
    object["generalized_velocities"] = Json::array();
    for (const double v : solution.generalized_velocities)
      object["generalized_velocities"].push_back(number(v));
  }
  object["modes"] = to_json(solution.modes);
  object["certificate"] = to_json(solution.certificate);
  object["separation"] =
      solution.separation ? separation_json(*solution.separation, s.dimension()) : Json(nullptr);
  return object;
}

void write_solution(Solved& s, const Json& object) {
  if (is_fclib(s.arguments.out)) {
    write_fclib_solution(s.arguments.out, std::move(s.file), s.prepared, s.solution);
  } else if (!s.arguments.out.empty()) {
    Json written{{"format", "stiction/1"}};
    written["law"] = Json::array();
    for (const Law& law : std::visit([](const auto& p) { return p.laws; }, s.prepared.problem))
      written["law"].push_back(io::to_json(law));
    written["model"] = s.arguments.model;
    written["kind"] = kind_name(s.prepared.problem);
    for (const auto& [key, value] : object.items()) written[key] = value;
    write_file(s.arguments.out, text_of(written) + "\n");
  }
}

void show_contacts(const Solution& solution, int contacts, int d) {
  fmt::print("\n  {:>7} {:>36}   {:>36}\n", "contact",
             d == 3 ? "reaction n, t1, t2 [N s]" : "reaction n, t [N s]",
             d == 3 ? "velocity n, t1, t2 [m/s]" : "velocity n, t [m/s]");
  for (int i = 0; i < contacts; ++i) {
    std::string line = fmt::format("  {:>7} ", i);
    for (const Eigen::VectorXd* vector : {&solution.reactions, &solution.velocities}) {
      for (int c = 0; c < d; ++c) line += fmt::format("{:>12.5g}", (*vector)[d * i + c] + 0.0);
      line += "   ";
    }
    fmt::print("{}\n", line);
  }
}

void show(const Solved& s) {
  const Solution& solution = s.solution;
  heading(fmt::format("{}: {}, {}", s.arguments.problem, counted(s.contacts(), "contact"),
                      to_text(solution.status)));
  row("method",
      fmt::format("{}, {}", to_text(solution.method), counted(solution.iterations, "iteration")));
  row("time", fmt::format("{:.3g} ms", 1e3 * s.seconds));
  cli::show(solution.certificate);
  if (solution.status == Status::no_solution)
    row("existence", solution.separation ? "there is no solution: a direction separates"
                                         : "there is no solution: all modes were tried");
  else if (solution.separation)
    row("existence", "not guaranteed: a direction separates");
  if (s.contacts() <= 20) show_contacts(solution, s.contacts(), s.dimension());
  if (!s.arguments.out.empty()) fmt::print("\n  written to {}\n", one_line(s.arguments.out));
}

void run_solve(const Shared& shared, const SolveArguments& arguments) {
  const SolverOptions options = options_of(arguments);
  const double repeat = whole_number(arguments.repeat, "--repeat", 1, 1e9);
  const bool fclib_out = is_fclib(arguments.out);
  ProblemFile file;
  if (fclib_out) {
    file = read_problem_file(arguments.problem, parse_kind(arguments.kind));
  } else {
    AnyContent content = read_content(arguments.problem, parse_kind(arguments.kind));
    if (auto constraints = constraints_in(content)) {
      if (!arguments.law.empty())
        throw InvalidInput("--law is given, expected none with a list of constraints");
      solve_constraints(shared, *constraints,
                        {arguments.problem, arguments.guess, arguments.out, arguments.model,
                         arguments.verbose, options, repeat});
      return;
    }
    file.problem = contacts_in(std::move(content));
  }
  if (!arguments.law.empty()) replace_laws(file.problem, arguments.law);
  if (fclib_out) require_fclib_can_hold(arguments.out, file.problem, options.model);
  const Prepared prepared(std::move(file.problem), arguments.problem);
  Solved solved{arguments, std::move(file), prepared, {}};
  solve_repeatedly(solved, options, repeat);
  const Json object = answer_of(solved);
  write_solution(solved, object);
  shared.exit_status = solved.solution.status == Status::solved ? 0 : 1;
  shared.answer(object, [&] { show(solved); });
}

struct CheckArguments {
  std::string problem, solution, tolerance = "1e-8";
};

void run_check(const Shared& shared, const CheckArguments& arguments) {
  const double tolerance = parse_tolerance(arguments.tolerance);
  const io::Json json = read_solution(arguments.solution);
  const io::Field top(json, "");
  const auto in_solution = [&](const auto& work) {
    try {
      return work();
    } catch (const InvalidInput& error) {
      throw InvalidInput(arguments.solution + ": " + error.what());
    }
  };
  const std::string kind =
      in_solution([&] { return top.has("kind") ? top.at("kind").text() : std::string(); });
  const Model model = in_solution([&] {
    return top.has("model") ? parse_friction_model(top.at("model").text(), "model")
                            : Model::coulomb;
  });
  AnyContent content =
      read_content(arguments.problem, in_solution([&] { return parse_kind(kind, "kind"); }));
  if (const auto constraints = constraints_in(content)) {
    check_constraints(shared, *constraints, arguments.solution, top, model, tolerance);
    return;
  }
  AnyProblem problem = contacts_in(std::move(content));
  in_solution([&] {
    if (!top.has("law")) return;
    std::vector<Law>& laws = laws_of(problem);
    const io::Field law = top.at("law");
    if (law.value().is_array() && law.size() != laws.size())
      throw InvalidInput("law has " + std::to_string(law.size()) + " entries, expected " +
                         std::to_string(laws.size()));
    const bool list = law.value().is_array();
    for (std::size_t i = 0; i < laws.size(); ++i)
      laws[i] = io::law_from_json(list ? law.at(i) : law);
  });
  const Prepared prepared(std::move(problem), arguments.problem);
  const ContactProblem& local = prepared.condensed().local();
  const Eigen::VectorXd reactions = in_solution(
      [&] { return read_rows(top.at("reactions"), local.dimension, local.contacts()); });
  const Certificate certificate = certify(local, reactions, model);
  // What the solution file claims of existence is verified; a claim that fails is a failed check.
  std::optional<Separation> claimed;
  in_solution([&] {
    if (!top.has("separation") || top.at("separation").value().is_null()) return;
    const io::Field field = top.at("separation");
    const Separation::Proves proves = parse_proves(field.at("proves").text(), "separation.proves");
    claimed =
        Separation{read_rows(field.at("direction"), local.dimension, local.contacts()), proves};
  });
  const bool separates =
      claimed && verify_separation(local, *claimed, model) &&
      !(claimed->proves == Separation::Proves::no_solution && certificate.within(tolerance));
  const bool none = separates && claimed->proves == Separation::Proves::no_solution;
  const bool ok = certificate.within(tolerance) && (!claimed || separates);
  Json object;
  object["ok"] = ok;
  object["certificate"] = to_json(certificate);
  object["separation"] = nullptr;
  if (claimed) {
    object["separation"] = separation_json(*claimed, local.dimension);
    object["separation"]["verified"] = separates;
  }
  shared.exit_status = ok ? 0 : 1;
  shared.answer(object, [&] {
    heading(fmt::format("{}: {}", arguments.solution,
                        ok     ? "is a solution"
                        : none ? "is not a solution: there is none, as proven"
                               : "is not a solution"));
    cli::show(certificate);
    if (claimed) row("separation", separates ? "verified" : "is not what it claims to be");
  });
}

}  // namespace

void add_solve(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "solve",
      "Solve a contact problem with exact Coulomb friction and prove the answer.\n"
      "PROBLEM is .hdf5 (FCLib), .dat (Siconos) or .json.\n"
      "Example: stiction solve tower.hdf5 --out solution.json");
  auto a = std::make_shared<SolveArguments>();
  command->add_option("PROBLEM", a->problem, "The problem file")->required();
  command->add_option("--kind", a->kind,
                      "local, global or rolling, where a .dat can be read in two ways");
  command->add_option("--law", a->law,
                      "One law for all contacts; * keeps each one's own coefficient: ngon:*,8");
  command->add_option("--model", a->model, model_names())->capture_default_str();
  command->add_option("--method", a->method, method_names())->capture_default_str();
  command->add_option("--tol", a->tolerance, "On both errors of the certificate")
      ->capture_default_str();
  command->add_option("--max-seconds", a->max_seconds, "Wall clock")->capture_default_str();
  command
      ->add_option("--max-iterations", a->max_iterations,
                   "A budget that is the same on every machine; 0: no limit")
      ->capture_default_str();
  command->add_option("--threads", a->threads, "0: all of the machine's; the answer is the same")
      ->capture_default_str();
  command->add_option("--repeat", a->repeat, "Solve so often, report the best time")
      ->capture_default_str();
  command->add_option("--guess", a->guess,
                      "Start from the reactions of this solution file, or FCLib file with guesses");
  command->add_option("--out", a->out,
                      "Write the solution here, as JSON; as .hdf5 with its problem");
  command->add_flag("--verbose", a->verbose, "A line an iteration, on standard error");
  command->callback([a, &shared] { run_solve(shared, *a); });
}

void add_check(CLI::App& app, const Shared& shared) {
  auto* command =
      app.add_subcommand("check",
                         "Recompute every residual of a solution from the problem alone.\n"
                         "Example: stiction check tower.hdf5 solution.json");
  auto a = std::make_shared<CheckArguments>();
  command->add_option("PROBLEM", a->problem, "The problem file")->required();
  command
      ->add_option("SOLUTION", a->solution,
                   "The solution, .json or .hdf5, as written by solve --out")
      ->required();
  command->add_option("--tol", a->tolerance, "On both errors of the certificate")
      ->capture_default_str();
  command->callback([a, &shared] { run_check(shared, *a); });
}

}  // namespace stiction::cli
