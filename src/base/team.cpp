// SPDX-License-Identifier: Apache-2.0
#include "base/team.h"

#include <algorithm>

namespace stiction {

namespace {

// Loops follow one another within microseconds while a solver runs, so a thread looks for a while
// before it sleeps.
constexpr int patience = 4000;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

int thread_count(int wanted) {
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::clamp(wanted > 0 ? wanted : machine, 1, 64);
}

Team::Team(int threads) : shares_(static_cast<std::size_t>(std::max(1, threads))) {
  for (int thread = 1; thread < threads; ++thread)
    others_.emplace_back([this, thread] { serve(thread); });
}

Team::~Team() {
  ending_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Team::take(int thread) {
  const std::size_t threads = shares_.size();
  for (std::size_t k = 0; k < threads; ++k) {
    std::atomic<std::uint64_t>& share =
        shares_[(static_cast<std::size_t>(thread) + k) % threads].state;
    std::uint64_t state = share.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(state) < state >> 32) {
      if (!share.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
      // Until this task is finished the loop is not, and `call_` stays.
      const int tasks = tasks_;
      call_(context_, static_cast<int>(static_cast<std::uint32_t>(state)), thread);
      if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 == tasks) finished_.notify_one();
      state = share.load(std::memory_order_acquire);
    }
  }
}

void Team::serve(int thread) {
  std::uint32_t seen = 0;
  while (true) {
    for (int i = 0; i < patience && round_.load(std::memory_order_acquire) == seen; ++i) pause();
    while (round_.load(std::memory_order_acquire) == seen) round_.wait(seen);
    seen = round_.load(std::memory_order_acquire);
    if (ending_) return;
    take(thread);
  }
}

void Team::run(int tasks, Call call, void* context) {
  call_ = call;
  context_ = context;
  finished_.store(0, std::memory_order_relaxed);
  tasks_ = tasks;
  const auto all = static_cast<std::uint64_t>(tasks);
  const std::size_t threads = shares_.size();
  for (std::size_t k = 0; k < threads; ++k)
    shares_[k].state.store((all * (k + 1) / threads) << 32 | all * k / threads,
                           std::memory_order_release);
  ++round_;
  round_.notify_all();
  take(0);
  for (int i = 0; i < patience && finished_.load(std::memory_order_acquire) < tasks; ++i) pause();
  for (int done = finished_; done < tasks; done = finished_) finished_.wait(done);
}

}  // namespace stiction
