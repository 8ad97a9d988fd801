// What a stamp has for warps and blocks, in a client's kernels, for the resource test to compile.
#include "tests/resources/sum.h"

// A kernel whose threads hold three items; its scratch is of type Scratch.
#define KERNEL(type, Scratch, name, threads, call)                       \
  __global__ void __launch_bounds__(threads) name##_##type(type *data) { \
    __shared__ Scratch scratch;                                          \
    type items[3];                                                       \
    for (int i = 0; i < 3; ++i) items[i] = data[threadIdx.x * 3 + i];    \
    call;                                                                \
    for (int i = 0; i < 3; ++i) data[threadIdx.x * 3 + i] = items[i];    \
  }
#define WARP(type, name, threads) \
  KERNEL(type, int, name, threads, scratch = 0; items[scratch] = type##s_##name(items[0]))
#define BLOCK(type, name, threads) \
  KERNEL(type, type##s_block_scratch, name, threads, items[0] = type##s_##name(items[0], &scratch))
#define ITEMS(type, name, threads) \
  KERNEL(type, type##s_block_scratch, name, threads, type##s_##name(items, 3, &scratch))

#define PLAIN(type, Word, count, threads)          \
  SUM_OF_WORDS(type, Word, count)                  \
  SCAN_DEFINE_AS(type##s, type, add_##type, {{0}}) \
  WARP(type, warp_inclusive, threads)              \
  WARP(type, warp_exclusive, threads)              \
  WARP(type, warp_reduce, threads)                 \
  BLOCK(type, block_inclusive, threads)            \
  BLOCK(type, block_exclusive, threads)            \
  BLOCK(type, block_reduce, threads)               \
  ITEMS(type, block_inclusive_items, threads)      \
  ITEMS(type, block_exclusive_items, threads)
PLAIN(bytes_1, unsigned char, 1, 1024)
PLAIN(shorts_3, short, 3, 1024)
PLAIN(floats_1, float, 1, 1024)
PLAIN(floats_3, float, 3, 512)
PLAIN(floats_5, float, 5, 512)
PLAIN(floats_8, float, 8, 256)
PLAIN(floats_16, float, 16, 128)

#define SEGMENTED(type, Word, count, threads)                                \
  SUM_OF_WORDS(type, Word, count)                                            \
  SCAN_DEFINE_SEGMENTED_AS(type##s, type, add_##type, {{0}})                 \
  KERNEL(type, int, warp_segmented, threads, scratch = threadIdx.x % 5 == 0; \
         items[0] = type##s_warp_segmented_inclusive(items[0], scratch))     \
  KERNEL(type, type##s_block_segmented_scratch, block_segmented, threads,    \
         items[0] = type##s_block_segmented_inclusive(items[0], threadIdx.x % 5, &scratch))
SEGMENTED(doubles_1, double, 1, 1024)
SEGMENTED(doubles_2, double, 2, 512)
