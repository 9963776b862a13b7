// SPDX-License-Identifier: Apache-2.0
//
// What `gcone --model` was asked, read and checked.
#pragma once

#include "cli/gcone/model.h"
#include "stiction/multibody.h"

namespace stiction::cli {

struct ModelCall {
  Mechanism mechanism;
  ContactPoint contact;
  Eigen::VectorXd configuration, velocity, forces;  // zero where not given
  bool has_velocity = false;
};

// Throws InvalidInput, naming the option.
ModelCall parse_model_call(const ModelArguments& arguments);

}  // namespace stiction::cli
