// SPDX-License-Identifier: Apache-2.0
//
// An FCLib file after HDF5: its arrays by their path.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  try {
    fuzz::check(file_of(io::unpack({data, size})), false);
  } catch (const InvalidInput& error) {
    fuzz::require(std::string(error.what()).size() < 1000, "a short line");
  }
  return 0;
}
