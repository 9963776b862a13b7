// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <memory>
#include <optional>

#include "cli/cli.h"
#include "law/law_forms.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string law;
  std::optional<std::string> slip, force;
};

Vec2 parse_vector(const std::string& text, const char* what) {
  const auto xy = parse_numbers(text, 2, what);
  return {xy[0], xy[1]};
}

std::string kind_name(NormalCone::Kind kind) {
  using Kind = NormalCone::Kind;
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::ray:
      return "ray";
    case Kind::wedge:
      return "wedge";
    case Kind::line:
      return "line";
    case Kind::halfplane:
      return "halfplane";
    case Kind::all:
      return "all";
  }
  return "";
}

void answer_slip(const Shared& shared, const std::string& law, const LimitCurve& curve,
                 const Vec2& slip) {
  const Face face = curve.face(slip);
  const bool is_point = curve.shape() == LimitCurve::Shape::point;
  const bool unique = is_point || face.kind == Face::Kind::point;
  Json object;
  object["power"] = number(curve.support(slip));
  if (slip.isZero(0))
    object["face"] = nullptr;
  else if (face.kind == Face::Kind::segment)
    object["face"] = Json::array({array(face.first), array(face.last)});
  else
    object["face"] = Json::array({array(face.first)});
  object["unique"] = unique;
  shared.answer(object, [&] {
    heading(fmt::format("{}, slip {} m/s", law, shown(slip)));
    row("power", shown(curve.support(slip)), "W per N of normal force");
    if (face.kind == Face::Kind::point)
      row("force", shown(face.first), "N per N, on the ground");
    else if (face.kind == Face::Kind::segment)
      row("force", fmt::format("any from {} to {}", shown(face.first), shown(face.last)),
          "N per N, on the ground");
    else
      row("force", "any of the limit curve", "the point does not slip");
  });
}

void answer_force(const Shared& shared, const std::string& law, const LimitCurve& curve,
                  const Vec2& force) {
  const auto normals = curve.normals(force);
  Json object;
  object["gauge"] = number(curve.gauge(force));
  object["inside"] = curve.contains(force);
  object["projection"] = array(curve.project(force));
  object["normals"] = nullptr;
  std::string directions;
  if (normals) {
    Json list = Json::array();
    if (normals->directions() > 0) list.push_back(array(normals->first));
    if (normals->directions() > 1) list.push_back(array(normals->last));
    if (normals->directions() > 0) directions += " " + shown(normals->first);
    if (normals->directions() > 1) directions += " to " + shown(normals->last);
    object["normals"] = {{"kind", kind_name(normals->kind)}, {"directions", list}};
  }
  shared.answer(object, [&] {
    heading(fmt::format("{}, force {} N per N", law, shown(force)));
    row("gauge", shown(curve.gauge(force)), "1 on the curve, below 1 inside");
    row("inside", curve.contains(force) ? "yes" : "no");
    row("nearest", shown(curve.project(force)), "force the contact can carry");
    if (!normals)
      row("slip", "impossible", "the contact cannot carry this force");
    else if (normals->kind == NormalCone::Kind::none)
      row("slip", "none", "it sticks");
    else
      row("slip", kind_name(normals->kind) + directions);
  });
}

void run(const Shared& shared, const Arguments& arguments) {
  const LimitCurve curve = limit_curve(parse_law(arguments.law));
  if (arguments.slip.has_value() == arguments.force.has_value())
    throw InvalidInput("curve needs either --slip VX,VY or --force FX,FY");
  if (arguments.slip)
    answer_slip(shared, arguments.law, curve, parse_vector(*arguments.slip, "--slip"));
  else
    answer_force(shared, arguments.law, curve, parse_vector(*arguments.force, "--force"));
}

// How every law is written, in lines of so many letters at most.
std::string usages(std::size_t width) {
  std::string result;
  std::size_t column = std::string_view("Laws:").size();
  for (const LawForm& form : law_forms()) {
    const std::string usage = form.usage();
    if (column + 1 + usage.size() > width) {
      result += "\n ";
      column = 1;
    }
    (result += ' ') += usage;
    column += 1 + usage.size();
  }
  return result;
}

}  // namespace

void add_curve(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "curve",
      "The limit curve at a point of contact: which force answers a slip, which slips a force.\n"
      "Laws:" +
          usages(94) +
          "   (per unit normal force; angles in degrees)\n"
          "Example: stiction curve wheel:0.8,30 --force 0.1,0.2");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("LAW", arguments->law, "The friction law")->required();
  command->add_option("--slip", arguments->slip, "Slip velocity VX,VY [m/s]");
  command->add_option("--force", arguments->force,
                      "Force on the ground FX,FY, per unit normal force");
  command->callback([arguments, &shared] { run(shared, *arguments); });
}

}  // namespace stiction::cli
