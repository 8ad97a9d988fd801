// The data that is scanned: element i is a function of i alone, so that a kernel can make it and
// check against it without reading the input again. Every sum is exact, in whatever order it is
// made, so that peers may associate as they like.
#ifndef BENCH_DATA_H_
#define BENCH_DATA_H_

#include "bench/types.h"

// Well-mixed bits (Murmur3's finalizer).
BENCH_OPERATOR uint32_t bench_mix(uint64_t index) {
  uint32_t bits = (uint32_t)index ^ (uint32_t)(index >> 32) * 0x9e3779b9u;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
  return bits ^ (bits >> 16);
}

// What component c of the elements up to `count` - 1 sums to: below 1024, so that a half holds any
// difference of two.
BENCH_OPERATOR int bench_level(uint64_t count, uint32_t c) {
  return count == 0 ? 0 : (int)(bench_mix(count * 16 + c) >> 22);
}
BENCH_OPERATOR int bench_step(uint64_t index, uint32_t c) {
  return bench_level(index + 1, c) - bench_level(index, c);
}

// A struct of X's, each of which is summed by itself.
#define BENCH_STRUCT_VALUE(T, X, count, name)                                      \
  BENCH_OPERATOR T name(uint64_t index) {                                          \
    T element;                                                                     \
    for (uint32_t c = 0; c < (count); c++) element.x[c] = (X)bench_step(index, c); \
    return element;                                                                \
  }

// For maxima: an uneven climb.
BENCH_OPERATOR int64_t bench_climb(uint64_t index, uint32_t shift) {
  return (int64_t)(index >> shift) + (bench_mix(index) & 7);
}

#endif  // BENCH_DATA_H_
