// SPDX-License-Identifier: Apache-2.0
#include "contact/team.h"

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

Team::Team(int threads) {
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
  std::uint64_t state = state_.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(state) < state >> 32) {
    if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
    // Until this task is finished the loop is not, and `call_` stays.
    const int tasks = static_cast<int>(state >> 32);
    call_(context_, static_cast<int>(static_cast<std::uint32_t>(state)), thread);
    if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 == tasks) finished_.notify_one();
    state = state_.load(std::memory_order_acquire);
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
  state_.store(static_cast<std::uint64_t>(tasks) << 32, std::memory_order_release);
  ++round_;
  round_.notify_all();
  take(0);
  for (int i = 0; i < patience && finished_.load(std::memory_order_acquire) < tasks; ++i) pause();
  for (int done = finished_; done < tasks; done = finished_) finished_.wait(done);
}

}  // namespace stiction
