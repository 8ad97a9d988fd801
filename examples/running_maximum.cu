// Which days set a record: a running maximum with a ready operator, exclusive and in place.
#include <math.h>

#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_MAXIMUM(float, maximum)
SCAN_DEFINE(float, maximum, -INFINITY)

int main(void) {
  const size_t n = 1000000, bytes = n * sizeof(float);
  const uint64_t seed = example_seed();
  float *levels = (float *)example_allocate(bytes), *records = (float *)example_allocate(bytes);
  float *device_records, expected = -INFINITY;
  scan_workspace *workspace;
  size_t broken = 0;
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) levels[i] = (float)example_random(&state) / 65536.0f - 32768.0f;

  EXAMPLE_CHECK(cudaMalloc((void **)&device_records, bytes));
  EXAMPLE_CHECK(cudaMemcpy(device_records, levels, bytes, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_float_maximum_workspace_bytes(n), 0));
  // Exclusive: records[i] is the highest level before day i, and -INFINITY before the first day.
  EXAMPLE_CHECK(scan_float_maximum_exclusive(workspace, device_records, device_records, n, 0));
  EXAMPLE_CHECK(cudaMemcpy(records, device_records, bytes, cudaMemcpyDeviceToHost));

  for (size_t i = 0; i < n; i++) {
    if (records[i] != expected) {
      fprintf(stderr, "running_maximum: seed %llu: records[%zu] is %g, expected %g\n",
              (unsigned long long)seed, i, (double)records[i], (double)expected);
      return EXIT_FAILURE;
    }
    if (levels[i] > records[i]) {
      expected = levels[i];
      broken++;
    }
  }
  printf("running_maximum: %zu levels set %zu records, as found one by one (seed %llu; %s)\n", n,
         broken, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_records));
  free(levels);
  free(records);
  return EXIT_SUCCESS;
}
