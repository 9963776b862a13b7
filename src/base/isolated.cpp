// SPDX-License-Identifier: Apache-2.0
#include "base/isolated.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "stiction/types.h"

namespace stiction::io {

namespace {

// What the child sends first: whether the rest is a result or a message, and how long it is.
struct Head {
  std::uint64_t refused = 0, size = 0;
};

// Private writable memory of this process; the limit below counts the same.
std::size_t memory_in_use() {
  std::size_t total = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  const int read = std::fscanf(file, "%zu %zu %zu %zu %zu %zu", &total, &resident, &shared, &text,
                               &library, &data);
  std::fclose(file);
  return read == 6 ? data * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void send(int pipe, const void* data, std::size_t count) {
  const char* bytes = static_cast<const char*>(data);
  while (count > 0) {
    const ssize_t sent = write(pipe, bytes, count);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) _exit(1);
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

void lower(decltype(RLIMIT_DATA) what, rlim_t limit) {
  const rlimit value{limit, limit};
  setrlimit(what, &value);
}

// A check of dynamic types asks the kernel for a pipe, which this process may no longer have.
[[noreturn]] __attribute__((no_sanitize("vptr"))) void be_child(
    int pipe, const Limits& limits, std::size_t in_use, const std::function<std::string()>& work) {
  // It dies in silence: no handler of this process is to speak for it.
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGPROF, SIGXCPU, SIGPIPE})
    std::signal(signal, SIG_DFL);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    if (output != pipe) close(output);
  lower(RLIMIT_CORE, 0);
  if (!limits.opens_files) lower(RLIMIT_NOFILE, 0);
  if (in_use > 0) lower(RLIMIT_DATA, in_use + limits.bytes);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(limits.cpu_seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>(1e6 * (limits.cpu_seconds - std::floor(limits.cpu_seconds)));
  setitimer(ITIMER_PROF, &timer, nullptr);
  const auto answer = [&](const std::string& text, bool is_refused) {
    const Head head{is_refused, text.size()};
    send(pipe, &head, sizeof head);
    send(pipe, text.data(), text.size());
    _exit(0);
  };
  try {
    answer(work(), false);
  } catch (const InvalidInput& error) {
    answer(error.what(), true);
  } catch (...) {
  }
  _exit(1);
}

}  // namespace

std::string isolated(const Limits& limits, const std::string& failure,
                     const std::function<std::string()>& work, const Progress& progress) {
  std::array<int, 2> ends{};
  const std::size_t in_use = memory_in_use();
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw InvalidInput("cannot be read now: no pipe is to be had");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], limits, in_use, work);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw InvalidInput("cannot be read now: no process is to be had");
  }
  std::string result;
  bool ended = false;
  // The child's own clock counts what it computes; this one is for a child that waits for ever.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60) +
                        std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::duration<double>(10 * limits.cpu_seconds));
  std::string buffer(1 << 16, '\0');
  bool stopped = false;
  while (!ended) {
    // The share is a guess: a result is about as long as its limit over 160.
    stopped = progress && !progress(static_cast<double>(result.size()) /
                                    static_cast<double>(result.size() + limits.bytes / 160));
    if (stopped) break;
    pollfd ready{ends[0], POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    const int events =
        poll(&ready, 1, static_cast<int>(std::min<long>(left.count(), progress ? 100 : 10000)));
    if (events == 0 || (events < 0 && errno == EINTR)) continue;
    const ssize_t got = events < 0 ? -1 : read(ends[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) result.append(buffer, 0, static_cast<std::size_t>(got));
    ended = got <= 0;
    if (result.size() > sizeof(Head) + limits.bytes) break;
  }
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (stopped) throw Stopped("stopped before all was read");
  Head head;
  if (!ended || result.size() < sizeof head) throw InvalidInput(failure);
  std::memcpy(&head, result.data(), sizeof head);
  if (result.size() != sizeof head + head.size) throw InvalidInput(failure);
  result.erase(0, sizeof head);
  if (head.refused != 0) throw InvalidInput(result);
  return result;
}

}  // namespace stiction::io
