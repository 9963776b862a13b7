// SPDX-License-Identifier: Apache-2.0
//
// A few threads that share a loop.  Each begins with a share of the tasks of its own, the same in
// every loop of as many, so that what it reads is still in its cache, and then helps the others.
// What a task computes does not depend on who runs it, and sums are taken task by task in order, so
// that an answer has the same bits for any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace stiction {

class Team {
 public:
  explicit Team(int threads);  // the caller included
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }

  // Calls work(task, thread) for 0 ≤ task < tasks, with 0 ≤ thread < threads().
  template <class Work>
  void each(int tasks, Work&& work) {
    if (others_.empty() || tasks <= 1) {
      for (int task = 0; task < tasks; ++task) work(task, 0);
      return;
    }
    using Plain = std::remove_reference_t<Work>;
    run(
        tasks,
        [](void* context, int task, int thread) { (*static_cast<Plain*>(context))(task, thread); },
        const_cast<void*>(static_cast<const void*>(&work)));
  }

 private:
  using Call = void (*)(void*, int, int);
  void run(int tasks, Call call, void* context);
  void take(int thread);
  void serve(int thread);

  // A thread's tasks of the loop at hand: their end in the upper half, the next one in the lower. A
  // task is taken by raising it; nobody waits for a thread that has taken none.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> state{0};
  };

  std::vector<std::thread> others_;
  std::vector<Share> shares_;
  Call call_ = nullptr;
  void* context_ = nullptr;
  int tasks_ = 0;
  std::atomic<int> finished_{0};         // tasks
  std::atomic<std::uint32_t> round_{0};  // rises with each loop, to wake those that sleep
  std::atomic<bool> ending_{false};
};

// The machine's threads for 0, at most 64.
int thread_count(int wanted);

// Loops over contacts are cut into chunks of this many.
inline constexpr int chunk = 512;
inline int chunks(int n) { return (n + chunk - 1) / chunk; }

// Calls body(first, last, thread) for each chunk of 0 … n.
template <class Body>
void for_chunks(Team& team, int n, Body&& body) {
  team.each(chunks(n), [&](int task, int thread) {
    body(task * chunk, task * chunk + chunk < n ? task * chunk + chunk : n, thread);
  });
}

// The sum of part(first, last) over the chunks of 0 … n, in order; `parts` is scratch.
template <class Part>
double sum_chunks(Team& team, int n, std::vector<double>& parts, Part&& part) {
  parts.resize(static_cast<std::size_t>(chunks(n)));
  for_chunks(team, n, [&](int first, int last, int) {
    parts[static_cast<std::size_t>(first / chunk)] = part(first, last);
  });
  double sum = 0;
  for (const double p : parts) sum += p;
  return sum;
}

}  // namespace stiction
