// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE motion`: whether a load moves the slider, and how.
#include "stiction/slider_motion.h"

#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"

namespace stiction::cli {

namespace {

const char* state_name(MotionSet::State state) {
  switch (state) {
    case MotionSet::State::stick:
      return "stick";
    case MotionSet::State::slip:
      return "slip";
    case MotionSet::State::outside:
      return "outside";
  }
  return "";
}

void run(const SliderCall& call, const Load& load, const FigureOption& figure) {
  figure.require_name();
  ProgressBar bar;
  const MotionSet set = motion(call.slider, load, std::ref(bar));
  bar.clear();
  const bool none = load.vector().isZero(0);
  Json object;
  object["state"] = state_name(set.state);
  object["gauge"] = number(set.gauge);
  object["motion"] = none ? Json(nullptr) : array(set.motion.vector());
  object["unique"] = none ? Json(nullptr) : Json(set.unique);
  object["wedge"] = nullptr;
  if (!set.unique) {
    object["wedge"] = Json::array();
    for (const Motion& m : set.wedge) object["wedge"].push_back(array(m.vector()));
  }
  object["rotation_centre"] = set.rotation_centre ? array(*set.rotation_centre) : Json(nullptr);
  object["certificate"] = {{"power", number(set.certificate.power)},
                           {"work", number(set.certificate.work)},
                           {"distance", number(set.certificate.distance)}};
  if (none && figure.wanted())
    throw InvalidInput("--figure shows the motion of a load, expected --load to be one");
  figure.write(object, [&] { return report::motion_picture(call.slider, set.motion, load); });
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, load {} N, N, N m", title(call), shown(load.vector())));
    const char* remarks[] = {"friction holds the load", "the load is on the limit surface",
                             "friction cannot balance the load"};
    row("state", state_name(set.state), remarks[static_cast<int>(set.state)]);
    if (none) return;
    row("gauge", set.gauge == infinity ? "infinite" : shown(set.gauge), "load over limit surface");
    row("motion", shown(set.motion.vector()), "m/s, m/s, rad/s; its direction alone counts");
    if (set.rotation_centre)
      row("rotation centre", shown(*set.rotation_centre), "m");
    else
      row("rotation centre", "none", "a translation");
    for (const Motion& m : set.wedge) row("bounded by", shown(m.vector()));
    figure.tell();
  });
}

}  // namespace

void add_slider_motion(SliderCommands& commands) {
  auto load = std::make_shared<std::string>();
  const FigureOption figure;
  auto* command =
      commands.add("motion",
                   "The motion that a load on the ground causes: the inverse of `load`.\n"
                   "Example: stiction slider scenes/dumbbell.json motion --load 1,0,0.2",
                   [load, figure](const SliderCall& call) {
                     run(call, Load::of(parse_three(*load, "--load")), figure);
                   });
  command->add_option("--load", *load, "Load FX,FY,M on the ground [N, N, N m]")->required();
  figure.add_to(command, "The body, its slips and the load, seen from above");
}

}  // namespace stiction::cli
