// SPDX-License-Identifier: Apache-2.0
//
// The report's section of the cone room: the linearised cones over the disc, their true errors, and
// what they do to a sliding block.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "report/report.h"
#include "report/svg.h"
#include "stiction/law.h"
#include "stiction/linearisation.h"

namespace stiction::report {

namespace {

constexpr double mu = 0.5;

struct Linearisation {
  std::string name, text, css;
};

const std::vector<Linearisation>& linearisations() {
  static const std::vector<Linearisation> list{{"disc (exact)", "disc:0.5", "s0"},
                                               {"pyramid", "pyramid:0.5", "s1"},
                                               {"box", "box:0.5", "s2"},
                                               {"scaled box", "scaled-box:0.5", "s3"},
                                               {"octagon inside", "ngon:0.5,8", "s4"},
                                               {"octagon around", "ngon-out:0.5,8", "s5"}};
  return list;
}

LimitCurve curve_of(const Linearisation& l) { return limit_curve(parse_law(l.text)); }

std::string key() {
  std::string html;
  for (std::size_t i = 0; i < linearisations().size(); ++i)
    html += fmt::format(
        "<span class='entry'><span class='key' style='background:var(--{})'></span>{}</span> ",
        i == 0 ? "ink" : fmt::format("c{}", i), linearisations()[i].name);
  return html;
}

// For the documentation, which has no page around the figure: the key in a strip above it.
std::string with_key(const Plot& plot) {
  std::string strip;
  double x = 14;
  for (const Linearisation& l : linearisations()) {
    strip += fmt::format(
        "<path class='{}' d='M{:g} 14h18'/><text class='note' x='{:g}' y='18'>{}</text>", l.css, x,
        x + 24, l.name);
    x += 34 + 6.1 * static_cast<double>(l.name.size());
  }
  return standalone(std::max(plot.width(), x), plot.height() + 26,
                    strip + "<g transform='translate(0 26)'>" + plot.body() + "</g>");
}

std::string figure(const Plot& plot, const std::string& caption) {
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>", plot.svg(), caption);
}

Plot overlay() {
  Plot plot(520, 480, {-0.8, 0.8}, {-0.74, 0.74}, true);
  plot.axes(subscript("f₁ / f_n"), subscript("f₂ / f_n"), {-0.5, 0, 0.5}, {-0.5, 0, 0.5});
  for (const Linearisation& l : linearisations()) plot.area(outline(curve_of(l)), l.css);
  return plot;
}

Plot error_against_sides() {
  const auto tick = [](double value, const std::string& label) {
    return Tick(std::log10(value), label);
  };
  Plot plot(520, 480, {std::log10(2.5), std::log10(128)}, {std::log10(3e-4), 0.05}, true);
  plot.axes("number of sides N", "worst error of strength",
            {tick(3, "3"), tick(4, "4"), tick(8, "8"), tick(16, "16"), tick(32, "32"),
             tick(64, "64"), tick(128, "128")},
            {tick(1e-3, "0.1 %"), tick(1e-2, "1 %"), tick(0.1, "10 %"), tick(1, "100 %")});
  for (const bool outside : {false, true}) {
    std::vector<Vec2> points;
    for (int n = 3; n <= 128; ++n) {
      const ConeQuality q = cone_quality(outside ? ngon_out(mu, n) : ngon(mu, n), mu);
      points.emplace_back(std::log10(n), std::log10(outside ? q.over : q.under));
    }
    plot.line(points, outside ? "s5" : "s4");
  }
  plot.line({{std::log10(2.5), std::log10(0.02)}, {std::log10(128), std::log10(0.02)}}, "s0");
  plot.text({std::log10(2.6), std::log10(0.0225)}, "2 %", "note");
  plot.text({std::log10(11), std::log10(0.28)}, "around: 1/cos(π/N) − 1", "note");
  plot.text({std::log10(11), std::log10(0.2)}, "inside: 1 − cos(π/N)", "note");
  return plot;
}

Plot against_slip(bool power) {
  Plot plot = power ? Plot(520, 340, {0, 180}, {0.6, 1.5}, true)
                    : Plot(520, 340, {0, 180}, {-50, 50}, true);
  if (power)
    plot.axes("slip direction [°]", "power / exact power", {0, 45, 90, 135, 180},
              {0.6, 0.8, 1, 1.2, 1.4});
  else
    plot.axes("slip direction [°]", "force direction − slip direction [°]", {0, 45, 90, 135, 180},
              {-45, -22.5, 0, 22.5, 45});
  for (const Linearisation& l : linearisations()) {
    const LimitCurve curve = curve_of(l);
    std::vector<Vec2> points;
    for (long k = 0; k <= 720; ++k) {
      const SlipError e = slip_error(curve, mu, Direction::turn(k, 1440));
      const double degrees = 0.25 * static_cast<double>(k);
      points.emplace_back(degrees, power ? e.power : e.direction * 180 / std::numbers::pi);
    }
    plot.line(points, l.css);
  }
  return plot;
}

Vec2 throw_velocity() { return 3.0 * Direction::degrees(25).unit(); }

Plot paths() {
  Plot plot(900, 568, {0, 1.25}, {-0.02, 0.75}, true);
  plot.axes("x [m]", "y [m]", {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2}, {0, 0.2, 0.4, 0.6});
  for (const Linearisation& l : linearisations()) {
    const ThrownBlock thrown = throw_block(curve_of(l), mu, throw_velocity(), 400);
    plot.line(thrown.path, l.css);
    plot.dot(thrown.path.back(), 3.5, "point");
  }
  return plot;
}

std::string error_table() {
  std::string html =
      "<div class='scroll'><table><tr><th>curve</th><th>rows</th><th>inscribed / "
      "μ</th><th>circumscribed "
      "/ μ</th><th>too weak</th><th>at</th><th>too strong</th><th>at</th><th>area / disc</th></tr>";
  std::vector<Linearisation> list = linearisations();
  for (const int n : {16, 32, 64})
    list.push_back({fmt::format("{}-gon inside", n), fmt::format("ngon:{},{}", mu, n), ""});
  const auto percent = [](double e) { return e > 0 ? fmt::format("{:.2f} %", 100 * e) : "0"; };
  const auto degrees = [](const std::optional<double>& a) {
    return a ? fmt::format("{:.4g}°", *a) : "";
  };
  for (const Linearisation& l : list) {
    const LimitCurve curve = curve_of(l);
    const ConeQuality q = cone_quality(curve, mu);
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.4f}</td><td>{:.4f}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{:.4f}</td></tr>",
        l.name, curve.is_polygonal() ? std::to_string(curve.half_planes().size()) : "1 cone",
        q.inscribed, q.circumscribed, percent(q.under), degrees(q.under_at_deg), percent(q.over),
        degrees(q.over_at_deg), q.area_ratio);
  }
  return html + "</table></div>";
}

std::string block_table() {
  std::string html =
      "<div class='scroll'><table><tr><th>law</th><th>worst direction error</th><th>least power / "
      "exact</th><th>greatest power / exact</th><th>thrown: stops after</th><th>against exact</th>"
      "<th>drift to the left</th></tr>";
  const double exact = throw_block(disc(mu), mu, throw_velocity(), 4000).path.back().norm();
  double least_in_a_step = infinity;
  for (const Linearisation& l : linearisations()) {
    const LimitCurve curve = curve_of(l);
    double worst = 0, least = infinity, greatest = 0;
    for (long k = 0; k < 3600; ++k) {
      const Direction slip = Direction::turn(k, 3600);
      const SlipError e = slip_error(curve, mu, slip);
      // On a flat the force may be any of it, and its ends are the worst of the corners there.
      const Face face = curve.face(slip.unit());
      for (const Vec2& f : {face.first, face.last})
        worst = std::max(worst, std::abs(std::atan2(cross(slip.unit(), f), slip.unit().dot(f))));
      least = std::min(least, e.power);
      greatest = std::max(greatest, e.power);
    }
    const ThrownBlock thrown = throw_block(curve, mu, throw_velocity(), 4000);
    const double drift = cross(throw_velocity().normalized(), thrown.path.back());
    least_in_a_step = std::min(least_in_a_step, thrown.least_power);
    html += fmt::format(
        "<tr><td>{}</td><td>{:.1f}°</td><td>{:.4f}</td><td>{:.4f}</td><td>{:.4f} m</td>"
        "<td>{:+.1f} %</td><td>{:.1f} mm</td></tr>",
        l.name, worst * 180 / std::numbers::pi, least, greatest, thrown.path.back().norm(),
        100 * (thrown.path.back().norm() / exact - 1), std::round(1e4 * drift) / 10 + 0.0);
  }
  return html + fmt::format(
                    "</table></div><p>The least power dissipated in any step of any of these runs "
                    "is {:g} W/kg, in the step that ends at rest.</p>",
                    least_in_a_step + 0.0);
}

}  // namespace

std::vector<Chapter> cone_chapters(Figures& figures) {
  const Plot over = overlay(), sides = error_against_sides(), direction = against_slip(false),
             power = against_slip(true), path = paths();
  figures["linearisations"] = with_key(over);
  figures["ngon-error"] = standalone(sides.width(), sides.height(), sides.body());
  figures["direction-error"] = with_key(direction);
  figures["power-ratio"] = with_key(power);
  figures["thrown-block"] = with_key(path);
  std::string html =
      "<div class='equation'>K = {(r<sub>n</sub>, r<sub>t</sub>) : −r<sub>t</sub> ∈ r<sub>n</sub> "
      "C},"
      "&emsp;K* = {(u<sub>n</sub>, u<sub>t</sub>) : u<sub>n</sub> ≥ h(u<sub>t</sub>)}<br><small>K: "
      "the reactions a contact can give. K*: its dual, of velocities.</small></div>"
      "<p>Engines replace the disc by a polygon, so that the cone has rows. This is what it costs, "
      "at "
      "μ = 0.5." +
      key() + "</p><div class='pair'>" +
      figure(over, "The curves over the disc. The scaled box is the pyramid turned by 45°.") +
      figure(sides,
             "An octagon inside the disc is 7.61 % too weak, not under 2 %: that needs N ≥ 16.") +
      "</div><h3>True errors</h3>" + error_table() +
      "<h3>What a sliding block feels</h3><p>Friction is the face of the curve for the slip. A "
      "polygon "
      "answers whole sectors of slip with one corner, so friction is not opposite to the slip." +
      key() + "</p><div class='pair'>" +
      figure(direction,
             "Angle from the slip to the force. It jumps where the slip is normal to a flat. The "
             "two boxes coincide, and so do the two octagons.") +
      figure(power, "Power dissipated. It never comes near zero: no linearisation adds energy.") +
      "</div>" +
      figure(path,
             "A block thrown at 3 m/s and 25° with g = 9.81 m/s². Under the exact law it goes "
             "straight; polygons bend its path and stop it early or late.") +
      block_table() +
      "<p>Does the box inject energy? It does not: the least power over all slips is the exact "
      "law’s, "
      "the greatest is √2 times that. The box is up to 41 % too strong and pulls sideways by up to "
      "45°, but every axis dissipates.</p>";
  return {{"cones", "Friction cones", html}};
}

}  // namespace stiction::report
