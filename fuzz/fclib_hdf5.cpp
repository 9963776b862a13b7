// SPDX-License-Identifier: Apache-2.0
//
// An FCLib file, as bytes.  HDF5's library reads it in a process of its own and may die of it; that
// must be a refusal here, in time, and never more.  The fuzzer does not see into that process, so
// it tries bytes without guidance; fclib_arrays is the one that goes deep.
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  using namespace stiction;
  const auto file = fuzz::accepted([&] { return read_fclib({data, size}); });
  if (file) fuzz::check(*file, true);
  return 0;
}
