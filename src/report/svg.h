// SPDX-License-Identifier: Apache-2.0
//
// A small plot as SVG text: data coordinates in, one <svg> element out.  How things look is left to
// CSS classes; see `svg_style`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/types.h"

namespace stiction::report {

struct Range {
  double from = 0, to = 1;
};

// A number on an axis, and what is written there if not the number itself.
struct Tick {
  Tick(double value);  // NOLINT(google-explicit-constructor)
  Tick(double value, std::string written) : at(value), label(std::move(written)) {}
  double at;
  std::string label;
};

class Plot {
 public:
  // Room is left for tick labels when axes are drawn.
  Plot(double width, double height, Range x, Range y, bool with_axes);

  void axes(std::string_view x_label, std::string_view y_label, const std::vector<Tick>& x_ticks,
            const std::vector<Tick>& y_ticks);
  void cross_hair();  // thin axes through the origin, without numbers
  void line(const std::vector<Vec2>& points, std::string_view css);
  void lines(const std::vector<std::array<Vec2, 2>>& pieces, std::string_view css);
  void area(const std::vector<Vec2>& points, std::string_view css);
  // The first loop counter-clockwise, the others, its holes, clockwise.
  void area_with_holes(const std::vector<std::vector<Vec2>>& loops, std::string_view css);
  void arrow(const Vec2& from, const Vec2& to, std::string_view css);
  void dot(const Vec2& at, double radius, std::string_view css);
  void cell(const Vec2& from, const Vec2& to, std::string_view fill);  // a rectangle of one colour
  void text(const Vec2& at, std::string_view content, std::string_view css);

  Vec2 pixel(const Vec2& data) const;
  std::string svg() const;  // for a page that carries svg_style
  const std::string& body() const { return body_; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  double width_, height_, left_, right_, top_, bottom_;
  Range x_, y_;
  std::string body_;
};

// Where a function crosses `level`, in pieces, as places (column, row) on a mesh of nx × ny
// squares: `values` at its (nx + 1)(ny + 1) corners, row by row.
std::vector<std::array<Vec2, 2>> level_lines(const Eigen::VectorXd& values, int nx, int ny,
                                             double level);

// A label such as "F_x [N]" or "μ_jam" with the letters after the first underscore below the line.
std::string subscript(std::string_view label);

// The classes that plots use; their colours are CSS variables of the page.
std::string svg_style();

// One SVG file with colours of its own.
std::string standalone(double width, double height, const std::string& body);

}  // namespace stiction::report
