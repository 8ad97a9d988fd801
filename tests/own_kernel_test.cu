// own_kernel_test.cu: a client's own kernel: several blocks, dynamic shared memory past 48 KiB,
// warp and block scans inside.
#include "tests/operators.h"

SCAN_DEFINE(affine, compose, {1, 0})
SCAN_DEFINE(uint32_t, add_uint32_t, 0)

enum { blocks = 5, threads = 288, items = 3, wide_words = 16 * 1024 };

typedef struct recurrence_parameters {
  const affine *in;
  affine *out;
  uint32_t *sums;
  uint32_t n;
} recurrence_parameters;

// What the block keeps in shared memory: 64 KiB of words, and the scratch of two scans.
typedef struct recurrence_shared {
  uint32_t words[wide_words];
  scan_affine_compose_block_scratch composition;
  scan_uint32_t_add_uint32_t_block_scratch sum;
} recurrence_shared;

SCAN_OPERATOR uint32_t mix(uint32_t x) { return x * 2654435761u ^ x >> 7; }

// Each block scans its own stretch of affine maps, and sums what its threads left all over shared
// memory.
SCAN_KERNEL(recurrence, recurrence_parameters, p) {
  SCAN_SHARED_DYNAMIC(recurrence_shared, shared);
  affine own[items];
  affine warp_total;
  uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) * items;
  uint32_t sum = 0;
  uint32_t i;
  int k;
  for (i = threadIdx.x; i < wide_words; i += blockDim.x) shared->words[i] = mix(i + blockIdx.x);
  __syncthreads();
  for (i = threadIdx.x; i < wide_words; i += blockDim.x) sum += shared->words[wide_words - 1 - i];
  sum = scan_uint32_t_add_uint32_t_block_reduce(sum, &shared->sum);
  if (threadIdx.x == blockDim.x - 1) p.sums[blockIdx.x] = sum;

  for (k = 0; k < items; k++) own[k] = p.in[first + (uint32_t)k];
  warp_total = own[0];
  for (k = 1; k < items; k++) warp_total = compose(warp_total, own[k]);
  warp_total = scan_affine_compose_warp_reduce(warp_total);
  __syncwarp();
  scan_affine_compose_block_inclusive_items(own, items, &shared->composition);
  for (k = 0; k < items; k++) p.out[first + (uint32_t)k] = own[k];
  if (threadIdx.x % 32 == 0) {
    p.out[p.n + (blockIdx.x * blockDim.x + threadIdx.x) / 32] = warp_total;
  }
}

// Two launches of one kernel are two kernels' worth of parameters: each copies them when it is
// made.
static void check_launch(unsigned grid) {
  size_t n = (size_t)grid * threads * items;
  size_t warps = (size_t)grid * threads / 32;
  affine *in = (affine *)test_allocate(n * sizeof *in);
  affine *expected = (affine *)test_allocate((n + warps) * sizeof *expected);
  uint32_t *sums = (uint32_t *)test_allocate(grid * sizeof *sums);
  test_buffer in_buffer;
  test_buffer out_buffer;
  test_buffer sums_buffer;
  recurrence_parameters parameters;
  size_t i;
  test_case("recurrence, grid %u", grid);
  affine_generate(in, n);
  for (i = 0; i < n; i++) {
    expected[i] = i % (threads * items) == 0 ? in[i] : compose(expected[i - 1], in[i]);
  }
  for (i = 0; i < n; i++) {
    affine *total = &expected[n + i / (32 * items)];
    *total = i % (32 * items) == 0 ? in[i] : compose(*total, in[i]);
  }
  for (i = 0; i < grid; i++) {
    uint32_t word;
    sums[i] = 0;
    for (word = 0; word < wide_words; word++) sums[i] += mix(word + (uint32_t)i);
  }
  test_buffer_make(&in_buffer, n * sizeof *in);
  test_buffer_make(&out_buffer, (n + warps) * sizeof *in);
  test_buffer_make(&sums_buffer, grid * sizeof *sums);
  parameters.in = (const affine *)test_buffer_place(&in_buffer, 0, n * sizeof *in, in);
  parameters.out = (affine *)test_buffer_place(&out_buffer, 8, (n + warps) * sizeof *in, NULL);
  parameters.sums = (uint32_t *)test_buffer_place(&sums_buffer, 0, grid * sizeof *sums, NULL);
  parameters.n = (uint32_t)n;
  CHECK_CODE(SCAN_LAUNCH(recurrence, grid, threads, sizeof(recurrence_shared), 0, parameters),
             cudaSuccess);
  memset(&parameters, 0, sizeof parameters);
  MUST(cudaDeviceSynchronize());
  CHECK_SAME("the scans of all blocks, then the warps' totals",
             test_buffer_fetch(&out_buffer, "out"), expected, sizeof *in, n + warps);
  CHECK_SAME("the blocks' sums", test_buffer_fetch(&sums_buffer, "sums"), sums, sizeof *sums, grid);
  test_buffer_free(&in_buffer);
  test_buffer_free(&out_buffer);
  test_buffer_free(&sums_buffer);
  free(in);
  free(expected);
  free(sums);
}

// Launches that cannot be: the error comes back, nothing runs.
static void check_bad_launches(void) {
  recurrence_parameters parameters;
  memset(&parameters, 0, sizeof parameters);
  test_case("launches that cannot be");
  CHECK(SCAN_LAUNCH(recurrence, 1, 2048, sizeof(recurrence_shared), 0, parameters) != cudaSuccess,
        "a block of 2048 threads was launched");
  (void)cudaGetLastError();
  CHECK(SCAN_LAUNCH(recurrence, 1, threads, (size_t)1 << 20, 0, parameters) != cudaSuccess,
        "a block with 1 MiB of shared memory was launched");
  (void)cudaGetLastError();
  CHECK(
      SCAN_LAUNCH(recurrence, 0, threads, sizeof(recurrence_shared), 0, parameters) != cudaSuccess,
      "no block at all was launched");
  (void)cudaGetLastError();
  MUST(cudaDeviceSynchronize());
}

int main(void) {
  unsigned grid;
  test_begin("own_kernel_test");
  for (grid = 1; grid <= blocks; grid++) {
#if defined(SCAN_TARGET_HOST)
    scan_host_schedule(grid % 2 ? test_random() : 0, 1 + (unsigned)test_below(3), 0);
#endif
    check_launch(grid);
  }
  check_bad_launches();
  return test_end(
      "warp, block and several-item scans in a client's kernel of up to %d blocks, %zu bytes of "
      "shared memory each",
      (int)blocks, sizeof(recurrence_shared));
}
