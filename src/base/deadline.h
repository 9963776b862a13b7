// SPDX-License-Identifier: Apache-2.0
//
// When a long computation is to give up.
#pragma once

#include <chrono>

namespace stiction {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never
  Deadline(Clock::time_point begin, double seconds) {
    constexpr double longest = 1e9;  // seconds; a clock counts no more than some 1e10
    if (seconds < longest)
      end_ = begin +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  bool passed() const { return end_ != Clock::time_point::max() && Clock::now() > end_; }

 private:
  Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace stiction
