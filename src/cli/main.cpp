// SPDX-License-Identifier: Apache-2.0
//
// The command line.  Exit status: 0 done, 1 the answer is no, 2 the input or the call is wrong,
// with one line on standard error.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include "base/one_line.h"
#include "cli/cli.h"

namespace {

int run(int argc, char** argv) {
  using namespace stiction::cli;
  using stiction::one_line;
  CLI::App app{
      "Dry friction between rigid bodies, exactly, with proof.\n"
      "Example: stiction curve ellipse:0.5,0.3,20 --slip 1,0"};
  app.name("stiction");
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.require_subcommand(1);
  Shared shared;
  app.add_flag("--json", shared.json, "Print one JSON object and nothing else");
  app.fallthrough();
  add_curve(app, shared);
  add_cone(app, shared);
  add_solve(app, shared);
  add_check(app, shared);
  add_enumerate(app, shared);
  add_convert(app, shared);
  add_scene(app, shared);
  add_gcone(app, shared);
  add_slider(app, shared);
  add_report(app, shared);
  for (CLI::App* command : app.get_subcommands({})) command->fallthrough();
  const std::string first = argc > 1 ? argv[1] : "";
  std::string names;
  bool known = false;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
    known = known || command->get_name() == first;
  }
  if (!known && !first.empty() && first[0] != '-')
    throw stiction::InvalidInput("no command is called '" + first + "', expected one of " + names);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--out=" ||
        (std::string_view(argv[i]) == "--out" && i + 1 < argc && argv[i + 1][0] == '\0'))
      throw stiction::InvalidInput("--out is '', expected the name of a file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    const int status = app.exit(e);
    if (!std::cout.flush()) throw stiction::InvalidInput("standard output cannot be written");
    return status;
  } catch (const CLI::ParseError& e) {
    note("stiction: {} (see stiction --help)\n", one_line(e.what()));
    return 2;
  }
  return shared.exit_status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    if (std::fflush(stdout) != 0) throw stiction::InvalidInput("standard output cannot be written");
    return status;
  } catch (const std::exception& e) {
    stiction::cli::note("stiction: {}\n", stiction::one_line(e.what()));
    return 2;
  }
}
