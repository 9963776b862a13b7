// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/one_line.h"
#include "cli/constraints.h"
#include "stiction/problem_io.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string in, out, kind;
};

void convert_constraints(const Shared& shared, const Arguments& arguments,
                         const AnyConstraintProblem& problem) {
  write_constraints(arguments.out, problem);
  const std::size_t count = std::visit([](const auto& p) { return p.constraints.size(); }, problem);
  const std::string kind =
      std::holds_alternative<GlobalConstraintProblem>(problem) ? "global" : "local";
  shared.answer({{"kind", kind}, {"constraints", count}, {"written", arguments.out}}, [&] {
    fmt::print("{}: {} problem, {}, written to {}\n", one_line(arguments.in), kind,
               counted(static_cast<long long>(count), "constraint"), one_line(arguments.out));
  });
}

void run(const Shared& shared, const Arguments& arguments) {
  ProgressBar bar;
  const Progress reading = [&](double share) { return bar(0.7 * share); };
  ProblemFile file;
  if (is_fclib(arguments.in)) {
    file = read_problem_file(arguments.in, parse_kind(arguments.kind), reading);
  } else {
    AnyContent content = read_content(arguments.in, parse_kind(arguments.kind), reading);
    if (const auto constraints = constraints_in(content)) {
      bar.clear();
      convert_constraints(shared, arguments, *constraints);
      return;
    }
    file.problem = contacts_in(std::move(content));
  }
  const std::vector<std::string> left_out =
      write_problem_file(arguments.out, file, [&](double share) { return bar(0.7 + 0.3 * share); });
  bar.clear();
  const AnyProblem& problem = file.problem;
  const int contacts = std::visit([](const auto& p) { return p.contacts(); }, problem);
  const int dimension = std::visit([](const auto& p) { return p.dimension; }, problem);
  const std::string kind = kind_name(problem);
  Json object;
  object["kind"] = kind;
  object["dimension"] = dimension;
  object["contacts"] = contacts;
  object["written"] = arguments.out;
  if (!left_out.empty()) object["left_out"] = left_out;
  shared.answer(object, [&] {
    fmt::print("{}: {} problem, dimension {}, {}, written to {}\n", one_line(arguments.in), kind,
               dimension, counted(contacts, "contact"), one_line(arguments.out));
    if (!left_out.empty())
      note("stiction: {}: the format cannot hold {}, left out\n", one_line(arguments.out),
           fmt::join(left_out, ", "));
  });
}

}  // namespace

void add_convert(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "convert",
      "Convert a contact problem between .hdf5 (FCLib), .dat (Siconos) and .json.\n"
      "Example: stiction convert tower.hdf5 tower.json");
  auto a = std::make_shared<Arguments>();
  command->add_option("IN", a->in, "The problem to read")->required();
  command->add_option("OUT", a->out, "The file to write")->required();
  command->add_option("--kind", a->kind,
                      "local, global or rolling, where a .dat can be read in two ways");
  command->callback([a, &shared] { run(shared, *a); });
}

}  // namespace stiction::cli
