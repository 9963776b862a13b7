// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE push`: quasi-static pushing, by a finger or by a flat edge.
#include "stiction/slider_push.h"

#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"
#include "stiction/law.h"

namespace stiction::cli {

namespace {

struct Options {
  std::string contact, normal, velocity, edge, centre, translation;
  double mu = 0;
  FigureOption figure;
};

const char* name(Push::Mode mode) {
  switch (mode) {
    case Push::Mode::stick:
      return "stick";
    case Push::Mode::slide_left:
      return "slide_left";
    case Push::Mode::slide_right:
      return "slide_right";
    case Push::Mode::separate:
      return "separate";
  }
  return "";
}

void run_finger(const SliderCall& call, const Options& options) {
  Finger finger;
  finger.contact = parse_two(options.contact, "--contact");
  finger.normal = parse_two(options.normal, "--normal");
  if (finger.normal.isZero(0))
    throw InvalidInput("--normal is " + options.normal + ", expected a direction");
  finger.velocity = parse_two(options.velocity, "--velocity");
  finger.mu = options.mu;
  options.figure.require_name();
  ProgressBar bar;
  const Push p = push(call.slider, finger, std::ref(bar));
  bar.clear();
  Json object;
  object["mode"] = name(p.mode);
  object["motion"] = array(p.motion.vector());
  object["contact_force"] = array(p.contact_force);
  object["unique"] = p.unique;
  object["rotation_centre"] = p.rotation_centre ? array(*p.rotation_centre) : Json(nullptr);
  object["motion_cone"] = {array(p.motion_cone_right), array(p.motion_cone_left)};
  options.figure.write(object, [&] { return report::push_picture(call.slider, finger, p); });
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, pushed at {} m", title(call), shown(finger.contact)));
    row("mode", name(p.mode));
    row("motion", shown(p.motion.vector()), "m/s, m/s, rad/s, of the reference point");
    row("contact force", shown(p.contact_force),
        p.unique ? "N, on the slider" : "N, on the slider; one of many");
    row("turns about", p.rotation_centre ? shown(*p.rotation_centre) : "nothing",
        p.rotation_centre ? "m" : "");
    row("sticks between", shown(p.motion_cone_right) + " and " + shown(p.motion_cone_left),
        "directions of the finger");
    options.figure.tell();
  });
}

void run_edge(const SliderCall& call, const Options& options) {
  const auto ends = parse_numbers(options.edge, 4, "--edge");
  const Edge edge{{ends[0], ends[1]}, {ends[2], ends[3]}, options.mu};
  const bool turns = options.translation.empty();
  const Vec2 at = turns ? parse_two(options.centre, "--rotation-centre")
                        : parse_two(options.translation, "--translation");
  if (!turns && at.isZero(0))
    throw InvalidInput("--translation is " + options.translation + ", expected a direction");
  if (edge.from == edge.to)
    throw InvalidInput("--edge is " + options.edge + ", expected two different points");
  const EdgePush p =
      turns ? push(call.slider, edge, at) : push(call.slider, edge, Motion{at.x(), at.y(), 0});
  Json object;
  object["stable"] = p.stable;
  object["margin"] = number(p.margin);
  object["motion"] = array(p.motion.vector());
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, pushed by an edge {} {}", title(call), turns ? "about" : "along",
                        shown(at) + (turns ? " m" : "")));
    row("stable", p.stable ? "yes" : "no");
    row("margin", shown(p.margin), "of the unit load");
    if (turns) row("turning", p.motion.omega > 0 ? "counter-clockwise" : "clockwise");
  });
}

}  // namespace

void add_slider_push(SliderCommands& commands) {
  auto options = std::make_shared<Options>();
  auto* command = commands.add(
      "push",
      "A quasi-static push: by a finger that sticks, slides or separates, or by a flat edge.\n"
      "The normal points into the slider; positions are in the file's frame.\n"
      "Example: stiction slider scenes/square.json push --contact=-0.5,0.2 --normal 1,0 --mu 0.3 "
      "--velocity 0.1,0",
      [options](const SliderCall& call) {
        if (!options->centre.empty() && !options->translation.empty())
          throw InvalidInput("--rotation-centre and --translation exclude each other");
        if (options->edge.empty() != (options->centre.empty() && options->translation.empty()))
          throw InvalidInput("--edge goes with --rotation-centre or --translation");
        if (!(std::isfinite(options->mu) && options->mu >= 0))
          throw InvalidInput("--mu is " + text(options->mu) + ", expected zero or more");
        if (!options->edge.empty()) {
          if (!options->contact.empty() || !options->normal.empty() || !options->velocity.empty())
            throw InvalidInput("--edge takes no --contact, --normal or --velocity");
          if (options->figure.wanted())
            throw InvalidInput("--figure shows the push of a finger, expected none with --edge");
          run_edge(call, *options);
          return;
        }
        for (const auto& [value, name] :
             {std::pair(&options->contact, "--contact"), std::pair(&options->normal, "--normal"),
              std::pair(&options->velocity, "--velocity")})
          if (value->empty()) throw InvalidInput(std::string(name) + " is missing");
        run_finger(call, *options);
      });
  command->add_option("--contact", options->contact, "Where the finger touches, X,Y [m]");
  command->add_option("--normal", options->normal, "Normal of the face there, into the slider");
  command->add_option("--mu", options->mu, "Friction between pusher and slider")->required();
  command->add_option("--velocity", options->velocity, "Of the finger, VX,VY [m/s]");
  command->add_option("--edge", options->edge, "Ends of a flat pusher, X1,Y1,X2,Y2 [m]");
  command->add_option("--rotation-centre", options->centre, "What to push it about, X,Y [m]");
  command->add_option("--translation", options->translation,
                      "Or the direction to push it along without turning, VX,VY");
  options->figure.add_to(command, "The push of a finger, seen from above");
}

}  // namespace stiction::cli
