// SPDX-License-Identifier: Apache-2.0
//
// `gcone --model … --sweep …`: a map of mu_crit and mu_jam.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "cli/gcone/mechanism.h"
#include "cli/gcone/model.h"
#include "report/figure_file.h"
#include "report/map_plot.h"
#include "stiction/jamming_map.h"

namespace stiction::cli {

namespace {

Json point(const std::optional<MapPoint>& p, const JammingMap& map) {
  if (!p) return nullptr;
  Json at = Json::object();
  for (std::size_t k = 0; k < map.sweeps.size(); ++k) at[map.sweeps[k].name] = number(p->at[k]);
  return {{"mu", number(p->mu)}, {"at", at}};
}

// A list for one sweep, a list of rows for two.
Json grid(const std::vector<double>& values, const JammingMap& map) {
  const std::size_t columns =
      map.sweeps.size() == 2 ? static_cast<std::size_t>(map.sweeps[1].count) : values.size();
  Json rows = Json::array();
  for (std::size_t at = 0; at < values.size(); at += columns) {
    Json row = Json::array();
    for (std::size_t j = 0; j < columns; ++j) row.push_back(number(values[at + j]));
    if (map.sweeps.size() == 1) return row;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json summary(const JammingMap& map, const GconeCall& call, const std::string& frame) {
  Json object;
  object["format"] = "stiction/1";
  object["frame"] = frame;
  object["law"] = call.law.empty() ? Json(nullptr) : Json(call.law);
  object["sweeps"] = Json::array();
  for (const Sweep& sweep : map.sweeps)
    object["sweeps"].push_back({{"joint", sweep.name},
                                {"from", number(sweep.from)},
                                {"to", number(sweep.to)},
                                {"count", sweep.count}});
  object["cells"] = map.mu_jam.size();
  object["without_answer"] = map.without_answer;
  object["jamming"] = call.law.empty() ? Json(nullptr) : Json(map.jamming);
  object["least_mu_jam"] = point(map.least_jam, map);
  object["greatest_mu_crit"] = point(map.greatest_crit, map);
  return object;
}

Json whole(Json object, const JammingMap& map) {
  object["mu_crit"] = grid(map.mu_crit, map);
  object["mu_jam"] = grid(map.mu_jam, map);
  return object;
}

std::string table(const JammingMap& map) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const Sweep& sweep : map.sweeps) fmt::format_to(out, "{},", sweep.name);
  fmt::format_to(out, "mu_crit,mu_jam\n");
  const bool two = map.sweeps.size() == 2;
  const int columns = two ? map.sweeps[1].count : 1;
  for (std::size_t c = 0; c < map.mu_jam.size(); ++c) {
    fmt::format_to(out, "{},", map.sweeps[0].at(static_cast<int>(c) / columns));
    if (two) fmt::format_to(out, "{},", map.sweeps[1].at(static_cast<int>(c) % columns));
    if (std::isnan(map.mu_jam[c]))
      fmt::format_to(out, ",\n");
    else
      fmt::format_to(out, "{},{}\n", map.mu_crit[c], map.mu_jam[c]);
  }
  return fmt::to_string(text);
}

std::string shown_at(const MapPoint& p, const JammingMap& map) {
  std::string text;
  for (std::size_t k = 0; k < map.sweeps.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "at " : ", ", map.sweeps[k].name, shown(p.at[k]));
  return text;
}

}  // namespace

void answer_map(const Shared& shared, const ModelArguments& arguments, const GconeCall& call) {
  const std::string ending = std::filesystem::path(arguments.out).extension().string();
  if (!arguments.out.empty() && ending != ".csv" && ending != ".json" && ending != ".svg" &&
      ending != ".pdf")
    throw InvalidInput("--out is " + arguments.out +
                       ", expected a name that ends in .csv, .json, .svg or .pdf");
  if (call.slip || call.normal_acceleration || call.change || call.impact)
    throw InvalidInput(
        "--slip and --normal-acceleration classify one configuration, expected none "
        "with --sweep");
  const ModelCall model = parse_model_call(arguments);
  if (!arguments.contacts.empty() || model.has_velocity)
    throw InvalidInput(
        "--contact and --velocity classify one configuration, expected none with --sweep");
  std::vector<Sweep> sweeps;
  for (const std::string& text : arguments.sweeps)
    sweeps.push_back(parse_sweep(text, model.mechanism.model, "--sweep"));
  ProgressBar bar;
  MapOptions options;
  if (!call.law.empty()) options.curve = call.curve;
  options.progress = std::ref(bar);
  const JammingMap map =
      jamming_map(model.mechanism, model.contact, model.configuration, sweeps, options);
  bar.clear();
  const Json object = summary(map, call, *arguments.frame);
  if (ending == ".csv") write_file(arguments.out, table(map));
  if (ending == ".json") write_file(arguments.out, text_of(whole(object, map)) + "\n");
  if (ending == ".svg" || ending == ".pdf") {
    const report::Plot plot = report::map_plot(map);
    report::write_figure(arguments.out,
                         report::standalone(plot.width(), plot.height(), plot.body()));
  }
  shared.answer(shared.json && arguments.out.empty() ? whole(object, map) : object, [&] {
    heading(fmt::format("{} of {}, {} configurations", *arguments.frame, *arguments.model,
                        map.mu_jam.size()));
    if (map.least_jam)
      row("least mu_jam", shown(map.least_jam->mu), shown_at(*map.least_jam, map));
    else
      row("least mu_jam", "infinite", "nothing jams");
    if (map.greatest_crit)
      row("greatest mu_crit", shown(map.greatest_crit->mu), shown_at(*map.greatest_crit, map));
    if (!call.law.empty())
      row("jamming",
          fmt::format("{:.4g} %", 100.0 * static_cast<double>(map.jamming) /
                                      static_cast<double>(map.mu_jam.size())),
          "of the configurations, for some slip, under " + call.law);
    if (map.without_answer > 0)
      row("no answer", std::to_string(map.without_answer), "configurations: a loop does not close");
    if (!arguments.out.empty()) row("written", arguments.out);
  });
}

}  // namespace stiction::cli
