// SPDX-License-Identifier: Apache-2.0
#include <stiction/stiction.h>

int main() {
  const stiction::FrictionCone cone(stiction::disc(0.5));
  return cone.contains({1, 0.3, 0.4}) && !cone.contains({1, 0.4, 0.4}) ? 0 : 1;
}
