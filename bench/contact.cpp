// SPDX-License-Identifier: Apache-2.0
//
// Who solves contact problems fastest?  For every problem file in a folder: each solver of Siconos
// and stiction in one run, one core each, from r = 0, best of five or more, until both errors of
// the certificate are at most 1e-8, every answer certified by the same code.  Global problems are
// condensed first, for both, outside the clock.
//
//   bench_contact_program FOLDER [--filter TEXT] [--limit SECONDS] [--repeat N] [--out FOLDER]
//
// A call is ended after 300 times what stiction needed, but not before 0.1 s, unless that is more
// than `--limit` seconds (5); where no solver of the peer is done by then, all get `--limit`.  What
// is still not solved counts as not solved.
//
// Some files take longer or shorter with the order of their contacts.  Where the times of stiction
// or of the fastest peer vary more than twofold over ten random orders, the median over these
// counts for all; so it does for the files known to be of that kind, whatever they did this time.
//
// Prints a table, and writes
//   contact.csv          a row a problem
//   contact_profile.csv  of each solver the performance profile of Dolan and Moré: the fraction of
//                        problems that it solved within a factor of the fastest solver's time
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "clock.h"
#include "siconos_peer.h"
#include "stiction/problem_io.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;
namespace fs = std::filesystem;

constexpr double tolerance = 1e-8;
constexpr int orders = 10;
constexpr const char* own = "stiction";

using Times = std::map<std::string, double>;  // by solver; infinity: not solved

struct Row {
  std::string name, peer = "none", method;
  int contacts = 0, dimension = 0;
  bool permuted = false;    // the times are medians over orders
  double first = infinity;  // of stiction with a new workspace at every call
  double relative = 0, scaled = 0;
  Times times;

  double seconds() const { return times.at(own); }
  double peer_seconds() const { return peer == "none" ? infinity : times.at(peer); }
  double ratio() const { return peer_seconds() / seconds(); }
};

// The same problem with its contacts in a random order.
ContactProblem permuted(const ContactProblem& problem, unsigned seed) {
  const int n = problem.contacts(), d = problem.dimension;
  std::vector<int> from(static_cast<std::size_t>(n)), to(from.size());
  std::iota(from.begin(), from.end(), 0);
  std::shuffle(from.begin(), from.end(), std::mt19937(seed));
  for (int i = 0; i < n; ++i) to[static_cast<std::size_t>(from[static_cast<std::size_t>(i)])] = i;
  ContactProblem result;
  result.dimension = d;
  result.W.block = d;
  result.q.resize(problem.q.size());
  for (int i = 0; i < n; ++i) {
    const auto old = static_cast<std::size_t>(from[static_cast<std::size_t>(i)]);
    result.q.segment(d * i, d) = problem.q.segment(d * from[static_cast<std::size_t>(i)], d);
    result.laws.push_back(problem.laws[old]);
    std::vector<std::pair<int, int>> blocks;  // new column, old block
    for (int k = problem.W.start[old]; k < problem.W.start[old + 1]; ++k)
      blocks.emplace_back(
          to[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])], k);
    std::sort(blocks.begin(), blocks.end());
    for (const auto& [column, k] : blocks) {
      result.W.column.push_back(column);
      result.W.value.insert(result.W.value.end(), problem.W.at(k), problem.W.at(k) + d * d);
    }
    result.W.start.push_back(static_cast<int>(result.W.column.size()));
  }
  return result;
}

// The best time of one solver on one problem.
class Stopwatch {
 public:
  explicit Stopwatch(const bench::Repetitions& repetitions) : repetitions_(repetitions) {}

  void limit(double seconds) {
    repetitions_.limit_seconds = std::min(repetitions_.limit_seconds, seconds);
  }

  // A workspace that is kept from call to call, or a new one for each.
  double time_own(const ContactProblem& problem, bool keep_workspace, Row* row = nullptr) const {
    const SolverOptions options{.tolerance = tolerance, .max_seconds = repetitions_.limit_seconds};
    ContactSolver solver;
    double best = infinity, spent = 0;
    for (int k = 0; k == 0 || repetitions_.again(k, spent); ++k) {
      if (!keep_workspace) solver = ContactSolver();
      const bench::Clock clock;
      const Solution& s = solver.solve(problem, options);
      const double seconds = clock.seconds();
      spent += seconds;
      best = std::min(best, seconds);
      if (row != nullptr) row->method = to_text(s.method);
      const Certificate certificate = certify(problem, s.reactions);
      if (row != nullptr) row->relative = certificate.relative;
      if (row != nullptr) row->scaled = certificate.scaled;
      if (!certificate.within(tolerance)) return infinity;
    }
    return best;
  }

  double time_peer(const ContactProblem& problem, const std::string& solver) const {
    const std::string file =
        (fs::temp_directory_path() / ("peer-" + std::to_string(getpid()) + ".dat")).string();
    write_file(file, write_siconos_text(problem));
    std::fflush(stdout);  // the peer's processes must not print what is waiting here
    const auto result = bench::run_peer(
        solver, file, problem.dimension, static_cast<int>(problem.q.size()), tolerance,
        repetitions_,
        [&](const Eigen::VectorXd& r) { return certify(problem, r).within(tolerance); });
    fs::remove(file);
    return result ? result->seconds : infinity;
  }

  double time(const ContactProblem& problem, const std::string& solver) const {
    return solver == own ? time_own(problem, true) : time_peer(problem, solver);
  }

 private:
  bench::Repetitions repetitions_;
};

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

std::vector<double> times_over_orders(const Stopwatch& watch,
                                      const std::vector<ContactProblem>& problems,
                                      const std::string& solver) {
  std::vector<double> times;
  for (const ContactProblem& problem : problems) times.push_back(watch.time(problem, solver));
  return times;
}

bool known_to_vary(const std::string& name) {
  return name.rfind("RockPile_tob1", 0) == 0 || name.rfind("fc2d_granularflowonwall_02020", 0) == 0;
}

void choose_peer(Row& row) {
  row.peer = "none";
  for (const auto& [solver, seconds] : row.times)
    if (solver != own && seconds < row.peer_seconds()) row.peer = solver;
}

ContactProblem local_problem(const fs::path& path) {
  const AnyProblem any = [&] {
    try {
      return read_problem(path);
    } catch (const InvalidInput&) {
      return read_problem(path, ProblemKind::global);  // can be read in two ways
    }
  }();
  return std::visit([](const auto& p) { return Condensed(p).local(); }, any);
}

Row measure(const std::string& name, const ContactProblem& problem, const Stopwatch& patient) {
  Row row;
  row.name = name;
  row.contacts = problem.contacts();
  row.dimension = problem.dimension;
  row.times[own] = patient.time_own(problem, true, &row);
  Stopwatch watch = patient;
  const auto time_peers = [&] {
    for (const std::string& solver : bench::peer_solvers(problem.dimension))
      row.times[solver] = watch.time_peer(problem, solver);
    choose_peer(row);
  };
  watch.limit(std::max(0.1, 300 * row.seconds()));
  time_peers();
  if (row.peer == "none") {  // whatever it takes, then
    watch = patient;
    time_peers();
  }
  row.first = watch.time_own(problem, false);
  if (problem.contacts() < 2) return row;

  std::vector<ContactProblem> problems;
  for (unsigned seed = 1; seed <= orders; ++seed) problems.push_back(permuted(problem, seed));
  Times medians;
  row.permuted = known_to_vary(name);
  for (const std::string& solver : {std::string(own), row.peer}) {
    if (solver == "none") continue;
    const std::vector<double> times = times_over_orders(watch, problems, solver);
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    row.permuted = row.permuted || *most > 2 * *least;
    medians[solver] = median(times);
  }
  if (!row.permuted) return row;
  for (const auto& [solver, seconds] : row.times)
    if (!medians.contains(solver))  // what failed in the file's own order is not tried in others
      medians[solver] =
          std::isfinite(seconds) ? median(times_over_orders(watch, problems, solver)) : infinity;
  std::vector<double> first;
  for (const ContactProblem& p : problems) first.push_back(watch.time_own(p, false));
  row.first = median(first);
  row.times = medians;
  choose_peer(row);
  return row;
}

std::string csv(const std::vector<Row>& rows) {
  std::string table =
      "problem,contacts,dimension,peer,peer_seconds,stiction_seconds,ratio,solved,"
      "stiction_first_seconds,orders,method,relative,scaled\n";
  for (const Row& row : rows)
    table += row.name + ',' + std::to_string(row.contacts) + ',' + std::to_string(row.dimension) +
             ',' + row.peer + ',' + text(row.peer_seconds()) + ',' + text(row.seconds()) + ',' +
             text(row.ratio()) + ',' + (std::isfinite(row.seconds()) ? "yes" : "no") + ',' +
             text(row.first) + ',' + std::to_string(row.permuted ? orders : 1) + ',' + row.method +
             ',' + text(row.relative) + ',' + text(row.scaled) + '\n';
  return table;
}

// A step of each profile a line.  A solver is judged on the problems of the dimensions it takes.
std::string profile_csv(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<double>> factors;
  for (const Row& row : rows) {
    const double best = std::min(row.seconds(), row.peer_seconds());
    if (!std::isfinite(best)) continue;  // nobody's
    for (const auto& [solver, seconds] : row.times) factors[solver].push_back(seconds / best);
    factors["Siconos best"].push_back(row.peer_seconds() / best);
  }
  std::string table = "solver,problems,factor,fraction\n";
  for (auto& [solver, list] : factors) {
    std::sort(list.begin(), list.end());
    const auto n = static_cast<double>(list.size());
    const std::string start = solver + ',' + std::to_string(list.size()) + ',';
    for (std::size_t k = 0; k < list.size(); ++k)
      if (std::isfinite(list[k]))
        table += start + text(list[k]) + ',' + text(static_cast<double>(k + 1) / n) + '\n';
    if (!std::isfinite(list[0])) table += start + "1,0\n";
  }
  return table;
}

void print(const Row& row) {
  std::printf("%-42.42s %5d %d-D %14s %11.2f us %11.2f us %8.2f %11.2f us  %s%s\n",
              row.name.c_str(), row.contacts, row.dimension, row.peer.c_str(),
              1e6 * row.peer_seconds(), 1e6 * row.seconds(), row.ratio(), 1e6 * row.first,
              row.method.c_str(), row.permuted ? ", median over orders" : "");
  std::fflush(stdout);
}

void summarise(const std::vector<Row>& rows) {
  double log_sum = 0, first_sum = 0;
  int counted = 0, only_own = 0, unsolved = 0, slower = 0, slower_small = 0, large = 0, small = 0;
  for (const Row& row : rows) {
    if (!std::isfinite(row.seconds())) ++unsolved;
    if (row.peer == "none") {
      only_own += std::isfinite(row.seconds()) ? 1 : 0;
      continue;
    }
    const bool short_one = row.peer_seconds() <= 10e-6;
    ++(short_one ? small : large);
    if (row.ratio() < 1) ++(short_one ? slower_small : slower);
    if (row.contacts < 20 || !std::isfinite(row.seconds())) continue;
    log_sum += std::log(row.ratio());
    first_sum += std::log(row.peer_seconds() / row.first);
    ++counted;
  }
  std::printf("solved by stiction: %zu of %zu; by no solver of Siconos: %d of these\n",
              rows.size() - static_cast<std::size_t>(unsolved), rows.size(), only_own);
  if (counted > 0)
    std::printf(
        "geometric mean of peer/stiction over the %d problems with 20 contacts or more that both "
        "solve: %.1f\n  with a new workspace at every call: %.1f\n",
        counted, std::exp(log_sum / counted), std::exp(first_sum / counted));
  std::printf(
      "stiction is slower on %d of %d problems that take the peer more than 10 us, and on %d of %d "
      "smaller ones\n",
      slower, large, slower_small, small);
}

}  // namespace

int main(int argc, char** argv) {
  // One core: the peer's BLAS counts threads when it is loaded.
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  std::string folder, filter, out = ".";
  bench::Repetitions repetitions;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--filter" && more)
      filter = argv[++i];
    else if (word == "--limit" && more)
      repetitions.limit_seconds = std::stod(argv[++i]);
    else if (word == "--repeat" && more)
      repetitions.least = std::stoi(argv[++i]);
    else if (word == "--out" && more)
      out = argv[++i];
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
  std::printf("%-42s %5s %3s %14s %14s %14s %8s %14s  %s\n", "problem", "size", "", "fastest peer",
              "its time", "stiction", "ratio", "new workspace", "method");
  std::vector<Row> rows;
  for (const fs::path& file : files) {
    const ContactProblem problem = local_problem(file);
    if (problem.dimension > 3) continue;  // rolling
    rows.push_back(measure(file.filename().string(), problem, Stopwatch(repetitions)));
    print(rows.back());
    fs::create_directories(out);
    write_file(fs::path(out) / "contact.csv", csv(rows));
    write_file(fs::path(out) / "contact_profile.csv", profile_csv(rows));
  }
  summarise(rows);
  return 0;
}
