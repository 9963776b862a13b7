// SPDX-License-Identifier: Apache-2.0
//
// Vector code that any machine can run.
#pragma once

// Loops marked so are compiled twice, for AVX2 and for any machine, and chosen at run time, before
// main: too early for the address and thread sanitizers.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STICTION_TOO_EARLY
#endif
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(STICTION_TOO_EARLY)
#define STICTION_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define STICTION_VECTORISED
#endif

namespace stiction {

using Four = double __attribute__((vector_size(32)));

}  // namespace stiction
