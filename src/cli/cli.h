// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `stiction` share.  A command reads its arguments, asks the library, and
// gives one answer in two forms: JSON for programs, a table for people.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace stiction::cli {

using Json = nlohmann::ordered_json;

// Options that every command takes.
struct Shared {
  bool json = false;
  mutable int exit_status = 0;  // 1 where the answer is no

  // Prints the JSON object, or lets `people` print.
  void answer(const Json& object, const std::function<void()>& people) const;
};

void add_curve(CLI::App& app, const Shared& shared);
void add_cone(CLI::App& app, const Shared& shared);
void add_solve(CLI::App& app, const Shared& shared);
void add_check(CLI::App& app, const Shared& shared);
void add_enumerate(CLI::App& app, const Shared& shared);
void add_convert(CLI::App& app, const Shared& shared);
void add_scene(CLI::App& app, const Shared& shared);
void add_gcone(CLI::App& app, const Shared& shared);
void add_slider(CLI::App& app, const Shared& shared);
void add_report(CLI::App& app, const Shared& shared);

// local, global or rolling; nothing for an empty text.
std::optional<ProblemKind> parse_kind(const std::string& text, const char* name = "--kind");

// On standard error; nobody is told where that is closed or full.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) {
  std::fputs(fmt::format(format, std::forward<T>(values)...).c_str(), stderr);
}

// A bar on standard error, on a terminal, for work that takes longer than a second.  Its share is
// that of a Progress, or how far a solver's error has come down to the tolerance.
class ProgressBar {
 public:
  ProgressBar() = default;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }
  static bool seen();             // by anyone
  bool operator()(double share);  // true: go on
  bool operator()(const Iteration& line, double tolerance);
  void clear();

 private:
  bool shown_ = false;
  double first_error_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

// On one line; words that are not UTF-8, such as the name of a file, with marks in their place.
std::string text_of(const Json& object);

// --figure FILE: a picture of the answer, drawn only where it is asked for.
class FigureOption {
 public:
  FigureOption() : path_(std::make_shared<std::optional<std::string>>()) {}
  void add_to(CLI::App* command, const std::string& help) const;
  bool wanted() const { return path_->has_value(); }
  const std::string& path() const { return path_->value(); }
  void require_name() const;  // throws InvalidInput for a wrong one, before any work
  // Writes what `draw` gives, an SVG file, and says so in the answer.
  void write(Json& answer, const std::function<std::string()>& draw) const;
  void tell() const;  // a row for people

 private:
  std::shared_ptr<std::optional<std::string>> path_;
};

// Numbers for JSON: never NaN or infinite, and zero without a sign.
Json number(double value);
Json array(const Vec2& v);
Json array(const Vec3& v);

// For people: a heading, and rows of a name, a value and a remark, aligned.
void heading(const std::string& title);
void row(const std::string& name, const std::string& value, const std::string& remark = "");
std::string counted(long long count, const std::string& what);  // 1 contact, 2 contacts
std::string shown(double value);                                // six significant digits
std::string shown(const Vec2& v);

}  // namespace stiction::cli
