// The limit: a plain copy, 16 bytes an access; and the comparison of what was copied.
#include "bench/bench.h"

typedef struct {
  SCAN_ALIGNED_(16) uint32_t word[4];
} bench_vector;

typedef struct {
  const bench_vector *in;
  bench_vector *out;
  size_t vectors;
  uint64_t *wrong;
} bench_copying;

// Vectors that a thread copies, all loaded before the first is stored.
enum { bench_copy_vectors = 4 };

SCAN_KERNEL(bench_copy_kernel, bench_copying, p) {
  const size_t first = (size_t)blockIdx.x * blockDim.x * bench_copy_vectors + threadIdx.x;
  bench_vector vector[bench_copy_vectors];
  for (unsigned k = 0; k < bench_copy_vectors; k++)
    if (first + k * blockDim.x < p.vectors) vector[k] = p.in[first + k * blockDim.x];
  for (unsigned k = 0; k < bench_copy_vectors; k++)
    if (first + k * blockDim.x < p.vectors) p.out[first + k * blockDim.x] = vector[k];
}

SCAN_KERNEL(bench_compare_kernel, bench_copying, p) {
  const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t wrong = UINT64_MAX;
  for (size_t i = thread; i < p.vectors; i += (size_t)gridDim.x * blockDim.x)
    for (unsigned k = 0; k < 4; k++)
      if (wrong == UINT64_MAX && p.in[i].word[k] != p.out[i].word[k]) wrong = i;
  p.wrong[thread] = wrong;
}

cudaError_t bench_copy(const void *in, void *out, size_t bytes, cudaStream_t stream) {
  const bench_copying copying = {(const bench_vector *)in, (bench_vector *)out, bytes / 16, NULL};
  const size_t block = (size_t)BENCH_BLOCK * bench_copy_vectors;
  return SCAN_LAUNCH(bench_copy_kernel, (unsigned)((copying.vectors + block - 1) / block),
                     BENCH_BLOCK, 0, stream, copying);
}

cudaError_t bench_compare(const void *in, const void *out, size_t bytes, uint64_t *wrong,
                          unsigned blocks, cudaStream_t stream) {
  const bench_copying copying = {(const bench_vector *)in, (bench_vector *)out, bytes / 16, wrong};
  return SCAN_LAUNCH(bench_compare_kernel, blocks, BENCH_BLOCK, 0, stream, copying);
}
