// SPDX-License-Identifier: Apache-2.0
//
// The report's sections of the slider room: limit surfaces with their flats and corners, their
// sections, and the moment function.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/report.h"
#include "report/slider_pictures.h"
#include "report/svg.h"
#include "report/viewer.h"
#include "stiction/slider_surface.h"

namespace stiction::report {

namespace {

constexpr int fine = 56, coarse = 14;  // resolutions of the viewer's mesh and of the still picture

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

// Wheels on a circle, each free to roll along it counter-clockwise and locked the other way.
constexpr int wheels = 16;
Slider ratcheted_ring() {
  std::vector<Support> supports;
  for (int k = 0; k < wheels; ++k) {
    const Direction at = Direction::turn(k, wheels);
    supports.push_back(point(at.unit(), 1.0 / wheels, ratchet(1, at.left())));
  }
  return Slider(supports);
}

Slider tripod() {
  std::vector<Support> supports;
  for (const double degrees : {90.0, 210.0, 330.0})
    supports.push_back(point(Direction::degrees(degrees).unit(), 1.0 / 3, disc(1)));
  return Slider(supports);
}

Space space_of(const std::string& title, const Slider& slider, int resolution,
               const std::vector<SpacePoint>& marked) {
  return surface_space(title, limit_surface(slider, {.resolution = resolution}), marked);
}

std::vector<SpacePoint> dumbbell_points() {
  std::vector<SpacePoint> points;
  const char* names[] = {"V₁", "V₂", "V₃", "V₄"};
  const Vec3 vertices[] = {{1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}};
  for (int k = 0; k < 4; ++k) points.push_back({vertices[k], names[k], "ink", vertices[k]});
  // Centres of the flats: one support turns about the other.
  int number = 1;
  for (const auto& [vx, omega] :
       {std::pair(1.0, 1.0), std::pair(-1.0, 1.0), std::pair(-1.0, -1.0), std::pair(1.0, -1.0)}) {
    const LoadSet set = load(dumbbell(), {.vx = vx, .vy = 0, .omega = omega});
    static const char* const facets[] = {"", "E₁", "E₂", "E₃", "E₄"};
    points.push_back({set.load.vector(), facets[number++], "c5", {vx, 0, omega}});
  }
  return points;
}

// A section of the dumbbell's surface through the origin, with the curve it should be.
std::string section_card(const SurfaceMesh& mesh, int axis, const char* x_label,
                         const char* y_label, const char* name, const char* says) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const bool swapped = axis == 1;  // F_x to the right, M upwards
  Plot plot(300, 300, {-1.35, 1.35}, {-1.35, 1.35}, true);
  plot.axes(subscript(x_label), subscript(y_label), {-1.0, -0.5, 0.0, 0.5, 1.0},
            {-1.0, -0.5, 0.0, 0.5, 1.0});
  std::vector<Vec2> outline;
  for (const Vec3& P : plane_section(mesh, Vec3::Unit(axis)))
    outline.push_back(swapped ? Vec2(P[v], P[u]) : Vec2(P[u], P[v]));
  plot.area(outline, "curve");
  const auto mark = [&](const Vec2& at, const char* label) {
    plot.dot(at, 3.5, "point");
    plot.text(1.17 * at - Vec2(0, 0.04), label, "label mid");
  };
  if (axis == 1) {
    mark({1, 0}, "V₁");
    mark({0, 1}, "V₂");
    mark({-1, 0}, "V₃");
    mark({0, -1}, "V₄");
  } else if (axis == 0) {
    mark({0, 1}, "V₂");
    mark({0, -1}, "V₄");
  } else {
    mark({1, 0}, "V₁");
    mark({-1, 0}, "V₃");
  }
  return fmt::format("<div class='card'>{}<b>{}</b><div class='says'>{}</div></div>", plot.svg(),
                     name, says);
}

double moment_at(const Slider& slider, const Vec2& c) {
  return load(slider, {.vx = c.y(), .vy = -c.x(), .omega = 1}).power;
}

// M_c over the plane.  The supports, where it has a kink, are nodes of the grid.
Space moment_space(const Slider& slider, int steps) {
  Space space;
  space.title = "Moment function of three supports: a bowl with a kink at each support";
  const double dx = std::sqrt(3) / 2 / steps, dy = 0.5 / steps;
  const int nx = steps + steps / 2, ny = 2 * steps + steps / 2;
  const auto node = [&](int i, int j) {
    const Vec2 c(i * dx, j * dy);
    return Vec3(c.x(), c.y(), moment_at(slider, c));
  };
  SpaceMesh mesh{.vertices = {}, .triangles = {}, .color = "c1", .opacity = 1};
  double greatest = 0;
  for (int j = -ny; j <= ny; ++j)
    for (int i = -nx; i <= nx; ++i) {
      mesh.vertices.push_back(node(i, j));
      greatest = std::max(greatest, mesh.vertices.back().z());
    }
  const int row = 2 * nx + 1;
  for (int j = 0; j < 2 * ny; ++j)
    for (int i = 0; i < 2 * nx; ++i) {
      const int a = j * row + i, b = a + 1, c = a + row, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  // Lines of constant x_c and y_c, those through the supports among them.
  const int every = std::max(1, steps / 4);
  for (int j = -ny; j <= ny; ++j)
    if (j % every == 0) {
      space.lines.push_back({.points = {}, .color = "card", .closed = false});
      for (int i = -nx; i <= nx; ++i) space.lines.back().points.push_back(node(i, j));
    }
  for (int i = -nx; i <= nx; ++i)
    if (i % every == 0) {
      space.lines.push_back({.points = {}, .color = "card", .closed = false});
      for (int j = -ny; j <= ny; ++j) space.lines.back().points.push_back(node(i, j));
    }
  space.axes = {SpaceAxis{"x_c", "m", -nx * dx, nx * dx, 1},
                {"y_c", "m", -ny * dy, ny * dy, 1},
                {"M_c", "N m", 0.8, greatest, 2}};
  space.meshes = {mesh};
  const char* names[] = {"support 1", "support 2", "support 3"};
  for (std::size_t k = 0; k < slider.supports().size(); ++k) {
    const Vec2& at = slider.supports()[k].at;
    space.points.push_back({{at.x(), at.y(), moment_at(slider, at)}, names[k], "c2", Vec3::Zero()});
  }
  space.points.push_back(
      {{0, 0, moment_at(slider, Vec2::Zero())}, "centre of twist", "c5", Vec3::Zero()});
  space.view = {1.0, -1.5, 1.7};
  return space;
}

// Lines of equal M_c: of each cell of a fine grid, the pieces where it crosses a level.
Plot moment_levels(const Slider& slider) {
  constexpr int n = 90;
  constexpr double half = 1.5, step = 2 * half / n;
  Plot plot(460, 420, {-half, half}, {-half, half}, true);
  plot.axes(subscript("x_c [m]"), subscript("y_c [m]"), {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5},
            {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5});
  Eigen::VectorXd value((n + 1) * (n + 1));
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      value[j * (n + 1) + i] = moment_at(slider, {i * step - half, j * step - half});
  for (const double level : {1.01, 1.05, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2.0}) {
    auto pieces = level_lines(value, n, n, level);
    for (auto& piece : pieces)
      for (Vec2& end : piece) end = step * end - Vec2(half, half);
    plot.lines(pieces, "s1");
  }
  // Each level where it crosses the axis below the centre.
  for (const double level : {1.05, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0}) {
    double low = 0, high = 2 * half;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (moment_at(slider, {0, -middle}) < level ? low : high) = middle;
    }
    if (low < half) plot.text({-0.06, -low - 0.03}, fmt::format("{:g}", level), "tick halo");
  }
  for (std::size_t k = 0; k < slider.supports().size(); ++k) {
    plot.dot(slider.supports()[k].at, 4, "s2 full");
    plot.text(slider.supports()[k].at + Vec2(0.06, 0.06), fmt::format("support {}", k + 1),
              "label halo");
  }
  plot.dot(Vec2::Zero(), 4, "s5 full");
  plot.text({0.06, -0.12}, "centre of twist", "label halo");
  return plot;
}

std::string caption(const std::string& html) {
  return fmt::format("<figcaption>{}</figcaption>", html);
}

std::string surface_section(Figures& figures) {
  const SurfaceMesh mesh = limit_surface(dumbbell(), {.resolution = fine});
  const Space still =
      space_of("Limit surface of the dumbbell", dumbbell(), 2 * coarse, dumbbell_points());
  figures["limit-surface"] = standalone(640, 480, space_svg(still, 640, 480));
  std::string html =
      "<div class='equation'>H(Q) = Σ N h(slip),&emsp; P ∈ ∂H(Q)<br><small>Q = (v<sub>x</sub>, "
      "v<sub>y</sub>, ω): motion of a body on a plane. P = (F<sub>x</sub>, F<sub>y</sub>, M): its "
      "load on the ground. H: the power dissipated.</small></div>"
      "<p>The loads that friction can carry fill a convex body, the sum of its supports’ limit "
      "curves. Its boundary is the limit surface: a load inside holds still, a load on it slides "
      "along the surface’s normal, and none is outside.</p>";
  if (!has_viewer())
    html +=
        "<p class='lead'>These are still pictures: the viewer that turns them was not built, since "
        "npm or its registry could not be reached.</p>";
  html += "<h3>The dumbbell</h3><div class='pair'><figure>";
  html += space_html(space_of("Limit surface of the dumbbell: four flat ellipses and four "
                              "corners on a curved body",
                              dumbbell(), fine, dumbbell_points()),
                     still);
  html +=
      caption(fmt::format("Two supports of strength μN = ½ N at (0, ±1) m. "
                          "<span class='key' style='background:var(--c1)'></span>curved"
                          "<span class='key' style='background:var(--c2)'></span>flat. Mesh of {} "
                          "triangles, nowhere farther than {:.2g} N from the surface.",
                          mesh.triangles.size(), mesh.max_error));
  html +=
      "</figure><div><p><b>E₁ … E₄ are flats.</b> The body turns about one support, which does not "
      "slip and so carries any force of its disc: one motion, an ellipse of loads.</p><p><b>V₁ … "
      "V₄ are corners.</b> The body turns about any point of the line through both supports: "
      "outside them V₁ or V₃, between them V₂ or V₄. One load, a right angle of motions.</p>"
      "<p>Drag to turn it, pinch to zoom, or scroll after a click; the arrow keys and "
      "<kbd>+</kbd> <kbd>−</kbd> do the same and <kbd>R</kbd> resets.</p></div></div>"
      "<h3>Its sections</h3><div class='cards' "
      "style='grid-template-columns:repeat(auto-fill,minmax(290px,1fr))'>";
  html += section_card(mesh, 1, "F_x [N]", "M [N m]", "F<sub>y</sub> = 0: a square",
                       "its sides are the flats’ long axes, its corners V₁ … V₄");
  html += section_card(mesh, 0, "F_y [N]", "M [N m]", "F<sub>x</sub> = 0: a circle",
                       "both supports carry ½ N at one angle to their line, mirrored");
  html += section_card(mesh, 2, "F_x [N]", "F_y [N]", "M = 0: a circle",
                       "translations: with isotropic friction their force is the same every way");
  html += "</div>";
  return html;
}

std::string ratchet_section() {
  const Slider ring = ratcheted_ring();
  const std::vector<SpacePoint> points{{Vec3::Zero(), "O", "ink", Vec3::UnitZ()},
                                       {load(ring, {.vx = 0, .vy = 0, .omega = -1}).load.vector(),
                                        "turns back", "ink", -Vec3::UnitZ()}};
  Space moved = space_of("Limit surface of a ring of ratcheted wheels", ring, fine, points);
  Space still = space_of("Limit surface of a ring of ratcheted wheels", ring, coarse, points);
  return "<h3>A ring of ratcheted wheels</h3><div class='pair'><figure>" +
         space_html(moved, still) +
         caption(fmt::format("{} wheels on a circle of 1 m, μN = 1 N in all, each free to roll "
                             "along it counter-clockwise and locked the other way.",
                             wheels)) +
         "</figure><div><p>Turning counter-clockwise about the centre costs nothing: the origin O "
         "lies on the surface. Turning back takes the whole moment, 1 N m, and every other motion "
         "is resisted too.</p><p>The flat on top holds the forces that wheels can carry across "
         "their rolling. The small flats belong to turns about one of the wheels, which then "
         "carries any force of its half disc.</p></div></div>";
}

std::string moment_section() {
  const Slider slider = tripod();
  return "<p>Every motion that is not a translation turns about some point c of the plane. The "
         "moment function M<sub>c</sub> is the friction moment about that point, per turn: it "
         "holds all of the limit surface, for F<sub>x</sub> = ∂M<sub>c</sub>/∂y<sub>c</sub> and "
         "F<sub>y</sub> = −∂M<sub>c</sub>/∂x<sub>c</sub>. It is convex. At a support it has a "
         "kink: the load of a turn about it is not unique, a flat of the surface. At its minimum, "
         "the centre of twist, there is no force: a pure moment turns the body about it.</p>"
         "<div class='pair'><figure>" +
         space_html(moment_space(slider, 16), moment_space(slider, 4)) +
         caption(
             "Three supports of strength μN = ⅓ N at 1 m from the centre. Light lines: "
             "constant x<sub>c</sub> and y<sub>c</sub>.") +
         "</figure><figure>" + moment_levels(slider).svg() +
         caption(
             "The same from above: lines of equal moment, in N m. The force is "
             "large where they are close, and along them.") +
         "</figure></div>";
}

}  // namespace

std::vector<Chapter> slider_chapters(Figures& figures) {
  return {{"limit-surfaces", "Limit surfaces", surface_section(figures) + ratchet_section()},
          {"moment-function", "Moment function", moment_section()}};
}

}  // namespace stiction::report
