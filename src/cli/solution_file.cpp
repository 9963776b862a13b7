// SPDX-License-Identifier: Apache-2.0
#include "cli/solution_file.h"

#include "base/file.h"

namespace stiction::cli {

namespace {

// Names the file in errors that do not yet.
template <class Work>
auto naming(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    const std::string what = error.what();
    throw InvalidInput(what.rfind(path + ": ", 0) == 0 ? what : path + ": " + what);
  }
}

}  // namespace

Eigen::VectorXd read_rows(const io::Field& field, int dimension, int contacts) {
  if (field.size() != static_cast<std::size_t>(contacts))
    throw InvalidInput(field.path() + " has " + std::to_string(field.size()) + " rows, expected " +
                       std::to_string(contacts) + ", one a contact");
  Eigen::VectorXd vector(static_cast<Eigen::Index>(dimension) * contacts);
  for (int i = 0; i < contacts; ++i) {
    const io::Field row = field.at(static_cast<std::size_t>(i));
    if (row.size() != static_cast<std::size_t>(dimension))
      throw row.error(std::to_string(dimension) + " numbers");
    for (int c = 0; c < dimension; ++c)
      vector[dimension * i + c] = row.at(static_cast<std::size_t>(c)).number();
  }
  return vector;
}

Json read_solution(const std::string& path) {
  return naming(path, [&]() -> Json {
    if (!is_fclib(path)) return io::parse_json(read_file(path));
    ProblemFile file = read_problem_file(path);
    if (!file.solution) throw InvalidInput("has no group solution, expected one");
    const int dimension = std::visit([](const auto& p) { return p.dimension; }, file.problem);
    Json json;
    json["kind"] = kind_name(file.problem);
    json["law"] = Json::array();
    for (const Law& law : laws_of(file.problem)) json["law"].push_back(io::to_json(law));
    if (file.solution->reactions.size() > 0 || laws_of(file.problem).empty())
      json["reactions"] = rows(file.solution->reactions, dimension);
    return json;
  });
}

Eigen::VectorXd read_guess(const std::string& path, int dimension, int contacts) {
  return naming(path, [&]() -> Eigen::VectorXd {
    if (!is_fclib(path)) {
      const io::Json json = io::parse_json(read_file(path));
      return read_rows(io::Field(json, "").at("reactions"), dimension, contacts);
    }
    const ProblemFile file = read_problem_file(path);
    const StoredSolution* start = start_of(file);
    if (start == nullptr) throw InvalidInput("has no solution and no guess, expected one");
    if (start->reactions.size() != static_cast<Eigen::Index>(dimension) * contacts)
      throw InvalidInput("has a solution of " + std::to_string(start->reactions.size()) +
                         " components, expected " + std::to_string(dimension * contacts));
    return start->reactions;
  });
}

void require_fclib_can_hold(const std::string& path, AnyProblem& problem, Model model) {
  if (model != Model::coulomb)
    throw InvalidInput(path + ": FCLib's solutions are those of exact friction, expected .json");
  const std::vector<Law>& laws = laws_of(problem);
  for (std::size_t i = 0; i < laws.size(); ++i)
    if (laws[i].curve != Law::Curve::disc)
      throw InvalidInput(path + ": FCLib knows discs only, but contact " + std::to_string(i) +
                         " has " + to_text(laws[i]) + "; expected .json");
}

void write_fclib_solution(const std::string& path, ProblemFile file, const Prepared& prepared,
                          const Solution& solution) {
  StoredSolution stored{
      solution.reactions, solution.velocities, solution.generalized_velocities, {}};
  const auto* global = std::get_if<GlobalProblem>(&prepared.problem);
  const auto* local = std::get_if<ContactProblem>(&prepared.problem);
  if ((global != nullptr && global->joints) || (local != nullptr && local->bilateral))
    stored.bilateral_forces = prepared.condensed().bilateral_forces(solution.reactions);
  file.problem = prepared.problem;
  if (solution.status == Status::solved) {
    file.solution = std::move(stored);
  } else {
    file.solution.reset();
    file.guesses.insert(file.guesses.begin(), std::move(stored));
  }
  write_problem_file(path, file);
}

}  // namespace stiction::cli
