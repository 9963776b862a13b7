// SPDX-License-Identifier: Apache-2.0
#include "io/constraint_json.h"

#include "base/part_of.h"
#include "io/matrix_json.h"
#include "io/section_json.h"

namespace stiction::io {

namespace {

std::vector<double> read_list(const Field& field) {
  std::vector<double> list(field.size());
  field.numbers(list.data());
  return list;
}

Section contact_section(const Field& field) {
  const bool plane = field.has("plane");
  if (plane && !field.at("plane").value().is_boolean())
    throw field.at("plane").error("true or false");
  if (field.has("section")) {
    if (field.has("law") || plane) throw field.error("a section, or a law that may be plane");
    return section_from_json(field.at("section"));
  }
  const Law law = law_from_json(field.at("law"));
  const bool cut = plane && field.at("plane").value().get<bool>();
  return cut ? plane_section(law) : curve_section(law);
}

Constraint read_constraint(const Field& field) {
  Constraint constraint;
  const std::string kind = field.at("kind").text();
  if (kind == "contact") {
    constraint = contact_constraint(contact_section(field));
  } else if (kind == "fixed") {
    constraint = fixed_constraint(section_from_json(field.at("section")));
  } else if (kind == "limit") {
    constraint = limit_constraint();
  } else if (kind == "bilateral") {
    constraint = bilateral_constraint(field.at("rows").integer(1, 1000000));
  } else {
    throw field.at("kind").error("contact, fixed, limit or bilateral");
  }
  if (field.has("compliance")) constraint.compliance = read_list(field.at("compliance"));
  if (field.has("bias")) constraint.bias = read_list(field.at("bias"));
  return constraint;
}

Json constraint_to_json(const Constraint& constraint) {
  Json json;
  json["kind"] = to_text(constraint.kind);
  if (constraint.kind == Constraint::Kind::contact || constraint.kind == Constraint::Kind::fixed)
    json["section"] = to_json(constraint.section);
  if (constraint.kind == Constraint::Kind::bilateral) json["rows"] = constraint.bilateral_rows;
  if (!constraint.compliance.empty()) json["compliance"] = constraint.compliance;
  if (!constraint.bias.empty()) json["bias"] = constraint.bias;
  return json;
}

}  // namespace

AnyConstraintProblem constraints_from_json(const Field& top, const Progress& progress) {
  for (const char* key : {"dimension", "law", "mu_rolling", "G", "V"})
    if (top.has(key)) throw top.at(key).error("none beside constraints");
  const Field list = top.at("constraints");
  const bool global = top.has("M");
  const char* free = global ? "w" : "q";
  const Eigen::VectorXd components = read_vector(top.at(free));
  std::vector<Constraint> constraints;
  Eigen::Index rows = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    constraints.push_back(read_constraint(list.at(i)));
    rows += constraints.back().rows();
    if (rows > components.size()) break;
  }
  if (rows != components.size())
    throw InvalidInput(std::string(free) + " has " + std::to_string(components.size()) +
                       " numbers, expected " + (rows > components.size() ? "at least " : "") +
                       std::to_string(rows) + ", one a row of the constraints");
  const auto n = static_cast<int>(rows);
  if (global) {
    GlobalConstraintProblem problem{
        std::move(constraints), {}, {}, read_vector(top.at("f")), components};
    const auto freedoms = static_cast<int>(problem.f.size());
    problem.M = read_matrix(top.at("M"), freedoms, part_of(progress, 0, 0.5));
    problem.H = read_matrix(top.at("H"), freedoms, part_of(progress, 0.5, 1));
    validate(problem);
    return problem;
  }
  ConstraintProblem problem{std::move(constraints), {}, components};
  const Field W = top.at("W");
  problem.W = W.has("blocks")
                  ? read_blocks(W.at("blocks"), row_starts(problem.constraints), progress)
                  : read_matrix(W, n, progress);
  validate(problem);
  return problem;
}

std::string constraints_to_json(const AnyConstraintProblem& any, const Progress& progress) {
  Json head;
  head["format"] = "stiction/1";
  head["constraints"] = Json::array();
  std::visit(
      [&](const auto& problem) {
        for (const Constraint& constraint : problem.constraints)
          head["constraints"].push_back(constraint_to_json(constraint));
      },
      any);
  std::string out = head.dump();
  out.pop_back();  // what follows is the rest of the object
  if (const auto* problem = std::get_if<ConstraintProblem>(&any)) {
    Writer writer(out, progress, static_cast<std::size_t>(problem->W.nonZeros()));
    writer.vector("q", problem->q);
    writer.matrix("W", problem->W);
  } else {
    const auto& global = std::get<GlobalConstraintProblem>(any);
    Writer writer(out, progress,
                  static_cast<std::size_t>(global.M.nonZeros() + global.H.nonZeros()));
    writer.matrix("M", global.M);
    writer.matrix("H", global.H);
    writer.vector("f", global.f);
    writer.vector("w", global.w);
  }
  return out + "}\n";
}

}  // namespace stiction::io
