// SPDX-License-Identifier: Apache-2.0
//
// A map of mu_jam as a picture: two curves for one sweep, colours for two.
#pragma once

#include "report/svg.h"
#include "stiction/jamming_map.h"

namespace stiction::report {

// The key of the colours is drawn too.
Plot map_plot(const JammingMap& map);

}  // namespace stiction::report
