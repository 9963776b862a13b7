// SPDX-License-Identifier: Apache-2.0
//
// The program without the model reader.
#include "cli/gcone/model.h"

namespace stiction::cli {

namespace {

[[noreturn]] void refuse() {
  throw InvalidInput(
      "--model: this build has no model reader; it was made where Pinocchio could not be had");
}

}  // namespace

GconeContact model_contact(const ModelArguments&, const GconeCall&) { refuse(); }
void answer_map(const Shared&, const ModelArguments&, const GconeCall&) { refuse(); }

}  // namespace stiction::cli
