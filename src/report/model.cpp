// SPDX-License-Identifier: Apache-2.0
//
// The report's section of mechanisms: where the fingertip of an arm is in danger of jamming.
#include <fmt/core.h>

#include <numbers>

#include "arm_model.h"
#include "report/map_plot.h"
#include "report/report.h"

namespace stiction::report {

std::vector<Chapter> model_chapters(Figures& figures) {
  const MultibodyModel arm = parse_model(arm_model, "arm7");
  const Mechanism mechanism{arm};
  const ContactPoint fingertip{arm.frame("fingertip")};
  // Bent at the shoulder; elbow and wrist are swept.
  Eigen::VectorXd q = arm.neutral();
  q[arm.joint("j2").q] = 0.6;
  const auto sweep = [&](const char* name) {
    return Sweep{name, arm.joint(name).q, -2.6, 2.6, 181};
  };
  JammingMap map = jamming_map(mechanism, fingertip, q, {sweep("j4"), sweep("j6")});
  map.sweeps[0].name = "elbow j4 [rad]";
  map.sweeps[1].name = "wrist j6 [rad]";
  const Plot plot = map_plot(map);
  figures["arm-map"] = standalone(plot.width(), plot.height(), plot.body());
  std::string html = fmt::format(
      "<p>The fingertip of a seven-joint arm on level ground, over the angles of its elbow (j4) "
      "and "
      "wrist (j6). The colour says from which coefficient of friction on some slip of the "
      "fingertip "
      "jams: pressing it down then no longer slows its approach. The smallest of them on the map "
      "is {:.4g}, at j4 = {:.3g} rad and j6 = {:.3g} rad.</p><figure "
      "style='max-width:840px'>{}</figure>",
      map.least_jam->mu, map.least_jam->at[0], map.least_jam->at[1], plot.svg());
  return {{"arm", "Will the arm's fingertip jam?", html}};
}

}  // namespace stiction::report
