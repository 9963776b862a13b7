// SPDX-License-Identifier: Apache-2.0
//
// `gcone --model`: what was asked, and the answers, which need the model reader.  Where the program
// was built without it, no_model.cpp says so instead.
#pragma once

#include "cli/gcone/gcone.h"

namespace stiction::cli {

struct ModelArguments {
  std::optional<std::string> model, frame, configuration, velocity, normal, base, gravity, forces;
  std::vector<std::string> loops, sticking, contacts, sweeps;
  std::string out;
};

GconeContact model_contact(const ModelArguments& arguments, const GconeCall& call);
void answer_map(const Shared& shared, const ModelArguments& arguments, const GconeCall& call);

}  // namespace stiction::cli
