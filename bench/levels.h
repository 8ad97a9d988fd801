// What the bench of the block and warp levels and its peers share: the kernel around a scan, and
// the list of what is measured. CUDA alone.
#ifndef BENCH_LEVELS_H_
#define BENCH_LEVELS_H_

#include <stddef.h>

#include "bench/types.h"

// A kernel that repeats one scan. At the warp level a block is a warp.
typedef struct {
  const char *level;
  const char *work;
  const char *type;
  unsigned threads;
  unsigned items;  // a thread
  const char *how;
  const void *kernel;  // its parameter is a bench_level_call
} bench_level_entry;

// One release of the peer; the last has kernel == NULL.
typedef struct {
  const char *release;
  int version;  // as CUB_VERSION counts
  const bench_level_entry *levels;
} bench_level_file;

// Every block scans the same threads * items elements, and has as many of its own in out.
typedef struct {
  const void *in;
  void *out;
  unsigned repeats;
} bench_level_call;

// What is scanned next: the elements that were given, with another sign where their scan came out
// positive, each part by its own: what nobody asks for nvcc would work out once, after the loop. So
// each scan waits for the one before it, and numbers stay small enough for every sum to be exact.
#define BENCH_LEVEL_NEXT(T, name) \
  BENCH_OPERATOR T name(T scanned, T given) { return scanned > 0 ? -given : given; }

BENCH_LEVEL_NEXT(int32_t, bench_next_i32)
BENCH_LEVEL_NEXT(float, bench_next_f32)
BENCH_LEVEL_NEXT(double, bench_next_f64)

BENCH_OPERATOR bench_affine bench_next_b8(bench_affine scanned, bench_affine given) {
  bench_affine next;
  next.a = scanned.a > 0 ? -given.a : given.a;
  next.b = scanned.b > 0 ? -given.b : given.b;
  return next;
}
BENCH_OPERATOR bench_b16 bench_next_b16(bench_b16 scanned, bench_b16 given) {
  bench_b16 next;
  for (int i = 0; i < 4; i++) next.x[i] = scanned.x[i] > 0 ? -given.x[i] : given.x[i];
  return next;
}

// The kernel, the same for ours and the peers: scan(x, scratch) scans the block's `items` elements
// a thread in place, and leaves the scratch free again.
#define BENCH_LEVEL_KERNEL(name, T, next, threads, items, Scratch, scan)               \
  static __global__ void __launch_bounds__(threads)                                    \
      name(const __grid_constant__ bench_level_call call) {                            \
    __shared__ Scratch scratch;                                                        \
    const T *in = (const T *)call.in + threadIdx.x * (items);                          \
    T *out = (T *)call.out + ((size_t)blockIdx.x * (threads) + threadIdx.x) * (items); \
    T given[items], x[items];                                                          \
    _Pragma("unroll") for (int i = 0; i < (items); i++) x[i] = given[i] = in[i];       \
    _Pragma("unroll 1") for (unsigned repeat = 0; repeat < call.repeats; repeat++) {   \
      _Pragma("unroll") for (int i = 0; i < (items); i++) x[i] = next(x[i], given[i]); \
      scan(x, &scratch);                                                               \
    }                                                                                  \
    _Pragma("unroll") for (int i = 0; i < (items); i++) out[i] = x[i];                 \
  }

// X(level, work, threads, items, operation, type, T) for all that is measured of a type.
#define BENCH_LEVELS_OF(X, operation, type, T)      \
  X(warp, inclusive, 32, 1, operation, type, T)     \
  X(warp, exclusive, 32, 1, operation, type, T)     \
  X(warp, reduce, 32, 1, operation, type, T)        \
  BENCH_LEVELS_OF_BLOCK(X, 128, operation, type, T) \
  BENCH_LEVELS_OF_BLOCK(X, 256, operation, type, T) \
  BENCH_LEVELS_OF_BLOCK(X, 512, operation, type, T)
#define BENCH_LEVELS_OF_BLOCK(X, threads, operation, type, T) \
  X(block, inclusive, threads, 1, operation, type, T)         \
  X(block, inclusive, threads, 4, operation, type, T)         \
  X(block, inclusive, threads, 9, operation, type, T)         \
  X(block, reduce, threads, 1, operation, type, T)

#define BENCH_LEVELS(X)                        \
  BENCH_LEVELS_OF(X, add, i32, int32_t)        \
  BENCH_LEVELS_OF(X, add, f32, float)          \
  BENCH_LEVELS_OF(X, add, f64, double)         \
  BENCH_LEVELS_OF(X, max, f32, float)          \
  BENCH_LEVELS_OF(X, affine, b8, bench_affine) \
  BENCH_LEVELS_OF(X, add, b16, bench_b16)

// The kernel of an entry, and its line in a table.
#define BENCH_LEVEL_NAME(how, level, work, threads, items, operation, type) \
  how##_##level##_##work##_##threads##_##items##_##operation##_##type
#define BENCH_LEVEL_ENTRY(how, level, work, threads, items, operation, type, T)           \
  {                                                                                       \
#level, #work "_" #operation, #type, threads, items, #how,                            \
        (const void *)BENCH_LEVEL_NAME(how, level, work, threads, items, operation, type) \
  }
// X of BENCH_LEVELS for an array of entries: of blocks there are two ways, of warps one.
#define BENCH_LEVEL_ENTRIES(level, ...) BENCH_LEVEL_ENTRIES_##level(__VA_ARGS__)
#define BENCH_LEVEL_ENTRIES_warp(...) BENCH_LEVEL_ENTRY(shuffles, warp, __VA_ARGS__),
#define BENCH_LEVEL_ENTRIES_block(...) \
  BENCH_LEVEL_ENTRY(warps, block, __VA_ARGS__), BENCH_LEVEL_ENTRY(raking, block, __VA_ARGS__),
#define BENCH_LEVEL_END \
  { NULL, NULL, NULL, 0, 0, NULL, NULL }

#endif  // BENCH_LEVELS_H_
