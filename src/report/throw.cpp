// SPDX-License-Identifier: Apache-2.0
//
// The report's section of free sliding: where a thrown rod comes to rest, and the one way in which
// every thrown disc does.
#include <fmt/core.h>

#include <cmath>

#include "report/report.h"
#include "report/svg.h"
#include "stiction/slider_slide.h"

namespace stiction::report {

namespace {

constexpr double mass = 1, gravity = 9.81, mu = 0.3;

SliderBody body(const char* name, double inertia) {
  SliderBody body;
  body.name = name;
  body.mass = mass;
  body.inertia = inertia;
  return body;
}

// A rod of 0.6 m that slides along its whole length; inertia m l²/12.
constexpr double length = 0.6;
Slider rod() {
  const Vec2 end(0.5 * length, 0);
  return Slider({segment(-end, end, mass * gravity, disc(mu))},
                body("rod", mass * length * length / 12));
}

// A disc of radius 1 m; inertia m R²/2.
Slider coin() {
  return Slider({disc_support(Vec2::Zero(), 1, mass * gravity, disc(mu))},
                body("disc", 0.5 * mass));
}

Plot rod_path(const Slide& thrown) {
  Plot plot(560, 330, {-0.5, 2.3}, {-0.45, 1.2}, true);
  plot.axes("x [m]", "y [m]", {0.0, 0.5, 1.0, 1.5, 2.0}, {0.0, 0.5, 1.0});
  std::vector<Vec2> centre;
  const auto outline = [&](const SlideSample& at, const char* css) {
    const Vec2 c = at.pose.head<2>();
    const Vec2 half = 0.5 * length * Vec2(std::cos(at.pose[2]), std::sin(at.pose[2]));
    plot.line({c - half, c + half}, css);
  };
  for (std::size_t k = 0; k < thrown.trajectory.size(); ++k) {
    const SlideSample& at = thrown.trajectory[k];
    if (k % 10 == 0 && k + 1 < thrown.trajectory.size()) outline(at, "thin");
    centre.push_back(at.pose.head<2>());
  }
  plot.line(centre, "s2");
  outline(thrown.trajectory.front(), "s1 bold");
  outline(thrown.trajectory.back(), "s2 bold");
  plot.text(centre.front() + Vec2(-0.12, -0.14), "thrown", "label");
  plot.text(centre.back() + Vec2(-0.05, 0.3), "at rest", "label halo");
  return plot;
}

Plot coin_ratios(double limit) {
  Plot plot(460, 330, {0, 1}, {0, 2}, true);
  plot.axes("time / time to rest", "v / (R ω)", {0.0, 0.25, 0.5, 0.75, 1.0},
            {0.0, 0.5, 1.0, 1.5, 2.0});
  plot.line({{0, limit}, {1, limit}}, "s0");
  const Slider slider = coin();
  int colour = 0;
  for (const double ratio : {0.1, 0.4, 1.0, 1.8}) {
    const Slide thrown = slide(slider, {.vx = 3 * ratio, .vy = 0, .omega = 3}, {.samples = 200});
    std::vector<Vec2> line;
    for (const SlideSample& at : thrown.trajectory) {
      const double v = std::hypot(at.motion.vx, at.motion.vy);
      if (at.motion.omega > 0 && at.time < thrown.time_to_rest)
        line.emplace_back(at.time / thrown.time_to_rest, v / at.motion.omega);
    }
    // From a slow start it bends up only in the last moments, between the samples.
    const Motion& last = thrown.final_direction;
    line.emplace_back(1, std::hypot(last.vx, last.vy) / last.omega);
    plot.line(line, fmt::format("s{}", ++colour));
  }
  plot.text({0.03, limit + 0.05}, fmt::format("{:.4f}", limit), "label");
  return plot;
}

}  // namespace

std::vector<Chapter> slide_chapters(Figures& figures) {
  const Motion throw_of_rod{.vx = 2.6, .vy = 1, .omega = 14};
  const Slide thrown = slide(rod(), throw_of_rod, {.samples = 121});
  const Motion last = slide(coin(), {.vx = 1, .vy = 0, .omega = 3}).final_direction;
  const double ratio = std::hypot(last.vx, last.vy) / last.omega;
  const Plot path = rod_path(thrown), ratios = coin_ratios(ratio);
  figures["thrown-rod"] = standalone(path.width(), path.height(), path.body());
  figures["disc-ratios"] = standalone(ratios.width(), ratios.height(), ratios.body());
  const std::string html = fmt::format(
      "<p>A body thrown over a plane is slowed by the load of its own motion. Its direction of "
      "motion (v<sub>x</sub>, v<sub>y</sub>, ρω) descends the dissipated power on the unit sphere, "
      "so translation and rotation stop at the same instant, in a direction that the body alone "
      "decides.</p><div class='pair'><figure>{}<figcaption>A rod of {:g} m, μ = {:g}, thrown at "
      "{:.2f} m/s while it turns at {:g} rad/s. It rests after {:.3f} s. Grey: the rod at equal "
      "times. Orange: its centre. Energy lost and energy dissipated agree to {:.0e}.</figcaption>"
      "</figure><figure>{}<figcaption>A uniform disc of 1 m, thrown with four ratios of speed to "
      "spin. Whatever the throw, v/(Rω) → {:.7f} as it comes to rest.</figcaption></figure></div>",
      path.svg(), length, mu, std::hypot(throw_of_rod.vx, throw_of_rod.vy), throw_of_rod.omega,
      thrown.time_to_rest, std::max(thrown.energy_error, 1e-16), ratios.svg(), ratio);
  return {{"free-sliding", "Free sliding", html}};
}

}  // namespace stiction::report
