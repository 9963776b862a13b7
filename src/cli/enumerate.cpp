// SPDX-License-Identifier: Apache-2.0
#include "stiction/enumerate.h"

#include <fmt/core.h>

#include <memory>

#include "cli/contact.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string problem, kind, law, max_seconds = "60";
};

void run(const Shared& shared, const Arguments& arguments) {
  const double max_seconds = parse_number(arguments.max_seconds, "--max-seconds");
  if (!(max_seconds > 0))
    throw InvalidInput("--max-seconds is " + arguments.max_seconds + ", expected a number > 0");
  AnyProblem problem = read_problem(arguments.problem, parse_kind(arguments.kind));
  if (!arguments.law.empty()) replace_laws(problem, arguments.law);
  const Prepared prepared(std::move(problem), arguments.problem);
  const ContactProblem& local = prepared.condensed().local();
  Enumeration found;
  try {
    ProgressBar bar;
    found = enumerate(local, max_seconds, std::ref(bar));
  } catch (const InvalidInput& error) {
    throw InvalidInput(arguments.problem + ": " + error.what());
  }
  Json object;
  object["solutions"] = Json::array();
  for (const EnumeratedSolution& solution : found.solutions) {
    Json entry;
    entry["modes"] = Json::array();
    for (const Mode mode : solution.modes) entry["modes"].push_back(to_text(mode));
    entry["dimension"] = solution.dimension;
    entry["reactions"] = rows(solution.reactions, local.dimension);
    entry["velocities"] = rows(solution.velocities, local.dimension);
    entry["certificate"] = to_json(solution.certificate);
    object["solutions"].push_back(entry);
  }
  object["complete"] = found.complete;
  if (!found.complete) object["reason"] = found.reason;
  shared.exit_status = found.solutions.empty() ? 1 : 0;
  shared.answer(object, [&] {
    heading(fmt::format("{}: {}{}", arguments.problem,
                        counted(static_cast<long long>(found.solutions.size()), "solution"),
                        found.complete ? ", and no others" : ""));
    for (const EnumeratedSolution& solution : found.solutions) {
      std::string modes, reactions;
      for (const Mode mode : solution.modes) modes += (modes.empty() ? "" : ", ") + to_text(mode);
      for (const double r : solution.reactions) reactions += fmt::format(" {:.5g}", r + 0.0);
      row(solution.dimension == 0 ? "solution" : fmt::format("{}-D continuum", solution.dimension),
          modes, "r =" + reactions);
    }
    if (!found.complete) row("not proven", found.reason);
  });
}

}  // namespace

void add_enumerate(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "enumerate",
      "Every solution of a small contact problem, and whether there can be others.\n"
      "Example: stiction enumerate rod.json");
  auto a = std::make_shared<Arguments>();
  command->add_option("PROBLEM", a->problem, "The problem file, up to a dozen contacts")
      ->required();
  command->add_option("--kind", a->kind, "local or global, where a .dat can be read in two ways");
  command->add_option("--law", a->law,
                      "One law for all contacts; * keeps each one's own coefficient");
  command->add_option("--max-seconds", a->max_seconds, "Wall clock")->capture_default_str();
  command->callback([a, &shared] { run(shared, *a); });
}

}  // namespace stiction::cli
