// SPDX-License-Identifier: Apache-2.0
//
// The report's section of measured speed, from the tables that the benchmarks left in its folder:
// contact.csv and contact_profile.csv (stiction and Siconos on the same problems), scaling.csv
// (time against size).  What was not measured is not shown.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "base/file.h"
#include "report/report.h"
#include "report/svg.h"

namespace stiction::report {

namespace {

namespace fs = std::filesystem;

// A table with named columns; cells are not quoted.
class Csv {
 public:
  // Nothing if there is no such file.  Throws InvalidInput where a column is missing or a line has
  // too few cells or too many.
  static std::optional<Csv> read(const fs::path& path, const std::vector<std::string>& columns) {
    if (!fs::exists(path)) return std::nullopt;
    Csv table;
    table.path_ = path.string();
    std::istringstream lines(read_file(path));
    std::string line;
    std::vector<std::string> names;
    for (int number = 1; std::getline(lines, line); ++number) {
      std::vector<std::string> cells;
      std::string cell;
      for (std::istringstream parts(line); std::getline(parts, cell, ',');) cells.push_back(cell);
      if (number == 1) {
        names = cells;
        for (const std::string& column : columns)
          if (std::find(names.begin(), names.end(), column) == names.end())
            throw InvalidInput(table.path_ + ": has no column " + column);
        continue;
      }
      if (cells.size() != names.size())
        throw InvalidInput(fmt::format("{}:{}: has {} cells, expected {}", table.path_, number,
                                       cells.size(), names.size()));
      auto& row = table.rows_.emplace_back();
      for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = cells[k];
    }
    return table;
  }

  std::size_t size() const { return rows_.size(); }
  const std::string& text(std::size_t row, const std::string& column) const {
    return rows_[row].at(column);
  }
  double number(std::size_t row, const std::string& column) const {
    const std::string& cell = text(row, column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (cell.empty() || *end != 0 || std::isnan(value))
      throw InvalidInput(
          fmt::format("{}:{}: {} is '{}', expected a number", path_, row + 2, column, cell));
    return value;
  }

 private:
  std::string path_;
  std::vector<std::map<std::string, std::string>> rows_;
};

std::string escaped(const std::string& plain) {
  std::string html;
  for (const char c : plain)
    html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return html;
}

// Three digits and the unit that suits.
std::string time_text(double seconds) {
  if (!std::isfinite(seconds)) return "not solved";
  const auto [scale, unit] = seconds < 1e-3 ? std::pair(1e6, "µs")
                             : seconds < 1  ? std::pair(1e3, "ms")
                                            : std::pair(1.0, "s");
  const double value = scale * seconds;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit);
}

Tick power_of_ten(int exponent) {
  static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent == 0) return {0, "1"};
  if (exponent == 1) return {1, "10"};
  std::string digits = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) digits += raised[digit - '0'];
  return {static_cast<double>(exponent), "10" + digits};
}

std::vector<Tick> powers_of_ten(const Range& range) {
  std::vector<Tick> ticks;
  for (int k = static_cast<int>(std::ceil(range.from)); k <= range.to; ++k)
    ticks.push_back(power_of_ten(k));
  return ticks;
}

// A plot with its key at the right.
struct Picture {
  double width, height;
  std::string body;
  std::string svg() const {
    return fmt::format("<svg viewBox='0 0 {:g} {:g}' role='img'>{}</svg>", width, height, body);
  }
};

struct Entry {
  std::string css, name;
};

Picture with_key(const Plot& plot, const std::vector<Entry>& entries) {
  Picture picture{plot.width() + 230, plot.height(), plot.body()};
  double y = 24;
  for (const Entry& entry : entries) {
    picture.body += fmt::format(
        "<path class='{}' d='M{:g} {:g}h24'/><text class='label' x='{:g}' y='{:g}'>{}</text>",
        entry.css, plot.width() + 6, y, plot.width() + 38, y + 4, entry.name);
    y += 22;
  }
  return picture;
}

struct Profile {
  std::string solver;
  std::vector<Vec2> steps;  // log₁₀ of the factor, fraction reached there
  double problems = 0;      // that it was judged on
  double area = 0;          // under the profile, up to `most_factor`, times the problems
};

constexpr double most_factor = 2.477;  // log₁₀ of 300

std::vector<Profile> profiles(const Csv& table) {
  std::map<std::string, Profile> by_solver;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Profile& profile = by_solver[table.text(i, "solver")];
    profile.solver = table.text(i, "solver");
    const double factor = table.number(i, "factor"), fraction = table.number(i, "fraction");
    if (!(factor >= 1) || !(fraction >= 0 && fraction <= 1))
      throw InvalidInput("contact_profile.csv: " + profile.solver +
                         " has a factor below 1 or a fraction outside [0, 1]");
    profile.problems = table.number(i, "problems");
    profile.steps.emplace_back(std::log10(factor), fraction);
  }
  std::vector<Profile> list;
  for (auto& [name, profile] : by_solver) {
    std::sort(profile.steps.begin(), profile.steps.end(), [](const Vec2& a, const Vec2& b) {
      return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
    });
    double reached = 0;
    for (const Vec2& step : profile.steps) {
      profile.area += std::max(0.0, most_factor - step.x()) * (step.y() - reached);
      reached = step.y();
    }
    profile.area *= profile.problems;
    list.push_back(profile);
  }
  std::sort(list.begin(), list.end(),
            [](const Profile& a, const Profile& b) { return a.area > b.area; });
  return list;
}

Picture profile_picture(const Csv& table) {
  Plot plot(640, 380, {-0.04, most_factor}, {0, 1.02}, true);
  plot.axes("time over that of the fastest, at most", "fraction of the problems solved",
            {Tick(0, "1"), Tick(std::log10(2), "2"), Tick(std::log10(5), "5"), Tick(1, "10"),
             Tick(std::log10(20), "20"), Tick(std::log10(50), "50"), Tick(2, "100"),
             Tick(most_factor, "300")},
            {0, 0.2, 0.4, 0.6, 0.8, 1});
  const auto draw = [&](const Profile& profile, const std::string& css) {
    std::vector<Vec2> points{{0, 0}};
    for (const Vec2& step : profile.steps) {
      if (step.x() > most_factor) break;
      points.emplace_back(step.x(), points.back().y());
      points.push_back(step);
    }
    points.emplace_back(most_factor, points.back().y());
    plot.line(points, css);
  };
  const std::vector<Profile> list = profiles(table);
  // Two in bold, the best three of the single solvers in colours, the rest in grey.
  std::vector<Entry> key;
  std::vector<std::pair<const Profile*, std::string>> drawn;
  int others = 0;
  for (const Profile& profile : list) {
    std::string css = "thin";
    if (profile.solver == "stiction")
      css = "s1 bold";
    else if (profile.solver == "Siconos best")
      css = "s2 bold";
    else if (++others <= 3)
      css = fmt::format("s{}", 2 + others);
    drawn.emplace_back(&profile, css);
    const bool single = css == "s3" || css == "s4" || css == "s5";
    if (css == "s2 bold")
      key.push_back({css, "Siconos, the fastest each time"});
    else if (css != "thin")
      key.push_back({css, (single ? "Siconos " : "") + escaped(profile.solver)});
  }
  if (others > 3) key.push_back({"thin", fmt::format("{} more of Siconos", others - 3)});
  std::stable_sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) {
    return (a.second == "thin") > (b.second == "thin");
  });
  for (const auto& [profile, css] : drawn) draw(*profile, css);
  return with_key(plot, key);
}

std::string contact_table(const Csv& table) {
  std::string html =
      "<div class='scroll'><table><tr><th>problem</th><th>contacts</th><th>fastest of Siconos</th>"
      "<th>its time</th><th>stiction</th><th>ratio</th></tr>";
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double ratio = table.number(i, "ratio"), own = table.number(i, "stiction_seconds");
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td></tr>",
                    escaped(table.text(i, "problem")), escaped(table.text(i, "contacts")),
                    escaped(table.text(i, "peer")), time_text(table.number(i, "peer_seconds")),
                    time_text(own), table.number(i, "orders") > 1 ? " *" : "",
                    std::isfinite(ratio) ? fmt::format("{:.{}f}", ratio, ratio < 10 ? 1 : 0) : "");
  }
  return html + "</table></div>";
}

std::string contact_summary(const Csv& table) {
  double log_sum = 0;
  int counted = 0, solved = 0, slower = 0, alone = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double peer = table.number(i, "peer_seconds"), own = table.number(i, "stiction_seconds");
    solved += std::isfinite(own) ? 1 : 0;
    alone += std::isfinite(own) && !std::isfinite(peer) ? 1 : 0;
    slower += own > peer ? 1 : 0;
    if (table.number(i, "contacts") < 20 || !std::isfinite(own) || !std::isfinite(peer)) continue;
    log_sum += std::log(peer / own);
    ++counted;
  }
  return fmt::format(
      "<p>stiction solves {} of {} problems, {} of which no solver of Siconos does. It is slower "
      "on "
      "{}. Over the {} problems with 20 contacts or more that both solve, the fastest solver of "
      "Siconos takes {:.1f} times as long (geometric mean). One core each, from r = 0, until both "
      "errors of the certificate are at most 1e-8, best of five or more; * the median over ten "
      "orders of the contacts, where the order matters.</p>",
      solved, table.size(), alone, slower, counted,
      counted > 0 ? std::exp(log_sum / counted) : 0.0);
}

struct Family {
  std::string name, threads, tolerance;
  std::vector<Vec2> points;  // log₁₀ of contacts and of seconds

  // Least squares; nothing for fewer than two sizes.
  std::optional<double> slope() const {
    Vec2 mean = Vec2::Zero();
    for (const Vec2& p : points) mean += p / static_cast<double>(points.size());
    double xx = 0, xy = 0;
    for (const Vec2& p : points) {
      xx += (p.x() - mean.x()) * (p.x() - mean.x());
      xy += (p.x() - mean.x()) * (p.y() - mean.y());
    }
    if (!(xx > 0)) return std::nullopt;
    return xy / xx;
  }
};

std::vector<Family> families(const Csv& table) {
  std::vector<Family> list;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Family one{
        table.text(i, "family"), table.text(i, "threads"), table.text(i, "tolerance"), {}};
    auto at = std::find_if(list.begin(), list.end(), [&](const Family& f) {
      return f.name == one.name && f.threads == one.threads && f.tolerance == one.tolerance;
    });
    if (at == list.end()) at = list.insert(list.end(), one);
    const double contacts = table.number(i, "contacts"), seconds = table.number(i, "seconds");
    if (contacts > 0 && seconds > 0 && std::isfinite(seconds))  // infinity: not solved
      at->points.emplace_back(std::log10(contacts), std::log10(seconds));
  }
  std::erase_if(list, [](const Family& f) { return f.points.empty(); });
  for (Family& family : list)
    std::sort(family.points.begin(), family.points.end(),
              [](const Vec2& a, const Vec2& b) { return a.x() < b.x(); });
  return list;
}

Picture scaling_picture(const std::vector<Family>& list) {
  Range x{infinity, -infinity}, y = x;
  for (const Family& family : list)
    for (const Vec2& p : family.points) {
      x = {std::min(x.from, p.x()), std::max(x.to, p.x())};
      y = {std::min(y.from, p.y()), std::max(y.to, p.y())};
    }
  x = {std::floor(x.from - 0.05), std::ceil(x.to + 0.05)};
  y = {std::floor(y.from - 0.05), std::ceil(y.to + 0.05)};
  Plot plot(640, 420, x, y, true);
  plot.axes("contacts", "time [s]", powers_of_ten(x), powers_of_ten(y));
  // In proportion to the size: a line through the lower left corner and its parallels.
  for (double start = y.from - std::floor(x.to - x.from); start < y.to; ++start) {
    const double from = std::max(x.from, x.from + y.from - start),
                 to = std::min(x.to, x.from + y.to - start);
    if (from < to) plot.line({{from, start + from - x.from}, {to, start + to - x.from}}, "thin");
  }
  const bool many_threads = std::any_of(
      list.begin(), list.end(), [&](const Family& f) { return f.threads != list[0].threads; });
  const bool many_tolerances = std::any_of(
      list.begin(), list.end(), [&](const Family& f) { return f.tolerance != list[0].tolerance; });
  std::vector<Entry> key;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Family& family = list[k];
    const std::string css = fmt::format("s{}{}", 1 + k % 5, k >= 5 ? " dashed" : "");
    plot.line(family.points, css);
    for (const Vec2& p : family.points) plot.dot(p, 3, fmt::format("s{} full", 1 + k % 5));
    std::string name = family.name;
    if (many_threads) name += ", " + family.threads + (family.threads == "1" ? " core" : " cores");
    if (many_tolerances) name += ", " + family.tolerance;
    if (const auto slope = family.slope()) name += fmt::format(": slope {:.2f}", *slope);
    key.push_back({css, escaped(name)});
  }
  key.push_back({"thin", "in proportion, slope 1"});
  return with_key(plot, key);
}

std::string figure(const Picture& picture, const std::string& caption) {
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>", picture.svg(), caption);
}

}  // namespace

std::vector<Chapter> bench_chapters(const fs::path& folder, Figures& figures) {
  std::string html;
  const auto contact = Csv::read(
      folder / "contact.csv",
      {"problem", "contacts", "peer", "peer_seconds", "stiction_seconds", "ratio", "orders"});
  const auto profile =
      Csv::read(folder / "contact_profile.csv", {"solver", "problems", "factor", "fraction"});
  if (contact && profile && contact->size() > 0) {
    const Picture picture = profile_picture(*profile);
    figures["contact_profile"] = standalone(picture.width, picture.height, picture.body);
    html +=
        "<h3>Against Siconos</h3>" + contact_summary(*contact) +
        figure(picture,
               "Performance profile: how many of the problems each solver solved within a "
               "factor of the fastest. At the left edge: how often it was the fastest. A solver "
               "is judged on the problems of the dimensions it takes.") +
        contact_table(*contact);
  }
  if (const auto scaling = Csv::read(folder / "scaling.csv",
                                     {"family", "contacts", "seconds", "threads", "tolerance"})) {
    const std::vector<Family> list = families(*scaling);
    if (!list.empty()) {
      const Picture picture = scaling_picture(list);
      figures["scaling"] = standalone(picture.width, picture.height, picture.body);
      html += "<h3>Time against size</h3>" +
              figure(picture, fmt::format("Time to solve a scene, by the number of its contacts. "
                                          "The slopes are fitted to all points of a line. "
                                          "Tolerance {}, {} core{}, unless the key says otherwise.",
                                          escaped(list[0].tolerance), escaped(list[0].threads),
                                          list[0].threads == "1" ? "" : "s"));
    }
  }
  if (html.empty()) return {};
  return {{"speed", "Speed", "<p>Measured on the machine that made this page.</p>" + html}};
}

}  // namespace stiction::report
