// SPDX-License-Identifier: Apache-2.0
//
// Real contact problems, where a folder of them lies beside the project: every one is solved to
// 1e-8, and to max(1e-12, 100 units of rounding × ‖r‖∞/‖q‖) on request.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

TEST(Corpus, EveryProblemIsSolved) {
  if (!fs::is_directory(STICTION_PROBLEMS)) {
    std::cout << "no problems at " STICTION_PROBLEMS
                 ": only the project's own scenes were solved\n";
    return;
  }
  int solved = 0;
  for (const auto& entry : fs::directory_iterator(STICTION_PROBLEMS)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".dat" && ending != ".hdf5") continue;
    AnyProblem any;
    try {
      any = read_problem(entry.path());
    } catch (const InvalidInput&) {
      any = read_problem(entry.path(), ProblemKind::global);  // can be read in two ways
    }
    const Condensed condensed = std::visit([](const auto& p) { return Condensed(p); }, any);
    const ContactProblem& problem = condensed.local();
    const Solution s = solve(problem);
    EXPECT_EQ(s.status, Status::solved) << entry.path();
    EXPECT_TRUE(certify(problem, s.reactions).within(1e-8)) << entry.path();
    const double finest =
        std::max(1e-12, 100 * 2.2e-16 * s.reactions.lpNorm<Eigen::Infinity>() / problem.q.norm());
    EXPECT_EQ(solve(problem, {.tolerance = finest}).status, Status::solved) << entry.path();
    ++solved;
  }
  std::cout << solved << " problems solved\n";
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace stiction::testing
