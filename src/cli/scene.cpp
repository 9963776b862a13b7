// SPDX-License-Identifier: Apache-2.0
//
// `scene`: a generated contact problem of any size, written to a file.
#include "scenes.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>

#include "cli/cli.h"
#include "stiction/law.h"
#include "stiction/problem_io.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string family, contacts, seed = "1", form = "local", out;
};

// A whole number between the two, both below 2³².
long long whole(const std::string& text, const char* name, long long least, long long greatest) {
  const double value = parse_number(text, name);
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(greatest)) ||
      value != std::floor(value))
    throw InvalidInput(std::string(name) + " is " + text + ", expected a whole number from " +
                       std::to_string(least) + " to " + std::to_string(greatest));
  return static_cast<long long>(value);
}

void run(const Shared& shared, const Arguments& arguments) {
  const auto contacts = static_cast<int>(whole(arguments.contacts, "--contacts", 4, 10'000'000));
  const auto seed = static_cast<unsigned>(whole(arguments.seed, "--seed", 0, 4'294'967'295));
  if (arguments.form != "local" && arguments.form != "global")
    throw InvalidInput("--form is '" + arguments.form + "', expected local or global");
  const scenes::Scene scene = scenes::make_scene(arguments.family, contacts, seed);
  const AnyProblem problem = arguments.form == "global"
                                 ? AnyProblem(scenes::global_problem(scene))
                                 : AnyProblem(scenes::contact_problem(scene));
  write_problem(arguments.out, problem);
  const Vec3 weight = scenes::weight_impulse(scene);
  Json object;
  object["family"] = arguments.family;
  object["contacts"] = scene.contacts.size();
  object["bodies"] = scene.bodies.size();
  object["weight"] = array(weight);
  object["written"] = arguments.out;
  shared.answer(object, [&] {
    heading(fmt::format("{}: {} contacts, written to {}", arguments.family, scene.contacts.size(),
                        arguments.out));
    row("bodies", std::to_string(scene.bodies.size()));
    row("weight",
        fmt::format("({}, {}, {})", shown(weight.x()), shown(weight.y()), shown(weight.z())),
        "N s in one time step, what the ground carries of bodies at rest");
  });
}

}  // namespace

void add_scene(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "scene",
      "Generate a contact problem: rigid bodies at rest under gravity, one time step.\n"
      "The ending of the file chooses the format; .json keeps positions, frames and bodies.\n"
      "Example: stiction scene pile --contacts 1000 --out pile.hdf5");
  auto a = std::make_shared<Arguments>();
  command->add_option("FAMILY", a->family, "tower, pile, granular, chain or arch")->required();
  command->add_option("--contacts", a->contacts, "About so many, from 4 on")->required();
  command->add_option("--seed", a->seed, "The same seed gives the same scene")
      ->capture_default_str();
  command->add_option("--form", a->form, "local (W, q) or global (M, H, f, w)")
      ->capture_default_str();
  command->add_option("--out", a->out, "The file to write: .hdf5, .dat or .json")->required();
  command->callback([a, &shared] { run(shared, *a); });
}

}  // namespace stiction::cli
