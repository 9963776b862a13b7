// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "stiction/progress.h"

namespace stiction::testing {

// Stops at the nth call; the shares given are kept.
struct Stopper {
  int left;
  std::vector<double> shares = {};

  Progress function() {
    return [this](double share) {
      shares.push_back(share);
      return --left > 0;
    };
  }
};

}  // namespace stiction::testing
