// SPDX-License-Identifier: Apache-2.0
//
// Time that a call on one core takes: by the wall clock or by the processor time of this process,
// whichever is less.  Processor time leaves out what others on the machine took meanwhile; the wall
// clock is finer, for calls of a microsecond.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace stiction::bench {

class Clock {
 public:
  double seconds() const {
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
    const double processor = processor_seconds() - processor_;
    return processor > 0 ? std::min(wall, processor) : wall;  // it may stand still for a while
  }

 private:
  static double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double processor_ = processor_seconds();  // started before the wall clock, read after it
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
};

}  // namespace stiction::bench
