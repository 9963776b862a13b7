// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/one_line.h"
#include "report/figure_file.h"

namespace stiction::cli {

void Shared::answer(const Json& object, const std::function<void()>& people) const {
  if (json)
    fmt::print("{}\n", text_of(object));
  else
    people();
}

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
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

void FigureOption::add_to(CLI::App* command, const std::string& help) const {
  command->add_option("--figure", *path_, help + ", as .svg or .pdf");
}

void FigureOption::require_name() const {
  if (wanted()) report::require_figure_name(path(), "--figure");
}

void FigureOption::write(Json& answer, const std::function<std::string()>& draw) const {
  if (!wanted()) return;
  report::write_figure(path(), draw());
  answer["figure"] = path();
}

void FigureOption::tell() const {
  if (wanted()) row("figure", path(), "written");
}

std::string counted(long long count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void heading(const std::string& title) {
  static const bool colour = isatty(STDOUT_FILENO) != 0;
  fmt::print("{}{}{}\n", colour ? "\033[1m" : "", one_line(title), colour ? "\033[0m" : "");
}

void row(const std::string& name, const std::string& value, const std::string& remark) {
  if (remark.empty())
    fmt::print("  {:<16} {}\n", name, one_line(value));
  else
    fmt::print("  {:<16} {:<24} {}\n", name, one_line(value), one_line(remark));
}

std::string shown(double value) {
  if (std::isfinite(value)) return fmt::format("{:.6g}", value + 0.0);
  return value < 0 ? "-infinite" : "infinite";
}
std::string shown(const Vec2& v) { return fmt::format("({}, {})", shown(v.x()), shown(v.y())); }

}  // namespace stiction::cli
