// SPDX-License-Identifier: Apache-2.0
//
// FCLib and Siconos hold a coefficient a contact, whose law is then a disc.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "stiction/law.h"

namespace stiction {

// Throws InvalidInput, naming the format, where a law is another one.
Eigen::VectorXd coefficients_of_discs(const std::vector<Law>& laws, const char* format);

}  // namespace stiction
