// SPDX-License-Identifier: Apache-2.0
#include "cli/contact.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace stiction::cli {

std::optional<ProblemKind> parse_kind(const std::string& text, const char* name) {
  if (text.empty()) return std::nullopt;
  if (text == "local") return ProblemKind::local;
  if (text == "global") return ProblemKind::global;
  if (text == "rolling") return ProblemKind::rolling;
  throw InvalidInput(std::string(name) + " is '" + text + "', expected local, global or rolling");
}

std::string kind_name(const AnyProblem& problem) {
  if (std::visit([](const auto& p) { return p.dimension; }, problem) == 5) return "rolling";
  return std::holds_alternative<GlobalProblem>(problem) ? "global" : "local";
}

std::vector<Law>& laws_of(AnyProblem& problem) {
  return std::visit([](auto& p) -> std::vector<Law>& { return p.laws; }, problem);
}

void replace_laws(AnyProblem& problem, const std::string& law_text) {
  std::map<double, Law> known;
  for (Law& law : laws_of(problem)) {
    const double mu = reference_coefficient(law);
    const auto [it, added] = known.try_emplace(mu);
    if (added) {
      std::string own = law_text;
      for (std::size_t at = own.find('*'); at != std::string::npos; at = own.find('*'))
        own.replace(at, 1, text(mu));
      it->second = parse_law(own);
    }
    law = it->second;
  }
  if (known.empty()) {  // no contacts: the text is checked all the same
    std::string own = law_text;
    std::replace(own.begin(), own.end(), '*', '1');
    parse_law(own);
  }
}

Json rows(const Eigen::VectorXd& vector, int dimension) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i + dimension <= vector.size(); i += dimension) {
    Json row = Json::array();
    for (int c = 0; c < dimension; ++c) row.push_back(number(vector[i + c]));
    list.push_back(row);
  }
  return list;
}

Json rows(const Eigen::VectorXd& vector, const std::vector<int>& starts) {
  Json list = Json::array();
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    Json row = Json::array();
    for (int k = starts[i]; k < starts[i + 1]; ++k) row.push_back(number(vector[k]));
    list.push_back(row);
  }
  return list;
}

Json to_json(const std::vector<Mode>& modes) {
  Json list = Json::array();
  for (const Mode mode : modes) list.push_back(to_text(mode));
  return list;
}

void show(const Certificate& c) {
  row("relative", shown(c.relative), "natural map over ‖q‖, FCLib's error");
  row("scaled", shown(c.scaled), "the same, independent of units");
  row("cone violation", shown(c.cone_violation), "N s");
  row("penetration", shown(c.penetration), "m/s");
  row("complementarity", shown(c.complementarity), "J");
  row("slip alignment", shown(c.slip_alignment), "J");
  row("dissipation", shown(c.dissipation), "J");
}

Json to_json(const Certificate& c) {
  return {{"natural_map", number(c.natural_map)},
          {"relative", number(c.relative)},
          {"scaled", number(c.scaled)},
          {"cone_violation", number(c.cone_violation)},
          {"penetration", number(c.penetration)},
          {"complementarity", number(c.complementarity)},
          {"slip_alignment", number(c.slip_alignment)},
          {"dissipation", number(c.dissipation)},
          {"dissipation_by",
           {{"slip", number(c.slip_dissipation)},
            {"spin", number(c.spin_dissipation)},
            {"rolling", number(c.rolling_dissipation)},
            {"joints", number(c.joint_dissipation)}}}};
}

Prepared::Prepared(AnyProblem given, std::string path)
    : problem(std::move(given)), path_(std::move(path)) {
  const int d = std::visit([](const auto& p) { return p.dimension; }, problem);
  if (d == 4) throw InvalidInput(path_ + ": has dimension 4, expected 2, 3 or 5");
}

const Condensed& Prepared::condensed() const {
  if (condensed_) return *condensed_;
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar;
  const Progress report = std::ref(bar);
  try {
    condensed_ = std::visit([&](const auto& p) { return Condensed(p, report); }, problem);
  } catch (const InvalidInput& error) {
    throw InvalidInput(path_ + ": " + error.what());
  }
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return *condensed_;
}

}  // namespace stiction::cli
