// A linear recurrence, x[i] = a[i] * x[i-1] + b[i], solved in parallel by scanning its steps.
//
// One step is the affine map x -> a * x + b. Maps compose to maps, in an order that matters, and
// the composition of the steps 0 ... i takes the first x to x[i]. The seed is the constant map to
// the first x: then the offset alone is x[i].
#include <math.h>

#include "examples/example.h"
#include "scan/scan.h"

typedef struct {
  double factor, offset;
} affine;

// The map that applies earlier first, then later.
SCAN_OPERATOR affine compose(affine earlier, affine later) {
  affine both;
  both.factor = later.factor * earlier.factor;
  both.offset = later.factor * earlier.offset + later.offset;
  return both;
}
SCAN_DEFINE(affine, compose, {1.0, 0.0})

int main(void) {
  const size_t n = 500000, bytes = n * sizeof(affine);
  const uint64_t seed = example_seed();
  const affine start = {0.0, 100.0};
  affine *steps = (affine *)example_allocate(bytes), *maps = (affine *)example_allocate(bytes);
  affine *device_steps, *device_start;
  double x = start.offset, worst = 0.0;
  scan_workspace *workspace;
  scan_affine_compose_options options = scan_affine_compose_options_default();
  uint64_t state = seed;
  // A low-pass filter whose strength changes from sample to sample.
  for (size_t i = 0; i < n; i++) {
    steps[i].factor = 0.5 + (double)example_random(&state) / 8589934592.0;
    steps[i].offset = (1.0 - steps[i].factor) * (double)(example_random(&state) % 200);
  }

  EXAMPLE_CHECK(cudaMalloc((void **)&device_steps, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device_start, sizeof start));
  EXAMPLE_CHECK(cudaMemcpy(device_steps, steps, bytes, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(cudaMemcpy(device_start, &start, sizeof start, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_affine_compose_workspace_bytes(n), 0));
  options.seed = device_start;
  EXAMPLE_CHECK(scan_affine_compose_run(workspace, device_steps, device_steps, n, options, 0));
  EXAMPLE_CHECK(cudaMemcpy(maps, device_steps, bytes, cudaMemcpyDeviceToHost));

  // The scan associates the products otherwise than this loop does: equal but for rounding.
  for (size_t i = 0; i < n; i++) {
    x = steps[i].factor * x + steps[i].offset;
    worst = fmax(worst, fabs(maps[i].offset - x));
    if (!(fabs(maps[i].offset - x) <= 1e-9)) {
      fprintf(stderr, "linear_recurrence: seed %llu: x[%zu] is %.17g, expected %.17g\n",
              (unsigned long long)seed, i, maps[i].offset, x);
      return EXIT_FAILURE;
    }
  }
  printf(
      "linear_recurrence: %zu steps from %g to %.6f, off the loop by %.1e at most (seed %llu; "
      "%s)\n",
      n, start.offset, x, worst, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_steps));
  EXAMPLE_CHECK(cudaFree(device_start));
  free(steps);
  free(maps);
  return EXIT_SUCCESS;
}
