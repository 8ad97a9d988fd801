// Running sums of a float array: the smallest program that uses the library.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_DEFINE(float, add, 0.0f)

// sums[i] = values[0] + ... + values[i], both in device memory.
static void running_sums(const float *values, float *sums, size_t n, cudaStream_t stream) {
  scan_workspace *workspace;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_float_add_workspace_bytes(n), stream));
  EXAMPLE_CHECK(scan_float_add_inclusive(workspace, values, sums, n, stream));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
}

int main(void) {
  const size_t n = 1000000, bytes = n * sizeof(float);
  const uint64_t seed = example_seed();
  float *values = (float *)example_allocate(bytes), *sums = (float *)example_allocate(bytes);
  float *device_values, *device_sums, expected = 0.0f;
  uint64_t state = seed;
  // Whole numbers below 16, so that every sum is exact and the order of additions does not show.
  for (size_t i = 0; i < n; i++) values[i] = (float)(example_random(&state) % 16);

  EXAMPLE_CHECK(cudaMalloc((void **)&device_values, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device_sums, bytes));
  EXAMPLE_CHECK(cudaMemcpy(device_values, values, bytes, cudaMemcpyHostToDevice));
  running_sums(device_values, device_sums, n, 0);
  EXAMPLE_CHECK(cudaMemcpy(sums, device_sums, bytes, cudaMemcpyDeviceToHost));

  for (size_t i = 0; i < n; i++) {
    expected += values[i];
    if (sums[i] != expected) {
      fprintf(stderr, "sum: seed %llu: sums[%zu] is %g, expected %g\n", (unsigned long long)seed, i,
              (double)sums[i], (double)expected);
      return EXIT_FAILURE;
    }
  }
  printf("sum: %zu running sums, the last is %.0f, all as added one by one (seed %llu; %s)\n", n,
         (double)expected, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(cudaFree(device_values));
  EXAMPLE_CHECK(cudaFree(device_sums));
  free(values);
  free(sums);
  return EXIT_SUCCESS;
}
