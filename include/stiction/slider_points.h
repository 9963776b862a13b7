// SPDX-License-Identifier: Apache-2.0
//
// The points of a slider and the shape of its limit surface.
//
//   centre of friction   loads of translations pass through it
//   centre of twist      turning about it needs the least moment, and no force
//   facet                a flat of the surface: one motion, a two-dimensional set of loads
//   vertex               a load of more than one motion, with none other next to it
//
// An answer that does not exist, or is not one, is nothing with the reason in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/progress.h"
#include "stiction/slider.h"

namespace stiction {

struct Facet {
  Motion motion;  // v_x² + v_y² + (ρω)² = 1
  LoadSet loads;
};

struct Vertex {
  Load load;
  std::vector<Motion> wedge;  // the motions that bound its cone, normalised likewise
};

template <class T>
struct OrReason {
  std::optional<T> value;
  std::string reason;  // where there is no value
};

// Positions are in the frame in which the supports were given.
struct SliderPoints {
  OrReason<Vec2> centre_of_mass;
  OrReason<Vec2> centre_of_pressure;
  OrReason<Vec2> centre_of_friction;
  OrReason<Vec2> centre_of_twist;      // of counter-clockwise turns
  OrReason<double> translation_force;  // nothing where it depends on the direction   [N]
  OrReason<double> twist_moment;       // of turning about the centre of twist         [N m]
  OrReason<std::vector<Facet>> facets;
  OrReason<std::vector<Vertex>> vertices;
};

// Stopped, what was not found by then is nothing, with that as the reason.
SliderPoints slider_points(const Slider& slider, const Progress& progress = {});

}  // namespace stiction
