// RMS, distance and dot product of two vectors, by one reduction of their three sums.
//
// An iterative solver asks for them in every step: the root mean square of the last change, the
// distance from another solution, the dot product of a conjugate gradient.
#include <math.h>

#include "examples/example.h"
#include "scan/scan.h"

typedef struct {
  double squares, differences, products;  // of x * x, (x - y) * (x - y) and x * y
} sums;

SCAN_OPERATOR sums add(sums earlier, sums later) {
  sums both;
  both.squares = earlier.squares + later.squares;
  both.differences = earlier.differences + later.differences;
  both.products = earlier.products + later.products;
  return both;
}
SCAN_DEFINE(sums, add, {0.0, 0.0, 0.0})

typedef struct {
  const float *x, *y;
  sums *terms;
  size_t n;
} vectors;

SCAN_KERNEL(make_terms, vectors, v) {
  const size_t index = EXAMPLE_INDEX;
  if (index < v.n) {
    const double x = v.x[index], y = v.y[index];
    v.terms[index].squares = x * x;
    v.terms[index].differences = (x - y) * (x - y);
    v.terms[index].products = x * y;
  }
}

typedef struct {
  double rms, distance, dot;
} norms;

// The RMS of x, its distance from y and their dot product; of n > 0 elements in host memory.
static norms measure(const float *x, const float *y, size_t n) {
  scan_workspace *workspace;
  norms measured;
  sums total, *device_total = (sums *)example_device_memory(sizeof(sums));
  vectors v;
  v.x = (float *)example_to_device(x, n * sizeof(float));
  v.y = (float *)example_to_device(y, n * sizeof(float));
  v.terms = (sums *)example_device_memory(n * sizeof(sums));
  v.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_sums_add_workspace_bytes(n), 0));
  EXAMPLE_LAUNCH_EACH(make_terms, n, v);
  EXAMPLE_CHECK(scan_sums_add_reduce(workspace, v.terms, device_total, n, 0));
  EXAMPLE_CHECK(cudaMemcpy(&total, device_total, sizeof total, cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)v.x));
  EXAMPLE_CHECK(cudaFree((void *)v.y));
  EXAMPLE_CHECK(cudaFree(v.terms));
  EXAMPLE_CHECK(cudaFree(device_total));
  measured.rms = sqrt(total.squares / (double)n);
  measured.distance = sqrt(total.differences);
  measured.dot = total.products;
  return measured;
}

// Compares two made-up vectors' norms with what one loop gives. The elements are quarters between
// -256 and 256, so that every term is a number of sixteenths, 2^22 at most: fewer than 2^31 of them
// add up exactly in a double, in any order.
static norms check(size_t n, uint64_t seed) {
  float *x = (float *)example_allocate(n * sizeof(float));
  float *y = (float *)example_allocate(n * sizeof(float));
  double squares = 0.0, differences = 0.0, products = 0.0;
  norms measured;
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    x[i] = (float)(example_random(&state) % 2048) / 4.0f - 256.0f;
    y[i] = (float)(example_random(&state) % 2048) / 4.0f - 256.0f;
    squares += (double)x[i] * x[i];
    differences += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
    products += (double)x[i] * y[i];
  }
  measured = measure(x, y, n);
  if (measured.rms != sqrt(squares / (double)n) || measured.distance != sqrt(differences) ||
      measured.dot != products) {
    fprintf(stderr,
            "norms: seed %llu: of %zu elements: %.17g, %.17g and %.17g, expected %.17g, %.17g and "
            "%.17g\n",
            (unsigned long long)seed, n, measured.rms, measured.distance, measured.dot,
            sqrt(squares / (double)n), sqrt(differences), products);
    exit(EXIT_FAILURE);
  }
  free(x);
  free(y);
  return measured;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const size_t n = 200000 + example_random(&state) % 200000;
  const norms measured = check(n, seed);
  check(1, seed);
  printf(
      "norms: %zu elements: RMS %.3f, distance %.1f, dot product %.2f, as by one loop (seed %llu; "
      "%s)\n",
      n, measured.rms, measured.distance, measured.dot, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
