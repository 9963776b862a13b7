// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE load`: the load of a motion, or the whole face of loads where it is not unique.
#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"

namespace stiction::cli {

namespace {

const char* kind_name(FaceTerm::Kind kind) {
  switch (kind) {
    case FaceTerm::Kind::ellipse:
      return "ellipse";
    case FaceTerm::Kind::segment:
      return "segment";
    case FaceTerm::Kind::polygon:
      return "polygon";
    case FaceTerm::Kind::curve:
      return "curve";
  }
  return "";
}

Json to_json(const FaceTerm& term) {
  Json points = Json::array();
  for (const Vec3& point : term.points) points.push_back(array(point));
  Json json = {{"support", term.support}, {"kind", kind_name(term.kind)}};
  if (term.kind == FaceTerm::Kind::ellipse)
    json["axes"] = points;  // two conjugate half axes
  else if (term.kind == FaceTerm::Kind::segment)
    json["half"] = points.at(0);
  else
    json["points"] = points;
  return json;
}

void run(const SliderCall& call, const Motion& motion, const FigureOption& figure) {
  figure.require_name();
  Json object;
  if (motion.vector().isZero(0)) {
    if (figure.wanted())
      throw InvalidInput("--figure shows the load of a motion, expected --motion to be one");
    for (const char* key : {"load", "power", "unique", "facet"}) object[key] = nullptr;
    call.shared.answer(object, [&] {
      heading(title(call) + " at rest");
      row("load", "any within the limit surface");
    });
    return;
  }
  const LoadSet set = load(call.slider, motion);
  object["load"] = array(set.load.vector());
  object["power"] = number(set.power);
  object["unique"] = set.unique;
  object["facet"] = nullptr;
  if (!set.unique) {
    Json terms = Json::array();
    for (const FaceTerm& term : set.terms) terms.push_back(to_json(term));
    object["facet"] = {{"centre", array(set.load.vector())}, {"terms", terms}};
  }
  figure.write(object, [&] { return report::motion_picture(call.slider, motion, set.load); });
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, motion {} m/s, m/s, rad/s", title(call), shown(motion.vector())));
    row("force", shown(Vec2(set.load.fx, set.load.fy)), "N, on the ground");
    row("moment", shown(set.load.moment), "N m, about the reference point");
    row("power", shown(set.power), "W");
    if (!set.unique) row("unique", "no", "the load is the centre of a face, the sum of");
    for (const FaceTerm& term : set.terms)
      row("", fmt::format("support {}: {}", term.support, kind_name(term.kind)));
    figure.tell();
  });
}

}  // namespace

void add_slider_load(SliderCommands& commands) {
  auto motion = std::make_shared<std::string>();
  const FigureOption figure;
  auto* command = commands.add("load",
                               "The friction load that answers a motion.\n"
                               "Example: stiction slider scenes/dumbbell.json load "
                               "--motion 1,0,0.5",
                               [motion, figure](const SliderCall& call) {
                                 run(call, Motion::of(parse_three(*motion, "--motion")), figure);
                               });
  command->add_option("--motion", *motion, "Motion VX,VY,W [m/s, m/s, rad/s]")->required();
  figure.add_to(command, "The body, its slips and the load, seen from above");
}

}  // namespace stiction::cli
