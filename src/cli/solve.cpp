// SPDX-License-Identifier: Apache-2.0
//
// `solve` and `check`: contact problems, their solutions and the proof.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/solution_file.h"
#include "stiction/file.h"
#include "stiction/problem_io.h"
#include "stiction/separation.h"
#include "stiction/solver.h"

namespace stiction::cli {

namespace {

Json separation_json(const Separation& separation, int dimension) {
  return {{"direction", rows(separation.direction, dimension)},
          {"proves", separation.proves == Separation::Proves::no_solution
                         ? "no_solution"
                         : "existence_not_guaranteed"}};
}

Model parse_model(const std::string& text, const char* name = "--model") {
  if (text == "coulomb") return Model::coulomb;
  if (text == "convex") return Model::convex;
  throw InvalidInput(std::string(name) + " is '" + text + "', expected coulomb or convex");
}

Method parse_method(const std::string& text) {
  for (const Method method : {Method::automatic, Method::gauss_seidel, Method::newton,
                              Method::lemke, Method::active_set, Method::matrix_free})
    if (text == to_text(method)) return method;
  throw InvalidInput("--method is '" + text +
                     "', expected auto, gauss_seidel, newton, lemke, active_set or matrix_free");
}

void show(const Certificate& c) {
  row("relative", shown(c.relative), "natural map over ‖q‖, FCLib's error");
  row("scaled", shown(c.scaled), "the same, independent of units");
  row("cone violation", shown(c.cone_violation), "N s");
  row("penetration", shown(c.penetration), "m/s");
  row("complementarity", shown(c.complementarity), "J");
  row("slip alignment", shown(c.slip_alignment), "J");
  row("dissipation", shown(c.dissipation), "J");
}

double parse_tolerance(const std::string& text) {
  const double tolerance = parse_number(text, "--tol");
  if (!(tolerance > 0)) throw InvalidInput("--tol is " + text + ", expected a number > 0");
  return tolerance;
}

struct SolveArguments {
  std::string problem, kind, law, model = "coulomb", method = "auto", tolerance = "1e-8",
                                  max_seconds = "60", guess, out;
  std::string repeat = "1", threads = "0";
  bool verbose = false;
};

void print_line(const Iteration& line) {
  note("  {:>14} {:>8} {:>12.3e} {:>12.3e} {:>10.1e} {:>10.4f}\n", to_text(line.method),
       line.iteration, line.relative, line.scaled, line.regularisation, line.seconds);
}

void run_solve(const Shared& shared, const SolveArguments& arguments) {
  SolverOptions options;
  options.tolerance = parse_tolerance(arguments.tolerance);
  options.model = parse_model(arguments.model);
  options.method = parse_method(arguments.method);
  options.max_seconds = parse_number(arguments.max_seconds, "--max-seconds");
  const double repeat = parse_number(arguments.repeat, "--repeat");
  if (!(repeat >= 1 && repeat <= 1e9) || repeat != std::floor(repeat))
    throw InvalidInput("--repeat is " + arguments.repeat + ", expected a whole number ≥ 1");
  const double threads = parse_number(arguments.threads, "--threads");
  if (!(threads >= 0 && threads <= 1e6) || threads != std::floor(threads))
    throw InvalidInput("--threads is " + arguments.threads + ", expected a whole number ≥ 0");
  options.threads = static_cast<int>(threads);
  if (!(options.max_seconds > 0))
    throw InvalidInput("--max-seconds is " + arguments.max_seconds + ", expected a number > 0");

  // What stands beside the problem is kept where the same format is written.
  const bool fclib_out = is_fclib(arguments.out);
  ProblemFile file;
  if (fclib_out)
    file = read_problem_file(arguments.problem, parse_kind(arguments.kind));
  else
    file.problem = read_problem(arguments.problem, parse_kind(arguments.kind));
  if (!arguments.law.empty()) replace_laws(file.problem, arguments.law);
  if (fclib_out) require_fclib_can_hold(arguments.out, file.problem, options.model);
  const Prepared prepared(std::move(file.problem), arguments.problem);
  const auto* global = std::get_if<GlobalProblem>(&prepared.problem);
  const bool condense =
      global == nullptr || !(options.method == Method::matrix_free ||
                             (options.method == Method::automatic && matrix_free_pays(*global)));
  const int d = std::visit([](const auto& p) { return p.dimension; }, prepared.problem);
  const int contacts = std::visit([](const auto& p) { return p.contacts(); }, prepared.problem);
  if (condense) prepared.condensed();
  std::optional<Eigen::VectorXd> guess;
  if (!arguments.guess.empty()) guess = read_guess(arguments.guess, d, contacts);
  if (arguments.verbose) {
    note("  {:>14} {:>8} {:>12} {:>12} {:>10} {:>10}\n", "method", "iter", "relative", "scaled",
         "alpha", "seconds");
    options.progress = [](const Iteration& line) {
      print_line(line);
      return true;
    };
  }
  ProgressBar bar;
  if (!arguments.verbose && ProgressBar::seen())  // or else it costs tiny problems a tenth
    options.progress = [&](const Iteration& line) { return bar(line, options.tolerance); };
  ContactSolver solver;
  const Eigen::VectorXd* start = guess ? &*guess : nullptr;
  Solution solution;
  const auto solve_once = [&] {
    try {
      if (condense)
        solution = solver.solve(prepared.condensed().local(), options, start);
      else
        solution = solve(*global, options, start);
      return solution.seconds;
    } catch (const InvalidInput& error) {
      throw InvalidInput(arguments.problem + ": " + error.what());
    }
  };
  double seconds = infinity;
  for (double k = 0; k < repeat; ++k) seconds = std::min(seconds, solve_once());
  bar.clear();
  if (condense && global != nullptr)
    solution.generalized_velocities =
        prepared.condensed().generalized_velocities(solution.reactions);

  // Where a solution need not exist: looked for in small problems, and in larger ones that stalled.
  std::optional<Separation> separation;
  const int small = solution.status == Status::solved ? 12 : 40;
  if (contacts <= small) separation = find_separation(prepared.condensed().local(), options.model);
  std::string status = to_text(solution.status);
  if (solution.status != Status::solved && separation &&
      separation->proves == Separation::Proves::no_solution)
    status = "no_solution";

  Json object;
  object["status"] = status;
  object["method"] = to_text(solution.method);
  object["iterations"] = solution.iterations;
  object["seconds"] = number(seconds);
  if (global != nullptr) object["seconds_condense"] = number(condense ? prepared.seconds() : 0);
  object["contacts"] = contacts;
  object["reactions"] = rows(solution.reactions, d);
  object["velocities"] = rows(solution.velocities, d);
  if (global != nullptr) {
    object["generalized_velocities"] = Json::array();
    for (const double v : solution.generalized_velocities)
      object["generalized_velocities"].push_back(number(v));
  }
  object["certificate"] = to_json(solution.certificate);
  object["separation"] = separation ? separation_json(*separation, d) : Json(nullptr);

  if (fclib_out) {
    write_fclib_solution(arguments.out, std::move(file), prepared, solution);
  } else if (!arguments.out.empty()) {
    Json written{{"format", "stiction/1"}};
    written["law"] = Json::array();
    for (const Law& law : std::visit([](const auto& p) { return p.laws; }, prepared.problem))
      written["law"].push_back(io::to_json(law));
    written["model"] = arguments.model;
    written["kind"] = kind_name(prepared.problem);
    for (const auto& [key, value] : object.items()) written[key] = value;
    write_file(arguments.out, written.dump() + "\n");
  }
  shared.exit_status = solution.status == Status::solved ? 0 : 1;
  shared.answer(object, [&] {
    heading(fmt::format("{}: {}, {}", arguments.problem, counted(contacts, "contact"), status));
    row("method",
        fmt::format("{}, {}", to_text(solution.method), counted(solution.iterations, "iteration")));
    row("time", fmt::format("{:.3g} ms", 1e3 * seconds));
    show(solution.certificate);
    if (separation)
      row("existence", separation->proves == Separation::Proves::no_solution
                           ? "there is no solution: a direction separates"
                           : "not guaranteed: a direction separates");
    if (contacts <= 20) {
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
    if (!arguments.out.empty()) fmt::print("\n  written to {}\n", arguments.out);
  });
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
    return top.has("model") ? parse_model(top.at("model").text(), "model") : Model::coulomb;
  });
  AnyProblem problem =
      read_problem(arguments.problem, in_solution([&] { return parse_kind(kind, "kind"); }));
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
    const std::string proves = field.at("proves").text();
    if (proves != "no_solution" && proves != "existence_not_guaranteed")
      throw field.at("proves").error("no_solution or existence_not_guaranteed");
    claimed = Separation{read_rows(field.at("direction"), local.dimension, local.contacts()),
                         proves == "no_solution" ? Separation::Proves::no_solution
                                                 : Separation::Proves::existence_not_guaranteed};
  });
  const bool separates = claimed && verify_separation(local, *claimed, model);
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
    show(certificate);
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
  command->add_option("--model", a->model, "coulomb or convex")->capture_default_str();
  command
      ->add_option("--method", a->method,
                   "auto, gauss_seidel, newton, lemke, active_set or matrix_free")
      ->capture_default_str();
  command->add_option("--tol", a->tolerance, "On both errors of the certificate")
      ->capture_default_str();
  command->add_option("--max-seconds", a->max_seconds, "Wall clock")->capture_default_str();
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
