// SPDX-License-Identifier: Apache-2.0
//
// What the subcommands of `slider` share.  Each is a function in its own file, slider_NAME.cpp,
// that calls SliderCommands::add, and is listed in slider.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/cli.h"
#include "stiction/slider_io.h"

namespace stiction::cli {

// What a subcommand is given when it runs.
struct SliderCall {
  const Shared& shared;
  std::string path;  // of the file, as it was given
  SliderFile file;   // laws by name, positions in the file's frame
  Slider slider;     // positions relative to `reference`
};

class SliderCommands {
 public:
  SliderCommands(CLI::App& slider, const Shared& shared);

  // A subcommand to which options may be added; `run` is called once the file has been read.
  CLI::App* add(const std::string& name, const std::string& help,
                std::function<void(const SliderCall&)> run);

 private:
  CLI::App& slider_;
  const Shared& shared_;
  std::shared_ptr<std::string> path_;
};

void add_slider_fit(SliderCommands& commands);
void add_slider_load(SliderCommands& commands);
void add_slider_moment(SliderCommands& commands);
void add_slider_motion(SliderCommands& commands);
void add_slider_points(SliderCommands& commands);
void add_slider_push(SliderCommands& commands);
void add_slider_slide(SliderCommands& commands);
void add_slider_surface(SliderCommands& commands);

// What the library answers for the slider of the file, which its refusals then name.
template <typename F>
auto of_file(const SliderCall& call, const F& answer) {
  try {
    return answer();
  } catch (const InvalidInput& error) {
    throw InvalidInput(call.path + ": " + error.what());
  }
}

// "--motion 1,0,0.5": three numbers.
Vec3 parse_three(const std::string& text, const char* what);
Vec2 parse_two(const std::string& text, const char* what);

// For people: the slider's name, or its file's.
std::string title(const SliderCall& call);
std::string shown(const Vec3& v);

}  // namespace stiction::cli
