// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE moment`: the moment function M_c, the friction moment about a centre of rotation.
//
//   c         the centre, relative to the reference point; there (v_x − ω y_c, v_y + ω x_c) = 0
//   M_c(c)    = H(y_c, −x_c, 1), for the turn ω = 1
//   F         = (∂M_c/∂y_c, −∂M_c/∂x_c), the force on the ground
#include <fmt/core.h>

#include "cli/slider.h"

namespace stiction::cli {

namespace {

void run(const SliderCall& call, const Vec2& at) {
  const Vec2 c = at - call.file.body.reference;
  const LoadSet set = load(call.slider, {.vx = c.y(), .vy = -c.x(), .omega = 1});
  const Vec2 force(set.load.fx, set.load.fy);
  Json object;
  object["moment"] = number(set.power);
  object["force"] = array(force);
  object["smooth"] = set.unique;
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, turning about {} m", title(call), shown(at)));
    row("moment", shown(set.power), "N m, about that centre");
    row("force", shown(force), "N, on the ground");
    row("smooth", set.unique ? "yes" : "no",
        set.unique ? "" : "a support does not slip there: the force is the middle of many");
  });
}

}  // namespace

void add_slider_moment(SliderCommands& commands) {
  auto at = std::make_shared<std::string>();
  auto* command = commands.add(
      "moment",
      "The moment function: the friction moment of turning counter-clockwise about a centre.\n"
      "Example: stiction slider scenes/dumbbell.json moment --at 0.5,0",
      [at](const SliderCall& call) { run(call, parse_two(*at, "--at")); });
  command->add_option("--at", *at, "The centre of rotation X,Y, in the file's frame [m]")
      ->required();
}

}  // namespace stiction::cli
