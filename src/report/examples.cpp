// SPDX-License-Identifier: Apache-2.0
//
// The report's section of worked examples, whose answers fit on paper: sketches of each, and where
// its regimes lie.  The derivations are in docs/worked-examples.md, the scenes in scenes/.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "report/report.h"
#include "report/svg.h"
#include "stiction/law.h"

namespace stiction::report {

namespace {

constexpr double pi = std::numbers::pi;

Plot incline() {
  Plot plot(300, 220, {-0.4, 5.6}, {-0.7, 3.7}, false);
  const Vec2 along(0.8, 0.6), up(-0.6, 0.8);  // the friction angle of μ = ¾
  plot.area({{0, 0}, {4.8, 0}, {4.8, 3.6}}, "curve");
  const Vec2 foot = 2.6 * along, centre = foot + 0.45 * up;
  plot.area({foot - 0.6 * along, foot + 0.6 * along, foot + 0.6 * along + 0.9 * up,
             foot - 0.6 * along + 0.9 * up},
            "locus");
  plot.arrow(centre, centre - Vec2(0, 1.6), "slip bold");
  plot.arrow(foot, foot + 1.28 * up, "force");
  plot.arrow(foot, foot + 0.96 * along, "force");
  plot.text(centre + Vec2(0.12, -1.55), "mg", "label");
  plot.text(foot + 1.34 * up, "rₙ", "label");
  plot.text(foot + 1.05 * along + Vec2(0.1, -0.1), "rₜ", "label");
  plot.text({0.95, 0.18}, "α", "label");
  plot.text({0, -0.55}, "stays while tan α ≤ μ", "note");
  return plot;
}

struct Pushed {
  const char *name, *law, *css;
};
const std::vector<Pushed>& pushed() {
  static const std::vector<Pushed> list{{"exact", "disc:0.5", "s0"},
                                        {"pyramid", "pyramid:0.5", "s1"},
                                        {"box", "box:0.5", "s2"},
                                        {"scaled box", "scaled-box:0.5", "s3"},
                                        {"octagon", "ngon:0.5,8", "s4"}};
  return list;
}

// u = p − proj_C(p): what each curve leaves over of the push p.
Plot push() {
  Plot plot(460, 330, {-0.62, 1.18}, {-0.62, 0.67}, false);
  plot.cross_hair();
  const Vec2 p(std::cos(pi / 6), std::sin(pi / 6));
  for (const Pushed& one : pushed()) {
    const LimitCurve curve = limit_curve(parse_law(one.law));
    std::vector<Vec2> outline;
    for (int k = 0; k < 720; ++k) {
      const double a = k * pi / 360;
      const Vec2 e(std::cos(a), std::sin(a));
      outline.push_back(e / curve.gauge(e));
    }
    plot.area(outline, one.css);
    plot.arrow(curve.project(p), p, one.css);
    const double y = -0.12 - 0.08 * (one.css[1] - '0');
    plot.line({{0.68, y}, {0.76, y}}, one.css);
    plot.text({0.79, y - 0.015}, one.name, "note");
  }
  plot.dot(p, 4, "forcedot");
  plot.text({0.72, 0.56}, "the push", "label");
  return plot;
}

Plot two_blocks() {
  Plot plot(300, 190, {-2, 4}, {-0.6, 3.2}, false);
  plot.line({{-2, 0}, {4, 0}}, "locus");
  plot.area({{-1.2, 0.02}, {1.6, 0.02}, {1.6, 1.1}, {-1.2, 1.1}}, "curve");
  plot.area({{-0.7, 1.12}, {0.9, 1.12}, {0.9, 2.2}, {-0.7, 2.2}}, "curve");
  plot.arrow({0.9, 1.7}, {2.6, 1.7}, "slip bold");
  plot.text({2.7, 1.65}, "T", "label");
  plot.text({-0.05, 1.6}, "1", "label");
  plot.text({-0.05, 0.5}, "2", "label");
  plot.text({1.7, 1.05}, "μ₁", "label");
  plot.text({2.4, 0.12}, "μ₂", "label");
  return plot;
}

Plot ladder() {
  Plot plot(300, 300, {-1.1, 0.95}, {-1.1, 1.05}, false);
  const Vec2 foot(-0.5, -std::sqrt(0.75)), top = -foot;
  plot.line({{-1.1, foot.y()}, {top.x(), foot.y()}, {top.x(), 1.05}}, "locus");
  plot.line({foot, top}, "s0");
  plot.arrow({0, 0}, {0, -0.45}, "slip bold");
  // Both ends of the continuum at μ = ½, in units of the weight: thick is the range.
  const double c = 1 / std::sqrt(3);
  for (const double F : {-0.25 * c / (1 - 0.5 * c), 0.25 * c / (1 + 0.5 * c)}) {
    plot.arrow(foot, foot + 0.5 * Vec2((0.5 - F) * c, 1 - F), "force");
    plot.arrow(top, top + 0.5 * Vec2(-(0.5 - F) * c, F), "force");
  }
  plot.text({0.04, -0.42}, "mg", "label");
  plot.text({-0.42, foot.y() + 0.05}, "60°", "note");
  return plot;
}

// Where the rod jams: μ > (t² + 4)/(3t) with t = tan of its angle.
Plot rod() {
  Plot plot(460, 300, {0, 90}, {0, 4}, true);
  plot.axes("angle of the rod [°]", "μ", {0, 15, 30, 45, 60, 75, 90}, {0, 1, 2, 3, 4});
  std::vector<Vec2> boundary;
  for (int k = 40; k <= 359; ++k) {
    const double t = std::tan(0.25 * k * pi / 180), mu = (t * t + 4) / (3 * t);
    if (mu <= 4) boundary.emplace_back(0.25 * k, mu);
  }
  plot.line(boundary, "s2");
  plot.text({42, 2.9}, "p &lt; 0: two answers or none", "label");
  plot.text({30, 0.6}, "p &gt; 0: one answer", "label");
  const double least = 180 / pi * std::atan(2.0);
  plot.dot({least, 4.0 / 3}, 3.5, "point");
  plot.text({least - 8, 1.12}, "63.43°, 4/3", "note");
  plot.dot({60, 2}, 3.5, "forcedot");
  plot.text({61.5, 1.95}, "rod-fast, rod-slow", "note");
  return plot;
}

std::string figure(const Plot& plot, const std::string& caption) {
  return "<figure>" + plot.svg() + "<figcaption>" + caption + "</figcaption></figure>";
}

}  // namespace

std::vector<Chapter> example_chapters(Figures& figures) {
  const Plot a = incline(), b = push(), c = two_blocks(), d = ladder(), e = rod();
  for (const auto& [name, plot] :
       {std::pair("incline", &a), std::pair("push", &b), std::pair("two-blocks", &c),
        std::pair("ladder", &d), std::pair("rod", &e)})
    figures[std::string("example-") + name] =
        standalone(plot->width(), plot->height(), plot->body());
  return {
      {"examples", "Worked examples",
       "<p>Small problems whose answers fit on paper; the tests compare both.</p><div "
       "class='pair'>" +
           figure(a, "A block on an incline stays up to the friction angle.") +
           figure(
               b,
               "A block pushed at 30° with its own weight, μ = ½. What is left of the push beyond "
               "the nearest point of the curve moves it: five curves, five directions.") +
           figure(c,
                  "The upper block is pulled. It slips first if μ₁m₁ ≤ μ₂(m₁ + m₂); otherwise both "
                  "start together, and part at a greater pull.") +
           figure(
               d,
               "A ladder at 60° with μ = ½: the wall’s friction is anything between the two arrows "
               "at its top. It stands from μ = tan 15° = 0.268 on.") +
           figure(
               e,
               "A rod that slides tip first. Above the curve more normal force pulls the tip down: "
               "forces alone have two answers or none (Painlevé).") +
           "</div>"}};
}

}  // namespace stiction::report
