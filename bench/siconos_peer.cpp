// SPDX-License-Identifier: Apache-2.0
#include "siconos_peer.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/fc2d_Solvers.h>
#include <siconos/numerics/fc3d_Solvers.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "clock.h"
#include "stiction/types.h"

namespace stiction::bench {

namespace {

struct Setting {
  const char* name;
  int id;
  std::function<void(SolverOptions*)> adjust;
};

std::vector<Setting> settings(int dimension) {
  if (dimension == 2)
    return {{"NSGS", SICONOS_FRICTION_2D_NSGS, {}},
            {"CPG", SICONOS_FRICTION_2D_CPG, {}},
            {"LEMKE", SICONOS_FRICTION_2D_LEMKE, {}},
            {"ENUM", SICONOS_FRICTION_2D_ENUM, {}}};
  const auto full_error = [](SolverOptions* o) {
    o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  };
  const auto local = [](int id) {
    return [id](SolverOptions* o) { solver_options_update_internal(o, 0, id); };
  };
  return {{"NSGS", SICONOS_FRICTION_3D_NSGS, {}},
          {"NSGS-fullerr", SICONOS_FRICTION_3D_NSGS, full_error},
          {"NSGS-PoCLI", SICONOS_FRICTION_3D_NSGS,
           local(SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration)},
          {"NSGS-quartic", SICONOS_FRICTION_3D_NSGS, local(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)},
          {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, {}},
          {"NSN_AC-hyb", SICONOS_FRICTION_3D_NSN_AC,
           [](SolverOptions* o) {
             o->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] =
                 SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
           }},
          {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, {}},
          {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, {}},
          {"PROX", SICONOS_FRICTION_3D_PROX, {}},
          {"DSFP", SICONOS_FRICTION_3D_DSFP, {}},
          {"TFP", SICONOS_FRICTION_3D_TFP, {}},
          {"EG", SICONOS_FRICTION_3D_EG, {}},
          {"FPP", SICONOS_FRICTION_3D_FPP, {}},
          {"VI_EG", SICONOS_FRICTION_3D_VI_EG, {}},
          {"VI_FPP", SICONOS_FRICTION_3D_VI_FPP, {}},
          {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP, {}},
          {"SOCLCP", SICONOS_FRICTION_3D_SOCLCP, {}},
          {"ADMM", SICONOS_FRICTION_3D_ADMM, {}}};
}

double solve_once(const Setting& setting, FrictionContactProblem* problem, double tolerance,
                  Eigen::VectorXd& r) {
  SolverOptions* options = solver_options_create(setting.id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  if (setting.adjust) setting.adjust(options);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(r.size());
  r.setZero();
  const Clock clock;
  if (problem->dimension == 2)
    fc2d_driver(problem, r.data(), u.data(), options);
  else
    fc3d_driver(problem, r.data(), u.data(), options);
  const double seconds = clock.seconds();
  solver_options_delete(options);
  return seconds;
}

// Ends this process after so many seconds.  By the wall clock: a timer of processor time would make
// the clock of processor time coarse.
void end_after(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// How W is kept; which is faster depends on the solver and the size.  Beyond so many components
// dense storage never is.
constexpr int most_dense = 600;
enum class Storage { blocks, dense };

// In the child: best time and reactions go through the pipe.
[[noreturn]] void child(const Setting& setting, Storage storage, const std::string& file,
                        int components, double tolerance, const Repetitions& repetitions, int out) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  FrictionContactProblem* problem = frictionContact_new_from_filename(file.c_str());
  if (problem == nullptr) _exit(1);
  if (storage == Storage::dense) {
    NumericsMatrix* dense = NM_create(NM_DENSE, components, components);
    if (NM_to_dense(problem->M, dense) != 0) _exit(1);
    problem->M = dense;
  }
  Eigen::VectorXd message(components + 1), r(components);
  double best = infinity, spent = 0;
  for (int k = 0; k == 0 || repetitions.again(k, spent); ++k) {
    end_after(3 * repetitions.limit_seconds);  // others may be on the machine
    const double seconds = solve_once(setting, problem, tolerance, r);
    best = std::min(best, seconds);
    spent += seconds;
  }
  message << best, r;
  const char* bytes = reinterpret_cast<const char*>(message.data());
  auto left = static_cast<std::size_t>(message.size()) * sizeof(double);
  while (left > 0) {
    const ssize_t sent = write(out, bytes, left);
    if (sent <= 0) _exit(1);
    bytes += sent;
    left -= static_cast<std::size_t>(sent);
  }
  _exit(0);
}

// One setting in a process of its own; nothing if it did not return in time.
std::optional<PeerResult> run_setting(const Setting& setting, Storage storage,
                                      const std::string& file, int components, double tolerance,
                                      const Repetitions& repetitions) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(setting, storage, file, components, tolerance, repetitions, ends[1]);
  }
  close(ends[1]);
  Eigen::VectorXd message(components + 1);
  char* bytes = reinterpret_cast<char*>(message.data());
  std::size_t got = 0;
  const std::size_t size = static_cast<std::size_t>(message.size()) * sizeof(double);
  while (got < size) {
    const ssize_t n = read(ends[0], bytes + got, size - got);
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (got != size) return std::nullopt;
  if (message[0] > repetitions.limit_seconds) return std::nullopt;
  return PeerResult{message[0], message.tail(components)};
}

}  // namespace

std::vector<std::string> peer_solvers(int dimension) {
  std::vector<std::string> names;
  for (const Setting& setting : settings(dimension)) names.emplace_back(setting.name);
  return names;
}

std::optional<PeerResult> run_peer(const std::string& solver, const std::string& file,
                                   int dimension, int components, double tolerance,
                                   const Repetitions& repetitions,
                                   const std::function<bool(const Eigen::VectorXd&)>& accept) {
  std::optional<PeerResult> best;
  for (const Setting& setting : settings(dimension)) {
    if (setting.name != solver) continue;
    for (const Storage storage : {Storage::blocks, Storage::dense}) {
      if (storage == Storage::dense && components > most_dense) continue;
      // In steps of half a decade: one that overshoots far would charge the peer for it.
      const Repetitions once{1, 0, repetitions.limit_seconds};
      for (int step = 0; step <= 12; ++step) {
        const double asked = tolerance * std::pow(10, -0.5 * step);
        const auto probe = run_setting(setting, storage, file, components, asked, once);
        if (!probe || !probe->reactions.allFinite()) break;
        if (!accept(probe->reactions)) continue;
        auto result = run_setting(setting, storage, file, components, asked, repetitions);
        if (result && (!best || result->seconds < best->seconds)) best = std::move(result);
        break;
      }
    }
  }
  return best;
}

}  // namespace stiction::bench
