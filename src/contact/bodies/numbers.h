// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::bodies {

// Numbers in eights, each on a cache line of its own.
class Numbers {
 public:
  // All zero.
  void assign(std::size_t count) { eights_.assign((count + 7) / 8, Eight{}); }
  void zero() { eights_.assign(eights_.size(), Eight{}); }
  double* data() { return eights_.empty() ? nullptr : eights_.front().x; }
  const double* data() const { return eights_.empty() ? nullptr : eights_.front().x; }
  std::size_t size() const { return 8 * eights_.size(); }
  double& operator[](std::size_t i) { return eights_[i / 8].x[i % 8]; }
  double operator[](std::size_t i) const { return eights_[i / 8].x[i % 8]; }
  void swap(Numbers& other) { eights_.swap(other.eights_); }

 private:
  struct alignas(64) Eight {
    double x[8];
  };
  std::vector<Eight> eights_;
};

}  // namespace stiction::bodies
