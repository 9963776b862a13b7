// SPDX-License-Identifier: Apache-2.0
//
// An FCLib file after HDF5: its arrays by their path.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto file = fuzz::accepted([&] { return file_of(io::unpack({data, size})); });
  if (file) fuzz::check(*file, false);
  return 0;
}
