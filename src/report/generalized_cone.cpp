// SPDX-License-Identifier: Apache-2.0
//
// The report's section of generalized friction cones: the rod's cones from line to plane, where it
// jams, and an impact inside its cone.
#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/report.h"
#include "report/svg.h"
#include "report/viewer.h"
#include "stiction/free_bodies.h"
#include "stiction/generalized_cone.h"
#include "stiction/impact.h"

namespace stiction::report {

namespace {

using Eigen::Matrix3d;

constexpr double degree = std::numbers::pi / 180;

struct Shown {
  double mu;
  std::string label, color, css;
};

const std::vector<Shown>& coefficients() {
  static const std::vector<Shown> list{{0.2, "μ = 0.2", "c3", "s3"},
                                       {0.6, "μ = 0.6, critical", "c1", "s1"},
                                       {1.0, "μ = 1", "c5", "s5"},
                                       {5.0 / 3, "μ = 5/3, jams beyond", "c2", "s2"},
                                       {4.0, "μ = 4", "c4", "s4"}};
  return list;
}

// The boundary of apex + W·K out to a distance, and its rim.
void add_cone(Space& space, const Matrix3d& W, double mu, const Vec3& apex, double length,
              int around, const std::string& color, double opacity) {
  SpaceMesh mesh{.vertices = {}, .triangles = {}, .color = color, .opacity = opacity};
  SpaceLine rim{.points = {}, .color = color, .closed = true};
  for (int k = 0; k < around; ++k) {
    const Vec2 f = mu * Direction::turn(k, around).unit();
    const Vec3 e = (W * Vec3(-f.x(), -f.y(), 1)).normalized();
    mesh.vertices.push_back(apex + 0.01 * length * e);
    mesh.vertices.push_back(apex + length * e);
    rim.points.push_back(apex + length * e);
  }
  for (int k = 0; k < around; ++k) {
    const int a = 2 * k, b = 2 * ((k + 1) % around);
    mesh.triangles.push_back({a, a + 1, b + 1});
    mesh.triangles.push_back({a, b + 1, b});
  }
  space.meshes.push_back(mesh);
  space.lines.push_back(rim);
}

Space rod_space(int around) {
  const Matrix3d W = rod_delassus(45);
  Space space;
  space.title =
      "Generalized friction cones of a rod at 45 degrees: nested cones from a line at no friction "
      "to a plane at infinite friction";
  space.axes = {SpaceAxis{"δu_x", "m/s", -1.1, 1.1, 1},
                {"δu_y", "m/s", -1.1, 1.1, 1},
                {"δu_z", "m/s", -0.7, 1.1, 1}};
  for (const Shown& s : coefficients()) {
    add_cone(space, W, s.mu, Vec3::Zero(), 1, around, s.color, 0.3);
    // Where the rim is for a slip along x; of the narrowest cone along y, away from the line.
    const Vec3 e = (W * (s.mu < 0.5 ? Vec3(0, s.mu, 1) : Vec3(-s.mu, 0, 1))).normalized();
    space.points.push_back({e, s.label, s.color, Vec3::Zero()});
  }
  // The plane that infinite friction tends to.
  const Vec3 normal = bounding_normal(W), a = W.col(0).normalized(), b = normal.cross(a);
  SpaceMesh plane{.vertices = {Vec3::Zero()}, .triangles = {}, .color = "muted", .opacity = 0.22};
  for (int k = 0; k < around; ++k) {
    const Vec2 d = Direction::turn(k, around).unit();
    plane.vertices.emplace_back(d.x() * a + d.y() * b);
    plane.triangles.push_back({0, k + 1, (k + 1) % around + 1});
  }
  space.meshes.push_back(plane);
  space.points.push_back({-1.0 * b, "μ → ∞: a plane", "muted", Vec3::Zero()});
  const Vec3 line = frictionless_line(W);
  space.lines.push_back({.points = {Vec3::Zero(), 1.4 * line}, .color = "ink", .closed = false});
  space.points.push_back({1.4 * line, "μ = 0: a line", "ink", Vec3::Zero()});
  space.lines.push_back(
      {.points = {Vec3::Zero(), 1.1 * Vec3::UnitZ()}, .color = "muted", .closed = false});
  space.view = {-0.55, -2.0, 0.62};
  return space;
}

// The same cut by the plane of the rod: each cone is a wedge between two rays.
Plot rod_section() {
  Plot plot(460, 420, {-1.15, 1.15}, {-0.85, 1.15}, true);
  plot.axes(subscript("δu_x [m/s]"), subscript("δu_z [m/s]"), {-1.0, -0.5, 0.0, 0.5, 1.0},
            {-0.5, 0.0, 0.5, 1.0});
  const Matrix3d W = rod_delassus(45);
  plot.cross_hair();
  for (const Shown& s : coefficients()) {
    const auto ray = [&](double f) -> Vec2 {
      const Vec3 du = W * Vec3(-f, 0, 1);
      return Vec2(du.x(), du.z()).normalized();
    };
    plot.line({ray(s.mu), Vec2::Zero(), ray(-s.mu)}, s.css);
    const Vec2 at = ray(s.mu);
    const double rise = at.y() < -0.1 ? -0.08 : at.y() < 0.1 ? 0.05 : 0.01;
    plot.text(1.06 * at + Vec2(-0.06, rise), s.mu == 5.0 / 3 ? "5/3" : fmt::format("{:g}", s.mu),
              "label");
  }
  const Vec2 none = Vec2(W(0, 2), W(2, 2)).normalized(), all = Vec2(W(0, 0), W(0, 2)).normalized();
  plot.line({Vec2::Zero(), none}, "s0");
  plot.text(1.03 * none, "0", "label");
  plot.line({-1.0 * all, all}, "thin");
  plot.text(1.0 * all + Vec2(0.02, -0.07), "∞", "label");
  return plot;
}

double crit(double t) { return 3 * t / (1 + 4 * t * t); }
double jam(double t) { return (t * t + 4) / (3 * t); }

// Where the sliding rod jams, over its angle and its coefficient of friction.
Plot paradox_region() {
  constexpr double top = 3;
  Plot plot(500, 420, {0, 90}, {0, top}, true);
  plot.axes("angle of the rod θ [°]", "coefficient of friction μ", {0, 15, 30, 45, 60, 75, 90},
            {0, 0.5, 1, 1.5, 2, 2.5, 3});
  std::vector<Vec2> sticks, jams, region;
  for (int k = 0; k <= 900; ++k) {
    const double theta = 0.1 * k, t = std::tan(std::min(theta, 89.99) * degree);
    sticks.emplace_back(theta, crit(t));
    if (k > 0 && jam(t) <= top) jams.emplace_back(theta, jam(t));
  }
  region = jams;
  region.emplace_back(jams.back().x(), top);
  region.emplace_back(jams.front().x(), top);
  plot.area(region, "region");
  plot.line(jams, "s2 bold");
  plot.line(sticks, "s1 bold");
  for (const double mu : {1.4, 2.0}) {
    const double root = std::sqrt(9 * mu * mu - 16), low = std::atan((3 * mu - root) / 2) / degree,
                 high = std::atan((3 * mu + root) / 2) / degree;
    plot.line({{low, mu}, {high, mu}}, "s4");
    plot.dot({low, mu}, 3.5, "point");
    plot.dot({high, mu}, 3.5, "point");
    plot.text({0.5 * (low + high), mu < 1.5 ? 1.58 : mu + 0.08},
              fmt::format("{:.2f}° to {:.2f}°", low, high), "label mid");
  }
  const double least = std::atan(2) / degree;
  plot.dot({least, 4.0 / 3}, 4, "point");
  plot.text({least, 1.2}, "4/3 at tan θ = 2", "label mid");
  plot.text({58, 2.6}, "sliding can jam", "name mid");
  plot.text({27, 2.2}, subscript("μ_jam"), "label mid");
  plot.text({57, 0.6}, subscript("μ_crit"), "label mid");
  plot.text({30, 1.05}, "slides or lifts off, as it should", "note mid");
  plot.text({38, 0.16}, "below: slip starts again after it stops", "note mid");
  return plot;
}

// A rod at 50° that falls on its tip, sideways slip and all.
const Matrix3d& impact_matrix() {
  static const Matrix3d W = rod_delassus(50);
  return W;
}
constexpr double impact_mu = 0.6, restitution = 0.8;
Vec3 before() { return {-1, 0.8, -1}; }

Impact collide(Restitution::Kind kind) {
  return impact(generalized_cone(impact_matrix(), impact_mu), before(), {kind, restitution});
}

struct Hypothesis {
  Restitution::Kind kind;
  const char *name, *color, *css;
};
constexpr Hypothesis hypotheses[] = {{Restitution::Kind::newton, "Newton", "c2", "s2 full"},
                                     {Restitution::Kind::poisson, "Poisson", "c3", "s3 full"},
                                     {Restitution::Kind::energetic, "energetic", "c4", "s4 full"}};

// All hypotheses follow one path and end at different places of it.
Impact longest() {
  Impact most;
  for (const Hypothesis& h : hypotheses)
    if (Impact next = collide(h.kind); next.impulse.z() > most.impulse.z()) most = std::move(next);
  return most;
}

Vec3 at_impulse(const Impact& impact, double p) {
  const auto next = std::ranges::find_if(
      impact.path, [&](const ImpactPoint& point) { return point.normal_impulse >= p; });
  if (next == impact.path.end()) return impact.path.back().velocity;
  if (next == impact.path.begin()) return next->velocity;
  const auto last = next - 1;
  const double t = (p - last->normal_impulse) / (next->normal_impulse - last->normal_impulse);
  return last->velocity + t * (next->velocity - last->velocity);
}

Space impact_space(int around) {
  const Impact path = longest();
  Space space;
  space.title = "The contact velocity during an impact, inside the generalized friction cone";
  const double length = 1.15 * (path.velocity - before()).norm();
  add_cone(space, impact_matrix(), impact_mu, before(), length, around, "c1", 0.22);
  SpaceLine line{.points = {}, .color = "ink", .closed = false};
  for (int k = 0; k <= 200; ++k)
    line.points.push_back(at_impulse(path, path.impulse.z() * k / 200));
  Vec3 low = before(), high = low;
  for (const SpaceLine& l : {line, space.lines[0]})
    for (const Vec3& p : l.points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  space.lines.push_back(line);
  const Vec3 room = 0.06 * (high - low);
  space.axes = {SpaceAxis{"u_x", "m/s", low.x() - room.x(), high.x() + room.x(), 1},
                {"u_y", "m/s", low.y() - room.y(), high.y() + room.y(), 1},
                {"u_z", "m/s", low.z() - room.z(), high.z() + room.z(), 1}};
  space.points.push_back({before(), "before", "ink", Vec3::Zero()});
  space.points.push_back(
      {at_impulse(path, path.compression_impulse), "closest", "c5", Vec3::Zero()});
  for (const ImpactPhase& phase : path.phases)
    if (phase.mode == ImpactPhase::Mode::stick)
      space.points.push_back({at_impulse(path, phase.from), "slip stops", "c1", Vec3::Zero()});
  for (const Hypothesis& h : hypotheses)
    space.points.push_back({collide(h.kind).velocity, h.name, h.color, Vec3::Zero()});
  space.view = {1.6, -1.2, 0.6};
  return space;
}

Plot impact_plot() {
  const Impact path = longest();
  const double end = 1.05 * path.impulse.z();
  Plot plot(520, 400, {0, end}, {-1.1, 1.4}, true);
  plot.axes("normal impulse p [N s]", "velocity [m/s]", {0, 0.2, 0.4, 0.6, 0.8},
            {-1.0, -0.5, 0.0, 0.5, 1.0});
  std::vector<Vec2> normal, slip;
  for (int k = 0; k <= 400; ++k) {
    const double p = path.impulse.z() * k / 400;
    const Vec3 u = at_impulse(path, p);
    normal.emplace_back(p, u.z());
    slip.emplace_back(p, u.head<2>().norm());
  }
  plot.line({{0, 0}, {end, 0}}, "thin");
  plot.line(slip, "s5");
  plot.line(normal, "s1");
  plot.text(slip[60] + Vec2(0.02, 0.05), "slip ‖uₜ‖", "label");
  plot.text(normal[110] + Vec2(0.02, -0.06), "normal uₙ", "label");
  for (const Hypothesis& h : hypotheses) {
    const Impact i = collide(h.kind);
    plot.dot({i.impulse.z(), i.velocity.z()}, 4.5, h.css);
    plot.text({i.impulse.z() - 0.01, i.velocity.z() + 0.08}, h.name, "label mid");
  }
  return plot;
}

std::string impact_table() {
  std::string html =
      "<div class='scroll'><table><tr><th>restitution, e = 0.8</th><th>normal impulse</th>"
      "<th>normal velocity after</th><th>slip after</th><th>work of compression</th>"
      "<th>of restitution</th><th>of friction</th><th>energy change</th></tr>";
  for (const Hypothesis& h : hypotheses) {
    const Impact i = collide(h.kind);
    html += fmt::format(
        "<tr><td><span class='key' style='background:var(--{})'></span>{}</td><td>{:.4f} N s</td>"
        "<td>{:.4f} m/s</td><td>{:.4f} m/s</td><td>{:.4f} J</td><td>{:.4f} J</td><td>{:.4f} J</td>"
        "<td>{:.4f} J</td></tr>",
        h.color, h.name, i.impulse.z(), i.velocity.z(), i.velocity.head<2>().norm(),
        i.compression_work, i.restitution_work, i.friction_work, i.energy_change);
  }
  return html + "</table></div>";
}

std::string figure(const std::string& picture, const std::string& caption) {
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>", picture, caption);
}

std::string cone_html(Figures& figures, const Plot& paradox) {
  const Space still = rod_space(48);
  figures["generalized-cone"] = standalone(640, 480, space_svg(still, 640, 480));
  const Plot section = rod_section();
  figures["generalized-cone-section"] =
      standalone(section.width(), section.height(), section.body());
  std::string key;
  for (const Shown& s : coefficients())
    key += fmt::format(
        "<span class='entry'><span class='key' style='background:var(--{})'></span>{}</span> ",
        s.color, s.label);
  return "<div class='equation'>δu = W λ,&emsp; λ ∈ K<br><small>λ: an impulse that the contact can "
         "give. W = A M⁻¹ Aᵀ: what an impulse at the contact does to the velocity there, whatever "
         "mechanism is behind it.</small></div>"
         "<p>The friction cone says which impulses a contact can give. Mapped by W it says which "
         "changes of velocity they cause. For a free mass the two look alike; a mechanism turns "
         "and "
         "squeezes its cone. Two coefficients mark what follows. From μ<sub>crit</sub> = "
         "‖W<sub>tt</sub>⁻¹h‖ on the cone holds the normal direction: friction can stop the slip "
         "for good. Beyond μ<sub>jam</sub> = W<sub>nn</sub>/‖h‖ it crosses the tangent plane: for "
         "some slips a push of the ground pulls the body <em>towards</em> it. That is Painlevé’s "
         "paradox, and the body jams.</p>"
         "<h3>A rod on its tip, at 45°</h3>" +
         figure(space_html(rod_space(120), still),
                "Unit pieces of the cones of one rod. With no friction only a line is left, with "
                "ever more the cone opens to one side of a plane.<br>" +
                    key) +
         "<div class='pair'>" +
         figure(section.svg(),
                "Cut by the rod’s own plane, each cone is a wedge; the numbers are its μ. At "
                "μ<sub>crit</sub> one edge is upright, at μ<sub>jam</sub> it lies in the ground.") +
         figure(paradox.svg(),
                "<span class='key' style='background:var(--c2)'></span>μ<sub>jam</sub> = (t² + "
                "4)/(3t)<span class='key' style='background:var(--c1)'></span>μ<sub>crit</sub> = "
                "3t/(1 + 4t²), t = tan θ. In the shaded region a rod that slides towards the side "
                "its tip is on has no solution, or two.") +
         "</div>";
}

}  // namespace

std::vector<Chapter> gcone_chapters(Figures& figures) {
  const Plot paradox = paradox_region();
  figures["paradox-region"] = standalone(paradox.width(), paradox.height(), paradox.body());
  const Plot along = impact_plot();
  figures["impact"] = standalone(along.width(), along.height(), along.body());
  std::string html = cone_html(figures, paradox);
  html +=
      "<h3>An impact</h3><p>The same rod at 50° falls on its tip with the velocity (−1, 0.8, −1) "
      "m/s and μ = 0.6. While the normal impulse p grows, friction turns the slip and stops it; "
      "the velocity never leaves the cone that starts at its first value. What restitution means "
      "decides where the path ends.</p>" +
      figure(
          space_html(impact_space(120), impact_space(36)),
          "The path of the contact’s velocity, inside its cone. It is straight once the slip has "
          "stopped: it cannot start again, for μ exceeds μ<sub>crit</sub>, " +
              fmt::format("{:.3f}.", mu_crit(impact_matrix()))) +
      "<div class='pair'>" +
      figure(along.svg(),
             "The bodies approach while u<sub>n</sub> &lt; 0. The dots are where Newton’s, "
             "Poisson’s and the energetic hypothesis end.") +
      "<div><p>Newton’s hypothesis fixes the velocity after, Poisson’s the impulse, the energetic "
      "one the work. They agree where the friction does not change on the way. Newton’s can make "
      "energy from nothing; the energetic one never does.</p></div></div>" +
      impact_table();
  return {{"generalized-cone", "Generalized cone", html}};
}

}  // namespace stiction::report
