// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "slider/supports/support_load.h"

namespace stiction {

namespace {

void require_positive(const std::optional<double>& value, const char* name) {
  if (value && !(std::isfinite(*value) && *value > 0))
    throw InvalidInput(std::string(name) + " is " + text(*value) + ", expected a positive number");
}
void require_finite(const Vec2& value, const char* name) {
  if (!value.allFinite())
    throw InvalidInput(std::string(name) + " is " + text(value) + ", expected finite coordinates");
}

void move_to(Support& support, const Vec2& origin) {
  support.at -= origin;
  support.to -= origin;
  for (Vec2& vertex : support.vertices) vertex -= origin;
  for (auto& hole : support.holes)
    for (Vec2& vertex : hole) vertex -= origin;
  for (auto& tile : support.tiles)
    for (Vec2& corner : tile) corner -= origin;
}

bool is_grid_of_points(const Support& support) {
  return support.shape == Support::Shape::grid && support.cells == Support::Cells::points;
}

}  // namespace

Slider::Slider(std::vector<Support> supports, SliderBody body) : body_(std::move(body)) {
  if (supports.empty()) throw InvalidInput("supports is empty, expected at least one");
  if (std::ranges::any_of(supports, is_grid_of_points)) {
    for (std::size_t i = 0; i < supports.size(); ++i) {
      if (is_grid_of_points(supports[i]))
        std::ranges::move(points_of(supports[i]), std::back_inserter(supports_));
      else
        supports_.push_back(std::move(supports[i]));
      given_.resize(supports_.size(), static_cast<int>(i));
    }
  } else {
    supports_ = std::move(supports);
  }
  require_finite(body_.reference, "reference");
  if (body_.centre_of_mass) require_finite(*body_.centre_of_mass, "centre_of_mass");
  require_positive(body_.length_scale, "length_scale");
  require_positive(body_.mass, "mass");
  require_positive(body_.inertia, "inertia");
  for (Support& support : supports_) move_to(support, body_.reference);
  double square = 0;
  for (const Support& support : supports_) {
    const PressureMoments m = pressure_moments(support);
    normal_force_ += support.normal_force;
    pressure_ += support.normal_force * m.centre;
    reach_ = std::max(reach_, m.reach);
  }
  if (!(normal_force_ > 0 && std::isfinite(normal_force_)))
    throw InvalidInput("the supports carry no normal force");
  pressure_ /= normal_force_;
  for (const Support& support : supports_) {
    const PressureMoments m = pressure_moments(support);
    square +=
        support.normal_force / normal_force_ * (m.square + (m.centre - pressure_).squaredNorm());
  }
  if (body_.length_scale)
    length_scale_ = *body_.length_scale;
  else if (body_.mass && body_.inertia)
    length_scale_ = std::sqrt(*body_.inertia / *body_.mass);
  else if (std::sqrt(square) > rounding * reach_)
    length_scale_ = std::sqrt(square);
}

}  // namespace stiction
