// SPDX-License-Identifier: Apache-2.0
//
// Eight numbers at once, for the kernels alone: each file that includes this is compiled for one
// kind of processor, and everything here is its own.  A number of a lane depends on that lane only,
// so that all kinds give the same but for the rounding of fused products.
//
//   Lanes   eight numbers, of eight contacts
//   Six     the six freedoms of a body; in memory two more numbers follow, which are zero
#pragma once

#if defined(__AVX512F__)
#define STICTION_WIDTH 8
#elif defined(__AVX2__) && defined(__FMA__)
#define STICTION_WIDTH 4
#else
#define STICTION_WIDTH 2  // SSE2, NEON, or whatever the compiler makes of it
#endif

namespace stiction {
namespace {

constexpr int width = STICTION_WIDTH, words = 8 / width;
typedef double Word __attribute__((vector_size(8 * STICTION_WIDTH), may_alias));
typedef long long WordMask __attribute__((vector_size(8 * STICTION_WIDTH), may_alias));

struct Mask {
  WordMask word[words];
};

struct Lanes {
  Word word[words];

  Lanes() = default;
  Lanes(double x) {
    for (int k = 0; k < words; ++k) word[k] = x - Word{};
  }
  static Lanes load(const double* from) {
    Lanes x;
    for (int k = 0; k < words; ++k) x.word[k] = reinterpret_cast<const Word*>(from)[k];
    return x;
  }
  void store(double* to) const {
    for (int k = 0; k < words; ++k) reinterpret_cast<Word*>(to)[k] = word[k];
  }
};

template <class Each>
inline Lanes lanes(const Each& each) {
  Lanes x;
  for (int k = 0; k < words; ++k) x.word[k] = each(k);
  return x;
}
inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return lanes([&](int k) { return a.word[k] + b.word[k]; });
}
inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return lanes([&](int k) { return a.word[k] - b.word[k]; });
}
inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return lanes([&](int k) { return a.word[k] * b.word[k]; });
}
inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return lanes([&](int k) { return a.word[k] / b.word[k]; });
}
inline Lanes operator-(const Lanes& a) {
  return lanes([&](int k) { return -a.word[k]; });
}
inline Mask operator<(const Lanes& a, const Lanes& b) {
  Mask m;
  for (int k = 0; k < words; ++k) m.word[k] = a.word[k] < b.word[k];
  return m;
}
inline Mask operator<=(const Lanes& a, const Lanes& b) {
  Mask m;
  for (int k = 0; k < words; ++k) m.word[k] = a.word[k] <= b.word[k];
  return m;
}
inline Mask operator&(const Mask& a, const Mask& b) {
  Mask m;
  for (int k = 0; k < words; ++k) m.word[k] = a.word[k] & b.word[k];
  return m;
}
// a where the mask holds, else b.
inline Lanes select(const Mask& m, const Lanes& a, const Lanes& b) {
  return lanes([&](int k) { return m.word[k] ? a.word[k] : b.word[k]; });
}
inline Lanes min(const Lanes& a, const Lanes& b) { return select(a < b, a, b); }
inline Lanes max(const Lanes& a, const Lanes& b) { return select(a < b, b, a); }

inline Word square_root(Word x) {
  Word y;
  for (int i = 0; i < width; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
}
inline Lanes sqrt(const Lanes& x) {
  return lanes([&](int k) { return square_root(x.word[k]); });
}

inline double sum(const Lanes& x) {
  alignas(64) double a[8];
  x.store(a);
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}
inline double least(const Lanes& x) {
  alignas(64) double a[8];
  x.store(a);
  double least = a[0];
  for (int i = 1; i < 8; ++i) least = a[i] < least ? a[i] : least;
  return least;
}

struct Six {
  static constexpr int words = (6 + width - 1) / width;
  Word word[words];

  static Six load(const double* from) {
    Six x;
    for (int k = 0; k < words; ++k) x.word[k] = reinterpret_cast<const Word*>(from)[k];
    return x;
  }
  void store(double* to) const {
    for (int k = 0; k < words; ++k) reinterpret_cast<Word*>(to)[k] = word[k];
  }
};
inline Six operator+(Six a, const Six& b) {
  for (int k = 0; k < Six::words; ++k) a.word[k] += b.word[k];
  return a;
}
inline Six operator-(Six a, const Six& b) {
  for (int k = 0; k < Six::words; ++k) a.word[k] -= b.word[k];
  return a;
}
inline Six operator*(Six a, const Six& b) {
  for (int k = 0; k < Six::words; ++k) a.word[k] *= b.word[k];
  return a;
}
inline Six operator*(Six a, double b) {
  for (int k = 0; k < Six::words; ++k) a.word[k] *= b;
  return a;
}

// Lane i becomes the sum of the six numbers of x[i].
inline Lanes sums_of(const Six x[8]) {
#if STICTION_WIDTH == 8
  const auto pair = [](Word a, Word b) {  // neighbours in a, in b, in a, …
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  };
  const auto four = [&](int i) {
    const Word ab = pair(x[i].word[0], x[i + 1].word[0]);
    const Word cd = pair(x[i + 2].word[0], x[i + 3].word[0]);
    return __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const Word low = four(0), high = four(4);
  Lanes result;
  result.word[0] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
                   __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
  return result;
#elif STICTION_WIDTH == 4
  const auto pair = [](Word a, Word b) {
    return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  };
  return lanes([&](int k) {
    const auto both = [&](int i) { return x[4 * k + i].word[0] + x[4 * k + i].word[1]; };
    const Word ab = pair(both(0), both(1)), cd = pair(both(2), both(3));
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
           __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  });
#else
  return lanes([&](int k) {
    const auto both = [](const Six& six) { return (six.word[0] + six.word[1]) + six.word[2]; };
    const Word a = both(x[2 * k]), b = both(x[2 * k + 1]);
    return Word{a[0] + a[1], b[0] + b[1]};
  });
#endif
}

}  // namespace
}  // namespace stiction
