// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

namespace stiction::scenes {

// Random numbers that are the same on every machine: the standard fixes the engine, not its
// distributions.
class Uniform {
 public:
  explicit Uniform(unsigned seed) : engine_(seed) {}
  double operator()(double from, double to) {
    return from + (to - from) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stiction::scenes
