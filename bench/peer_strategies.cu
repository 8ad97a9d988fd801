// CUB and Thrust beside the strategies.
#include "bench/peer_cub.cuh"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

namespace {

BENCH_PEER_OPERATOR(bench_b16, bench_add_b16)

// As a client calls it: it allocates for itself, and waits for the stream.
cudaError_t thrust_sum(void *temporary, size_t *bytes, const void *in, void *out, size_t n,
                       cudaStream_t stream) {
  namespace thrust = THRUST_CUB_WRAPPED_NAMESPACE::thrust;
  const float *first = static_cast<const float *>(in);
  if (temporary == nullptr) {
    *bytes = 1;
    return cudaSuccess;
  }
  try {
    thrust::inclusive_scan(thrust::cuda::par.on(stream), first, first + n,
                           static_cast<float *>(out));
  } catch (const thrust::system_error &error) {
    return static_cast<cudaError_t>(error.code().value());
  }
  return cudaSuccess;
}

}  // namespace

BENCH_PEER_FILE(strategies, {"cub", "f32", inclusive_sum<float>}, {"thrust", "f32", thrust_sum},
                {"cub", "b16", inclusive_scan<bench_b16, bench_add_b16_functor>},
                {"cub", "f32_segmented", nullptr, sum_by_key<float>},
                {"cub", "f32_reduced", reduce_sum<float>})
