// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>

namespace stiction::cli {

void Shared::answer(const Json& object, const std::function<void()>& people) const {
  if (json)
    fmt::print("{}\n", object.dump());
  else
    people();
}

Json number(double value) { return std::isfinite(value) ? Json(value + 0.0) : Json(nullptr); }
Json array(const Vec2& v) { return Json::array({number(v.x()), number(v.y())}); }
Json array(const Vec3& v) { return Json::array({number(v.x()), number(v.y()), number(v.z())}); }

void heading(const std::string& title) {
  static const bool colour = isatty(STDOUT_FILENO) != 0;
  fmt::print("{}{}{}\n", colour ? "\033[1m" : "", title, colour ? "\033[0m" : "");
}

void row(const std::string& name, const std::string& value, const std::string& remark) {
  if (remark.empty())
    fmt::print("  {:<16} {}\n", name, value);
  else
    fmt::print("  {:<16} {:<24} {}\n", name, value, remark);
}

std::string shown(double value) {
  if (std::isfinite(value)) return fmt::format("{:.6g}", value + 0.0);
  return value < 0 ? "-infinite" : "infinite";
}
std::string shown(const Vec2& v) { return fmt::format("({}, {})", shown(v.x()), shown(v.y())); }

}  // namespace stiction::cli
