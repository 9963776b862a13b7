// SPDX-License-Identifier: Apache-2.0
//
// Solutions and guesses beside a problem: where to start from, and whether their sizes fit.
#include <cmath>

#include "stiction/problem_io.h"

namespace stiction {

namespace {

void require_size(const Eigen::VectorXd& vector, Eigen::Index size, const std::string& name) {
  if (vector.size() != 0 && vector.size() != size)
    throw InvalidInput(name + " has " + std::to_string(vector.size()) + " entries, expected " +
                       std::to_string(size));
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    if (!std::isfinite(vector[i]))
      throw InvalidInput(name + "[" + std::to_string(i) + "] is " + text(vector[i]) +
                         ", expected a finite number");
}

}  // namespace

const StoredSolution* start_of(const ProblemFile& file) {
  if (file.solution && !file.solution->reactions.isZero(0)) return &*file.solution;
  if (!file.guesses.empty() && file.guesses.front().reactions.size() > 0)
    return &file.guesses.front();
  return file.solution && file.solution->reactions.size() > 0 ? &*file.solution : nullptr;
}

void validate(const ProblemFile& file) {
  std::visit([](const auto& problem) { validate(problem); }, file.problem);
  Eigen::Index components = 0, freedoms = 0, rows = 0;
  if (const auto* local = std::get_if<ContactProblem>(&file.problem)) {
    components = local->q.size();
    rows = local->bilateral ? local->bilateral->s.size() : 0;
  } else {
    const auto& global = std::get<GlobalProblem>(file.problem);
    components = global.w.size();
    freedoms = global.f.size();
    rows = global.joints ? global.joints->second.size() : 0;
  }
  const auto require = [&](const StoredSolution& solution, const std::string& path) {
    require_size(solution.reactions, components, path + "/r");
    require_size(solution.velocities, components, path + "/u");
    require_size(solution.generalized_velocities, freedoms, path + "/v");
    require_size(solution.bilateral_forces, rows, path + "/l");
  };
  if (file.solution) require(*file.solution, "/solution");
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    require(file.guesses[k], "/guesses/" + std::to_string(k + 1));
}

}  // namespace stiction
