// SPDX-License-Identifier: Apache-2.0
//
// One picture for each question about one slider: seen from above, or its limit surface in space.
// Each is a whole SVG file; `write_figure` writes it, or the same as PDF.
#pragma once

#include <string>
#include <vector>

#include "report/viewer.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_points.h"
#include "stiction/slider_push.h"
#include "stiction/slider_slide.h"
#include "stiction/slider_surface.h"

namespace stiction::report {

// A motion, the load that answers it, and how each part of the body slips.
std::string motion_picture(const Slider& slider, const Motion& motion, const Load& load);
// The body at equal times of its throw, and the path of its centre of pressure.
std::string slide_picture(const Slider& slider, const Slide& thrown);
// The finger, the force it gives, where it sticks, and where the body goes.
std::string push_picture(const Slider& slider, const Finger& finger, const Push& push);
// The centres of mass, pressure, friction and twist.
std::string points_picture(const Slider& slider, const SliderPoints& points);
// Lines of equal moment, of turning about each place, and the place that was asked for.
std::string moment_picture(const Slider& slider, const Vec2& at);
std::string surface_picture(const SurfaceMesh& mesh, const std::string& title);

// The mesh in space, its flats in a colour of their own, with marked points.
Space surface_space(const std::string& title, const SurfaceMesh& mesh,
                    const std::vector<SpacePoint>& marked);

}  // namespace stiction::report
