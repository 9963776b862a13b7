// SPDX-License-Identifier: Apache-2.0
//
// Pictures in space: surfaces, lines and labelled points, as HTML that the bundled viewer brings to
// life (viewer/viewer.ts), and as a still SVG for pages without it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/types.h"

namespace stiction::report {

struct SpaceAxis {
  std::string label, unit;
  double from = -1, to = 1;
  double scale = 1;  // drawn length of a unit
};

struct SpaceMesh {
  std::vector<Vec3> vertices;  // in units of the axes
  std::vector<std::array<int, 3>> triangles;
  std::string color;  // CSS variable of the page, without dashes
  double opacity = 1;
  // Of a convex body, counter-clockwise seen from outside: those behind are not drawn.
  bool convex = false;
};

struct SpaceLine {
  std::vector<Vec3> points;
  std::string color;
  bool closed = false;
};

struct SpacePoint {
  Vec3 at = Vec3::Zero();
  std::string label, color;
  Vec3 normal = Vec3::Zero();  // outward: the label fades where it points away; zero: it never does
};

struct Space {
  std::string title;
  std::array<SpaceAxis, 3> axes;
  std::vector<SpaceMesh> meshes;
  std::vector<SpaceLine> lines;
  std::vector<SpacePoint> points;
  Vec3 view = Vec3(1.1, -1.6, 0.8);  // direction from which it is seen first
};

// The element of a page: `fine` for the viewer, `coarse` drawn as it stands without one.
std::string space_html(const Space& fine, const Space& coarse);

// The picture as the inside of an SVG of the given size.
std::string space_svg(const Space& space, double width, double height);

// What a page with such elements needs once: rules of style, and the program at its end.
std::string_view viewer_style();
std::string viewer_script();
bool has_viewer();

extern const std::string_view viewer_bundle;  // empty where it could not be built

}  // namespace stiction::report
