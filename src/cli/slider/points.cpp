// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE points`: centres, and the facets and vertices of the limit surface.
#include "stiction/slider_points.h"

#include <fmt/core.h>

#include "cli/slider/slider.h"
#include "report/slider_pictures.h"

namespace stiction::cli {

namespace {

Json to_json(const Vec2& place) { return array(place); }
Json to_json(double value) { return number(value); }
Json to_json(const std::vector<Facet>& facets) {
  Json list = Json::array();
  for (const Facet& facet : facets)
    list.push_back({{"motion", array(facet.motion.vector())},
                    {"centre", array(facet.loads.load.vector())},
                    {"power", number(facet.loads.power)}});
  return list;
}
Json to_json(const std::vector<Vertex>& vertices) {
  Json list = Json::array();
  for (const Vertex& vertex : vertices) {
    Json wedge = Json::array();
    for (const Motion& m : vertex.wedge) wedge.push_back(array(m.vector()));
    list.push_back({{"load", array(vertex.load.vector())}, {"wedge", wedge}});
  }
  return list;
}

std::string to_text(const Vec2& place) { return shown(place) + " m"; }
std::string to_text(const std::vector<Facet>& facets) { return std::to_string(facets.size()); }
std::string to_text(const std::vector<Vertex>& list) { return std::to_string(list.size()); }

// As `row`, with room for the longest name.
void wide_row(const std::string& name, const std::string& value, const std::string& remark = "") {
  row(fmt::format("{:<18}", name), value, remark);
}

void run(const SliderCall& call, const FigureOption& figure) {
  figure.require_name();
  ProgressBar bar;
  const SliderPoints points = slider_points(call.slider, std::ref(bar));
  bar.clear();
  Json object, reasons = Json::object();
  const auto visit = [&](const auto& show) {
    show("centre_of_mass", "centre of mass", points.centre_of_mass);
    show("centre_of_pressure", "centre of pressure", points.centre_of_pressure);
    show("centre_of_friction", "centre of friction", points.centre_of_friction);
    show("centre_of_twist", "centre of twist", points.centre_of_twist);
    show("translation_force", "translation force", points.translation_force);
    show("twist_moment", "twist moment", points.twist_moment);
    show("facets", "facets", points.facets);
    show("vertices", "vertices", points.vertices);
  };
  visit([&](const char* key, const char*, const auto& answer) {
    object[key] = answer.value ? to_json(*answer.value) : Json(nullptr);
    if (!answer.value) reasons[key] = answer.reason;
  });
  object["reason"] = reasons.empty() ? Json(nullptr) : reasons;
  figure.write(object, [&] { return report::points_picture(call.slider, points); });
  call.shared.answer(object, [&] {
    heading(title(call));
    visit([&](const char* key, const char* name, const auto& answer) {
      if (!answer.value) {
        wide_row(name, "-", answer.reason);
      } else if constexpr (std::is_same_v<std::decay_t<decltype(*answer.value)>, double>) {
        wide_row(name, shown(*answer.value), std::string(key) == "twist_moment" ? "N m" : "N");
      } else {
        wide_row(name, to_text(*answer.value));
      }
    });
    figure.tell();
  });
}

}  // namespace

void add_slider_points(SliderCommands& commands) {
  const FigureOption figure;
  auto* command = commands.add(
      "points",
      "Centres of mass, pressure, friction and twist; facets and vertices of the limit\n"
      "surface.\n"
      "Example: stiction slider scenes/dumbbell.json points",
      [figure](const SliderCall& call) { run(call, figure); });
  figure.add_to(command, "The body and its centres, seen from above");
}

}  // namespace stiction::cli
