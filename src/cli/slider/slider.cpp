// SPDX-License-Identifier: Apache-2.0
#include "cli/slider/slider.h"

#include <fmt/core.h>

namespace stiction::cli {

SliderCommands::SliderCommands(CLI::App& slider, const Shared& shared)
    : slider_(slider), shared_(shared), path_(std::make_shared<std::string>()) {
  slider.add_option("FILE", *path_, "The slider, a .json file")->required();
  slider.callback([&slider] {
    if (!slider.get_subcommands().empty()) return;
    std::string names;
    for (const CLI::App* command : slider.get_subcommands({}))
      names += (names.empty() ? "" : ", ") + command->get_name();
    throw InvalidInput("slider has no subcommand, expected one of " + names);
  });
}

CLI::App* SliderCommands::add(const std::string& name, const std::string& help,
                              std::function<void(const SliderCall&)> run) {
  CLI::App* command = slider_.add_subcommand(name, help);
  command->fallthrough();
  command->callback([run = std::move(run), path = path_, &shared = shared_] {
    const SliderFile file = read_slider_file(*path);
    run({shared, *path, file, file.slider()});
  });
  return command;
}

Vec3 parse_three(const std::string& text, const char* what) {
  const auto v = parse_numbers(text, 3, what);
  return {v[0], v[1], v[2]};
}
Vec2 parse_two(const std::string& text, const char* what) {
  const auto v = parse_numbers(text, 2, what);
  return {v[0], v[1]};
}

std::string title(const SliderCall& call) {
  std::string name = call.file.body.name.empty() ? call.path : call.file.body.name;
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';  // nothing that moves the cursor
  return name;
}
std::string shown(const Vec3& v) {
  return fmt::format("({}, {}, {})", shown(v.x()), shown(v.y()), shown(v.z()));
}

void add_slider(CLI::App& app, const Shared& shared) {
  auto* slider = app.add_subcommand(
      "slider",
      "A rigid body that slides on a plane: which load answers a motion, which motion a load.\n"
      "Motions VX,VY,W are of the file's reference point [m/s, m/s, rad/s]; loads FX,FY,M are on\n"
      "the ground, about that point [N, N, N m]; positions are in the file's frame [m].\n"
      "Example: stiction slider scenes/dumbbell.json load --motion 1,0,0.5");
  slider->require_subcommand(0, 1);
  SliderCommands commands(*slider, shared);
  add_slider_load(commands);
  add_slider_moment(commands);
  add_slider_motion(commands);
  add_slider_points(commands);
  add_slider_slide(commands);
  add_slider_push(commands);
  add_slider_fit(commands);
  add_slider_surface(commands);
}

}  // namespace stiction::cli
