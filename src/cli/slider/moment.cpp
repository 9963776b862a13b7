// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE moment`: the moment function, its corners and its floor.
#include "stiction/moment_function.h"

#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"

namespace stiction::cli {

namespace {

Json places(const std::vector<Vec2>& list) {
  Json array_of = Json::array();
  for (const Vec2& place : list) array_of.push_back(array(place));
  return array_of;
}
std::string shown(const std::vector<Vec2>& list) {
  std::string text;
  for (const Vec2& place : list) text += (text.empty() ? "" : ", ") + cli::shown(place);
  return text;
}

void run(const SliderCall& call, const Vec2& at, const FigureOption& figure) {
  figure.require_name();
  const MomentAt here = moment_function(call.slider, at);
  ProgressBar bar;
  const MomentFloor floor = moment_floor(call.slider, std::ref(bar));
  bar.clear();
  const std::vector<Vec2> corners = moment_corners(call.slider);
  Json object;
  object["moment"] = number(here.moment);
  object["force"] = array(here.force);
  object["smooth"] = here.smooth;
  object["corners"] = places(corners);
  object["floor"] = {{"moment", number(floor.moment)},
                     {"corners", floor.corners.empty() ? Json(nullptr) : places(floor.corners)}};
  figure.write(object, [&] { return report::moment_picture(call.slider, at); });
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, turning about {} m", title(call), cli::shown(at)));
    row("moment", cli::shown(here.moment), "N m, about that centre");
    row("force", cli::shown(here.force), "N, on the ground");
    row("smooth", here.smooth ? "yes" : "no",
        here.smooth ? "" : "a support does not slip there: the force is the middle of many");
    row("least", cli::shown(floor.moment),
        floor.moment == 0           ? "N m: turning about some place is free"
        : floor.corners.empty()     ? "N m, over places without end"
        : floor.corners.size() == 1 ? "N m, about " + shown(floor.corners) + " m"
                                    : "N m, anywhere within " + shown(floor.corners) + " m");
    if (!corners.empty() && corners.size() <= 6) row("corners", shown(corners), "m");
    figure.tell();
  });
}

}  // namespace

void add_slider_moment(SliderCommands& commands) {
  auto at = std::make_shared<std::string>();
  const FigureOption figure;
  auto* command = commands.add(
      "moment",
      "The moment function: the friction moment of turning counter-clockwise about a centre.\n"
      "Example: stiction slider scenes/dumbbell.json moment --at 0.5,0",
      [at, figure](const SliderCall& call) { run(call, parse_two(*at, "--at"), figure); });
  command->add_option("--at", *at, "The centre of rotation X,Y, in the file's frame [m]")
      ->required();
  figure.add_to(command, "Lines of equal moment");
}

}  // namespace stiction::cli
