// SPDX-License-Identifier: Apache-2.0
#include "cli/constraints.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "base/one_line.h"
#include "stiction/constraint_separation.h"

namespace stiction::cli {

namespace {

const std::vector<Constraint>& list_of(const AnyConstraintProblem& problem) {
  return std::visit([](const auto& p) -> const auto& { return p.constraints; }, problem);
}

Eigen::VectorXd read_rows(const io::Field& field, const std::vector<int>& starts) {
  if (field.size() + 1 != starts.size())
    throw InvalidInput(field.path() + " has " + std::to_string(field.size()) + " rows, expected " +
                       std::to_string(starts.size() - 1) + ", one a constraint");
  Eigen::VectorXd vector(starts.back());
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const io::Field row = field.at(i);
    const int size = starts[i + 1] - starts[i];
    if (row.size() != static_cast<std::size_t>(size))
      throw row.error(std::to_string(size) + " numbers");
    row.numbers(vector.data() + starts[i]);
  }
  return vector;
}

// What names no file yet, of this one.
template <class Work>
auto naming(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    const std::string what = error.what();
    throw InvalidInput(what.rfind(path + ": ", 0) == 0 ? what : path + ": " + what);
  }
}

// The local form, and how long that took.
struct Local {
  explicit Local(const AnyConstraintProblem& given) {
    const auto begin = std::chrono::steady_clock::now();
    if (const auto* global = std::get_if<GlobalConstraintProblem>(&given))
      condensed.emplace(*global, std::ref(bar));
    problem = condensed ? &condensed->local() : &std::get<ConstraintProblem>(given);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    bar.clear();
  }

  ProgressBar bar;
  std::optional<CondensedConstraints> condensed;
  const ConstraintProblem* problem = nullptr;
  double seconds = 0;
};

Json separation_json(const Separation& separation, const std::vector<int>& starts) {
  return {{"direction", rows(separation.direction, starts)},
          {"proves", to_text(separation.proves)}};
}

void show_constraints(const std::vector<Constraint>& list, const Solution& solution) {
  const std::vector<int> starts = row_starts(list);
  fmt::print("\n  {:>10} {:>10} {:>10}   {}\n", "constraint", "kind", "mode",
             "reaction [N s, N m s], then velocity [m/s, rad/s]");
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const Eigen::VectorXd* vector : {&solution.reactions, &solution.velocities}) {
      const bool first = vector == &solution.reactions;
      std::string line =
          fmt::format("  {:>10} {:>10} {:>10}  ", first ? std::to_string(i) : "",
                      first ? to_text(list[i].kind) : "", first ? to_text(solution.modes[i]) : "");
      for (int k = starts[i]; k < starts[i + 1]; ++k)
        line += fmt::format("{:>12.5g}", (*vector)[k] + 0.0);
      fmt::print("{}\n", line);
    }
}

void show(const ConstraintCall& call, const std::vector<Constraint>& list, const Solution& solution,
          double seconds) {
  heading(fmt::format("{}: {}, {}", call.problem,
                      counted(static_cast<long long>(list.size()), "constraint"),
                      to_text(solution.status)));
  row("method",
      fmt::format("{}, {}", to_text(solution.method), counted(solution.iterations, "iteration")));
  row("time", fmt::format("{:.3g} ms", 1e3 * seconds));
  cli::show(solution.certificate);
  const Certificate& c = solution.certificate;
  row("  slip, spin", shown(c.slip_dissipation) + ", " + shown(c.spin_dissipation), "J");
  row("  rolling, joints", shown(c.rolling_dissipation) + ", " + shown(c.joint_dissipation), "J");
  if (solution.status == Status::no_solution)
    row("existence", "there is no solution: a direction separates");
  if (list.size() <= 20) show_constraints(list, solution);
  if (!call.out.empty()) fmt::print("\n  written to {}\n", one_line(call.out));
}

}  // namespace

std::optional<AnyConstraintProblem> constraints_in(const AnyContent& content) {
  if (const auto* local = std::get_if<ConstraintProblem>(&content)) return *local;
  if (const auto* global = std::get_if<GlobalConstraintProblem>(&content)) return *global;
  return std::nullopt;
}

AnyProblem contacts_in(AnyContent content) {
  if (auto* local = std::get_if<ContactProblem>(&content)) return std::move(*local);
  return std::get<GlobalProblem>(std::move(content));
}

void show_iteration_heading() {
  note("  {:>14} {:>8} {:>12} {:>12} {:>10} {:>10}\n", "method", "iter", "relative", "scaled",
       "alpha", "seconds");
}

void show_iteration(const Iteration& line) {
  note("  {:>14} {:>8} {:>12.3e} {:>12.3e} {:>10.1e} {:>10.4f}\n", to_text(line.method),
       line.iteration, line.relative, line.scaled, line.regularisation, line.seconds);
}

void solve_constraints(const Shared& shared, const AnyConstraintProblem& problem,
                       const ConstraintCall& call) {
  const std::vector<Constraint>& list = list_of(problem);
  const std::vector<int> starts = row_starts(list);
  if (is_fclib(call.out))
    throw InvalidInput(call.out + ": FCLib cannot hold a list of constraints, expected .json");
  std::optional<Eigen::VectorXd> guess;
  if (!call.guess.empty())
    guess = naming(call.guess, [&] {
      const io::Json json = io::parse_json(read_file(call.guess));
      return read_rows(io::Field(json, "").at("reactions"), starts);
    });
  const Local local = naming(call.problem, [&] { return Local(problem); });
  SolverOptions options = call.options;
  if (local.condensed) options.max_seconds = std::max(options.max_seconds - local.seconds, 1e-3);
  ProgressBar bar;
  if (call.verbose) {
    show_iteration_heading();
    options.progress = [](const Iteration& line) {
      show_iteration(line);
      return true;
    };
  } else if (ProgressBar::seen()) {
    options.progress = [&](const Iteration& line) { return bar(line, options.tolerance); };
  }
  Solution solution;
  double seconds = infinity;
  for (double k = 0; k < call.repeat; ++k) {
    solution = naming(call.problem,
                      [&] { return solve(*local.problem, options, guess ? &*guess : nullptr); });
    seconds = std::min(seconds, solution.seconds);
  }
  bar.clear();
  Json object;
  object["status"] = to_text(solution.status);
  object["method"] = to_text(solution.method);
  object["iterations"] = solution.iterations;
  object["seconds"] = number(seconds);
  if (local.condensed) object["seconds_condense"] = number(local.seconds);
  object["constraints"] = list.size();
  object["contacts"] = std::count_if(list.begin(), list.end(), [](const Constraint& c) {
    return c.kind == Constraint::Kind::contact;
  });
  object["reactions"] = rows(solution.reactions, starts);
  object["velocities"] = rows(solution.velocities, starts);
  if (local.condensed) {
    object["generalized_velocities"] = Json::array();
    for (const double v : local.condensed->generalized_velocities(solution.reactions))
      object["generalized_velocities"].push_back(number(v));
  }
  object["modes"] = to_json(solution.modes);
  object["certificate"] = to_json(solution.certificate);
  object["separation"] =
      solution.separation ? separation_json(*solution.separation, starts) : Json(nullptr);
  if (!call.out.empty()) {
    Json written{{"format", "stiction/1"}, {"model", call.model}};
    written["kind"] = local.condensed ? "global" : "local";
    for (const auto& [key, value] : object.items()) written[key] = value;
    write_file(call.out, text_of(written) + "\n");
  }
  shared.exit_status = solution.status == Status::solved ? 0 : 1;
  shared.answer(object, [&] { show(call, list, solution, seconds); });
}

void check_constraints(const Shared& shared, const AnyConstraintProblem& problem,
                       const std::string& path, const io::Field& top, Model model,
                       double tolerance) {
  const std::vector<int> starts = row_starts(list_of(problem));
  const Local local(problem);
  const Eigen::VectorXd reactions =
      naming(path, [&] { return read_rows(top.at("reactions"), starts); });
  const Certificate certificate =
      naming(path, [&] { return certify(*local.problem, reactions, model); });
  std::optional<Separation> claimed;
  naming(path, [&] {
    if (!top.has("separation") || top.at("separation").value().is_null()) return 0;
    const io::Field field = top.at("separation");
    claimed = Separation{read_rows(field.at("direction"), starts),
                         parse_proves(field.at("proves").text(), "separation.proves")};
    return 0;
  });
  const bool separates =
      claimed && verify_separation(*local.problem, *claimed) && !certificate.within(tolerance);
  const bool ok = certificate.within(tolerance) && !claimed;
  Json object;
  object["ok"] = ok;
  object["certificate"] = to_json(certificate);
  object["separation"] = nullptr;
  if (claimed) {
    object["separation"] = separation_json(*claimed, starts);
    object["separation"]["verified"] = separates;
  }
  shared.exit_status = ok ? 0 : 1;
  shared.answer(object, [&] {
    heading(fmt::format("{}: {}", path,
                        ok          ? "is a solution"
                        : separates ? "is not a solution: there is none, as proven"
                                    : "is not a solution"));
    cli::show(certificate);
    if (claimed) row("separation", separates ? "verified" : "is not what it claims to be");
  });
}

}  // namespace stiction::cli
