// Kernels of scan/strategies: each device-wide strategy and each of a block, but
// warps_then_bases_shared, for which the assembler of sm_75 keeps 8 bytes of its own on the stack.
// For the resource test to compile.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_OPERATOR_ATOMIC_ADD(float, add)

typedef struct pair {
  double first, second;
} pair;
SCAN_OPERATOR pair compose(pair earlier, pair later) {
  later.second += earlier.second * later.first;
  later.first *= earlier.first;
  return later;
}

#define DEVICES(name, items, T, op, ...)                                                \
  SCAN_DEFINE_WITH(name##_1, hierarchical, warps_then_bases, items, T, op, __VA_ARGS__) \
  SCAN_DEFINE_WITH(name##_2, reduce_then_scan, kogge_stone, items, T, op, __VA_ARGS__)  \
  SCAN_DEFINE_WITH(name##_3, host_partials, brent_kung, items, T, op, __VA_ARGS__)      \
  SCAN_DEFINE_WITH(name##_4, stream_scan, hillis_steele, items, T, op, __VA_ARGS__)     \
  SCAN_DEFINE_WITH(name##_5, decoupled_look_back, blelloch, items, T, op, __VA_ARGS__)
DEVICES(floats, 4, float, add, 0.0f)
DEVICES(pairs, 1, pair, compose, {1.0, 0.0})

#define BLOCK(block) SCAN_DEFINE_WITH(by_##block, stream_scan, block, 2, float, add, 0.0f)
BLOCK(sequential)
BLOCK(naive)
BLOCK(kogge_stone_exclusive)
BLOCK(blelloch_injected)
BLOCK(three_phase)
BLOCK(raking)

SCAN_DEFINE_WITH(one_thread, sequential, none, 1, float, add, 0.0f)
SCAN_DEFINE_WITH(many_threads, naive, none, 1, float, add, 0.0f)
SCAN_DEFINE_SEGMENTED_WITH(segments, thesis_look_back, kogge_stone, 4, float, add, 0.0f)
SCAN_DEFINE_LIFTED_WITH(lifted, decoupled_look_back, warps_then_bases, 4, float, add, 0.0f)
SCAN_DEFINE_REDUCE_WITH(sum_1, host_partials, 4, float, add, 0.0f)
SCAN_DEFINE_REDUCE_WITH(sum_2, second_kernel, 4, float, add, 0.0f)
SCAN_DEFINE_REDUCE_WITH(sum_3, last_block, 4, float, add, 0.0f)
SCAN_DEFINE_REDUCE_WITH(sum_4, atomic, 4, float, add, 0.0f)

// At block level in a client's kernel.
#define BLOCK_LEVEL(block, T, op, ...)                                \
  SCAN_DEFINE_BLOCK_WITH(block##_##T, block, 4, T, op, __VA_ARGS__)   \
  __global__ void block##_##T##_kernel(T *data) {                     \
    __shared__ block##_##T##_block_scratch scratch;                   \
    T items[4];                                                       \
    for (int i = 0; i < 4; i++) items[i] = data[threadIdx.x * 4 + i]; \
    block##_##T##_block_exclusive_items(items, 4, &scratch);          \
    items[0] = block##_##T##_block_inclusive(items[0], &scratch);     \
    for (int i = 0; i < 4; i++) data[threadIdx.x * 4 + i] = items[i]; \
    data[0] = block##_##T##_block_reduce(items[0], &scratch);         \
  }
BLOCK_LEVEL(kogge_stone, float, add, 0.0f)
BLOCK_LEVEL(raking, float, add, 0.0f)
BLOCK_LEVEL(raking, pair, compose, {1.0, 0.0})
