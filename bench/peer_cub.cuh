// CUB behind the calls of peer.h. C++, as every peer_*.cu; each of these is compiled once for every
// release of CUB, BENCH_PEER_RELEASE being `toolkit` or `newest`, and everything of CUB's lies in a
// namespace of that release.
#ifndef BENCH_PEER_CUB_CUH_
#define BENCH_PEER_CUB_CUH_

#include "bench/data.h"
#include "bench/peer.h"

#define BENCH_PASTE_(a, b) a##b
#define BENCH_PASTE(a, b) BENCH_PASTE_(a, b)
#define THRUST_CUB_WRAPPED_NAMESPACE BENCH_PASTE(bench_cub_, BENCH_PEER_RELEASE)

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/iterator>
#include <cuda/std/limits>

namespace bench_cub = THRUST_CUB_WRAPPED_NAMESPACE::cub;

namespace {

// An operator as CUB takes a user's own.
#define BENCH_PEER_OPERATOR(T, op)                                                            \
  struct op##_functor {                                                                       \
    __host__ __device__ T operator()(T earlier, T later) const { return op(earlier, later); } \
  };

template <typename T>
cudaError_t inclusive_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                          cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveSum(temporary, *bytes, static_cast<const T *>(in),
                                             static_cast<T *>(out), static_cast<uint32_t>(n),
                                             stream);
}

template <typename T>
cudaError_t inclusive_sum_wide(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                               cudaStream_t stream) {
  if (n <= UINT32_MAX) return inclusive_sum<T>(temporary, bytes, in, out, n, stream);
  return bench_cub::DeviceScan::InclusiveSum(temporary, *bytes, static_cast<const T *>(in),
                                             static_cast<T *>(out), static_cast<uint64_t>(n),
                                             stream);
}

template <typename T, typename Operator>
cudaError_t inclusive_scan(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                           cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveScan(temporary, *bytes, static_cast<const T *>(in),
                                              static_cast<T *>(out), Operator(),
                                              static_cast<uint32_t>(n), stream);
}

template <typename T>
cudaError_t exclusive_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                          cudaStream_t stream) {
  return bench_cub::DeviceScan::ExclusiveSum(temporary, *bytes, static_cast<const T *>(in),
                                             static_cast<T *>(out), static_cast<uint32_t>(n),
                                             stream);
}

// The seed is the first element of the data.
template <typename T>
cudaError_t seeded_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                       cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveScanInit(
      temporary, *bytes, static_cast<const T *>(in), static_cast<T *>(out), cuda::std::plus<>{},
      static_cast<T>(bench_step(0, 0)), static_cast<uint32_t>(n), stream);
}

template <typename T>
cudaError_t reverse_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                        cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveSum(
      temporary, *bytes, cuda::std::reverse_iterator<const T *>(static_cast<const T *>(in) + n),
      cuda::std::reverse_iterator<T *>(static_cast<T *>(out) + n), static_cast<uint32_t>(n),
      stream);
}

template <typename T>
cudaError_t reduce_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                       cudaStream_t stream) {
  return bench_cub::DeviceReduce::Sum(temporary, *bytes, static_cast<const T *>(in),
                                      static_cast<T *>(out), static_cast<uint32_t>(n), stream);
}

template <typename T>
cudaError_t sum_by_key(void *temporary, size_t *bytes, const uint32_t *keys, const void *in,
                       void *out, size_t n, cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveSumByKey(
      temporary, *bytes, keys, static_cast<const T *>(in), static_cast<T *>(out),
      static_cast<uint32_t>(n), cuda::std::equal_to<>{}, stream);
}

template <typename T, typename Operator>
cudaError_t scan_by_key(void *temporary, size_t *bytes, const uint32_t *keys, const void *in,
                        void *out, size_t n, cudaStream_t stream) {
  return bench_cub::DeviceScan::InclusiveScanByKey(
      temporary, *bytes, keys, static_cast<const T *>(in), static_cast<T *>(out), Operator(),
      static_cast<uint32_t>(n), cuda::std::equal_to<>{}, stream);
}

}  // namespace

#define BENCH_TEXT_(x) #x
#define BENCH_TEXT(x) BENCH_TEXT_(x)

// Ends a file: its table, under the name that peers.c lists.
#define BENCH_PEER_FILE(file, ...)                                                        \
  static const bench_peer peers[] = {__VA_ARGS__, {nullptr, nullptr, nullptr, nullptr}};  \
  extern "C" const bench_peer_file BENCH_PASTE(bench_peer_##file##_, BENCH_PEER_RELEASE); \
  const bench_peer_file BENCH_PASTE(bench_peer_##file##_, BENCH_PEER_RELEASE) = {         \
      BENCH_TEXT(BENCH_PEER_RELEASE), CUB_VERSION, peers};

#endif  // BENCH_PEER_CUB_CUH_
