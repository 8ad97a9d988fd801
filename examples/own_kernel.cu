// Warp and block scans inside kernels of one's own: running sums along each row of a table.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_ADD(int, add)
SCAN_DEFINE(int, add, 0)

enum { WARP = 32, THREADS = 128, ITEMS = 5, ROWS = 1000 };

typedef struct {
  const int *in;
  int *out;
  unsigned rows;
} table;

// Rows of 32: a warp scans one row, a block of four warps four rows. A warp calls as a whole.
SCAN_KERNEL(sum_rows_by_warp, table, t) {
  const unsigned row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
  const size_t index = (size_t)row * WARP + threadIdx.x % WARP;
  if (row < t.rows) t.out[index] = scan_int_add_warp_inclusive(t.in[index]);
}

// Rows of 128: a block scans one row, and divides by what reduce gives every thread.
SCAN_KERNEL(share_rows_by_block, table, t) {
  SCAN_SHARED_DYNAMIC(scan_int_add_block_scratch, scratch);
  const size_t index = (size_t)blockIdx.x * THREADS + threadIdx.x;
  const int value = t.in[index];
  const int before = scan_int_add_block_exclusive(value, scratch);
  const int total = scan_int_add_block_reduce(value, scratch);
  t.out[index] = 1000 * before / total;
}

typedef struct {
  scan_int_add_block_scratch scratch;
  int row[THREADS * ITEMS];
} row_memory;

// Rows of 640: five items a thread. The row passes through shared memory, so that neighbouring
// threads touch neighbouring words of global memory although each thread owns five words in a row.
SCAN_KERNEL(sum_rows_by_items, table, t) {
  SCAN_SHARED_DYNAMIC(row_memory, memory);
  const size_t first = (size_t)blockIdx.x * (THREADS * ITEMS);
  int items[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    memory->row[i * THREADS + threadIdx.x] = t.in[first + i * THREADS + threadIdx.x];
  }
  __syncthreads();
  for (int i = 0; i < ITEMS; i++) items[i] = memory->row[threadIdx.x * ITEMS + i];
  scan_int_add_block_inclusive_items(items, ITEMS, &memory->scratch);
  for (int i = 0; i < ITEMS; i++) memory->row[threadIdx.x * ITEMS + i] = items[i];
  __syncthreads();
  for (int i = 0; i < ITEMS; i++) {
    t.out[first + i * THREADS + threadIdx.x] = memory->row[i * THREADS + threadIdx.x];
  }
}

// Compares a table with what one loop a row gives: running sums, or per mille of the row before
// each value.
static void check_rows(const char *kernel, const table *device, const int *in, unsigned width,
                       int per_mille) {
  const size_t bytes = (size_t)ROWS * width * sizeof(int);
  int *out = (int *)example_allocate(bytes);
  EXAMPLE_CHECK(cudaMemcpy(out, device->out, bytes, cudaMemcpyDeviceToHost));
  for (unsigned row = 0; row < ROWS; row++) {
    const size_t first = (size_t)row * width;
    int total = 0, sum = 0;
    for (unsigned column = 0; column < width; column++) total += in[first + column];
    for (unsigned column = 0; column < width; column++) {
      const int before = sum;
      sum += in[first + column];
      if (out[first + column] != (per_mille ? 1000 * before / total : sum)) {
        fprintf(stderr, "own_kernel: %s: row %u, column %u is %d, expected %d\n", kernel, row,
                column, out[first + column], per_mille ? 1000 * before / total : sum);
        exit(EXIT_FAILURE);
      }
    }
  }
  free(out);
}

int main(void) {
  const size_t n = (size_t)ROWS * THREADS * ITEMS, bytes = n * sizeof(int);
  const uint64_t seed = example_seed();
  int *in = (int *)example_allocate(bytes), *device_in;
  table device;
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) in[i] = 1 + (int)(example_random(&state) % 1000);

  EXAMPLE_CHECK(cudaMalloc((void **)&device_in, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device.out, bytes));
  EXAMPLE_CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));
  device.in = device_in;
  device.rows = ROWS;

  EXAMPLE_CHECK(cudaMemset(device.out, 0xff, bytes));
  EXAMPLE_CHECK(
      SCAN_LAUNCH(sum_rows_by_warp, (ROWS * WARP + THREADS - 1) / THREADS, THREADS, 0, 0, device));
  check_rows("sum_rows_by_warp", &device, in, WARP, 0);

  EXAMPLE_CHECK(cudaMemset(device.out, 0xff, bytes));
  EXAMPLE_CHECK(SCAN_LAUNCH(share_rows_by_block, ROWS, THREADS, sizeof(scan_int_add_block_scratch),
                            0, device));
  check_rows("share_rows_by_block", &device, in, THREADS, 1);

  EXAMPLE_CHECK(cudaMemset(device.out, 0xff, bytes));
  EXAMPLE_CHECK(SCAN_LAUNCH(sum_rows_by_items, ROWS, THREADS, sizeof(row_memory), 0, device));
  check_rows("sum_rows_by_items", &device, in, THREADS * ITEMS, 0);

  printf(
      "own_kernel: %d rows by warp, by block and by %d items a thread, as by one loop a row "
      "(seed %llu; %s)\n",
      ROWS, ITEMS, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(cudaFree(device_in));
  EXAMPLE_CHECK(cudaFree(device.out));
  free(in);
  return EXIT_SUCCESS;
}
