// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <memory>

#include "cli/cli.h"
#include "stiction/friction_cone.h"
#include "stiction/law.h"
#include "stiction/linearisation.h"
#include "stiction/section_io.h"
#include "stiction/section_quality.h"

namespace stiction::cli {

namespace {

Json rows_of(const std::vector<Vec3>& vectors) {
  Json list = Json::array();
  for (const Vec3& v : vectors) list.push_back(array(v));
  return list;
}

Json list_of(const UpTo6& numbers) {
  Json list = Json::array();
  for (const double x : numbers) list.push_back(number(x));
  return list;
}

std::string shown_list(const UpTo6& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ", ") + shown(x);
  return text;
}

void run_section(const Shared& shared, const std::string& path) {
  const Section section = read_section(path);
  SectionQuality quality;
  try {
    quality = section_quality(section);
  } catch (const InvalidInput& error) {
    throw InvalidInput(path + ": " + error.what());
  }
  const UpTo6 inner = quality.inner * quality.axes, outer = quality.outer * quality.axes;
  Json object;
  object["axes"] = list_of(quality.axes);
  object["inner"] = list_of(inner);
  object["outer"] = list_of(outer);
  object["under"] = number(quality.under);
  object["over"] = number(quality.over);
  object["under_at"] = quality.under > 0 ? list_of(section.point(quality.inner_at)) : Json();
  object["over_at"] = quality.over > 0 ? list_of(section.point(quality.outer_at)) : Json();
  object["exact"] = quality.exact;
  shared.answer(object, [&] {
    const auto error = [&](double fraction, const UpTo6& at) {
      return fraction > 0
                 ? fmt::format("{:.4g} % at ({})", 100 * fraction, shown_list(section.point(at)))
                 : std::string("none");
    };
    heading(fmt::format("{} against the ellipsoid of its greatest forces", path));
    row("greatest forces", shown_list(quality.axes), "semi-axes");
    row("largest inside", shown_list(inner));
    row("smallest around", shown_list(outer));
    row("too weak by", error(quality.under, quality.inner_at));
    row("too strong by", error(quality.over, quality.outer_at));
  });
}

void run(const Shared& shared, const std::string& text) {
  if (text.ends_with(".json")) return run_section(shared, text);
  const Law law = parse_law(text);
  const double mu = reference_coefficient(law);
  Json object;
  for (const char* key : {"inscribed", "circumscribed", "under", "over", "under_at_deg",
                          "over_at_deg", "area_ratio", "rows", "rays"})
    object[key] = nullptr;
  if (mu == 0) {
    shared.answer(object, [&] {
      heading(text);
      row("cone", "the normal alone", "it carries no friction: nothing to compare");
    });
    return;
  }
  const FrictionCone cone(limit_curve(law));
  const ConeQuality quality = cone_quality(cone.curve(), mu);
  object["inscribed"] = number(quality.inscribed);
  object["circumscribed"] = number(quality.circumscribed);
  object["under"] = number(quality.under);
  object["over"] = number(quality.over);
  if (quality.under_at_deg) object["under_at_deg"] = number(*quality.under_at_deg);
  if (quality.over_at_deg) object["over_at_deg"] = number(*quality.over_at_deg);
  object["area_ratio"] = number(quality.area_ratio);
  const bool polygonal = cone.curve().is_polygonal();
  if (polygonal) {
    object["rows"] = rows_of(cone.rows());
    object["rays"] = rows_of(cone.rays());
  }
  shared.answer(object, [&] {
    const auto error = [](double fraction, const std::optional<double>& at) {
      return at ? fmt::format("{:.4g} % at {:.6g}°", 100 * fraction, *at) : std::string("none");
    };
    heading(fmt::format("{} against the disc of μ = {}", text, shown(mu)));
    row("inscribed", shown(quality.inscribed), "radius over μ");
    row("circumscribed", shown(quality.circumscribed), "radius over μ");
    row("too weak by", error(quality.under, quality.under_at_deg));
    row("too strong by", error(quality.over, quality.over_at_deg));
    row("area", shown(quality.area_ratio), "of the disc's");
    if (!polygonal) {
      row("rows, rays", "none", "the cone is curved");
      return;
    }
    fmt::print("\n  {:>12} {:>12} {:>12}   rows a·r ≤ 0, order n, t1, t2\n", "a_n", "a_t1", "a_t2");
    for (const Vec3& a : cone.rows())
      fmt::print("  {:>12} {:>12} {:>12}\n", shown(a[0]), shown(a[1]), shown(a[2]));
    fmt::print("\n  {:>12} {:>12} {:>12}   rays\n", "r_n", "r_t1", "r_t2");
    for (const Vec3& r : cone.rays())
      fmt::print("  {:>12} {:>12} {:>12}\n", shown(r[0]), shown(r[1]), shown(r[2]));
  });
}

}  // namespace

void add_cone(CLI::App& app, const Shared& shared) {
  auto* command =
      app.add_subcommand("cone",
                         "The friction cone of a law and its true errors against the exact one,\n"
                         "or a section against the ellipsoid that stands for it.\n"
                         "Example: stiction cone ngon:0.5,8\n"
                         "         stiction cone scenes/sections/pad.json");
  auto law = std::make_shared<std::string>();
  command->add_option("LAW", *law, "The friction law, as for `curve`, or a section's .json")
      ->required();
  command->callback([law, &shared] { run(shared, *law); });
}

}  // namespace stiction::cli
