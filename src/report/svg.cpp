// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace stiction::report {

Plot::Plot(double width, double height, Range x, Range y, bool with_axes)
    : width_(width), height_(height), x_(x), y_(y) {
  left_ = with_axes ? 52 : 4;
  right_ = with_axes ? 14 : 4;
  top_ = with_axes ? 12 : 4;
  bottom_ = with_axes ? 42 : 4;
}

Vec2 Plot::pixel(const Vec2& data) const {
  const double u = (data.x() - x_.from) / (x_.to - x_.from);
  const double v = (data.y() - y_.from) / (y_.to - y_.from);
  return {left_ + u * (width_ - left_ - right_),
          height_ - bottom_ - v * (height_ - top_ - bottom_)};
}

Tick::Tick(double value) : at(value), label(fmt::format("{:g}", value)) {}

void Plot::axes(std::string_view x_label, std::string_view y_label,
                const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks) {
  for (const auto& [x, label] : x_ticks) {
    line({{x, y_.from}, {x, y_.to}}, "grid");
    const Vec2 p = pixel({x, y_.from});
    body_ += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>",
                         p.x(), p.y() + 16, label);
  }
  for (const auto& [y, label] : y_ticks) {
    line({{x_.from, y}, {x_.to, y}}, "grid");
    const Vec2 p = pixel({x_.from, y});
    body_ += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>",
                         p.x() - 6, p.y() + 4, label);
  }
  body_ += fmt::format("<text class='label' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>",
                       (left_ + width_ - right_) / 2, height_ - 6, x_label);
  const double middle = (top_ + height_ - bottom_) / 2;
  body_ += fmt::format(
      "<text class='label' x='12' y='{0:.1f}' text-anchor='middle' transform='rotate(-90 12 "
      "{0:.1f})'>{1}</text>",
      middle, y_label);
}

void Plot::cross_hair() {
  line({{x_.from, 0}, {x_.to, 0}}, "grid");
  line({{0, y_.from}, {0, y_.to}}, "grid");
}

namespace {

std::string path_of(const Plot& plot, const std::vector<Vec2>& points, bool closed) {
  std::string d;
  for (const Vec2& point : points) {
    const Vec2 p = plot.pixel(point);
    d += fmt::format("{}{:.2f} {:.2f}", d.empty() ? "M" : "L", p.x(), p.y());
  }
  return closed ? d + "Z" : d;
}

}  // namespace

void Plot::line(const std::vector<Vec2>& points, std::string_view css) {
  body_ += fmt::format("<path class='{}' d='{}'/>", css, path_of(*this, points, false));
}

void Plot::lines(const std::vector<std::array<Vec2, 2>>& pieces, std::string_view css) {
  std::string d;
  for (const auto& [from, to] : pieces) d += path_of(*this, {from, to}, false);
  body_ += fmt::format("<path class='{}' d='{}'/>", css, d);
}

void Plot::area(const std::vector<Vec2>& points, std::string_view css) {
  body_ += fmt::format("<path class='{}' d='{}'/>", css, path_of(*this, points, true));
}

void Plot::area_with_holes(const std::vector<std::vector<Vec2>>& loops, std::string_view css) {
  std::string d;
  for (const std::vector<Vec2>& loop : loops) d += path_of(*this, loop, true);
  body_ += fmt::format("<path class='{}' d='{}'/>", css, d);
}

void Plot::arrow(const Vec2& from, const Vec2& to, std::string_view css) {
  const Vec2 p = pixel(from), q = pixel(to);
  if ((q - p).norm() < 1) return;
  const Vec2 e = (q - p).normalized(), n(-e.y(), e.x());
  const Vec2 a = q - 4 * e + 1.7 * n, b = q - 4 * e - 1.7 * n;
  body_ += fmt::format(
      "<path class='{}' d='M{:.2f} {:.2f}L{:.2f} {:.2f}M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} "
      "{:.2f}'/>",
      css, p.x(), p.y(), q.x(), q.y(), a.x(), a.y(), q.x(), q.y(), b.x(), b.y());
}

void Plot::dot(const Vec2& at, double radius, std::string_view css) {
  const Vec2 p = pixel(at);
  body_ += fmt::format("<circle class='{}' cx='{:.2f}' cy='{:.2f}' r='{:g}'/>", css, p.x(), p.y(),
                       radius);
}

void Plot::cell(const Vec2& from, const Vec2& to, std::string_view fill) {
  const Vec2 p = pixel(from), q = pixel(to);
  // A hair wider than it is, so that no gap shows between neighbours.
  body_ += fmt::format("<rect x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}' fill='{}'/>",
                       std::min(p.x(), q.x()), std::min(p.y(), q.y()),
                       std::abs(q.x() - p.x()) + 0.3, std::abs(q.y() - p.y()) + 0.3, fill);
}

void Plot::text(const Vec2& at, std::string_view content, std::string_view css) {
  const Vec2 p = pixel(at);
  body_ +=
      fmt::format("<text class='{}' x='{:.1f}' y='{:.1f}'>{}</text>", css, p.x(), p.y(), content);
}

std::vector<std::array<Vec2, 2>> level_lines(const Eigen::VectorXd& values, int nx, int ny,
                                             double level) {
  std::vector<std::array<Vec2, 2>> pieces;
  const auto at = [&](int i, int j) { return values[j * (nx + 1) + i]; };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      for (const int side : {0, 1}) {  // two triangles of the square
        const std::array<std::array<int, 2>, 3> corner{
            {{i, j}, {i + 1, j + 1}, {i + (side == 0 ? 1 : 0), j + (side == 0 ? 0 : 1)}}};
        std::vector<Vec2> ends;
        for (std::size_t k = 0; k < 3; ++k) {
          const auto& [a, b] = corner[k];
          const auto& [c, d] = corner[(k + 1) % 3];
          const double low = at(a, b) - level, high = at(c, d) - level;
          if ((low < 0) == (high < 0)) continue;
          const double t = low / (low - high);
          ends.emplace_back(a + t * (c - a), b + t * (d - b));
        }
        if (ends.size() == 2) pieces.push_back({ends[0], ends[1]});
      }
  return pieces;
}

std::string subscript(std::string_view label) {
  const std::size_t at = label.find('_');
  if (at == std::string_view::npos || at + 1 == label.size()) return std::string(label);
  std::size_t end = at + 2;
  while (end < label.size() && std::isalpha(static_cast<unsigned char>(label[end])) != 0) ++end;
  return fmt::format("{}<tspan dy='3' font-size='.75em'>{}</tspan><tspan dy='-3'>{}</tspan>",
                     label.substr(0, at), label.substr(at + 1, end - at - 1), label.substr(end));
}

std::string Plot::svg() const {
  return fmt::format("<svg viewBox='0 0 {:g} {:g}' role='img'>{}</svg>", width_, height_, body_);
}

std::string standalone(double width, double height, const std::string& body) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:g} {1:g}' width='{0:g}' "
      "height='{1:g}'><style>svg{{--ink:#1f2933;--soft:#d8dee6;--muted:#66758a;--curve:#2563a8;"
      "--slip:#d9662b;--force:#218358;--c1:#2563a8;--c2:#d9662b;--c3:#218358;--c4:#a23b9a;"
      "--c5:#8a6d1d}}{2}</style><rect width='100%' height='100%' fill='#fff'/>{3}</svg>\n",
      width, height, svg_style(), body);
}

std::string svg_style() {
  return "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
         "fill:var(--ink)}"
         ".tick{fill:var(--muted);font-size:11px}.label{fill:var(--ink);font-size:12px}"
         ".halo{paint-order:stroke;stroke:#fff;stroke-width:4;"
         "stroke-linejoin:round;fill:#1f2933}"
         ".name{font-weight:600;font-size:13px}.note{fill:var(--muted);font-size:11px}"
         ".mid{text-anchor:middle}"
         "path{fill:none;stroke-linejoin:round;stroke-linecap:round}"
         ".grid{stroke:var(--soft);stroke-width:1}"
         ".curve{stroke:var(--curve);stroke-width:2.2;fill:var(--curve);fill-opacity:.12}"
         ".region{fill:var(--curve);fill-opacity:.12}"
         ".locus{stroke:var(--curve);stroke-width:2.2}"
         ".disc{stroke:var(--muted);stroke-width:1.2;stroke-dasharray:4 3}"
         ".slip{stroke:var(--slip);stroke-width:1.2}.slip.bold{stroke-width:2.4}"
         ".force{stroke:var(--force);stroke-width:2.4}.force.wide{stroke-width:6;stroke-opacity:."
         "75}"
         ".point{fill:var(--curve)}.forcedot{fill:var(--force)}"
         ".s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}"
         ".s5{stroke:var(--c5)}.s0{stroke:var(--ink);stroke-dasharray:5 4}"
         ".s0,.s1,.s2,.s3,.s4,.s5{stroke-width:2}.s1.bold,.s2.bold{stroke-width:3.4}"
         ".thin{stroke:var(--muted);stroke-width:1;stroke-opacity:.55}.dashed{stroke-dasharray:6 4}"
         ".s1.full{fill:var(--c1)}.s2.full{fill:var(--c2)}.s3.full{fill:var(--c3)}"
         ".s4.full{fill:var(--c4)}.s5.full{fill:var(--c5)}";
}

}  // namespace stiction::report
