// CUB's block and warp levels, in the kernels of levels.h.
#include "bench/levels.h"
#include "bench/peer_cub.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/util_ptx.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

namespace {

BENCH_PEER_OPERATOR(float, bench_max_f32)
BENCH_PEER_OPERATOR(bench_affine, bench_compose)
BENCH_PEER_OPERATOR(bench_b16, bench_add_b16)

// Operator and identity; CUB knows a sum of scalars by std::plus.
template <typename T>
struct add_of {
  using type = cuda::std::plus<>;
  static __device__ T identity() { return T(); }
};
using operator_add_i32 = add_of<int32_t>;
using operator_add_f32 = add_of<float>;
using operator_add_f64 = add_of<double>;
struct operator_max_f32 {
  using type = bench_max_f32_functor;
  static __device__ float identity() { return -cuda::std::numeric_limits<float>::infinity(); }
};
struct operator_affine_b8 {
  using type = bench_compose_functor;
  static __device__ bench_affine identity() { return {1.0f, 0.0f}; }
};
struct operator_add_b16 {
  using type = bench_add_b16_functor;
  static __device__ bench_b16 identity() { return {}; }
};

template <typename T, typename Operator, int threads, int items>
struct warp_inclusive {
  using scan = bench_cub::WarpScan<T>;
  using scratch = typename scan::TempStorage;
  static __device__ __forceinline__ void run(T *x, scratch *memory) {
    scan(*memory).InclusiveScan(*x, *x, typename Operator::type());
  }
};

template <typename T, typename Operator, int threads, int items>
struct warp_exclusive {
  using scan = bench_cub::WarpScan<T>;
  using scratch = typename scan::TempStorage;
  static __device__ __forceinline__ void run(T *x, scratch *memory) {
    // Given an initial value, CUB would combine every lane with it.
    T scanned;
    scan(*memory).ExclusiveScan(*x, scanned, typename Operator::type());
    *x = threadIdx.x == 0 ? Operator::identity() : scanned;
  }
};

// CUB leaves a reduction in the first thread; here every thread is to have it.
template <typename T, typename Operator, int threads, int items>
struct warp_reduce {
  using reduce = bench_cub::WarpReduce<T>;
  using scratch = typename reduce::TempStorage;
  static __device__ __forceinline__ void run(T *x, scratch *memory) {
    *x = bench_cub::ShuffleIndex<32>(reduce(*memory).Reduce(*x, typename Operator::type()), 0, ~0u);
  }
};

template <bench_cub::BlockReduceAlgorithm algorithm, typename T, typename Operator, int threads>
struct block_reduce {
  using reduce = bench_cub::BlockReduce<T, threads, algorithm>;
  struct scratch {
    typename reduce::TempStorage memory;
    T result;
  };
  static __device__ __forceinline__ void run(T *x, scratch *memory) {
    const T result = reduce(memory->memory).Reduce(*x, typename Operator::type());
    if (threadIdx.x == 0) memory->result = result;
    __syncthreads();
    *x = memory->result;
  }
};

template <bench_cub::BlockScanAlgorithm algorithm, typename T, typename Operator, int threads,
          int items>
struct block_inclusive {
  using scan = bench_cub::BlockScan<T, threads, algorithm>;
  using scratch = typename scan::TempStorage;
  static __device__ __forceinline__ void run(T (&x)[items], scratch *memory) {
    scan(*memory).InclusiveScan(x, x, typename Operator::type());
    __syncthreads();  // before the scratch is used again
  }
};

template <typename T, typename Operator, int threads, int items>
using warps_inclusive =
    block_inclusive<bench_cub::BLOCK_SCAN_WARP_SCANS, T, Operator, threads, items>;
template <typename T, typename Operator, int threads, int items>
using raking_inclusive = block_inclusive<bench_cub::BLOCK_SCAN_RAKING, T, Operator, threads, items>;
template <typename T, typename Operator, int threads, int items>
using warps_reduce = block_reduce<bench_cub::BLOCK_REDUCE_WARP_REDUCTIONS, T, Operator, threads>;
template <typename T, typename Operator, int threads, int items>
using raking_reduce = block_reduce<bench_cub::BLOCK_REDUCE_RAKING, T, Operator, threads>;

// Blocks have two contenders, `warps` and `raking`, warps one.
#define PEER_KERNEL(how, scan, level, work, threads, items, operation, type, T)                  \
  using BENCH_LEVEL_NAME(how##_call, level, work, threads, items, operation, type) =             \
      scan<T, operator_##operation##_##type, threads, items>;                                    \
  BENCH_LEVEL_KERNEL(                                                                            \
      BENCH_LEVEL_NAME(how, level, work, threads, items, operation, type), T, bench_next_##type, \
      threads, items,                                                                            \
      BENCH_LEVEL_NAME(how##_call, level, work, threads, items, operation, type)::scratch,       \
      BENCH_LEVEL_NAME(how##_call, level, work, threads, items, operation, type)::run)
#define PEER_KERNELS_warp(work, ...) PEER_KERNEL(shuffles, warp_##work, warp, work, __VA_ARGS__)
#define PEER_KERNELS_block(work, ...)                        \
  PEER_KERNEL(warps, warps_##work, block, work, __VA_ARGS__) \
  PEER_KERNEL(raking, raking_##work, block, work, __VA_ARGS__)
#define PEER_KERNELS(level, ...) PEER_KERNELS_##level(__VA_ARGS__)

BENCH_LEVELS(PEER_KERNELS)

const bench_level_entry levels[] = {BENCH_LEVELS(BENCH_LEVEL_ENTRIES) BENCH_LEVEL_END};

}  // namespace

extern "C" const bench_level_file BENCH_PASTE(bench_levels_, BENCH_PEER_RELEASE);
const bench_level_file BENCH_PASTE(bench_levels_, BENCH_PEER_RELEASE) = {
    BENCH_TEXT(BENCH_PEER_RELEASE), CUB_VERSION, levels};
