// SPDX-License-Identifier: Apache-2.0
//
// Who solves contact problems fastest?  For every problem file in a folder: each solver of Siconos
// and stiction in one run, one core each, from r = 0, to the same error, best of so many
// repetitions, every answer certified by the same code.  Prints a table, writes contact.csv.
//
//   bench_contact_program FOLDER [--filter TEXT] [--limit SECONDS] [--repeat N] [--csv FILE]
//
// A peer's answer counts if FCLib's error (`relative`) is at most 1e-8; of stiction's both errors
// must be.  Global problems are condensed first, for both, outside the clock.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "siconos_peer.h"
#include "stiction/file.h"
#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;
namespace fs = std::filesystem;

struct Row {
  std::string name, peer = "none";
  int contacts = 0;
  double peer_seconds = infinity, seconds = infinity;
  std::string status, method;
  double relative = 0, scaled = 0, peer_scaled = 0;
};

Row measure(const fs::path& path, int repeat, double limit) {
  AnyProblem any = [&] {
    try {
      return read_problem(path);
    } catch (const InvalidInput&) {
      return read_problem(path, ProblemKind::global);  // can be read in two ways
    }
  }();
  const Condensed condensed = std::visit([](const auto& p) { return Condensed(p); }, any);
  const ContactProblem& problem = condensed.local();
  Row row;
  row.name = path.filename().string();
  row.contacts = problem.contacts();
  if (problem.dimension > 3) {
    row.status = "rolling";
    return row;
  }
  SolverOptions options;
  options.max_seconds = limit;
  ContactSolver solver;
  Eigen::VectorXd r;
  for (int k = 0; k < repeat; ++k) {
    const Solution& s = solver.solve(problem, options);
    row.seconds = std::min(row.seconds, s.seconds);
    row.status = to_text(s.status);
    row.method = to_text(s.method);
    r = s.reactions;
  }
  const Certificate own = certify(problem, r);
  row.relative = own.relative;
  row.scaled = own.scaled;
  if (!own.within(options.tolerance)) row.seconds = infinity;

  const std::string file =
      (fs::temp_directory_path() / ("peer-" + std::to_string(getpid()) + ".dat")).string();
  write_file(file, write_siconos_text(problem));
  std::fflush(stdout);  // the peer's processes must not print what is waiting here
  const auto accept = [&](const Eigen::VectorXd& reactions) {
    return certify(problem, reactions).relative <= 1e-8;
  };
  for (const bench::PeerResult& result :
       bench::run_peer(file, problem.dimension, static_cast<int>(problem.q.size()), 1e-8, repeat,
                       limit, accept)) {
    if (result.seconds >= row.peer_seconds) continue;
    row.peer_seconds = result.seconds;
    row.peer = result.solver;
    row.peer_scaled = certify(problem, result.reactions).scaled;
  }
  fs::remove(file);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder, filter, csv = "contact.csv";
  int repeat = 5;
  double limit = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--filter" && more)
      filter = argv[++i];
    else if (word == "--limit" && more)
      limit = std::stod(argv[++i]);
    else if (word == "--repeat" && more)
      repeat = std::stoi(argv[++i]);
    else if (word == "--csv" && more)
      csv = argv[++i];
    else
      folder = word;
  }
  if (folder.empty() || !fs::is_directory(folder)) {
    std::printf("no folder of problems at '%s': nothing to measure\n", folder.c_str());
    return 0;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if ((ending == ".dat" || ending == ".hdf5" || ending == ".json") &&
        entry.path().filename().string().find(filter) != std::string::npos)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::printf("%-44s %8s %14s %12s %12s %8s  %s\n", "problem", "contacts", "fastest peer",
              "its time", "stiction", "ratio", "method");
  std::string table =
      "problem,contacts,peer,peer_seconds,stiction_seconds,ratio,method,relative,scaled\n";
  double log_sum = 0;
  int counted = 0;
  for (const fs::path& file : files) {
    const Row row = measure(file, repeat, limit);
    if (row.status == "rolling") continue;
    const double ratio = row.peer_seconds / row.seconds;
    std::printf("%-44.44s %8d %14s %9.1f us %9.1f us %8.2f  %s %s\n", row.name.c_str(),
                row.contacts, row.peer.c_str(), 1e6 * row.peer_seconds, 1e6 * row.seconds, ratio,
                row.method.c_str(), row.status.c_str());
    std::fflush(stdout);
    table += row.name + ',' + std::to_string(row.contacts) + ',' + row.peer + ',' +
             text(row.peer_seconds) + ',' + text(row.seconds) + ',' + text(ratio) + ',' +
             row.method + ',' + text(row.relative) + ',' + text(row.scaled) + '\n';
    if (row.contacts >= 20 && std::isfinite(ratio)) {
      log_sum += std::log(ratio);
      ++counted;
    }
  }
  write_file(csv, table);
  if (counted > 0)
    std::printf(
        "geometric mean of the ratio over %d problems with 20 contacts or more that a peer solves: "
        "%.1f\n",
        counted, std::exp(log_sum / counted));
  return 0;
}
