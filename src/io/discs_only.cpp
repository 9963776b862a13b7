// SPDX-License-Identifier: Apache-2.0
#include "io/discs_only.h"

namespace stiction {

Eigen::VectorXd coefficients_of_discs(const std::vector<Law>& laws, const char* format) {
  Eigen::VectorXd mu(static_cast<Eigen::Index>(laws.size()));
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].curve != Law::Curve::disc)
      throw InvalidInput(std::string(format) + " knows discs only, but contact " +
                         std::to_string(i) + " has " + to_text(laws[i]) + "; expected .json");
    mu[static_cast<Eigen::Index>(i)] = laws[i].mu;
  }
  return mu;
}

}  // namespace stiction
