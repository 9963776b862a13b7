// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
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

bool ProgressBar::seen() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}

bool ProgressBar::operator()(double share) {
  using namespace std::chrono;
  const auto now = steady_clock::now();
  if (!seen() || now - start_ < seconds(1) || (now - last_ < milliseconds(100) && share < 1))
    return true;
  last_ = now;
  shown_ = true;
  const auto full = static_cast<std::size_t>(40 * std::clamp(share, 0.0, 1.0));
  note("\r  [{}{}] {:3.0f} %", std::string(full, '#'), std::string(40 - full, ' '), 100 * share);
  return true;
}

bool ProgressBar::operator()(const Iteration& line, double tolerance) {
  const double error = std::max(line.relative, line.scaled);
  if (!(error > 0 && error < infinity)) return true;
  first_error_ = std::max({first_error_, error, 10 * tolerance});
  return (*this)(
      std::clamp(std::log(first_error_ / error) / std::log(first_error_ / tolerance), 0.0, 1.0));
}

void ProgressBar::clear() {
  if (shown_) note("\r\033[K");
  shown_ = false;
}

std::string counted(long long count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

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
