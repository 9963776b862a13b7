// SPDX-License-Identifier: Apache-2.0
#include "report/map_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::report {

namespace {

// Coefficients that a colour ends at, the same in every map: the darker, the less friction jams.
struct Level {
  double below;
  const char* fill;
};
constexpr std::array<Level, 9> levels{{{0.25, "#67000d"},
                                       {0.5, "#a50f15"},
                                       {0.75, "#cb181d"},
                                       {1, "#ef3b2c"},
                                       {1.5, "#fb6a4a"},
                                       {2, "#fc9272"},
                                       {3, "#fcbba1"},
                                       {5, "#fee0d2"},
                                       {infinity, "#fff8f5"}}};
constexpr const char* no_answer = "#c4ccd6";

const char* fill_of(double mu) {
  if (std::isnan(mu)) return no_answer;
  for (const Level& level : levels)
    if (mu < level.below) return level.fill;
  return levels.back().fill;
}

std::vector<Tick> ticks(Range range) {
  const double span = std::abs(range.to - range.from);
  double step = std::pow(10, std::floor(std::log10(span)));
  for (const double factor : {0.1, 0.2, 0.5, 1.0}) {
    if (span / (step * factor) > 6.5) continue;
    step *= factor;
    break;
  }
  const auto [low, high] = std::minmax(range.from, range.to);
  std::vector<Tick> list;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k)
    list.emplace_back(k * step, fmt::format("{:.6g}", k * step + 0.0));
  return list;
}

Range range_of(const Sweep& sweep) {
  if (sweep.from != sweep.to && sweep.count > 1) return {sweep.from, sweep.to};
  return {sweep.from - 0.5, sweep.from + 0.5};
}

Plot curves(const JammingMap& map) {
  const Sweep& sweep = map.sweeps[0];
  const double least = map.least_jam ? map.least_jam->mu : 1;
  // Curves end at the cap; above it is the key.
  const double cap = std::max(3 * least, 1.0);
  const Range x = range_of(sweep), y{0, 1.2 * cap};
  Plot plot(560, 340, x, y, true);
  plot.axes(sweep.name, "coefficient", ticks(x), ticks(y));
  const auto draw = [&](const std::vector<double>& values, const char* css) {
    std::vector<Vec2> points;
    const auto flush = [&] {
      if (points.size() > 1) plot.line(points, css);
      points.clear();
    };
    for (int i = 0; i < sweep.count; ++i) {
      const double mu = values[static_cast<std::size_t>(i)];
      if (mu <= cap)
        points.emplace_back(sweep.at(i), mu);
      else
        flush();
    }
    flush();
  };
  draw(map.mu_jam, "s2");
  draw(map.mu_crit, "s1");
  const auto key = [&](double height, const char* css, const std::string& text) {
    const auto at = [&](double share) {
      return Vec2(x.from + share * (x.to - x.from), height * cap);
    };
    plot.line({at(0.03), at(0.08)}, css);
    plot.text(at(0.1), text, "note");
  };
  key(1.14, "s2", subscript("μ_jam: from here on some slips jam"));
  key(1.07, "s1", subscript("μ_crit: from here on friction can hold the contact"));
  if (map.least_jam) plot.dot({map.least_jam->at[0], map.least_jam->mu}, 4, "point");
  return plot;
}

Plot colours(const JammingMap& map) {
  const Sweep &down = map.sweeps[0], &across = map.sweeps[1];
  const Range x = range_of(across), y = range_of(down);
  // Room for the key at the right.
  const double span = x.to - x.from;
  Plot plot(560, 420, {x.from, x.to + 0.22 * span}, y, true);
  plot.axes(across.name, down.name, ticks(x), {});
  for (const Tick& tick : ticks(y)) plot.text({x.from - 0.06 * span, tick.at}, tick.label, "tick");
  // Cells are taken together where they would be finer than the picture, the worst standing for
  // all.
  const int width = (across.count + 179) / 180, height = (down.count + 179) / 180;
  const double dx = across.count > 1 ? span / (across.count - 1) : span;
  const double dy = down.count > 1 ? (y.to - y.from) / (down.count - 1) : y.to - y.from;
  const auto edge = [](const Range& range, double step, int cells) {
    const double at = range.from + (cells - 0.5) * step;
    const auto [low, high] = std::minmax(range.from, range.to);
    return std::clamp(at, low, high);
  };
  for (int i = 0; i < down.count; i += height) {
    const char* open = nullptr;
    int from = 0;
    const auto flush = [&](int to) {
      if (open != nullptr)
        plot.cell({edge(x, dx, from), edge(y, dy, i)},
                  {edge(x, dx, to), edge(y, dy, std::min(i + height, down.count))}, open);
    };
    for (int j = 0; j < across.count; j += width) {
      double worst = std::nan("");
      for (int a = i; a < std::min(i + height, down.count); ++a)
        for (int b = j; b < std::min(j + width, across.count); ++b)
          worst = std::fmin(
              worst,
              map.mu_jam[static_cast<std::size_t>(a) * static_cast<std::size_t>(across.count) +
                         static_cast<std::size_t>(b)]);
      const char* const fill = fill_of(worst);
      if (fill == open) continue;
      flush(j);
      open = fill;
      from = j;
    }
    flush(across.count);
  }
  if (map.least_jam) {
    plot.dot({map.least_jam->at[1], map.least_jam->at[0]}, 5, "point");
    plot.text({map.least_jam->at[1] + 0.015 * span, map.least_jam->at[0]},
              fmt::format("{:.3g}", map.least_jam->mu), "name halo");
  }
  const double left = x.to + 0.03 * span, step = (y.to - y.from) / 16;
  double top = y.to - step;
  plot.text({left, top}, subscript("μ_jam"), "name");
  double above = 0;
  const auto frame = [&](const Vec2& a, const Vec2& b) {
    plot.line({a, {b.x(), a.y()}, b, {a.x(), b.y()}, a}, "thin");
  };
  frame({x.from, y.from}, {x.to, y.to});
  const auto entry = [&](const char* fill, const std::string& text) {
    top -= step;
    const Vec2 low(left, top - 0.15 * step), high(left + 0.03 * span, top + 0.6 * step);
    plot.cell(low, high, fill);
    frame(low, high);
    plot.text({left + 0.045 * span, top}, text, "note");
  };
  for (const Level& level : levels) {
    entry(level.fill, std::isfinite(level.below) ? fmt::format("{:g} – {:g}", above, level.below)
                                                 : fmt::format("over {:g}", above));
    above = level.below;
  }
  if (map.without_answer > 0) entry(no_answer, "no answer");
  return plot;
}

}  // namespace

Plot map_plot(const JammingMap& map) { return map.sweeps.size() == 1 ? curves(map) : colours(map); }

}  // namespace stiction::report
