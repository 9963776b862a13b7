// SPDX-License-Identifier: Apache-2.0
//
// Figures of the theory pages that no section of the report shows: Coulomb's law as a graph, the
// friction cone with its dual and a projection, how the solver's errors fall, a push.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/report.h"
#include "report/slider_pictures.h"
#include "report/svg.h"
#include "scenes.h"
#include "stiction/friction_cone.h"
#include "stiction/solver.h"

namespace stiction::report {

namespace {

constexpr double mu = 0.6;

// Friction on the body against slip along a line: a step with its upright.
std::string coulomb_graph() {
  Plot plot(460, 300, {-1, 1}, {-1, 1}, true);
  plot.axes("slip v [m/s]", "friction on the body F / f_n", {-1.0, 0.0, 1.0},
            {Tick(-mu, "−μ"), 0.0, Tick(mu, "μ")});
  const LimitCurve curve = disc(mu);
  const auto friction = [&](double v) { return -curve.face({v, 0}).first.x(); };
  plot.line({{-1, friction(-1)}, {0, friction(-1)}}, "s1 bold");
  plot.line({{0, friction(-1)}, {0, friction(1)}}, "s2 bold");
  plot.line({{0, friction(1)}, {1, friction(1)}}, "s1 bold");
  plot.text({-0.9, 0.7}, "slips: one force", "label");
  plot.text({0.06, 0.12}, "sticks: any force up to μ", "label");
  return standalone(plot.width(), plot.height(), plot.body());
}

// The plane of n and t1: K, K*, and Moreau's decomposition of a point.
std::string cone_section() {
  Plot plot(460, 400, {-1.15, 1.15}, {-0.75, 1.25}, false);
  plot.cross_hair();
  const FrictionCone cone(disc(mu));
  const double s = 1.15;
  plot.area({{0, 0}, {-s * mu, s}, {s * mu, s}}, "curve");
  plot.line({{-s, s * mu}, {0, 0}, {s, s * mu}}, "s3 dashed");
  const Vec3 x(0.1, 0.95, 0);  // n, t1, t2
  const Vec3 in = cone.project(x), rest = x - in;
  const auto at = [](const Vec3& r) { return Vec2(r[1], r[0]); };
  plot.line({at(x), at(in)}, "s0");
  plot.line({at(x), at(rest)}, "s0");
  plot.arrow({0, 0}, at(in), "slip bold");
  plot.arrow({0, 0}, at(rest), "slip bold");
  plot.arrow({0, 0}, at(x), "force");
  plot.text({-0.12, 1.0}, "K", "name");
  plot.text({-0.98, 0.75}, "K*", "name");
  plot.text(at(x) + Vec2(0.04, 0), "x", "name");
  plot.text(at(in) + Vec2(-0.12, 0.09), "proj_K(x)", "label");
  plot.text(at(rest) + Vec2(-0.2, -0.1), "−proj_K*(−x)", "label");
  plot.text({0.03, 1.2}, "n", "note");
  plot.text({1.08, 0.04}, "t", "note");
  return standalone(plot.width(), plot.height(), plot.body());
}

// Errors of a pile's certificate at each look, as the solver goes from sweeps to Newton's method.
std::string convergence() {
  const ContactProblem problem = scenes::contact_problem(scenes::make_scene("pile", 1000, 1));
  const Solution solution =
      solve(problem, {.tolerance = 1e-10, .max_seconds = 20, .threads = 1, .keep_history = true});
  std::vector<Vec2> relative, scaled;
  double change = -1;
  for (std::size_t k = 0; k < solution.history.size(); ++k) {
    const Iteration& look = solution.history[k];
    const auto point = [&](double error) {
      return Vec2(static_cast<double>(k), std::log10(std::clamp(error, 1e-12, 1.0)));
    };
    relative.push_back(point(look.relative));
    scaled.push_back(point(look.scaled));
    if (change < 0 && look.method != solution.history.front().method)
      change = static_cast<double>(k);
  }
  const double last = std::max<double>(1, static_cast<double>(solution.history.size()) - 1);
  Plot plot(560, 320, {0, last}, {-12, 0}, true);
  plot.axes("look at the residual", "error", {0.0, std::round(last / 2), last},
            {Tick(-12, "10⁻¹²"), Tick(-8, "10⁻⁸"), Tick(-4, "10⁻⁴"), Tick(0, "1")});
  plot.line({{0, -10}, {last, -10}}, "s0");
  if (change > 0) {
    plot.line({{change, -12}, {change, 0}}, "thin");
    plot.text({change + 0.01 * last, -8.4},
              fmt::format("{} from here", to_text(solution.history.back().method)), "note");
  }
  plot.line(relative, "s1");
  plot.line(scaled, "s2");
  plot.text({0.02 * last, -10.8}, "relative (blue) and scaled (orange) must both pass here",
            "label");
  return standalone(plot.width(), plot.height(), plot.body());
}

// As scenes/square.json, pushed as docs/command-line.md does.
std::string pushed_square() {
  const double weight = 9.81;
  const Slider square({polygon_support({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {},
                                       weight, disc(0.4))});
  const Finger finger{{-0.5, 0.2}, {1, 0}, 0.3, {0.1, 0}};
  return push_picture(square, finger, push(square, finger));
}

}  // namespace

void theory_figures(Figures& figures) {
  figures["coulomb-graph"] = coulomb_graph();
  figures["cone-section"] = cone_section();
  figures["convergence"] = convergence();
  figures["pushed-square"] = pushed_square();
}

}  // namespace stiction::report
