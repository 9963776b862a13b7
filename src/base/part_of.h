// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stiction/progress.h"

namespace stiction {

// The progress of a part of the work that is `from` to `to` of the whole.
inline Progress part_of(const Progress& progress, double from, double to) {
  if (!progress) return {};
  return [progress, from, to](double share) { return progress(from + (to - from) * share); };
}

}  // namespace stiction
