// SPDX-License-Identifier: Apache-2.0
//
// What does a linearised cone cost, in time and in truth?  Three scenes under every law: iterations
// and time to both errors ≤ 1e-10, and how far the answer is from that of the exact law:
//
//   velocity   ‖u − u_exact‖/‖u_exact‖ over all contacts (reactions are not unique)
//   power      what friction dissipates in the step, over the exact, less 1
//
// The exact law itself may have many answers.  It is solved again from the answer of each other
// law, and the farthest of these is printed as its spread: an error below it says nothing.
//
//   bench_linearisation_program [--repeat N] [--csv FILE]
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "stiction/solver.h"
#include "three_scenes.h"

namespace {

using namespace stiction;

constexpr double tolerance = 1e-10;

struct Row {
  Status status = Status::stalled;
  int iterations = 0;
  double seconds = infinity, power = 0;
  Eigen::VectorXd reactions, velocities;
};

ContactProblem with_law(ContactProblem problem, const std::string& law) {
  for (Law& one : problem.laws) {
    std::string text_of_law = law;
    text_of_law.replace(text_of_law.find('*'), 1, text(one.mu));
    one = parse_law(text_of_law);
  }
  return problem;
}

Row measure(ContactSolver& solver, const ContactProblem& problem,
            const Eigen::VectorXd* guess = nullptr) {
  const Solution& s = solver.solve(problem, {.tolerance = tolerance}, guess);
  const Certificate certificate = certify(problem, s.reactions);
  Row row{s.status, s.iterations, s.seconds, certificate.dissipation, s.reactions, {}};
  if (!certificate.within(tolerance)) row.status = Status::stalled;
  multiply(problem.W, row.reactions, row.velocities);
  row.velocities += problem.q;
  return row;
}

std::vector<std::string> laws() {
  std::vector<std::string> list{"disc:*", "pyramid:*", "box:*", "scaled-box:*"};
  for (const int n : {4, 6, 8, 12, 16, 24, 32, 48, 64})
    list.push_back("ngon:*," + std::to_string(n));
  for (const int n : {8, 16, 32}) list.push_back("ngon-out:*," + std::to_string(n));
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  std::string csv = "linearisation.csv";
  int repeat = 25;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    if (word == "--repeat") repeat = std::max(1, std::stoi(argv[i + 1]));
    if (word == "--csv") csv = argv[i + 1];
  }
  std::string table = "scene,contacts,law,status,iterations,seconds,velocity_error,power_error\n";
  for (const bench::Scene& scene : bench::three_scenes()) {
    std::vector<ContactProblem> problems;
    for (const std::string& law : laws()) problems.push_back(with_law(scene.problem, law));
    std::vector<ContactSolver> solvers(problems.size());
    std::vector<Row> rows(problems.size());
    for (int round = 0; round < repeat; ++round)  // all laws in turn: they share what disturbs
      for (std::size_t k = 0; k < problems.size(); ++k) {
        const double best = rows[k].seconds;
        rows[k] = measure(solvers[k], problems[k]);
        rows[k].seconds = std::min(rows[k].seconds, best);
      }
    const Row& exact = rows[0];
    const auto distance = [&](const Row& row) {
      return std::pair((row.velocities - exact.velocities).norm() / exact.velocities.norm(),
                       row.power / exact.power - 1);
    };
    std::pair<double, double> spread;
    for (const Row& row : rows) {
      const Row again = measure(solvers[0], problems[0], &row.reactions);
      if (again.status == Status::solved) spread = std::max(spread, distance(again));
    }
    std::printf("\n%s: %d contacts\n%-14s %10s %11s %7s %11s %11s\n", scene.name.c_str(),
                scene.problem.contacts(), "law", "iterations", "time", "ratio", "velocity",
                "power");
    const auto print = [&](const std::string& law, const Row& row) {
      const auto [velocity, power] = distance(row);
      std::printf("%-14s %10d %8.1f us %7.2f %9.4f %% %+9.4f %%  %s\n", law.c_str(), row.iterations,
                  1e6 * row.seconds, row.seconds / exact.seconds, 100 * velocity, 100 * power,
                  row.status == Status::solved ? "" : to_text(row.status).c_str());
      table += scene.name + ',' + std::to_string(scene.problem.contacts()) + ",\"" + law + "\"," +
               to_text(row.status) + ',' + std::to_string(row.iterations) + ',' +
               text(row.seconds) + ',' + text(velocity) + ',' + text(power) + '\n';
    };
    print(laws()[0], exact);
    for (std::size_t k = 1; k < rows.size(); ++k) print(laws()[k], rows[k]);
    std::printf("%-14s %30s %9.4f %% %+9.4f %%\n", "spread of disc", "", 100 * spread.first,
                100 * spread.second);
    table += scene.name + ',' + std::to_string(scene.problem.contacts()) + ",spread of disc,,,," +
             text(spread.first) + ',' + text(spread.second) + '\n';
  }
  const std::filesystem::path folder = std::filesystem::path(csv).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  write_file(csv, table);
  std::printf("\nwritten to %s\n", csv.c_str());
  return 0;
}
