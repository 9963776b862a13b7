// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE slide`: a throw, until friction has brought the body to rest.
#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"
#include "stiction/slider_slide.h"

namespace stiction::cli {

namespace {

constexpr int picture_samples = 121;  // of the path that --figure draws

void run(const SliderCall& call, const Motion& velocity, int samples, const FigureOption& figure) {
  figure.require_name();
  SlideOptions options;
  options.samples = samples;
  ProgressBar bar;
  options.progress = std::ref(bar);
  const Slide s = of_file(call, [&] { return slide(call.slider, velocity, options); });
  bar.clear();
  const bool moves = !velocity.vector().isZero(0);
  Json object;
  object["rests"] = s.rests;
  object["time_to_rest"] = number(s.time_to_rest);
  object["rest_pose"] = s.rests ? array(s.rest_pose) : Json(nullptr);
  const Vec3 last = s.final_direction.vector();
  object["final_direction"] = last.isZero(0) ? Json(nullptr) : array(last);
  object["stable"] = s.rests && moves ? Json(s.stable) : Json(nullptr);
  object["rates"] = nullptr;
  if (s.rests && moves) object["rates"] = {number(s.rates[0]), number(s.rates[1])};
  object["energy_error"] = number(s.energy_error);
  if (!s.rests) object["reason"] = s.reason;
  if (samples > 0) {
    Json list = Json::array();
    for (const SlideSample& sample : s.trajectory)
      list.push_back({{"time", number(sample.time)},
                      {"pose", array(sample.pose)},
                      {"motion", array(sample.motion.vector())}});
    object["trajectory"] = list;
  }
  figure.write(object, [&] {
    return report::slide_picture(call.slider,
                                 slide(call.slider, velocity, {.samples = picture_samples}));
  });
  call.shared.answer(object, [&] {
    heading(
        fmt::format("{}, thrown with {} m/s, m/s, rad/s", title(call), shown(velocity.vector())));
    if (s.rests) {
      row("time to rest", shown(s.time_to_rest), "s");
      row("rest at", shown(s.rest_pose), "m, m, rad, from where it started");
    } else {
      row("time to rest", "none", s.reason);
    }
    if (last.isZero(0))
      row("last direction", "none");
    else
      row("last direction", shown(last), "of motion, in the body's axes");
    row("energy error", shown(s.energy_error), "relative");
    figure.tell();
    if (samples == 0) return;
    fmt::print("\n  {:>11} {:>11} {:>11} {:>11}\n", "time s", "x m", "y m", "angle rad");
    for (const SlideSample& sample : s.trajectory)
      fmt::print("  {:>11} {:>11} {:>11} {:>11}\n", shown(sample.time), shown(sample.pose[0]),
                 shown(sample.pose[1]), shown(sample.pose[2]));
  });
}

}  // namespace

void add_slider_slide(SliderCommands& commands) {
  auto velocity = std::make_shared<std::string>();
  auto samples = std::make_shared<int>(0);
  const FigureOption figure;
  auto* command = commands.add(
      "slide",
      "Free sliding: where and when a thrown body comes to rest.  The file needs mass\n"
      "and inertia; the centre of mass is the centre of pressure unless given.\n"
      "Example: stiction slider scenes/disc.json slide --velocity 1,0,5",
      [velocity, samples, figure](const SliderCall& call) {
        run(call, Motion::of(parse_three(*velocity, "--velocity")), *samples, figure);
      });
  command->add_option("--velocity", *velocity, "First motion VX,VY,W [m/s, m/s, rad/s]")
      ->required();
  command->add_option("--samples", *samples, "Points of the trajectory, evenly spaced in time")
      ->check(CLI::Range(0, 1000000));
  figure.add_to(command, "The path of the throw");
}

}  // namespace stiction::cli
