// SPDX-License-Identifier: Apache-2.0
#include "report/viewer.h"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/svg.h"

namespace stiction::report {

namespace {

using Json = nlohmann::ordered_json;

// Five digits draw as well as seventeen, and take a third of the room.
double short_number(double x) { return std::strtod(fmt::format("{:.5g}", x).c_str(), nullptr); }

Json flat(const std::vector<Vec3>& points) {
  Json list = Json::array();
  for (const Vec3& p : points)
    for (int c = 0; c < 3; ++c) list.push_back(short_number(p[c]));
  return list;
}

Json to_json(const Space& space) {
  Json json = {{"title", space.title}, {"view", flat({space.view})}};
  for (const SpaceAxis& a : space.axes)
    json["axes"].push_back(
        {{"label", a.label}, {"unit", a.unit}, {"from", a.from}, {"to", a.to}, {"scale", a.scale}});
  for (const SpaceMesh& m : space.meshes) {
    Json triangles = Json::array();
    for (const auto& t : m.triangles)
      for (const int i : t) triangles.push_back(i);
    json["meshes"].push_back({{"vertices", flat(m.vertices)},
                              {"triangles", triangles},
                              {"color", m.color},
                              {"opacity", m.opacity}});
  }
  for (const SpaceLine& l : space.lines)
    json["lines"].push_back({{"points", flat(l.points)}, {"color", l.color}, {"closed", l.closed}});
  for (const SpacePoint& p : space.points) {
    Json point = {{"at", flat({p.at})}, {"label", p.label}, {"color", p.color}};
    if (!p.normal.isZero(0)) point["normal"] = flat({p.normal});
    json["points"].push_back(point);
  }
  return json;
}

// Seen from far away along `view`, the third axis upwards.
class Projection {
 public:
  Projection(const Space& space, double width, double height) : width_(width), height_(height) {
    for (int c = 0; c < 3; ++c) {
      const SpaceAxis& a = space.axes[static_cast<std::size_t>(c)];
      scale_[c] = a.scale;
      low_[c] = a.from * a.scale;
      high_[c] = a.to * a.scale;
    }
    towards = space.view.normalized();
    right = Vec3::UnitZ().cross(towards).normalized();
    up = towards.cross(right);
    const Vec3 half = 0.5 * (high_ - low_);
    const double wide = half.dot(right.cwiseAbs()), high = half.dot(up.cwiseAbs());
    pixels_ = std::min((width - 130) / (2 * wide), (height - 80) / (2 * high));
  }
  Vec3 place(const Vec3& data) const { return data.cwiseProduct(scale_); }
  Vec2 pixel(const Vec3& placed) const {
    const Vec3 d = placed - centre();
    return {0.5 * width_ + pixels_ * d.dot(right), 0.5 * height_ - pixels_ * d.dot(up)};
  }
  Vec3 centre() const { return 0.5 * (low_ + high_); }
  // Corner of the box: sign −1 or 1 along each axis.
  Vec3 corner(const Vec3& sign) const { return centre() + 0.5 * sign.cwiseProduct(high_ - low_); }

  Vec3 towards, right, up;

 private:
  double width_, height_, pixels_ = 1;
  Vec3 scale_, low_, high_;
};

struct Patch {
  double depth;
  std::string svg;
};

void add_mesh(const SpaceMesh& mesh, const Projection& to, std::vector<Patch>& patches) {
  const Vec3 light = (to.towards - 0.5 * to.right + 0.6 * to.up).normalized();
  for (const auto& t : mesh.triangles) {
    std::array<Vec3, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = to.place(mesh.vertices[static_cast<std::size_t>(t[k])]);
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
    if (mesh.convex && n.dot(to.towards) <= 0) continue;
    const double lit = std::abs(n.dot(light));
    const Vec2 a = to.pixel(p[0]), b = to.pixel(p[1]), c = to.pixel(p[2]);
    patches.push_back(
        {(p[0] + p[1] + p[2]).dot(to.towards) / 3,
         fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z' style='fill:"
                     "color-mix(in srgb,var(--{}) {:.0f}%,{});stroke:inherit;stroke-width:.4{}'/>",
                     a.x(), a.y(), b.x(), b.y(), c.x(), c.y(), mesh.color,
                     lit > 0.7 ? 100 * (1.6 - lit) : 30 + 100 * lit, lit > 0.7 ? "#fff" : "#000",
                     mesh.opacity < 1 ? fmt::format(";fill-opacity:{:g}", mesh.opacity) : "")});
  }
}

void add_line(const SpaceLine& line, const Projection& to, std::vector<Patch>& patches) {
  const std::size_t count = line.points.size();
  for (std::size_t i = 0; i + (line.closed ? 0 : 1) < count; ++i) {
    const Vec3 p = to.place(line.points[i]), q = to.place(line.points[(i + 1) % count]);
    const Vec2 a = to.pixel(p), b = to.pixel(q);
    patches.push_back({0.5 * (p + q).dot(to.towards) + 1e-3 * (to.place(Vec3::Ones())).norm(),
                       fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' style='stroke:var(--{});"
                                   "stroke-width:1.6'/>",
                                   a.x(), a.y(), b.x(), b.y(), line.color)});
  }
}

// The box behind, and along its outline the axes' names and the ends of their ranges.
std::string box(const Space& space, const Projection& to) {
  std::string svg;
  const Vec2 middle = to.pixel(to.centre());
  for (int axis = 0; axis < 3; ++axis) {
    const SpaceAxis& a = space.axes[static_cast<std::size_t>(axis)];
    double most = -infinity;
    Vec2 from = middle, until = middle;
    for (const auto& [s, t] :
         {std::pair(-1, -1), std::pair(-1, 1), std::pair(1, 1), std::pair(1, -1)}) {
      Vec3 low = Vec3::Zero();
      low[axis] = -1;
      low[(axis + 1) % 3] = s;
      low[(axis + 2) % 3] = t;
      Vec3 high = low;
      high[axis] = 1;
      const int facing = (s * to.towards[(axis + 1) % 3] > 0 ? 1 : 0) +
                         (t * to.towards[(axis + 2) % 3] > 0 ? 1 : 0);
      const Vec2 p = to.pixel(to.corner(low)), q = to.pixel(to.corner(high)), m = 0.5 * (p + q);
      if (facing < 2)
        svg += fmt::format("<path class='grid' d='M{:.1f} {:.1f}L{:.1f} {:.1f}'/>", p.x(), p.y(),
                           q.x(), q.y());
      const double score =
          facing == 1 ? (axis == 2 ? middle.x() - m.x() : m.y() - middle.y()) : -1e9;
      if (score > most) {
        most = score;
        from = p;
        until = q;
      }
    }
    Vec2 n(until.y() - from.y(), from.x() - until.x());
    n.normalize();
    const Vec2 m = 0.5 * (from + until);
    if (n.dot(m - middle) < 0) n = -n;
    const auto write = [&](const Vec2& at, double away, const std::string& what, const char* css) {
      svg += fmt::format("<text class='{} mid' x='{:.1f}' y='{:.1f}'>{}</text>", css,
                         at.x() + 1.3 * away * n.x(), at.y() + away * n.y() + 4, what);
    };
    write(m, 26, subscript(a.unit.empty() ? a.label : fmt::format("{} [{}]", a.label, a.unit)),
          "label");
    write(from + 0.09 * (until - from), 13, fmt::format("{:.3g}", a.from), "tick");
    write(until + 0.09 * (from - until), 13, fmt::format("{:.3g}", a.to), "tick");
  }
  return svg;
}

}  // namespace

std::string space_svg(const Space& space, double width, double height) {
  const Projection to(space, width, height);
  std::vector<Patch> patches;
  for (const SpaceMesh& mesh : space.meshes) add_mesh(mesh, to, patches);
  for (const SpaceLine& line : space.lines) add_line(line, to, patches);
  std::ranges::stable_sort(patches, {}, &Patch::depth);
  std::string svg = box(space, to);
  for (const Patch& patch : patches) svg += patch.svg;
  for (const SpacePoint& p : space.points) {
    if (p.normal.dot(to.towards) < 0) continue;
    const Vec2 at = to.pixel(to.place(p.at));
    const Vec2 away = at - to.pixel(to.centre());
    const bool aside =
        std::abs(away.x()) > 2 * std::abs(away.y());  // where it would cover its point
    const Vec2 label =
        at + (away.norm() > 12 ? Vec2((aside ? 10 : 20) * away.normalized()) : Vec2(0, -12));
    const char* anchor = !aside ? "middle" : away.x() < 0 ? "end" : "start";
    svg += fmt::format(
        "<circle cx='{:.1f}' cy='{:.1f}' r='4' style='fill:var(--{})'/>"
        "<text class='label halo' text-anchor='{}' x='{:.1f}' y='{:.1f}'>{}</text>",
        at.x(), at.y(), p.color, anchor, label.x(), label.y() + 4, p.label);
  }
  return svg;
}

std::string space_html(const Space& fine, const Space& coarse) {
  constexpr double width = 640, height = 480;
  std::string json = to_json(fine).dump();
  for (std::size_t at = json.find("</"); at != std::string::npos; at = json.find("</", at + 3))
    json.replace(at, 2, "<\\/");
  return fmt::format(
      "<div class='viewer'><script type='application/json'>{}</script>"
      "<svg viewBox='0 0 {:g} {:g}' role='img' aria-label='{}'>{}</svg></div>",
      json, width, height, coarse.title, space_svg(coarse, width, height));
}

std::string_view viewer_style() {
  return ".viewer{position:relative;width:100%;aspect-ratio:4/3;max-height:80vh;overflow:hidden;"
         "border:1px solid var(--soft);border-radius:8px;background:var(--card)}"
         ".viewer:focus-visible{outline:2px solid var(--curve)}"
         ".viewer>svg{width:100%;height:100%}"
         ".viewer canvas{position:absolute;inset:0;width:100%;height:100%;touch-action:none;"
         "cursor:grab}.viewer canvas:active{cursor:grabbing}"
         ".viewer .labels{position:absolute;inset:0;pointer-events:none;overflow:hidden}"
         ".viewer .labels span{position:absolute;left:0;top:0;white-space:nowrap;line-height:1.1;"
         "will-change:transform}"
         ".viewer .axis{font-size:14px;font-weight:600}.viewer .number{font-size:12px;"
         "color:var(--muted)}"
         ".viewer .point{font-size:13px;font-weight:600;text-shadow:0 0 3px var(--card),"
         "0 0 3px var(--card),0 0 5px var(--card)}"
         ".viewer button{position:absolute;right:10px;top:10px;font:13px system-ui,sans-serif;"
         "color:var(--muted);background:var(--paper);border:1px solid var(--soft);"
         "border-radius:6px;padding:3px 10px;cursor:pointer}"
         ".viewer button:hover{color:var(--ink)}"
         "@media (max-width:600px){.viewer .axis{font-size:12px}.viewer .number{font-size:10px}"
         ".viewer .point{font-size:11px}.viewer button{right:4px;top:4px;font-size:10px;"
         "padding:1px 6px}}";
}

bool has_viewer() { return !viewer_bundle.empty(); }

std::string viewer_script() {
  return has_viewer() ? fmt::format("<script>{}</script>", viewer_bundle) : "";
}

}  // namespace stiction::report
