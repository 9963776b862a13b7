// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenes.h"

namespace stiction::scenes {

Scene pile(int contacts, unsigned seed);
Scene granular(int contacts, unsigned seed);

}  // namespace stiction::scenes
