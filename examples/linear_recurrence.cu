// The recurrence v[i+1] = (1 - k[i]) v[i] + k[i] u[i], solved in parallel by scanning its steps.
//
// It is a low-pass filter of the samples u whose strength k changes from sample to sample. One step
// is the affine map v -> a * v + b with a = 1 - k and b = k * u. Maps compose to maps, in an order
// that matters, and the composition of the steps 0 ... i takes v[0] to v[i+1]. The seed is the
// constant map to v[0]: then the offset alone is v[i+1].
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
  double v = start.offset, worst = 0.0;
  scan_workspace *workspace;
  scan_affine_compose_options options = scan_affine_compose_options_default();
  uint64_t state = seed;
  // k is from 0 to 1/2, u a whole number from 1 to 200.
  for (size_t i = 0; i < n; i++) {
    const double k = (double)example_random(&state) / 8589934592.0;
    steps[i].factor = 1.0 - k;
    steps[i].offset = k * (double)(1 + example_random(&state) % 200);
  }

  EXAMPLE_CHECK(cudaMalloc((void **)&device_steps, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&device_start, sizeof start));
  EXAMPLE_CHECK(cudaMemcpy(device_steps, steps, bytes, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(cudaMemcpy(device_start, &start, sizeof start, cudaMemcpyHostToDevice));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_affine_compose_workspace_bytes(n), 0));
  options.seed = device_start;
  EXAMPLE_CHECK(scan_affine_compose_run(workspace, device_steps, device_steps, n, options, 0));
  EXAMPLE_CHECK(cudaMemcpy(maps, device_steps, bytes, cudaMemcpyDeviceToHost));

  // The scan associates the operations otherwise than this loop does, and so rounds otherwise. But
  // nothing is negative, so that nothing cancels: v[i+1] is a sum of terms, each of which passes
  // through at most i + 1 products and i + 1 sums. Either result is off by at most so many
  // roundings, 2^-53 of it each, and both by twice as many, to first order; 5 for 4 covers the
  // rest.
  for (size_t i = 0; i < n; i++) {
    v = steps[i].factor * v + steps[i].offset;
    worst = fmax(worst, fabs(maps[i].offset - v));
    if (!(fabs(maps[i].offset - v) <= v * (double)(i + 1) * 5.0 * 0x1p-53)) {
      fprintf(stderr, "linear_recurrence: seed %llu: v[%zu] is %.17g, expected %.17g\n",
              (unsigned long long)seed, i + 1, maps[i].offset, v);
      return EXIT_FAILURE;
    }
  }
  printf(
      "linear_recurrence: %zu steps from %g to %.6f, off the loop by %.1e at most (seed %llu; "
      "%s)\n",
      n, start.offset, v, worst, (unsigned long long)seed, example_device());
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_steps));
  EXAMPLE_CHECK(cudaFree(device_start));
  free(steps);
  free(maps);
  return EXIT_SUCCESS;
}
