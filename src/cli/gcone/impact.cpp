// SPDX-License-Identifier: Apache-2.0
//
// `gcone --impact`: a collision at the contact.
#include <fmt/core.h>

#include "cli/gcone/gcone.h"
#include "cli/slider/slider.h"

namespace stiction::cli {

namespace {

const char* name(ImpactPhase::Mode mode) {
  return mode == ImpactPhase::Mode::slip ? "slip" : "stick";
}

}  // namespace

Json impact_json(const Impact& impact) {
  Json json;
  json["velocity"] = array(impact.velocity);
  json["impulse"] = array(impact.impulse);
  json["compression_impulse"] = number(impact.compression_impulse);
  json["compression_work"] = number(impact.compression_work);
  json["restitution_work"] = number(impact.restitution_work);
  json["friction_work"] = number(impact.friction_work);
  json["energy_change"] = number(impact.energy_change);
  json["phases"] = Json::array();
  for (const ImpactPhase& phase : impact.phases)
    json["phases"].push_back({{"mode", name(phase.mode)},
                              {"from", number(phase.from)},
                              {"to", number(phase.to)},
                              {"slip_before", array(phase.slip_before)},
                              {"slip_after", array(phase.slip_after)}});
  json["path"] = Json::array();
  for (const ImpactPoint& point : impact.path)
    json["path"].push_back(
        {{"normal_impulse", number(point.normal_impulse)}, {"velocity", array(point.velocity)}});
  return json;
}

void show_impact(const Impact& impact) {
  fmt::print("\n");
  row("after impact", shown(impact.velocity), "m/s, t1, t2, n");
  row("impulse", shown(impact.impulse), "N s, on the body");
  row("energy", shown(impact.energy_change),
      fmt::format("J: {} compression, {} restitution, {} friction", shown(impact.compression_work),
                  shown(impact.restitution_work), shown(impact.friction_work)));
  if (impact.phases.empty()) row("phases", "none", "the bodies do not collide");
  for (const ImpactPhase& phase : impact.phases)
    row(name(phase.mode), fmt::format("p = {} to {}", shown(phase.from + 0.0), shown(phase.to)),
        phase.mode == ImpactPhase::Mode::slip
            ? fmt::format("N s, slip {} to {} m/s", shown(phase.slip_before),
                          shown(phase.slip_after))
            : "N s");
}

}  // namespace stiction::cli
